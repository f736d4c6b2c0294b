import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL, sample, tagwise } from './common.mjs';

const { TagwiseError, compile } = tagwise;

test('values are encoded and decoded by every set of rules', { skip: SMALL }, () => {
  const schema = compile({ 'vehicle.asn1': sample('vehicle.asn1') });
  assert.deepEqual(schema.types.filter((type) => type.top).map((type) => type.name), ['Report']);
  const value = { station: 4001, heading: 90, kind: 'tram', name: 'Linie 7' };
  for (const rules of ['der', 'ber', 'cer', 'uper', 'aper', 'cuper', 'caper', 'oer', 'coer', 'xer', 'cxer', 'exer']) {
    const bytes = schema.encode(value, { rules });
    assert.deepEqual(schema.decode(bytes, { rules }), value, rules);
  }
  // X.691: two bits for extension and presence, 12 for the station, 9 for the heading …
  assert.ok(schema.encode(value, { rules: 'uper' }).length < schema.encode(value).length);
  schema.free();
  assert.throws(() => schema.decode(new Uint8Array(1)), { code: 'usage' });
});

test('a default is added when it is absent', { skip: SMALL }, () => {
  const schema = compile(sample('point.asn1').toString());
  assert.deepEqual([...schema.encode({ x: 5, y: 9 })], [0x30, 6, 0x80, 1, 5, 0x81, 1, 9]);
  assert.deepEqual(schema.decode(Uint8Array.of(0x30, 3, 0x80, 1, 5), { type: 'Point' }), { x: 5 });
});

test('errors of values have positions, and those of modules have lines', { skip: SMALL }, () => {
  const schema = compile(sample('point.asn1').toString());
  assert.throws(() => schema.decode(Uint8Array.of(0x30, 3, 0x80, 1, 101)), (error) => {
    assert.ok(error instanceof TagwiseError);
    assert.equal(error.path, 'x');
    assert.equal(typeof error.offset, 'number');
    return true;
  });
  assert.throws(() => schema.encode({ x: 101 }), TagwiseError);
  assert.throws(() => schema.encode({ y: 1 }), TagwiseError);
  const cycle = {};
  cycle.x = cycle;
  for (const value of [cycle, { x: 1n }, undefined]) assert.throws(() => schema.encode(value), { code: 'usage' });
  assert.throws(() => schema.encode({ x: 1 }, { rules: 'nonesuch' }), { code: 'usage' });
  assert.throws(() => schema.encode({ x: 1 }, { type: 'Nonesuch' }), { code: 'usage' });
  assert.throws(() => compile('M DEFINITIONS ::= BEGIN A ::= B END'), /input\.asn1:1:/);
});

test('names of components are not converted', { skip: SMALL }, () => {
  const schema = compile('M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { some-name-7 BOOLEAN } END');
  assert.deepEqual(schema.decode(schema.encode({ 'some-name-7': true })), { 'some-name-7': true });
});

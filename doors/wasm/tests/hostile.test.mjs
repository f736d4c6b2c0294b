// Hostile inputs: errors, never traps, and the next call works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL, sample, tagwise } from './common.mjs';

const { TagwiseError, compile, diff, lint, parse, verify } = tagwise;

/** Calls every function with an input. Only a `TagwiseError` that isn't internal may be thrown. */
function every(input) {
  const calls = [
    () => parse(input).items.map((_, item) => [parse(input).outline({ item }), parse(input).get('', { item })]),
    () => parse(input, { allow: 'all' }),
    () => lint(input),
    () => diff(input, input),
    () => verify(input, { roots: input, host: 'a.example' }),
    () => compile(typeof input === 'string' ? input : { 'a.asn1': input }),
  ];
  for (const call of calls) {
    try {
      call();
    } catch (error) {
      assert.ok(error instanceof TagwiseError, error.stack);
      assert.notEqual(error.code, 'internal', error.message);
    }
  }
  assert.equal(parse(sample('root.pem')).items.length, 1);
}

const nested = (depth) => {
  let bytes = Buffer.from([0x30, 0]);
  for (let level = 0; level < depth; level += 1) {
    const size = bytes.length;
    const length = size < 128 ? [size] : size < 256 ? [0x81, size] : size < 65536 ? [0x82, size >> 8, size & 255] : [0x83, size >> 16, (size >> 8) & 255, size & 255];
    bytes = Buffer.concat([Buffer.from([0x30, ...length]), bytes]);
  }
  return bytes;
};

test('empty, random and truncated inputs', () => {
  every('');
  every('\0');
  const leaf = parse(sample('leaf.pem')).bytes();
  for (let end = 1; end < leaf.length; end += 97) every(leaf.slice(0, end));
  let seed = 7;
  const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >>> 16;
  for (let round = 0; round < 60; round += 1) {
    const bytes = leaf.slice();
    for (let change = 0; change < 4; change += 1) bytes[random() % bytes.length] = random() & 255;
    every(bytes);
  }
});

test('deep nesting in DER, JSON, ASN.1 and PEM', () => {
  every(nested(5000));
  every(Buffer.alloc(100_000, Buffer.from([0x30, 0x80])));
  every(`M DEFINITIONS ::= BEGIN T ::= ${'SEQUENCE { a '.repeat(5000)}NULL${'}'.repeat(5000)} END`);
  every(`M DEFINITIONS ::= BEGIN T ::= INTEGER ${'('.repeat(20000)}1${')'.repeat(20000)} END`);
  every(`${'{"a":'.repeat(20000)}{}${'}'.repeat(20000)}`);
});

test('deep nesting in values of a schema', { skip: SMALL }, () => {
  const schema = compile('M DEFINITIONS ::= BEGIN T ::= SEQUENCE { a T OPTIONAL } END');
  assert.throws(() => schema.encode(JSON.parse(`${'{"a":'.repeat(2000)}{}${'}'.repeat(2000)}`), { type: 'T' }), TagwiseError);
  assert.throws(() => schema.decode(nested(5000), { type: 'T' }), TagwiseError);
});

test('huge lengths and bombs', () => {
  every(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]));
  every(Buffer.from([0x30, 0x88, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
  every('-----BEGIN CERTIFICATE-----\n'.repeat(20000));
  assert.throws(() => parse(new Uint8Array(2 ** 29 + 1)), { code: 'limit' });
});

test('keys of a document do not reach the prototype', { skip: SMALL }, () => {
  const schema = compile('M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { proto BOOLEAN } END');
  assert.throws(() => schema.encode(JSON.parse('{"__proto__": {"x": 1}, "proto": true}')), TagwiseError);
  assert.equal({}.x, undefined);
});

test('a trap becomes an error, and the next call works', async () => {
  const schema = SMALL ? null : compile(sample('point.asn1').toString());
  const before = WebAssembly.Instance;
  let broken = true;
  // An instance whose function traps.
  const trap = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11));
  const { t } = new before(trap, {}).exports;
  try {
    WebAssembly.Instance = function (module, imports) {
      const real = new before(module, imports);
      if (!broken) return real;
      return { exports: { ...real.exports, memory: real.exports.memory, tagwise_call: t } };
    };
    // A large input makes the package discard its instance, so that the next one is broken.
    parse(Buffer.alloc(140 << 20));
    assert.throws(() => parse(sample('leaf.pem')), (error) => error instanceof TagwiseError && error.code === 'internal');
    broken = false;
    assert.equal(parse(sample('leaf.pem')).items.length, 1);
    // The new instance doesn't have the schema, which is compiled again.
    if (schema) assert.deepEqual(schema.decode(schema.encode({ x: 5 })), { x: 5 });
  } finally {
    WebAssembly.Instance = before;
  }
});

test('markup and control characters are data', () => {
  const text = '<img src=x onerror=alert(1)>\u202e';
  const parsed = parse(`-----BEGIN ${text}-----\nAA==\n-----END ${text}-----\n`);
  assert.ok(JSON.stringify(parsed).length > 0);
});

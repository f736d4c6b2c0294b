import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIME, corpus, sample, tagwise } from './common.mjs';
import { readFileSync } from 'node:fs';

const { verify } = tagwise;
const leaf = sample('leaf.pem');
const roots = sample('root.pem');

test('a leaf is valid below its root', () => {
  const verdict = verify(leaf, { roots, time: TIME, host: 'www.example.com' });
  assert.equal(verdict.status, 'valid', JSON.stringify(verdict.report));
  assert.equal(verdict.paths[0].certificates.length, 1);
});

test('another host, another time and another root are rejected with a rule', () => {
  const rule = (verdict) => verdict.report.rejected[0].rule;
  const host = verify(leaf, { roots, time: TIME, host: 'example.org' });
  assert.equal(host.status, 'invalid');
  assert.equal(rule(host), 'peer-name');
  const late = verify(leaf, { roots, time: new Date('2200-01-01'), host: 'www.example.com' });
  assert.equal(late.status, 'invalid');
  assert.equal(rule(late), 'validity');
  assert.equal(verify(leaf, { roots: [], time: TIME }).status, 'invalid');
});

test('a changed signature is rejected', () => {
  const der = tagwise.parse(leaf).bytes();
  der[der.length - 1] ^= 1;
  const verdict = verify(der, { roots, time: TIME });
  assert.equal(verdict.status, 'invalid');
  assert.equal(verdict.report.rejected[0].rule, 'signature');
});

test('missing revocation evidence is undecided', () => {
  assert.equal(verify(leaf, { roots, time: TIME, revocation: 'require' }).status, 'undecided');
  assert.throws(() => verify(leaf, { roots, revocation: 'nonesuch' }), { code: 'usage' });
});

test('arguments are checked', () => {
  assert.throws(() => verify(leaf, { roots, purpose: 'nonesuch' }), { code: 'usage' });
  assert.throws(() => verify(leaf, { roots, profile: 'nonesuch' }), { code: 'usage' });
  assert.throws(() => verify('nothing', { roots }), { code: 'input' });
  assert.throws(() => verify(leaf, { roots, time: 'yesterday' }), { code: 'usage' });
});

test('the signatures of self-signed certificates with ML-DSA verify', () => {
  for (const path of corpus('lamps-pqc/ml-dsa', ['.crt'], 20)) {
    const [item] = tagwise.parse(readFileSync(path)).items;
    assert.equal(item.certificate.selfSignature.status, 'valid', path);
  }
});

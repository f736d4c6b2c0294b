import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { SMALL, TIME, corpus, sample, tagwise } from './common.mjs';
import { ALGORITHMS } from './fixtures.mjs';

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
  assert.throws(() => verify(leaf, { roots: 'nothing' }), { code: 'input' });
  assert.throws(() => verify(leaf, { roots, time: 'yesterday' }), { code: 'usage' });
});

test('the signatures of self-signed certificates with ML-DSA verify', { skip: SMALL }, () => {
  for (const path of corpus('lamps-pqc/ml-dsa', ['.crt'], 20)) {
    const [item] = tagwise.parse(readFileSync(path)).items;
    assert.equal(item.certificate.selfSignature.status, 'valid', path);
  }
});

const data = (name) => readFileSync(new URL(`data/${name}`, import.meta.url));

test('a Merkle Tree Certificate is valid below its CA', { skip: SMALL }, () => {
  const options = { roots: data('mtc-ca.pem'), time: new Date('2026-12-01'), host: 'www.example.org' };
  const verdict = verify(data('mtc-leaf.pem'), options);
  assert.equal(verdict.status, 'valid', JSON.stringify(verdict.report));
  assert.equal(verify(data('mtc-leaf.pem'), { ...options, roots }).status, 'invalid');
  const key = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
  const mtcPolicy = `cosigner 32473.20 ed25519 ${key}\ngroup one any 32473.20\nrequire-cosigners all one\n`;
  assert.match(verify(data('mtc-leaf.pem'), { ...options, mtcPolicy }).report.rejected[0].message, /too few cosigners/);
});

test('signatures on secp256k1 and the curves of RFC 5639 are verified', { skip: SMALL }, () => {
  for (const name of ['secp256k1', 'brainpoolP256r1', 'brainpoolP256t1', 'brainpoolP384r1']) {
    const certificate = ALGORITHMS[name];
    const { selfSignature } = tagwise.parse(certificate).items[0].certificate;
    assert.equal(selfSignature.status, 'valid', name);
  }
});

test('a PKCS #12 file opens with its password, without secrets', { skip: SMALL }, () => {
  const opened = tagwise.openPkcs12(data('modern.p12'), { password: 'Pässwort' });
  assert.equal(opened.integrity, 'verified');
  const [certificate, key] = opened.items;
  assert.equal(tagwise.parse(certificate.der).items[0].certificate.subject.rfc4514, 'CN=Example');
  assert.deepEqual([key.kind, key.keyType, key.friendlyName, key.der], ['private-key', 'ecdsa-p256', 'Müller', null]);
  assert.equal(key.localKeyId, certificate.localKeyId);
  assert.equal(tagwise.openPkcs12(data('old.p12'), { password: 'old' }).items.length, 2);
  assert.throws(() => tagwise.openPkcs12(data('modern.p12'), { password: 'wrong' }), { code: 'password' });
  assert.throws(() => tagwise.openPkcs12(data('modern.p12')), { code: 'password' });
  assert.throws(() => tagwise.openPkcs12(sample('leaf.pem'), { password: '' }), { code: 'input' });
});

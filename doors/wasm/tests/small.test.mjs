// The small build: what it doesn't contain is named or unknown, and never valid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { SMALL, TIME, sample, tagwise } from './common.mjs';
import { ALGORITHMS, MESSAGE, PKCS12, REQUEST } from './fixtures.mjs';
import { ALGORITHMS as ISSUED, issue } from './issue.mjs';

const { compile, openPkcs12, parse, verify, verifyAsync } = tagwise;
const skip = !SMALL && 'only in the small build';
const data = (name) => readFileSync(new URL(`data/${name}`, import.meta.url));

test('messages, requests and keys are named', { skip }, () => {
  for (const [input, words] of [[MESSAGE, 'CMS (PKCS #7) message'], [REQUEST, 'certification request (PKCS #10)'], [PKCS12, 'PKCS #12 file']]) {
    const parsed = parse(input);
    assert.equal(parsed.items[0].kind, 'other');
    assert.equal(parsed.items[0].description, `${words}, which this build does not read`);
    assert.throws(() => parsed.get('version'), { code: 'input' });
  }
});

test('archives are not opened', { skip }, () => {
  const [error] = parse(Buffer.from('PK\x03\x04 and more')).items[0].errors;
  assert.deepEqual([error.code, error.message], ['not-opened', 'zip, which this build does not open']);
  assert.throws(() => verify(sample('leaf.pem'), { roots: Buffer.from([0x1f, 0x8b, 8, 0]) }), { code: 'input' });
});

test('signatures with other algorithms are unknown', { skip }, async () => {
  for (const name of ['ed448', 'secp521r1', 'secp256k1', 'brainpoolP256r1']) {
    const { selfSignature } = parse(ALGORITHMS[name]).items[0].certificate;
    assert.equal(selfSignature.status, 'unknown', name);
  }
  const { root, leaf } = await issue(ISSUED.find(({ namedCurve }) => namedCurve === 'P-521'));
  assert.equal(verify(leaf, { roots: root, time: TIME }).status, 'undecided');
  assert.equal((await verifyAsync(leaf, { roots: root, time: TIME })).status, 'undecided');
});

test('a Merkle Tree Certificate is undecided', { skip }, async () => {
  const options = { roots: data('mtc-ca.pem'), time: new Date('2026-12-01'), host: 'www.example.org' };
  assert.equal(verify(data('mtc-leaf.pem'), options).status, 'undecided');
  assert.equal((await verifyAsync(data('mtc-leaf.pem'), options)).status, 'undecided');
  assert.throws(() => verify(sample('leaf.pem'), { roots: sample('root.pem'), time: TIME, mtcPolicy: 'x' }), { code: 'usage' });
});

test('functions that are not built in throw', { skip }, () => {
  assert.throws(() => openPkcs12(data('modern.p12'), { password: 'Pässwort' }), { code: 'usage' });
  assert.throws(() => compile(sample('point.asn1').toString()), { code: 'usage' });
});

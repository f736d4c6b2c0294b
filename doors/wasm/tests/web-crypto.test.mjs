import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CORPORA, SMALL, TIME, sample, tagwise } from './common.mjs';
import { ALGORITHMS, issue } from './issue.mjs';

const { parse, verify, verifyAsync } = tagwise;
const Subtle = globalThis.crypto.subtle.constructor;

/** Replaces functions of WebCrypto while another function runs. `replace` gets the original, and returns the replacement. */
async function during(replacements, act) {
  const before = Object.keys(replacements).map((name) => [name, Subtle.prototype[name]]);
  for (const [name, original] of before) Subtle.prototype[name] = replacements[name](original);
  try {
    return await act();
  } finally {
    for (const [name, original] of before) Subtle.prototype[name] = original;
  }
}

/** Returns the verdict and the algorithms that WebCrypto was asked for, with its answers. */
async function watched(...args) {
  const calls = [];
  const verify = (original) => async function watch(algorithm, ...rest) {
    const accepted = await original.call(this, algorithm, ...rest);
    calls.push([algorithm.name, accepted]);
    return accepted;
  };
  return { verdict: await during({ verify }, () => verifyAsync(...args)), calls };
}

test('WebCrypto verifies the algorithms that it supports, with the verdict of Rust', async () => {
  // The small build does not read keys on P-521.
  for (const algorithm of ALGORITHMS.filter(({ namedCurve }) => !SMALL || namedCurve !== 'P-521')) {
    const label = JSON.stringify(algorithm);
    const { root, leaf } = await issue(algorithm);
    const options = { roots: root, time: TIME };
    const expected = verify(leaf, options);
    assert.equal(expected.status, 'valid', `${label}: ${JSON.stringify(expected.report)}`);
    const { verdict, calls } = await watched(leaf, options);
    assert.deepEqual(verdict, expected, label);
    assert.deepEqual(calls, [[algorithm.name, true]], label);

    // A year longer than it was signed.
    const der = Buffer.from(leaf);
    der[der.indexOf('360101') + 1] += 1;
    const wrong = verify(der, options);
    assert.equal(wrong.report.rejected[0].rule, 'signature', label);
    const other = await watched(der, options);
    assert.deepEqual(other.verdict, wrong, label);
    assert.deepEqual(other.calls, [[algorithm.name, false]], label);
  }
});

test('Rust verifies what WebCrypto does not accept or support', async () => {
  const options = { roots: sample('root.pem'), time: TIME, host: 'www.example.com' };
  const expected = verify(sample('leaf.pem'), options);
  assert.equal(expected.status, 'valid');
  const unsupported = () => async () => {
    throw new DOMException('not supported', 'NotSupportedError');
  };
  for (const replacements of [{ importKey: unsupported }, { verify: unsupported }, { verify: () => async () => false }, { verify: () => async () => 1 }]) {
    assert.deepEqual(await during(replacements, () => verifyAsync(sample('leaf.pem'), options)), expected);
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
  try {
    assert.deepEqual(await verifyAsync(sample('leaf.pem'), options), expected);
  } finally {
    Object.defineProperty(globalThis, 'crypto', before);
  }
});

test('wrong arguments reject the promise, and later changes of the input have no effect', async () => {
  const [leaf, roots] = [parse(sample('leaf.pem')).bytes(), sample('root.pem')];
  await assert.rejects(verifyAsync(leaf, { roots, purpose: 'nonesuch' }), { code: 'usage' });
  await assert.rejects(verifyAsync('nothing', { roots }), { code: 'input' });
  const verdict = verifyAsync(leaf, { roots, time: TIME });
  leaf.fill(0);
  assert.equal((await verdict).status, 'valid');
});

test('the verdicts on x509-limbo are those of Rust', { skip: !existsSync(join(CORPORA, 'x509-limbo')) && 'no corpus' }, async () => {
  const { testcases } = JSON.parse(readFileSync(join(CORPORA, 'x509-limbo/limbo-core.json')));
  let accepted = 0;
  for (const one of testcases) {
    if (one.trusted_certs.length === 0) continue;
    const options = {
      roots: one.trusted_certs,
      intermediates: one.untrusted_intermediates,
      crls: one.crls ?? [],
      revocation: (one.crls ?? []).length > 0 ? 'require' : 'ignore',
      time: new Date(one.validation_time ?? TIME),
      allPaths: true,
    };
    const { expected_peer_name: name } = one;
    if (name?.kind === 'DNS' || name?.kind === 'IP') options.host = name.value;
    const fails = ({ code, message }) => ({ verdict: { code, message }, calls: [] });
    // Some names and certificates are errors.
    const expected = await (async () => verify(one.peer_certificate, options))().catch((error) => fails(error).verdict);
    const found = await watched(one.peer_certificate, options).catch(fails);
    assert.deepEqual(found.verdict, expected, one.id);
    accepted += found.calls.filter(([, accepted]) => accepted).length;
  }
  assert.ok(accepted > testcases.length / 2, `WebCrypto accepted ${accepted} signatures`);
});

test('the verdicts on PKITS are those of Rust', { skip: !existsSync(join(CORPORA, 'pkits')) && 'no corpus' }, async () => {
  const { cases, validation_time: time } = JSON.parse(readFileSync(join(CORPORA, 'pkits/pkits-expected.json')));
  const read = (folder, ending) => (name) => readFileSync(join(CORPORA, 'pkits', folder, `${name}.${ending}`));
  let accepted = 0;
  for (const one of cases) {
    const [roots, ...intermediates] = one.certs.map(read('certs', 'crt'));
    const leaf = intermediates.pop();
    const options = { roots, intermediates, crls: one.crls.map(read('crls', 'crl')), revocation: 'require', time: new Date(time) };
    const { verdict, calls } = await watched(leaf, options);
    assert.deepEqual(verdict, verify(leaf, options), one.number);
    accepted += calls.filter(([, accepted]) => accepted).length;
  }
  assert.ok(accepted > cases.length, `WebCrypto accepted ${accepted} signatures`);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMAND, PACKAGE, SMALL, TIME, corpus, sample, tagwise } from './common.mjs';

const { TagwiseError, diff, lint, parse, version } = tagwise;

test('a certificate is a tree with names in camelCase', () => {
  const parsed = parse(sample('leaf.pem'), { time: TIME });
  assert.equal(parsed.form, 'PEM');
  const [item] = parsed.items;
  assert.equal(item.kind, 'certificate');
  assert.equal(item.certificate.serialNumber.hex, '5ec3b7a6437fa4e05ec3b7a6437fa4e0');
  assert.equal(item.certificate.validity.status, 'valid');
  assert.equal(item.fingerprints.sha256.length, 64);
  assert.equal(parsed.toJSON().items[0].certificate.serial_number.hex, item.certificate.serialNumber.hex);
});

test('every name in the tree is in camelCase, and every value is unchanged', () => {
  const camel = (value) => {
    if (Array.isArray(value)) return value.map(camel);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.replace(/[_-]+([a-z0-9])/g, (_, letter) => letter.toUpperCase()), camel(part)]));
  };
  for (const name of ['leaf.pem', 'root.pem', 'list.pem', 'negative.pem']) {
    const parsed = parse(sample(name), { time: TIME });
    assert.deepEqual({ ...parsed }, camel(parsed.toJSON()), name);
  }
});

test('text, buffers and views are the same input', () => {
  const bytes = sample('leaf.pem');
  const text = bytes.toString('utf8');
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const trees = [bytes, text, buffer, new DataView(buffer)].map((input) => JSON.stringify(parse(input, { time: TIME })));
  assert.equal(new Set(trees).size, 1);
});

test('CommonJS has the same functions', () => {
  const common = createRequire(import.meta.url)(join(PACKAGE, 'node.cjs'));
  assert.deepEqual(Object.keys(common).sort(), Object.keys(tagwise).filter((name) => name !== 'default').sort());
  assert.equal(common.parse(sample('root.pem')).items[0].kind, 'certificate');
  assert.equal(common.version(), JSON.parse(readFileSync(join(PACKAGE, 'package.json'))).version);
});

test('components have paths, offsets and values', () => {
  const parsed = parse(sample('leaf.pem'));
  const [serial] = parsed.get('tbsCertificate.serialNumber');
  assert.equal(serial.path, 'tbsCertificate.serialNumber');
  const explained = parsed.explain(serial.offset);
  assert.deepEqual(explained, { path: 'tbsCertificate.serialNumber', type: 'Certificate' });
  assert.deepEqual(parsed.get('notAfter').map((one) => one.value), ['2126-10-28T12:51:29Z']);
  assert.deepEqual(
    parsed.get('tbsCertificate.extensions[subjectAltName].dNSName').map((one) => one.value),
    ['www.example.com', '*.example.com'],
  );
  assert.equal(parsed.bytes().length, parsed.items[0].size);
});

test('an outline covers the bytes', () => {
  const parsed = parse(sample('leaf.pem'));
  const rows = parsed.outline();
  assert.deepEqual([rows[0].depth, rows[0].offset, rows[0].size], [0, 0, parsed.items[0].size]);
  const issuer = rows.find((row) => row.depth === 2 && row.name === 'issuer');
  assert.match(issuer.text, /CN ?= ?Example Root/);
  for (const row of rows) assert.ok(row.offset + (row.size ?? 0) <= parsed.items[0].size, row.name);
  assert.equal(parsed.outline({ entries: 5 }).length, 5);
});

test('absent components and wrong paths are errors', () => {
  const parsed = parse(sample('root.pem'));
  assert.throws(() => parsed.get('ocsp'), (error) => error instanceof TagwiseError && error.code === 'absent');
  assert.throws(() => parsed.get('nonesuch'), (error) => error instanceof TagwiseError && error.code === 'usage');
  assert.throws(() => parsed.explain(1e6), { code: 'usage' });
  assert.throws(() => parsed.explain(-1), { code: 'usage' });
  assert.throws(() => parsed.get('subject', { item: 7 }), { code: 'usage' });
  assert.throws(() => parse(42), { code: 'usage' });
  assert.throws(() => parse(sample('root.pem'), { allow: 'nonesuch' }), { code: 'usage' });
});

test('a malformed certificate has an error with path, offset and clause, which a rule tolerates', () => {
  const input = sample('negative.pem');
  const [item] = parse(input).items;
  assert.equal(item.sound, false);
  const [error] = item.errors;
  assert.equal(error.path, 'tbsCertificate.serialNumber');
  assert.equal(error.rule, 'negative-serial');
  assert.match(error.clause, /RFC 5280/);
  assert.throws(() => parse(input).get('tbsCertificate.issuer'), (thrown) => {
    assert.ok(thrown instanceof TagwiseError && thrown instanceof Error);
    assert.equal(thrown.offset, error.offset);
    assert.equal(thrown.rule, 'negative-serial');
    return true;
  });
  assert.equal(parse(input, { allow: ['negative-serial'] }).items[0].sound, true);
});

test('lints have identifiers and offsets', () => {
  const report = lint(sample('negative.pem'));
  const ids = report.items[0].findings.map((finding) => finding.id);
  assert.ok(ids.includes('decoder.negative-serial'), ids);
  assert.equal(parse(sample('negative.pem')).lint({ only: 'decoder.negative-serial' }).items[0].findings.length, 1);
  assert.throws(() => lint(sample('leaf.pem'), { only: 'nonesuch' }), { code: 'usage' });
});

test('differences have paths', () => {
  const report = diff(sample('leaf.pem'), sample('root.pem'));
  assert.equal(report.same, false);
  assert.ok(report.differences.some((one) => one.path === 'tbsCertificate.serialNumber' && one.kind === 'changed'));
  assert.equal(diff(sample('leaf.pem'), sample('leaf.pem')).same, true);
  assert.throws(() => diff(sample('leaf.pem'), sample('list.pem')), { code: 'usage' });
});

/** The kinds that the small build reads. */
const READ = ['certificate', 'crl', 'public-key', 'rsa-public-key', 'other', 'unreadable'];

test('the documents are those of the command', { skip: COMMAND === undefined && 'TAGWISE_COMMAND is not set' }, () => {
  const run = (...args) => {
    try {
      return JSON.parse(execFileSync(COMMAND, args, { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }));
    } catch (error) {
      return JSON.parse(error.stdout);
    }
  };
  const samples = ['leaf.pem', 'root.pem', 'list.pem', 'negative.pem'].map((name) => new URL(`../../../docs/samples/${name}`, import.meta.url).pathname);
  const files = [
    ...corpus('x509-parser-assets', ['.pem', '.der', '.crt', '.cer'], 40),
    ...corpus('rfc-samples', ['.pem', '.der', '.cer', '.p7', '.p12', '.ocsp', '.txt'], 40),
    ...corpus('pyca', ['.pem', '.der', '.p12', '.p7b'], 150),
    ...corpus('lamps-pqc', ['.pem', '.der'], 30),
    ...corpus('pkits', ['.crt', '.crl'], 60),
  ];
  let compared = 0;
  for (const path of [...samples, ...files]) {
    const [file] = run('show', '--json', '--at', '2026-11-29T00:00:00Z', path).files;
    if (SMALL && !file.items.every(({ kind }) => READ.includes(kind))) continue;
    delete file.path;
    delete file.error;
    const found = parse(readFileSync(path), { time: TIME }).toJSON();
    delete found.error;
    // The command's backend has more algorithms, and its name is in the reason for a rejection. The small build does not show A-labels in
    // Unicode.
    const isPlain = (key) => key !== 'self_signature' && !(SMALL && key === 'unicode');
    const plain = (document) => JSON.parse(JSON.stringify(document, (key, value) => (isPlain(key) ? value : undefined)));
    assert.deepEqual(plain(found), plain(file), path);
    compared += 1;
  }
  assert.ok(compared >= samples.length);
  console.log(`compared ${compared} files`);
});

// Examples from the README files of node-forge, @peculiar/x509, asn1js and pkijs, ported. The comments show the original.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL, TIME, sample, tagwise } from './common.mjs';
import { ALGORITHMS, MESSAGE, PKCS12, REQUEST, SELF_SIGNED } from './fixtures.mjs';

const { compile, parse, verify } = tagwise;

test('node-forge: convert a PEM-formatted cert and read its subject', () => {
  // const cert = pki.certificateFromPem(pem); cert.subject.getField('CN').value;
  const [item] = parse(sample('leaf.pem')).items;
  assert.equal(item.certificate.subject.rfc4514.split(',')[0], 'CN=www.example.com');
  assert.deepEqual(parse(sample('leaf.pem')).get('cn').map((one) => one.value), ['www.example.com']);
});

test('node-forge: verify a certificate against a CA store', () => {
  // const caStore = pki.createCaStore([root]); pki.verifyCertificateChain(caStore, [cert]);
  assert.equal(verify(sample('leaf.pem'), { roots: sample('root.pem'), time: TIME }).status, 'valid');
});

test('node-forge: verify a certification request', { skip: SMALL }, () => {
  // const csr = pki.certificationRequestFromPem(pem); csr.verify();
  const [item] = parse(REQUEST).items;
  assert.equal(item.kind, 'certification-request');
  assert.match(JSON.stringify(item), /"status":"valid"/);
});

test('node-forge: create and convert ASN.1 objects', { skip: SMALL }, () => {
  // asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [integer, oid]); asn1.toDer(object);
  const schema = compile('M DEFINITIONS ::= BEGIN T ::= SEQUENCE { version INTEGER, algorithm OBJECT IDENTIFIER } END');
  const der = schema.encode({ version: 1, algorithm: '1.2.840.113549.1.1.1' });
  assert.deepEqual(schema.decode(der), { version: 1, algorithm: '1.2.840.113549.1.1.1' });
});

test('node-forge: look into a PKCS #12 file', { skip: SMALL }, () => {
  // pkcs12.pkcs12FromAsn1(p12Asn1, password);
  const [item] = parse(PKCS12).items;
  assert.equal(item.kind, 'pkcs12');
  assert.equal(item.sound, true);
});

test('@peculiar/x509: parse an X.509 certificate', () => {
  // const cert = new x509.X509Certificate(base64); cert.subject; cert.notAfter; await cert.getThumbprint('SHA-256');
  const { certificate, fingerprints } = parse(sample('leaf.pem')).items[0];
  assert.equal(new Date(certificate.validity.notAfter.unix * 1000).getUTCFullYear(), 2126);
  assert.match(fingerprints.sha256, /^[0-9a-f]{64}$/);
});

test('@peculiar/x509: read an extension', () => {
  // cert.getExtension(x509.SubjectAlternativeNameExtension).names.items;
  const names = parse(sample('leaf.pem')).get('san').map((one) => one.value);
  assert.ok(names.includes('DNS:www.example.com') && names.includes('IP:192.0.2.7'), names);
});

test('@peculiar/x509: build a chain', () => {
  // const chain = new x509.X509ChainBuilder({ certificates: [root] }); await chain.build(cert);
  const { paths } = verify(sample('leaf.pem'), { roots: sample('root.pem'), time: TIME });
  assert.equal(paths.length, 1);
});

test('@peculiar/x509: verify the signature of a self-signed certificate', () => {
  // await cert.verify({ signatureOnly: true });
  const { rsa, rsapss, ed25519, secp384r1 } = ALGORITHMS;
  const algorithms = SMALL ? { rsa, rsapss, ed25519, secp384r1 } : ALGORITHMS;
  for (const [name, pem] of Object.entries({ p256: SELF_SIGNED, ...algorithms })) {
    const text = JSON.stringify(parse(pem, { time: TIME }).items[0].certificate);
    assert.match(text, /"status":"valid"/, name);
    // The last byte of the signature.
    const der = parse(pem).bytes();
    der[der.length - 1] ^= 1;
    assert.match(JSON.stringify(parse(der, { time: TIME }).items[0].certificate), /"status":"invalid"/, name);
  }
});

test('asn1js: decode and encode', { skip: SMALL }, () => {
  // const { result } = asn1js.fromBER(buffer); new asn1js.Sequence({ value: [new asn1js.Integer({ value: 1 })] }).toBER();
  const schema = compile('M DEFINITIONS ::= BEGIN T ::= SEQUENCE OF INTEGER END');
  assert.deepEqual([...schema.encode([1, 300])], [0x30, 7, 2, 1, 1, 2, 2, 1, 0x2c]);
  assert.deepEqual(schema.decode(Uint8Array.of(0x30, 0x80, 2, 1, 5, 0, 0), { rules: 'ber' }), [5]);
});

test('pkijs: parse a signed CMS message', { skip: SMALL }, () => {
  // const contentInfo = ContentInfo.fromBER(raw); const signed = new SignedData({ schema: contentInfo.content });
  const parsed = parse(MESSAGE);
  assert.equal(parsed.items[0].kind, 'cms');
  const [content] = parsed.get('content.encapContentInfo.eContent');
  assert.match(JSON.stringify(content.value), /68656C6C6F/i);
});

test('pkijs: parse a CRL', () => {
  // const crl = CertificateRevocationList.fromBER(raw); crl.revokedCertificates;
  const [item] = parse(sample('list.pem')).items;
  assert.equal(item.kind, 'crl');
  assert.ok(Array.isArray(item.crl.entries ?? item.crl.revoked ?? []));
});

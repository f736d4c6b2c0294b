// Certificates whose signatures WebCrypto creates, one algorithm each.
const { subtle } = globalThis.crypto;

/** Encodes a tag, a length and contents. */
function wrap(tag, ...parts) {
  const contents = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = contents;
  const header = length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), contents]);
}

const oid = (hex) => wrap(6, Buffer.from(hex, 'hex'));
const NULL = [5, 0];

/** An INTEGER with the value of unsigned big-endian bytes. */
function integer(bytes) {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.slice(start);
  return wrap(2, digits[0] >= 0x80 ? [0] : [], digits);
}

const HASHES = { 'SHA-256': '608648016503040201', 'SHA-384': '608648016503040202', 'SHA-512': '608648016503040203' };
const hash = (name) => wrap(0x30, oid(HASHES[name]), NULL);

/** RSASSA-PSS-params (RFC 4055 §3.1). */
const pss = (name, saltLength) => wrap(0x30,
  wrap(0xa0, hash(name)),
  wrap(0xa1, wrap(0x30, oid('2a864886f70d010108'), hash(name))),
  wrap(0xa2, integer([saltLength])));

const ECDSA = { 'SHA-256': '2a8648ce3d040302', 'SHA-384': '2a8648ce3d040303', 'SHA-512': '2a8648ce3d040304' };
const PKCS1 = { 'SHA-256': '2a864886f70d01010b', 'SHA-384': '2a864886f70d01010c', 'SHA-512': '2a864886f70d01010d' };

/** The AlgorithmIdentifier of a WebCrypto algorithm. */
function identifier({ name, hash, saltLength }) {
  if (name === 'ECDSA') return wrap(0x30, oid(ECDSA[hash]));
  if (name === 'RSASSA-PKCS1-v1_5') return wrap(0x30, oid(PKCS1[hash]), NULL);
  if (name === 'RSA-PSS') return wrap(0x30, oid('2a864886f70d01010a'), pss(hash, saltLength));
  return wrap(0x30, oid('2b6570'));
}

const rsa = (name, modulusLength, hash, rest = {}) => ({ name, modulusLength, publicExponent: Uint8Array.of(1, 0, 1), hash, ...rest });

/** The algorithms that `verifyAsync` gives to WebCrypto. */
export const ALGORITHMS = [
  { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-512' },
  { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
  rsa('RSASSA-PKCS1-v1_5', 2048, 'SHA-256'),
  rsa('RSASSA-PKCS1-v1_5', 3072, 'SHA-512'),
  rsa('RSA-PSS', 2048, 'SHA-256', { saltLength: 32 }),
  rsa('RSA-PSS', 2048, 'SHA-384', { saltLength: 24 }),
  { name: 'Ed25519' },
];

/** Returns an ECDSA-Sig-Value instead of r and s. */
function signatureOf({ name }, bytes) {
  if (name !== 'ECDSA') return bytes;
  const half = bytes.length / 2;
  return wrap(0x30, integer(bytes.slice(0, half)), integer(bytes.slice(half)));
}

const name = (text) => wrap(0x30, wrap(0x31, wrap(0x30, oid('550403'), wrap(0x0c, Buffer.from(text)))));
const VALIDITY = wrap(0x30, wrap(0x17, Buffer.from('260101000000Z')), wrap(0x17, Buffer.from('360101000000Z')));
const extension = (id, critical, value) => wrap(0x30, oid(id), critical ? [1, 1, 255] : [], wrap(4, value));

async function certificate(algorithm, issuer, [subject, key], serial, extensions) {
  const tbs = wrap(0x30,
    wrap(0xa0, [2, 1, 2]),
    integer([serial]),
    identifier(algorithm),
    name(issuer.name),
    VALIDITY,
    name(subject),
    Buffer.from(await subtle.exportKey('spki', key)),
    wrap(0xa3, wrap(0x30, ...extensions)));
  const signature = new Uint8Array(await subtle.sign(algorithm, issuer.privateKey, tbs));
  return wrap(0x30, tbs, identifier(algorithm), wrap(3, [0], signatureOf(algorithm, signature)));
}

/** Returns a root and a certificate below it in DER, whose signatures have this algorithm. Both are valid from 2026 to 2035. */
export async function issue(algorithm) {
  const [root, leaf] = await Promise.all([0, 1].map(() => subtle.generateKey(algorithm, true, ['sign', 'verify'])));
  const issuer = { name: 'Root', privateKey: root.privateKey };
  const basicConstraints = extension('551d13', true, wrap(0x30, [1, 1, 255]));
  const certSign = extension('551d0f', true, [3, 2, 2, 4]);
  const digitalSignature = extension('551d0f', true, [3, 2, 7, 0x80]);
  return {
    root: await certificate(algorithm, issuer, ['Root', root.publicKey], 1, [basicConstraints, certSign]),
    leaf: await certificate(algorithm, issuer, ['Leaf', leaf.publicKey], 2, [digitalSignature]),
  };
}

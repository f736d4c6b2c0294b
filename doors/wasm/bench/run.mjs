// Parsing beside asn1js, pkijs, @peculiar/x509 and node-forge: `./x wasm --bench`. The peers come from npm, from the folder in TAGWISE_PEERS.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = new URL('../../../', import.meta.url).pathname;
const folder = process.env.TAGWISE_PACKAGE ?? join(root, 'target/npm/package');
const begin = performance.now();
const tagwise = await import(join(folder, 'node.mjs'));
const pem = readFileSync(join(root, 'docs/samples/leaf.pem'), 'utf8');
tagwise.parse(pem);
console.log(`load and first parse  ${(performance.now() - begin).toFixed(1)} ms`);

/** Returns microseconds of processor time per call: the best of five rounds. */
function measure(act) {
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const start = process.cpuUsage();
    let [count, spent] = [0, 0];
    while (spent < 200_000) {
      for (let call = 0; call < 20; call += 1) act();
      count += 20;
      const { user, system } = process.cpuUsage(start);
      spent = user + system;
    }
    best = Math.min(best, spent / count);
  }
  return best;
}

const der = tagwise.parse(pem).bytes();
const buffer = der.buffer.slice(der.byteOffset, der.byteOffset + der.length);
const subjects = {
  'tagwise parse (whole tree)': () => tagwise.parse(der),
  'tagwise outline': () => tagwise.parse(der).outline(),
};
const peers = process.env.TAGWISE_PEERS;
if (peers !== undefined) {
  const require = createRequire(join(peers, 'package.json'));
  require('reflect-metadata');
  const [asn1js, pkijs, x509, forge] = ['asn1js', 'pkijs', '@peculiar/x509', 'node-forge'].map((name) => require(name));
  // What the tree of this package contains: names, validity, key and every extension, decoded.
  subjects['asn1js fromBER (elements)'] = () => asn1js.fromBER(buffer);
  subjects['pkijs Certificate (extensions)'] = () => pkijs.Certificate.fromBER(buffer).extensions?.map((one) => one.parsedValue);
  subjects['@peculiar/x509 (extensions)'] = () => {
    const one = new x509.X509Certificate(buffer);
    return [one.subject, one.issuer, one.extensions.map((extension) => extension.toString())];
  };
  // It reads no other keys than RSA.
  const rsa = forge.pki.certificateFromPem;
  subjects['node-forge (RSA certificate)'] = () => rsa(pem);
}
for (const [name, act] of Object.entries(subjects)) {
  try {
    console.log(`${name.padEnd(34)}${measure(act).toFixed(1).padStart(9)} µs`);
  } catch (error) {
    console.log(`${name.padEnd(34)} fails: ${error.message}`);
  }
}

// What is measured, in Node and in a browser.

/** Rounds of the comparison. Each round has one short batch of each subject. */
const ROUNDS = 150;
/** The length of a batch in milliseconds, if a call is not longer. */
const BATCH = 2;

/** Calls a function repeatedly, and returns the milliseconds of a call: those on the clock, and those of the processor if they are known. */
function batch(act, calls) {
  const before = globalThis.process?.cpuUsage?.();
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) act();
  const clock = (performance.now() - start) / calls;
  if (before === undefined) return { clock };
  const { user, system } = process.cpuUsage(before);
  return { clock, processor: (user + system) / 1000 / calls };
}

/** Returns the subjects by name. All get the same certificate in DER. */
function subjects({ tagwise, asn1js, pkijs, x509, forge }, der) {
  const buffer = der.buffer.slice(der.byteOffset, der.byteOffset + der.length);
  const parsed = tagwise.parse(der);
  const all = {
    'tagwise `parse`: every field, with names and text': () => tagwise.parse(der),
    'tagwise `get`: the subject': () => parsed.get('subject'),
    'tagwise `outline`: every component with offset and text': () => parsed.outline(),
  };
  // What the tree of this package contains: names, validity, key and every extension, decoded.
  if (asn1js) all['asn1js `fromBER`: elements only'] = () => asn1js.fromBER(buffer);
  if (pkijs) all['pkijs `Certificate.fromBER`: extensions decoded'] = () => pkijs.Certificate.fromBER(buffer).extensions?.map((one) => one.parsedValue);
  if (x509) {
    all['@peculiar/x509 `X509Certificate`: names and extensions as text'] = () => {
      const one = new x509.X509Certificate(buffer);
      return [one.subject, one.issuer, one.extensions.map((extension) => extension.toString())];
    };
  }
  if (forge) {
    const text = Array.from(der, (byte) => String.fromCharCode(byte)).join('');
    all['node-forge `certificateFromAsn1`: names and extensions'] = () => forge.pki.certificateFromAsn1(forge.asn1.fromDer(text));
  }
  return all;
}

/**
 * Measures all subjects in turn, and returns microseconds by name: the shortest of many short batches, which other work on the machine
 * disturbs least. Batches that are longer than a time slice have the time of the processor.
 */
export function measureAll(libraries, der) {
  const rows = {};
  const measured = [];
  for (const [name, act] of Object.entries(subjects(libraries, der))) {
    try {
      // The compilers of the engine need a few hundred calls.
      for (const warm = performance.now(); performance.now() - warm < 400; ) act();
      const { clock } = batch(act, 5);
      measured.push({ name, act, calls: Math.max(1, Math.min(1024, Math.round(BATCH / clock))), clock: Infinity, processor: Infinity });
    } catch (error) {
      rows[name] = `fails: ${error.message}`;
    }
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const subject of measured) {
      const { clock, processor = Infinity } = batch(subject.act, subject.calls);
      Object.assign(subject, { clock: Math.min(subject.clock, clock), processor: Math.min(subject.processor, processor) });
    }
  }
  for (const { name, clock, processor } of measured) {
    rows[name] = clock > BATCH && processor < clock ? { processor: processor * 1000 } : clock * 1000;
  }
  return rows;
}

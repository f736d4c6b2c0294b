// What is measured, in Node and in a browser.

/** Returns microseconds per call: the shortest of many short batches, which other work on the machine disturbs least. */
export function measure(act) {
  const batch = (calls) => {
    const start = performance.now();
    for (let call = 0; call < calls; call += 1) act();
    return (performance.now() - start) / calls;
  };
  // The compilers of the engine need a few hundred calls.
  const warm = performance.now();
  while (performance.now() - warm < 400) batch(5);
  let calls = 1;
  while (batch(calls) * calls < 2 && calls < 1024) calls *= 2;
  let best = Infinity;
  const start = performance.now();
  for (let round = 0; round < 400 && performance.now() - start < 2500; round += 1) best = Math.min(best, batch(calls));
  if (best < 2 || globalThis.process?.cpuUsage === undefined) return best * 1000;
  // Longer than a time slice, so only the processor time is the call's.
  let least = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    batch(20);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 20);
  }
  return least;
}

/** Returns the subjects by name. All get the same certificate in DER. */
function subjects({ tagwise, asn1js, pkijs, x509 }, der) {
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
  return all;
}

/** Measures all subjects, and returns microseconds by name. */
export function measureAll(libraries, der) {
  const rows = {};
  for (const [name, act] of Object.entries(subjects(libraries, der))) {
    try {
      act();
      rows[name] = measure(act);
    } catch (error) {
      rows[name] = `fails: ${error.message}`;
    }
  }
  return rows;
}

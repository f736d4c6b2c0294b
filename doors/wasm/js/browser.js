// The package for browsers, workers and other runtimes: call `init` first.
let compiled = null;
const load = () => {
  if (compiled === null) throw new TagwiseError({ message: 'the module is not loaded: await init() first', code: 'usage' });
  return compiled;
};
const { Parsed, Schema, compile, diff, lint, openPkcs12, parse, verify, verifyAsync, version } = create(load);

async function init(source = new URL('./tagwise.wasm', import.meta.url)) {
  if (compiled !== null) return;
  if (source instanceof WebAssembly.Module) {
    compiled = source;
  } else if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    compiled = await WebAssembly.compile(source);
  } else {
    const response = await (source instanceof Response ? source : fetch(source));
    if (!response.ok) throw new TagwiseError({ message: `the module could not be loaded: status ${response.status}`, code: 'input' });
    compiled = await WebAssembly.compile(await response.arrayBuffer());
  }
}

// The package for Node: the module is compiled on the first call, so no initialization is needed.
let compiled = null;
const load = () => (compiled ??= new WebAssembly.Module(readFileSync(WASM)));
const { Parsed, Schema, compile, diff, lint, openPkcs12, parse, verify, verifyAsync, version } = create(load);
const init = async () => void load();

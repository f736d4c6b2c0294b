// The JavaScript side of the module: it writes requests, reads responses, and converts names to camelCase. `./x wasm` appends the export
// statements for ES modules and CommonJS.
'use strict';

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { fatal: true });

/** The maximum size of all arguments, in bytes. */
const MAX_INPUT = 1 << 29;
/** The memory that an instance may keep between calls, in bytes. WebAssembly memory never shrinks, so a larger one is discarded. */
const MAX_KEPT = 1 << 27;

const PURPOSES = ['severity', 'host', 'email', 'purpose', 'profile', 'revocation', 'entries', 'type', 'rules'];
const LISTS = ['allow', 'only', 'skip', 'mtcPolicy'];

/** An error about an input or an argument. */
class TagwiseError extends Error {
  constructor({ message, code, path, offset, clause, rule }) {
    super(message);
    this.name = 'TagwiseError';
    this.code = code;
    this.path = path;
    this.offset = offset;
    this.clause = clause;
    this.rule = rule;
  }
}

const usage = (message) => new TagwiseError({ message, code: 'usage' });

function limit(size) {
  if (size > MAX_INPUT) throw new TagwiseError({ message: `the input has ${size} bytes, expected at most ${MAX_INPUT}`, code: 'limit' });
}

/** Converts text, an ArrayBuffer or any view to bytes. */
function toBytes(input, what = 'input') {
  if (typeof input === 'string') return ENCODER.encode(input);
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (Object.prototype.toString.call(input) === '[object ArrayBuffer]') return new Uint8Array(input);
  throw usage(`${what} must be a string, an ArrayBuffer or a view of one`);
}

function toList(input, what) {
  if (input === undefined || input === null) return [];
  return (Array.isArray(input) ? input : [input]).map((one) => toBytes(one, what));
}

/** The maximum number of searches whose signatures WebCrypto verifies. Rust verifies the rest. */
const MAX_ROUNDS = 8;

/** Splits a response with a JSON object and bytes, which has the format of a request. */
function unpack(response) {
  const length = new DataView(response.buffer, response.byteOffset).getUint32(0, true);
  const { lens, ...head } = JSON.parse(DECODER.decode(response.subarray(4, 4 + length)));
  let at = 4 + length;
  return [head, lens.map((len) => response.subarray(at, (at += len)))];
}

/** Returns whether WebCrypto accepts a signature. If it doesn't, or doesn't support the algorithm or key, Rust verifies the signature. */
async function accepts(subtle, algorithm, [key, message, signature]) {
  try {
    const imported = await subtle.importKey('spki', key, algorithm, false, ['verify']);
    return (await subtle.verify(algorithm, imported, signature, message)) === true;
  } catch {
    return false;
  }
}

/** Returns a time in seconds since 1970. */
function toSeconds(time) {
  const milliseconds = time === undefined ? Date.now() : time instanceof Date ? time.getTime() : Number(time);
  if (!Number.isFinite(milliseconds)) throw usage('time must be a Date or a number of milliseconds');
  return Math.floor(milliseconds / 1000);
}

function toIndex(value, what) {
  if (value === undefined) return 0;
  if (!Number.isSafeInteger(value) || value < 0 || value > 0xffffffff) throw usage(`${what} must be a non-negative integer`);
  return value;
}

/** Names in camelCase. Documents have few names, and keys from files must not fill the memory. */
const NAMES = new Map();
const MAX_NAMES = 2000;

function camel(key) {
  let name = NAMES.get(key);
  if (name === undefined) {
    name = key.replace(/[_-]+([a-z0-9])/g, (_, letter) => letter.toUpperCase());
    if (NAMES.size < MAX_NAMES) NAMES.set(key, name);
  }
  return name;
}

/** Converts the keys of a document to camelCase, without recursion. */
function camelCase(document) {
  const root = [document];
  const stack = [root];
  // Each container on the stack is already a copy. Its values are copied next.
  while (stack.length > 0) {
    const holder = stack.pop();
    for (const key in holder) {
      const value = holder[key];
      if (value === null || typeof value !== 'object') continue;
      let copy;
      if (Array.isArray(value)) {
        copy = value.slice();
      } else {
        copy = {};
        for (const name in value) {
          const to = camel(name);
          // A key of a file must not become the prototype.
          if (to === '__proto__') Object.defineProperty(copy, to, { value: value[name], writable: true, enumerable: true, configurable: true });
          else copy[to] = value[name];
        }
      }
      if (key === '__proto__') Object.defineProperty(holder, key, { value: copy, writable: true, enumerable: true, configurable: true });
      else holder[key] = copy;
      stack.push(copy);
    }
  }
  return root[0];
}

/** Creates the functions of the package. `load` returns the compiled module, or throws if it isn't loaded yet. */
function create(load) {
  let instance = null;
  let generation = 0;

  function discard() {
    instance = null;
    generation += 1;
  }

  function send(head, blobs = []) {
    const total = blobs.reduce((sum, blob) => sum + blob.length, 0);
    limit(total);
    const json = ENCODER.encode(JSON.stringify({ ...head, lens: blobs.map((blob) => blob.length) }));
    try {
      instance ??= new WebAssembly.Instance(load(), {});
      const exports = instance.exports;
      const length = 4 + json.length + total;
      const address = exports.tagwise_input(length) >>> 0;
      const memory = new Uint8Array(exports.memory.buffer, address, length);
      new DataView(memory.buffer, address).setUint32(0, json.length, true);
      memory.set(json, 4);
      let at = 4 + json.length;
      for (const blob of blobs) {
        memory.set(blob, at);
        at += blob.length;
      }
      const kind = exports.tagwise_call();
      const output = new Uint8Array(exports.memory.buffer, exports.tagwise_output() >>> 0, exports.tagwise_output_len() >>> 0);
      const result = kind === 2 ? output.slice() : DECODER.decode(output);
      exports.tagwise_release();
      // Schemas are compiled again when they are used.
      if (exports.memory.buffer.byteLength > MAX_KEPT) discard();
      if (kind === 1) throw new TagwiseError(JSON.parse(result));
      return result;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
        // The memory of the instance is in an unknown state. The next call creates a new one.
        discard();
        throw new TagwiseError({ message: `the module failed: ${error.message}`, code: 'internal' });
      }
      throw error;
    }
  }

  const ask = (head, blobs) => camelCase(JSON.parse(send(head, blobs)));

  /** Returns the head and the arguments of a request for a verdict. */
  function question(leaf, options) {
    const untrusted = [toBytes(leaf, 'the certificate'), ...toList(options.intermediates, 'intermediates')];
    const groups = [untrusted, toList(options.roots, 'roots'), toList(options.crls, 'crls'), toList(options.ocsp, 'ocsp')];
    return [{ ...head('verify', options), counts: groups.map((group) => group.length) }, groups.flat()];
  }

  /** Returns the head of a request with the options that it has. */
  function head(op, options = {}) {
    const found = { op, now: toSeconds(options.time) };
    for (const name of PURPOSES) if (options[name] !== undefined && options[name] !== null) found[name] = options[name];
    for (const name of LISTS) if (options[name] !== undefined) found[name] = [].concat(options[name]).map(String);
    if (options.precert) found.precert = true;
    if (options.allPaths) found.allPaths = true;
    found.item = toIndex(options.item, 'item');
    return found;
  }

  class Parsed {
    #bytes;
    #options;
    #text;

    constructor(input, options) {
      const bytes = toBytes(input);
      limit(bytes.length);
      // A copy, so that later changes by the caller have no effect. A Buffer's `slice` would not copy.
      this.#bytes = new Uint8Array(bytes);
      this.#options = { ...options };
      this.#text = send(head('parse', options), [this.#bytes]);
      Object.assign(this, camelCase(JSON.parse(this.#text)));
    }

    toJSON() {
      return JSON.parse(this.#text);
    }

    bytes(options) {
      return send(head('bytes', { ...this.#options, ...options }), [this.#bytes]);
    }

    outline(options) {
      // The names of rows have one word each.
      return JSON.parse(send(head('outline', { ...this.#options, entries: undefined, ...options }), [this.#bytes]));
    }

    explain(offset, options) {
      const request = { ...head('explain', { ...this.#options, ...options }), offset: toIndex(offset, 'offset') };
      return ask(request, [this.#bytes]);
    }

    get(path, options) {
      const request = { ...head('get', { ...this.#options, ...options }), path: String(path) };
      // Values have the names of the ASN.1 type.
      return JSON.parse(send(request, [this.#bytes]));
    }

    lint(options) {
      return ask(head('lint', { ...this.#options, ...options }), [this.#bytes]).files[0];
    }

    diff(other, options = {}) {
      if (!(other instanceof Parsed)) throw usage('expected a parsed value');
      const request = { ...head('diff', { ...this.#options, ...options }), otherItem: toIndex(options.otherItem, 'otherItem') };
      return ask(request, [this.#bytes, other.#bytes]);
    }
  }

  class Schema {
    #sources;
    #number;
    #generation;

    constructor(sources) {
      this.#sources = sources;
      const { types } = this.#compile();
      this.types = types;
    }

    #compile() {
      const names = this.#sources.map(([name]) => name);
      const found = JSON.parse(send({ op: 'compile', names }, this.#sources.map(([, bytes]) => bytes)));
      this.#number = found.schema;
      this.#generation = generation;
      return found;
    }

    #send(request, bytes) {
      if (this.#sources === null) throw usage('the schema was freed');
      // After a failure, the new instance doesn't have the schema.
      if (this.#generation !== generation) this.#compile();
      return send({ ...request, schema: this.#number }, [bytes]);
    }

    decode(input, options) {
      return JSON.parse(this.#send(head('decode', options), toBytes(input)));
    }

    encode(value, options) {
      let json;
      try {
        json = JSON.stringify(value);
      } catch (error) {
        // Cycles, BigInts, and values that are nested too deeply.
        throw usage(`the value has no JSON form: ${error.message}`);
      }
      if (json === undefined) throw usage('the value has no JSON form');
      return this.#send(head('encode', options), ENCODER.encode(json));
    }

    free() {
      if (this.#sources !== null && this.#generation === generation) {
        send({ op: 'free', schema: this.#number });
      }
      this.#sources = null;
    }
  }

  return {
    Parsed,
    Schema,
    version: () => JSON.parse(send({ op: 'version' })).version,
    parse: (input, options) => new Parsed(input, options),
    lint: (input, options) => ask(head('lint', options), [toBytes(input)]).files[0],
    diff: (one, other, options) => new Parsed(one, options).diff(new Parsed(other, options), options),
    verify: (leaf, options = {}) => ask(...question(leaf, options)),
    async verifyAsync(leaf, options = {}) {
      const [request, blobs] = question(leaf, options);
      const subtle = globalThis.crypto?.subtle;
      if (subtle === undefined) return ask(request, blobs);
      // Copies, so that later changes by the caller have no effect.
      const kept = blobs.map((blob) => new Uint8Array(blob));
      const [verified, refused] = [[], []];
      for (let round = 1; ; round += 1) {
        const answer = send({ ...request, webCrypto: { verified, refused, last: round === MAX_ROUNDS } }, kept);
        if (typeof answer === 'string') return camelCase(JSON.parse(answer));
        const [{ checks }, parts] = unpack(answer);
        const results = await Promise.all(checks.map(({ algorithm }, index) => accepts(subtle, algorithm, parts.slice(3 * index, 3 * index + 3))));
        checks.forEach(({ id }, index) => (results[index] ? verified : refused).push(id));
      }
    },
    openPkcs12(input, { password, ...options } = {}) {
      const blobs = [toBytes(input)];
      if (password !== undefined && password !== null) blobs.push(toBytes(password, 'password'));
      const opened = ask(head('open', options), blobs);
      const bytes = (hex) => Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16));
      for (const item of opened.items) if (item.der !== null) item.der = bytes(item.der);
      return opened;
    },
    compile(sources) {
      const list = typeof sources === 'string' || ArrayBuffer.isView(sources) ? { 'input.asn1': sources } : sources;
      const entries = Object.entries(list).map(([name, text]) => [name, toBytes(text, name)]);
      return new Schema(entries);
    },
  };
}

// The viewer. Everything that comes from a file becomes a text node: this page never sets HTML.
import { anchor, diffTable, drawing, failing, isOpen, rejection } from './draw.js';
import { element, plain } from './text.js';

/** Rows of the tree that are added at once, and bytes that are shown around the selection. */
const ROWS = 1500;
const WINDOW = 1 << 14;
const LINE = 16;
/** The maximum size of a permalink's bytes. */
const LINKED = 24_000;

const $ = (id) => document.getElementById(id);
const state = { files: [], roots: [], sources: {}, chosen: null, shown: 0, allow: new Set(), tagwise: null, schema: null };

/** Loads the WebAssembly package. A page from `tagwise view` has the command's documents instead. */
async function library() {
  if (state.tagwise === null) {
    const tagwise = await import('./tagwise/browser.mjs');
    await tagwise.init();
    state.tagwise = tagwise;
  }
  return state.tagwise;
}

const say = (text, tone = '') => {
  $('status').className = tone;
  $('status').textContent = plain(text);
};

// ---- Reading

/** Reads one file to the document that `tagwise view` also sends. */
function read(tagwise, name, bytes) {
  const allow = [...state.allow];
  const file = { name, bytes, items: [], error: null };
  try {
    const parsed = tagwise.parse(bytes, { allow, entries: 100 });
    const found = parsed.toJSON();
    Object.assign(file, { parsed, form: found.form, size: found.size, error: found.error ?? null });
    const lints = attempt(() => parsed.lint({ allow }).items) ?? [];
    let linted = 0;
    file.items = found.items.map((record, item) => ({
      record,
      // A malformed value has components as far as it can be read.
      rows: attempt(() => parsed.outline({ item, allow })) ?? attempt(() => parsed.outline({ item, allow: 'all' })) ?? [],
      bytes: attempt(() => parsed.bytes({ item, allow })) ?? new Uint8Array(),
      findings: ['certificate', 'crl'].includes(record.kind) ? (lints[linted++]?.findings ?? []) : [],
    }));
  } catch (error) {
    file.error = error.message;
  }
  return file;
}

const attempt = (act) => {
  try {
    return act();
  } catch {
    return null;
  }
};

async function add(list) {
  say('Reading …');
  const tagwise = await library();
  for (const { name, bytes } of list) {
    if (/\.(asn1?|mib)$/i.test(name) || isModule(bytes)) state.sources[name] = bytes;
    else state.files.push({ name, bytes });
  }
  reread(tagwise);
}

/** An ASN.1 module begins with its name and DEFINITIONS. */
const isModule = (bytes) => bytes.length < 1 << 22 && /^\s*(--[^\n]*\n\s*)*[A-Z][\w-]*\s*(\{[^}]*\}\s*)?DEFINITIONS\b/.test(new TextDecoder().decode(bytes.subarray(0, 4096)));

function reread(tagwise) {
  state.files = state.files.map(({ name, bytes }) => read(tagwise, name, bytes));
  state.schema?.free();
  state.schema = null;
  if (Object.keys(state.sources).length > 0) {
    try {
      state.schema = tagwise.compile(state.sources);
    } catch (error) {
      say(error.message, 'bad');
    }
  }
  show();
}

// ---- Showing

const values = () => state.files.flatMap((file) => file.items.map((item) => ({ file, item })));

function show() {
  const all = values();
  const first = all[0] ?? null;
  state.chosen = all.find((value) => value.item === state.chosen?.item) ?? first;
  const errors = state.files.filter((file) => file.error !== null);
  const some = state.files.length > 0;
  say(errors.map((file) => `${file.name}: ${file.error}`).join('\n') || (some ? `${all.length} value${all.length === 1 ? '' : 's'}` : ''), errors.length > 0 ? 'bad' : '');
  $('welcome').hidden = some;
  $('clear').hidden = !some;
  $('link').hidden = !some || state.files[0].bytes === undefined || state.files[0].bytes.length > LINKED;
  const nav = $('files');
  nav.hidden = all.length === 0;
  nav.replaceChildren(...all.map((value, index) => {
    const { record } = value.item;
    const sound = record.sound ? '' : ' ✗';
    const button = element('button', `${index + 1}  ${title(record)}${sound}`);
    button.type = 'button';
    button.title = plain(value.file.name);
    button.setAttribute('aria-current', String(value === state.chosen || value.item === state.chosen?.item));
    button.addEventListener('click', () => {
      state.chosen = value;
      show();
    });
    return button;
  }));
  one();
  chain();
  differences();
  decoded();
}

/** The subject of a value in a few words. */
function title(record) {
  const names = record.certificate?.subject?.rfc4514 ?? record.crl?.issuer?.rfc4514 ?? record.message?.subject?.rfc4514;
  return names ? `${record.kind} ${names}` : record.kind;
}

function one() {
  const value = state.chosen;
  $('panes').hidden = value === null || value.item.bytes.length === 0;
  problems();
  $('tree').replaceChildren();
  state.shown = 0;
  if (value === null) return;
  rows();
  select(0, 0, false);
}

function problems() {
  const value = state.chosen;
  const list = [];
  for (const error of value?.item.record.errors ?? []) {
    const entry = element('li');
    entry.append(
      jump(`${error.path ? `${error.path}: ` : ''}${error.message}`, error.offset, 'bad'),
      element('span', ` at byte ${error.offset} (${error.clause}) `, 'dim'),
    );
    if (error.rule && state.tagwise !== null) {
      const button = element('button', `Allow ${error.rule}`);
      button.type = 'button';
      button.addEventListener('click', () => {
        state.allow.add(error.rule);
        reread(state.tagwise);
      });
      entry.append(button);
    } else if (error.rule) {
      entry.append(element('code', `--allow ${error.rule}`));
    }
    list.push(entry);
  }
  for (const note of value?.item.record.notes ?? []) {
    const entry = element('li');
    entry.append(jump(`tolerated: ${note.summary}`, note.offset, 'warn'), element('span', ` at byte ${note.offset} (${note.clause})`, 'dim'));
    list.push(entry);
  }
  const said = new Set((value?.item.record.errors ?? []).map((error) => `decoder.${error.rule ?? error.code} ${error.offset}`));
  const findings = (value?.item.findings ?? []).filter((finding) => !said.has(`${finding.id} ${finding.offset}`));
  for (const finding of findings.slice(0, 200)) {
    const entry = element('li');
    entry.append(
      jump(`${finding.severity}: ${finding.message}`, finding.offset, finding.severity === 'error' ? 'bad' : 'warn'),
      element('span', ` ${finding.path} at byte ${finding.offset} (${finding.clause}) ${finding.id}`, 'dim'),
    );
    list.push(entry);
  }
  $('problems').hidden = list.length === 0;
  $('problem-list').replaceChildren(...list);
}

function jump(text, offset, tone) {
  const button = element('button', text, tone);
  button.type = 'button';
  button.addEventListener('click', () => at(offset));
  return button;
}

function rows() {
  const { rows, record } = state.chosen.item;
  const wrong = new Set([...(record.errors ?? []), ...state.chosen.item.findings].map((one) => one.path));
  const tree = $('tree');
  const paths = [];
  for (const row of rows.slice(0, state.shown)) paths[row.depth] = path(paths, row);
  for (const row of rows.slice(state.shown, state.shown + ROWS)) {
    paths[row.depth] = path(paths, row);
    const node = element('div', '', 'row');
    node.setAttribute('role', 'treeitem');
    node.setAttribute('aria-level', String(row.depth + 1));
    node.setAttribute('aria-selected', 'false');
    node.tabIndex = -1;
    node.dataset.path = plain(paths[row.depth]);
    node.append(
      element('span', `${'  '.repeat(Math.min(row.depth, 24))}${row.name || row.type}`, 'name'),
      element('span', row.name && row.type !== row.name ? ` ${row.type}` : '', 'dim'),
      element('span', row.text === null ? '' : `: ${row.text}`),
    );
    if (row.depth > 0 && wrong.has(paths[row.depth])) node.classList.add('wrong');
    node.addEventListener('click', () => choose(node, row));
    node.addEventListener('focus', () => choose(node, row));
    tree.append(node);
  }
  state.shown = Math.min(rows.length, state.shown + ROWS);
  if (tree.firstElementChild !== null && tree.querySelector('[tabindex="0"]') === null) tree.firstElementChild.tabIndex = 0;
  $('more').hidden = state.shown >= rows.length;
}

/** The path of a row, given those of the rows that contain it. */
function path(paths, row) {
  if (row.depth === 0) return '';
  const above = paths[row.depth - 1] ?? '';
  if (row.name === 'containing') return above;
  return row.name.startsWith('[') ? above + row.name : above === '' ? row.name : `${above}.${row.name}`;
}

function choose(node, row) {
  for (const other of $('tree').querySelectorAll('.chosen')) {
    other.classList.remove('chosen');
    other.setAttribute('aria-selected', 'false');
    other.tabIndex = -1;
  }
  node.classList.add('chosen');
  node.setAttribute('aria-selected', 'true');
  node.tabIndex = 0;
  select(row.offset, row.size ?? 0, true, node.dataset.path);
}

/** Chooses the innermost component at an offset. */
function at(offset) {
  const { rows: all } = state.chosen.item;
  let best = -1;
  all.forEach((row, index) => {
    if (row.size !== null && row.offset <= offset && offset < row.offset + row.size) best = index;
  });
  while (best >= state.shown && state.shown < all.length) rows();
  const node = best < 0 ? null : $('tree').children[best];
  if (node) {
    choose(node, all[best]);
    node.scrollIntoView({ block: 'nearest' });
  } else {
    select(offset, 1, true);
  }
}

/** Shows the bytes around a range, and marks it. */
function select(start, size, scroll, name = '') {
  const { bytes, record } = state.chosen.item;
  const from = bytes.length <= WINDOW ? 0 : Math.max(0, Math.floor((start - WINDOW / 4) / LINE) * LINE);
  const to = Math.min(bytes.length, from + WINDOW);
  const wrong = new Set((record.errors ?? []).map((error) => error.offset));
  // Secrets, which `tagwise view` does not send: ranges of bytes.
  const hidden = state.chosen.item.hidden ?? [];
  const lines = document.createDocumentFragment();
  let mark = null;
  if (from > 0) lines.append(element('span', `… ${from} bytes before\n`, 'dim'));
  for (let line = from; line < to; line += LINE) {
    lines.append(element('span', `${line.toString(16).padStart(8, '0')}  `, 'offset'));
    let ascii = '';
    const end = Math.min(line + LINE, to);
    for (let offset = line; offset < end; offset += 1) {
      const byte = bytes[offset];
      const secret = hidden.some(([from, to]) => from <= offset && offset < to);
      const cell = element('span', secret ? '··' : byte.toString(16).padStart(2, '0'));
      cell.dataset.offset = String(offset);
      if (offset >= start && offset < start + size) {
        cell.classList.add('chosen');
        mark ??= cell;
      }
      if (wrong.has(offset)) cell.classList.add('wrong');
      lines.append(cell, offset % 8 === 7 ? '  ' : ' ');
      ascii += !secret && byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
    }
    // Each byte has three columns, and each half of a line one more.
    const columns = 3 * (line + LINE - end) + 1 - Math.floor((end - line) / LINE) + (end - line < LINE / 2 ? 1 : 0);
    lines.append(end - line === LINE ? '' : ' '.repeat(columns), element('span', `${ascii}\n`, 'ascii'));
  }
  if (to < bytes.length) lines.append(element('span', `… ${bytes.length - to} bytes after`, 'dim'));
  $('hex').replaceChildren(lines);
  $('place').textContent = size > 0 ? plain(`${name ? `${name}: ` : ''}bytes ${start} to ${start + size - 1}, ${size} in all`) : '';
  if (scroll && mark !== null) mark.scrollIntoView({ block: 'nearest' });
}

// ---- Several values

/** The number of drawings that were begun, so that a late verdict doesn't replace a newer one. */
let drawings = 0;

async function chain() {
  const drawn = (drawings += 1);
  const certificates = values().filter(({ item }) => item.record.certificate);
  $('chain').hidden = certificates.length === 0;
  $('trust').hidden = state.tagwise === null;
  $('chain').setAttribute('aria-busy', String(certificates.length > 0));
  if (certificates.length === 0) return;
  const verdict = state.tagwise === null ? (state.verdict ?? null) : await judged(certificates);
  if (drawn !== drawings) return;
  const records = certificates.map(({ item }) => item.record);
  const all = verdict === null ? [] : [verdict, ...(verdict.others ?? [])];
  const lines = all.map((one) => plain(summary(one, records)));
  if (verdict?.omitted > 0) lines.push(`${verdict.omitted} more were not verified.`);
  const tones = all.map((one) => (isOpen(one) ? 'warn' : { valid: 'good', invalid: 'bad' }[one.status] ?? 'warn'));
  if (verdict?.omitted > 0) tones.push('warn');
  $('verdict').textContent = lines.join('\n');
  $('verdict').className = ['bad', 'warn', 'good'].find((tone) => tones.includes(tone)) ?? '';
  $('drawing').replaceChildren(drawing(records, all.find((one) => one.status !== 'valid') ?? verdict));
  $('chain').setAttribute('aria-busy', 'false');
}

/** The most certificates to verify. */
const LEAVES = 20;

/** Verifies the certificates that issued no other one. Their roots are the user's, or else the self-signed certificates shown. */
async function judged(certificates) {
  const of = ({ item }) => item.record.certificate;
  const issued = (one, other) => other !== one && of(other).issuer.rfc4514 === of(one).subject.rfc4514;
  const leaves = certificates.filter((one) => !certificates.some((other) => issued(one, other)));
  const shown = (leaves.length > 0 ? leaves : certificates.slice(0, 1)).slice(0, LEAVES);
  const [first, ...others] = await Promise.all(shown.map((leaf) => judgedOne(leaf, certificates)));
  return { ...first, others, omitted: Math.max(0, leaves.length - LEAVES) };
}

/** Verifies one of the certificates. */
async function judgedOne(leaf, certificates) {
  const of = ({ item }) => item.record.certificate;
  const names = (one, other) => of(other).issuer.rfc4514 === of(one).subject.rfc4514;
  const others = certificates.filter((one) => one !== leaf).map(({ item }) => item.bytes);
  const trusted = state.roots.length > 0;
  const roots = trusted ? state.roots.map(({ bytes }) => bytes) : certificates.filter((one) => names(one, one)).map(({ item }) => item.bytes);
  try {
    const verdict = await state.tagwise.verifyAsync(leaf.item.bytes, { intermediates: others, roots, allow: [...state.allow] });
    return { ...verdict, subject: of(leaf).subject.rfc4514, trusted };
  } catch (error) {
    return { status: 'undecided', subject: of(leaf).subject.rfc4514, trusted, error: error.message, paths: [], report: null };
  }
}

/** The verdict in a sentence: the trust anchor of a valid path, or the reason and the certificate at which the path fails. */
function summary(verdict, records) {
  const name = verdict.subject || 'The certificate';
  if (verdict.error) return `${name} could not be verified: ${verdict.error}`;
  if (verdict.status === 'valid') {
    return verdict.trusted ? `${name} is valid. Its trust anchor is ${anchor(verdict)}.`
      : `${name} is valid below a self-signed certificate shown here. Whether that is trusted is not known.`;
  }
  if (isOpen(verdict)) return `${name} was not verified: its path does not end at a certificate shown here. ${state.tagwise === null ? 'Pass --trust' : 'Choose trusted roots'}.`;
  const found = rejection(verdict);
  const why = found === null ? `no path to a ${verdict.trusted ? 'trusted root' : 'self-signed certificate'} was found`
    : found.message.endsWith(')') ? found.message : `${found.message} (${found.clause})`;
  const spot = records[failing(verdict, records)]?.certificate.subject.rfc4514;
  return `${name} is ${verdict.status}: ${why}${spot && spot !== name ? `. The path fails at ${spot}` : ''}`;
}

function differences() {
  const pair = values();
  let report = state.diff ?? null;
  if (state.tagwise !== null && state.files.length === 2 && pair.length >= 2) {
    const [one, other] = state.files;
    report = attempt(() => one.parsed.diff(other.parsed));
  }
  $('diff').hidden = report === null;
  if (report !== null) $('diff-table').replaceChildren(diffTable(report, state.files.map((file) => file.name)));
}

function decoded() {
  const ready = state.schema !== null && state.files.length > 0;
  $('decoded').hidden = !ready;
  if (!ready) return;
  const options = (list) => list.map((name) => {
    const option = element('option', name);
    option.value = name;
    return option;
  });
  if ($('rules').options.length === 0) $('rules').append(...options(['der', 'ber', 'cer', 'uper', 'aper', 'cuper', 'caper', 'oer', 'coer']));
  const types = [...state.schema.types].sort((one, other) => Number(other.top) - Number(one.top));
  const before = $('type').value;
  $('type').replaceChildren(...options(types.map((type) => `${type.module}.${type.name}`)));
  if (before !== '') $('type').value = before;
  decode();
}

function decode() {
  const [file] = state.files;
  try {
    const value = state.schema.decode(file.items[0]?.bytes.length ? file.items[0].bytes : file.bytes, { type: $('type').value, rules: $('rules').value });
    $('json').textContent = plain(JSON.stringify(value, null, 2));
  } catch (error) {
    $('json').textContent = plain(error.message);
  }
}

// ---- Permalinks: the bytes of the first file, deflated, in the fragment, which is never sent

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const fromText = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

async function link() {
  const packed = toText(await through(state.files[0].bytes, new CompressionStream('deflate-raw')));
  location.hash = `d=${packed}`;
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  say('The link is in the address bar.');
}

async function fromLink() {
  const packed = new URLSearchParams(location.hash.slice(1)).get('d');
  if (packed === null) return;
  try {
    const stream = new Blob([fromText(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const parts = [];
    let size = 0;
    for (let part = await stream.read(); !part.done; part = await stream.read()) {
      size += part.value.length;
      // A link may be a bomb.
      if (size > 1 << 24) throw new Error('the link contains too much');
      parts.push(part.value);
    }
    await add([{ name: 'link', bytes: new Uint8Array(await new Blob(parts).arrayBuffer()) }]);
  } catch (error) {
    say(`The link cannot be read: ${error.message}`, 'bad');
  }
}

// ---- Events

const load = async (list) => add(await Promise.all([...list].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })))).catch((error) => say(error.message, 'bad'));
const text = (value) => add([{ name: 'pasted text', bytes: new TextEncoder().encode(value) }]).catch((error) => say(error.message, 'bad'));

$('file').addEventListener('change', (event) => load(event.target.files));
$('roots').addEventListener('change', async (event) => {
  state.roots = await Promise.all([...event.target.files].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
  $('root-names').textContent = plain(state.roots.map(({ name }) => name).join(', '));
  chain();
});
$('read').addEventListener('click', () => text($('text').value));
$('paste').addEventListener('click', async () => {
  try {
    await text(await navigator.clipboard.readText());
  } catch {
    $('welcome').hidden = false;
    $('text').focus();
  }
});
$('clear').addEventListener('click', () => {
  Object.assign(state, { files: [], roots: [], sources: {}, chosen: null, allow: new Set() });
  $('roots').value = '';
  $('root-names').textContent = '';
  history.replaceState(null, '', location.pathname);
  if (state.tagwise !== null) reread(state.tagwise);
  $('main').focus();
});
$('link').addEventListener('click', link);
$('more').addEventListener('click', rows);
$('type').addEventListener('change', decode);
$('rules').addEventListener('change', decode);
$('hex').addEventListener('click', (event) => {
  const offset = event.target.dataset?.offset;
  if (offset !== undefined) at(Number(offset));
});
$('tree').addEventListener('keydown', (event) => {
  const node = event.target.closest('.row');
  const depth = (row) => Number(row.getAttribute('aria-level'));
  const moves = {
    ArrowDown: () => node.nextElementSibling,
    ArrowUp: () => node.previousElementSibling,
    Home: () => $('tree').firstElementChild,
    End: () => $('tree').lastElementChild,
    ArrowRight: () => (node.nextElementSibling && depth(node.nextElementSibling) > depth(node) ? node.nextElementSibling : null),
    ArrowLeft: () => {
      let above = node.previousElementSibling;
      while (above && depth(above) >= depth(node)) above = above.previousElementSibling;
      return above;
    },
  };
  if (node === null || moves[event.key] === undefined) return;
  event.preventDefault();
  moves[event.key]()?.focus();
});
document.addEventListener('paste', (event) => {
  if (event.target instanceof HTMLTextAreaElement) return;
  if (event.clipboardData.files.length > 0) load(event.clipboardData.files);
  else if (event.clipboardData.getData('text') !== '') text(event.clipboardData.getData('text'));
});
document.addEventListener('dragover', (event) => {
  event.preventDefault();
  $('main').classList.add('over');
});
document.addEventListener('dragleave', () => $('main').classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  $('main').classList.remove('over');
  load(event.dataTransfer.files);
});

/** The documents of `tagwise view`, if the command serves this page, or if an editor has put them into it. */
async function served() {
  if (document.documentElement.dataset.served === undefined) return false;
  const embedded = document.getElementById('document');
  const { files, verdict, diff } = embedded === null ? await (await fetch('document.json')).json() : JSON.parse(embedded.textContent);
  const bytes = (hex) => Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
  state.files = files.map((file) => ({ ...file, error: file.error ?? null, items: file.items.map((item) => ({ ...item, bytes: bytes(item.hex) })) }));
  Object.assign(state, { verdict: verdict ?? null, diff: diff ?? null });
  $('tools').hidden = true;
  show();
  return true;
}

if (!(await served())) {
  await fromLink();
  if ('serviceWorker' in navigator && location.protocol !== 'file:') navigator.serviceWorker.register('worker.js').catch(() => {});
}
document.documentElement.dataset.ready = 'true';

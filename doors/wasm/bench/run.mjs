// Loading and parsing beside asn1js, pkijs, @peculiar/x509 and node-forge, in Node and in Chromium: `./x wasm --bench`. The peers come from npm, from
// the folder in TAGWISE_PEERS. Writes bench/results/wasm.md.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { measureAll } from './subjects.mjs';

const root = new URL('../../../', import.meta.url).pathname;
const folder = process.env.TAGWISE_PACKAGE ?? join(root, 'target/npm/package');
const peers = process.env.TAGWISE_PEERS;
const sample = join(root, 'docs/samples/leaf.pem');
const RUNS = 30;

if (process.argv[2] === 'load') {
  // A fresh process measures the first call.
  const times = [performance.now()];
  const tagwise = await import(join(folder, 'node.mjs'));
  await tagwise.init();
  times.push(performance.now());
  const pem = readFileSync(sample, 'utf8');
  tagwise.parse(pem);
  times.push(performance.now());
  console.log(JSON.stringify([times[1] - times[0], times[2] - times[1]]));
  process.exit(0);
}

const least = (runs) => [0, 1].map((index) => Math.min(...runs.map((run) => run[index])));

async function inNode() {
  const runs = Array.from({ length: RUNS }, () => JSON.parse(execFileSync(process.execPath, [new URL(import.meta.url).pathname, 'load'])));
  const require = createRequire(join(peers, 'package.json'));
  require('reflect-metadata');
  const tagwise = await import(join(folder, 'node.mjs'));
  const [asn1js, pkijs, x509] = await Promise.all(['asn1js', 'pkijs', '@peculiar/x509'].map((name) => import(require.resolve(name))));
  const der = tagwise.parse(readFileSync(sample)).bytes();
  return { load: least(runs), rows: measureAll({ tagwise, asn1js, pkijs, x509: x509.X509Certificate ? x509 : x509.default, forge: require('node-forge') }, der) };
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

async function inChromium() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    // The page that the modules are imported from. Chromium shows an error instead of an empty answer with status 404.
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    const [, head, ...rest] = path.split('/');
    const folders = { package: folder, bench: join(root, 'doors/wasm/bench') };
    const file = join(folders[head] ?? folder, ...rest);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/javascript' }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const require = createRequire(join(peers, 'package.json'));
  const { chromium } = require('playwright-core');
  const browser = await chromium.launch({ executablePath: process.env.TAGWISE_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const pem = readFileSync(sample, 'utf8');
    const base = `http://127.0.0.1:${server.address().port}/`;
    const runs = [];
    for (let run = 0; run < RUNS; run += 1) {
      const tab = await browser.newPage();
      await tab.goto(base);
      runs.push(await tab.evaluate(async (pem) => {
        const tagwise = await import('/package/browser.mjs');
        // The download is not measured.
        const bytes = await (await fetch('/package/tagwise.wasm')).arrayBuffer();
        const times = [performance.now()];
        await tagwise.init(bytes);
        times.push(performance.now());
        tagwise.parse(pem);
        times.push(performance.now());
        return [times[1] - times[0], times[2] - times[1]];
      }, pem));
      await tab.close();
    }
    const tab = await browser.newPage();
    await tab.goto(base);
    const rows = await tab.evaluate(async (pem) => {
      const tagwise = await import('/package/browser.mjs');
      await tagwise.init();
      const { measureAll } = await import('/bench/subjects.mjs');
      return measureAll({ tagwise }, tagwise.parse(pem).bytes());
    }, pem);
    return { load: least(runs), rows, version: browser.version() };
  } finally {
    await browser.close();
    server.close();
  }
}

const [node, chromium] = [await inNode(), await inChromium()];
const module = readFileSync(join(folder, 'tagwise.wasm'));
const versions = ['asn1js', 'pkijs', '@peculiar/x509', 'node-forge'].map((name) => `${name} ${JSON.parse(readFileSync(join(peers, 'node_modules', name, 'package.json'), 'utf8')).version}`);
const figure = (value) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US'));
const cell = (value) => (typeof value === 'number' ? figure(value) : value?.processor ? `(${figure(value.processor)})` : (value ?? 'not measured'));
const size = (bytes) => bytes.length.toLocaleString('en-US');
const names = [...new Set([...Object.keys(node.rows), ...Object.keys(chromium.rows)])];
const text = `# The npm package

Loading, and parsing of \`docs/samples/leaf.pem\` (1,269 bytes of DER), with Node ${process.versions.node} and Chromium ${chromium.version},
beside ${versions.join(', ')}. ${cpus().length} cores, which other work shares: each figure is the shortest of many short
measurements, in turn with the others. Figures in parentheses are processor time. Generated by \`./x wasm --bench\`.

The module has ${size(module)} bytes: ${size(gzipSync(module, { level: 9 }))} after gzip -9, and ${size(brotliCompressSync(module))} after Brotli 11.

| milliseconds | Node | Chromium |
|---|--:|--:|
| compile the module | ${cell(node.load[0])} | ${cell(chromium.load[0])} |
| first \`parse\` after that | ${cell(node.load[1])} | ${cell(chromium.load[1])} |

| microseconds per certificate | Node | Chromium |
|---|--:|--:|
${names.map((name) => `| ${name} | ${cell(node.rows[name])} | ${cell(chromium.rows[name])} |`).join('\n')}

\`parse\` returns the whole tree with names and text, as a JavaScript object. asn1js returns elements without types. pkijs,
@peculiar/x509 and node-forge decode names and extensions, so they are the comparable ones. The peers run in Node only, because browsers need a bundler for them.
`;
if (process.env.TAGWISE_RESULTS !== '0') writeFileSync(join(root, 'bench/results/wasm.md'), text);
console.log(text);

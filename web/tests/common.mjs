// What the tests of the viewer share: a server on loopback, Chromium, and a page that must not fail. Screenshots go to the folder in
// TAGWISE_SHOTS.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { after, before } from 'node:test';
import { PACKAGE, ROOT } from '../../doors/wasm/tests/common.mjs';

export const require = createRequire(join(process.env.TAGWISE_PEERS, 'package.json'));
const { chromium } = require('playwright-core');
const SHOTS = process.env.TAGWISE_SHOTS;
const TYPES = { '.svg': 'image/svg+xml', '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

export let browser;
let server;
export let base;

before(async () => {
  server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = path.startsWith('/tagwise/') ? join(PACKAGE, path.slice('/tagwise/'.length)) : join(ROOT, 'web', path === '/' ? 'index.html' : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: process.env.TAGWISE_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens the page, and fails the test if anything is logged as an error, or asks for another host. */
export async function open({ time, ...options } = {}, url = base) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  if (time !== undefined) await page.clock.setFixedTime(time);
  const wrong = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => request.url().startsWith(new URL(url).origin) || request.url().startsWith('blob:') || request.url().startsWith('data:') || wrong.push(request.url()));
  await page.goto(url);
  await page.waitForSelector('html[data-ready]');
  const give = async (...files) => {
    // By path, because Playwright limits the size of buffers.
    const folder = mkdtempSync(join(tmpdir(), 'tagwise-'));
    const paths = files.map(([name, bytes]) => [join(folder, name), bytes]);
    paths.forEach(([path, bytes]) => writeFileSync(path, bytes));
    await page.setInputFiles('#file', paths.map(([path]) => path));
    await page.waitForFunction(() => !['', 'Reading …'].includes(document.getElementById('status').textContent), undefined, { timeout: 60000 });
    await settled();
    rmSync(folder, { recursive: true });
  };
  // Signatures are verified asynchronously.
  const settled = () => page.waitForSelector('#chain:not([aria-busy=true])', { state: 'attached' });
  const done = async () => {
    assert.deepEqual(wrong, []);
    await context.close();
  };
  const shot = async (name) => {
    if (SHOTS === undefined) return;
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  };
  return { page, give, done, settled, shot };
}

// The viewer in headless Chromium: `./x wasm --browser`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMAND, ROOT, corpus, sample } from '../../doors/wasm/tests/common.mjs';
import { ALGORITHMS, MESSAGE, PKCS12, REQUEST } from '../../doors/wasm/tests/fixtures.mjs';
import { base, open, require } from './common.mjs';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const real = () => [
  ['leaf.pem', sample('leaf.pem')],
  ['root.pem', sample('root.pem')],
  ['list.pem', sample('list.pem')],
  ['negative.pem', sample('negative.pem')],
  ['request.csr', REQUEST],
  ['message.p7m', MESSAGE],
  ['keys.p12', PKCS12],
  ...Object.entries(ALGORITHMS),
  ...corpus('pyca', ['.pem'], 4).map((path) => [path.split('/').pop(), readFileSync(path)]),
];

test('fifteen real files have components and bytes', async () => {
  const { page, give, done } = await open();
  for (const [name, bytes] of real()) {
    await give([name, bytes]);
    assert.ok((await page.locator('#files button').count()) > 0, name);
    await page.click('#clear');
    await page.waitForSelector('#welcome:not([hidden])');
  }
  await done();
});

test('components and bytes highlight each other', async () => {
  const { page, give, done, shot } = await open();
  await give(['leaf.pem', sample('leaf.pem')]);
  await page.locator('.row', { hasText: 'serialNumber' }).first().click();
  assert.match(await page.textContent('#place'), /tbsCertificate\.serialNumber: bytes \d+ to \d+, 18 in all/);
  assert.equal(await page.locator('#hex .chosen').count(), 18);
  await page.locator('#hex [data-offset="0"]').click();
  assert.equal(await page.locator('.row.chosen').count(), 1);
  await shot('leaf');
  await done();
});

test('an error is at its byte, and can be allowed', async () => {
  const { page, give, done, shot } = await open();
  await give(['negative.pem', sample('negative.pem')]);
  assert.match(await page.textContent('#problem-list'), /tbsCertificate\.serialNumber.*RFC 5280/s);
  await shot('negative');
  await page.getByRole('button', { name: 'Allow negative-serial' }).click();
  assert.match(await page.textContent('#problem-list'), /tolerated/);
  await done();
});

test('a chain is drawn, and two files are compared', async () => {
  const { page, give, done, shot } = await open();
  await give(['leaf.pem', sample('leaf.pem')], ['root.pem', sample('root.pem')]);
  assert.equal(await page.locator('#drawing rect.box').count(), 2);
  assert.match(await page.textContent('#verdict'), /www\.example\.com,.* is valid below a self-signed certificate/);
  assert.equal(await page.locator('#drawing rect.good').count(), 1);
  assert.match(await page.textContent('#diff-table'), /tbsCertificate\.serialNumber/);
  await shot('chain');
  await done();
});

test('the roots that the user trusts decide, and the drawing shows where a path fails', async () => {
  const { page, give, done, settled, shot } = await open();
  // The order of the files doesn't matter: the leaf is verified.
  await give(['root.pem', sample('root.pem')], ['leaf.pem', sample('leaf.pem')]);
  const trust = async (name, buffer) => {
    await page.setInputFiles('#roots', { name, mimeType: 'application/x-pem-file', buffer });
    await page.waitForFunction((name) => document.getElementById('root-names').textContent === name, name);
    await settled();
    return page.textContent('#verdict');
  };
  assert.match(await trust('root.pem', sample('root.pem')), /www\.example\.com,.* is valid\. Its trust anchor is .*Example Root/);
  assert.equal(await page.locator('#drawing rect.bad').count(), 0);
  // Another root, with another name and key.
  assert.match(await trust('other.pem', ALGORITHMS.rsa), /www\.example\.com,.* is invalid: .*/);
  assert.equal(await page.locator('#drawing rect.bad').count(), 1);
  assert.match(await page.textContent('#drawing'), /the path fails here/);
  await shot('rejected');
  assert.match(await trust('nothing.txt', Buffer.from('no certificate')), /could not be verified: no trust anchor found/);
  await done();
});

test('the dates of each period are inside the drawing', async () => {
  // From then on, a period of our time begins far to the right.
  const { page, give, done } = await open({ time: new Date('1600-01-01') });
  await give(['leaf.pem', sample('leaf.pem')]);
  const edges = await page.evaluate(() => [...document.querySelectorAll('#drawing > svg, #drawing .dates')].map((node) => node.getBoundingClientRect().right));
  assert.equal(edges.length, 2);
  assert.ok(edges[1] <= edges[0], `${edges}`);
  await done();
});

test('nothing is empty before a file is opened', async () => {
  const { page, give, done } = await open();
  const parts = ['#files', '#problems', '#panes', '#chain', '#diff', '#decoded', '#clear'];
  const visible = async () => (await Promise.all(parts.map(async (part) => (await page.locator(part).isVisible()) && part))).filter(Boolean);
  assert.deepEqual(await visible(), []);
  await give(['leaf.pem', sample('leaf.pem')]);
  assert.deepEqual(await visible(), ['#files', '#panes', '#chain', '#clear']);
  await page.click('#clear');
  assert.deepEqual(await visible(), []);
  await done();
});

test('a certificate without its issuer is not invalid', async () => {
  const { page, give, done } = await open();
  await give(['leaf.pem', sample('leaf.pem')]);
  assert.match(await page.textContent('#verdict'), /www\.example\.com,.* was not verified: .* Choose trusted roots/);
  assert.equal(await page.locator('#drawing rect.bad').count(), 0);
  await page.setInputFiles('#roots', { name: 'root.pem', mimeType: 'application/x-pem-file', buffer: sample('root.pem') });
  await page.waitForFunction(() => document.getElementById('verdict').textContent.includes('is valid. Its trust anchor is'));
  await done();
});

test('a schema decodes the values of its types', async () => {
  const { page, give, done } = await open();
  await give(['point.asn1', sample('point.asn1')], ['point.der', Buffer.from([0x30, 6, 0x80, 1, 5, 0x81, 1, 9])]);
  assert.deepEqual(JSON.parse(await page.textContent('#json')), { x: 5, y: 9 });
  await done();
});

test('a permalink opens the same file', async () => {
  const first = await open();
  await first.give(['leaf.pem', sample('leaf.pem')]);
  await first.page.click('#link');
  await first.page.waitForFunction(() => location.hash.startsWith('#d='));
  const url = first.page.url();
  await first.done();
  const second = await open({}, url);
  await second.page.waitForSelector('#files button');
  assert.match(await second.page.textContent('#files'), /www\.example\.com/);
  await second.done();
});

test('the keyboard reaches every component', async () => {
  const { page, give, done } = await open();
  await give(['root.pem', sample('root.pem')]);
  await page.locator('.row').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-level')), '3');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-level')), '2');
  await page.keyboard.press('End');
  assert.match(await page.textContent('#place'), /signature/);
  await done();
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in ${colorScheme} mode`, async () => {
    const { page, give, done, shot } = await open({ colorScheme, bypassCSP: true });
    const violations = async () => {
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ').slice(0, 300)}`);
    };
    assert.deepEqual(await violations(), []);
    await give(['negative.pem', sample('negative.pem')], ['root.pem', sample('root.pem')]);
    assert.deepEqual(await violations(), []);
    await shot(`axe-${colorScheme}`);
    await done();
  });
}

test('the page works offline after the first visit', async () => {
  const { page, give, done } = await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await give(['leaf.pem', sample('leaf.pem')]);
  assert.match(await page.textContent('#files'), /www\.example\.com/);
  await page.context().setOffline(false);
  await done();
});

const utf8 = (text) => [0x0c, ...der(Buffer.from(text))];
const der = (bytes) => (bytes.length < 128 ? [bytes.length, ...bytes] : bytes.length < 256 ? [0x81, bytes.length, ...bytes] : [0x82, bytes.length >> 8, bytes.length & 255, ...bytes]);
/** A certificate of the sample with another name. It isn't valid, and is shown all the same. */
function named(text) {
  const cn = Buffer.from([0x30, ...der([6, 3, 0x55, 4, 3, ...utf8(text)])]);
  const name = Buffer.from([0x30, ...der([0x31, ...der([...cn])])]);
  const time = [0x17, 13, ...Buffer.from('260101000000Z')];
  const alg = [0x30, 5, 6, 3, 0x2b, 0x65, 0x70];
  const tbs = [2, 1, 1, ...alg, ...name, 0x30, ...der([...time, ...time]), ...name, 0x30, ...der([...alg, 3, 33, 0, ...new Array(32).fill(9)])];
  return Buffer.from([0x30, ...der([0x30, ...der(tbs), ...alg, 3, 65, 0, ...new Array(64).fill(1)])]);
}

test('five hostile files: markup, direction, bombs, nesting, and 50 MB', async () => {
  const { page, give, done, shot } = await open();
  const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await give(['<b>markup.der', named(markup)]);
  assert.equal(await page.locator('main img, main script, main b').count(), 0);
  assert.ok((await page.textContent('#tree')).includes(markup));
  await shot('markup');
  await page.click('#clear');
  await give(['bidi.der', named('\u202egro.elpmaxe\u202c\u200b')]);
  const shown = await page.textContent('main');
  assert.ok(!/[\u202a-\u202e\u200b]/.test(shown), 'hidden characters are escaped');
  await page.click('#clear');
  const { gzipSync } = await import('node:zlib');
  await give(['bomb.gz', gzipSync(Buffer.alloc(1 << 28))]);
  await page.click('#clear');
  await give(['nested.der', Buffer.alloc(200_000, Buffer.from([0x30, 0x80]))]);
  await page.click('#clear');
  await give(['large.crl', crl(50 << 20)]);
  assert.match(await page.textContent('#files'), /crl/);
  await done();
});

/** A CRL of about this size, without a valid signature. */
function crl(size) {
  const entry = Buffer.from([0x30, 0x21, 2, 0x10, 0x4a, ...new Array(15).fill(7), 0x17, 13, ...Buffer.from('260101000000Z')]);
  const count = Math.floor(size / entry.length);
  const long = (length) => [0x84, (length >>> 24) & 255, (length >>> 16) & 255, (length >>> 8) & 255, length & 255];
  const wrap = (tag, ...parts) => {
    const body = Buffer.concat(parts);
    const head = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : body.length < 65536 ? [0x82, body.length >> 8, body.length & 255] : body.length < 1 << 24 ? [0x83, body.length >> 16, (body.length >> 8) & 255, body.length & 255] : long(body.length);
    return Buffer.concat([Buffer.from([tag, ...head]), body]);
  };
  const alg = Buffer.from([0x30, 5, 6, 3, 0x2b, 0x65, 0x70]);
  const name = wrap(0x30, wrap(0x31, wrap(0x30, Buffer.from([6, 3, 0x55, 4, 3, ...utf8('Large')]))));
  const time = Buffer.from([0x17, 13, ...Buffer.from('260101000000Z')]);
  const entries = Buffer.alloc(count * entry.length, entry);
  const tbs = wrap(0x30, Buffer.from([2, 1, 1]), alg, name, time, time, wrap(0x30, entries));
  return wrap(0x30, tbs, alg, Buffer.from([3, 65, 0, ...new Array(64).fill(1)]));
}

test('tagwise view serves its documents once', { skip: COMMAND === undefined && 'TAGWISE_COMMAND is not set' }, async () => {
  const files = ['leaf.pem', 'root.pem'].map((name) => join(ROOT, 'docs/samples', name));
  const child = spawn(COMMAND, ['view', '--no-open', '--wait', '60', '--trust', files[1], ...files]);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const url = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(data.toString().trim())));
  assert.equal((await fetch(new URL('/', url))).status, 404);
  assert.equal((await fetch(url.replace(/.{3}\/$/, 'xyz/'))).status, 404);
  const { page, done, shot } = await open({}, url);
  assert.equal(await page.locator('#files button').count(), 2);
  assert.match(await page.textContent('#diff-table'), /serialNumber/);
  assert.match(await page.textContent('#verdict'), /www\.example\.com,.* is valid\. Its trust anchor is .*Example Root/);
  assert.equal(await page.locator('#trust').isVisible(), false);
  await shot('command');
  assert.equal(await ended, 0);
  await done();
});

test('an editor puts the document of the command into the page', { skip: COMMAND === undefined && 'TAGWISE_COMMAND is not set' }, async () => {
  const disposable = { dispose() {}, onDidChange() {} };
  let viewer;
  // What the extension uses of the editor.
  const vscode = {
    Uri: { file: (path) => ({ fsPath: path }) },
    RelativePattern: class {},
    commands: { registerCommand: () => disposable },
    window: { registerCustomEditorProvider: (_, provider) => (viewer = provider), showErrorMessage: assert.fail },
    workspace: { getConfiguration: () => ({ get: (name, otherwise) => (name === 'path' ? COMMAND : otherwise) }), createFileSystemWatcher: () => disposable },
  };
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
  Module.createRequire(import.meta.url)('../../editors/vscode/preview.js').register();
  Module._load = load;
  const webview = { cspSource: new URL(base).origin, asWebviewUri: ({ fsPath }) => base + fsPath.split('/').pop() };
  await viewer.resolveCustomEditor({ uri: vscode.Uri.file(join(ROOT, 'docs/samples/negative.pem')) }, { webview, onDidDispose() {} });
  const { page, done } = await open({ serviceWorkers: 'block' });
  await page.route(`${base}editor`, (route) => route.fulfill({ contentType: 'text/html', body: webview.html }));
  await page.goto(`${base}editor`);
  await page.waitForSelector('#files button');
  assert.match(await page.textContent('#problem-list'), /tbsCertificate\.serialNumber.*--allow negative-serial/s);
  assert.ok((await page.locator('.row').count()) > 10);
  await done();
});

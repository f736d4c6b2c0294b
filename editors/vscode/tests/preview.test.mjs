// The viewer in the editor, with a stand-in for the editor's interface and, unless TAGWISE_COMMAND is set, for the command.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';

const require = createRequire(import.meta.url);
const Module = require('node:module');
const FOLDER = mkdtempSync(join(tmpdir(), 'tagwise-'));
after(() => rmSync(FOLDER, { recursive: true }));

/** Prints an address like the command, and answers once. */
const STAND_IN = `#!${process.execPath}
const args = process.argv.slice(2);
if (args.at(-1).endsWith('missing.der')) { console.error('tagwise: missing.der: no such file'); process.exit(3); }
const server = require('node:http').createServer((request, response) => {
  response.end(JSON.stringify({ files: [{ name: '</script><b>', items: [] }], args, path: request.url }));
  server.close();
  server.closeIdleConnections();
}).listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/token/'));
`;
const command = process.env.TAGWISE_COMMAND ?? join(FOLDER, 'command');
if (process.env.TAGWISE_COMMAND === undefined) {
  writeFileSync(command, STAND_IN);
  chmodSync(command, 0o755);
}

const registered = { editors: new Map(), commands: new Map(), errors: [], opened: [], watchers: 0 };
const disposable = { dispose() {} };
const settings = { path: command, trust: ['root.pem'] };
const vscode = {
  Uri: { file: (path) => ({ fsPath: path, toString: () => `file://${path}` }) },
  RelativePattern: class {},
  window: {
    registerCustomEditorProvider: (type, provider) => registered.editors.set(type, provider) && disposable,
    showErrorMessage: (message) => registered.errors.push(message),
    showInformationMessage: () => {},
  },
  workspace: {
    getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise }),
    createFileSystemWatcher: () => {
      registered.watchers += 1;
      return { onDidChange: () => disposable, dispose: () => (registered.watchers -= 1) };
    },
  },
  commands: {
    registerCommand: (name, act) => registered.commands.set(name, act) && disposable,
    executeCommand: (...args) => registered.opened.push(args),
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
require('../preview.js').register();

/** Opens a file, and returns the page. */
async function opened(path, type = 'tagwise.viewer') {
  const provider = registered.editors.get(type);
  let dispose = () => {};
  const webview = { cspSource: 'https://own.example', asWebviewUri: (uri) => `https://own.example${uri.fsPath}`, html: null };
  const panel = { webview, onDidDispose: (act) => (dispose = act) };
  await provider.resolveCustomEditor(provider.openCustomDocument(vscode.Uri.file(path)), panel);
  dispose();
  return webview;
}

const block = (html) => JSON.parse(html.match(/<script type="application\/json" id="document">([^]*?)<\/script>/)[1]);

test('the package declares every viewer and command that is registered', () => {
  const { contributes } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));
  assert.deepEqual(contributes.customEditors.map((editor) => editor.viewType).sort(), [...registered.editors.keys()].sort());
  for (const name of registered.commands.keys()) assert.ok(contributes.commands.some((one) => one.command === name), name);
});

test('a file is shown by the page with the document of the command', async () => {
  const sample = new URL('../../../docs/samples/leaf.pem', import.meta.url).pathname;
  settings.trust = [new URL('../../../docs/samples/root.pem', import.meta.url).pathname];
  const webview = await opened(sample, 'tagwise.viewer.any');
  assert.deepEqual(registered.errors, []);
  const { html } = webview;
  assert.match(html, /<html lang="en" data-served/);
  const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)[1];
  assert.match(policy, /default-src 'none'; script-src https:\/\/own\.example;/);
  assert.ok(!/unsafe|connect-src/.test(policy), policy);
  for (const [, url] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
    assert.match(url, /^https:\/\/own\.example\//);
    assert.ok(existsSync(url.replace('https://own.example', '')), url);
  }
  assert.equal(webview.options.localResourceRoots.length, 1);
  assert.equal(basename(webview.options.localResourceRoots[0].fsPath), 'web');
  const document = block(html);
  if (process.env.TAGWISE_COMMAND === undefined) {
    assert.deepEqual(document.args, ['view', '--no-open', '--wait', '60', '--trust', settings.trust[0], '--', sample]);
    assert.equal(document.path, '/token/document.json');
    assert.equal(document.files[0].name, '</script><b>');
  } else {
    assert.equal(document.files[0].items[0].record.kind, 'certificate');
    assert.equal(document.verdict.status, 'valid');
  }
  assert.equal(registered.watchers, 0);
});

test('a failure of the command is reported', async () => {
  const webview = await opened(join(FOLDER, 'missing.der'));
  assert.equal(webview.html, '');
  assert.match(registered.errors.pop(), /^missing\.der: .*missing\.der/);
  settings.path = join(FOLDER, 'nonesuch');
  await opened(join(FOLDER, 'leaf.der'));
  assert.match(registered.errors.pop(), /nonesuch: .*ENOENT/);
  settings.path = command;
});

test('the command opens the viewer for a file', () => {
  const uri = vscode.Uri.file('/x/leaf.pem');
  registered.commands.get('tagwise.view')(uri);
  assert.deepEqual(registered.opened.pop(), ['vscode.openWith', uri, 'tagwise.viewer.any']);
});

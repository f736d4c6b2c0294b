'use strict';

// Certificates and messages in the viewer of `tagwise view`, whose document the command creates. The page comes from this extension, and
// loads nothing else.

const { spawn } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const vscode = require('vscode');

/** The viewer of files with a customary suffix, and that of any file, which the user chooses. */
const VIEWERS = ['tagwise.viewer', 'tagwise.viewer.any'];
/** The maximum size of a document, in bytes, and the time to create it, in milliseconds. */
const MOST = 1 << 28;
const PATIENCE = 60_000;

/** The folder of the page: in the package, or in the repository. */
const WEB = [path.join(__dirname, 'web'), path.join(__dirname, '../../web')].find((folder) => existsSync(path.join(folder, 'index.html')));

/** Returns what the address answers. */
function get(url) {
  return new Promise((resolve, reject) => {
    const request = http.get(url, (response) => {
      const parts = [];
      let size = 0;
      response.on('data', (part) => {
        size += part.length;
        if (size > MOST) request.destroy(new Error(`the document has more than ${MOST} bytes`));
        parts.push(part);
      });
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`tagwise view answered with status ${response.statusCode}`));
      });
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

/** Runs `tagwise view`, and returns its document. Private keys and passwords are not in it. */
function documentOf(command, trust, file) {
  return new Promise((resolve, reject) => {
    const roots = trust.flatMap((source) => ['--trust', source]);
    const child = spawn(command, ['view', '--no-open', '--wait', '60', ...roots, '--', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill(), PATIENCE);
    let [output, errors, asked] = ['', '', false];
    child.stderr.on('data', (data) => {
      if (errors.length < 4096) errors += data;
    });
    child.stdout.on('data', (data) => {
      output += data;
      if (asked || !output.includes('\n')) return;
      asked = true;
      get(new URL('document.json', output.split('\n')[0].trim())).then(resolve, reject);
    });
    child.on('error', (error) => reject(new Error(`${command}: ${error.message}`)));
    child.on('close', () => {
      clearTimeout(timer);
      if (!asked) reject(new Error(errors.trim() || `${command} view failed`));
    });
  });
}

/** Returns the page with the document. */
function page(webview, json) {
  const uri = (name) => webview.asWebviewUri(vscode.Uri.file(path.join(WEB, name))).toString();
  const own = webview.cspSource;
  const policy = `default-src 'none'; script-src ${own}; style-src ${own}; img-src ${own}; base-uri 'none'; form-action 'none'`;
  return readFileSync(path.join(WEB, 'index.html'), 'utf8')
    .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*"/, (_, before) => `${before}${policy}"`)
    .replace('<html lang="en"', () => '<html lang="en" data-served')
    .replace(/(href|src)="(icon\.svg|style\.css|view\.js)"/g, (_, name, file) => `${name}="${uri(file)}"`)
    // A `<` would end the element. The block is data, and is not executed.
    .replace('</head>', () => `<script type="application/json" id="document">${json.replace(/</g, '\\u003c')}</script>\n</head>`);
}

class Viewer {
  openCustomDocument(uri) {
    return { uri, dispose() {} };
  }

  async resolveCustomEditor(document, panel) {
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.file(WEB)] };
    const show = async () => {
      const configuration = vscode.workspace.getConfiguration('tagwise');
      try {
        webview.html = page(webview, await documentOf(configuration.get('path', 'tagwise'), configuration.get('trust', []), document.uri.fsPath));
      } catch (error) {
        webview.html = '';
        vscode.window.showErrorMessage(`${path.basename(document.uri.fsPath)}: ${error.message}`);
      }
    };
    const pattern = new vscode.RelativePattern(vscode.Uri.file(path.dirname(document.uri.fsPath)), path.basename(document.uri.fsPath));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    watcher.onDidChange(show);
    panel.onDidDispose(() => watcher.dispose());
    await show();
  }
}

exports.register = () => [
  ...VIEWERS.map((type) => vscode.window.registerCustomEditorProvider(type, new Viewer(), { webviewOptions: { retainContextWhenHidden: true } })),
  vscode.commands.registerCommand('tagwise.view', (uri) => {
    const file = uri ?? vscode.window.activeTextEditor?.document.uri;
    if (file !== undefined) return vscode.commands.executeCommand('vscode.openWith', file, 'tagwise.viewer.any');
    return vscode.window.showInformationMessage('Open a file first.');
  }),
];

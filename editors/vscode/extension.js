'use strict';

const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

const preview = require('./preview.js');

const DECODE = 'tagwise.decode';
let client;

/// Asks for hexadecimal, and shows the decoded value beside the module.
async function decode(uri, module, type, next) {
  const input = await vscode.window.showInputBox({
    title: `Decode with ${module}.${type}`,
    prompt: 'DER in hexadecimal',
    ignoreFocusOut: true,
  });
  if (!input) return;
  try {
    const text = await next(DECODE, [uri, module, type, input]);
    const document = await vscode.workspace.openTextDocument({ content: text });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  } catch (error) {
    vscode.window.showErrorMessage(`${type}: ${error.message}`);
  }
}

function start() {
  const command = vscode.workspace.getConfiguration('tagwise').get('path', 'tagwise');
  client = new LanguageClient(
    'tagwise',
    'Tagwise',
    { command, args: ['lsp'], transport: TransportKind.stdio },
    {
      documentSelector: [{ language: 'asn1' }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{asn1,asn,gdmo}') },
      middleware: {
        // The code lens has no input: the user enters it.
        executeCommand: (name, args, next) =>
          name === DECODE && args.length === 3 ? decode(args[0], args[1], args[2], next) : next(name, args),
      },
    },
  );
  return client.start();
}

exports.activate = (context) => {
  const restart = async () => {
    await client?.stop();
    await start();
  };
  context.subscriptions.push(vscode.commands.registerCommand('tagwise.restart', restart), ...preview.register());
  return start();
};

exports.deactivate = () => client?.stop();

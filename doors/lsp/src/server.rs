//! The protocol: the handshake, the loop over messages, and the table of requests.

use std::io::{self, Write};
use std::{fmt, thread};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::position::{Encoding, Lines};
use crate::request::uri;
use crate::workspace::{Workspace, path_of};
use crate::{complete, decode, diagnostics, hover, navigate, outline, tokens};

/// The reason that the server ended early: the connection failed, or the client violated the protocol.
#[derive(Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Error {
    fn of(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Serves a client that writes to standard input and reads from `out`, until it ends the session.
///
/// # Errors
/// Returns an error if the connection fails, or the client violates the protocol.
pub fn stdio(mut out: &mut dyn Write) -> Result<(), Error> {
    let (server, client) = Connection::memory();
    let server = thread::spawn(move || serve(&server));
    let Connection { sender, receiver } = client;
    // It may wait for input forever, and ends with the process.
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(message)) = Message::read(&mut input) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    for message in receiver {
        message.write(&mut out).and_then(|()| out.flush()).map_err(Error::of)?;
    }
    server.join().unwrap_or_else(|_panic| Err(Error::of("the server failed")))
}

/// Serves a client on a connection, until it ends the session.
///
/// # Errors
/// Returns an error if the connection fails, or the client violates the protocol.
pub fn serve(connection: &Connection) -> Result<(), Error> {
    let (id, params) = connection.initialize_start().map_err(Error::of)?;
    let mut workspace = Workspace::new(encoding(&params));
    let about = json!({
        "capabilities": capabilities(workspace.encoding),
        "serverInfo": { "name": "tagwise", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, about).map_err(Error::of)?;
    let folders = params.get("workspaceFolders").and_then(Value::as_array);
    let folders = folders.into_iter().flatten().filter_map(|folder| folder.get("uri")?.as_str());
    let root = params.get("rootUri").and_then(Value::as_str);
    let folders: Vec<&str> = folders.collect();
    let roots = if folders.is_empty() { root.into_iter().collect() } else { folders };
    roots.into_iter().filter_map(path_of).for_each(|folder| workspace.add_folder(&folder));

    for message in &connection.receiver {
        let messages = match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(Error::of)? {
                    return Ok(());
                }
                vec![Message::Response(respond(&mut workspace, request))]
            }
            Message::Notification(note) => notified(&mut workspace, &note),
            Message::Response(_) => Vec::new(),
        };
        messages.into_iter().try_for_each(|message| connection.sender.send(message)).map_err(Error::of)?;
    }
    Ok(())
}

fn encoding(params: &Value) -> Encoding {
    let offered = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let utf8 = offered.into_iter().flatten().any(|one| one.as_str() == Some(Encoding::Utf8.name()));
    if utf8 { Encoding::Utf8 } else { Encoding::Utf16 }
}

fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": encoding.name(),
        // Changes are sent as edits.
        "textDocumentSync": { "openClose": true, "change": 2 },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": {},
        "documentFormattingProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "semanticTokensProvider": { "legend": tokens::legend(), "full": true },
        "inlayHintProvider": true,
        "codeLensProvider": {},
        "executeCommandProvider": { "commands": [decode::COMMAND] },
    })
}

fn respond(workspace: &mut Workspace, request: Request) -> Response {
    let Request { id, method, params } = request;
    let done = match method.as_str() {
        "textDocument/hover" => hover::hover(workspace, &params),
        "textDocument/definition" => navigate::definition(workspace, &params),
        "textDocument/references" => navigate::references(workspace, &params),
        "textDocument/documentHighlight" => navigate::highlights(workspace, &params),
        "textDocument/prepareRename" => navigate::prepare_rename(workspace, &params),
        "textDocument/rename" => navigate::rename(workspace, &params),
        "textDocument/completion" => complete::complete(workspace, &params),
        "textDocument/formatting" => complete::format(workspace, &params),
        "textDocument/documentSymbol" => outline::document(workspace, &params),
        "workspace/symbol" => outline::workspace(workspace, &params),
        "textDocument/semanticTokens/full" => tokens::tokens(workspace, &params),
        "textDocument/inlayHint" => hover::hints(workspace, &params),
        "textDocument/codeLens" => decode::lenses(workspace, &params),
        "workspace/executeCommand" => decode::execute(workspace, &params),
        _ => {
            let message = format!("{method} is not supported");
            return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
        }
    };
    match done {
        Ok(result) => Response::new_ok(id, result),
        Err(message) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
    }
}

fn notified(workspace: &mut Workspace, note: &Notification) -> Vec<Message> {
    let params = &note.params;
    match note.method.as_str() {
        "textDocument/didOpen" => {
            let text = |name: &str| params.pointer(name).and_then(Value::as_str);
            if let (Some(uri), Some(text)) = (text("/textDocument/uri"), text("/textDocument/text")) {
                workspace.set(uri, text);
            }
        }
        "textDocument/didChange" => {
            if let (Some(uri), Some(changes)) = (uri(params), params.get("contentChanges").and_then(Value::as_array)) {
                changes.iter().for_each(|change| changed(workspace, uri, change));
            }
        }
        "textDocument/didClose" => {
            if let Some(uri) = uri(params) {
                workspace.close(uri);
                let mut messages = published(workspace);
                messages.push(publish(uri, json!([])));
                return messages;
            }
        }
        "workspace/didChangeWatchedFiles" => {
            let changes = params.get("changes").and_then(Value::as_array).into_iter().flatten();
            let paths = changes.filter_map(|change| path_of(change.get("uri")?.as_str()?));
            paths.for_each(|path| workspace.add_file(&path));
        }
        _ => return Vec::new(),
    }
    published(workspace)
}

/// Applies one edit to an open document.
fn changed(workspace: &mut Workspace, uri: &str, change: &Value) {
    let Some(new) = change.get("text").and_then(Value::as_str) else { return };
    let Some(old) = workspace.text(uri).map(|source| source.text().to_owned()) else { return };
    let text = match change.get("range") {
        None => new.to_owned(),
        Some(range) => {
            let lines = Lines::new(&old, workspace.encoding);
            let at = |name: &str| range.get(name).and_then(|position| lines.of(&old, position));
            let (Some(start), Some(end)) = (at("start"), at("end")) else { return };
            let (before, after) = (old.get(..start), old.get(end.max(start)..));
            [before.unwrap_or_default(), new, after.unwrap_or_default()].concat()
        }
    };
    workspace.set(uri, &text);
}

/// Returns the diagnostics of all open documents: a change in one affects those that import from it.
fn published(workspace: &mut Workspace) -> Vec<Message> {
    let documents = workspace.documents();
    let publish = |uri: String| Some(publish(&uri, diagnostics::of(workspace, &uri)?));
    documents.into_iter().filter_map(publish).collect()
}

fn publish(uri: &str, diagnostics: Value) -> Message {
    let params = json!({ "uri": uri, "diagnostics": diagnostics });
    Message::Notification(Notification::new("textDocument/publishDiagnostics".to_owned(), params))
}

//! The protocol: the handshake, the loop over messages, and the table of requests.

use std::io::{self, BufRead, Read as _, Write};
use std::sync::mpsc;
use std::{fmt, thread};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::position::{Encoding, Lines};
use crate::request::uri;
use crate::workspace::{Workspace, path_of};
use crate::{complete, decode, diagnostics, hover, navigate, outline, tokens};

/// The largest message, in bytes: a module of some hundred thousand lines.
const MAX_MESSAGE: u64 = 64 << 20;
/// The largest header of a message, in bytes.
const MAX_HEADER: u64 = 4096;

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

/// A body that is not a message. JSON-RPC 2.0 §5.1 requires an answer, and the connection can go on after it.
#[derive(Debug)]
struct Malformed {
    code: ErrorCode,
    error: String,
}

impl Malformed {
    /// Writes the answer. Its identifier is null, because that of the request is not known (JSON-RPC 2.0 §5).
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let error = json!({ "code": self.code as i32, "message": self.error });
        let body = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        write!(out, "Content-Length: {}\r\n\r\n{body}", body.len())
    }
}

/// A message to the client.
enum Outgoing {
    Message(Message),
    Malformed(Malformed),
    /// The session has ended.
    End,
}

/// Serves a client that writes to standard input and reads from `out`, until it ends the session.
///
/// # Errors
/// Returns an error if the connection fails, or the client violates the protocol.
pub fn stdio(mut out: &mut dyn Write) -> Result<(), Error> {
    let (server, client) = Connection::memory();
    let server = thread::spawn(move || serve(&server));
    let Connection { sender, receiver } = client;
    let (failed, failure) = mpsc::channel();
    let (answers, outgoing) = mpsc::channel();
    let malformed = answers.clone();
    // It may wait for input forever, and ends with the process.
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            match read(&mut input) {
                Ok(Some(Ok(message))) => {
                    if sender.send(message).is_err() {
                        break;
                    }
                }
                Ok(Some(Err(error))) => {
                    if malformed.send(Outgoing::Malformed(error)).is_err() {
                        break;
                    }
                }
                Ok(None) => break,
                // Nobody waits for the reason if the session has ended.
                Err(error) => break failed.send(error).unwrap_or_default(),
            }
        }
    });
    // The thread above holds a sender as long as it waits for input, so the end is a message, too.
    thread::spawn(move || {
        let messages = receiver.into_iter().map(Outgoing::Message).chain([Outgoing::End]);
        // The receiver is dropped if the connection fails.
        messages.map(|message| answers.send(message)).take_while(Result::is_ok).for_each(drop);
    });
    for message in outgoing {
        let written = match message {
            Outgoing::Message(message) => message.write(&mut out),
            Outgoing::Malformed(malformed) => malformed.write(&mut out),
            Outgoing::End => break,
        };
        written.and_then(|()| out.flush()).map_err(Error::of)?;
    }
    let ended = server.join().unwrap_or_else(|_panic| Err(Error::of("the server failed")));
    match failure.try_recv() {
        Ok(error) => Err(Error::of(format_args!("malformed message from the client: {error}"))),
        Err(_) => ended,
    }
}

/// Reads a message, or `None` at the end of the input. The length in its header is limited, since memory is reserved for it.
///
/// # Errors
/// Returns an error if reading fails, or the end of the message is not known.
fn read(input: &mut dyn BufRead) -> io::Result<Option<Result<Message, Malformed>>> {
    let mut header = Vec::new();
    let mut body = None;
    while !header.ends_with(b"\r\n\r\n") {
        let before = header.len();
        let line = (&mut *input).take(MAX_HEADER.saturating_sub(before as u64)).read_until(b'\n', &mut header)?;
        if line == 0 {
            return if before == 0 { Ok(None) } else { Err(io::Error::other("the header does not end")) };
        }
        let text = String::from_utf8_lossy(header.get(before..).unwrap_or_default()).to_ascii_lowercase();
        if let Some(length) = text.strip_prefix("content-length:") {
            let length: u64 = length.trim().parse().map_err(io::Error::other)?;
            if length > MAX_MESSAGE {
                return Err(io::Error::other(format!("{length} bytes, expected at most {MAX_MESSAGE}")));
            }
            body = Some(length);
        }
    }
    let length = body.ok_or_else(|| io::Error::other("the header has no Content-Length"))?;
    let mut body = Vec::new();
    if (&mut *input).take(length).read_to_end(&mut body)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(serde_json::from_slice(&body).map_err(|error| {
        let is_json = serde_json::from_slice::<Value>(&body).is_ok();
        let code = if is_json { ErrorCode::InvalidRequest } else { ErrorCode::ParseError };
        Malformed { code, error: error.to_string() }
    })))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_limited() {
        let read = |text: &str| read(&mut text.as_bytes()).map_err(|error| error.to_string());
        let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let message = read(&format!("Content-Length: {}\r\n\r\n{exit}", exit.len())).unwrap();
        assert!(matches!(message, Some(Ok(Message::Notification(notification))) if notification.method == "exit"));
        assert!(read("").unwrap().is_none());
        assert_eq!(
            read("Content-Length: 99999999999999\r\n\r\n{").unwrap_err(),
            "99999999999999 bytes, expected at most 67108864"
        );
        assert!(read("content-length: 67108865\r\n\r\n{").is_err());
        assert!(read("Content-Length: 5\r\n\r\n{}").is_err());
        assert_eq!(read("X: y\r\n\r\n{}").unwrap_err(), "the header has no Content-Length");
        assert_eq!(read(&"X: y\r\n".repeat(1000)).unwrap_err(), "the header does not end");
    }

    #[test]
    fn bodies_that_are_no_messages_have_answers() {
        for (body, code) in [("{bad}", -32700), ("\"\u{FF}", -32700), ("{}", -32600), ("[]", -32600)] {
            let text = format!("Content-Length: {}\r\n\r\n{body}", body.len());
            let malformed = read(&mut text.as_bytes()).unwrap().unwrap().unwrap_err();
            let mut answer = Vec::new();
            malformed.write(&mut answer).unwrap();
            let answer = String::from_utf8(answer).unwrap();
            let (header, answer) = answer.split_once("\r\n\r\n").unwrap();
            assert_eq!(header, format!("Content-Length: {}", answer.len()));
            let answer: Value = serde_json::from_str(answer).unwrap();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(code)), "{body}");
        }
    }
}

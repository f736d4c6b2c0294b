//! Measures the time from an edit to its diagnostics: `cargo run --release -p tagwise-lsp --example latency FILE`.

use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: latency FILE")?;
    let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
    let (server, client) = Connection::memory();
    let server = std::thread::spawn(move || tagwise_lsp::serve(&server));
    let note =
        |method: &str, params| client.sender.send(Message::Notification(Notification::new(method.to_owned(), params)));
    client.sender.send(Message::Request(Request::new(
        1.into(),
        "initialize".to_owned(),
        json!({ "capabilities": {} }),
    )))?;
    client.receiver.recv()?;
    note("initialized", json!({}))?;
    let uri = "file:///edited.asn1";
    note("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "version": 1, "text": text } }))?;
    client.receiver.recv()?;
    let mut times = Vec::new();
    for _ in 0..20 {
        let place = json!({ "line": 0, "character": 0 });
        let change = json!({ "range": { "start": place, "end": place }, "text": " " });
        let start = Instant::now();
        note(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [change] }),
        )?;
        client.receiver.recv()?;
        times.push(start.elapsed());
    }
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or(Duration::ZERO);
    println!("{} lines: {median:?} from an edit to its diagnostics (median of {})", text.lines().count(), times.len());
    drop(client);
    let _ = server.join();
    Ok(())
}

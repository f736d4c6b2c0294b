//! `tagwise lsp` as an editor starts it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// One message with its header.
fn message(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn next(input: &mut impl BufRead) -> String {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert_ne!(input.read_line(&mut line).unwrap(), 0, "the server has ended");
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).unwrap();
    String::from_utf8(body).unwrap()
}

#[test]
fn a_session() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_tagwise"))
        .args(["lsp", "--stdio"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
    let mut send = |body: &str| input.write_all(message(body).as_bytes()).unwrap();
    send(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
    assert!(next(&mut output).contains(r#""name":"tagwise""#));
    send(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#);
    // What is no JSON has an answer, and does not end the session.
    send("{nonsense");
    let answer = next(&mut output);
    assert!(answer.contains(r#""code":-32700"#) && answer.contains(r#""id":null"#), "{answer}");
    send(
        r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///m.asn1","version":1,"text":"M DEFINITIONS ::= BEGIN A ::= B END"}}}"#,
    );
    let published = next(&mut output);
    assert!(published.contains("there is no B in M; did you mean A? [X.680 §14.4]"), "{published}");
    send(r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#);
    next(&mut output);
    send(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn input_that_is_no_session() {
    for input in ["", "GET / HTTP/1.1\r\n\r\n", "Content-Length: 2\r\n\r\n{}"] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_tagwise"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        server.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let done = server.wait_with_output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(3), "{input}: {said}");
        assert!(said.starts_with("tagwise: "), "{input}: {said}");
    }
}

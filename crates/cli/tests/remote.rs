//! `tagwise show tls://…`: what servers on the loopback interface send, and the verdict on it.
#![cfg(feature = "tls")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::openssl::has_openssl;
use common::{Run, tagwise};
use serde_json::Value;

/// A root, and certificates of servers with their keys.
fn made() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |args: &[&str]| {
        let run = tagwise(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    };
    let (db, root) = (at("ca.db"), at("root.pem"));
    run(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &root]);
    for kind in ["ecdsa-p256", "rsa2048", "ed25519"] {
        let (key, public, leaf) = (at(&format!("{kind}.key")), at(&format!("{kind}.pub")), at(&format!("{kind}.pem")));
        run(&["key", "new", kind, "--no-passphrase", "-o", &key, "--public", &public]);
        run(&[
            "ca",
            "issue",
            "--db",
            &db,
            "--public-key",
            &public,
            "--dns",
            "localhost",
            "--ip",
            "127.0.0.1",
            "-o",
            &leaf,
        ]);
    }
    folder
}

/// A running `openssl s_server`.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(folder: &Path, kind: &str, more: &str) -> Self {
        let mut command = Command::new("openssl");
        let (certificate, key) = (format!("{kind}.pem"), format!("{kind}.key"));
        command.current_dir(folder).args(["s_server", "-accept", "127.0.0.1:0", "-cert", &certificate, "-key", &key]);
        command.args(["-www"]).args(more.split_whitespace());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("ACCEPT ") {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "s_server ended");
        }
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        Self { child, port: line.trim().rsplit(':').next().unwrap().parse().unwrap() }
    }

    fn show(&self, folder: &Path, host: &str, more: &[&str]) -> Run {
        let root = folder.join("root.pem");
        let address = format!("tls://{host}:{}", self.port);
        tagwise(&[&["show", &address, "--trust", root.to_str().unwrap()], more].concat())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn servers_of_openssl() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    for (kind, more, version) in [
        ("ecdsa-p256", "", "TLS 1.3"),
        ("ecdsa-p256", "-tls1_2", "TLS 1.2"),
        ("rsa2048", "", "TLS 1.3"),
        ("rsa2048", "-tls1_2", "TLS 1.2"),
        ("ed25519", "", "TLS 1.3"),
    ] {
        let server = Server::start(folder, kind, more);
        let run = server.show(folder, "localhost", &[]);
        // A key of Ed25519 is not one of the web's.
        let good = kind != "ed25519";
        assert_eq!(run.code, Some(i32::from(!good)), "{kind} {more}: {}{}", run.out, run.err);
        assert!(run.out.starts_with("certificate 1 of 1  tls://localhost:"), "{}", run.out);
        assert!(run.out.contains(&format!("  Connection:  {version}, ")), "{}", run.out);
        assert!(
            run.out.contains(if good { ": valid\n" } else { ": NOT VALID\n  Reason:      key-size" }),
            "{}",
            run.out
        );
        // Another name, and an address.
        assert_eq!(server.show(folder, "127.0.0.1", &[]).code, Some(i32::from(!good)));
        let run = server.show(folder, "localhost.", &["--at", "2100-01-01"]);
        assert_eq!(run.code, Some(1));
        assert!(run.out.contains("validity: expired on ") || !good, "{}", run.out);
    }
}

#[test]
fn what_is_sent() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    let server = Server::start(folder, "ecdsa-p256", "-cert_chain root.pem");
    let run = server.show(folder, "localhost", &["--json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let file = &document["files"][0];
    assert_eq!((&file["form"], file["items"].as_array().unwrap().len()), (&"TLS".into(), 2));
    let tls = &file["tls"];
    assert_eq!((&tls["version"], &tls["verification"]["status"]), (&"TLS 1.3".into(), &"valid".into()));
    assert_eq!(tls["verification"]["paths"][0]["anchor"], "CN=Root");
    // By the system's anchors it is not valid, and shown all the same.
    let run = tagwise(&["show", &format!("tls://localhost:{}", server.port), "--trust", "mozilla"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out.contains("certificate 2 of 2") && run.out.contains("no-issuer: CN=Root is its own issuer"),
        "{}",
        run.out
    );
    drop(server);
    // A server that asks for a certificate of ours has shown its own before it says no.
    for version in ["-tls1_2", "-tls1_3"] {
        let server = Server::start(folder, "ecdsa-p256", &format!("{version} -Verify 1 -verify_return_error"));
        let run = server.show(folder, "localhost", &[]);
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert!(run.out.contains(": valid\n"), "{}", run.out);
        assert_eq!(run.out.contains("broken off after the certificates"), version == "-tls1_2", "{}", run.out);
    }
}

/// A dialogue: the lines that a server expects, and its answers.
type Words = &'static [(&'static [u8], &'static [u8])];

/// A server that says other things first, and hands the handshake on to one that speaks TLS.
fn front(port: u16, words: Words) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        for (heard, said) in words {
            let mut got = vec![0; heard.len()];
            client.read_exact(&mut got).unwrap();
            assert_eq!(got, *heard);
            client.write_all(said).unwrap();
        }
        let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (mut back, mut forth) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut back, &mut forth));
        let _ = std::io::copy(&mut client, &mut server);
    });
    own
}

#[test]
fn protocols_that_turn_to_tls() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    let server = Server::start(folder, "ecdsa-p256", "");
    let root = folder.join("root.pem");
    let show = |scheme: &str, port: u16| {
        tagwise(&["show", &format!("{scheme}://localhost:{port}"), "--trust", root.to_str().unwrap()])
    };
    let mail: Words = &[
        (b"", b"220 mail ESMTP\r\n"),
        (b"EHLO tagwise.invalid\r\n", b"250-mail\r\n250-STARTTLS\r\n250 8BITMIME\r\n"),
        (b"STARTTLS\r\n", b"220 go ahead\r\n"),
    ];
    let directory: Words = &[(
        b"\x30\x1D\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037",
        b"\x30\x0C\x02\x01\x01\x78\x07\x0A\x01\x00\x04\x00\x04\x00",
    )];
    let database: Words = &[(&[0, 0, 0, 8, 4, 210, 22, 47], b"S")];
    for (scheme, words) in [("smtp+starttls", mail), ("ldap+starttls", directory), ("postgres", database)] {
        let run = show(scheme, front(server.port, words));
        assert_eq!(run.code, Some(0), "{scheme}: {}{}", run.out, run.err);
        assert!(run.out.contains(": valid\n"), "{}", run.out);
    }
    let run = show("postgres", front(server.port, &[(&[0, 0, 0, 8, 4, 210, 22, 47], b"N")]));
    assert!(run.code == Some(3) && run.err.contains("the server does not do TLS"), "{}", run.err);
}

#[test]
fn nothing_to_show() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = unused.local_addr().unwrap().port();
    drop(unused);
    let run = tagwise(&["show", &format!("tls://127.0.0.1:{port}")]);
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""));
    assert!(run.err.contains("Connection refused"), "{}", run.err);
    // One that says nothing, and one that never stops.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let start = Instant::now();
    let run = tagwise(&["show", &format!("tls://127.0.0.1:{port}"), "--timeout", "1"]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("longer than --timeout allows"), "{}", run.err);
    assert!(start.elapsed() < Duration::from_secs(10));
    let endless = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = endless.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((mut socket, _)) = endless.accept() {
            while socket.write_all(b"HTTP/1.1 400 Bad Request\r\n").is_ok() {}
        }
    });
    for scheme in ["tls", "smtp+starttls", "ldap+starttls", "postgres"] {
        let start = Instant::now();
        let run = tagwise(&["show", &format!("{scheme}://127.0.0.1:{port}"), "--timeout", "5"]);
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{scheme}: {}", run.err);
        assert!(start.elapsed() < Duration::from_secs(4), "{scheme}");
    }
    for (address, why) in [
        ("tls://", "not a host name"),
        ("tls://localhost:0", "is no port"),
        ("tls://::1", "in brackets"),
        ("https://localhost/", "say tls://HOST:PORT"),
    ] {
        let run = tagwise(&["show", address]);
        assert!(run.code == Some(2) && run.err.contains(why), "{address}: {}", run.err);
    }
    let run = tagwise(&["show", "--json", &format!("tls://127.0.0.1:{port}")]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert!(document["files"][0]["error"].is_string());
}

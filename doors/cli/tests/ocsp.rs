//! `tagwise ocsp ask`, with this program's responder and OpenSSL's.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod common;
#[path = "common/web.rs"]
mod web;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::openssl::has_openssl;
use common::{Run, tagwise};
use serde_json::Value;
use web::{Hierarchy, Served, port, says};

fn ask(hierarchy: &Hierarchy, more: &[&str]) -> Run {
    let (leaf, issuer) = (hierarchy.at("www.pem"), hierarchy.at("sub.pem"));
    tagwise(&[&["ocsp", "ask", &leaf, "--issuer", &issuer], more].concat())
}

#[test]
fn our_responder() {
    let hierarchy = Hierarchy::new(&["--ocsp-url"]);
    hierarchy.issue("other");
    let servers = hierarchy.serve();
    let url = format!("http://localhost:{}/", hierarchy.ports[1]);
    for more in [&["--local"][..], &["--url", &url], &["--url", &url, "--nonce"], &["--local", "--get"]] {
        let run = ask(&hierarchy, more);
        assert_eq!(run.code, Some(0), "{more:?}: {}{}", run.out, run.err);
        assert!(run.out.contains("www.pem: good\n") && run.out.contains(&format!("URL:         {url}")), "{}", run.out);
    }
    // The response is evidence for verify.
    let (response, sub) = (hierarchy.at("www.ocsp"), hierarchy.at("sub.pem"));
    assert_eq!(ask(&hierarchy, &["--local", "-o", &response]).code, Some(0));
    let leaf = hierarchy.at("www.pem");
    let with = ["--ocsp", &response, "--revocation", "require"];
    let run = tagwise(&[&["verify", &leaf, "--trust", &sub], &with[..]].concat());
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    // Certificate and issuer are found among others.
    let all = |name: &str, parts: &[&str]| {
        let text: String = parts.iter().map(|part| std::fs::read_to_string(hierarchy.at(part)).unwrap()).collect();
        std::fs::write(hierarchy.at(name), text).unwrap();
        hierarchy.at(name)
    };
    let (chain, issuers) = (all("chain.pem", &["root.pem", "www.pem"]), all("issuers.pem", &["root.pem", "sub.pem"]));
    let run = tagwise(&["ocsp", "ask", &chain, "--issuer", &issuers, "--local"]);
    assert!(run.code == Some(0) && run.out.contains("chain.pem: good\n"), "{}{}", run.out, run.err);
    hierarchy.revoke("www");
    let run = ask(&hierarchy, &["--local", "--nonce"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("REVOKED") && run.out.contains("(keyCompromise)"), "{}", run.out);
    let run = ask(&hierarchy, &["--local", "--json"]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &document["status"]), (Some(1), &"revoked".into()), "{document}");
    let response = &document["response"];
    assert_eq!((&response["status"], &response["revocation_reason"]), (&"revoked".into(), &"keyCompromise".into()));
    assert!(document["reason"].as_str().unwrap().contains("revoked on"), "{document}");
    // A loopback address in a certificate needs an option.
    let run = ask(&hierarchy, &[]);
    assert!(run.code == Some(4) && run.out.contains("is local, and not contacted"), "{}{}", run.out, run.err);
    // Another issuer's certificate is a mistake.
    let run = tagwise(&["ocsp", "ask", &leaf, "--issuer", &hierarchy.at("root.pem"), "--local"]);
    assert!(run.code == Some(2) && run.err.contains("not the issuer"), "{}", run.err);
    drop(servers);
    let run = ask(&hierarchy, &["--local"]);
    assert!(run.code == Some(4) && run.out.contains("Connection refused"), "{}{}", run.out, run.err);
    let run = ask(&hierarchy, &["--url", "https://ocsp.example.org/"]);
    assert!(run.code == Some(4) && run.out.contains("unsupported scheme https"), "{}{}", run.out, run.err);
    // Of the root there is no certificate with a URL.
    let root = hierarchy.at("root.pem");
    let run = tagwise(&["ocsp", "ask", &root, "--issuer", &root]);
    assert!(run.code == Some(2) && run.err.contains("pass --url"), "{}", run.err);
}

/// A responder with a delegated certificate, which this CA issues by itself.
#[test]
fn delegated_responders() {
    let hierarchy = Hierarchy::new(&["--ocsp-url"]);
    let server =
        Served::start(hierarchy.folder.path().join("sub.db").as_path(), hierarchy.ports[1], &["--delegate-days", "7"]);
    let run = ask(&hierarchy, &["--local", "--nonce"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    drop(server);
    // The root's responder is not authorized for certificates of the CA below it.
    let root = hierarchy.folder.path().join("root.db");
    let _server = Served::start(&root, hierarchy.ports[1], &[]);
    let run = ask(&hierarchy, &["--local"]);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(run.out.contains("UNKNOWN"), "{}", run.out);
}

/// Responses that do not help: the status is unknown, never good.
#[test]
fn useless_responses() {
    let http =
        |body: &[u8]| [format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
    let hierarchy = Hierarchy::new(&["--ocsp-url"]);
    hierarchy.issue("other");
    let servers = hierarchy.serve();
    let saved = hierarchy.at("saved.ocsp");
    let other = hierarchy.at("other.pem");
    let run = tagwise(&["ocsp", "ask", &other, "--issuer", &hierarchy.at("sub.pem"), "--local", "-o", &saved]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let of_other = std::fs::read(&saved).unwrap();
    assert_eq!(ask(&hierarchy, &["--local", "-o", &saved]).code, Some(0));
    let own = std::fs::read(&saved).unwrap();
    drop(servers);
    let mut forged = own.clone();
    *forged.last_mut().unwrap() ^= 1;
    for (what, answer, nonce, why) in [
        ("try later", http(b"\x30\x03\x0A\x01\x03"), false, "TryLater"),
        ("empty", http(b""), false, ""),
        ("text", http(b"<html>"), false, ""),
        ("another certificate", http(&of_other), false, ""),
        ("forged", http(&forged), false, ""),
        ("replayed", http(&own), true, "its nonce is missing"),
        ("failing", b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".to_vec(), false, "status 503"),
    ] {
        let port = port();
        says(port, answer, b"");
        let url = format!("http://127.0.0.1:{port}/");
        let more = if nonce { &["--nonce"][..] } else { &[] };
        let run = ask(&hierarchy, &[&["--url", &url, "--timeout", "5"], more].concat());
        assert_eq!(run.code, Some(4), "{what}: {}{}", run.out, run.err);
        assert!(run.out.contains("UNKNOWN") && run.out.contains(why), "{what}: {}", run.out);
    }
    let port = port();
    says(port, http(&own), b"");
    let run = ask(&hierarchy, &["--url", &format!("http://127.0.0.1:{port}/")]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

/// A running `openssl ocsp`.
struct Responder(Child);

impl Responder {
    fn start(folder: &Path, port: u16, signer: &str) -> Self {
        let mut command = Command::new("openssl");
        command.current_dir(folder).args(["ocsp", "-index", "index.txt", "-CA", "ca.pem", "-nmin", "5"]);
        command.args([
            "-port",
            &port.to_string(),
            "-rsigner",
            &format!("{signer}.pem"),
            "-rkey",
            &format!("{signer}.key"),
        ]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let (mut line, start) = (String::new(), Instant::now());
        while !line.contains("waiting for OCSP client connections") {
            line.clear();
            assert!(err.read_line(&mut line).unwrap() > 0 && start.elapsed() < Duration::from_secs(20), "it ended");
        }
        std::thread::spawn(move || std::io::copy(&mut err, &mut std::io::sink()));
        Self(child)
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn openssls_responder() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let run = |args: &[&str]| {
        let run = tagwise(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
        run.out
    };
    run(&["key", "new", "ecdsa-p256", "--no-passphrase", "-o", &at("ca.key")]);
    let made = ["cert", "self-signed", "--ca", "--subject", "CN=Test CA", "--key", &at("ca.key"), "-o", &at("ca.pem")];
    run(&made);
    run(&[
        "ca",
        "init",
        "--db",
        &at("ca.db"),
        "--key",
        &at("ca.key"),
        "--certificate",
        &at("ca.pem"),
        "--no-history",
        "--no-passphrase",
        "-o",
        "/dev/null",
    ]);
    let mut index = String::new();
    for (name, profile, entry) in [
        ("good", "server", "V\t991231235959Z\t\t"),
        ("bad", "server", "R\t991231235959Z\t260101000000Z,keyCompromise\t"),
        ("unknown", "server", ""),
        ("ocsp", "ocsp", ""),
    ] {
        let (key, pem) = (at(&format!("{name}.key")), at(&format!("{name}.pem")));
        let mut issue = vec!["ca", "issue", "--db"];
        let (db, subject) = (at("ca.db"), format!("CN={name}.example.org"));
        issue.extend([
            &db,
            "--profile",
            profile,
            "--new-key",
            "ecdsa-p256",
            "--key-out",
            &key,
            "--key-no-passphrase",
            "-o",
            &pem,
        ]);
        match profile {
            "server" => issue.extend(["--dns", "www.example.org"]),
            _ => issue.extend(["--subject", &subject]),
        }
        run(&issue);
        if !entry.is_empty() {
            let serial = run(&["get", "serial", &pem]).trim().replace(':', "").to_uppercase();
            index.push_str(&format!("{entry}{serial}\tunknown\t/CN={name}\n"));
        }
    }
    std::fs::write(at("index.txt"), index).unwrap();
    for signer in ["ca", "ocsp"] {
        let port = port();
        let _responder = Responder::start(folder, port, signer);
        let url = format!("http://localhost:{port}/");
        for (name, code, word) in [("good", 0, ": good\n"), ("bad", 1, ": REVOKED\n"), ("unknown", 4, ": UNKNOWN\n")] {
            for more in [&[][..], &["--nonce"], &["--get"]] {
                let pem = at(&format!("{name}.pem"));
                let ask = ["ocsp", "ask", &pem, "--issuer", &at("ca.pem"), "--url", &url];
                let run = tagwise(&[&ask[..], more].concat());
                assert_eq!(run.code, Some(code), "{signer} {name} {more:?}: {}{}", run.out, run.err);
                assert!(run.out.contains(word), "{}", run.out);
            }
        }
    }
    // What the translation of a command line of OpenSSL gives is this command.
    let line = "openssl ocsp -issuer ca.pem -cert good.pem -url http://localhost:1/ -nonce";
    let told = run(&["from-openssl", line]);
    assert_eq!(told.trim(), "tagwise ocsp ask good.pem --issuer ca.pem --url http://localhost:1/ --nonce");
}

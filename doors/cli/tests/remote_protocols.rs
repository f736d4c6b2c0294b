//! `tagwise verify`, `show` and `check` of servers by protocol: dialogs before TLS, server names, client certificates, and old
//! servers.
#![cfg(feature = "tls")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;
#[path = "common/servers.rs"]
mod servers;

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

use common::openssl::has_openssl;
use common::{Run, tagwise};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::Value;
use servers::{Server, Words, front, made};

/// Verifies a server below the folder's root.
fn verify(folder: &Path, address: &str, more: &[&str]) -> Run {
    let root = folder.join("root.pem");
    tagwise(&[&["verify", address, "--trust", root.to_str().unwrap()], more].concat())
}

/// A key and a certificate of the folder's CA.
fn issue(folder: &Path, kind: &str, name: &str, more: &[&str]) {
    let at = |end: &str| folder.join(format!("{name}.{end}")).to_str().unwrap().to_owned();
    let (key, public, leaf) = (at("key"), at("pub"), at("pem"));
    let db = folder.join("ca.db");
    let run = tagwise(&["key", "new", kind, "--no-passphrase", "-o", &key, "--public", &public]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let base = ["ca", "issue", "--db", db.to_str().unwrap(), "--public-key", &public, "-o", &leaf];
    let run = tagwise(&[&base, more].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
}

const XMPP: &[u8] = b"<?xml version='1.0'?><stream:stream to='localhost' xmlns='jabber:client' \
                      xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>";
const XMPP_FEATURES: &[u8] = b"<?xml version='1.0'?><stream:stream from='localhost'><stream:features>\
                               <starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>";
const XMPP_ASK: &[u8] = b"<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";
const XMPP_GO: &[u8] = b"<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";
const MYSQL: &[u8] = b"\x20\0\0\0\x0A8.0.40\0\x01\0\0\0abcdefgh\0\xFF\xFF\x21\x02\0\0\0\x15\0\0\0";
const MYSQL_ASK: &[u8] = b"\x20\0\0\x01\0\x8A\0\0\0\0\0\x01\x21\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// The dialogs by scheme: what the client says, and the server's answer.
const DIALOGS: &[(&str, Words)] = &[
    ("imap", &[(b"", b"* OK hi\r\n"), (b"a STARTTLS\r\n", b"a OK go\r\n")]),
    ("pop3", &[(b"", b"+OK hi\r\n"), (b"STLS\r\n", b"+OK go\r\n")]),
    ("ftp", &[(b"", b"220-hi\r\n220 ready\r\n"), (b"AUTH TLS\r\n", b"234 go\r\n")]),
    ("nntp", &[(b"", b"200 hi\r\n"), (b"STARTTLS\r\n", b"382 go\r\n")]),
    ("sieve", &[(b"", b"\"STARTTLS\"\r\nOK\r\n"), (b"STARTTLS\r\n", b"OK\r\n")]),
    (
        "smtp",
        &[(b"", b"220 hi\r\n"), (b"EHLO tagwise.invalid\r\n", b"250 STARTTLS\r\n"), (b"STARTTLS\r\n", b"220 go\r\n")],
    ),
    (
        "lmtp",
        &[(b"", b"220 hi\r\n"), (b"LHLO tagwise.invalid\r\n", b"250 STARTTLS\r\n"), (b"STARTTLS\r\n", b"220 go\r\n")],
    ),
    ("xmpp", &[(XMPP, XMPP_FEATURES), (XMPP_ASK, XMPP_GO)]),
    ("mysql", &[(b"", MYSQL), (MYSQL_ASK, b"")]),
    (
        "ldap",
        &[(
            b"\x30\x1D\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037",
            b"\x30\x0C\x02\x01\x01\x78\x07\x0A\x01\x00\x04\x00\x04\x00",
        )],
    ),
    ("postgres", &[(&[0, 0, 0, 8, 4, 210, 22, 47], b"S")]),
];

#[test]
fn protocols() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    let server = Server::start(folder, "ecdsa-p256", "");
    for (scheme, words) in DIALOGS {
        let address = |port: u16| format!("{scheme}://localhost:{port}");
        let run = verify(folder, &address(front(server.port, words)), &[]);
        assert_eq!(run.code, Some(0), "{scheme}: {}{}", run.out, run.err);
        assert!(run.out.contains(": valid\n") && run.out.contains("name DNS:localhost"), "{}", run.out);
        let run = tagwise(&["check", &address(front(server.port, words))]);
        assert!(run.code == Some(0) && run.out.starts_with("all 1 valid"), "{scheme}: {}{}", run.out, run.err);
    }
    for scheme in ["imaps", "pop3s", "smtps", "ldaps", "ftps", "nntps", "xmpps"] {
        let run = verify(folder, &format!("{scheme}://localhost:{}", server.port), &[]);
        assert_eq!(run.code, Some(0), "{scheme}: {}{}", run.out, run.err);
    }
}

/// RFC 3207 §4.2 and CVE-2011-0411: what a server, or someone between, sends in the clear after the consent is not taken for TLS.
#[test]
fn plaintext_after_the_consent() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("root.pem"), include_str!("data/root.pem")).unwrap();
    for (scheme, words) in DIALOGS {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            use std::io::{Read, Write};
            let (mut client, _) = listener.accept().unwrap();
            let (last, rest) = words.split_last().unwrap();
            for (heard, said) in rest {
                client.read_exact(&mut vec![0; heard.len()]).unwrap();
                client.write_all(said).unwrap();
            }
            client.read_exact(&mut vec![0; last.0.len()]).unwrap();
            // In one write with the consent.
            client.write_all(&[last.1, b"250 injected\r\n"].concat()).unwrap();
            let _ = client.read(&mut [0; 4096]);
        });
        let run = verify(folder.path(), &format!("{scheme}://localhost:{port}"), &["--timeout", "5"]);
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{scheme}: {}", run.err);
        assert!(run.err.contains("the server sent plaintext instead of TLS"), "{scheme}: {}", run.err);
        server.join().unwrap();
    }
}

/// A refusal is an error, with the server's words.
#[test]
fn refusals() {
    for (scheme, says, why) in [
        ("imap", &b"* BYE busy\r\n"[..], "the server says: * BYE busy"),
        ("pop3", b"-ERR no\r\n", "the server says: -ERR no"),
        ("ftp", b"421 later\r\n", "the server says: 421 later"),
        ("nntp", b"400 later\r\n", "the server says: 400 later"),
        ("mysql", b"\x0B\0\0\0\xFF\x10\x04too many", "the server says: too many"),
        ("sieve", b"BYE\r\n", "the server says: BYE"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            use std::io::{Read, Write};
            let (mut client, _) = listener.accept().unwrap();
            client.write_all(says).unwrap();
            let _ = client.read(&mut [0; 4096]);
        });
        let run = tagwise(&["show", &format!("{scheme}://localhost:{port}"), "--timeout", "5"]);
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{scheme}: {}", run.err);
        assert!(run.err.contains(why), "{scheme}: {}", run.err);
        server.join().unwrap();
    }
}

#[test]
fn names_of_servers() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    issue(folder, "ecdsa-p256", "www", &["--dns", "www.example.org"]);
    let server = Server::start(folder, "ecdsa-p256", "-servername www.example.org -cert2 www.pem -key2 www.key");
    let address = format!("tls://127.0.0.1:{}", server.port);
    // Without a name, by its address.
    let run = verify(folder, &address, &[]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("name IP:127.0.0.1") || run.out.contains("127.0.0.1"), "{}", run.out);
    // The name is sent, and expected.
    for command in ["verify", "show"] {
        let root = folder.join("root.pem");
        let run = tagwise(&[command, &address, "--servername", "www.example.org", "--trust", root.to_str().unwrap()]);
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert!(run.out.contains("name DNS:www.example.org"), "{}", run.out);
    }
    let run = tagwise(&["check", "--format", "openmetrics", &address, "--servername", "www.example.org"]);
    assert!(run.code == Some(0) && run.out.contains("www.example.org"), "{}{}", run.out, run.err);
    let run = verify(folder, &address, &["--servername", "mail.example.org"]);
    assert!(run.code == Some(1) && run.out.contains("do not include DNS:mail.example.org"), "{}", run.out);
    // --host is the name that the certificate must have.
    let run = verify(folder, &address, &["--host", "localhost"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let run = verify(folder, &address, &["--host", "www.example.org"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let run = verify(folder, &address, &["--json"]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let result = &document["results"][0];
    assert_eq!((&result["status"], &result["tls"]["key_proven"]), (&"valid".into(), &true.into()));
    assert_eq!((&result["tls"]["version"], &result["file"]), (&"TLS 1.3".into(), &address.as_str().into()));
}

#[test]
fn client_certificates() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    issue(folder, "ecdsa-p256", "eva", &["--profile", "client", "--subject", "CN=eva", "--email", "eva@example.org"]);
    let both = ["eva.pem", "eva.key"].map(|name| std::fs::read_to_string(folder.join(name)).unwrap()).concat();
    std::fs::write(folder.join("both.pem"), both).unwrap();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for version in ["-tls1_2", "-tls1_3"] {
        let more = format!("{version} -Verify 1 -verify_return_error -CAfile root.pem");
        let server = Server::start(folder, "ecdsa-p256", &more);
        let address = format!("tls://localhost:{}", server.port);
        let run = verify(folder, &address, &[]);
        assert!(run.out.contains("Client:      the server requested a certificate, and none was sent"), "{}", run.out);
        for given in [
            &["--client-certificate", &at("eva.pem"), "--client-key", &at("eva.key")][..],
            &["--client-certificate", &at("both.pem")],
        ] {
            let run = verify(folder, &address, given);
            assert_eq!(run.code, Some(0), "{version}: {}{}", run.out, run.err);
            assert!(run.out.contains("requested a certificate, and it was sent"), "{}", run.out);
            assert!(!run.out.contains("aborted"), "{}", run.out);
        }
    }
    let server = Server::start(folder, "ecdsa-p256", "");
    let address = format!("tls://localhost:{}", server.port);
    let run = verify(folder, &address, &["--client-certificate", &at("both.pem")]);
    assert!(run.code == Some(0) && !run.out.contains("Client:"), "{}", run.out);
    let run = verify(folder, &address, &["--client-certificate", &at("eva.pem")]);
    assert!(run.code == Some(3) && run.err.contains("expected a private key"), "{}{}", run.out, run.err);
}

/// Old versions and RSA key exchange are named. Such a server may have its key or not: this is not known.
#[test]
fn old_servers() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    for (more, version, why) in [
        ("-tls1 -cipher ALL:@SECLEVEL=0", "TLS 1.0", "supports at most TLS 1.0, which is obsolete (RFC 8996 §2)"),
        ("-tls1_1 -cipher ALL:@SECLEVEL=0", "TLS 1.1", "supports at most TLS 1.1, which is obsolete (RFC 8996 §2)"),
        ("-tls1_2 -cipher AES128-GCM-SHA256", "TLS 1.2", "it uses RSA key exchange, without forward secrecy"),
        ("-tls1 -cipher AES128-SHA:@SECLEVEL=0", "TLS 1.0", "it uses RSA key exchange, without forward secrecy"),
        ("-tls1_2 -cipher DHE-RSA-AES128-GCM-SHA256", "TLS 1.2", "finite-field Diffie-Hellman key exchange"),
    ] {
        let server = Server::start(folder, "rsa2048", more);
        let address = format!("tls://localhost:{}", server.port);
        let run = verify(folder, &address, &[]);
        assert_eq!(run.code, Some(4), "{more}: {}{}", run.out, run.err);
        assert!(run.out.contains("NOT KNOWN") && run.out.contains(why), "{more}: {}", run.out);
        assert!(run.out.contains(&format!("Connection:  {version}, TLS_")), "{more}: {}", run.out);
        let run = server.show(folder, "localhost", &["--json"]);
        let document: Value = serde_json::from_str(&run.out).unwrap();
        let tls = &document["files"][0]["tls"];
        assert_eq!((&tls["status"], &tls["key_proven"]), (&"undecided".into(), &false.into()));
        assert_eq!(tls["verification"]["status"], "valid");
        assert!(tls["handshake_error"].as_str().unwrap().contains(why), "{tls}");
        // A certificate that is not valid is not valid, whoever has its key.
        let run = verify(folder, &address, &["--servername", "mail.example.org"]);
        assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
        // Its validity is checked as any other's.
        let run = tagwise(&["check", &address]);
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    }
}

/// A server with a post-quantum key signs the handshake with it (draft-ietf-tls-mldsa).
#[test]
fn post_quantum_servers() {
    let folder = made();
    let folder = folder.path();
    for kind in ["ml-dsa-44", "ml-dsa-65"] {
        issue(folder, kind, kind, &["--dns", "localhost"]);
        let der = |name: String| {
            let text = std::fs::read(folder.join(name)).unwrap();
            tagwise_codec::pem::blocks(&text).next().unwrap().unwrap().decode().unwrap()
        };
        let chain = vec![CertificateDer::from(der(format!("{kind}.pem")))];
        let key = PrivateKeyDer::Pkcs8(der(format!("{kind}.key")).into());
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = Arc::new(config.unwrap().with_no_client_auth().with_single_cert(chain, key).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let mut connection = rustls::ServerConnection::new(config).unwrap();
            while connection.is_handshaking() && connection.complete_io(&mut socket).is_ok() {}
        });
        let run = verify(folder, &format!("tls://localhost:{port}"), &[]);
        assert_eq!(run.code, Some(0), "{kind}: {}{}", run.out, run.err);
        server.join().unwrap();
    }
}

//! `tagwise show tls://…`: what servers on the loopback interface send, and the verdict on it.
#![cfg(feature = "tls")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;
#[path = "common/servers.rs"]
mod servers;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use common::openssl::has_openssl;
use common::tagwise;
use serde_json::Value;
use servers::{Server, Words, front, made, self_signed};

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
        // A private root may have any key; a key of Ed25519 is not one of the web's.
        assert_eq!(run.code, Some(0), "{kind} {more}: {}{}", run.out, run.err);
        assert!(
            run.out.contains(
                "profile rfc5280 with purpose-chain, key-size, weak-digest, key-usage (not a publicly trusted root)"
            ),
            "{}",
            run.out
        );
        let good = kind != "ed25519";
        let run = server.show(folder, "localhost", &["--profile", "webpki"]);
        assert_eq!(run.code, Some(i32::from(!good)), "{kind} {more}: {}{}", run.out, run.err);
        assert!(run.out.starts_with("certificate 1 of 1  tls://localhost:"), "{}", run.out);
        assert!(run.out.contains(&format!("  Connection:  {version}, ")), "{}", run.out);
        assert!(
            run.out.contains(if good { ": valid\n" } else { ": NOT VALID\n  Reason:      key-size" }),
            "{}",
            run.out
        );
        // Another name, and an address.
        assert_eq!(server.show(folder, "127.0.0.1", &[]).code, Some(0));
        let run = server.show(folder, "localhost.", &["--at", "2100-01-01"]);
        assert_eq!(run.code, Some(1));
        assert!(run.out.contains("validity: expired on "), "{}", run.out);
    }
}

/// `check`, and the fields of `show`, read the certificates of a server.
#[test]
fn validity_and_fields_of_a_server() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let server = Server::start(folder.path(), "ecdsa-p256", "");
    let address = format!("tls://localhost:{}", server.port);
    let run = tagwise(&["check", &address]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("all 1 valid at least until "), "{}", run.out);
    let run = tagwise(&["check", "--expires-within", "91d", &address]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.starts_with("expires in ") && run.out.contains(&address), "{}", run.out);
    let run = tagwise(&["check", "--format", "nagios", "--expires-within", "91d", &address]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.out.starts_with("CERTIFICATES WARNING - 0 critical, 1 expiring soon, of 1: "), "{}", run.out);
    let run = server.show(folder.path(), "localhost", &["--san", "--eku"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("san=DNS:localhost, IP:127.0.0.1\neku=serverAuth\n"), "{}", run.out);
}

/// `get` and `convert` read the certificates of a server.
#[test]
fn parts_of_the_certificate_of_a_server() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    let server = Server::start(folder, "ecdsa-p256", "-cert_chain root.pem");
    let address = format!("tls://localhost:{}", server.port);
    let [leaf, root] = ["ecdsa-p256.pem", "root.pem"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let serial = |file: &str| tagwise(&["get", "serial", file]).out;
    let run = tagwise(&["get", "serial", &address]);
    assert_eq!((run.code, run.out), (Some(0), serial(&leaf) + &serial(&root)), "{}", run.err);
    let run = tagwise(&["get", "--first", "serial", &address, "--servername", "localhost"]);
    assert_eq!((run.code, run.out), (Some(0), serial(&leaf)), "{}", run.err);
    let converted = folder.join("converted.pem");
    let run =
        tagwise(&["convert", "--to", "pem", "--first", "certificate", &address, "-o", converted.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(serial(converted.to_str().unwrap()), serial(&leaf));
    drop(server);
    assert_eq!(tagwise(&["get", "serial", "tls://localhost:1"]).code, Some(3));
    assert_eq!(tagwise(&["get", "serial", "tls://"]).code, Some(2));
}

/// RFC 7633 §4.2.3.1.
#[test]
fn a_certificate_that_demands_a_staple() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    self_signed(folder, "staple", "/CN=localhost", &["subjectAltName=DNS:localhost", "tlsfeature=status_request"]);
    let server = Server::start(folder, "staple", "");
    let run = server.show(folder, "localhost", &["--trust", folder.join("staple.pem").to_str().unwrap()]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(
        run.out.contains("must-staple: the certificate requires a stapled OCSP response, but the server sent none"),
        "{}",
        run.out
    );
    assert!(run.out.contains("Hint:        --allow must-staple disables this rule"), "{}", run.out);
    let trusted = folder.join("staple.pem");
    let run = server.show(folder, "localhost", &["--trust", trusted.to_str().unwrap(), "--allow", "must-staple"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
}

/// A wrong host is told as one, whatever else a profile asks of the names.
#[test]
fn another_host() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    self_signed(folder, "other", "/CN=Intranet", &["subjectAltName=DNS:www.corp.example"]);
    let server = Server::start(folder, "other", "");
    let trusted = folder.join("other.pem");
    for more in [&[][..], &["--profile", "webpki"]] {
        let run = server.show(folder, "localhost", &[&["--trust", trusted.to_str().unwrap()], more].concat());
        assert_eq!(run.code, Some(1), "{}", run.out);
        let said = "Reason:      peer-name: the alternative names do not include DNS:localhost";
        assert!(run.out.contains(said) && run.out.contains("Its names:   DNS:www.corp.example"), "{}", run.out);
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
        run.out.contains("certificate 2 of 2")
            && run.out.contains("no-issuer: CN=Root is self-issued and not a trust anchor"),
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
        assert_eq!(run.out.contains("aborted after the certificates"), version == "-tls1_2", "{}", run.out);
    }
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
    assert!(run.code == Some(3) && run.err.contains("the server does not support TLS"), "{}", run.err);
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
    assert!(run.err.contains("the server exceeded the time set by --timeout"), "{}", run.err);
    assert!(start.elapsed() < Duration::from_secs(10));
    let endless = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = endless.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((mut socket, _)) = endless.accept() {
            while socket.write_all(b"HTTP/1.1 400 Bad Request\r\n").is_ok() {}
        }
    });
    for scheme in [
        "tls",
        "smtp+starttls",
        "ldap+starttls",
        "postgres",
        "imap",
        "pop3",
        "ftp",
        "nntp",
        "sieve",
        "lmtp",
        "xmpp",
        "mysql",
    ] {
        let start = Instant::now();
        let run = tagwise(&["show", &format!("{scheme}://127.0.0.1:{port}"), "--timeout", "5"]);
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{scheme}: {}", run.err);
        assert!(start.elapsed() < Duration::from_secs(4), "{scheme}");
    }
    for (address, why) in [
        ("tls://", "not a host name"),
        ("tls://localhost:0", "is not a port number"),
        ("tls://::1", "in brackets"),
        ("https://localhost/", "use tls://HOST:PORT"),
    ] {
        let run = tagwise(&["show", address]);
        assert!(run.code == Some(2) && run.err.contains(why), "{address}: {}", run.err);
    }
    let run = tagwise(&["show", "--json", &format!("tls://127.0.0.1:{port}")]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert!(document["files"][0]["error"].is_string());
}

/// One record of TLS 1.2 with one handshake message.
fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let len = |len: usize| u32::try_from(len).unwrap().to_be_bytes();
    let message = [&[kind], &len(body.len())[1..], body].concat();
    [&[22, 3, 3], &len(message.len())[2..], &message].concat()
}

/// A server that sends certificates of somebody else, a signature that nobody made, and says no more (RFC 5246 §7.4).
fn impostor(chain: &[Vec<u8>], scheme: [u8; 2]) -> u16 {
    let list: Vec<u8> =
        chain.iter().flat_map(|der| [&[0], &(der.len() as u16).to_be_bytes()[..], der].concat()).collect();
    let list = [&[0], &(list.len() as u16).to_be_bytes()[..], &list].concat();
    // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, no session, no extensions.
    let hello = [&[3, 3][..], &[7; 32], &[0, 0xC0, 0x2B, 0]].concat();
    // The base point of X25519, and a signature of 64 bytes.
    let point = [&[9], &[0; 31][..]].concat();
    let exchange = [&[3, 0, 0x1D, 32][..], &point, &scheme, &[0, 64], &[1; 64]].concat();
    let flight = [message(2, &hello), message(11, &list), message(12, &exchange), message(14, &[])].concat();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((mut socket, _)) = listener.accept() {
            let mut hello = [0; 2048];
            let _ = socket.read(&mut hello);
            let _ = socket.write_all(&flight);
            // What it answers is read, so that it sees all of this.
            let _ = socket.set_read_timeout(Some(Duration::from_millis(500)));
            while socket.read(&mut hello).is_ok_and(|len| len > 0) {}
        }
    });
    port
}

/// Whoever has not shown that it has the key is not valid, whatever it sends.
#[test]
fn somebody_elses_certificates() {
    let folder = made();
    let root = folder.path().join("root.pem");
    let der = |name: &str| {
        let text = std::fs::read(folder.path().join(name)).unwrap();
        tagwise_codec::pem::blocks(&text).next().unwrap().unwrap().decode().unwrap()
    };
    let chain = [der("ecdsa-p256.pem"), der("root.pem")];
    // Signed by a scheme that is not the suite's, so that the handshake ends before the signature is looked at; and badly signed.
    for (scheme, said, error) in [
        ([4, 1], "Handshake:   NOT signed: the server has not proved", None),
        ([4, 3], "Handshake:   NOT signed with the certificate's key: ", Some("BadSignature")),
    ] {
        let address = format!("tls://localhost:{}", impostor(&chain, scheme));
        for more in [&[][..], &["--text=openssl"]] {
            let run = tagwise(&[&["show", &address, "--trust", root.to_str().unwrap()], more].concat());
            assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
            assert!(run.out.contains(": NOT VALID\n") && run.out.contains(said), "{}", run.out);
            // The certificates are good, and shown.
            assert!(run.out.contains("Path:        0  ") && run.out.contains("CN=Root (trust anchor)"), "{}", run.out);
        }
        let run = tagwise(&["show", &address, "--trust", root.to_str().unwrap(), "--json"]);
        assert_eq!(run.code, Some(1));
        let document: Value = serde_json::from_str(&run.out).unwrap();
        let tls = &document["files"][0]["tls"];
        assert_eq!((&tls["status"], &tls["key_proven"]), (&"invalid".into(), &false.into()));
        assert_eq!(tls["verification"]["status"], "valid");
        assert_eq!(
            tls["signature_error"].as_str().map(|said| said.contains(error.unwrap_or("?"))),
            error.map(|_| true)
        );
    }
}

#[test]
fn verdicts_below_openssls_text() {
    if !has_openssl() {
        return;
    }
    let folder = made();
    let folder = folder.path();
    let server = Server::start(folder, "ecdsa-p256", "");
    let run = server.show(folder, "localhost", &["--text=openssl"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("Certificate:\n    Data:\n") && run.out.contains("\ntls://localhost:"), "{}", run.out);
    assert!(run.out.contains(": valid\n"), "{}", run.out);
    let run = tagwise(&["show", &format!("tls://localhost:{}", server.port), "--trust", "mozilla", "--text=openssl"]);
    assert!(run.code == Some(1) && run.out.contains(": NOT VALID\n"), "{}", run.out);
}

/// A chain that is longer than the budget allows: neither valid nor not.
#[test]
fn undecided() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let make = |number: usize, more: &str| {
        let new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30";
        let line = format!("{new} -keyout {number}.key -out {number}.pem {more}");
        let words: Vec<&str> = line.split(' ').collect();
        let output = Command::new("openssl").current_dir(folder.path()).args(&words).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let ca = "-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign";
    make(0, &format!("-subj /CN=0 {ca}"));
    (1..22).for_each(|number| {
        let above = number - 1;
        make(number, &format!("-subj /CN={number} -CA {above}.pem -CAkey {above}.key {ca}"));
    });
    let end = "-addext basicConstraints=critical,CA:FALSE -addext keyUsage=critical,digitalSignature";
    make(
        22,
        &format!(
            "-subj /CN=localhost -CA 21.pem -CAkey 21.key {end} -addext subjectAltName=DNS:localhost -addext extendedKeyUsage=serverAuth"
        ),
    );
    let read = |number: usize| std::fs::read_to_string(folder.path().join(format!("{number}.pem"))).unwrap();
    let chain: String = (1..22).rev().map(read).collect();
    std::fs::write(folder.path().join("chain.pem"), chain).unwrap();
    std::fs::copy(folder.path().join("0.pem"), folder.path().join("root.pem")).unwrap();
    let server = Server::start(folder.path(), "22", "-cert_chain chain.pem");
    let run = server.show(folder.path(), "localhost", &[]);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(run.out.contains(": NOT KNOWN\n") && run.out.contains("certificates in a path"), "{}", run.out);
    let run = server.show(folder.path(), "localhost", &["--json"]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let status = &document["files"][0]["tls"]["status"];
    assert_eq!((run.code, status, &document["exit_code"]), (Some(4), &"undecided".into(), &4.into()));
    // What is not valid weighs more.
    let run = server.show(folder.path(), "localhost", &["/dev/null"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
}

/// Servers that send a byte now and then, or a handshake without end, are left when their time or their bytes are spent.
#[test]
fn servers_that_never_end() {
    let serve = |each: &'static (dyn Fn(&mut TcpStream) -> bool + Sync)| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            while let Ok((mut socket, _)) = listener.accept() {
                let mut hello = [0; 2048];
                let _ = socket.read(&mut hello);
                std::thread::spawn(move || while each(&mut socket) {});
            }
        });
        port
    };
    // A record of TLS that is announced and comes a byte at a time: each byte comes in time, all of them do not.
    let dripping = serve(&|socket| {
        std::thread::sleep(Duration::from_millis(100));
        socket.write_all(&[22]).is_ok()
    });
    let slow = serve(&|socket| {
        let sent = [22, 3, 3, 0x40, 0, 2, 0, 0x3F, 0xFC].iter().all(|byte| {
            std::thread::sleep(Duration::from_millis(100));
            socket.write_all(&[*byte]).is_ok()
        });
        while sent && socket.write_all(&[0]).is_ok() {
            std::thread::sleep(Duration::from_millis(100));
        }
        false
    });
    // Warning alerts and empty records, as fast as it goes.
    let alerts = serve(&|socket| socket.write_all(&[21, 3, 3, 0, 2, 1, 90].repeat(1000)).is_ok());
    let empty = serve(&|socket| socket.write_all(&[22, 3, 3, 0, 0].repeat(1000)).is_ok());
    for (what, port) in [("dripping", dripping), ("slow", slow), ("alerts", alerts), ("empty", empty)] {
        let start = Instant::now();
        let run = tagwise(&["show", &format!("tls://127.0.0.1:{port}"), "--timeout", "2"]);
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{what}: {}", run.err);
        assert!(start.elapsed() < Duration::from_secs(8), "{what}: {:?}", start.elapsed());
        if what == "slow" {
            assert!(run.err.contains("the server exceeded the time set by --timeout"), "{}", run.err);
        }
    }
    // A dialogue before TLS that goes on and on.
    let lines = serve(&|socket| {
        std::thread::sleep(Duration::from_millis(20));
        socket.write_all(b"220-and more\r\n").is_ok()
    });
    let start = Instant::now();
    let run = tagwise(&["show", &format!("smtp+starttls://127.0.0.1:{lines}"), "--timeout", "2"]);
    assert!(run.code == Some(3) && start.elapsed() < Duration::from_secs(8), "{}", run.err);
}

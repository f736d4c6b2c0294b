//! Fetching over https, from `openssl s_server` on the loopback interface.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
#![cfg(all(unix, feature = "tls"))]

mod common;
#[path = "../../../crates/mtc/ct/tests/common/mod.rs"]
mod log;
#[path = "common/servers.rs"]
mod servers;

use common::tagwise;
use log::TestLog;
use servers::Server;

fn run(args: &[&str]) {
    let run = tagwise(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
}

#[test]
fn logs_over_https() {
    let folder = servers::made();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut log = TestLog::new();
    log.add_many(5, 1);
    std::fs::create_dir_all(at("ct/v1")).unwrap();
    std::fs::write(at("ct/v1/get-sth"), log.rfc6962("ct/v1/get-sth").unwrap()).unwrap();
    let (db, root, key) = (at("ca.db"), at("root.pem"), log.key_text());
    let public = at("ecdsa-p256.pub");
    run(&["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "other.example", "-o", &at("other.pem")]);
    std::fs::copy(at("ecdsa-p256.key"), at("other.key")).unwrap();
    for kind in ["ecdsa-p256", "rsa2048", "ed25519"] {
        let server = Server::start(folder.path(), kind, "-WWW");
        for host in ["localhost", "127.0.0.1"] {
            let url = format!("https://{host}:{}", server.port);
            let show = tagwise(&["ct", "show", &url, "--key", &key, "--trust", &root]);
            assert!(show.code == Some(0) && show.out.contains("Entries:   5"), "{kind} {host}: {}", show.err);
        }
    }
    let server = Server::start(folder.path(), "ecdsa-p256", "-WWW");
    let url = format!("https://localhost:{}", server.port);
    // A root that is not trusted.
    let show = tagwise(&["ct", "show", &url, "--key", &key, "--trust", "mozilla"]);
    assert!(show.code == Some(3) && show.err.contains("certificate is not accepted"), "{}", show.err);
    let server = Server::start(folder.path(), "other", "-WWW");
    let url = format!("https://localhost:{}", server.port);
    let show = tagwise(&["ct", "show", &url, "--key", &key, "--trust", &root]);
    assert!(show.code == Some(3) && show.err.contains("certificate is not accepted"), "{}", show.err);
    // A port without TLS.
    let plain = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = plain.local_addr().unwrap().port();
    std::thread::spawn(move || plain.accept().map(drop));
    let url = format!("https://localhost:{port}");
    let show = tagwise(&["ct", "show", &url, "--key", &key, "--trust", &root, "--timeout", "2"]);
    assert_eq!(show.code, Some(3), "{}", show.err);
}

#[test]
fn issuers_over_https() {
    let folder = servers::made();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let server = Server::start(folder.path(), "ecdsa-p256", "-WWW");
    let url = format!("https://localhost:{}/sub.pem", server.port);
    let new = ["--no-passphrase", "-o"];
    run(&[&["ca", "init", "--db", &at("pki.db"), "--subject", "CN=PKI"], &new[..], &[&at("pki.pem")]].concat());
    run(&["key", "new", "ecdsa-p256", "--no-passphrase", "-o", &at("sub.key"), "--public", &at("sub.pub")]);
    let sub = ["--public-key", &at("sub.pub"), "--profile", "ca", "--subject", "CN=Sub", "-o", &at("sub.pem")];
    run(&[&["ca", "issue", "--db", &at("pki.db")], &sub[..]].concat());
    let take = ["--key", &at("sub.key"), "--certificate", &at("sub.pem"), "--no-history", "--issuer-url", &url];
    run(&[&["ca", "init", "--db", &at("sub.db")], &take[..], &new, &["/dev/null"]].concat());
    let leaf = ["--public-key", &at("ed25519.pub"), "--dns", "www.example.org", "-o", &at("leaf.pem")];
    run(&[&["ca", "issue", "--db", &at("sub.db")], &leaf[..]].concat());
    let (leaf, pki, root) = (at("leaf.pem"), at("pki.pem"), at("root.pem"));
    let verify = ["verify", &leaf, "--trust", &pki, "--fetch", "--fetch-local", "--no-fetch-cache"];
    let found = tagwise(&[&verify[..], &["--fetch-trust", &root]].concat());
    assert!(found.code == Some(0) && found.out.contains(&format!("Fetched:     {url}")), "{}{}", found.out, found.err);
    // Without anchors for servers, https is not supported.
    let found = tagwise(&verify);
    assert!(found.out.contains("unsupported scheme https, expected http"), "{}{}", found.out, found.err);
    assert_eq!(found.code, Some(4), "{}", found.out);
    let found = tagwise(&[&verify[..], &["--fetch-trust", &pki]].concat());
    assert!(found.code == Some(4) && found.out.contains("certificate is not accepted"), "{}", found.out);
}

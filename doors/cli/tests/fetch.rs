//! `tagwise verify --fetch`: issuers, CRLs and OCSP responses from servers on the loopback interface.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod common;
#[cfg(feature = "tls")]
#[path = "common/servers.rs"]
mod servers;
#[path = "common/web.rs"]
mod web;

use std::time::{Duration, Instant};

use common::{Run, tagwise};
use serde_json::Value;
use web::{Hierarchy, says};

const ALL: &[&str] = &["--ocsp-url", "--crl-url", "--issuer-url"];

fn verify(hierarchy: &Hierarchy, more: &[&str]) -> Run {
    let (leaf, root) = (hierarchy.at("www.pem"), hierarchy.at("root.pem"));
    tagwise(&[&["verify", &leaf, "--trust", &root], more].concat())
}

const FETCH: &[&str] = &["--fetch", "--fetch-local", "--no-fetch-cache", "--revocation", "require"];

#[test]
fn issuers_and_ocsp_responses() {
    let hierarchy = Hierarchy::new(ALL);
    let servers = hierarchy.serve();
    // Without it, nothing is fetched.
    let run = verify(&hierarchy, &["--revocation", "require"]);
    assert!(run.code == Some(1) && run.out.contains("no-issuer") && !run.out.contains("etched"), "{}", run.out);
    let run = verify(&hierarchy, FETCH);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let [root, sub] = hierarchy.ports;
    for line in [
        format!("Fetched:     http://localhost:{sub}/ca (issuer for (no subject) DNS:www.example.org, "),
        format!("Fetched:     http://localhost:{sub}/ (OCSP response for (no subject) DNS:www.example.org, "),
        format!("Fetched:     http://localhost:{root}/ (OCSP response for CN=Sub, "),
    ] {
        assert!(run.out.contains(&line), "{line}\n{}", run.out);
    }
    // Nothing more than needed.
    assert!(!run.out.contains("/crl"), "{}", run.out);
    let run = verify(&hierarchy, &[FETCH, &["--json"]].concat());
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let fetched = document["results"][0]["fetched"].as_array().unwrap();
    let kinds: Vec<&str> = fetched.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["issuer", "ocsp", "ocsp"], "{fetched:?}");
    assert!(fetched.iter().all(|one| one["source"] == "network" && one["size"].as_u64().unwrap() > 100));
    hierarchy.revoke("www");
    let run = verify(&hierarchy, FETCH);
    assert!(run.code == Some(1) && run.out.contains("revoked on"), "{}{}", run.out, run.err);
    drop(servers);
    // Without servers, it is unknown whether there is an issuer.
    let run = verify(&hierarchy, FETCH);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(run.out.contains("NOT KNOWN") && run.out.contains(&format!("Not fetched: http://localhost:{sub}/ca: ")));
    // With the issuer, the status is unknown where it is required, and otherwise an assumption.
    let sub = hierarchy.at("sub.pem");
    let run = verify(&hierarchy, &[FETCH, &["--untrusted", &sub]].concat());
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    let run = verify(&hierarchy, &["--fetch", "--fetch-local", "--no-fetch-cache", "--untrusted", &sub]);
    assert!(run.code == Some(0) && run.out.contains("Not fetched:") && run.out.contains("Assumed:"), "{}", run.out);
    let run = verify(&hierarchy, &["--fetch", "--no-fetch-cache", "--untrusted", &sub, "--revocation", "ignore"]);
    assert!(run.code == Some(0) && !run.out.contains("etched"), "{}", run.out);
}

#[test]
fn crls_where_there_is_no_responder() {
    let hierarchy = Hierarchy::new(&["--crl-url", "--issuer-url"]);
    let _servers = hierarchy.serve();
    let run = verify(&hierarchy, FETCH);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let [root, sub] = hierarchy.ports;
    for port in [root, sub] {
        assert!(run.out.contains(&format!("Fetched:     http://localhost:{port}/crl (CRL for ")), "{}", run.out);
    }
    hierarchy.revoke("www");
    // The server's CRL is that of the database.
    let new = tagwise(&["ca", "crl", "--db", &hierarchy.at("sub.db"), "-o", "/dev/null"]);
    assert_eq!(new.code, Some(0), "{}", new.err);
    std::thread::sleep(Duration::from_millis(1500));
    let run = verify(&hierarchy, FETCH);
    assert!(run.code == Some(1) && run.out.contains("revoked on"), "{}{}", run.out, run.err);
}

/// Loopback addresses need an option, and other local ones are not contacted at all.
#[test]
fn local_addresses() {
    let hierarchy = Hierarchy::new(ALL);
    let _servers = hierarchy.serve();
    let sub = hierarchy.at("sub.pem");
    let run = verify(&hierarchy, &["--fetch", "--no-fetch-cache", "--revocation", "require", "--untrusted", &sub]);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(run.out.contains("is local, and not contacted"), "{}", run.out);
    assert!(!run.out.contains("Fetched:"), "{}", run.out);
}

#[test]
fn the_cache() {
    let hierarchy = Hierarchy::new(&["--ocsp-url", "--issuer-url"]);
    let servers = hierarchy.serve();
    let cache = hierarchy.at("cache");
    let with = ["--fetch", "--fetch-local", "--fetch-cache", &cache, "--revocation", "require"];
    let run = verify(&hierarchy, &with);
    assert!(run.code == Some(0) && !run.out.contains("From cache:"), "{}{}", run.out, run.err);
    drop(servers);
    let run = verify(&hierarchy, &with);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("From cache:") && !run.out.contains("Fetched:"), "{}", run.out);
    // Answers from loopback addresses are used only where these may be reached.
    let sub = hierarchy.at("sub.pem");
    let run = verify(&hierarchy, &["--fetch", "--fetch-cache", &cache, "--revocation", "require", "--untrusted", &sub]);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(run.out.contains("is local, and not contacted") && !run.out.contains("From cache:"), "{}", run.out);
    // What is in the folder is verified like everything else, and what cannot be read is fetched again.
    for entry in std::fs::read_dir(&cache).unwrap() {
        std::fs::write(entry.unwrap().path(), b"garbage").unwrap();
    }
    let run = verify(&hierarchy, &with);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    // Responses that are out of date are not used.
    let servers = hierarchy.serve();
    assert_eq!(verify(&hierarchy, &with).code, Some(0));
    drop(servers);
    let run = verify(&hierarchy, &[&with[..], &["--evidence-at", "2200-01-01"]].concat());
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(!run.out.contains("From cache:  http://localhost:") || run.out.contains("issuer for"), "{}", run.out);
}

/// Servers that do other things than answer: nothing they say is good, and none holds the command up.
#[test]
fn hostile_servers() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: application/pkix-crl\r\n";
    let with = |rest: &[u8]| [head.as_slice(), rest].concat();
    let elsewhere =
        |url: &str| format!("HTTP/1.1 302 Found\r\nLocation: {url}\r\nContent-Length: 0\r\n\r\n").into_bytes();
    for (what, answer, more, why) in [
        ("status", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(), &b""[..], "status 404"),
        ("redirect", elsewhere("http://localhost:1/"), b"", "redirects are not followed (status 302)"),
        ("file", elsewhere("file:///etc/passwd"), b"", "redirects are not followed (status 302)"),
        ("content", with(b"Content-Length: 2\r\n\r\nhi"), b"", "found in this text"),
        ("empty", with(b"Content-Length: 0\r\n\r\n"), b"", ""),
        ("cut", with(b"Content-Length: 200\r\n\r\n0"), b"", ""),
        ("huge", with(b"Content-Length: 99999999999\r\n\r\n"), b"x", ""),
        ("endless body", with(b"\r\n"), &[b'x'; 65_536], ""),
        ("endless head", head.to_vec(), b"X-More: and more\r\n", ""),
        ("not HTTP", b"220 mail\r\n".to_vec(), b"", ""),
        ("nothing", Vec::new(), b"", ""),
    ] {
        let hierarchy = Hierarchy::new(&["--crl-url"]);
        hierarchy.ports.iter().for_each(|port| says(*port, answer.clone(), more));
        let sub = hierarchy.at("sub.pem");
        let start = Instant::now();
        let run = verify(&hierarchy, &[FETCH, &["--untrusted", &sub, "--timeout", "2"]].concat());
        assert_eq!(run.code, Some(4), "{what}: {}{}", run.out, run.err);
        assert!(run.out.contains("Not fetched: ") && run.out.contains(why), "{what}: {}", run.out);
        assert!(start.elapsed() < Duration::from_secs(20), "{what}: {:?}", start.elapsed());
    }
}

/// A response of HTTP.
fn answer(parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len()).as_bytes(), &body].concat()
}

#[test]
fn every_crl_of_an_answer_counts() {
    for (junk, code, says_why) in [(&b""[..], 1, "revoked on "), (b"junk", 4, ": not an element")] {
        let hierarchy = Hierarchy::new(&["--crl-url"]);
        let (db, sub) = (hierarchy.at("sub.db"), hierarchy.at("sub.pem"));
        let crl = |name: &str| {
            let run = tagwise(&["ca", "crl", "--db", &db, "--der", "-o", &hierarchy.at(name)]);
            assert_eq!(run.code, Some(0), "{}", run.err);
            std::fs::read(hierarchy.at(name)).unwrap()
        };
        let good = crl("good.crl");
        hierarchy.revoke("www");
        says(hierarchy.ports[1], answer(&[&good, &crl("revoked.crl"), junk]), b"");
        let run = verify(&hierarchy, &[FETCH, &["--untrusted", &sub, "--revocation-scope", "leaf"]].concat());
        assert_eq!(run.code, Some(code), "{}{}", run.out, run.err);
        assert!(run.out.contains(says_why), "{}", run.out);
    }
}

/// The issuer is missing, whatever else the server sends.
#[test]
fn an_answer_without_the_issuer() {
    let hierarchy = Hierarchy::new(&["--issuer-url"]);
    let root = std::fs::read(hierarchy.at("root.pem")).unwrap();
    says(hierarchy.ports[1], answer(&[&root]), b"");
    let run = verify(&hierarchy, FETCH);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(
        run.out.contains("Not fetched: ") && run.out.contains("no certificate of the issuer CN=Sub"),
        "{}",
        run.out
    );
}

/// A server that sends only its own certificate: the issuer is fetched, and the status of both.
#[test]
#[cfg(feature = "tls")]
fn servers_with_an_incomplete_chain() {
    if !common::openssl::has_openssl() {
        return;
    }
    let hierarchy = Hierarchy::new(ALL);
    let _servers = hierarchy.serve();
    let server = servers::Server::start(hierarchy.folder.path(), "www", "");
    let (address, root) = (format!("tls://localhost:{}", server.port), hierarchy.at("root.pem"));
    for command in ["verify", "show"] {
        let base = [command, &address, "--servername", "www.example.org", "--trust", &root];
        let run = tagwise(&base);
        assert!(run.code == Some(1) && run.out.contains("no-issuer"), "{command}: {}{}", run.out, run.err);
        let run = tagwise(&[&base[..], FETCH].concat());
        assert_eq!(run.code, Some(0), "{command}: {}{}", run.out, run.err);
        assert!(run.out.contains("(issuer for ") && run.out.contains("(OCSP response for CN=Sub"), "{}", run.out);
        let run = tagwise(&[&base[..], FETCH, &["--json"]].concat());
        let document: Value = serde_json::from_str(&run.out).unwrap();
        let place = if command == "show" { &document["files"][0]["tls"] } else { &document["results"][0] };
        assert_eq!(place["fetched"].as_array().unwrap().len(), 3, "{document}");
    }
}

/// RFC 5280 §5.2.6: the certificate names a delta CRL, which alone knows of the revocation.
#[test]
fn delta_crls() {
    if !common::openssl::has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |args: &[&str]| {
        let run = tagwise(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    };
    let [base, delta] = [web::port(), web::port()];
    run(&["key", "new", "ecdsa-p256", "--no-passphrase", "-o", &at("ca.key")]);
    run(&["cert", "self-signed", "--ca", "--subject", "CN=Test CA", "--key", &at("ca.key"), "-o", &at("ca.pem")]);
    run(&["csr", "new", "--key-out", &at("www.key"), "--no-passphrase", "--subject", "CN=www", "-o", &at("www.csr")]);
    let extensions = format!(
        "crlDistributionPoints=URI:http://localhost:{base}/base.crl\nfreshestCRL=URI:http://localhost:{delta}/delta.crl\n"
    );
    std::fs::write(at("www.ext"), extensions).unwrap();
    let sign =
        "x509 -req -in www.csr -CA ca.pem -CAkey ca.key -set_serial 0x1234 -days 30 -extfile www.ext -out www.pem";
    common::openssl::openssl(folder.path(), &sign.split(' ').collect::<Vec<_>>());
    let own = ["--key", &at("ca.key"), "--certificate", &at("ca.pem"), "--no-history", "--no-passphrase"];
    run(&[&["ca", "init", "--db", &at("ca.db"), "-o", "/dev/null"], &own[..]].concat());
    run(&["ca", "crl", "--db", &at("ca.db"), "--der", "-o", &at("base.crl")]);
    run(&["ca", "revoke", "--db", &at("ca.db"), "--certificate", &at("www.pem")]);
    run(&["ca", "crl", "--db", &at("ca.db"), "--delta", "--der", "-o", &at("delta.crl")]);
    let serve = |port: u16, name: &str| {
        let body = std::fs::read(at(name)).unwrap();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        says(port, [head.as_bytes(), &body].concat(), b"");
    };
    serve(base, "base.crl");
    let (leaf, root) = (at("www.pem"), at("ca.pem"));
    let verify = || tagwise(&[&["verify", &leaf, "--trust", &root, "--timeout", "5"], FETCH].concat());
    // The complete CRL is older than the revocation.
    let run = verify();
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("Not fetched:") && run.out.contains("(delta CRL for CN=www"), "{}", run.out);
    serve(delta, "delta.crl");
    let run = verify();
    assert!(run.code == Some(1) && run.out.contains("revoked on"), "{}{}", run.out, run.err);
}

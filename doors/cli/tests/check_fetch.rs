//! `tagwise check --fetch`: the revocation status of the certificates in files, from servers on the loopback interface.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod common;
#[path = "common/web.rs"]
mod web;

use common::{Run, tagwise};
use serde_json::Value;
use web::Hierarchy;

const FETCH: &[&str] = &["--fetch", "--fetch-local", "--no-fetch-cache"];

fn check(hierarchy: &Hierarchy, files: &[&str], more: &[&str]) -> Run {
    let files: Vec<String> = files.iter().map(|name| hierarchy.at(name)).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    tagwise(&[&["check"], more, &files].concat())
}

#[test]
fn responders_and_issuers() {
    let hierarchy = Hierarchy::new(&["--ocsp-url", "--issuer-url"]);
    let servers = hierarchy.serve();
    let all = ["www.pem", "sub.pem", "root.pem"];
    // The issuer is among the files, or fetched.
    for files in [&all[..], &["www.pem"]] {
        let run = check(&hierarchy, files, FETCH);
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert!(run.out.starts_with(&format!("all {} valid at least until", files.len())), "{}", run.out);
    }
    hierarchy.revoke("www");
    // Without the option, nothing is asked.
    assert_eq!(check(&hierarchy, &all, &[]).code, Some(0));
    let run = check(&hierarchy, &all, FETCH);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("revoked ") && run.out.contains("keyCompromise"), "{}", run.out);
    assert!(run.out.contains("1 revoked, of 3"), "{}", run.out);
    let run = check(&hierarchy, &all, &[FETCH, &["--json"]].concat());
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&document["revoked"], &document["revocation_unknown"]), (&1.into(), &0.into()));
    assert_eq!(document["certificates"][0]["status"], "revoked");
    assert!(document["certificates"][0]["revocation"].as_str().unwrap().contains("revoked on"), "{document}");
    assert_eq!(document["fetched"][0]["kind"], "ocsp");
    let run = check(&hierarchy, &all, &[FETCH, &["--format", "nagios"]].concat());
    assert!(run.code == Some(2) && run.out.starts_with("CERTIFICATES CRITICAL - 1 critical"), "{}", run.out);
    let run = check(&hierarchy, &all, &[FETCH, &["--format", "openmetrics"]].concat());
    assert!(run.out.contains("tagwise_checked{status=\"revoked\"} 1\n"), "{}", run.out);
    // Without servers, nothing is known.
    drop(servers);
    let run = check(&hierarchy, &all, FETCH);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(
        run.out.contains("revocation not known") && run.out.contains("2 of unknown revocation status"),
        "{}",
        run.out
    );
    let run = check(&hierarchy, &all, &[FETCH, &["--format", "nagios"]].concat());
    assert!(run.code == Some(3) && run.out.contains("UNKNOWN") && run.out.contains("2 of unknown"), "{}", run.out);
    let run = check(&hierarchy, &["www.pem"], FETCH);
    assert!(run.code == Some(4) && run.out.contains("/ca: "), "{}", run.out);
}

#[test]
fn crls_and_certificates_without_urls() {
    let hierarchy = Hierarchy::new(&["--crl-url"]);
    let _servers = hierarchy.serve();
    let run = check(&hierarchy, &["www.pem", "sub.pem"], FETCH);
    // The issuer of sub.pem is not among the files, and nothing says where it is.
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(
        run.out.contains("1 of unknown revocation status, of 2") && run.out.contains("issuer was not found"),
        "{}",
        run.out
    );
    hierarchy.revoke("www");
    let made = tagwise(&["ca", "crl", "--db", &hierarchy.at("sub.db"), "-o", "/dev/null"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let run = check(&hierarchy, &["www.pem", "sub.pem", "root.pem"], FETCH);
    assert!(run.code == Some(1) && run.out.contains("1 revoked, of 3"), "{}{}", run.out, run.err);
    let plain = Hierarchy::new(&[]);
    let run = check(&plain, &["www.pem", "root.pem"], FETCH);
    assert!(run.code == Some(0) && run.out.starts_with("all 2 valid"), "{}{}", run.out, run.err);
}

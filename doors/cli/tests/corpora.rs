//! The command on everything at hand: it never panics, says 0 or 1, and is done in time.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::time::Duration;

use common::{bounded, corpus, files, tagwise};

/// Files that one run gets: starting a process for each would take most of the time.
const BATCH: usize = 64;

fn all(set: &str, wanted: impl Fn(&str) -> bool) {
    let Some(folder) = corpus(set) else { return };
    let files = files(&folder);
    let paths: Vec<&str> = files.iter().filter_map(|path| path.to_str()).filter(|path| wanted(path)).collect();
    assert!(!paths.is_empty(), "{set}");
    for batch in paths.chunks(BATCH) {
        for options in [&["show"][..], &["show", "--json"], &["show", "--allow", "all"]] {
            let mut args = options.to_vec();
            args.push("--");
            args.extend(batch);
            let run = bounded(set, Duration::from_secs(60), || tagwise(&args));
            assert!(matches!(run.code, Some(0 | 1)), "{:?} {:?}: {}", run.code, batch, run.err);
            if options.contains(&"--json") {
                let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
                assert_eq!(document["files"].as_array().unwrap().len(), batch.len());
            }
        }
    }
}

#[test]
fn pyca() {
    all("pyca/x509", |_| true);
}

#[test]
fn x509_parser() {
    all("x509-parser-assets", |_| true);
}

#[test]
fn lamps_and_formats() {
    all("lamps-pqc", |_| true);
    all("rustcrypto-formats", |_| true);
    all("asn1crypto", |_| true);
}

#[test]
fn fuzz_seeds() {
    all("fuzz/boringssl", |path| path.contains("cert") || path.contains("crl"));
}

/// Old chains, of SHA-1 with RSA and with DSA: refused, and taken where a rule is named.
#[test]
fn old_signatures_by_name() {
    let Some(folder) = corpus("pkits") else { return };
    let file = |name: &str| folder.join("certs").join(format!("{name}.crt")).to_str().unwrap().to_owned();
    let (root, ca, leaf) = (file("TrustAnchorRootCertificate"), file("DSACACert"), file("ValidDSASignaturesTest4EE"));
    let line = ["verify", &leaf, "--trust", &root, "--untrusted", &ca, "--at", "2011-04-15", "--profile", "rfc5280"];
    let run = tagwise(&line);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(
        run.out.contains("DSA is disabled: it is only for legacy data; pass --allow key-size,weak-digest to accept it"),
        "{}",
        run.out
    );
    let allowed = [&line[..], &["--allow", "weak-digest,key-size"]].concat();
    let run = tagwise(&allowed);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    // The key and the signature of another.
    let wrong = file("InvalidDSASignatureTest6EE");
    let run =
        tagwise(&allowed.iter().map(|word| if *word == leaf { wrong.as_str() } else { *word }).collect::<Vec<_>>());
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("RFC 5280 §6.1.3 (a)(1)"), "{}", run.out);
}

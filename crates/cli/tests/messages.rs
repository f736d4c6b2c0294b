//! `show` on messages, requests, responses and keys: found by looking, whatever form they come in; secrets stay hidden.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::path::PathBuf;

use common::{corpus, data, files, show};
use tagwise_codec::text::hex;
use tagwise_codec::{Options, RuleSet, Session, pem};

/// Every fixture: its file, its kind in JSON, and what text must say.
const FIXTURES: &[(&str, &str, &[&str])] = &[
    ("request.pem", "certification-request", &["CN=request.example", "subjectAltName", "not shown: a password"]),
    ("request.ocsp", "ocsp-request", &["42", "issuer key hash"]),
    ("response.ocsp", "ocsp-response", &["successful", "42  revoked", "keyCompromise", "Tagwise Test CA"]),
    ("stamp.tsq", "time-stamp-request", &["SHA-256", "certificate requested"]),
    ("stamp.tsr", "time-stamp-response", &["granted", "1.2.3.4.1", "signers"]),
    ("chain.p7b", "cms", &["signedData", "Tagwise Test CA", "request.example"]),
    ("signed.pem", "cms", &["signedData", "signingTime", "messageDigest", "made from BER"]),
    ("enveloped.p7m", "cms", &["envelopedData", "key agreement", "aes256"]),
    ("key.pem", "private-key", &["EC P-256", "not shown"]),
    ("ec.pem", "ec-private-key", &["EC P-256", "not shown"]),
    ("enc.pem", "encrypted-private-key", &["PBES2", "not shown"]),
    ("pub.pem", "public-key", &["EC P-256"]),
    ("plain.p12", "pkcs12", &["private key, in the clear", "friendly name", "none", "certificate 2 of 3"]),
    ("locked.p12", "pkcs12", &["encrypted bags", "private key, encrypted", "iterations"]),
];

fn fixture(name: &str) -> String {
    data(&format!("messages/{name}"))
}

/// The DER of a fixture.
fn octets(name: &str) -> Vec<u8> {
    let file = std::fs::read(fixture(name)).unwrap();
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let block = pem::blocks_with(&file, &session).filter_map(Result::ok).find_map(|block| block.decode().ok());
    block.unwrap_or(file)
}

#[test]
fn every_kind() {
    for (name, kind, words) in FIXTURES {
        let run = show(&[&fixture(name)]);
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{name}: {}", run.out);
        for word in *words {
            assert!(run.out.contains(word), "{name}: no {word} in\n{}", run.out);
        }
        let json = show(&["--json", &fixture(name)]);
        let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        let item = &json["files"][0]["items"][0];
        assert_eq!((item["kind"].as_str(), item["sound"].as_bool()), (Some(*kind), Some(true)), "{name}");
        assert!(item["message"].is_object(), "{name}");
    }
}

/// Without a label it is told by its frame.
#[test]
fn found_by_looking() {
    let folder = tempfile::tempdir().unwrap();
    for (name, kind, _) in FIXTURES {
        let path: PathBuf = folder.path().join(name);
        std::fs::write(&path, octets(name)).unwrap();
        let json = show(&["--json", path.to_str().unwrap()]);
        let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!(json["files"][0]["items"][0]["kind"].as_str(), Some(*kind), "{name}");
    }
}

/// No octet of a private key is written, in whatever form.
#[test]
fn secrets_stay_hidden() {
    // The 32 octets of the key follow `04 20` in all three.
    let key = octets("key.pem");
    let at = key.windows(4).position(|window| window[..2] == [0x04, 0x20] && window[2] != 0x30).unwrap() + 2;
    let secret = key[at..at + 32].to_vec();
    let spelled = hex::encode(&secret).to_lowercase();
    for name in ["key.pem", "ec.pem", "plain.p12"] {
        assert!(octets(name).windows(32).any(|window| window == secret), "{name}");
        for options in [&[][..], &["--full"], &["--json"], &["--text=openssl"]] {
            let path = fixture(name);
            let run = show(&[options, &[path.as_str()]].concat());
            let printed: String = run.out.chars().chain(run.err.chars()).filter(char::is_ascii_hexdigit).collect();
            let printed = printed.to_lowercase();
            for part in 0..24 {
                assert!(!printed.contains(&spelled[2 * part..2 * part + 16]), "{name} {options:?}");
            }
        }
    }
}

/// `openssl pkcs7 -print_certs -text` and `pkcs12 -info` in one.
#[test]
fn certificates_in_containers_as_openssl_has_them() {
    for (name, count) in [("chain.p7b", 2), ("plain.p12", 2)] {
        let run = show(&["--text=openssl", &fixture(name)]);
        assert_eq!((run.code, run.out.matches("Certificate:\n    Data:\n").count()), (Some(0), count), "{name}");
    }
}

/// Whatever is in the sets of test files: an answer, and no more.
#[test]
fn corpora() {
    for set in ["pyca", "asn1crypto", "rustcrypto-formats"] {
        let Some(folder) = corpus(set) else { continue };
        for path in files(&folder) {
            let path = path.to_str().unwrap();
            for options in [&[][..], &["--json"]] {
                let run = show(&[options, &[path]].concat());
                assert!(matches!(run.code, Some(0 | 1)), "{path}: {:?} {}", run.code, run.err);
            }
        }
    }
}

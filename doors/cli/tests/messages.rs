//! `show` on messages, requests, responses and keys: found by looking, whatever form they come in; secrets stay hidden.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::path::PathBuf;

use common::{Run, corpus, data, files, show};
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
    ("signed.pem", "cms", &["signedData", "signingTime", "messageDigest", "of DER, converted from BER"]),
    ("enveloped.p7m", "cms", &["envelopedData", "key agreement", "aes256"]),
    ("roa.p7m", "cms", &["autonomous system  64496", "192.0.2.0/24  to /26", "2001:db8::/32"]),
    ("manifest.p7m", "cms", &["number               7", "a.roa  000102"]),
    ("request.cmp", "cmp", &["sender          directory:CN=dev", "DNS:dev.example", "protection"]),
    ("revoke.cmp", "cmp", &["rev details 1", "keyCompromise"]),
    ("requests.crmf", "certificate-request-messages", &["cert req msg 1", "EC P-256", "popo"]),
    ("request.cmc", "cmc-request", &["id-cmc-transactionId", "77", "not shown: a secret", "CN=ee"]),
    ("response.cmc", "cmc-response", &["failed", "badRequest"]),
    ("signed.cmc", "cms", &["id-cct-PKIData", "id-cmc-senderNonce  1.3.6.1.5.5.7.7.6", "6e6f6e6365"]),
    ("key.pem", "private-key", &["EC P-256", "not shown"]),
    ("ec.pem", "ec-private-key", &["EC P-256", "not shown"]),
    ("enc.pem", "encrypted-private-key", &["PBES2", "not shown"]),
    ("pub.pem", "public-key", &["EC P-256"]),
    ("plain.p12", "pkcs12", &["private key, unencrypted", "friendly name", "none", "certificate 2 of 3"]),
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

/// The secret of a revocation is not written either.
#[test]
fn passphrases_stay_hidden() {
    for name in ["request.cmc", "signed.cmc"] {
        for options in [&[][..], &["--full"], &["--json"]] {
            let path = fixture(name);
            let run = show(&[options, &[path.as_str()]].concat());
            let spelled = hex::encode(b"open sesame").to_lowercase();
            assert!(!run.out.contains("sesame") && !run.out.to_lowercase().contains(&spelled), "{name} {options:?}");
        }
    }
}

/// Signed data in signed data, and so on: what each holds is decoded by itself, so that no budget of depth bounds it.
#[test]
fn messages_in_messages() {
    let element = |tag: u8, parts: &[&[u8]]| {
        let content = parts.concat();
        [&[tag, 0x84][..], &u32::try_from(content.len()).unwrap().to_be_bytes(), &content].concat()
    };
    let signed_data = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2];
    let mut inner = vec![0x30, 0];
    for _ in 0..3000 {
        let content = element(0x30, &[&signed_data, &element(0xA0, &[&element(0x04, &[&inner])])]);
        inner = element(0x30, &[&[2, 1, 3, 0x31, 0], &content, &[0x31, 0]]);
    }
    let message = element(0x30, &[&signed_data, &element(0xA0, &[&inner])]);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("nested.p7m");
    std::fs::write(&path, &message).unwrap();
    for options in [&[][..], &["--json"]] {
        let run = show(&[options, &["--allow=ber", path.to_str().unwrap()]].concat());
        assert_eq!(run.code, Some(1), "{}", run.err);
        assert!(run.out.contains("signedData"), "{options:?}");
    }
}

/// Extensions that no table of RFC 5280 has.
#[test]
fn rare_extensions() {
    let Some(folder) = corpus("rfc-samples") else { return };
    for (name, words) in [
        ("rfc3820.ProxyCertificateTestCase.pem_text.der", &["proxy policy", "policy language"][..]),
        ("rfc4262.SMIMECapExtnTestCase.pem_text.der", &["smime capability 1", "capability ID"]),
        ("rfc4334.CertificateTestCase.cert_pem_text.der", &["id-pe-wlanSSID", "4578616d706c65"]),
        ("rfc5755.AttributeCertificateTestCase.pem_text.der", &["attribute certificate"]),
        ("rfc8226.CertificateOpenTypesTestCase.cert_pem_text.der", &["tn entry 1", "spc"]),
        ("rfc8520.MUDCertTestCase.mud_cert_pem_text.der", &["https://"]),
        ("rfc9310.NFTypesCertificateExtensionTestCase.cert_pem_text.der", &["AMF"]),
        ("rfc9399.CertificateLogotypeURLTestCase.pem_text.der", &["logotype URI", "media type"]),
        ("rfc9763.CertificationExtensionTestCase.pem_text.der", &["hash value"]),
    ] {
        let run = show(&[folder.join(name).to_str().unwrap()]);
        for word in words {
            assert!(run.out.contains(word), "{name}: no {word} in\n{}", run.out);
        }
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

/// Whatever is in the sets of test files: an answer, and no more. A file that cannot be read, or a crash, is the exit code of the whole.
#[test]
fn corpora() {
    for set in ["pyca", "asn1crypto", "rustcrypto-formats", "rfc-samples", "lamps-pqc"] {
        let Some(folder) = corpus(set) else { continue };
        let files = files(&folder);
        let paths: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
        for options in [&[][..], &["--json"]] {
            let answered = |run: &Run| matches!(run.code, Some(0 | 1));
            let whole = show(&[options, &paths].concat());
            if !answered(&whole) {
                // Which one it is.
                for path in &paths {
                    let run = show(&[options, &[*path]].concat());
                    assert!(answered(&run), "{path}: {:?} {}", run.code, run.err);
                }
            }
            assert!(answered(&whole), "{set}: {:?} {}", whole.code, whole.err);
        }
    }
}

/// The first place of some bytes in others.
fn place(octets: &[u8], wanted: &[u8]) -> usize {
    octets.windows(wanted.len()).position(|window| window == wanted).unwrap()
}

/// What `show --json` says of an input, and its exit code.
fn json(octets: &[u8]) -> (Option<i32>, serde_json::Value) {
    let run = common::tagwise_with(&["show", "--json", "-"], octets);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    (run.code, document["files"][0]["items"][0].clone())
}

/// A part that does not decode makes the whole unsound, even where the frame is read past it.
#[test]
fn a_bad_part_is_not_sound() {
    let mut request = octets("request.pem");
    assert_eq!(json(&request).1["sound"], true);
    // The domain name in the requested alternative name: a byte that is no IA5.
    let at = place(&request, b"\x82\x0Frequest.example");
    request[at + 2] = 0xFF;
    let (code, item) = json(&request);
    assert_eq!((code, &item["sound"]), (Some(1), &false.into()), "{item:#}");
    assert!(!item["errors"].as_array().unwrap().is_empty(), "{item:#}");
    let run = common::tagwise_with(&["show", "-"], &request);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("CN=request.example") && !run.err.is_empty(), "{}{}", run.out, run.err);
}

/// Bytes around an error are shown, unless something secret is in the value.
#[test]
fn only_secrets_are_masked() {
    // Damaged as it is, only its label tells what it is.
    let excerpt = |label: &str, octets: &[u8]| {
        let (_, item) = json(pem::encode(label, octets).unwrap().as_bytes());
        item["errors"][0]["excerpt"].as_str().unwrap_or_default().to_owned()
    };
    for (name, label) in [("chain.p7b", "CMS"), ("request.ocsp", "OCSP REQUEST"), ("stamp.tsq", "TIMESTAMP QUERY")] {
        let mut message = octets(name);
        let at = place(&message, &[0x02, 0x01]);
        message[at] = 0x0A;
        let shown = excerpt(label, &message);
        assert!(shown.contains("[0a]") && !shown.contains("--"), "{name}: {shown}");
    }
    // A request with a challenge password, damaged beside it, and the same without one.
    let mut request = octets("request.pem");
    let at = place(&request, &[0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 14]);
    request[at] = 0x0D;
    assert!(excerpt("CERTIFICATE REQUEST", &request).contains("[--]"), "{}", excerpt("CERTIFICATE REQUEST", &request));
    let at = place(&request, &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 7]);
    request[at + 8] = 8;
    assert!(excerpt("CERTIFICATE REQUEST", &request).contains("[0d]"), "{}", excerpt("CERTIFICATE REQUEST", &request));
    for (name, label) in [("key.pem", "PRIVATE KEY"), ("ec.pem", "EC PRIVATE KEY")] {
        let mut key = octets(name);
        let at = place(&key, &[0x02, 0x01]);
        key[at] = 0x0A;
        let shown = excerpt(label, &key);
        assert!(shown.contains("[--]"), "{name}: {shown}");
    }
}

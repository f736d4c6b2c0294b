//! Requests and responses, natively. `./x wasm --test` tests the npm package.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use serde_json::{Value, json};
use tagwise_wasm::{Response, call, request};

const LEAF: &[u8] = include_bytes!("../../../docs/samples/leaf.pem");
const ROOT: &[u8] = include_bytes!("../../../docs/samples/root.pem");
const NEGATIVE: &[u8] = include_bytes!("../../../docs/samples/negative.pem");
#[cfg(feature = "schema")]
const POINT: &[u8] = include_bytes!("../../../docs/samples/point.asn1");

/// 2026-11-29.
const NOW: i64 = 1_795_910_400;

fn ask(head: &Value, blobs: &[&[u8]]) -> Response {
    call(&request(&head.to_string(), blobs))
}

fn answer(head: &Value, blobs: &[&[u8]]) -> Value {
    match ask(head, blobs) {
        Response::Json(bytes) => serde_json::from_slice(&bytes).unwrap(),
        other => panic!("{head}: {}", String::from_utf8_lossy(other.bytes())),
    }
}

fn failure(head: &Value, blobs: &[&[u8]]) -> Value {
    match ask(head, blobs) {
        Response::Error(bytes) => serde_json::from_slice(&bytes).unwrap(),
        other => panic!("{head}: {}", String::from_utf8_lossy(other.bytes())),
    }
}

#[test]
fn values_have_trees_and_components() {
    let file = answer(&json!({ "op": "parse", "now": NOW }), &[LEAF]);
    assert_eq!(file["form"], "PEM");
    assert_eq!(file["items"][0]["certificate"]["serial_number"]["hex"], "5ec3b7a6437fa4e05ec3b7a6437fa4e0");
    let values = answer(&json!({ "op": "get", "path": "notAfter" }), &[LEAF]);
    assert_eq!(values[0]["value"], "2126-10-28T12:51:29Z");
    let values = answer(&json!({ "op": "get", "path": "tbsCertificate.serialNumber" }), &[LEAF]);
    let found = answer(&json!({ "op": "explain", "offset": values[0]["offset"] }), &[LEAF]);
    assert_eq!(found, json!({ "path": "tbsCertificate.serialNumber", "type": "Certificate" }));
    let rows = answer(&json!({ "op": "outline", "entries": 3 }), &[LEAF]);
    assert_eq!(rows.as_array().unwrap().len(), 3);
}

#[test]
fn errors_have_positions() {
    let error = failure(&json!({ "op": "get", "path": "subject" }), &[NEGATIVE]);
    assert_eq!(
        (&error["path"], &error["rule"]),
        (&json!("tbsCertificate.serialNumber"), &json!("negative-serial")),
        "{error}"
    );
    let values = answer(&json!({ "op": "get", "path": "subject", "allow": ["negative-serial"] }), &[NEGATIVE]);
    assert_eq!(values.as_array().unwrap().len(), 1);
    assert_eq!(failure(&json!({ "op": "get", "path": "ocsp" }), &[ROOT])["code"], "absent");
    assert_eq!(failure(&json!({ "op": "parse", "allow": ["nonesuch"] }), &[ROOT])["code"], "usage");
    assert_eq!(failure(&json!({ "op": "nonesuch" }), &[])["code"], "usage");
    assert_eq!(failure(&json!({ "op": "parse" }), &[])["code"], "usage");
}

#[test]
fn malformed_requests_are_errors() {
    for bytes in [&b""[..], b"\0", b"\xff\xff\xff\xff{}", b"\x02\0\0\0{}", b"\x04\0\0\0null"] {
        assert!(!call(bytes).is_ok(), "{bytes:?}");
    }
    let head = br#"{"op":"parse","lens":[18446744073709551615]}"#;
    let mut bytes = (head.len() as u32).to_le_bytes().to_vec();
    bytes.extend(head);
    assert!(!call(&bytes).is_ok());
}

#[cfg(feature = "verify")]
#[test]
fn paths_are_valid_or_have_a_report() {
    let head = |host: &str| json!({ "op": "verify", "now": NOW, "host": host, "counts": [1, 1, 0, 0] });
    let valid = answer(&head("www.example.com"), &[LEAF, ROOT]);
    assert_eq!(valid["status"], "valid", "{valid}");
    let wrong = answer(&head("example.org"), &[LEAF, ROOT]);
    assert_eq!(wrong["status"], "invalid");
    assert!(wrong["report"]["rejected"].as_array().is_some_and(|list| !list.is_empty()), "{wrong}");
    assert_eq!(failure(&json!({ "op": "verify", "counts": [9, 9] }), &[LEAF])["code"], "usage");
}

/// Splits a response in the format of a request.
#[cfg(feature = "verify")]
fn unpacked(response: &Response) -> (Value, Vec<Vec<u8>>) {
    let Response::Bytes(bytes) = response else { panic!("{}", String::from_utf8_lossy(response.bytes())) };
    let (len, rest) = bytes.split_first_chunk().unwrap();
    let (head, mut rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
    let head: Value = serde_json::from_slice(head).unwrap();
    let mut parts = Vec::new();
    for len in head["lens"].as_array().unwrap() {
        let (part, more) = rest.split_at(len.as_u64().unwrap() as usize);
        parts.push(part.to_vec());
        rest = more;
    }
    (head, parts)
}

#[cfg(feature = "verify")]
#[test]
fn signatures_are_assumed_until_web_crypto_has_verified_them() {
    let head = |results: &Value| json!({ "op": "verify", "now": NOW, "webCrypto": results, "counts": [1, 1, 0, 0] });
    let asked = ask(&head(&json!({})), &[LEAF, ROOT]);
    let (checks, parts) = unpacked(&asked);
    let id = checks["checks"][0]["id"].as_str().unwrap();
    assert_eq!(
        checks["checks"],
        json!([{ "id": id, "algorithm": { "name": "ECDSA", "namedCurve": "P-256", "hash": "SHA-256" } }])
    );
    // The key of the root, the to-be-signed bytes, and r and s.
    let [key, message, signature] = parts.as_slice() else { panic!("{checks}") };
    assert_eq!((key.len(), &message[..2], signature.len()), (91, &[0x30, 0x82][..], 64));

    for results in [json!({ "verified": [id] }), json!({ "refused": [id] }), json!({ "last": true })] {
        assert_eq!(answer(&head(&results), &[LEAF, ROOT])["status"], "valid", "{results}");
    }
    // The result for one signature says nothing about another one.
    let mut other = call(&request(r#"{"op":"bytes"}"#, &[LEAF])).bytes().to_vec();
    *other.last_mut().unwrap() ^= 1;
    let (checks, _) = unpacked(&ask(&head(&json!({ "verified": [id] })), &[&other, ROOT]));
    assert_ne!(checks["checks"][0]["id"], id);
    let rejected = answer(&head(&json!({ "refused": [checks["checks"][0]["id"]] })), &[&other, ROOT]);
    assert_eq!(
        (&rejected["status"], &rejected["report"]["rejected"][0]["rule"]),
        (&json!("invalid"), &json!("signature"))
    );
}

/// A Merkle Tree Certificate and its CA, valid on 2026-12-01.
#[cfg(all(feature = "full", feature = "verify"))]
const TREE: [&[u8]; 2] = [include_bytes!("data/mtc-leaf.pem"), include_bytes!("data/mtc-ca.pem")];
#[cfg(all(feature = "full", feature = "verify"))]
const DECEMBER: i64 = 1_796_083_200;

#[cfg(all(feature = "full", feature = "verify"))]
#[test]
fn merkle_tree_certificates_are_valid_below_their_ca() {
    let mut head = json!({ "op": "verify", "now": DECEMBER, "host": "www.example.org", "counts": [1, 1, 0, 0] });
    let valid = answer(&head, &TREE);
    assert_eq!(valid["status"], "valid", "{valid}");
    // The CA is not an ordinary anchor, and another root knows nothing of its log.
    assert_eq!(answer(&head, &[TREE[0], ROOT])["status"], "invalid");
    // A policy whose cosigner has not signed.
    let key = "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    let policy = format!("cosigner 32473.20 ed25519 {key}\ngroup one any 32473.20\nrequire-cosigners all one\n");
    head["mtcPolicy"] = json!([policy]);
    let rejected = answer(&head, &TREE);
    assert_eq!(rejected["status"], "invalid");
    assert!(rejected.to_string().contains("too few cosigners"), "{rejected}");
    head["mtcPolicy"] = json!(["nonesuch"]);
    assert_eq!(failure(&head, &TREE)["code"], "input");
}

#[cfg(feature = "verify")]
#[test]
fn roots_without_a_certificate_are_errors() {
    let error = failure(&json!({ "op": "verify", "now": NOW, "counts": [1, 1, 0, 0] }), &[LEAF, b"nothing"]);
    assert!(error["message"].as_str().is_some_and(|text| text.starts_with("no trust anchor found")), "{error}");
}

#[cfg(all(feature = "full", feature = "verify"))]
#[test]
fn pkcs12_files_open_with_their_password() {
    let modern = include_bytes!("data/modern.p12");
    let head = json!({ "op": "open", "now": NOW });
    let opened = answer(&head, &[modern, "Pässwort".as_bytes()]);
    assert_eq!((&opened["integrity"], &opened["unreadable"]), (&json!("verified"), &json!([])));
    let kinds: Vec<_> = opened["items"].as_array().unwrap().iter().map(|item| &item["kind"]).collect();
    assert_eq!(kinds, ["certificate", "private-key"]);
    let [certificate, key] = [&opened["items"][0], &opened["items"][1]];
    assert_eq!((&key["key_type"], &key["der"]), (&json!("ecdsa-p256"), &Value::Null));
    assert_eq!((&key["friendly_name"], &key["local_key_id"]), (&json!("Müller"), &certificate["local_key_id"]));
    assert!(certificate["der"].as_str().is_some_and(|der| der.starts_with("3082")), "{certificate}");
    // Triple DES and SHA-1.
    assert_eq!(answer(&head, &[include_bytes!("data/old.p12"), b"old"])["items"].as_array().unwrap().len(), 2);
    for password in [&[&modern[..], b"Passwort"][..], &[modern]] {
        assert_eq!(failure(&head, password)["code"], "password");
    }
    assert_eq!(failure(&head, &[LEAF, b""])["code"], "input");
}

#[test]
fn differences_and_findings() {
    let report = answer(&json!({ "op": "diff" }), &[LEAF, ROOT]);
    assert_eq!((&report["schema"], &report["same"]), (&json!("tagwise.diff/1"), &json!(false)));
    let report = answer(&json!({ "op": "lint" }), &[NEGATIVE]);
    assert_eq!(report["files"][0]["items"][0]["findings"][0]["id"], "decoder.negative-serial");
}

/// Without `full`, what the build does not read is named, and never decoded or valid.
#[cfg(not(feature = "full"))]
#[test]
fn other_kinds_are_named_only() {
    let message = [0x30, 0x0B, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01];
    let archive = b"PK\x03\x04 and more";
    let file = answer(&json!({ "op": "parse" }), &[&message]);
    assert_eq!(file["items"][0]["kind"], "other");
    let text = "CMS (PKCS #7) message, which this build does not read";
    assert_eq!(file["items"][0]["description"], text, "{file}");
    assert!(file["error"].as_str().is_some_and(|error| error.contains(text)), "{file}");
    assert_eq!(failure(&json!({ "op": "get", "path": "contentType" }), &[&message])["message"], "unknown content");
    let file = answer(&json!({ "op": "parse" }), &[archive]);
    let error = &file["items"][0]["errors"][0];
    assert_eq!(
        (&error["code"], &error["message"]),
        (&json!("not-opened"), &json!("zip, which this build does not open"))
    );
    assert_eq!(failure(&json!({ "op": "open" }), &[include_bytes!("data/modern.p12"), b"x"])["code"], "usage");
    #[cfg(feature = "verify")]
    {
        let head = json!({ "op": "verify", "now": NOW, "counts": [1, 1, 0, 0] });
        assert_eq!(failure(&head, &[LEAF, archive])["code"], "input");
        let tree = [include_bytes!("data/mtc-leaf.pem").as_slice(), include_bytes!("data/mtc-ca.pem")];
        let december = json!({ "op": "verify", "now": 1_796_083_200, "counts": [1, 1, 0, 0] });
        assert_eq!(answer(&december, &tree)["status"], "undecided");
    }
}

#[cfg(feature = "schema")]
#[test]
fn schemas_stay_until_they_are_freed() {
    let compiled = answer(&json!({ "op": "compile", "names": ["point.asn1"] }), &[POINT]);
    let schema = &compiled["schema"];
    let encoded = ask(&json!({ "op": "encode", "schema": schema }), &[br#"{"x":5,"y":9}"#]);
    assert_eq!(encoded, Response::Bytes(vec![0x30, 6, 0x80, 1, 5, 0x81, 1, 9]));
    let decoded = answer(&json!({ "op": "decode", "schema": schema }), &[encoded.bytes()]);
    assert_eq!(decoded, json!({ "x": 5, "y": 9 }));
    answer(&json!({ "op": "free", "schema": schema }), &[]);
    assert_eq!(failure(&json!({ "op": "decode", "schema": schema }), &[encoded.bytes()])["code"], "usage");
    assert!(failure(&json!({ "op": "compile" }), &[b"M DEFINITIONS"])["message"].as_str().is_some());
}

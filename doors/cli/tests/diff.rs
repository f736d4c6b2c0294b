//! `tagwise diff`: certificates, CRLs, precertificates.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;

use common::{Run, data, tagwise, tagwise_with};
use serde_json::Value;

/// The text of a certificate or CRL of the lints' fixtures.
fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/lint/good");
    fs::read_to_string(folder.join(name)).unwrap()
}

fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("diff-{name}.der"));
    fs::write(&path, tagwise_notation::parse(text).unwrap()).unwrap();
    path.to_str().unwrap().to_owned()
}

/// What differs between a text and what replacements make of it: kind and path.
fn differences(name: &str, base: &str, changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let one = text(base);
    let mut other = one.clone();
    for (old, new) in changes {
        assert_eq!(other.matches(old).count(), 1, "{old}");
        other = other.replace(old, new);
    }
    let run = tagwise(&["diff", "--json", &file(&format!("{name}-1"), &one), &file(&format!("{name}-2"), &other)]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let document = json(&run);
    assert_eq!((&document["schema"], &document["same"]), (&"tagwise.diff/1".into(), &false.into()));
    let pair = |difference: &Value| {
        (difference["kind"].as_str().unwrap().to_owned(), difference["path"].as_str().unwrap().to_owned())
    };
    document["differences"].as_array().unwrap().iter().map(pair).collect()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", run.out, run.err))
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(kind, path)| ((*kind).to_owned(), (*path).to_owned())).collect()
}

#[test]
fn the_same() {
    for name in ["root.pem", "list.pem"] {
        let run = tagwise(&["diff", &data(name), &data(name)]);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
    }
}

#[test]
fn fields() {
    let found = differences(
        "fields",
        "ee.txt",
        &[
            ("INTEGER { 4097 }", "INTEGER { 4098 }"),
            ("UTCTime { \"270101000000Z\" }", "UTCTime { \"280101000000Z\" }"),
            (
                "SET { SEQUENCE { OBJECT_IDENTIFIER { 2.5.4.3 } PrintableString { \"CA\" } } }",
                "SET { SEQUENCE { OBJECT_IDENTIFIER { 2.5.4.3 } PrintableString { \"CB\" } } }",
            ),
        ],
    );
    let expected = pairs(&[
        ("changed", "tbsCertificate.serialNumber"),
        ("changed", "tbsCertificate.issuer"),
        ("changed", "tbsCertificate.validity.notAfter"),
    ]);
    assert_eq!(found, expected);
}

#[test]
fn names_that_read_the_same() {
    let old = "SET { SEQUENCE { OBJECT_IDENTIFIER { 2.5.4.3 } PrintableString { \"CA\" } } }";
    let new = old.replace("PrintableString", "UTF8String");
    let one = text("ee.txt");
    let (one, other) = (file("same-1", &one), file("same-2", &one.replace(old, &new)));
    let run = tagwise(&["diff", &one, &other]);
    assert_eq!(run.code, Some(1));
    let expected = format!(
        "--- {one}\n+++ {other}\ntbsCertificate.issuer[1][commonName].value\n  - PrintableString CA\n  + UTF8String CA\n"
    );
    assert_eq!(run.out, expected);
}

#[test]
fn extensions_are_matched() {
    let usage = "        SEQUENCE {
          OBJECT_IDENTIFIER { 2.5.29.15 }  # keyUsage
          BOOLEAN { TRUE }
          OCTET_STRING { BIT_STRING { b`1` } }  # digitalSignature
        }
";
    let found = differences("removed", "ee.txt", &[(usage, "")]);
    assert_eq!(found, pairs(&[("removed", "tbsCertificate.extensions[keyUsage]")]));
    let found = differences(
        "inside",
        "ee.txt",
        &[
            (
                "BOOLEAN { TRUE }\n          OCTET_STRING { BIT_STRING { b`1` } }",
                "OCTET_STRING { BIT_STRING { b`101` } }",
            ),
            (
                "[2 PRIMITIVE] { \"www.example.org\" }\n",
                "[2 PRIMITIVE] { \"www.example.org\" }\n[2 PRIMITIVE] { \"w.example.org\" }\n",
            ),
        ],
    );
    let expected = pairs(&[
        ("changed", "tbsCertificate.extensions[keyUsage].critical"),
        ("changed", "tbsCertificate.extensions[keyUsage].extnValue"),
        ("added", "tbsCertificate.extensions[subjectAltName].extnValue[2]"),
    ]);
    assert_eq!(found, expected);
}

#[test]
fn order() {
    let (one, other) = ("[2 PRIMITIVE] { \"www.example.org\" }", "[2 PRIMITIVE] { \"*.example.org\" }");
    let both = format!("{one}\n              {other}");
    let found = differences("order", "ee.txt", &[(&both, &format!("{other} {one}"))]);
    assert_eq!(found, pairs(&[("order", "tbsCertificate.extensions[subjectAltName].extnValue")]));
}

#[test]
fn lists() {
    let found = differences(
        "lists",
        "crl.txt",
        &[
            ("INTEGER { 4098 }", "INTEGER { 5000 }"),
            ("ENUMERATED { 1 }", "ENUMERATED { 2 }"),
            ("OCTET_STRING { INTEGER { 7 } }", "OCTET_STRING { INTEGER { 8 } }"),
            ("UTCTime { \"260201000000Z\" }  # nextUpdate\n", ""),
        ],
    );
    let expected = pairs(&[
        ("removed", "tbsCertList.nextUpdate"),
        ("changed", "tbsCertList.revokedCertificates[1001]"),
        ("removed", "tbsCertList.revokedCertificates[1002]"),
        ("added", "tbsCertList.revokedCertificates[1388]"),
        ("changed", "tbsCertList.crlExtensions[cRLNumber].extnValue"),
    ]);
    assert_eq!(found, expected);
}

/// A precertificate and its certificate: the extension that is not known becomes poison, and timestamps.
fn precertificate() -> (String, String) {
    let base = text("ee.txt");
    let unknown = "OBJECT_IDENTIFIER { 2.999.3 }  # not known\n          OCTET_STRING { \"anything\" }";
    let poison = "OBJECT_IDENTIFIER { 1.3.6.1.4.1.11129.2.4.3 } BOOLEAN { TRUE } OCTET_STRING { NULL {} }";
    let log = "11".repeat(32);
    // 2026-11-21T10:00:00.123Z, SHA-256 and ECDSA, a signature of two octets.
    let sct = format!("00 {log} 000001a1fdbc647b 0000 0403 0002 abcd").replace(' ', "");
    let len = sct.len() / 2;
    let list = format!("{:04x}{len:04x}{sct}", len + 2);
    let timestamps =
        format!("OBJECT_IDENTIFIER {{ 1.3.6.1.4.1.11129.2.4.2 }} OCTET_STRING {{ OCTET_STRING {{ `{list}` }} }}");
    assert!(base.contains(unknown));
    // Another signature, too.
    let signed = base.replace(unknown, &timestamps);
    let at = signed.rfind("BIT_STRING { `00` `00").unwrap();
    let signed = format!("{}BIT_STRING {{ `00` `ff{}", &signed[..at], &signed[at + 21..]);
    (base.replace(unknown, poison), signed)
}

#[test]
fn precertificates() {
    let (pre, certificate) = precertificate();
    let (one, other) = (file("pre", &pre), file("cert", &certificate));
    let run = tagwise(&["diff", "--precert", &one, &other]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    assert!(run.out.starts_with(&format!("precertificate: {one}\ntimestamp: v1 ")), "{}", run.out);
    assert!(run.out.contains("ecdsa-sha256 of log 1111"), "{}", run.out);
    assert!(
        run.out.ends_with("the to-be-signed parts are equal, apart from the poison extension and the SCT list\n"),
        "{}",
        run.out
    );
    // Either way round, and as JSON.
    let run = tagwise(&["diff", "--precert", "--json", &other, &one]);
    let document = json(&run);
    assert_eq!((run.code, &document["same"]), (Some(0), &true.into()));
    assert_eq!(document["precert"]["precertificate"], "b");
    assert_eq!(document["differences"].as_array().unwrap().len(), 0);
    // Without --precert they differ.
    assert_eq!(tagwise(&["diff", &one, &other]).code, Some(1));
}

#[test]
fn precertificates_that_do_not_match() {
    let (pre, certificate) = precertificate();
    let one = file("other-pre", &pre);
    let changed = file("changed", &certificate.replace("INTEGER { 4097 }", "INTEGER { 4099 }"));
    let run = tagwise(&["diff", "--precert", &one, &changed]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("tbsCertificate.serialNumber"), "{}", run.out);
    assert!(run.out.ends_with("the signed parts differ\n"), "{}", run.out);
    // A precertificate signing certificate: issuer and authority key identifier are others.
    let issued = pre
        .replace("PrintableString { \"CA\" }", "PrintableString { \"CT\" }")
        .replace("[0 PRIMITIVE] { `01020304` }", "[0 PRIMITIVE] { `0a0a0a0a` }");
    let run = tagwise(&["diff", "--precert", &file("issued", &issued), &file("final", &certificate)]);
    assert_eq!(run.code, Some(4), "{}", run.out);
    assert!(run.out.contains("precertificate signing certificate"), "{}", run.out);
    let run = tagwise(&["diff", "--precert", "--json", &file("issued", &issued), &file("final", &certificate)]);
    let document = json(&run);
    assert_eq!((&document["same"], &document["exit_code"]), (&false.into(), &4.into()));
    assert_eq!(
        (&document["precert"]["tbs_matches"], &document["precert"]["other_issuer"]),
        (&false.into(), &true.into())
    );
    // Only the key identifier is another: not the same.
    let odd = pre.replace("[0 PRIMITIVE] { `01020304` }", "[0 PRIMITIVE] { `0a0a0a0a` }");
    assert_eq!(tagwise(&["diff", "--precert", &file("odd", &odd), &file("final", &certificate)]).code, Some(1));
    // Neither is one.
    let run = tagwise(&["diff", "--precert", &data("root.pem"), &data("root.pem")]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("neither has the precertificate poison"), "{}", run.err);
}

#[test]
fn inputs_that_cannot_be_compared() {
    // There is no answer to such a question: each file is named with what it is.
    let run = tagwise(&["diff", &data("root.pem"), &data("list.pem")]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("root.pem is a certificate, ") && run.err.contains("list.pem is a CRL: "), "{}", run.err);
    let run = tagwise(&["diff", &data("root.pem"), &data("messages/key.pem")]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("key.pem is a private key (PKCS #8): give two of the same kind"), "{}", run.err);
    assert_eq!(tagwise(&["diff", "-", "-"]).code, Some(2));
    assert_eq!(tagwise(&["diff", "/nowhere", &data("root.pem")]).code, Some(3));
    let run = tagwise_with(&["diff", &data("root.pem"), "-"], b"\x30\x02\x05\x00");
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("tagwise: standard input: "), "{}", run.err);
}

/// Messages of one kind, by their tables; kinds that differ are told.
#[test]
fn messages() {
    let message = |name: &str| data(&format!("messages/{name}"));
    let same = tagwise(&["diff", &message("request.pem"), &message("request.pem")]);
    assert_eq!(same.code, Some(0), "{}", same.err);
    let run = tagwise(&["diff", "--json", &message("request.cmp"), &message("revoke.cmp")]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["kind"], "cmp");
    let paths: Vec<&str> =
        json["differences"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert!(paths.contains(&"header.transactionID") && paths.contains(&"body"), "{paths:?}");
    let run = tagwise(&["diff", &message("request.cmp"), &message("roa.p7m")]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("request.cmp is a CMP message, ") && run.err.contains("roa.p7m is a CMS"), "{}", run.err);
    // Of keys it is said that they differ, and not in what.
    let other = tagwise(&["key", "new", "ecdsa-p256", "--no-passphrase"]);
    let run = tagwise_with(&["diff", &message("key.pem"), "-"], other.out.as_bytes());
    assert_eq!(run.code, Some(1), "{}", run.err);
}

/// Addresses read as people write them, where they stand alone and in an extension that is new.
#[test]
fn addresses() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, extension: &str| {
        let path = folder.path().join(name);
        let text = tagwise(&["edit", "--text", &data("root.pem")]).out;
        // SubjectAltName in the place of the key identifier.
        let start = text.find("OBJECT_IDENTIFIER { 2.5.29.14 }").unwrap();
        let end = start + text[start..].find("          OBJECT_IDENTIFIER { 2.5.29.30 }").unwrap();
        let rest = "} SEQUENCE {\n";
        let text = format!("{}OBJECT_IDENTIFIER {{ 2.5.29.17 }} {extension} {rest}{}", &text[..start], &text[end..]);
        let made = tagwise_with(&["edit", "--assemble", "-o", path.to_str().unwrap(), "-"], text.as_bytes());
        assert_eq!(made.code, Some(0), "{}\n{text}", made.err);
        path.to_str().unwrap().to_owned()
    };
    let one = file("one", "OCTET_STRING { SEQUENCE { [7 PRIMITIVE] { `c0000201` } } }");
    let other = file("other", "OCTET_STRING { SEQUENCE { [7 PRIMITIVE] { `20010db8000000000000000000000001` } } }");
    let run = tagwise(&["diff", &one, &other]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.contains("  - 192.0.2.1\n  + 2001:db8::1\n"), "{}", run.out);
    let run = tagwise(&["diff", &data("root.pem"), &other]);
    assert!(run.out.contains("iPAddress: 2001:db8::1"), "{}", run.out);
    let name = "tbsCertificate.extensions[SAN].extnValue[0]";
    for path in [name.to_owned(), format!("{name}.iPAddress")] {
        assert_eq!(tagwise(&["get", &path, &one]).out, "192.0.2.1\n");
    }
    assert_eq!(tagwise(&["get", "--hex", &format!("{name}.iPAddress"), &one]).out, "8704c0000201\n");
}

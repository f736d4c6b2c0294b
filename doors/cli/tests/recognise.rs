//! One table of forms for all commands that read values: what is recognized by one is by all, and what cannot be read is named.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;

use common::{Run, data, der, tagwise, tagwise_with};
use tagwise_codec::text::{base64, hex};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// UTF-16 with a byte order mark, as some editors and shells write text.
fn wide(text: &[u8], unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::str::from_utf8(text).unwrap().encode_utf16();
    std::iter::once(0xFEFF).chain(units).flat_map(unit).collect()
}

/// A certificate in every form that there is.
fn forms() -> Vec<(String, Vec<u8>)> {
    let binary = der("root.pem");
    let mut forms = vec![("DER".to_owned(), binary.clone())];
    let line = |(at, line): (usize, &[u8])| format!("{:08x}: {}\n", at * 16, hex::encode(line));
    let dump: String = binary.chunks(16).enumerate().map(line).collect();
    forms.push(("hex dump".to_owned(), dump.into_bytes()));
    let colons: Vec<String> = binary.iter().map(|octet| format!("{octet:02X}")).collect();
    for (name, text) in [
        ("PEM", fs::read(data("root.pem")).unwrap()),
        ("hexadecimal", hex::encode(&binary).into_bytes()),
        ("hexadecimal with colons", colons.join(":").into_bytes()),
        ("base64", base64::encode(&binary).into_bytes()),
    ] {
        let lines: Vec<u8> =
            text.iter().flat_map(|octet| if *octet == b'\n' { vec![b'\r', b'\n'] } else { vec![*octet] }).collect();
        forms.push((format!("{name} with CRLF and a mark"), [BOM, &lines].concat()));
        forms.push((format!("{name} with a mark"), [BOM, &text].concat()));
        forms.push((format!("{name} in UTF-16LE"), wide(&text, u16::to_le_bytes)));
        forms.push((format!("{name} in UTF-16BE"), wide(&text, u16::to_be_bytes)));
        forms.push((format!("{name} in UTF-16LE without a mark"), wide(&text, u16::to_le_bytes).split_off(2)));
        forms.push((format!("{name} in UTF-16BE without a mark"), wide(&text, u16::to_be_bytes).split_off(2)));
        forms.push((name.to_owned(), text));
    }
    forms
}

#[test]
fn every_command_reads_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let (path, binary) = (folder.path().join("value"), folder.path().join("binary"));
    fs::write(&binary, der("root.pem")).unwrap();
    let (path, binary) = (path.to_str().unwrap(), binary.to_str().unwrap());
    let serial = tagwise(&["get", "tbsCertificate.serialNumber", binary]).out;
    let wanted = tagwise(&["edit", "--text", binary]).out;
    for (name, input) in forms() {
        fs::write(path, &input).unwrap();
        let good = |args: &[&str]| -> Run {
            let run = tagwise(args);
            assert_eq!(run.code, Some(0), "{name}: {args:?}: {}", run.err);
            run
        };
        assert!(good(&["show", "--at", "2027-01-01", path]).out.contains("certificate 1 of 1"), "{name}");
        assert!(good(&["show", "--text=openssl", path]).out.starts_with("Certificate:\n"), "{name}");
        assert!(good(&["dump", path]).out.contains("UTCTime"), "{name}");
        let lint = tagwise(&["lint", "--json", path]);
        assert!(lint.out.contains("\"kind\": \"certificate\"") && lint.err.is_empty(), "{name}: {}", lint.err);
        assert_eq!(good(&["get", "tbsCertificate.serialNumber", path]).out, serial, "{name}");
        assert_eq!(good(&["explain", "4", path]).out, "tbsCertificate\n", "{name}");
        assert_eq!(good(&["edit", "--text", path]).out, wanted, "{name}");
        assert_eq!(good(&["diff", path, binary]).out, "", "{name}");
        assert!(good(&["convert", "--to", "pem", path]).out.contains("-----BEGIN CERTIFICATE-----\n"), "{name}");
        assert!(good(&["scan", "--at", "2027-01-01", path]).out.contains("ok"), "{name}");
        assert!(good(&["check", "--at", "2027-01-01", path]).out.starts_with("all 1 valid"), "{name}");
        assert!(good(&["tree", "--at", "2027-01-01", path]).out.ends_with("\n1 root\n"), "{name}");
        assert!(good(&["key", "show", path]).out.contains("Form:      certificate\n"), "{name}");
        // Standard input is read piece by piece.
        let dump = tagwise_with(&["dump", "-"], &input);
        assert!(dump.code == Some(0) && dump.out.contains("UTCTime"), "{name}: {}", dump.err);
    }
}

/// Input that only begins like UTF-16, or is in none of the forms, is not recognized.
#[test]
fn other_text_is_not_recognised() {
    for (input, words) in [
        (&b"\xFF\xFE"[..], "neither PEM, DER, hexadecimal nor base64"),
        (b"\xFF\xFEh\x00i\x00", "no certificate, CRL, key or message found in this text"),
        (b"\xFE\xFF\xD8\x00\x00a", "neither PEM, DER, hexadecimal nor base64"),
        (b"\xFF\xFE3", "neither PEM, DER, hexadecimal nor base64"),
    ] {
        let run = tagwise_with(&["show", "-"], input);
        assert_eq!(run.code, Some(1), "{input:?}");
        assert!(run.err.contains(words), "{input:?}: {}", run.err);
    }
}

/// Blocks that hold no ASN.1 as it is say what they are and what to do, whatever is asked of them.
#[test]
fn foreign_blocks_are_named() {
    let ssh = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n";
    let old = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n\
               b3BlbnNzaC1rZXktdjEA\n-----END RSA PRIVATE KEY-----\n";
    for (input, what, advice) in [
        (ssh, "an OpenSSH private key", "tagwise key convert --to pkcs8"),
        (old, "an RSA private key, encrypted by PEM headers with AES-256-CBC", "tagwise key convert --to pkcs8"),
    ] {
        for args in [
            &["show", "-"][..],
            &["lint", "-"],
            &["get", "", "-"],
            &["key", "show", "-"],
            &["convert", "--to", "p12", "-"],
            &["scan", "-"],
            &["check", "-"],
            &["tree", "-"],
        ] {
            let run = tagwise_with(args, input.as_bytes());
            // Commands that read keys read this one, with its passphrase.
            if args.first() == Some(&"key") && input == old {
                assert!(
                    run.err.contains("a passphrase is required, but there is no terminal to read it from: give"),
                    "{args:?}: {}",
                    run.err
                );
                continue;
            }
            assert_eq!(run.code, Some(1), "{args:?}");
            if args.first() == Some(&"key") {
                assert!(run.err.contains("OpenSSH private key is malformed: truncated"), "{args:?}: {}", run.err);
                continue;
            }
            assert!(run.err.contains(what) && run.err.contains(advice), "{args:?}: {}", run.err);
        }
    }
}

/// A block with nothing in it is nobody's clean certificate.
#[test]
fn empty_blocks_are_told() {
    let input = b"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n";
    for args in [
        &["show", "-"][..],
        &["show", "--text=openssl", "-"],
        &["get", "", "-"],
        &["convert", "--to", "der", "-"],
        &["convert", "--to", "p7", "-"],
        &["key", "show", "-"],
        &["edit", "--text", "-"],
        &["diff", "-", &data("root.pem")],
    ] {
        let run = tagwise_with(args, input);
        assert_eq!(run.code, Some(1), "{args:?}");
        assert!(
            run.err.contains("the block is empty: no data between its BEGIN and END lines"),
            "{args:?}: {}",
            run.err
        );
    }
    for command in ["scan", "check", "tree"] {
        let run = tagwise_with(&[command, "-"], input);
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains("line 1: an empty block"), "{command}: {}", run.err);
    }
    let run = tagwise_with(&["lint", "--json", "-"], input);
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let findings = found["files"][0]["items"][0]["findings"].as_array().unwrap();
    assert_eq!((run.code, findings.len()), (Some(1), 1), "{}", run.out);
    assert!(findings[0]["message"].as_str().unwrap().contains("the block is empty"), "{}", run.out);
    let run = tagwise_with(&["lint", "-"], input);
    assert!(!run.out.contains("1 clean"), "{}", run.out);
}

/// All options that take a moment read it alike.
#[test]
fn moments_are_strict_everywhere() {
    let root = data("root.pem");
    for wrong in ["2026:11:21", "+026-11-21", "2026-11-21T10:00:00ZZZ", "2026-11-21T10:00:00", "2026-02-30"] {
        for args in [
            &["show", "--at", wrong, &root][..],
            &["check", "--at", wrong, &root],
            &["scan", "--at", wrong, &root],
            &["tree", "--at", wrong, &root],
            &["ca", "list", "--at", wrong],
            &["cms", "sign", "x", "--key", "k", "--certificate", "c", "--at", wrong],
            &["tsp", "reply", "x", "--key", "k", "--certificate", "c", "--policy", "1.2", "--at", wrong],
        ] {
            let run = tagwise(args);
            assert_eq!(run.code, Some(2), "{args:?}: {}", run.err);
            assert!(run.err.contains(wrong) && run.err.contains("2026-11-21"), "{args:?}: {}", run.err);
        }
        let filter = format!("expires<{wrong}");
        assert_eq!(tagwise(&["scan", "--filter", &filter, &root]).code, Some(2), "{filter}");
    }
    for right in ["2027-01-01", "2027-01-01T00:00:00Z", "2027-01-01T01:30:00+01:30"] {
        assert_eq!(tagwise(&["check", "--at", right, &root]).code, Some(0), "{right}");
    }
}

/// Files that were named are named when there is nothing in them.
#[test]
fn check_names_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("nothing.txt");
    fs::write(&empty, "hello\n").unwrap();
    let empty = empty.to_str().unwrap();
    let bad = folder.path().join("bad.der");
    fs::write(&bad, &der("root.pem")[..100]).unwrap();
    let bad = bad.to_str().unwrap();
    let run = tagwise(&["check", "--at", "2027-01-01", &data("root.pem"), empty, bad]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains(&format!("{empty}: ")) && run.err.contains(&format!("{bad}: ")), "{}", run.err);
    assert_eq!(run.err.lines().count(), 2, "{}", run.err);
    let none = folder.path().join("none");
    fs::create_dir(&none).unwrap();
    let run = tagwise(&["check", none.to_str().unwrap()]);
    assert_eq!(run.err, format!("tagwise: {}: no certificate or CRL found\n", none.display()));
}

/// `openssl ecparam -genkey` writes the curve as a block of its own.
#[test]
fn a_curve_in_front_of_a_key() {
    let curve = b"-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
    let shown = tagwise_with(&["show", "-"], curve);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    assert!(shown.out.contains("curve (EC parameters)") && shown.out.contains("P-256"), "{}", shown.out);
    assert_eq!(tagwise_with(&["show", "--json", "-"], b"\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07").code, Some(1));
}

//! `tagwise convert`: rules, wrappings, labels, and what is refused.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, corpus, data, der, files, tagwise, tagwise_with};
use tagwise_codec::pem;
use tagwise_codec::text::hex;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("convert-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Converts standard input.
fn convert(args: &[&str], input: &[u8]) -> Run {
    let mut all = vec!["convert", "-"];
    all.extend(args);
    tagwise_with(&all, input)
}

/// Converts to binary, through hexadecimal, for standard output is taken as text here.
fn binary(rules: &str, input: &[u8]) -> (Vec<u8>, String) {
    let run = convert(&["--to", &format!("{rules},hex")], input);
    assert_eq!(run.code, Some(0), "{}", run.err);
    (hex::decode(run.out.as_bytes()).unwrap(), run.err)
}

fn octets(text: &str) -> Vec<u8> {
    hex::decode(text.as_bytes()).unwrap()
}

/// Zero bytes behind a value are padding only in BER, and their omission is told.
#[test]
fn padding_behind_a_value() {
    let padded = [1, 1, 0xFF, 0, 0];
    let run = convert(&["--to", "cer,hex"], &padded);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "0101ff\n"));
    assert!(run.err.contains("note: the last 2 bytes are 00, and were left out"), "{}", run.err);
    assert_eq!(convert(&["--to", "pem", "--label", "X"], &padded).code, Some(0));
    for args in [&["--from", "der", "--to", "cer,hex"][..], &["--to", "cer,hex", "--strict"]] {
        let run = convert(args, &padded);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{args:?}: {}", run.err);
    }
}

/// A certificate that is selected from a file is written alone: without the private key beside it, and the issuers behind it.
#[test]
fn the_first_value_of_a_kind() {
    let made = tempfile::tempdir().unwrap();
    let at = |name: &str| made.path().join(name).to_str().unwrap().to_owned();
    let (key, cert, request) = (at("key.pem"), at("cert.pem"), at("request.pem"));
    let run = tagwise(&["cert", "self-signed", "--host", "localhost", "--key-out", &key, "-o", &cert]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = tagwise(&["csr", "new", "--key", &key, "--subject", "CN=a", "-o", &request]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let text = |name: &str| fs::read_to_string(name).unwrap();
    let root = text(&data("root.pem"));
    let both = [text(&key), text(&request), text(&cert), root.clone(), text(&data("list.pem"))].concat();
    for (kind, alone) in [("certificate", &cert), ("request", &request)] {
        let run = convert(&["--to", "pem", "--first", kind], both.as_bytes());
        assert_eq!((run.code, &*run.out), (Some(0), &*text(alone)), "{kind}: {}", run.err);
    }
    let run = convert(&["--to", "der,hex", "--first", "certificate"], both.as_bytes());
    assert_eq!(hex::decode(run.out.as_bytes()).unwrap(), pem::first(&["CERTIFICATE"], text(&cert).as_bytes()).unwrap());
    let run = convert(&["--to", "pem", "--first", "crl"], both.as_bytes());
    assert!(run.out.starts_with("-----BEGIN X509 CRL-----") && run.out.matches("BEGIN").count() == 1, "{}", run.out);
    // DER, and a message.
    let run = convert(&["--to", "p7,pem"], root.as_bytes());
    let run = convert(&["--to", "pem", "--first", "message"], (text(&key) + &run.out).as_bytes());
    assert!(run.out.starts_with("-----BEGIN PKCS7-----") && run.out.matches("BEGIN").count() == 1, "{}", run.out);
    let run = convert(&["--to", "pem", "--first", "certificate"], &der("root.pem"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    // The first one is missing or damaged. A later one does not replace it.
    assert_eq!(convert(&["--to", "pem", "--first", "request"], root.as_bytes()).code, Some(1));
    let damaged = root.replacen("\nMI", "\n!I", 1) + &text(&cert);
    assert_eq!(convert(&["--to", "pem", "--first", "certificate"], damaged.as_bytes()).code, Some(1));
    assert_eq!(convert(&["--to", "pem", "--first", "certificate", "--from", "der"], &der("root.pem")).code, Some(2));
}

#[test]
fn wrappings_of_a_certificate() {
    let root = der("root.pem");
    let folder = folder("wrappings");
    let mut inputs = vec![fs::read(data("root.pem")).unwrap(), root.clone()];
    for form in ["pem", "hex", "base64", "der,base64", "der,pem"] {
        let run = convert(&["--to", form], &root);
        assert_eq!((run.code, &*run.err), (Some(0), ""));
        assert!(run.out.lines().all(|line| line.len() <= 64), "{}", run.out);
        inputs.push(run.out.into_bytes());
    }
    assert!(inputs[2].starts_with(b"-----BEGIN CERTIFICATE-----\n"));
    let out = folder.join("out.der");
    for input in &inputs {
        let run = convert(&["--to", "der", "-o", out.to_str().unwrap()], input);
        assert_eq!((run.code, &*run.out, &*run.err), (Some(0), "", ""));
        assert_eq!(fs::read(&out).unwrap(), root);
    }
    // Said instead of found.
    for (index, form) in [(2, "pem"), (3, "hex"), (4, "base64"), (5, "base64,der")] {
        assert_eq!(convert(&["--to", "hex", "--from", form], &inputs[index]).code, Some(0), "{form}");
    }
    assert_eq!(convert(&["--to", "hex", "--from", "pem"], &root).code, Some(1));
    assert_eq!(convert(&["--to", "pem", "--from", "base64"], b"!").code, Some(1));
    // Wrappings hold anything.
    for (form, wanted) in [("hex", "ff00\n"), ("base64", "/wA=\n")] {
        assert_eq!(convert(&["--to", form], b"\xFF\x00").out, wanted);
    }
}

#[test]
fn rules_of_small_values() {
    for (input, form, wanted) in [
        // Indefinite length, a padded one, a TRUE, a string in segments.
        ("3080 0281 0105 0101 01 2480 0401aa 0401bb 0000 0000", "der", "300a 020105 0101ff 0402aabb"),
        ("3003 020105", "cer", "3080 020105 0000"),
        ("3005 a003 020105", "ber", "3080 a080 020105 0000 0000"),
        ("3080 0281 0105 0000 0500", "ber", "3080 02810105 0000 0500"),
        // Several in a row.
        ("3080 0000 3080 0000 0500", "der", "3000 3000 0500"),
        ("0500 0500", "cer", "0500 0500"),
    ] {
        let (found, _) = binary(form, &octets(input));
        assert_eq!(hex::encode(&found), hex::encode(&octets(wanted)), "{input}");
    }
    let long = [&[0x04, 0x82, 0x03, 0xE9][..], &[7; 1001]].concat();
    let (cer, err) = binary("cer", &long);
    assert_eq!((&cer[..6], &*err), (&[0x24, 0x80, 0x04, 0x82, 0x03, 0xE8][..], ""));
    assert_eq!(binary("der", &cer).0, long);
}

#[test]
fn requirements_on_the_input() {
    let (der, ber, cer) = (octets("3003 020105"), octets("3080 02810105 0000"), octets("3080 020105 0000"));
    for (input, from, code) in [
        (&der, "der", 0),
        (&der, "cer", 1),
        (&der, "ber", 0),
        (&ber, "der", 1),
        (&ber, "cer", 1),
        (&ber, "ber", 0),
        (&cer, "der", 1),
        (&cer, "cer", 0),
        (&cer, "ber", 0),
    ] {
        for to in ["hex", "der,hex", "ber,hex", "cer,hex", "ber,base64"] {
            let run = convert(&["--from", from, "--to", to], input);
            assert_eq!(run.code, Some(code), "{from} {to} {}", run.err);
            assert_eq!(run.out.is_empty(), code == 1);
        }
    }
    let run = convert(&["--from", "der", "--to", "hex"], &ber);
    assert_eq!(run.err, "tagwise: standard input: the indefinite length form is not DER, at byte 1 (X.690 §10.1)\n");
}

#[test]
fn uncertain_conversions_without_a_schema_are_reported() {
    let (found, err) = binary("der", &octets("3080 a080 0401aa 0401bb 0000 3106 020105 020103 0000"));
    assert_eq!(hex::encode(&found), hex::encode(&octets("3010 a006 0401aa 0401bb 3106 020105 020103")));
    assert_eq!(
        err,
        "tagwise: standard input: note: [0] at byte 2: possibly a string in segments; only a schema can decide\n\
         tagwise: standard input: note: SET at byte 12: only a schema can tell a SET from a SET OF; the order is unchanged\n"
    );
    // In a row, and in a block, offsets are those of the file or block; many are summed up.
    let row = [octets("0500"), octets(&"3080 a080 0000 0000".repeat(15))].concat();
    let (_, err) = binary("der", &row);
    assert!(err.contains("note: [0] at byte 4: ") && err.contains("note: [0] at byte 12: "), "{err}");
    assert!(err.ends_with("note: 5 more notes of this kind\n"), "{err}");
    // What is in the form already raises no question.
    assert_eq!(binary("der", &octets("3106 020105 020103")).1, "");
}

#[test]
fn strictly_nothing_is_left_open() {
    // What may be a string in segments, and what changes nothing but may be a SET in the wrong order.
    for input in ["3080 a080 0401aa 0401bb 0000 0000", "3106 020103 020105 ", "3106 020105 020103"] {
        let run = convert(&["--to", "der,hex", "--strict"], &octets(input));
        let known = input.starts_with("3106 020103");
        assert_eq!(run.code, Some(u8::from(!known).into()), "{input}: {}", run.err);
        assert_eq!(run.out.is_empty(), !known, "{input}");
        assert_eq!(
            run.err.contains("not converted with certainty: nothing was written because of --strict"),
            !known,
            "{}",
            run.err
        );
        assert_eq!(convert(&["--to", "der,hex"], &octets(input)).code, Some(0));
    }
    let known = convert(&["--to", "der,hex", "--strict"], &der("leaf.pem"));
    assert_eq!(known.code, Some(0), "{}", known.err);
    // What is signed stays in DER, and so is not CER.
    let signed = convert(&["--to", "cer,hex", "--strict"], &der("leaf.pem"));
    assert_eq!(signed.code, Some(1), "{}", signed.err);
    // A file that is refused is not written.
    let out = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("strict.der");
    let _ = std::fs::remove_file(&out);
    let run = convert(&["--to", "der", "--strict", "-o", out.to_str().unwrap()], &octets("3080 a080 0000 0000"));
    assert!(run.code == Some(1) && !out.exists(), "{}", run.err);
}

#[test]
fn labels() {
    let sequence = octets("3003 020105");
    let run = convert(&["--to", "pem"], &sequence);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("the content has no known label: give --label LABEL"), "{}", run.err);
    let run = convert(&["--to", "pem", "--label", "MY THING"], &sequence);
    assert_eq!(run.out, "-----BEGIN MY THING-----\nMAMCAQU=\n-----END MY THING-----\n");
    // A label that is given needs no encoding.
    assert_eq!(convert(&["--to", "pem", "--label", "X"], b"\x30\x05!").code, Some(0));
    assert_eq!(convert(&["--to", "pem"], b"\x30\x05!").code, Some(1));
    for label in ["A--B", " A", "é", "a\u{1b}"] {
        let run = convert(&["--to", "pem", "--label", label], &sequence);
        assert!(run.code == Some(2) && !run.err.contains('\u{1b}'), "{label}: {}", run.err);
    }
    // Labels stay, text around is left out.
    let text = "text\n-----BEGIN A-----\r\nMAMCAQU=\r\n-----END A-----\nmore\n-----BEGIN B-----\nMIACAQUAAA==\n-----END B-----\n";
    let run = convert(&["--to", "der,pem"], text.as_bytes());
    let block = |label: &str| pem::encode(label, &octets("3003020105")).unwrap();
    assert_eq!(run.out, block("A") + &block("B"));
    assert_eq!(convert(&["--to", "pem", "--label", "C"], run.out.as_bytes()).out, block("C") + &block("C"));
    assert_eq!(convert(&["--to", "hex"], run.out.as_bytes()).out, "3003020105\n3003020105\n");
    // What shares a block goes on doing so.
    let text = pem::encode("TRUSTED", &octets("0500 3080 0000")).unwrap();
    assert_eq!(
        convert(&["--to", "der,pem"], text.as_bytes()).out,
        pem::encode("TRUSTED", &octets("0500 3000")).unwrap()
    );
    // Headers belong to a block.
    let text = "-----BEGIN K-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: X\n\nAgEF\n-----END K-----\n";
    assert!(convert(&["--to", "pem"], text.as_bytes()).err.contains("the block has headers, which would be lost"));
    assert_eq!(convert(&["--to", "hex"], text.as_bytes()).out, "020105\n");
    // Values in a row.
    let row = [der("root.pem"), der("list.pem"), der("leaf.pem")].concat();
    let run = convert(&["--to", "pem"], &row);
    let labels: Vec<String> = pem::blocks(run.out.as_bytes()).map(|block| block.unwrap().label().to_owned()).collect();
    assert_eq!(labels, ["CERTIFICATE", "X509 CRL", "CERTIFICATE"]);
}

/// Blocks of the corpora whose label is not what their content says, or whose content does not say, and why that is right.
const OTHERWISE: &[(&str, &str, &str)] = &[
    // Its algorithm is none that encrypts, so that this may be a DigestInfo.
    ("bad-encryption-oid.pem", "ENCRYPTED PRIVATE KEY", ""),
    // The file's name says it.
    ("wrong-pem-delimiter-rsa.pem", "RSA PRIVATE KEY", "PRIVATE KEY"),
    // Versions that no such key has.
    ("dsa-wrong-version.pem", "DSA PRIVATE KEY", ""),
    ("rsa-wrong-version.pem", "RSA PRIVATE KEY", ""),
];

/// The labels of the corpora's PEM files are those that would be found, or registered.
#[test]
fn labels_of_the_corpora() {
    let known = [
        "CERTIFICATE",
        "X509 CRL",
        "CERTIFICATE REQUEST",
        "PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PUBLIC KEY",
        "CMS",
        "EC PRIVATE KEY",
        "RSA PRIVATE KEY",
        "DSA PRIVATE KEY",
    ];
    let mut seen = 0;
    let mut otherwise = Vec::new();
    let sets = ["rustcrypto-formats", "pyca/asymmetric", "pyca/x509/custom", "asn1crypto"];
    let Some(folders) = sets.map(corpus).into_iter().collect::<Option<Vec<_>>>() else { return };
    for file in folders.iter().flat_map(|folder| files(folder)) {
        let text = fs::read(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        for block in pem::blocks(&text).filter_map(Result::ok).filter(|block| known.contains(&block.label())).take(1) {
            let Ok(octets) = block.decode() else { continue };
            let run = convert(&["--to", "pem"], &octets);
            let found = pem::blocks(run.out.as_bytes()).next().map_or("", |block| block.unwrap().label());
            // Messages of PKCS #7 1.5 may have either label.
            if found != block.label() && (block.label(), found) != ("CMS", "PKCS7") {
                otherwise.push((name.to_owned(), block.label().to_owned(), found.to_owned()));
            }
            seen += 1;
        }
    }
    let otherwise: Vec<_> = otherwise.iter().map(|(name, label, found)| (&**name, &**label, &**found)).collect();
    assert_eq!(otherwise, OTHERWISE);
    assert!(seen > 200, "{seen}");
}

#[test]
fn all_or_nothing() {
    let folder = folder("nothing");
    let out = folder.join("out");
    fs::write(&out, "before").unwrap();
    let broken = b"-----BEGIN A-----\nAgEF\n-----END A-----\n-----BEGIN B-----\nAgEFBQ==\n-----END B-----\n";
    for (input, message) in [
        (&broken[..], "B, line 4: the encoding ends inside an element, at byte 4 (X.690 §8.1.1)"),
        (b"", "the file is empty"),
        (b"hello", "standard input: "),
        (b"-----BEGIN A-----\nA\n-----END A-----\n", "A, line 1: the base64 ends inside a group of four characters"),
    ] {
        let run = convert(&["--to", "der", "-o", out.to_str().unwrap()], input);
        assert!(run.code == Some(1) && run.err.contains(message), "{}", run.err);
        assert_eq!(fs::read(&out).unwrap(), b"before");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    let run = convert(&["--to", "der", "-o", folder.join("absent/out").to_str().unwrap()], b"\x05\x00");
    assert!(run.code == Some(3) && run.err.contains("cannot be written: No such file"), "{}", run.err);
    for args in [
        &["--to", "der,ber"][..],
        &["--to", "pem,hex"],
        &["--to", "der,der"],
        &["--to", "xml"],
        &["--to", "der", "--label", "A"],
        &["--to", "der", "--from", "hex,pem"],
        &[],
    ] {
        assert_eq!(convert(args, b"\x05\x00").code, Some(2), "{args:?}");
    }
}

/// Real messages in BER: their DER is the same by way of CER and of indefinite lengths.
#[test]
fn there_and_back() {
    let Some(set) = corpus("pyca") else { return };
    let file = files(&set).into_iter().find(|file| file.ends_with("amazon-roots.p7b")).unwrap();
    let input = fs::read(file).unwrap();
    let (der, _) = binary("der", &input);
    for way in ["cer", "ber"] {
        let (other, _) = binary(way, &der);
        assert!(other != der);
        assert_eq!(binary("der", &other).0, der, "{way}");
        assert_eq!(binary(way, &other).0, other, "{way}");
    }
    // What a certificate signs keeps its octets.
    let leaf = common::der("leaf.pem");
    let (ber, _) = binary("ber", &leaf);
    let (again, err) = binary("der", &ber);
    assert!(again != leaf);
    assert!(err.contains("its bytes may be signed, so they are unchanged"), "{err}");
}

/// Into a bundle and out of it, whatever holds the certificates.
#[test]
fn bundles() {
    let chain = fs::read(data("messages/chain.p7b")).unwrap();
    let run = convert(&["--to", "certs,pem"], &chain);
    assert_eq!((run.code, &*run.err, run.out.matches("BEGIN CERTIFICATE").count()), (Some(0), "", 2));
    let bundle = convert(&["--to", "p7,pem"], run.out.as_bytes());
    assert_eq!((bundle.code, bundle.out.matches("BEGIN PKCS7").count()), (Some(0), 1), "{}", bundle.err);
    let again = convert(&["--to", "certs,pem"], bundle.out.as_bytes());
    let sorted = |text: &str| {
        let mut blocks: Vec<Vec<u8>> =
            pem::blocks(text.as_bytes()).map(|block| block.unwrap().decode().unwrap()).collect();
        blocks.sort();
        blocks
    };
    assert_eq!(sorted(&again.out), sorted(&run.out));
    // Of PKCS #12 what takes no password.
    let run = convert(&["--to", "certs,hex"], &fs::read(data("messages/plain.p12")).unwrap());
    assert_eq!(run.code, Some(0));
    assert!(run.err.contains("omitted"), "{}", run.err);
    let run = convert(&["--to", "p7", "--strict"], &fs::read(data("messages/plain.p12")).unwrap());
    assert_eq!((run.code, &*run.out), (Some(1), ""));
    assert_eq!(convert(&["--to", "p7"], b"30030201 05").code, Some(1));
    assert_eq!(convert(&["--to", "p7,ber"], &chain).code, Some(2));
}

/// To JSON and back, octet by octet.
#[test]
fn json() {
    for name in [
        "root.pem",
        "list.pem",
        "messages/request.pem",
        "messages/response.ocsp",
        "messages/stamp.tsr",
        "messages/request.cmp",
        "messages/requests.crmf",
        "messages/request.cmc",
        "messages/roa.p7m",
        "messages/pub.pem",
        "messages/key.pem",
    ] {
        let file = fs::read(data(name)).unwrap();
        let json = convert(&["--to", "json"], &file);
        assert_eq!((json.code, &*json.err), (Some(0), ""), "{name}");
        let document: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!(document["schema"], "tagwise.convert/1");
        let back = convert(&["--from", "json", "--to", "hex"], json.out.as_bytes());
        let plain = convert(&["--to", "hex"], &file);
        assert_eq!((back.code, back.out), (Some(0), plain.out), "{name}: {}", back.err);
        if name.ends_with("pem") {
            let pem = convert(&["--from", "json", "--to", "pem"], json.out.as_bytes());
            let label = pem.out.lines().next().unwrap();
            assert!(String::from_utf8(file).unwrap().contains(label), "{name}: {label}");
        }
    }
    let run = convert(&["--from", "json", "--to", "der"], b"{}");
    assert!(run.code == Some(1) && run.err.contains("JSON"), "{}", run.err);
    assert_eq!(convert(&["--to", "json,pem"], b"30030201 05").code, Some(2));
}

/// To CBOR and back, octet by octet; a certificate that is signed in that form has no other.
#[test]
fn c509() {
    for name in ["root.pem", "leaf.pem"] {
        let file = fs::read(data(name)).unwrap();
        let run = convert(&["--to", "c509,hex"], &file);
        assert_eq!((run.code, &*run.err), (Some(0), ""), "{name}");
        let back = convert(&["--from", "c509,hex", "--to", "hex"], run.out.as_bytes());
        let plain = convert(&["--to", "certs,hex"], &file);
        assert_eq!((back.code, back.out), (Some(0), plain.out), "{name}: {}", back.err);
    }
    // Several, as COSE has them.
    let bundle = fs::read(data("messages/chain.p7b")).unwrap();
    let run = convert(&["--to", "c509,hex"], &bundle);
    let back = convert(&["--from", "c509,hex", "--to", "pem"], run.out.as_bytes());
    assert_eq!((back.code, back.out.matches("BEGIN CERTIFICATE").count()), (Some(0), 2), "{}", back.err);
    // The draft, §A.1.2: natively signed.
    let native = octets(
        "024301F50D006B52464320746573742043411A63B0CD001A6955B900D830460123456789AB01582102B1216AB96E5B3B3340F5BDF02E\
         693F16213A04525ED44450B1019C2DFD3838AB015840EB0D472731F689BC00F5880B12C68B3F9FD38B23FADFCA20950F3F241B60A202\
         579CAC28CD3B7494D5FA5D8BBAB4600357E550AB9FA9A65D9BA2B3B82E668CC6",
    );
    let refused = convert(&["--from", "c509", "--to", "der"], &native);
    assert!(
        refused.code == Some(1)
            && refused
                .err
                .contains("the certificate is signed in C509 form, which cannot be converted to X.509 (C509 §3.1)"),
        "{}",
        refused.err
    );
    let path = folder("c509").join("native.c509");
    fs::write(&path, &native).unwrap();
    let run = common::show(&[path.to_str().unwrap()]);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    for word in ["natively signed", "CN=01-23-45-FF-FE-67-89-AB", "2023-01-01T00:00:00Z", "digitalSignature"] {
        assert!(run.out.contains(word), "no {word} in\n{}", run.out);
    }
}

#[test]
fn certificates_and_keys_in_pkcs12() {
    let root = der("root.pem");
    let pem = fs::read(data("root.pem")).unwrap();
    // A key of an elliptic curve in its own format.
    let scalar = [&[0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20][..], &[7; 32]].concat();
    let curve = b"\xA0\x0A\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07";
    let key = pem::encode("EC PRIVATE KEY", &[&scalar[..], curve].concat()).unwrap();
    let input = [&pem[..], b"\n", key.as_bytes()].concat();
    let run = convert(&["--to", "p12,hex"], &input);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    let file = octets(&run.out);
    let bundle = tagwise_pkix::Bundle::read(&file).unwrap();
    let kinds: Vec<_> = bundle.items().map(|item| item.kind).collect();
    assert_eq!(kinds, [tagwise_pkix::BundleKind::Certificate, tagwise_pkix::BundleKind::PrivateKey]);
    assert_eq!(bundle.certificates().collect::<Vec<_>>(), [&root]);
    // A PKCS #12 file in the clear is input too.
    let again = convert(&["--to", "p12,hex"], &file);
    assert_eq!((again.code, octets(&again.out)), (Some(0), file));
    // What is no such thing.
    for (input, said) in [
        (&b"\x05\x00"[..], "not a certificate, CRL or private key"),
        (b"-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\n\nBQA=\n-----END X-----\n", "a X, encrypted by PEM headers: "),
    ] {
        let run = convert(&["--to", "p12,hex"], input);
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains(said), "{}", run.err);
    }
    assert_eq!(convert(&["--to", "der", "--from", "p12"], &root).code, Some(2));
}

/// A PKCS #12 file whose certificates are encrypted opens with its passphrase; without, that is what is missing.
#[test]
fn certificates_of_locked_keystores() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("word"), "hunter2\n").unwrap();
    let args =
        ["p12", "create", "--certificate", &data("root.pem"), "--passphrase-file", &at("word"), "-o", &at("x.p12")];
    assert_eq!(tagwise(&args).code, Some(0));
    let run = tagwise(&["convert", "--to", "certs,pem", &at("x.p12")]);
    assert_eq!((run.code, &*run.out), (Some(1), ""));
    assert!(run.err.contains("a password is required: give --passphrase-file FILE"), "{}", run.err);
    for to in ["certs,pem", "p7,pem"] {
        let run = tagwise(&["convert", "--to", to, "--passphrase-file", &at("word"), &at("x.p12")]);
        assert_eq!(run.code, Some(0), "{to}: {}", run.err);
        assert_eq!(run.out.matches("-----BEGIN ").count(), 1, "{to}: {}", run.out);
    }
    fs::write(at("word"), "other\n").unwrap();
    let run = tagwise(&["convert", "--to", "certs", "--passphrase-file", &at("word"), &at("x.p12")]);
    assert!(run.code == Some(1) && run.err.contains("wrong passphrase"), "{}", run.err);
    // What has no certificate says what it is instead.
    let run = convert(&["--to", "certs,pem"], b"\xCE\xCE\xCE\xCE\0\0\0\x02\0\0\0\x01\0\0\0\x03");
    assert!(run.code == Some(1) && run.err.contains("keystore"), "{}", run.err);
    let run = convert(&["--to", "certs,pem"], b"\x05\x02\0\0\0\x55\0\x02\0\x0B");
    assert!(run.code == Some(1) && run.err.contains("a Kerberos keytab"), "{}", run.err);
}

/// What PKCS #7 1.5 has gets its label, which all readers of PKCS #7 and CMS take; newer messages are labelled CMS (RFC 7468 §8, §9).
#[test]
fn messages_have_the_label_of_their_version() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bundle.p7b");
    let bundle = bundle.to_str().unwrap();
    assert_eq!(tagwise(&["convert", "--to", "p7", "-o", bundle, &data("root.pem")]).code, Some(0));
    let message = |name: &str| data(&format!("messages/{name}"));
    // Key agreement makes version 2, an eContentType other than data version 3.
    for (file, label) in [
        (bundle.to_owned(), "PKCS7"),
        (message("chain.p7b"), "PKCS7"),
        (message("enveloped.p7m"), "CMS"),
        (message("roa.p7m"), "CMS"),
    ] {
        let run = tagwise(&["convert", "--to", "pem", &file]);
        assert_eq!(run.code, Some(0), "{file}: {}", run.err);
        assert!(run.out.starts_with(&format!("-----BEGIN {label}-----\n")), "{file}: {}", run.out);
    }
}

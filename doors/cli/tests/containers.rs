//! `get`, `explain`, `edit` and `key show` open what `show` opens: archives, and text with values in it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::io::Write;

use common::{data, der, tagwise, tagwise_with};
use tagwise_codec::text::base64;

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn zip(name: &str, octets: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(octets).unwrap();
    archive.finish().unwrap().into_inner()
}

/// A file in each container.
fn containers(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let secret = format!("kind: Secret\ndata:\n  tls: {}\n  other: b\n", base64::encode(text));
    let lines: String = String::from_utf8(text.to_vec()).unwrap().lines().map(|line| format!("    {line}\n")).collect();
    vec![
        ("gzip", gzip(text)),
        ("zip", zip("a/file.pem", text)),
        ("gzip of zip", gzip(&zip("file.pem", text))),
        ("YAML with base64", secret.into_bytes()),
        ("YAML with PEM", format!("config: |\n{lines}other: 1\n").into_bytes()),
    ]
}

fn file(name: &str) -> Vec<u8> {
    fs::read(data(name)).unwrap()
}

#[test]
fn get_and_explain_look_into_containers() {
    let expected = tagwise(&["get", "--hex", "tbsCertificate.serialNumber", &data("root.pem")]);
    assert_eq!(expected.code, Some(0));
    for (name, input) in containers(&file("root.pem")) {
        let run = tagwise_with(&["get", "--hex", "tbsCertificate.serialNumber", "-"], &input);
        assert_eq!((run.code, &run.out), (Some(0), &expected.out), "{name}: {}", run.err);
        let run = tagwise_with(&["explain", "4", "-"], &input);
        assert_eq!(run.code, Some(0), "{name}: {}", run.err);
        assert!(run.out.contains("tbsCertificate"), "{name}: {}", run.out);
    }
}

#[test]
fn key_show_looks_into_containers() {
    let expected = tagwise(&["key", "show", "--json", &data("messages/key.pem")]);
    let hash = |out: &str| out.split("public_key_sha256").nth(1).unwrap().to_owned();
    for (name, input) in containers(&file("messages/key.pem")) {
        let run = tagwise_with(&["key", "show", "--json", "-"], &input);
        assert_eq!(run.code, Some(0), "{name}: {}", run.err);
        assert_eq!(hash(&run.out), hash(&expected.out), "{name}");
    }
}

#[test]
fn convert_looks_into_containers() {
    for (name, input) in containers(&file("root.pem")) {
        let run = tagwise_with(&["convert", "--to", "hex", "-"], &input);
        let digits: String = run.out.split_whitespace().collect();
        assert_eq!(digits, tagwise_codec::text::hex::encode(&der("root.pem")), "{name}: {}", run.err);
    }
}

#[test]
fn edit_prints_values_in_containers() {
    let expected = tagwise(&["edit", "--text", "--bare", &data("root.pem")]);
    for (name, input) in containers(&file("root.pem")) {
        let run = tagwise_with(&["edit", "--text", "--bare", "-"], &input);
        assert_eq!((run.code, &run.out), (Some(0), &expected.out), "{name}: {}", run.err);
    }
}

/// A value in an archive cannot be put back, but it can be written by itself.
#[test]
fn edits_of_containers_need_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (archive, text, out) = (path("a.zip"), path("a.txt"), path("a.der"));
    let input = zip("root.crt", &der("root.pem"));
    fs::write(&archive, &input).unwrap();
    fs::write(&text, "SEQUENCE { INTEGER { 5 } }").unwrap();
    let run = tagwise(&["edit", "--apply", &text, &archive]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("a value in zip cannot be replaced in place: give -o OUT"), "{}", run.err);
    assert_eq!(fs::read(&archive).unwrap(), input);
    let run = tagwise(&["edit", "--apply", &text, "-o", &out, &archive]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(fs::read(&out).unwrap(), [0x30, 3, 2, 1, 5]);
}

/// Indented blocks stay indented, so that the YAML around them stays valid.
#[test]
fn edits_of_yaml_keep_the_indentation() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, text) = (path("a.yaml"), path("a.txt"));
    fs::write(&file, "a: |\n  -----BEGIN X-----\n  BQA=\n  -----END X-----\nb: 1\n").unwrap();
    fs::write(&text, "INTEGER { 5 }").unwrap();
    let run = tagwise(&["edit", "--apply", &text, &file]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let expected = "a: |\n  -----BEGIN X-----\n  AgEF\n  -----END X-----\nb: 1\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), expected);
}

/// The archive is indexed by name: members that cannot be opened are an error.
#[test]
fn members_with_the_same_name_are_reported() {
    let mut archive = zip("one.pem", &file("root.pem"));
    let other = zip("two.pem", &file("leaf.pem"));
    // The names have the same length, so both archives can be joined by hand: members, directories, end.
    let start = |archive: &[u8], mark: &[u8]| archive.windows(4).position(|window| window == mark).unwrap();
    let (directory, end) = (start(&archive, b"PK\x01\x02"), start(&archive, b"PK\x05\x06"));
    let (second, second_end) = (start(&other, b"PK\x01\x02"), start(&other, b"PK\x05\x06"));
    let mut joined = [&archive[..directory], &other[..second], &archive[directory..end]].concat();
    let entry = joined.len();
    joined.extend_from_slice(&other[second..second_end]);
    joined[entry + 42..entry + 46].copy_from_slice(&u32::try_from(directory).unwrap().to_le_bytes());
    let size = u32::try_from(joined.len() - directory - second).unwrap();
    let from = u32::try_from(directory + second).unwrap();
    let mut tail = archive.split_off(end);
    tail[8..12].copy_from_slice(&[2, 0, 2, 0]);
    tail[12..16].copy_from_slice(&size.to_le_bytes());
    tail[16..20].copy_from_slice(&from.to_le_bytes());
    joined.extend_from_slice(&tail);
    for args in [&["scan", "-"][..], &["show", "-"], &["tree", "-"]] {
        assert_eq!(tagwise_with(args, &joined).code, Some(0), "{args:?}");
    }
    let same: Vec<u8> = {
        let mut same = joined.clone();
        while let Some(at) = same.windows(7).position(|window| window == b"two.pem") {
            same[at..at + 3].copy_from_slice(b"one");
        }
        same
    };
    for args in [&["scan", "-"][..], &["show", "-"], &["tree", "-"], &["lint", "-"], &["get", "issuer", "-"]] {
        let run = tagwise_with(args, &same);
        assert_ne!(run.code, Some(0), "{args:?}: {}", run.out);
        let told = format!("{}{}", run.out, run.err);
        assert!(told.contains("archive members not read because another one has the same name: 1"), "{args:?}: {told}");
    }
}

/// Data in front of the damage is used, and the damage is an error.
#[test]
fn values_before_damage_are_read() {
    let damaged = [gzip(&file("root.pem")), b"garbage".to_vec()].concat();
    let run = tagwise_with(&["scan", "-"], &damaged);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.contains("Example Root"), "{}", run.out);
}

/// Parsers may disregard the label of the END line (RFC 7468 §2). All commands do, and those that report deviations report it.
#[test]
fn labels_that_differ_are_a_deviation_everywhere() {
    let input = String::from_utf8(file("root.pem")).unwrap().replace("END CERTIFICATE", "END X509 CERTIFICATE");
    for args in [&["scan", "-"][..], &["get", "issuer", "-"], &["tree", "-"], &["show", "-"]] {
        let run = tagwise_with(args, input.as_bytes());
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    }
    for (args, code) in [(["show", "--json", "-"], 0), (["lint", "--json", "-"], 1)] {
        let run = tagwise_with(&args, input.as_bytes());
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.err);
        assert!(run.out.contains("pem-label-mismatch"), "{args:?}: {}", run.out);
    }
}

/// Input that cannot be decompressed gives an error with the reason, and no value.
#[test]
fn broken_archives_are_errors() {
    let packed = gzip(&file("root.pem"));
    let bomb = gzip(&vec![0; 8 << 20]);
    let half = packed.len() / 2;
    let truncated = format!("truncated gzip data, at byte {half} ");
    for (input, words) in [(&packed[..half], &*truncated), (&bomb, "the decompressed size exceeds")] {
        for args in
            [&["show", "-"][..], &["get", "tbsCertificate", "-"], &["key", "show", "-"], &["edit", "--text", "-"]]
        {
            let run = tagwise_with(args, input);
            assert_eq!(run.code, Some(1), "{args:?}: {}", run.err);
            assert!(run.err.contains(words), "{args:?}: {}", run.err);
        }
    }
}

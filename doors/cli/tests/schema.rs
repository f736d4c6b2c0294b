//! `tagwise decode` and `tagwise encode`: values by modules that are given, both ways, and what is said where that fails.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::sync::OnceLock;

use common::{Run, tagwise, tagwise_with};

const MODULE: &str = "\
Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  Point ::= SEQUENCE { x INTEGER (0..100), y INTEGER DEFAULT 7, name UTF8String OPTIONAL }
END
";

fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("schema");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The module's file, written once.
fn module() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| file("m.asn1", MODULE))
}

fn run(command: &str, args: &[&str]) -> Run {
    let mut all = vec![command, "--schema", module()];
    all.extend(args);
    tagwise(&all)
}

#[test]
fn both_ways() {
    let json = file("two.json", "{\"x\": 5, \"name\": \"here\"}\n{\"x\": 6, \"y\": 7}");
    let der = file("two.der", []);
    assert_eq!(run("encode", &["-o", &der, &json]).code, Some(0));
    assert_eq!(std::fs::read(&der).unwrap(), b"\x30\x09\x80\x01\x05\x82\x04here\x30\x03\x80\x01\x06");
    let text = run("decode", &[&der]);
    assert_eq!(text.out, "x: 5\ny: 7 (default)\nname: \"here\"\nx: 6\ny: 7 (default)\n");
    assert_eq!(run("decode", &["--jer", &der]).out, "{\"x\":5,\"name\":\"here\"}\n{\"x\":6}\n");
    let document = run("decode", &["--json", "--type", "Example.Point", &der]);
    assert_eq!(
        document.out,
        "{\"schema\":\"tagwise.decode/1\",\"type\":\"Example.Point\",\"values\":[\
         {\"offset\":0,\"size\":11,\"value\":{\"x\":5,\"name\":\"here\"}},{\"offset\":11,\"size\":5,\"value\":{\"x\":6}}]}\n"
    );
    let again = run("encode", &["--to", "hex", &file("document.json", document.out)]);
    assert_eq!(again.out, "3009800105820468657265\n3003800106\n");
    let pem = run("encode", &["--to", "pem", "--label", "POINT", &json]);
    assert_eq!(pem.out.matches("-----BEGIN POINT-----").count(), 2);
    assert_eq!(run("decode", &["--jer", &file("two.pem", pem.out)]).out.lines().count(), 2);
}

/// Padding is skipped only beside values, and in BER. A file without any is malformed.
#[test]
fn filler() {
    let value = b"\x30\x03\x80\x01\x06\x00\x00".to_vec();
    for command in [&["decode", "--jer"][..], &["convert", "--from", "der", "--to", "uper"]] {
        let padded = run(command[0], &[&command[1..], &[file("padded.der", &value).as_str()]].concat());
        assert_eq!((padded.code, padded.out.as_str()), (Some(1), ""));
        assert!(padded.err.contains("2 bytes 00 at byte 5 are not a value"), "{}", padded.err);
    }
    let json = run("decode", &["--rules", "ber", "--json", &file("padded.der", &value)]);
    assert!(json.out.contains("\"notes\":[\"skipped filler at byte 5: 2 bytes 00\"]"), "{}", json.out);
    for command in [&["decode", "--rules", "ber", "--jer"][..], &["convert", "--to", "uper"]] {
        let padded = run(command[0], &[&command[1..], &[file("padded.der", &value).as_str()]].concat());
        assert_eq!((padded.code, padded.err.contains("skipped")), (Some(0), true), "{}", padded.err);
        for filler in [&b"\0\0\0\0"[..], b"\xFF", b"\xFF\xFF\xFF"] {
            let ended = run(command[0], &[&command[1..], &[file("filler.der", filler).as_str()]].concat());
            assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{filler:?}: {}", ended.err);
        }
    }
}

#[test]
fn the_other_rules() {
    let ber = file("ber.hex", "30 80 80 01 05 81 01 07 00 00");
    assert_eq!(run("decode", &["--rules", "ber", "--jer", &ber]).out, "{\"x\":5}\n");
    let cer = run("decode", &["--rules", "cer", &ber]);
    assert_eq!(
        (cer.code, cer.err.contains("y: a component equal to its DEFAULT value must be omitted")),
        (Some(1), true),
        "{}",
        cer.err
    );
    let der = run("decode", &[&ber]);
    assert_eq!((der.code, der.err.contains("at byte 1 (X.690 §10.1)")), (Some(1), true), "{}", der.err);
    let cer = tagwise_with(&["encode", "-s", module(), "--rules", "cer", "--to", "hex", "-"], b"{\"x\":5}");
    assert_eq!(cer.out, "30808001050000\n");
}

#[test]
fn errors_in_schemas_are_reported() {
    let large = run("encode", &[&file("large.json", "{\"x\": 500}")]);
    assert_eq!((large.code, large.out.as_str()), (Some(1), ""));
    assert!(large.err.ends_with("large.json: $.x: the value is 500; allowed 0..100\n"), "{}", large.err);
    let cut = run("encode", &[&file("cut.json", "{\"x\": 5")]);
    assert!(cut.code == Some(1) && cut.err.contains("not JSON"), "{}", cut.err);
    let large = run("decode", &[&file("large.hex", "3003800165")]);
    assert!(
        large.code == Some(1) && large.err.contains("x: the value is 101; allowed 0..100, at byte 2"),
        "{}",
        large.err
    );
    let near = run("decode", &["--type", "point", &file("large.hex", "3003800165")]);
    assert!(near.code == Some(2) && near.err.contains("did you mean Point?"), "{}", near.err);
    let absent = run("decode", &["no-such-file"]);
    assert_eq!(absent.code, Some(3), "{}", absent.err);
    let bad = file("bad.asn1", "M DEFINITIONS ::= BEGIN A ::= B\u{1b}[31m END");
    let bad = tagwise(&["decode", "-s", &bad, "-"]);
    assert!(bad.code == Some(1) && bad.err.contains("bad.asn1:1:") && !bad.err.contains('\u{1b}'), "{}", bad.err);
}

/// A type that refers to itself, by parts without a name too, is the one that is meant where there is no other.
#[test]
fn the_only_type_may_be_recursive() {
    for (name, module, json, hex) in [
        (
            "direct",
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { next T OPTIONAL } END",
            "{\"next\":{}}",
            "3002a000\n",
        ),
        (
            "parts",
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { kids SEQUENCE OF T } END",
            "{\"kids\":[]}",
            "3002a000\n",
        ),
        (
            "more",
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { kids SEQUENCE OF T, u U OPTIONAL } U ::= NULL END",
            "{\"kids\":[]}",
            "3002a000\n",
        ),
    ] {
        let schema = file(&format!("recursive-{name}.asn1"), module);
        let run = tagwise_with(&["encode", "-s", &schema, "--to", "hex", "-"], json.as_bytes());
        assert_eq!((run.code, run.out.as_str()), (Some(0), hex), "{name}: {}", run.err);
    }
    // Two that refer to each other: neither is meant more than the other.
    let schema = file("recursive-two.asn1", "M DEFINITIONS ::= BEGIN A ::= SEQUENCE OF B B ::= SEQUENCE OF A END");
    let run = tagwise_with(&["encode", "-s", &schema, "-"], b"[]");
    assert_eq!((run.code, run.err.as_str()), (Some(2), "tagwise: give --type NAME; available: A, B\n"));
}

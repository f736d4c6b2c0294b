//! `tagwise decode` and `tagwise encode` with PER and OER.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use common::{Run, tagwise_with};

const MODULE: &str = "\
Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  Point ::= SEQUENCE { x INTEGER (0..100), up BOOLEAN, name IA5String (SIZE (1..8)) OPTIONAL, ... }
END
";
const JSON: &str = "{\"x\":5,\"up\":true,\"name\":\"ab\"}\n";

fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("untagged");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn run(command: &str, test: &str, args: &[&str], input: &str) -> Run {
    let module = file(&format!("{test}.asn1"), MODULE);
    let mut all = vec![command, "--schema", &module];
    all.extend(args);
    all.push("-");
    tagwise_with(&all, input.as_bytes())
}

#[test]
fn both_ways() {
    for (rules, hex) in [
        ("uper", "42ce1c40"),
        ("aper", "42c86162"),
        ("cuper", "42ce1c40"),
        ("caper", "42c86162"),
        ("oer", "4005ff026162"),
        ("coer", "4005ff026162"),
    ] {
        let written = run("encode", rules, &["--rules", rules, "--to", "hex"], JSON);
        assert_eq!(written.out.trim(), hex, "{}", written.err);
        assert_eq!(run("decode", rules, &["--rules", rules, "--jer"], &written.out).out, JSON);
        let base64 = run("encode", rules, &["--rules", rules, "--to", "base64"], JSON);
        assert_eq!(run("decode", rules, &["--rules", rules, "--jer"], &base64.out).out, JSON);
        let text = run("decode", rules, &["--rules", rules], &written.out).out;
        assert_eq!(text, "x: 5\nup: TRUE\nname: \"ab\"\n");
    }
}

#[test]
fn positions_in_bits() {
    let hex = run("encode", "bits", &["--rules", "uper", "--to", "hex"], JSON).out;
    let read = run("decode", "bits", &["--rules", "uper", "--bits"], &hex);
    assert_eq!(read.out, " 0 27  .\n 2  7  x: 5\n 9  1  up: TRUE\n10 17  name: ab\n");
    let refused = run("decode", "bits", &["--rules", "oer", "--bits"], "00");
    assert_eq!(
        (refused.code, refused.err.trim()),
        (Some(2), "tagwise: --bits needs --rules uper, aper, cuper or caper")
    );
    assert_eq!(run("decode", "bits", &["--rules", "uper", "--offset"], "00").code, Some(2));
}

#[test]
fn errors_have_bits_and_clauses() {
    let refused = run("decode", "errors", &["--rules", "uper"], "02E1");
    assert_eq!(refused.code, Some(1));
    assert_eq!(
        refused.err,
        "tagwise: standard input: padding bits are not zero, at bit 10 (X.691 §11.1); --allow per-padding-zero tolerates this\n"
    );
    let tolerated = run("decode", "errors", &["--rules", "uper", "--jer", "--allow", "per-padding-zero"], "02E1");
    assert_eq!((tolerated.code, &*tolerated.out), (Some(0), "{\"x\":5,\"up\":true}\n"));
    assert!(tolerated.err.contains("note: per-padding-zero tolerated at bit 10"), "{}", tolerated.err);
    let range = run("decode", "errors", &["--rules", "uper"], "3FC0");
    assert_eq!(
        range.err,
        "tagwise: standard input: x: a number or index is outside its range, at bit 2 (X.691 §11.5)\n"
    );
}

//! `tagwise compile --lang rust` and `tagwise schema doc`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::tagwise_with;

const MODULE: &str =
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n  Point ::= SEQUENCE { x INTEGER (0..9), y INTEGER (0..9) }\nEND\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compile-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn rust_is_written_once() {
    let folder = folder("once");
    let (module, out) = (folder.join("m.asn1"), folder.join("gen"));
    fs::write(&module, MODULE).unwrap();
    let args = ["compile", "--lang", "rust", "-o", text(&out), text(&folder)];
    let run = tagwise_with(&args, b"");
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    let code = fs::read_to_string(out.join("m.rs")).unwrap();
    assert!(code.contains("pub struct Point {") && code.contains("use tagwise::Asn1;"), "{code}");
    assert_eq!(fs::read_to_string(out.join("mod.rs")).unwrap(), "/// ASN.1 module `M`.\npub mod m;\n");
    // Nothing has changed, so nothing is written.
    let run = tagwise_with(&args, b"");
    assert_eq!((run.code, &*run.out, &*run.err), (Some(0), "", ""));
}

#[test]
fn check_says_what_would_change() {
    let folder = folder("check");
    let (module, out) = (folder.join("m.asn1"), folder.join("gen"));
    fs::write(&module, MODULE).unwrap();
    let check = |expected: (i32, &str)| {
        let run = tagwise_with(&["compile", "--lang", "rust", "-o", text(&out), "--check", text(&module)], b"");
        assert_eq!((run.code, &*run.out.replace(text(&out), "gen"), &*run.err), (Some(expected.0), expected.1, ""));
    };
    check((1, "new: gen/m.rs\nnew: gen/mod.rs\n"));
    assert!(!out.exists());
    assert_eq!(tagwise_with(&["compile", "--lang", "rust", "-o", text(&out), text(&module)], b"").code, Some(0));
    check((0, ""));
    fs::write(out.join("m.rs"), "// edited\n").unwrap();
    fs::write(out.join("old.rs"), "//! ASN.1 module `Old`, from `old.asn1`.\n").unwrap();
    fs::write(out.join("mine.rs"), "//! Not generated.\n").unwrap();
    check((1, "stale: gen/m.rs\nleft over: gen/old.rs\n"));
    assert_eq!(tagwise_with(&["compile", "--lang", "rust", "-o", text(&out), text(&module)], b"").code, Some(0));
    assert!(!out.join("old.rs").exists() && out.join("mine.rs").exists());
}

#[test]
fn what_is_wrong_is_told_and_nothing_written() {
    let folder = folder("wrong");
    let (module, overlay, out) = (folder.join("m.asn1"), folder.join("o.toml"), folder.join("gen"));
    fs::write(&module, MODULE.replace("INTEGER (0..9), y", "Nowhere, y")).unwrap();
    let args = ["compile", "--lang", "rust", "-o", text(&out), "--overlay", text(&overlay), text(&module)];
    let run = tagwise_with(&args, b"");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("m.asn1:2:26: error"), "{}", run.err);
    fs::write(&module, MODULE).unwrap();
    let run = tagwise_with(&args, b"");
    assert_eq!(run.code, Some(3), "{}", run.err);
    fs::write(&overlay, "[types.Point]\nboxed = true\n").unwrap();
    let run = tagwise_with(&args, b"");
    assert_eq!(run.code, Some(1));
    assert!(run.err.ends_with("o.toml:2:1: there is no key `boxed` here\n"), "{}", run.err);
    assert!(!out.exists());
}

#[test]
fn pages() {
    let folder = folder("pages");
    let (module, out) = (folder.join("m.asn1"), folder.join("site"));
    fs::write(&module, MODULE).unwrap();
    let run = tagwise_with(&["schema", "doc", "--format", "markdown", text(&module)], b"");
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    assert!(
        run.out.starts_with("# M\n") && run.out.contains("| `x` | `[0] IMPLICIT` | INTEGER `(0..9)` |"),
        "{}",
        run.out
    );
    let run = tagwise_with(&["schema", "doc", "-o", text(&out), text(&module)], b"");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(fs::read_to_string(out.join("index.html")).unwrap().contains("<a href=\"m.html\">M</a>"));
    assert!(out.join("m.html").exists());
}

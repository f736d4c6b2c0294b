//! `tagwise compile --check`, `schema list`, `schema fmt`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use common::{tagwise, tagwise_with};
use serde_json::Value;

const GOOD: &str = "\
M { 1 2 3 } DEFINITIONS AUTOMATIC TAGS ::= BEGIN
IMPORTS X FROM Missing;
A ::= SEQUENCE { a INTEGER (0..7), b B OPTIONAL }
B ::= ENUMERATED { one, two }
C ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type } WITH SYNTAX { &Type BY &id }
S C ::= { { NULL BY { 1 2 } }, ... }
T{P} ::= SEQUENCE OF P
v A ::= { a 5, b two }
END
";

const BAD: &str =
    "M DEFINITIONS ::= BEGIN\nA ::= SEQUENCE { a Foo, b INTEGER OPTIONAL, c INTEGER }\nB ::= [0 NULL\nEND\n";

/// A schema that stands for far more than it says is refused within its allowance, which may be raised.
#[test]
fn the_allowance_of_a_schema() {
    let folder = tempfile::tempdir().unwrap();
    let mut doubled = String::from("D0 ::= SEQUENCE { a [0] NULL }\n");
    for n in 0..14 {
        doubled += &format!("D{} ::= SEQUENCE {{ COMPONENTS OF D{n}, COMPONENTS OF D{n} }}\n", n + 1);
    }
    let file = folder.path().join("m.asn1");
    std::fs::write(&file, format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {doubled} END")).unwrap();
    let file = file.to_str().unwrap();
    let run = common::tagwise(&["compile", "--check", "--max-schema", "1", file]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("the schema requires more than"), "{}", run.out);
    let run = common::tagwise(&["compile", "--check", "--max-schema", "4096", file]);
    assert!(!run.out.contains("the schema requires more than"), "{}", run.out);
    assert_eq!(common::tagwise(&["compile", "--check", "--max-schema", "0", file]).code, Some(2));
}

#[test]
fn check_says_what_is_wrong() {
    let run = tagwise_with(&["compile", "--check", "-"], GOOD.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.out);
    assert!(run.out.contains("1 module with 6 assignments: no error, 1 warning"), "{}", run.out);
    let run = tagwise_with(&["compile", "--check", "-"], BAD.as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("standard input:2:20: error: there is no Foo in M [X.680 §14.4]"), "{}", run.out);
    assert!(run.out.contains("  |                    ^^^\n"), "{}", run.out);
    assert!(run.out.contains("standard input:3:10: error: expected `]`, found `NULL` [X.680 §31.1]"), "{}", run.out);
    assert!(run.out.ends_with("3 errors, 0 warnings\n"), "{}", run.out);
    let json: Value =
        serde_json::from_str(&tagwise_with(&["compile", "--check", "--json", "-"], BAD.as_bytes()).out).unwrap();
    assert_eq!((&json["schema"], &json["accepted"]), (&"tagwise.compile/2".into(), &false.into()));
    let first = &json["diagnostics"][0];
    assert_eq!(
        (first["line"].as_u64(), first["column"].as_u64(), first["code"].as_str()),
        (Some(2), Some(20), Some("undefined"))
    );
    assert_eq!(json["errors"], 3);
    assert_eq!(tagwise(&["compile", "--check", "/nonexistent.asn1"]).code, Some(3));
}

#[test]
fn hostile_characters_are_not_printed() {
    let run =
        tagwise_with(&["compile", "--check", "-"], b"M DEFINITIONS ::= BEGIN\nA ::= \x1b[31m\xe2\x80\xae B\nEND\n");
    assert_eq!(run.code, Some(1));
    assert!(!run.out.contains('\u{1b}') && !run.out.contains('\u{202e}'), "{}", run.out);
}

#[test]
fn list_names_what_is_there() {
    let run = tagwise_with(&["schema", "list", "-"], GOOD.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let expected = "\
M  1.2.3  automatic tags
  from Missing (missing): X
  A  type        SEQUENCE
  B  type        ENUMERATED
  C  class
  S  object set  C, 1 object, extensible
  T  template    P
  v  value       SEQUENCE { a 5, b two }
";
    assert_eq!(run.out, expected);
    let json: Value =
        serde_json::from_str(&tagwise_with(&["schema", "list", "--json", "-"], GOOD.as_bytes()).out).unwrap();
    assert_eq!(json["modules"][0]["assignments"][1]["line"], 4);
    assert_eq!(tagwise_with(&["schema", "list", "-"], BAD.as_bytes()).code, Some(1));
    assert_eq!(tagwise_with(&["schema", "list", "--module", "N", "-"], GOOD.as_bytes()).code, Some(1));
}

#[test]
fn fmt_changes_white_space_only_and_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.asn1");
    std::fs::write(&path, GOOD).unwrap();
    let name = path.to_str().unwrap();
    let folder_name = folder.path().to_str().unwrap();
    let check = tagwise(&["schema", "fmt", "--check", folder_name]);
    assert_eq!((check.code, check.out.trim()), (Some(1), name));
    let printed = tagwise(&["schema", "fmt", name]).out;
    assert_eq!(tagwise(&["schema", "fmt", "--write", name]).code, Some(0));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), printed);
    assert!(printed.contains("\nA ::= SEQUENCE {\n  a INTEGER (0..7),\n  b B OPTIONAL\n}\n"), "{printed}");
    assert_eq!(tagwise(&["schema", "fmt", "--check", name]).code, Some(0));
    // What cannot be parsed stays as it is.
    std::fs::write(&path, BAD).unwrap();
    assert_eq!(tagwise(&["schema", "fmt", "--write", name]).code, Some(1));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), BAD);
}

/// A folder stands for the modules below it; links to folders are not followed twice.
#[test]
fn folders_in_folders() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b");
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::write(deep.join("One.ASN"), "One DEFINITIONS ::= BEGIN IMPORTS T FROM Two; A ::= T END\n").unwrap();
    std::fs::write(folder.path().join("two.asn1"), "Two DEFINITIONS ::= BEGIN T ::= INTEGER END\n").unwrap();
    std::fs::write(folder.path().join("read.me"), "no module\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), deep.join("back")).unwrap();
    let path = folder.path().to_str().unwrap();
    let run = tagwise(&["compile", "--check", path]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "2 modules with 2 assignments: no error, 0 warnings\n"),
        "{}",
        run.err
    );
    assert_eq!(
        tagwise(&["schema", "list", path])
            .out
            .lines()
            .filter(|line| !line.starts_with(' ') && !line.is_empty())
            .count(),
        2
    );
    let run = tagwise(&["schema", "fmt", "--check", path]);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}", run.out);
    let run =
        tagwise(&["schema", "doc", "--format", "markdown", "-o", folder.path().join("out").to_str().unwrap(), path]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = tagwise(&["compile", "--lang", "rust", "-o", folder.path().join("gen").to_str().unwrap(), path]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = common::tagwise_with(&["encode", "-s", path, "-t", "A", "--to", "hex", "-"], b"5");
    assert_eq!((run.code, run.out.as_str()), (Some(0), "020105\n"), "{}", run.err);
    let none = folder.path().join("none");
    std::fs::create_dir(&none).unwrap();
    let run = tagwise(&["compile", "--check", none.to_str().unwrap()]);
    assert_eq!((run.code, run.err.contains("the folder has no .asn1 or .asn files")), (Some(2), true), "{}", run.err);
}

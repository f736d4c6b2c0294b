//! `tagwise compile --lang rust` and `--lang c`, and `tagwise schema doc`.
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
fn errors_are_reported_and_nothing_is_written() {
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
    assert!(run.err.ends_with("o.toml:2:1: unknown key `boxed`\n"), "{}", run.err);
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

#[test]
fn departures_are_taken_by_name() {
    let folder = folder("departures");
    let (module, out) = (folder.join("m.asn1"), folder.join("out"));
    let text_of_module = "A DEFINITIONS ::= BEGIN EXPORTS X, Gone; X ::= NULL Y ::= SEQUENCE { is_good BOOLEAN } END\n\
        B DEFINITIONS ::= BEGIN IMPORTS Y, Nothing FROM A; Z ::= Y END\n";
    fs::write(&module, text_of_module).unwrap();
    let run = tagwise_with(&["compile", "--check", text(&module)], b"");
    assert_eq!(run.code, Some(1));
    let names = "undefined-export,undefined-import,underscore,unexported-import";
    assert!(
        run.out.contains(&format!("help: --allow-schema {names} turns named departures into warnings")),
        "{}",
        run.out
    );
    assert!(run.out.contains("  = note: you can allow it by name: underscore\n"), "{}", run.out);
    // Three of the four are not enough.
    let (rest, _) = names.rsplit_once(',').unwrap();
    let run = tagwise_with(&["compile", "--check", "--allow-schema", rest, text(&module)], b"");
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("error: A does not export Y [X.680 §13.16]"), "{}", run.out);
    assert!(run.out.ends_with("1 error, 3 warnings\n"), "{}", run.out);
    let args = ["compile", "--lang", "rust", "-o", text(&out), "--allow-schema", names, text(&module)];
    let run = tagwise_with(&args, b"");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(fs::read_to_string(out.join("a.rs")).unwrap().contains("is_good: bool"));
    let run = tagwise_with(&["compile", "--check", "--allow-schema", "anything", text(&module)], b"");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("unknown departure \"anything\""), "{}", run.err);
}

#[test]
fn use_of_what_is_not_defined_stays_an_error() {
    let folder = folder("undefined");
    let module = folder.join("m.asn1");
    let text_of_module =
        "A DEFINITIONS ::= BEGIN X ::= NULL END\nB DEFINITIONS ::= BEGIN IMPORTS Y FROM A; Z ::= Y END\n";
    fs::write(&module, text_of_module).unwrap();
    let run = tagwise_with(&["compile", "--check", "--allow-schema", "undefined-import", text(&module)], b"");
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("m.asn1:2:49: error: there is no Y in A [X.680 §14.4]"), "{}", run.out);
}

#[test]
fn c_stands_beside_other_c() {
    let folder = folder("c");
    let module = folder.join("m.asn1");
    fs::write(&module, MODULE).unwrap();
    let run = |words: &[&str]| {
        let args = [&["compile", "-o", text(&folder)], words, &[text(&module)]].concat();
        tagwise_with(&args, b"")
    };
    let first = run(&["--lang", "c"]);
    assert_eq!((first.code, first.out.lines().count(), &*first.err), (Some(0), 2, ""));
    let header = fs::read_to_string(folder.join("M.h")).unwrap();
    assert!(header.contains("struct Point {\n    uint8_t x;\n    uint8_t y;\n};\n"), "{header}");
    // A second set in the same folder leaves the first where it is.
    let second = run(&["--lang", "c", "--name", "shapes", "--prefix", "my_"]);
    assert_eq!(second.code, Some(0), "{}", second.err);
    let header = fs::read_to_string(folder.join("shapes.h")).unwrap();
    assert!(header.contains("bool my_Point_decode(") && folder.join("M.c").exists(), "{header}");
    assert_eq!(run(&["--lang", "c", "--check"]).code, Some(0));
    // Options of the other language.
    for words in [
        &["--lang", "rust", "--name", "a"][..],
        &["--lang", "rust", "--prefix", "a"],
        &["--lang", "c", "--width", "100"],
    ] {
        let run = run(words);
        assert_eq!(run.code, Some(2), "{words:?}");
        assert!(run.err.contains("does not apply to this language"), "{}", run.err);
    }
}

/// One defective assignment does not stop the others, in any form, and the code of what is left works by itself.
#[test]
fn valid_assignments_are_compiled_beside_defective_ones() {
    let folder = folder("partly");
    let module = folder.join("m.asn1");
    let text_of_module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n\tA ::= SEQUENCE {\n\ta\tMissing }\nB ::= SEQUENCE { a A }\n\
                          Point ::= SEQUENCE { x INTEGER (0..9) }\nEND\n";
    fs::write(&module, text_of_module).unwrap();
    let run = |words: &[&str]| tagwise_with(&[&["compile"], words, &[text(&module)]].concat(), b"");
    for (language, file) in [("rust", "m.rs"), ("c", "M.c"), ("python", "m.py")] {
        let out = folder.join(language);
        let strict = run(&["--lang", language, "-o", text(&out)]);
        assert_eq!((strict.code, out.exists()), (Some(1), false), "{language}");
        // Lines of modules keep their tabs, and marks stand below what they mark.
        assert!(strict.err.contains("\n3 | \ta\tMissing }\n  | \t \t^^^^^^^\n1 error, 0 warnings"), "{}", strict.err);
        let partly = run(&["--lang", language, "--keep-going", "-o", text(&out)]);
        assert_eq!(partly.code, Some(1), "{language}: {}", partly.err);
        for line in [
            "m.asn1:3:4: error: there is no Missing in M",
            "m.asn1:2:2: A is omitted: there is no Missing in M",
            "m.asn1:4:1: B is omitted: there is no A in M",
            "1 module with 1 assignment: 1 error, 0 warnings, 2 omitted",
        ] {
            assert!(partly.err.contains(line), "{language}: {}", partly.err);
        }
        let made = fs::read_to_string(out.join(file)).unwrap();
        assert!(made.contains("Point") && !made.contains("Missing"), "{made}");
    }
    let check = run(&["--check", "--keep-going"]);
    assert_eq!(check.code, Some(1));
    assert!(check.out.contains("B is omitted: there is no A in M"), "{}", check.out);
    let json = run(&["--check", "--keep-going", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json["accepted"].as_bool(), json["omitted"][1]["name"].as_str()), (Some(false), Some("B")));
    // Of what is right, nothing is left out.
    fs::write(&module, MODULE).unwrap();
    assert_eq!(run(&["--check", "--keep-going"]).code, Some(0));
}

/// Files whose names would hide modules of Python or headers of C have another, which a note says.
#[test]
fn files_hide_nothing() {
    let folder = folder("hide");
    for (module, language, file) in [
        ("Types", "python", "types_asn1.py"),
        ("Typing", "python", "typing_asn1.py"),
        ("Tagwise", "python", "tagwise_asn1.py"),
        ("Class", "python", "class_asn1.py"),
        ("Tagwise", "c", "Tagwise_asn1.h"),
        ("Time", "c", "Time_asn1.h"),
        ("Ldap", "c", "Ldap.h"),
        ("Mod", "rust", "mod2.rs"),
    ] {
        let out = folder.join(format!("{language}-{module}"));
        let path = folder.join(format!("{module}.asn1"));
        fs::write(&path, format!("{module} DEFINITIONS ::= BEGIN A ::= NULL END")).unwrap();
        let run = tagwise_with(&["compile", "--lang", language, "-o", text(&out), text(&path)], b"");
        assert_eq!((run.code, out.join(file).exists()), (Some(0), true), "{module} {language}: {}{}", run.out, run.err);
        let says = run.err.contains("the name of the file is");
        assert_eq!(says, file.contains("_asn1"), "{}", run.err);
    }
    // The name is the user's, and the prefix is that of what is in the files.
    let (out, path) = (folder.join("named"), folder.join("Ldap.asn1"));
    let run = tagwise_with(
        &["compile", "--lang", "c", "--name", "ldap", "--prefix", "tw_", "-o", text(&out), text(&path)],
        b"",
    );
    assert_eq!((run.code, out.join("ldap.h").exists()), (Some(0), true), "{}", run.err);
    let header = fs::read_to_string(out.join("ldap.h")).unwrap();
    assert!(header.contains("tw_A_decode(") && header.contains("#ifndef TW_LDAP_ASN1_H"), "{header}");
}

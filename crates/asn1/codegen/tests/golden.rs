//! Emitted Rust beside its input: fresh, laid out as rustfmt does, and the same whatever the order of work.
//!
//! `BLESS=1` rewrites what differs; the test fails all the same, so that nothing is blessed unseen.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tagwise_codegen::emit::File;
use tagwise_codegen::{Builder, Output};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut cases: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|path| path.join("input.asn1").exists());
    cases.sort();
    assert!(cases.len() > 10, "{cases:?}");
    cases
}

fn generate(case: &Path) -> Output {
    let mut builder = Builder::new().files(case.join("input.asn1")).codec("tagwise_codec", "tagwise_derive::Asn1");
    let overlay = case.join("overlay.toml");
    if overlay.exists() {
        builder = builder.overlay(overlay);
    }
    builder.rust().unwrap_or_else(|error| panic!("{}:\n{error}", case.display()))
}

/// Where a file of a case is checked in: `expected.rs` for the one file of one module.
fn expected(case: &Path, output: &Output, file: &File) -> Option<PathBuf> {
    match output.files.len() {
        2 if file.name == "mod.rs" => None,
        2 => Some(case.join("expected.rs")),
        _ => Some(case.join("expected").join(&file.name)),
    }
}

#[test]
fn fresh() {
    let mut stale = Vec::new();
    for case in cases() {
        let output = generate(&case);
        for file in &output.files {
            let Some(path) = expected(&case, &output, file) else { continue };
            if fs::read_to_string(&path).unwrap_or_default() == file.text {
                continue;
            }
            if std::env::var_os("BLESS").is_some() {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, &file.text).unwrap();
            }
            stale.push(path);
        }
    }
    assert!(stale.is_empty(), "stale (BLESS=1 rewrites them): {stale:#?}");
}

#[test]
fn same_again() {
    for case in cases() {
        assert_eq!(generate(&case).files, generate(&case).files, "{}", case.display());
    }
}

/// rustfmt leaves the output as it is.
#[test]
fn laid_out() {
    if !tagwise_testing::tool("rustfmt", &["--version"]) {
        return;
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("laid_out");
    fs::create_dir_all(&scratch).unwrap();
    let mut bad = Vec::new();
    for case in cases() {
        for file in &generate(&case).files {
            let name = format!("{}_{}", case.file_name().unwrap().to_string_lossy(), file.name);
            let path = scratch.join(&name);
            // Modules are other files.
            if file.name == "mod.rs" {
                continue;
            }
            fs::write(&path, &file.text).unwrap();
            let run = Command::new("rustfmt")
                .args([
                    "--edition",
                    "2024",
                    "--check",
                    "--color",
                    "never",
                    "--config",
                    "max_width=100,use_small_heuristics=Default",
                ])
                .arg(&path)
                .output()
                .unwrap();
            if !run.status.success() {
                bad.push(format!(
                    "{name}:\n{}{}",
                    String::from_utf8_lossy(&run.stdout),
                    String::from_utf8_lossy(&run.stderr)
                ));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

//! The Rust of published modules, one crate for each set of them: written below a folder, and checked by the compiler.
//!
//! `corpora FOLDER [NAME ...]`: sets whose names begin so, or all of them. A set that the front refuses is passed over: the
//! front's own register says why. What does not compile must be in `tests/register/codegen.tsv`, and what is there must not.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a tool: what it cannot do ends it")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use tagwise_codegen::{Builder, Error};

#[path = "../tests/common/sets.rs"]
mod corpus;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().expect("a folder to write to"));
    let wanted: Vec<String> = args.collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let Some(modules) = corpus::corpus() else { return ExitCode::SUCCESS };
    let _ = fs::remove_dir_all(folder.join("sets"));
    let (mut written, mut refused, mut wrong) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
    for (name, files) in corpus::sets(&modules) {
        if !wanted.is_empty() && !wanted.iter().any(|prefix| name.starts_with(prefix.as_str())) {
            continue;
        }
        let builder = files.iter().fold(Builder::new(), |builder, file| builder.files(file));
        match builder.codec("tagwise_codec", "tagwise_derive::Asn1").rust() {
            Ok(output) => {
                let crate_folder = folder.join("sets").join(&name);
                output.write(&crate_folder.join("src/modules")).unwrap();
                fs::write(crate_folder.join("Cargo.toml"), manifest(&name, &root)).unwrap();
                fs::write(crate_folder.join("src/lib.rs"), LIB).unwrap();
                written.insert(name);
            }
            Err(Error::Schema(_)) => refused.push(name),
            Err(error) => {
                wrong.insert(name, error.to_string());
            }
        }
    }
    fs::write(folder.join("Cargo.toml"), WORKSPACE).unwrap();
    println!("{} sets written, {} refused by the front", written.len(), refused.len());
    for name in check(&folder, &written) {
        wrong.insert(name, "rustc refuses it".to_owned());
    }
    verdict(&root, &written, &wrong, wanted.is_empty())
}

const WORKSPACE: &str =
    "[workspace]\nresolver = \"3\"\nmembers = [\"sets/*\"]\n\n[profile.dev]\ndebug = \"line-tables-only\"\n";

const LIB: &str = "//! Generated.\n#![no_std]\n#![deny(missing_docs)]\n\npub mod modules;\n";

fn manifest(name: &str, root: &Path) -> String {
    let mut text = format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n");
    for (package, folder, more) in [("codec", "codec", ", features = [\"alloc\"]"), ("derive", "derive", "")] {
        let path = root.join("crates").join(folder);
        let _ = writeln!(text, "tagwise-{package} = {{ path = {:?}{more} }}", path.display().to_string());
    }
    text
}

/// The crates that do not compile, by what Cargo says at last.
fn check(folder: &Path, written: &BTreeSet<String>) -> Vec<String> {
    let run = Command::new("cargo")
        .args(["check", "--workspace", "--keep-going", "--offline", "--message-format", "short"])
        .current_dir(folder)
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    fs::write(folder.join("check.log"), &text).unwrap();
    let failed: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("error: could not compile `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    assert!(run.status.success() || !failed.is_empty(), "cargo check: {text}");
    failed.into_iter().filter(|name| written.contains(name)).collect()
}

/// Holds what was found against the register.
fn verdict(root: &Path, written: &BTreeSet<String>, wrong: &BTreeMap<String, String>, all: bool) -> ExitCode {
    let register = fs::read_to_string(root.join("tests/register/codegen.tsv")).unwrap_or_default();
    let rows: BTreeSet<&str> =
        register.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').next()).collect();
    let mut bad = false;
    for (name, why) in wrong.iter().filter(|(name, _)| !rows.contains(name.as_str())) {
        println!("{name}: {why}");
        bad = true;
    }
    for name in rows {
        if !wrong.contains_key(name) && (written.contains(name) || all) {
            println!("{name}: compiles now; take it off the register");
            bad = true;
        }
    }
    println!(
        "{} of {} sets compile",
        written.len() - wrong.keys().filter(|name| written.contains(*name)).count(),
        written.len()
    );
    ExitCode::from(u8::from(bad))
}

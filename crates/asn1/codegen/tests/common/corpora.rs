//! The Rust of published modules, one crate for each set of them: written below a folder, and checked by the compiler, clippy
//! and rustfmt. Shared by the tool that does so for all sets and by the test that does so for a few.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use tagwise_codegen::{Builder, Error};
use tagwise_testing::sets;

/// What is not as the register says, for the sets whose names begin with one of some prefixes, or for all; nothing if the
/// corpora are not there.
pub(crate) fn complaints(folder: &Path, wanted: &[String]) -> Option<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap();
    let modules = sets::corpus()?;
    let _ = fs::remove_dir_all(folder.join("sets"));
    let begun = Instant::now();
    let (mut written, mut refused, mut wrong) = (BTreeSet::new(), 0, BTreeMap::new());
    let mut count = 0;
    for set in published(&modules) {
        let (name, files) = (crate_name(&set.name), &set.files);
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
                // The last file only names the modules.
                count += output.files.len() - 1;
                written.insert(name);
            }
            // The front's own register says why.
            Err(Error::Schema(_)) => refused += 1,
            Err(error) => {
                wrong.insert(name, error.to_string());
            }
        }
    }
    if written.is_empty() && refused == 0 && wrong.is_empty() {
        return Some(vec![format!("no set of modules has a name that begins with {}", wanted.join(" or "))]);
    }
    fs::write(folder.join("Cargo.toml"), WORKSPACE).unwrap();
    let seconds = begun.elapsed().as_secs_f32();
    let sets = written.len();
    println!("{sets} sets of {count} modules written in {seconds:.1} s, {refused} sets refused by the front");
    for name in &written {
        if !laid_out(&folder.join("sets").join(name)) {
            wrong.insert(name.clone(), "rustfmt would lay it out otherwise".to_owned());
        }
    }
    let begun = Instant::now();
    for name in check(folder, &written) {
        wrong.insert(name, "rustc or clippy refuses it: see check.log".to_owned());
    }
    let good = written.iter().filter(|name| !wrong.contains_key(*name)).count();
    println!("{good} of {sets} sets compile, checked in {:.0} s", begun.elapsed().as_secs_f32());
    Some(compare(&root, &written, &wrong, wanted.is_empty()))
}

/// The sets that are modules, not test cases of a compiler.
fn published(modules: &Path) -> Vec<sets::Set> {
    let mut sets = sets::sets(modules);
    sets.retain(|set| set.expected == sets::Expected::Compiles && set.family() != "asn1c-compiler-tests");
    sets
}

/// A set's name as one of a crate.
fn crate_name(set: &str) -> String {
    let stem = set.trim_end_matches(".asn1").trim_end_matches(".asn").to_ascii_lowercase();
    let words: Vec<&str> = stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

const WORKSPACE: &str =
    "[workspace]\nresolver = \"3\"\nmembers = [\"sets/*\"]\n\n[profile.dev]\ndebug = \"line-tables-only\"\n";

const LIB: &str = "//! Generated.\n#![no_std]\n#![deny(missing_docs)]\n\n/// The modules.\npub mod modules;\n";

fn manifest(name: &str, root: &Path) -> String {
    let mut text = format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n");
    for (package, folder, more) in [("codec", "codec", ", features = [\"alloc\"]"), ("derive", "derive", "")] {
        let path = root.join("crates/asn1").join(folder);
        let _ = writeln!(text, "tagwise-{package} = {{ path = {:?}{more} }}", path.display().to_string());
    }
    text
}

/// Whether rustfmt leaves a crate as it is.
fn laid_out(folder: &Path) -> bool {
    let config = "max_width=100,use_small_heuristics=Default";
    let args = ["--edition", "2024", "--check", "--color", "never", "--config", config, "src/lib.rs"];
    let run = Command::new("rustfmt").args(args).current_dir(folder).output().expect("rustfmt runs");
    if !run.status.success() {
        fs::write(folder.join("rustfmt.log"), [run.stdout, run.stderr].concat()).unwrap();
    }
    run.status.success()
}

/// The crates that do not compile, by what Cargo says at last.
fn check(folder: &Path, written: &BTreeSet<String>) -> Vec<String> {
    let run = Command::new("cargo")
        .args(["clippy", "--workspace", "--no-deps", "--keep-going", "--offline", "--message-format", "short"])
        .args(["--", "-D", "warnings"])
        .env("CARGO_TARGET_DIR", folder.join("target"))
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
fn compare(root: &Path, written: &BTreeSet<String>, wrong: &BTreeMap<String, String>, all: bool) -> Vec<String> {
    let register = fs::read_to_string(root.join("tests/register/codegen.tsv")).unwrap();
    let rows: BTreeSet<&str> =
        register.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').next()).collect();
    let unexpected = wrong.iter().filter(|(name, _)| !rows.contains(name.as_str()));
    let mut found: Vec<String> = unexpected.map(|(name, why)| format!("{name}: {why}")).collect();
    let better = rows.iter().filter(|name| !wrong.contains_key(**name) && (written.contains(**name) || all));
    found.extend(better.map(|name| format!("{name}: compiles now; take it off the register")));
    found
}

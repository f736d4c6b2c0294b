//! The sets of published modules that the corpora have: shared by the test that compiles them to Rust and by the tool that compiles
//! the Rust.

use std::fs;
use std::path::{Path, PathBuf};

/// The set's name, as a crate, and its files.
pub(crate) type Set = (String, Vec<PathBuf>);

/// Where the modules are, if they are there.
pub(crate) fn corpus() -> Option<PathBuf> {
    let root = std::env::var_os("TAGWISE_CORPORA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora"), PathBuf::from);
    let path = root.join("asn1-modules");
    if path.is_dir() {
        return Some(path);
    }
    let required = std::env::var_os("CI").is_some_and(|ci| ci == "true") && root.is_dir();
    assert!(!required, "the corpora have no asn1-modules");
    println!("skipped: no asn1-modules in {}", root.display());
    None
}

/// Files that are compiled together: folders of pycrate's, single files of the others, and those that need each other.
pub(crate) fn sets(root: &Path) -> Vec<Set> {
    let mut sets = Vec::new();
    for folder in folders(&root.join("pycrate-pki")) {
        let files = listed(&folder.join("load_mod.txt")).unwrap_or_else(|| modules(&folder));
        sets.push((name(root, &folder), files));
    }
    for folder in ["asn1tools-git", "erlang-public_key", "heimdal", "rustcrypto-oiddbgen"] {
        for file in modules(&root.join(folder)) {
            sets.push((name(root, &file), vec![file]));
        }
    }
    let together = [
        ("asn1tools-git/ietf", &["rfc5280", "rfc3281", "rfc3852", "rfc4211", "rfc3279"][..]),
        ("asn1tools-git/etsi", &["cam_pdu_descriptions_1_3_2", "its_container_1_2_1"]),
        ("asn1tools-git", &["foo", "bar"]),
        ("asn1tools-git", &["module-1", "module-2"]),
        ("rustcrypto-oiddbgen/stb", &["bake", "bash", "belt", "bign", "bpki", "brng", "btok"]),
    ];
    for (folder, files) in together {
        let paths: Vec<PathBuf> = files.iter().map(|file| root.join(folder).join(format!("{file}.asn"))).collect();
        sets.push((format!("{}-together-{}", name(root, &root.join(folder)), files.join("-")), paths));
    }
    for list in ["OTP-PUB-KEY", "PKCS-FRAME"] {
        let path = root.join(format!("erlang-public_key/{list}.set.asn"));
        sets.extend(listed(&path).map(|files| (format!("erlang-{}", list.to_ascii_lowercase()), files)));
    }
    sets
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.is_dir());
    found.sort();
    found
}

fn modules(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|end| end == "asn" || end == "asn1")
            && !path.to_string_lossy().contains(".set.")
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The files that a list names, one a line.
fn listed(list: &Path) -> Option<Vec<PathBuf>> {
    let text = fs::read_to_string(list).ok()?;
    let names = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Some(names.map(|name| list.with_file_name(name)).collect())
}

/// A path below the corpus as the name of a crate.
fn name(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap().with_extension("");
    relative.to_string_lossy().to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

//! Published modules and compilers' test cases, each set compiled, held against what it should be.
//!
//! `tests/register/schema-modules.tsv` lists where that is not so, with what was found first and the clause that decides.
//! `TAGWISE_BLESS=1` rewrites it; a set that does better than its row says fails too.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tagwise_schema::{Compilation, Severity, Source, compile};

/// What a set should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Compiles,
    Warns,
    Refused,
}

impl Expected {
    const fn name(self) -> &'static str {
        match self {
            Self::Compiles => "compiles",
            Self::Warns => "warns",
            Self::Refused => "refused",
        }
    }
}

/// Files that are compiled together.
struct Set {
    name: String,
    files: Vec<PathBuf>,
    expected: Expected,
}

fn corpus() -> Option<PathBuf> {
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

/// Files below a folder that end in `.asn` or `.asn1`, sorted.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "asn" || extension == "asn1")
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

fn one_by_one(root: &Path, folder: &str, sets: &mut Vec<Set>, expected: impl Fn(&str) -> Expected) {
    for file in modules(&root.join(folder)) {
        let name = file.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let expected = expected(file.file_stem().unwrap().to_str().unwrap());
        sets.push(Set { name, files: vec![file], expected });
    }
}

fn sets(root: &Path) -> Vec<Set> {
    let mut sets = Vec::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root.join("pycrate-pki")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let all = modules(&folder);
        let name = folder.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let files = listed(&folder.join("load_mod.txt")).unwrap_or_else(|| all.clone());
        // What the list leaves out stands beside the listed files.
        for file in all.iter().filter(|file| !files.contains(file)) {
            let name = format!("{name} + {}", file.file_name().unwrap().to_string_lossy());
            let files = files.iter().chain([file]).cloned().collect();
            sets.push(Set { name, files, expected: Expected::Compiles });
        }
        sets.push(Set { name, files, expected: Expected::Compiles });
    }
    for folder in ["asn1tools-git", "heimdal", "rustcrypto-oiddbgen", "erlang-public_key"] {
        one_by_one(root, folder, &mut sets, |_| Expected::Compiles);
    }
    // Files that import from each other.
    let together = [
        (
            "asn1tools-git: PKIX of 1988",
            "asn1tools-git/ietf",
            &["rfc5280", "rfc3281", "rfc3852", "rfc4211", "rfc3279"][..],
        ),
        ("asn1tools-git: CAM", "asn1tools-git/etsi", &["cam_pdu_descriptions_1_3_2", "its_container_1_2_1"]),
        ("asn1tools-git: foo and bar", "asn1tools-git", &["foo", "bar"]),
        ("asn1tools-git: imports", "asn1tools-git", &["module-1", "module-2"]),
        (
            "rustcrypto-oiddbgen: stb",
            "rustcrypto-oiddbgen/stb",
            &["bake", "bash", "belt", "bign", "bpki", "brng", "btok"],
        ),
    ];
    for (name, folder, files) in together {
        let files = files.iter().map(|file| root.join(folder).join(format!("{file}.asn"))).collect();
        sets.push(Set { name: name.to_owned(), files, expected: Expected::Compiles });
    }
    for list in ["OTP-PUB-KEY", "PKCS-FRAME"] {
        let files = listed(&root.join(format!("erlang-public_key/{list}.set.asn"))).unwrap();
        sets.push(Set { name: format!("erlang-public_key: {list}"), files, expected: Expected::Compiles });
    }
    one_by_one(root, "asn1c-compiler-tests", &mut sets, |name| match name.rsplit('-').next() {
        Some("SE" | "NP") => Expected::Refused,
        Some("SW") => Expected::Warns,
        _ => Expected::Compiles,
    });
    sets
}

fn run(files: &[PathBuf]) -> Compilation {
    let source = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        Source::from_bytes(&name, &fs::read(path).unwrap())
    };
    compile(files.iter().map(source).collect())
}

#[test]
fn every_set_is_as_expected_or_registered() {
    let Some(root) = corpus() else { return };
    let mut rows = BTreeMap::new();
    let mut counts: BTreeMap<(String, &str, &str), usize> = BTreeMap::new();
    for set in sets(&root) {
        let compilation = run(&set.files);
        let diagnostics = compilation.diagnostics();
        assert_eq!(compilation.model().is_some(), diagnostics.errors() == 0);
        let found = match (diagnostics.errors(), diagnostics.warnings()) {
            (1.., _) => Expected::Refused,
            (0, 1..) => Expected::Warns,
            (0, 0) => Expected::Compiles,
        };
        // A warning does not hinder.
        let fine = found == set.expected || (set.expected == Expected::Compiles && found == Expected::Warns);
        let family = set.name.split(['/', ':']).next().unwrap().to_owned();
        *counts.entry((family, set.expected.name(), found.name())).or_default() += 1;
        if !fine {
            let first = diagnostics.list().iter().find(|one| one.severity == Severity::Error);
            let why = first.map_or_else(
                || "\t\t".to_owned(),
                |one| {
                    let line = one.line(compilation.sources());
                    let place = line.split(": error").next().unwrap().to_owned();
                    format!("{}\t{}\t{place}: {}", one.code, one.clause, one.message)
                },
            );
            let errors = diagnostics.errors();
            let row = format!("{}\t{}\t{}\t{errors}\t{why}", set.name, set.expected.name(), found.name());
            rows.insert(set.name.clone(), row);
        }
    }
    for ((family, expected, found), count) in &counts {
        println!("{family}: {count} that should be {expected} are {found}");
    }
    let register = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/register/schema-modules.tsv");
    let mut text = "item\texpected\tfound\terrors\tcode\tclause\tfirst\n".to_owned();
    rows.values().for_each(|row| text.push_str(&format!("{row}\n")));
    if std::env::var_os("TAGWISE_BLESS").is_some_and(|value| value == "1") {
        fs::write(&register, text).unwrap();
        return;
    }
    let registered = fs::read_to_string(&register).unwrap();
    let missing: Vec<&str> = text.lines().filter(|line| !registered.lines().any(|other| other == *line)).collect();
    let stale: Vec<&str> = registered.lines().filter(|line| !text.lines().any(|other| other == *line)).collect();
    assert!(missing.is_empty() && stale.is_empty(), "not registered: {missing:#?}\nno longer so: {stale:#?}");
}

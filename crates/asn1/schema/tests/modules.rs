//! Published modules and compilers' test cases, each set compiled, held against what it should be.
//!
//! `tests/register/schema-modules.tsv` lists where that is not so, with what was found first and the clause that decides.
//! `TAGWISE_BLESS=1` rewrites it; a set that does better than its row says fails too.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tagwise_schema::{Compilation, Severity, Source, compile};
use tagwise_testing::sets::{Expected, corpus, sets};

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
        let family = set.family().to_owned();
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
    let register = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/register/schema-modules.tsv");
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

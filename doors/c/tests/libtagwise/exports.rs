//! What the shared library shows to others: the functions of the header and nothing else.

use std::collections::BTreeSet;
use std::process::Command;

use super::build::{home, library, run};

/// The names of the functions that the header declares.
pub(crate) fn declared() -> BTreeSet<String> {
    super::calls::prototypes(&std::fs::read_to_string(home().join("include/tagwise.h")).unwrap())
        .into_iter()
        .map(|function| function.name)
        .collect()
}

#[test]
fn the_library_exports_what_the_header_declares() {
    if !tagwise_testing::tool("nm", &["--version"]) {
        return;
    }
    let listed = run(Command::new("nm").args(["-D", "--defined-only", "--with-symbol-versions"]).arg(library()));
    let mut exported = BTreeSet::new();
    for line in listed.lines() {
        let symbol = line.split_whitespace().last().unwrap();
        // The version itself is a symbol, too.
        if symbol.trim_end_matches("@@TAGWISE_1") == "TAGWISE_1" {
            continue;
        }
        let name = symbol.strip_suffix("@@TAGWISE_1").unwrap_or_else(|| panic!("{symbol} has another version"));
        // The functions for tests are in builds for tests only.
        if !name.starts_with("tagwise_fault_") {
            exported.insert(name.to_owned());
        }
    }
    assert!(exported.len() > 100);
    assert_eq!(exported, declared());
}

/// Every exported function of the sources goes through the shield.
#[test]
fn each_function_has_a_guard() {
    let mut count = 0;
    let mut open = vec![home().join("src")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        for function in text.split("#[unsafe(no_mangle)]\npub extern \"C\" fn ").skip(1) {
            let (name, rest) = function.split_once('(').unwrap();
            let body = &rest[rest.find('{').unwrap() + 1..];
            let shielded = ["guard!(", "setter!("].iter().any(|shield| body.trim_start().starts_with(shield));
            assert!(shielded, "{name} does not go through guard! or setter!");
            assert!(declared().contains(name), "{name} is not in the header: ./x c header");
            count += 1;
        }
    }
    assert_eq!(count, declared().len());
}

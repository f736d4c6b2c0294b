//! The most common error messages and lint titles, kept in one file so that they can be read together.
//!
//! `tests/register/messages-words.tsv` has one row per message: the source file, and the string literal as it stands there.
//! A change of such a message changes its row.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Phrases that a message must not contain: each has a plainer wording.
const BANNED: [&str; 24] = [
    "is no ",
    "are no ",
    "there is no ",
    "there is nothing",
    "is not there",
    "is there twice",
    "stands ",
    "said again",
    "is said",
    "nobody",
    "somebody",
    "whoever",
    "is of another",
    "is another",
    "are others",
    "another length",
    "what is",
    "what stands",
    "as many",
    "is not taken",
    "are taken",
    "needed to make sense",
    "needed to compute itself",
    "wants",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn register() -> String {
    fs::read_to_string(root().join("tests/register/messages-words.tsv")).unwrap()
}

fn rows(text: &str) -> Vec<(&str, &str)> {
    let row = |line| -> (&str, &str) {
        str::split_once(line, '\t').unwrap_or_else(|| panic!("a row has two columns: {line}"))
    };
    text.lines().skip(1).map(row).collect()
}

/// What is wrong with a message, if anything is.
fn fault(message: &str) -> Option<String> {
    let lower = message.to_lowercase();
    if let Some(phrase) = BANNED.iter().find(|phrase| lower.contains(**phrase)) {
        return Some(format!("has the phrase {phrase:?}"));
    }
    message.ends_with(['.', '!']).then(|| "ends in a full stop".to_owned())
}

#[test]
fn every_message_is_in_its_file() {
    let text = register();
    let mut sources = BTreeMap::new();
    let mut missing = Vec::new();
    for (file, message) in rows(&text) {
        let source = sources.entry(file).or_insert_with(|| fs::read_to_string(root().join(file)).unwrap_or_default());
        if !source.contains(&format!("\"{message}\"")) {
            missing.push(format!("{file}: {message}"));
        }
    }
    assert!(missing.is_empty(), "messages that are not in their files:\n{}", missing.join("\n"));
}

#[test]
fn no_message_has_a_banned_phrase() {
    let text = register();
    let wrong = rows(&text).into_iter().filter_map(|(file, message)| Some((file, message, fault(message)?)));
    let wrong: Vec<String> = wrong.map(|(file, message, fault)| format!("{file}: {message}: {fault}")).collect();
    assert!(wrong.is_empty(), "messages to reword:\n{}", wrong.join("\n"));
    assert!(fault("it is no CRL").is_some() && fault("Attribute 4 STANDS twice").is_some());
    assert!(fault("not a CRL.").is_some() && fault("not a CRL: {error}").is_none());
}

#[test]
fn the_register_is_sorted_and_has_no_row_twice() {
    let text = register();
    let rows = rows(&text);
    assert!(text.starts_with("file\tmessage\n"));
    assert!(rows.len() >= 300, "{} rows", rows.len());
    assert!(rows.is_sorted_by(|one, next| one < next));
}

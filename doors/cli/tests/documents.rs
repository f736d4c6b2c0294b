//! The schemas of the command's JSON. Every test that runs the command holds its output to them (`common/documents.rs`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test: what it cannot do ends it"
)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::documents::{Documents, files};
use serde_json::Value;

/// Names of schemas in a text: `"tagwise.show/1"`, with escaped quotation marks or not.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).map(|word| word.trim_end_matches('\\')).filter(|word| {
        let version = word.strip_prefix("tagwise.").and_then(|rest| rest.split_once('/'));
        version.is_some_and(|(name, version)| !name.is_empty() && version.parse::<u32>().is_ok())
    })
}

fn sources(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.extend(names(&std::fs::read_to_string(&path).unwrap()).map(str::to_owned));
        }
    }
}

#[test]
fn every_document_has_a_schema() {
    let mut printed = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for part in ["src", "../../crates/pki/show/src"] {
        sources(&folder.join(part), &mut printed);
    }
    let described: BTreeSet<String> = files()
        .into_values()
        .filter_map(|schema| {
            let mut names = BTreeSet::new();
            constants(&schema, &mut names);
            // `krb5-klist-all` holds documents of another schema.
            let id = schema["$id"].as_str()?.rsplit('/').next()?.strip_suffix(".json")?.to_owned();
            names.into_iter().find(|name| name.replace('/', "-") == format!("tagwise.{id}"))
        })
        .collect();
    assert_eq!(printed, described);
    assert_eq!(described.len() + 1, files().len());
}

/// The names of schemas that a schema requires.
fn constants(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            found.extend(
                object.get("const").and_then(Value::as_str).filter(|name| name.contains('/')).map(str::to_owned),
            );
            object.values().for_each(|value| constants(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| constants(value, found)),
        _ => {}
    }
}

/// Keys that schemas name.
fn keys(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::Object(properties)) = object.get("properties") {
                found.extend(properties.keys().cloned());
            }
            object.values().for_each(|value| keys(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn keys_are_in_snake_case() {
    let mut found = BTreeSet::new();
    files().values().for_each(|schema| keys(schema, &mut found));
    assert!(found.len() > 200, "{}", found.len());
    for key in found {
        assert!(key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{key}");
    }
}

#[test]
fn the_reference_describes_each_document_and_its_keys() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("SCHEMA.md")).unwrap();
    let mut missing = Vec::new();
    for (file, schema) in files() {
        let mut names = BTreeSet::new();
        constants(&schema, &mut names);
        missing.extend(names.into_iter().filter(|name| !text.contains(&format!("`{name}`"))));
        let mut found = BTreeSet::new();
        keys(&schema, &mut found);
        let said = |key: &String| text.contains(&format!("`{key}`")) || text.contains(&format!("\"{key}\""));
        missing.extend(found.into_iter().filter(|key| !said(key)).map(|key| format!("{file}: {key}")));
    }
    assert!(missing.is_empty(), "not in SCHEMA.md: {missing:#?}");
}

#[test]
fn a_departure_is_found() {
    let documents = Documents::new();
    let good =
        r#"{"schema":"tagwise.rules/1","rules":[{"name":"a","layer":"DER","clause":"c","summary":"s","ber":true}]}"#;
    assert_eq!(documents.wrong(good), None);
    for (from, to) in [
        ("\"ber\":true", "\"ber\":1"),
        ("\"ber\":true", "\"ber\":true,\"more\":1"),
        (",\"ber\":true", ""),
        ("tagwise.rules/1", "tagwise.rules/9"),
    ] {
        assert!(documents.wrong(&good.replace(from, to)).is_some(), "{to}");
    }
    let lines = "{\"schema\":\"tagwise.scan/1\",\"tool\":\"t\"}\n{\"file\":\"f\",\"unreadable\":\"u\"}\n";
    assert_eq!(documents.wrong(lines), None);
    assert!(documents.wrong(&lines.replace("unreadable", "unread")).is_some());
    assert_eq!(documents.wrong(r#"{"version":"2.1.0","runs":[]}"#), None);
}

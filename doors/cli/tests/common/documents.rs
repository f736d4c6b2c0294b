//! JSON that the command prints, against the schemas in `json`.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

/// The compiled schemas, and where each is, by the name that documents have.
pub(crate) struct Documents {
    schemas: Schemas,
    by_name: BTreeMap<String, SchemaIndex>,
}

/// The folder of the schemas.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("json")
}

/// The schemas, by the names of their files.
pub(crate) fn files() -> BTreeMap<String, Value> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), serde_json::from_str(&text).unwrap())
        })
        .collect()
}

impl Documents {
    pub(crate) fn new() -> Self {
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        let files = files();
        for schema in files.values() {
            compiler.add_resource(schema["$id"].as_str().unwrap(), schema.clone()).unwrap();
        }
        let mut by_name = BTreeMap::new();
        for (file, schema) in files.iter().filter(|(file, _)| *file != "common.json") {
            let (name, version) = file.strip_suffix(".json").unwrap().rsplit_once('-').unwrap();
            let index = compiler.compile(schema["$id"].as_str().unwrap(), &mut schemas);
            by_name
                .insert(format!("tagwise.{name}/{version}"), index.unwrap_or_else(|error| panic!("{file}: {error}")));
        }
        Self { schemas, by_name }
    }

    /// Returns the first error in a document: one value that names its schema, or JSON Lines whose first line names it. A document
    /// that names none has another owner, as SARIF.
    pub(crate) fn wrong(&self, text: &str) -> Option<String> {
        let values: Vec<Value> = serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()?;
        let mut of_lines = None;
        for value in &values {
            let named = value.get("schema").and_then(Value::as_str).filter(|name| name.starts_with("tagwise."));
            let name = named.or(of_lines)?;
            of_lines = Some(name);
            let Some(index) = self.by_name.get(name) else { return Some(format!("{name} has no schema in json/")) };
            if let Err(error) = self.schemas.validate(value, *index) {
                return Some(format!("{name}: {error:#}"));
            }
        }
        None
    }
}

thread_local! {
    static DOCUMENTS: OnceCell<Documents> = const { OnceCell::new() };
}

/// Fails if a document departs from its schema.
pub(crate) fn check(text: &str) {
    let wrong = DOCUMENTS.with(|documents| documents.get_or_init(Documents::new).wrong(text));
    assert!(wrong.is_none(), "{}\n{text}", wrong.unwrap_or_default());
}

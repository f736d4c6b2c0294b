//! Findings as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), for code scanning.
//!
//! A result's location is a byte offset in DER files, and the block's first line in PEM files. For hexadecimal and base64,
//! only the file is given. The component path is the logical location.

use std::io::{self, Write};

use tagwise_show::lint::{CatalogueRow, File, Found, Selection, Subject, entries};
use tagwise_show::render::json;
use tagwise_show::tree::{Record, Value};

/// Writes the findings as a SARIF log.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn write(out: &mut dyn Write, files: &[File], selection: &Selection) -> io::Result<()> {
    let mut rules: Vec<CatalogueRow> = entries().filter(|entry| selection.has(&entry.id, entry.severity)).collect();
    // The decoder also says what no rule is about.
    for found in files.iter().flat_map(|file| &file.items).flat_map(|item| &item.findings) {
        if !rules.iter().any(|rule| rule.id == found.id) {
            rules.push(CatalogueRow {
                id: found.id.clone(),
                clause: found.clause,
                severity: found.severity,
                scope: "certificates and CRLs",
                title: "malformed",
                about: "Errors that no decoding rule tolerates.".to_owned(),
            });
        }
    }
    let mut results = Vec::new();
    for (index, file) in files.iter().enumerate() {
        for item in &file.items {
            results.extend(item.findings.iter().map(|found| result(&rules, index, file, item, found)));
        }
    }
    let driver = Record::default()
        .with("name", Value::word("tagwise"))
        .with("version", Value::word(env!("CARGO_PKG_VERSION")))
        .with("semanticVersion", Value::word(env!("CARGO_PKG_VERSION")))
        .with("rules", Value::List(rules.iter().map(rule).collect()));
    let run = Record::default()
        .with("tool", Record::default().with("driver", driver.into()).into())
        .with("artifacts", Value::List(files.iter().map(artifact).collect()))
        .with("invocations", Value::List(vec![invocation(files)]))
        .with("results", Value::List(results));
    let log = Record::default()
        .with("$schema", Value::word("https://json.schemastore.org/sarif-2.1.0.json"))
        .with("version", Value::word("2.1.0"))
        .with("runs", Value::List(vec![run.into()]));
    json::write(out, &Value::Record(log))
}

fn text<'a>(text: &str) -> Value<'a> {
    Record::default().with("text", Value::text(text)).into()
}

fn level<'a>(severity: tagwise_pkix::lint::Severity) -> Value<'a> {
    Value::word(severity.name())
}

fn rule(entry: &CatalogueRow) -> Value<'_> {
    Record::default()
        .with("id", Value::text(&entry.id))
        .with("shortDescription", text(entry.title))
        .with("fullDescription", text(&entry.about))
        .with("help", text(&format!("{} ({})", entry.about, entry.clause)))
        .with("defaultConfiguration", Record::default().with("level", level(entry.severity)).into())
        .with("properties", Record::default().with("clause", Value::word(entry.clause)).into())
        .into()
}

/// Returns a file's location: a relative or absolute path as a URI reference (RFC 3986).
fn uri(file: &File) -> String {
    let Some(path) = &file.path else { return "file:///dev/stdin".to_owned() };
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for octet in path.bytes() {
        match octet {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(octet)),
            octet => uri.push_str(&format!("%{octet:02X}")),
        }
    }
    uri
}

fn artifact(file: &File) -> Value<'_> {
    Record::default()
        .with("location", Record::default().with("uri", Value::text(uri(file))).into())
        .with("length", Value::number(file.size))
        .into()
}

fn invocation(files: &[File]) -> Value<'_> {
    let notes = files.iter().filter_map(|file| {
        let error = file.error.as_ref()?;
        let message = text(&format!("{}: {error}", file.name));
        Some(Record::default().with("level", Value::word("error")).with("message", message).into())
    });
    let unchecked = files.iter().flat_map(|file| {
        file.items.iter().filter_map(move |item| {
            let message = text(&format!("{}: {}", file.name, item.not_checked.as_ref()?));
            Some(Record::default().with("level", Value::word("error")).with("message", message).into())
        })
    });
    let notes: Vec<Value<'_>> = notes.chain(unchecked).collect();
    Record::default()
        .with("executionSuccessful", Value::Bool(notes.is_empty()))
        .with("toolExecutionNotifications", Value::List(notes))
        .into()
}

fn result<'f>(rules: &[CatalogueRow], index: usize, file: &'f File, item: &'f Subject, found: &'f Found) -> Value<'f> {
    let location = Record::default().with("uri", Value::text(uri(file))).with("index", Value::number(index));
    let region = match (file.form, item.line) {
        ("DER", _) => Some(
            Record::default()
                .with("byteOffset", Value::number(item.offset + found.offset))
                .with("byteLength", Value::number(found.length.unwrap_or(0))),
        ),
        (_, Some(line)) => Some(Record::default().with("startLine", Value::number(line))),
        _ => None,
    };
    let physical =
        Record::default().with("artifactLocation", location.into()).with_some("region", region.map(Value::Record));
    let mut place = Record::default().with("physicalLocation", physical.into());
    if !found.path.is_empty() {
        let logical =
            Record::default().with("fullyQualifiedName", Value::text(&found.path)).with("kind", Value::word("member"));
        place = place.with("logicalLocations", Value::List(vec![logical.into()]));
    }
    let whose = if item.subject.is_empty() { String::new() } else { format!(" of {}", item.subject) };
    let what = if item.kind == "crl" { "CRL" } else { "certificate" };
    let message = format!("{} ({}); byte {} of the {what}{whose}", found.title, found.clause, found.offset);
    let record = Record::default()
        .with("ruleId", Value::text(&found.id))
        .with_some("ruleIndex", rules.iter().position(|rule| rule.id == found.id).map(Value::number));
    record
        .with("level", level(found.severity))
        .with("message", text(&message))
        .with("locations", Value::List(vec![place.into()]))
        .into()
}

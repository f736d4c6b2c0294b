//! Findings as a JSON document: schema `tagwise.lint/1`.

use super::{File, Found, Judged, Subject};
use crate::tree::{Record, Value};

/// Returns the findings as a JSON document.
#[must_use]
pub fn document<'a>(files: &'a [File], judged: &Judged) -> Value<'a> {
    let summary = Record::default()
        .with("certificates", Value::number(judged.certificates))
        .with("crls", Value::number(judged.crls))
        .with("errors", Value::number(judged.errors))
        .with("warnings", Value::number(judged.warnings))
        .with("not_checked", Value::number(judged.not_checked));
    Record::default()
        .with("schema", Value::word("tagwise.lint/1"))
        .with("tool", Value::word(concat!("tagwise ", env!("CARGO_PKG_VERSION"))))
        .with("files", Value::List(files.iter().map(file).collect()))
        .with("summary", summary.into())
        .with("exit_code", Value::Number(u64::from(judged.code())))
        .into()
}

fn optional<'a>(value: Option<impl std::fmt::Display>) -> Value<'a> {
    value.map_or(Value::Null, Value::text)
}

fn file(file: &File) -> Value<'_> {
    Record::default()
        .with("path", optional(file.path.as_ref()))
        .with("form", Value::word(file.form))
        .with("size", Value::number(file.size))
        .with("items", Value::List(file.items.iter().map(subject).collect()))
        .with_some("error", file.error.as_ref().map(Value::text))
        .into()
}

fn subject(subject: &Subject) -> Value<'_> {
    Record::default()
        .with("kind", Value::word(subject.kind))
        .with("label", optional(subject.label.as_ref()))
        .with("line", subject.line.map_or(Value::Null, Value::number))
        .with("offset", Value::number(subject.offset))
        .with("size", Value::number(subject.size))
        .with("subject", Value::text(&subject.subject))
        .with("errors", Value::number(subject.errors))
        .with("warnings", Value::number(subject.warnings))
        .with("findings", Value::List(subject.findings.iter().map(finding).collect()))
        .with("findings_omitted", Value::number(subject.omitted))
        .with_some("not_checked", subject.not_checked.as_ref().map(Value::text))
        .into()
}

fn finding(found: &Found) -> Value<'_> {
    Record::default()
        .with("id", Value::text(&found.id))
        .with("severity", Value::word(found.severity.name()))
        .with("clause", Value::word(found.clause))
        .with("message", Value::text(&found.title))
        .with("path", Value::text(&found.path))
        .with("offset", Value::number(found.offset))
        .with("length", found.length.map_or(Value::Null, Value::number))
        .into()
}

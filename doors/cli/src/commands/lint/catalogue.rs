//! All possible findings: the library's lints and the decoder's rules.

use std::io::{self, Write};

use anstyle::Style;
use tagwise_codec::Rule;
use tagwise_pkix::lint::{self, Scope, Severity};
use tagwise_pkix::profile;
use tagwise_show::render::json;
use tagwise_show::tree::{Record, Value};

use super::select::Selection;

/// A possible finding.
#[derive(Clone, Debug)]
pub(super) struct CatalogueRow {
    pub(super) id: String,
    pub(super) clause: &'static str,
    pub(super) severity: Severity,
    pub(super) scope: &'static str,
    pub(super) title: &'static str,
    pub(super) about: String,
}

/// Returns the identifier of a decoder finding, from the name of a rule or an error code.
pub(super) fn decoder_id(name: &str) -> String {
    format!("decoder.{name}")
}

/// Iterates over every lint, then every decoding rule that certificates and CRLs can violate.
pub(super) fn entries() -> impl Iterator<Item = CatalogueRow> {
    let lints = lint::ALL.iter().map(|lint| CatalogueRow {
        id: lint.id.to_owned(),
        clause: lint.clause,
        severity: lint.severity,
        scope: match lint.scope {
            Scope::Certificate => "certificates",
            Scope::Crl => "CRLs",
            Scope::Both => "certificates and CRLs",
        },
        title: lint.title,
        about: lint.about.to_owned(),
    });
    let rules = Rule::ALL.iter().filter(|rule| !rule.name.starts_with("pem-")).chain(profile::ALL).map(of_rule);
    lints.chain(rules)
}

fn of_rule(rule: &'static Rule) -> CatalogueRow {
    CatalogueRow {
        id: decoder_id(rule.name),
        clause: rule.clause,
        severity: Severity::Error,
        scope: "certificates and CRLs",
        title: rule.summary,
        about: format!(
            "A rule of the decoder, which rejects violations. `tagwise show --allow {}` tolerates them.",
            rule.name
        ),
    }
}

/// Returns the entry with the given identifier.
pub(super) fn by_id(id: &str) -> Option<CatalogueRow> {
    entries().find(|entry| entry.id == id)
}

impl CatalogueRow {
    fn record(&self) -> Value<'static> {
        Record::default()
            .with("id", Value::text(&self.id))
            .with("clause", Value::word(self.clause))
            .with("severity", Value::word(self.severity.name()))
            .with("scope", Value::word(self.scope))
            .with("title", Value::word(self.title))
            .with("about", Value::text(&self.about))
            .into()
    }
}

/// Lists the selected entries.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn list(out: &mut dyn Write, selection: &Selection, as_json: bool, color: bool) -> io::Result<()> {
    let chosen = entries().filter(|entry| selection.has(&entry.id, entry.severity));
    if as_json {
        return document(out, chosen);
    }
    let bold = if color { Style::new().bold() } else { Style::new() };
    let dim = if color { Style::new().dimmed() } else { Style::new() };
    let mut clause = "";
    for entry in chosen {
        if entry.clause != clause {
            if !clause.is_empty() {
                writeln!(out)?;
            }
            clause = entry.clause;
            writeln!(out, "{dim}{clause}{dim:#}")?;
        }
        writeln!(out, "  {:<9}{bold}{}{bold:#}", entry.severity, entry.id)?;
        writeln!(out, "           {}", entry.title)?;
    }
    out.flush()
}

/// Explains one entry.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn explain(out: &mut dyn Write, entry: &CatalogueRow, as_json: bool, color: bool) -> io::Result<()> {
    if as_json {
        return document(out, std::iter::once(entry.clone()));
    }
    let bold = if color { Style::new().bold() } else { Style::new() };
    writeln!(out, "{bold}{}{bold:#}", entry.id)?;
    writeln!(out, "  {}", entry.title)?;
    writeln!(out, "  {}, of {}, by {}", entry.severity, entry.scope, entry.clause)?;
    writeln!(out, "\n{}", entry.about)?;
    out.flush()
}

fn document(out: &mut dyn Write, entries: impl Iterator<Item = CatalogueRow>) -> io::Result<()> {
    let document = Record::default()
        .with("schema", Value::word("tagwise.lints/1"))
        .with("lints", Value::List(entries.map(|entry| entry.record()).collect()));
    json::write(out, &Value::Record(document))
}

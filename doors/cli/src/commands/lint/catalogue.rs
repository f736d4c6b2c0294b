//! The catalogue of possible findings, as text and JSON.

use std::io::{self, Write};

use anstyle::Style;
use tagwise_show::lint::{CatalogueRow, Selection, entries};
use tagwise_show::render::json;
use tagwise_show::tree::{Record, Value};

fn record(entry: &CatalogueRow) -> Value<'static> {
    Record::default()
        .with("id", Value::text(&entry.id))
        .with("clause", Value::word(entry.clause))
        .with("severity", Value::word(entry.severity.name()))
        .with("scope", Value::word(entry.scope))
        .with("title", Value::word(entry.title))
        .with("about", Value::text(&entry.about))
        .into()
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
        .with("lints", Value::List(entries.map(|entry| record(&entry)).collect()));
    json::write(out, &Value::Record(document))
}

//! Errors of modules, as text or as JSON.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use tagwise_schema::{Compilation, Departure, Severity, compile_with};

use crate::shared::modules::{options, sources};
use crate::shared::output::finish;

/// Compiles modules and says what is wrong with them; the exit code.
///
/// # Errors
/// Those of the writers.
pub(crate) fn check(
    files: &[PathBuf],
    json: bool,
    color: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let done = sources(files).and_then(|sources| {
        let compilation = compile_with(sources, &options());
        if json {
            report(&compilation, out)?;
        } else {
            render(&compilation, color, out)?;
        }
        Ok(u8::from(compilation.model().is_none()))
    });
    finish(done, err)
}

/// All diagnostics with their lines, and how many there are.
pub(crate) fn render(compilation: &Compilation, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics = compilation.diagnostics();
    for diagnostic in diagnostics.list() {
        let style = match diagnostic.severity {
            Severity::Error => AnsiColor::Red.on_default().bold(),
            Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        };
        let style = if color { style } else { Style::new() };
        let text = diagnostic.render(compilation.sources());
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        writeln!(out, "{style}{first}{style:#}")?;
        if !rest.is_empty() {
            writeln!(out, "{rest}")?;
        }
    }
    let more = (diagnostics.errors() + diagnostics.warnings()).saturating_sub(diagnostics.list().len());
    if more > 0 {
        writeln!(out, "{more} more are not shown")?;
    }
    let errors = diagnostics.list().iter().filter(|one| one.severity == Severity::Error);
    let departures: BTreeSet<&str> = errors.filter_map(|one| one.departure).map(Departure::name).collect();
    if !departures.is_empty() {
        let names: Vec<&str> = departures.into_iter().collect();
        writeln!(out, "help: --allow-schema {} makes warnings of departures that have a name", names.join(","))?;
    }
    writeln!(out, "{}", summary(compilation))
}

/// Number of modules, errors and warnings.
fn summary(compilation: &Compilation) -> String {
    let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let diagnostics = compilation.diagnostics();
    let warnings = count(diagnostics.warnings(), "warning");
    match compilation.model() {
        Some(model) => {
            let modules = count(model.modules.len(), "module");
            let assignments = model.modules.iter().map(|module| module.assignments.len()).sum();
            format!("{modules} with {}: no error, {warnings}", count(assignments, "assignment"))
        }
        None => format!("{}, {warnings}", count(diagnostics.errors(), "error")),
    }
}

/// All diagnostics as one JSON object.
fn report(compilation: &Compilation, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics = compilation.diagnostics();
    writeln!(out, "{{")?;
    writeln!(out, "  \"schema\": \"tagwise.compile/1\",")?;
    writeln!(out, "  \"accepted\": {},", compilation.model().is_some())?;
    writeln!(out, "  \"errors\": {},", diagnostics.errors())?;
    writeln!(out, "  \"warnings\": {},", diagnostics.warnings())?;
    write!(out, "  \"diagnostics\": [")?;
    for (index, diagnostic) in diagnostics.list().iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}\n    {}", diagnostic.json(compilation.sources()))?;
    }
    writeln!(out, "{}]\n}}", if diagnostics.list().is_empty() { "" } else { "\n  " })
}

//! Errors in ASN.1 modules, as text or JSON.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use tagwise_pkix::name::visible;
use tagwise_schema::{Compilation, Departure, Options, Severity, compile_with};
use tagwise_tables::Schema;

use crate::shared::context::Context;
use crate::shared::modules::sources;
use crate::shared::output::finish;

/// Compiles modules and reports their errors. Returns the exit code.
///
/// # Errors
/// Returns an error if writing fails.
pub(crate) fn check(
    files: &[PathBuf],
    options: &Options,
    json: bool,
    context: &Context,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let done = sources(context, files).and_then(|sources| {
        let compilation = compile_with(sources, options);
        let unchecked = unchecked(&compilation);
        if json {
            report(&compilation, &unchecked, out)?;
        } else {
            render(&compilation, context.color, out)?;
        }
        for one in &unchecked {
            writeln!(err, "tagwise: {}:{}: note: not checked: {}", visible(&one.file), one.line, visible(&one.what))?;
        }
        Ok(u8::from(compilation.diagnostics().errors() > 0))
    });
    finish(done, err)
}

/// A constraint that decoding and encoding do not enforce.
#[derive(Serialize)]
struct Unchecked {
    file: String,
    line: usize,
    what: String,
}

/// Returns the constraints that are not enforced, if the modules have no errors.
fn unchecked(compilation: &Compilation) -> Vec<Unchecked> {
    let schema = compilation.model().and_then(|model| Schema::from_model(model).ok());
    let found = schema.iter().flat_map(Schema::unchecked).map(|one| {
        let source = compilation.sources().get(one.span.file as usize);
        Unchecked {
            file: source.map(|source| source.name().to_owned()).unwrap_or_default(),
            line: source.map_or(0, |source| source.position(one.span.start as usize).0),
            what: one.to_string(),
        }
    });
    found.collect()
}

/// Writes all diagnostics with their source lines, and the total number.
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
        writeln!(out, "{more} more not shown")?;
    }
    let errors = diagnostics.list().iter().filter(|one| one.severity == Severity::Error);
    let departures: BTreeSet<&str> = errors.filter_map(|one| one.departure).map(Departure::name).collect();
    if !departures.is_empty() {
        let names: Vec<&str> = departures.into_iter().collect();
        writeln!(out, "help: --allow-schema {} turns named departures into warnings", names.join(","))?;
    }
    for line in compilation.omissions() {
        writeln!(out, "{}", visible(&line))?;
    }
    writeln!(out, "{}", compilation.summary())
}

/// Writes all diagnostics as one JSON object.
fn report(compilation: &Compilation, unchecked: &[Unchecked], out: &mut dyn Write) -> io::Result<()> {
    let diagnostics = compilation.diagnostics();
    writeln!(out, "{{")?;
    writeln!(out, "  \"schema\": \"tagwise.compile/2\",")?;
    writeln!(out, "  \"accepted\": {},", diagnostics.errors() == 0)?;
    writeln!(out, "  \"errors\": {},", diagnostics.errors())?;
    writeln!(out, "  \"warnings\": {},", diagnostics.warnings())?;
    write!(out, "  \"diagnostics\": [")?;
    for (index, diagnostic) in diagnostics.list().iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}\n    {}", diagnostic.json(compilation.sources()))?;
    }
    write!(out, "{}]", if diagnostics.list().is_empty() { "" } else { "\n  " })?;
    if !compilation.omitted().is_empty() {
        write!(out, ",\n  \"omitted\": [")?;
        for (index, one) in compilation.omitted().iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let line = serde_json::json!({ "module": one.module, "name": one.name, "reason": one.reason });
            write!(out, "{comma}\n    {line}")?;
        }
        write!(out, "\n  ]")?;
    }
    if !unchecked.is_empty() {
        write!(out, ",\n  \"unchecked\": {}", serde_json::to_string(unchecked)?)?;
    }
    writeln!(out, "\n}}")
}

//! Differences as text and as JSON (schema `tagwise.diff/1`).

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use tagwise_pkix::name::visible;
use tagwise_show::render::json;
use tagwise_show::tree::{Record, Value};

use super::precert::Match;
use super::walk::{ChangeKind, Difference, Shown};
use super::{Outcome, Side};

/// Writes the differences as text: each path, followed by the values on both sides.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn text(out: &mut dyn Write, outcome: &Outcome<'_>, color: bool) -> io::Result<()> {
    let style = |style: Style| if color { style } else { Style::new() };
    let (gone, come) = (style(AnsiColor::Red.on_default()), style(AnsiColor::Green.on_default()));
    let bold = style(Style::new().bold());
    let [one, other] = outcome.sides;
    if !outcome.differences.is_empty() {
        writeln!(out, "{gone}--- {}{gone:#}", one.place())?;
        writeln!(out, "{come}+++ {}{come:#}", other.place())?;
    }
    for difference in &outcome.differences {
        let note = if difference.kind == ChangeKind::Order { "  (in another order)" } else { "" };
        writeln!(out, "{bold}{}{bold:#}{note}", visible(&difference.path))?;
        for (sign, tone, shown) in [('-', gone, &difference.one), ('+', come, &difference.other)] {
            for line in shown.iter().flat_map(|shown| &shown.lines) {
                writeln!(out, "  {tone}{sign} {}{tone:#}", visible(line))?;
            }
        }
    }
    if let Some(found) = &outcome.precert {
        precert(out, outcome, found)?;
    }
    Ok(())
}

fn precert(out: &mut dyn Write, outcome: &Outcome<'_>, found: &Match) -> io::Result<()> {
    let [one, other] = outcome.sides;
    let pre = if found.precertificate == 0 { one } else { other };
    writeln!(out, "precertificate: {}", pre.place())?;
    for timestamp in &found.timestamps {
        writeln!(
            out,
            "timestamp: v{} {} {} of log {}",
            timestamp.version, timestamp.time, timestamp.algorithm, timestamp.log_id
        )?;
    }
    for note in &found.notes {
        writeln!(out, "note: {note}")?;
    }
    writeln!(out, "{}", verdict(found))
}

const fn verdict(found: &Match) -> &'static str {
    match (found.same, found.other_issuer) {
        (true, false) => "the to-be-signed parts are equal, apart from the poison extension and the SCT list",
        (true, true) => {
            "the signed parts are equal, apart from poison, timestamps, issuer and authority key identifier, as for a precertificate issued by a precertificate signing certificate"
        }
        (false, _) => "the signed parts differ",
    }
}

impl Side {
    fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}, line {line}", self.name),
            None if self.offset > 0 => format!("{}, byte {}", self.name, self.offset),
            None => self.name.clone(),
        }
    }

    fn record(&self) -> Value<'_> {
        Record::default()
            .with("path", self.path.as_ref().map_or(Value::Null, Value::text))
            .with("line", self.line.map_or(Value::Null, Value::number))
            .with("offset", Value::number(self.offset))
            .with("size", Value::number(self.der.len()))
            .into()
    }
}

/// Writes the differences as a JSON document.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn json(out: &mut dyn Write, outcome: &Outcome<'_>) -> io::Result<()> {
    let [one, other] = outcome.sides;
    // Nothing without a kind is compared.
    let kind = one.kind.kind().map_or("other", tagwise_input::ValueKind::name);
    let same = outcome.same();
    let document = Record::default()
        .with("schema", Value::word("tagwise.diff/1"))
        .with("tool", Value::word(concat!("tagwise ", env!("CARGO_PKG_VERSION"))))
        .with("kind", Value::word(kind))
        .with("a", one.record())
        .with("b", other.record())
        .with("same", Value::Bool(same))
        .with("differences", Value::List(outcome.differences.iter().map(difference).collect()))
        .with_some("precert", outcome.precert.as_ref().map(|found| of_precert(found)))
        .with("exit_code", Value::Number(u64::from(!same)));
    json::write(out, &Value::Record(document))
}

fn difference(difference: &Difference) -> Value<'_> {
    let side = |shown: &Option<Shown>| match shown {
        None => Value::Null,
        Some(shown) => Record::default()
            .with("text", Value::text(shown.lines.join("\n")))
            .with("offset", shown.offset.map_or(Value::Null, Value::number))
            .into(),
    };
    Record::default()
        .with("path", Value::text(&difference.path))
        .with("kind", Value::word(difference.kind.name()))
        .with("a", side(&difference.one))
        .with("b", side(&difference.other))
        .into()
}

fn of_precert(found: &Match) -> Value<'_> {
    let timestamps = found.timestamps.iter().map(|timestamp| {
        Record::default()
            .with("version", Value::Number(timestamp.version))
            .with("log_id", Value::text(&timestamp.log_id))
            .with("time", Value::text(&timestamp.time))
            .with("algorithm", Value::text(&timestamp.algorithm))
            .into()
    });
    Record::default()
        .with("precertificate", Value::word(if found.precertificate == 0 { "a" } else { "b" }))
        .with("tbs_matches", Value::Bool(found.same))
        .with("other_issuer", Value::Bool(found.other_issuer))
        .with("notes", Value::List(found.notes.iter().map(Value::text).collect()))
        .with("timestamps", Value::List(timestamps.collect()))
        .into()
}

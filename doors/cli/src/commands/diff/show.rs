//! Differences as text and as JSON.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use tagwise_pkix::name::visible;
use tagwise_show::diff::{ChangeKind, Match, Place};
use tagwise_show::render::json;

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
    if !outcome.found.differences.is_empty() {
        writeln!(out, "{gone}--- {}{gone:#}", one.place())?;
        writeln!(out, "{come}+++ {}{come:#}", other.place())?;
    }
    for difference in &outcome.found.differences {
        let note = if difference.kind == ChangeKind::Order { "  (in another order)" } else { "" };
        writeln!(out, "{bold}{}{bold:#}{note}", visible(&difference.path))?;
        for (sign, tone, shown) in [('-', gone, &difference.one), ('+', come, &difference.other)] {
            for line in shown.iter().flat_map(|shown| &shown.lines) {
                writeln!(out, "  {tone}{sign} {}{tone:#}", visible(line))?;
            }
        }
    }
    if let Some(found) = &outcome.found.precert {
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
        (true, _) => "the to-be-signed parts are equal, apart from the poison extension and the SCT list",
        (false, true) => {
            "not known: the issuers differ, and these files do not show whether the precertificate's issuer is a precertificate signing certificate of the same CA (RFC 6962 §3.1); the other signed parts are equal"
        }
        (false, false) => "the signed parts differ",
    }
}

impl Side {
    fn place(&self) -> String {
        match self.item.line {
            Some(line) => format!("{}, line {line}", self.name),
            None if self.item.offset > 0 => format!("{}, byte {}", self.name, self.item.offset),
            None => self.name.clone(),
        }
    }
}

/// Writes the differences as a JSON document.
///
/// # Errors
/// Returns an error if writing fails.
pub(super) fn json(out: &mut dyn Write, outcome: &Outcome<'_>) -> io::Result<()> {
    let place = |side: &Side| Place {
        path: side.path.clone(),
        line: side.item.line,
        offset: side.item.offset,
        size: side.item.der.len(),
    };
    let [one, other] = outcome.sides.map(place);
    json::write(out, &outcome.found.document([&one, &other]))
}

//! Values as text, in the formats of the `tagwise` command and of OpenSSL.

use std::fmt;

use tagwise::codec::{RuleSet, Typed as _, UnixTime};
use tagwise::input::{Content, InputItem, ValueKind};
use tagwise::show::named::{self, Named};
use tagwise::show::render::text::Text;
use tagwise::show::tree::{Record, Value};
use tagwise::show::{Lens, Scene, render, report, verify};

use crate::error::Problem;
use crate::held::{Family, Held};

/// Runs a function that writes text, and returns the text.
pub(crate) fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> Result<String, Problem> {
    let mut text = String::new();
    write(&mut text)?;
    Ok(text)
}

/// Formats a value as text, as printed by `tagwise show`, without the heading. Validity is shown relative to the given time.
pub(crate) fn text<F: Family>(held: &Held<F>, time: i64) -> Result<Vec<u8>, Problem> {
    shown(held, time, |record, out| Text::new(out, false, false).fields(&record.fields, 0))
}

/// Formats a value as JSON, as printed by `tagwise show --json`. Validity is shown relative to the given time.
pub(crate) fn json<F: Family>(held: &Held<F>, time: i64) -> Result<Vec<u8>, Problem> {
    shown(held, time, |record, out| render::json::line(out, &Value::Record(record)))
}

/// Returns the lines of a field with a customary name; nothing if the value does not have the field.
pub(crate) fn named<F: Family>(held: &Held<F>, name: &str) -> Result<Vec<u8>, Problem> {
    let field = named::field(name);
    let field = field.ok_or_else(|| Problem::unknown("field", name, named::FIELDS.iter().map(|field| field.name())))?;
    let kind = ValueKind::of_type(F::Of::ty()).ok_or_else(|| Problem::internal("a type that is read has no kind"))?;
    let rules = held.deviations().iter().fold(RuleSet::NONE, |rules, deviation| rules.with(deviation.rule));
    let value = Named::read(kind, held.der(), rules)?;
    let value = value.ok_or_else(|| Problem::internal("a type that is read has no fields with names"))?;
    Ok(field.texts(&value)?.join("\n").into_bytes())
}

fn shown<F: Family>(
    held: &Held<F>,
    time: i64,
    write: impl FnOnce(Record<'_>, &mut Vec<u8>) -> std::io::Result<()>,
) -> Result<Vec<u8>, Problem> {
    // What was tolerated when the value was read is tolerated here.
    let rules = held.deviations().iter().fold(RuleSet::NONE, |rules, deviation| rules.with(deviation.rule));
    let kind = ValueKind::of_type(F::Of::ty()).ok_or_else(|| Problem::internal("a type that is read has no kind"))?;
    let item = InputItem {
        content: Content::Kind(kind),
        der: held.der().into(),
        label: None,
        line: None,
        offset: 0,
        entry: None,
        problem: None,
        foreign: None,
        notes: Vec::new(),
        ber: false,
    };
    let scene = Scene {
        lens: Lens::new(rules),
        now: UnixTime(time),
        entries: None,
        depth: 0,
        proof: None,
        verify: Some(verify),
    };
    let mut out = Vec::new();
    write(report(&item, (1, 1), "", rules, &scene).record, &mut out)
        .map_err(|error| Problem::internal(&error.to_string()))?;
    Ok(out)
}

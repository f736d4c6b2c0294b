//! Output of trees as text or JSON.

use std::io::Write;

use serde::Serialize;
use tagwise_show::render::json;
use tagwise_show::render::text::Text;
use tagwise_show::tree::{Line, Value};

use crate::shared::output::Failure;

/// Writes a value as text under a heading.
pub(super) fn text(
    out: &mut dyn Write,
    color: bool,
    heading: &Line,
    first: bool,
    value: &Value<'_>,
) -> Result<(), Failure> {
    let mut text = Text::new(out, color, false);
    text.heading(heading, first)?;
    match value {
        Value::Record(record) if record.title.is_empty() => text.fields(&record.fields, 2)?,
        value => text.block(value, 2)?,
    }
    Ok(())
}

/// Writes a JSON document.
pub(super) fn document(out: &mut dyn Write, document: &impl Serialize) -> Result<(), Failure> {
    Ok(json::write(out, document)?)
}

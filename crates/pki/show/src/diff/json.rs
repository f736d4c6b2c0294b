//! The JSON document of a comparison: schema `tagwise.diff/1`.

use super::walk::{Difference, Shown};
use super::{Comparison, Match};
use crate::tree::{Record, Value};

/// The place of a compared value.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The path of the file, if it has one.
    pub path: Option<String>,
    /// The line in the file, if it is text.
    pub line: Option<usize>,
    /// The offset of the DER in the file.
    pub offset: usize,
    /// The size of the DER.
    pub size: usize,
}

impl Place {
    fn record(&self) -> Value<'_> {
        Record::default()
            .with("path", self.path.as_ref().map_or(Value::Null, Value::text))
            .with("line", self.line.map_or(Value::Null, Value::number))
            .with("offset", Value::number(self.offset))
            .with("size", Value::number(self.size))
            .into()
    }
}

impl Comparison {
    /// Returns the JSON document, with the places of both values.
    #[must_use]
    pub fn document<'a>(&'a self, places: [&'a Place; 2]) -> Value<'a> {
        let [one, other] = places;
        Record::default()
            .with("schema", Value::word("tagwise.diff/1"))
            .with("tool", Value::word(concat!("tagwise ", env!("CARGO_PKG_VERSION"))))
            .with("kind", Value::word(self.kind.name()))
            .with("a", one.record())
            .with("b", other.record())
            .with("same", Value::Bool(self.same()))
            .with("differences", Value::List(self.differences.iter().map(difference).collect()))
            .with_some("precert", self.precert.as_ref().map(of_precert))
            .with_some("others_differ", self.others_differ.then_some(Value::Bool(true)))
            .with("exit_code", Value::Number(u64::from(self.code())))
            .into()
    }
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

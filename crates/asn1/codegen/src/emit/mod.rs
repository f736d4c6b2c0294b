//! Emitters, one directory per output.

pub mod c;
pub mod doc;
pub mod per;
pub mod python;
pub mod rust;

use std::collections::HashMap;
use std::fmt::{self, Debug, Write};

use tagwise_schema::model::Model;

use self::rust::text::quoted;
use crate::lower::named::Named;

/// Returns the lines of text for each named type: its definition in the modules, and the overlay's documentation.
fn texts(model: &Model, named: &[Named<'_>]) -> Vec<Vec<String>> {
    let mut spans = HashMap::new();
    for module in &model.modules {
        for one in &module.assignments {
            spans.entry((module.name.as_str(), one.name.as_str())).or_insert(one.span);
        }
    }
    let text = |one: &Named<'_>| {
        let span = spans.get(&(one.name.module.as_str(), one.name.name.as_str()));
        let mut lines = span.map(|span| quoted(model, *span)).unwrap_or_default();
        lines.extend(one.doc());
        lines
    };
    named.iter().map(text).collect()
}

/// The error for output that would exceed the schema's [allowance](tagwise_schema::model::Model::allowance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The exceeded allowance, in bytes.
    pub allowance: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let allowance = self.allowance;
        write!(f, "the files would have more than {allowance} bytes: the schema expands to far more than its own size")
    }
}

impl std::error::Error for TooLarge {}

/// The remaining allowance for output.
struct Meter {
    allowance: u64,
    left: u64,
}

impl Meter {
    const fn new(allowance: u64) -> Self {
        Self { allowance, left: allowance }
    }

    /// Counts bytes of text.
    fn spend_bytes(&mut self, bytes: usize) -> Result<(), TooLarge> {
        let left = self.left.checked_sub(bytes as u64).ok_or(TooLarge { allowance: self.allowance })?;
        self.left = left;
        Ok(())
    }

    /// Counts a value's debug form, which is somewhat longer than the output that will be written for it.
    fn spend(&mut self, written: &impl Debug) -> Result<(), TooLarge> {
        // The counting writer fails once the allowance is used up.
        write!(self, "{written:?}").map_err(|fmt::Error| TooLarge { allowance: self.allowance })
    }
}

impl Write for Meter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.left = self.left.checked_sub(text.len() as u64).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// A generated file, as a name and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The file's name, without a directory.
    pub name: String,
    /// The file's text.
    pub text: String,
}

//! Writing a plan down, one folder a form.

pub mod c;
pub mod doc;
mod names;
pub mod python;
pub mod rust;

use std::collections::HashMap;
use std::fmt::{self, Debug, Write};

use tagwise_codec::value::Dynamic;
use tagwise_tables::{Name, Schema};

/// Files that would be larger than the [allowance](tagwise_schema::model::Model::allowance) of the schema they are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The allowance, in bytes.
    pub allowance: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let allowance = self.allowance;
        write!(f, "the files would have more than {allowance} bytes: the schema stands for far more than it says")
    }
}

impl std::error::Error for TooLarge {}

/// The types of a schema that have names, each with the name that it has in a file for all modules, where names are of one module only.
fn types(schema: &Schema) -> Vec<(&Name, String, Dynamic<'_>)> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for name in schema.names() {
        *count.entry(&name.name).or_default() += 1;
    }
    let named = schema.names().iter().filter_map(|name| {
        let several = count.get(name.name.as_str()).is_some_and(|count| *count > 1);
        let own = if several { format!("{}_{}", name.module, name.name) } else { name.name.clone() };
        Some((name, own, schema.named(name)?))
    });
    named.collect()
}

/// The allowance left for output.
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

    /// Counts what is about to be written. Its form as data is somewhat longer than what becomes of it.
    fn spend(&mut self, written: &impl Debug) -> Result<(), TooLarge> {
        // What counts stops by an error once nothing is left.
        write!(self, "{written:?}").map_err(|fmt::Error| TooLarge { allowance: self.allowance })
    }
}

impl Write for Meter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.left = self.left.checked_sub(text.len() as u64).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// A file that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

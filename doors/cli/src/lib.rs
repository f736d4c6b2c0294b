//! The `tagwise` command. The library is internal to Tagwise: its API may change in any release.
//!
//! `commands` contains a file for each command, and `shared` the code that several commands use. Nothing here parses ASN.1 or detects the
//! kind of an input: the libraries `tagwise-input` and `tagwise-show` do both, and their errors are printed unchanged.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod conflicts;
mod shared;

/// The interface between the command and the engine of `tagwise query`.
#[cfg(feature = "columns")]
pub mod query {
    pub use tagwise_columns::Kind;

    pub use crate::commands::query::engine::{Engine, Form, Query};
    pub use crate::commands::query::files::Files;
    pub use crate::shared::columns::part::{Format as PartFormat, Part};
}

#[cfg(feature = "columns")]
pub use args::main_with;
pub use args::{command, main};
pub use commands::dump::Dump;
pub use commands::query::Plot;
pub use commands::scan::{Filter, FilterError, csv_cell};
pub use shared::html::{escaped, html_page};
pub use shared::outcome::Outcome;
pub use shared::output::{Failure, deliver};

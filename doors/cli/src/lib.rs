//! The `tagwise` command. The library is internal to Tagwise: its API may change in any release.
//!
//! `commands` contains a file for each command, and `shared` the code that several commands use. Nothing here parses ASN.1 or detects the
//! kind of an input: the libraries `tagwise-input` and `tagwise-show` do both, and their errors are printed unchanged.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod conflicts;
mod shared;

pub use args::{command, main};
pub use commands::dump::Dump;
pub use commands::scan::{Filter, FilterError};
pub use shared::outcome::Outcome;

//! The `tagwise` command. The library is internal to Tagwise: its API may change in any release.
//!
//! `commands` has a file for each verb, `shared` the plumbing that several use. Nothing here parses ASN.1 or detects the kind of an
//! input: that is done by the libraries `tagwise-input` and `tagwise-show`, whose errors are printed as they are.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod shared;

pub use args::{command, main};
pub use commands::dump::Dump;
pub use commands::scan::{Filter, FilterError};
pub use commands::show::Show;
pub use shared::outcome::Outcome;

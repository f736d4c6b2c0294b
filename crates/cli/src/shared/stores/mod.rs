//! Common parts of `scan`, `tree` and `check`: files and folders read in parallel, and facts about each certificate.

mod complain;
pub(crate) mod facts;
mod progress;
pub(crate) mod sources;

pub(crate) use complain::{complain, nothing, place};
pub(crate) use facts::Facts;
pub(crate) use sources::{ReadFile, SourceArgs, place_text};

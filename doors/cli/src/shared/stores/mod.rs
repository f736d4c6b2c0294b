//! Common parts of `scan`, `tree` and `check`: reading files and folders in parallel, and facts about each certificate.

mod complain;
pub(crate) mod facts;
mod progress;
mod skipped;
pub(crate) mod sources;

pub(crate) use complain::{Said, complain, examine, place};
pub(crate) use facts::Facts;
pub(crate) use skipped::Skipped;
pub(crate) use sources::{ReadFile, SourceArgs};

pub(crate) use crate::shared::parts_read::place_text;

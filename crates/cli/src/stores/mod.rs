//! What `scan`, `tree` and `check` share: files and folders read in parallel, and what is said of each certificate.

pub(crate) mod facts;
mod progress;
pub(crate) mod sources;

pub(crate) use facts::Facts;
pub(crate) use sources::{ReadFile, SourceArgs, place_text};

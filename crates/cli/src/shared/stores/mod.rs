//! What `scan`, `tree` and `check` share: files and folders read in parallel, and what is said of each certificate.

mod complain;
pub(crate) mod facts;
mod progress;
pub(crate) mod sources;

pub(crate) use complain::{complain, nothing, place};
pub(crate) use facts::Facts;
pub(crate) use sources::{ReadFile, SourceArgs, place_text};

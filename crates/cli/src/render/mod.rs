//! Trees as text for people and as JSON for programs.

pub(crate) mod json;
pub(crate) mod text;

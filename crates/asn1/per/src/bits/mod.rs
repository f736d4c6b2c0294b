//! Bit fields.

pub(crate) mod reader;
pub(crate) mod writer;

//! Table-driven engines.

pub(crate) mod canonical;
pub(crate) mod components;
mod explain;
mod lenient;
mod limit;
pub(crate) mod locate;
mod print;
pub(crate) mod secrets;
pub(crate) mod selector;
pub mod value;

pub(crate) use components::{Expect, Tables};

#[cfg(test)]
mod tests;

//! What the tables drive.

pub(crate) mod canonical;
pub(crate) mod components;
mod lenient;
pub(crate) mod locate;
pub(crate) mod secrets;

pub(crate) use components::{Expect, Tables};

#[cfg(test)]
mod tests;

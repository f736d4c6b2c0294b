//! Table-driven engines: conversion, error location, printing, and dynamic values.

#[cfg(feature = "ber")]
pub(crate) mod canonical;
pub(crate) mod components;
mod contained;
pub(crate) mod decimal;
pub(crate) mod dotted;
#[cfg(feature = "dynamic")]
mod explain;
mod lenient;
mod limit;
pub(crate) mod locate;
#[cfg(feature = "dynamic")]
mod print;
pub(crate) mod secrets;
pub(crate) mod selector;
mod size;
#[cfg(feature = "dynamic")]
pub mod value;
#[cfg(not(feature = "dynamic"))]
pub mod value {
    //! Conversions between text and numbers or object identifiers. With the feature `dynamic`, also values of types known only
    //! at run time.

    pub use super::decimal::{decimal, from_decimal};
    pub use super::dotted::{from_dotted, from_dotted_relative};
}

#[cfg(feature = "ber")]
pub(crate) use components::Expect;
pub(crate) use components::Tables;

#[cfg(test)]
mod tests;

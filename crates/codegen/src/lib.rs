//! The back of the ASN.1 schema compiler.
//!
//! [`lower`](lower::lower) makes a plan of a resolved [`Model`](tagwise_schema::Model): items with names, what each holds, what
//! is boxed, what borrows; it knows no target language. [`emit`] writes the plan down: Rust with `#[derive(Asn1)]`, or
//! reference pages. An [`overlay`] says what a schema cannot. [`Builder`] goes from files to files.
#![forbid(unsafe_code)]

mod builder;
pub mod emit;
mod files;
pub mod lower;
pub mod names;
pub mod overlay;

pub use builder::{Builder, Change, Error, Output};
pub use files::module_files;

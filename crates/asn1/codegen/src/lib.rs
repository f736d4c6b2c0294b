//! The back end of the ASN.1 schema compiler.
//!
//! [`lower`](lower::lower) converts a resolved [`Model`](tagwise_schema::Model) to a plan that is independent of the
//! target language: named items with their contents, boxing and borrowing. [`emit`] writes the plan as Rust with
//! `#[derive(Asn1)]` or as reference pages. An [`overlay`] adds information that a schema cannot express. [`Builder`]
//! compiles schema files to code or page files.
#![forbid(unsafe_code)]

mod builder;
pub mod emit;
mod files;
pub mod lower;
pub mod names;
pub mod overlay;

pub use builder::{Builder, Change, Error, Output};
pub use files::module_files;

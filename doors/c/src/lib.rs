//! libtagwise: Tagwise for C. `include/tagwise.h` is generated from this crate and explains how to use it.
//!
//! This crate contains no decoder of its own. Every exported function uses `guard!`, which stops panics from crossing into C.
//! Arguments from C have types from `bytes.rs`, or are optional references.
#![allow(unsafe_code, reason = "each exported name is unsafe code to the compiler; each block says why it holds")]
#![deny(clippy::undocumented_unsafe_blocks)]
#![allow(clippy::too_many_arguments, reason = "C has neither optional arguments nor builders that chain")]
#![allow(non_camel_case_types, reason = "types have the names of the header")]
#![allow(improper_ctypes_definitions, reason = "handles are opaque to C: only their addresses cross")]
#![cfg_attr(not(feature = "full"), allow(dead_code, reason = "some helpers serve only functions that are left out"))]

#[macro_use]
mod shield;
#[macro_use]
mod held;
#[macro_use]
mod settings;

mod allocator;
mod ber;
#[cfg(feature = "full")]
mod builder;
mod bytes;
mod certificate;
#[cfg(feature = "full")]
mod cms;
mod crl;
mod cursor;
mod element;
mod error;
mod extension;
#[cfg(feature = "full")]
mod field;
#[cfg(feature = "full")]
mod input;
#[cfg(feature = "full")]
mod key;
#[cfg(feature = "full")]
mod layout;
mod name;
#[cfg(feature = "full")]
mod ocsp;
mod oid;
mod options;
#[cfg(feature = "full")]
mod path;
mod pem;
#[cfg(feature = "full")]
mod pkcs12;
#[cfg(feature = "full")]
mod problems;
mod public_key;
mod request;
#[cfg(feature = "full")]
mod schema;
#[cfg(feature = "full")]
mod show;
mod slices;
mod tag;
mod threads;
#[cfg(feature = "full")]
mod tsp;
#[cfg(feature = "userdb")]
mod userdb;
#[cfg(feature = "userdb")]
mod userdb_group;
#[cfg(feature = "userdb")]
mod userdb_user;
mod writer;
mod writer_values;

pub use allocator::*;
pub use ber::*;
#[cfg(feature = "full")]
pub use builder::*;
pub use bytes::*;
pub use certificate::*;
#[cfg(feature = "full")]
pub use cms::*;
pub use crl::*;
pub use cursor::*;
pub use element::*;
pub use error::*;
pub use extension::*;
#[cfg(feature = "full")]
pub use field::*;
#[cfg(feature = "full")]
pub use input::*;
#[cfg(feature = "full")]
pub use key::*;
#[cfg(feature = "full")]
pub use layout::*;
pub use name::*;
#[cfg(feature = "full")]
pub use ocsp::*;
pub use oid::*;
pub use options::*;
#[cfg(feature = "full")]
pub use path::*;
pub use pem::*;
#[cfg(feature = "full")]
pub use pkcs12::*;
pub use public_key::*;
pub use request::*;
#[cfg(feature = "full")]
pub use schema::*;
pub use slices::*;
#[cfg(feature = "full")]
pub use tsp::*;
#[cfg(feature = "userdb")]
pub use userdb::*;
#[cfg(feature = "userdb")]
pub use userdb_group::*;
#[cfg(feature = "userdb")]
pub use userdb_user::*;
pub use writer::*;

/// The functions that follow a pattern. `./x c header` generates them from `functions.tsv`.
mod r#gen {
    #[cfg(feature = "full")]
    pub(crate) mod full;
    #[cfg(feature = "userdb")]
    pub(crate) mod userdb;
    pub(crate) mod x509;
}
#[cfg(feature = "full")]
pub use r#gen::full::*;
#[cfg(feature = "userdb")]
pub use r#gen::userdb::*;
pub use r#gen::x509::*;

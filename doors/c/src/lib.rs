//! libtagwise: Tagwise for C. `include/tagwise.h` is made from this crate and says how to use it.
//!
//! This crate decodes nothing itself. Every exported function goes through `guard!`, which keeps panics from crossing
//! into C; what C hands over arrives as the types of `bytes.rs` and as references that may be absent.
#![allow(unsafe_code, reason = "each exported name is unsafe code to the compiler; each block says why it holds")]
#![deny(clippy::undocumented_unsafe_blocks)]
#![allow(clippy::too_many_arguments, reason = "C has neither optional arguments nor builders that chain")]
#![allow(non_camel_case_types, reason = "types have the names of the header")]
#![allow(improper_ctypes_definitions, reason = "handles are opaque to C: only their addresses cross")]

#[macro_use]
mod shield;
#[macro_use]
mod held;
#[macro_use]
mod settings;

mod allocator;
mod ber;
mod builder;
mod builder_more;
mod bytes;
mod certificate;
mod cms;
mod crl;
mod cursor;
mod element;
mod error;
mod extension;
mod key;
mod layout;
mod name;
mod ocsp;
mod oid;
mod options;
mod parts;
mod path;
mod pem;
mod pkcs12;
mod problems;
mod request;
mod schema;
mod tag;
mod threads;
mod tsp;
mod userdb;
mod userdb_group;
mod userdb_user;
mod writer;
mod writer_values;

pub use allocator::*;
pub use ber::*;
pub use builder::*;
pub use builder_more::*;
pub use bytes::*;
pub use certificate::*;
pub use cms::*;
pub use crl::*;
pub use cursor::*;
pub use element::*;
pub use error::*;
pub use extension::*;
pub use key::*;
pub use layout::*;
pub use name::*;
pub use ocsp::*;
pub use oid::*;
pub use options::*;
pub use parts::*;
pub use path::*;
pub use pem::*;
pub use pkcs12::*;
pub use request::*;
pub use schema::*;
pub use tsp::*;
pub use userdb::*;
pub use userdb_group::*;
pub use userdb_user::*;
pub use writer::*;
pub use writer_values::*;

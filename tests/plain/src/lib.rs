//! The project's schemas, compiled to Rust as in a user's build script. There is no overlay with handwritten types, so the
//! types include all constraints that one module places on another. Tests compare the result with the tables of the same
//! schemas.
#![forbid(unsafe_code)]
#![allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated")]

include!(concat!(env!("OUT_DIR"), "/mod.rs"));

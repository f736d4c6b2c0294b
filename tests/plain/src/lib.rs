//! The project's schemas as a user's build script makes Rust of them: no overlay says which types are by hand, and so what one
//! module says of another is all in the types. Tests hold it to the tables of the same schemas.
#![forbid(unsafe_code)]
#![allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated")]

include!(concat!(env!("OUT_DIR"), "/mod.rs"));

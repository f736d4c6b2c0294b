//! Certificate stores: finds certificates and their issuers.
//!
//! - [`Contents`] of `tagwise-input` reads certificates from any input.
//! - A [`Record`] is a certificate's compact index: the positions of frequently used fields, and the fingerprint.
//! - A [`Store`] contains many certificates, and finds them by subject, key identifier and fingerprint.
//! - A [`Hierarchy`] shows which certificate issued which, by names and key identifiers: roots, intermediates, depth, and
//!   orphans.
//!
//! This crate does not read files, start threads or verify signatures: callers pass in bytes, and issuers are matched
//! by name and key identifier. Time and memory are linear in the input's size, within [`Limits`].

#![forbid(unsafe_code)]

mod hierarchy;
mod names;
mod record;
mod store;

pub use hierarchy::{Hierarchy, Link, Role};
pub use record::Record;
pub use store::{Store, StoreEntry};
pub use tagwise_input::contents::{Contents, ContentsItem, ContentsKind, ContentsPlace, Failure, Level, Opener, Trust};
pub use tagwise_input::{InputForm, Limits};

//! Certificate stores: reads certificates from files, and finds their issuers.
//!
//! - [`Contents`] reads any input: concatenated DER, PEM, BER PKCS #7 bundles, NSS's certdata.txt, CSV with a
//!   certificate column, and zip or gzip archives of these. Errors are listed with their position, and do not hide
//!   other values.
//! - A [`Record`] is a certificate's compact index: the positions of frequently used fields, and the fingerprint.
//! - A [`Store`] contains many certificates, and finds them by subject, key identifier and fingerprint.
//! - A [`Hierarchy`] shows who issued whom, by names and key identifiers: roots, intermediates, depth, and orphans.
//!
//! This crate does not read files, start threads or verify signatures: callers pass in bytes, and issuers are matched
//! by name and key identifier. Time and memory are linear in the input's size, within [`Limits`].

#![forbid(unsafe_code)]

mod hierarchy;
mod limits;
mod names;
mod read;
mod record;
mod store;

pub use hierarchy::{Hierarchy, Link, Role};
pub use limits::Limits;
pub use read::{Contents, Failure, Form, Item, Kind, Level, Opener, Part, Place, Trust, Unpacked, unpack};
pub use record::Record;
pub use store::{Entry, Store};

//! Stores of certificates: what files hold them, and who issued whom.
//!
//! - [`Contents`] takes any octets apart: DER in a row, PEM, PKCS #7 bundles in BER, NSS's certdata.txt, CSV with a column of
//!   certificates, zip and gzip around any of these. What is wrong is listed with its place, and hides nothing else.
//! - [`Record`] is the compact index of one certificate: positions of what is looked for most, and its fingerprint.
//! - [`Store`] is many of them, looked up by subject, key identifier and fingerprint.
//! - [`Hierarchy`] is who issued whom, by names and key identifiers: roots, intermediates, depth, what has no issuer.
//!
//! Nothing here reads files, starts threads or verifies signatures: octets come from the caller, and an issuer is one whose
//! name and key identifier fit. Time and memory are linear in the size of what is given, within [`Limits`].

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

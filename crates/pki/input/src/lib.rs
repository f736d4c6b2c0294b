//! Reads input in any encoding or container.
//!
//! The format is detected: PEM (any mix of blocks and text), DER or BER (one or more values), CBOR certificates, hexadecimal,
//! base64, tar and zip archives, gzip and zstd, CSV, NSS's certdata.txt, keystores, entries of CT logs and of Merkle Tree Certificate logs, and
//! base64 values in other text. Byte order marks and UTF-16 are handled first. This crate does not read files: callers pass in bytes, and limit their size. [`Limits`] bound
//! what an input may expand to.
//!
//! - [`ValueKind`] is the table of kinds: certificates, CRLs, requests, messages and keys. [`recognise`] returns the likely kind of
//!   an encoding, and [`certain_label`] its label if the structure is unambiguous.
//! - [`find`] returns every value with its kind, position, deviations and errors, for programs that read.
//! - [`contents`] delimits the certificates and CRLs of large inputs without decoding them, for stores.
//! - [`Wrapped`] removes the armor and restores it around other bytes, for programs that modify.
//! - [`stream::Input`] detects the format from the start of a reader, so that binary input of any size can be streamed.
//! - [`row`] splits concatenated values. [`secret`] detects private keys in an input.
//! - [`foreign`] recognizes unsupported formats, and [`keystore`] lists the entries of Java keystores.
//! - [`Problem`] is an error with its position, as text and JSON.
//!
//! Without the features `messages` and `containers`, messages, private keys and containers are named, but not read.
//!
//! ```
//! use tagwise_codec::RuleSet;
//! use tagwise_input::{Content, InputForm, ValueKind, find};
//! assert_eq!(ValueKind::of_label("NEW CERTIFICATE REQUEST"), Some(ValueKind::CertificationRequest));
//! let found = find(b"300a300506032b6570030100", RuleSet::NONE);
//! assert_eq!(found.form, InputForm::Hex);
//! assert_eq!(found.items[0].content, Content::Kind(ValueKind::PublicKey));
//! ```
#![forbid(unsafe_code)]

/// True if containers are opened.
pub(crate) const CONTAINERS: bool = cfg!(feature = "containers");
/// True if requests, messages, private keys and PKCS #12 are read.
pub(crate) const MESSAGES: bool = cfg!(feature = "messages");

mod armour;
mod block;
mod container;
pub mod contents;
mod ct_entry;
mod ct_json;
mod detect;
mod find;
pub mod foreign;
pub mod java_object;
pub mod keystore;
mod kind;
mod limits;
pub mod mail;
mod mtc_entry;
mod problem;
pub mod row;
pub mod secret;
pub mod signed;
pub mod stream;
mod tar_header;

pub use armour::{Armour, ODD_DIGITS, Wrapped, WrappedValue, has_odd_digits, wrap};
pub use contents::{ContainerPart, Contents, Unpacked, unpack};
pub use detect::InputForm;
pub use find::{Content, Found, InputItem, content, find};
pub use kind::*;
pub use limits::Limits;
pub use mail::Mail;
pub use problem::Problem;

//! Reads input in any encoding or container.
//!
//! The format is detected: PEM (any mix of blocks and text), DER or BER (one or more values), CBOR certificates,
//! hexadecimal or base64. Byte order marks and UTF-16 are handled first ([`tagwise_codec::text::recognise`]). This
//! crate does not read files: callers pass in bytes, and limit their size.
//!
//! - [`find`] returns every value with its kind, position, deviations and errors, for commands that read.
//! - [`Wrapped`] removes the armor and restores it around other bytes, for commands that modify.
//! - [`stream::Input`] detects the format from the start of a reader, so that binary input of any size can be streamed.
//! - [`row`] splits concatenated values; [`secret`] tells whether an input contains a private key.
//! - [`Problem`] is an error with its position, as text and JSON.
//!
//! ```
//! use tagwise_codec::RuleSet;
//! use tagwise_kind::Kind;
//! use tagwise_source::{Content, find};
//! let found = find(b"300a300506032b6570030100", RuleSet::NONE);
//! assert_eq!(found.form, "hexadecimal");
//! assert_eq!(found.items[0].content, Content::Kind(Kind::PublicKey));
//! ```
#![forbid(unsafe_code)]

mod armour;
mod block;
mod container;
mod find;
mod mail;
mod problem;
pub mod row;
pub mod secret;
pub mod stream;

pub use armour::{Armour, Value, Wrapped, wrap};
pub use find::{Content, Found, Item, content, find};
pub use mail::Mail;
pub use problem::Problem;

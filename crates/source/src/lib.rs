//! The reader of wrapped input: what a file holds, whatever it is wrapped in.
//!
//! PEM (any mix of blocks, with text between them), DER or BER (one value or several in a row), certificates in CBOR, hexadecimal
//! and base64 text are told apart by looking; byte order marks and UTF-16 are taken off first
//! ([`tagwise_codec::text::recognise`]). Nothing here reads files: bytes come from the caller, who bounds them.
//!
//! - [`find`] gives every value with its kind, place, deviations, and what is wrong with it: for commands that look.
//! - [`Wrapped`] takes the wrapping off and puts it on again around other bytes: for commands that change.
//! - [`stream::Input`] looks at the front of a reader, so that binary input of any size can stream.
//! - [`row`] splits values that stand in a row; [`secret`] says whether an input holds a private key.
//! - [`Problem`] is an error with its place, for people and for JSON.
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

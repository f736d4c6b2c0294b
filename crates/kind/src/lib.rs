//! Kinds of values that files hold: certificates, CRLs, requests, messages, keys.
//!
//! One table ([`Kind::ALL`]) has everything that is known of a kind: its name, its PEM labels, its ASN.1 type, how to make DER of
//! it where its standard has it in BER, whether it is a key, and how its frame looks. [`recognise`] finds the kind of an encoding;
//! [`names`] finds types by name; [`known`] has the types behind object identifiers of attributes and controls; [`secret`] tells
//! what must not be shown; [`foreign`] names formats that are not read, and [`keystore`] takes certificates out of Java's.
//!
//! A new kind is one row in `table.rs` and one fixture.
//!
//! ```
//! use tagwise_kind::{Kind, recognise, Recognised};
//! assert_eq!(Kind::of_label("NEW CERTIFICATE REQUEST"), Some(Kind::CertificationRequest));
//! // SubjectPublicKeyInfo: an algorithm and a BIT STRING.
//! let key = [0x30, 0x0A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x01, 0x00];
//! assert_eq!(recognise(&key), Recognised::Kind(Kind::PublicKey));
//! ```
#![forbid(unsafe_code)]

mod detect;
pub mod foreign;
mod frame;
pub mod keystore;
pub mod known;
mod label;
pub mod names;
pub mod secret;
mod spkac;
mod table;

pub use detect::{Recognised, recognise, security_object};
pub use label::of as certain_label;
pub use spkac::{PublicKeyAndChallenge, SignedPublicKeyAndChallenge};
pub use table::Kind;

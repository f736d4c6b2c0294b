//! Kinds of values in files: certificates, CRLs, requests, messages and keys.
//!
//! The table [`Kind::ALL`] defines each kind: name, PEM labels, ASN.1 type, conversion from BER if allowed, whether it
//! is a key, and its top-level structure. [`recognise`] classifies an encoding, [`names`] finds types by name,
//! [`known`] finds types by the object identifiers of attributes and controls, [`secret`] tells what must not be
//! displayed, [`foreign`] recognizes unsupported formats, and [`keystore`] reads certificates from Java keystores.
//!
//! To add a kind, add a row in `table.rs` and a fixture.
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

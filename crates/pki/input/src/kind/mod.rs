//! Kinds of values in files: certificates, CRLs, requests, messages and keys.
//!
//! The table [`ValueKind::ALL`] defines each kind: its names and PEM labels ([`files`](tagwise_pkix::oids::files)), its ASN.1
//! type, its conversion from BER if allowed, and its top-level structure. To add a kind, add a row to both tables, and a
//! fixture.

mod certain;
mod detect;
mod frame;
pub mod known;
pub mod names;
mod spkac;
mod table;

pub use certain::certain_label;
pub use detect::{Recognised, recognise, security_object};
pub(crate) use detect::{certificate_or_crl, is_log_entry, is_signed_data, kind_of_block};
pub(crate) use frame::Frame;
pub use spkac::{PublicKeyAndChallenge, SignedPublicKeyAndChallenge};
pub use table::ValueKind;

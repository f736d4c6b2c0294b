//! Readable trees of certificates, CRLs, messages and keys.
//!
//! [`report`] builds a tree ([`tree::Value`]) of a value found by [`tagwise_input::find`].
//! [`Text`](render::text::Text) renders it as optionally colored text, and serde as JSON, so that both contain the same
//! information. Keys and passwords are described but never shown. Kinds without their own layout are shown by their
//! ASN.1 type. Without the feature `messages`, only certificates, CRLs and public keys have trees.
//!
//! ```
//! use tagwise_codec::{RuleSet, UnixTime};
//! use tagwise_show::render::text::Text;
//! use tagwise_show::{Lens, Scene, report};
//! let found = tagwise_input::find(b"300a300506032b6570030100", RuleSet::NONE);
//! let scene = Scene { lens: Lens::new(RuleSet::NONE), now: UnixTime(0), entries: None, depth: 0, proof: None, verify: None };
//! let report = report(&found.items[0], (1, 1), "key.hex", RuleSet::NONE, &scene);
//! let mut out = Vec::new();
//! let mut text = Text::new(&mut out, false, false);
//! text.heading(&report.heading, true).unwrap();
//! text.fields(&report.record.fields, 2).unwrap();
//! assert!(String::from_utf8(out).unwrap().starts_with("public key 1 of 1  key.hex, 12 bytes"));
//! ```
#![forbid(unsafe_code)]

/// True if messages, private keys and PKCS #12 have trees.
/// makes unreachable.
pub(crate) const MESSAGES: bool = cfg!(feature = "messages");

pub mod diff;
pub mod fields;
mod lens;
pub mod lint;
mod model;
pub mod named;
pub mod outline;
pub mod render;
mod report;
pub mod tree;

pub use lens::{Depth, Failed, Items, Lens, Read, problem_at, problem_in, read};
#[cfg(feature = "crypto")]
pub use model::verify;
#[cfg(feature = "verify")]
pub use model::verify_with;
pub use model::{
    Proof, Scene, SelfSignature, Verify, oid_line, oid_name, short_name_of, short_name_of_certificate, short_subject,
    summary,
};
pub use report::{Report, report};

/// Returns the set of all encoding rules of the codec and of the profile of RFC 5280, to tolerate as many deviations as possible.
pub(crate) fn every_rule() -> tagwise_codec::RuleSet {
    let all = tagwise_codec::Rule::ALL.iter().chain(tagwise_pkix::profile::ALL);
    all.fold(tagwise_codec::RuleSet::NONE, |rules, rule| rules.with(rule))
}

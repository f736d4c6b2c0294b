//! Certification path building and validation (RFC 5280), within budgets and with a report on every candidate.
//!
//! - [`verify::path`] finds a path from a certificate through a [`Pool`] to one of the [`Anchors`] that satisfies a
//!   [`Policy`].
//! - A [`Profile`] contains the rules and limits for one use of certificates: `rfc5280`, `webpki`, `smime`,
//!   `code-signing`, `time-stamping`. Each [`Rule`] can be switched on or off by name, except for the few that are always
//!   in force.
//! - A [`Budget`] bounds all work. Exceeding it results in [`Outcome::Exhausted`], never in "invalid".
//! - A [`Report`] lists every candidate path with the first rule that rejected it: certificate, field, byte and clause.
//!
//! The crate does not depend on a crypto backend (a [`Verifier`] checks signatures), read the clock or fetch anything.
//! Times and revocation evidence (CRLs and OCSP responses) are passed in as values.
#![forbid(unsafe_code)]

mod anchors;
mod budget;
mod candidates;
mod cert;
mod constraints;
#[cfg(feature = "crypto")]
mod crypto;
#[cfg(test)]
mod faults;
mod names;
mod numbers;
mod path;
mod peer;
mod policy;
mod policy_graph;
mod pool;
mod profile;
mod punycode;
mod refusal;
mod report;
mod revocation;
mod rules;
mod sct;
mod search;
mod signatures;
mod usage;
mod validate;
mod verifier;
pub mod verify;
mod web;

pub use anchors::{Anchor, AnchorConstraints, Anchors};
pub use budget::{Budget, Limit, Spent};
pub use constraints::check_name_constraints;
#[cfg(feature = "crypto")]
pub use crypto::{CryptoVerifier, LegacyVerifier};
pub use names::{ExpectedName, NameError};
pub use path::Path;
pub use policy::{Policy, PolicyInputs, PublicSuffixes, SwitchError};
pub use pool::Pool;
pub use profile::{KeyKind, Profile};
pub use punycode::is_a_label;
pub use refusal::Refusal;
pub use report::{Candidate, Explanation, Outcome, Report};
pub use revocation::{
    Evidence, EvidenceAnswer, EvidenceKind, EvidenceUse, Query, RevocationAnswer, RevocationMode, RevocationPolicy,
    RevocationScope, RevocationSource, SharedSource, Status, TrustedResponder,
};
pub use rules::{Family, Rule, RuleSet};
#[cfg(feature = "log-list")]
pub use sct::LogListError;
pub use sct::{Log, LogEntry, LogList, LogState, SctAnswer, SctOrigin, SctPolicy, precertificate_tbs};
pub use tagwise_codec::OidBuf;
pub use verifier::{SignatureFault, Verifier};

//! The relying party: whom it trusts, and the verification of a certificate (MTC §7).
//!
//! A [`RelyingParty`] holds CAs with their trusted subtrees and revoked ranges, and a [`Policy`] of cosigners and groups. One call,
//! [`RelyingParty::verify`], runs the procedure of §7.2 whole and says what it did. It stands in the place of the signature check of
//! path validation (RFC 5280 §6.1.3 (a)(1)); names, usages and constraints are left to that.

mod check;
mod party;
mod policy;
mod report;
mod text;

pub use check::{Cosigner, SignatureCheck, SignatureFault};
pub use party::{RelyingParty, TrustedAuthority, TrustedSubtree};
pub use policy::{Group, Member, Policy, PolicyFault};
pub use report::{CosignatureReport, CosignatureStatus, GroupReport, Outcome, Refusal, Trust};
pub use text::{ConfigurationError, ConfigurationFault};

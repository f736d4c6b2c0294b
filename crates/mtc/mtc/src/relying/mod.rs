//! Relying parties: trust configuration, and verification of certificates (MTC §7).
//!
//! A [`RelyingParty`] contains CAs with their trusted subtrees and revoked ranges, and a [`Policy`] of cosigners and
//! groups. [`RelyingParty::verify`] performs the complete procedure of §7.2 and reports its steps. It replaces the
//! signature check of path validation (RFC 5280 §6.1.3 (a)(1)), which must still check names, usages and constraints.

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

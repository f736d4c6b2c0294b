//! Verification reports: each step, and the outcome.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::SignatureFault;
use crate::tree::Subtree;
use crate::{Draft, Error, Hash, Serial, TrustAnchorId};

/// The outcome of a verification: the verdict, and the intermediate results up to the point where verification stopped.
#[derive(Clone, Debug)]
#[must_use = "the answer is in `result`"]
pub struct Outcome {
    /// The draft of the certificate's wire format.
    pub draft: Option<Draft>,
    /// The ID of the issuing CA.
    pub issuer: Option<TrustAnchorId>,
    /// The serial number: log and index.
    pub serial: Option<Serial>,
    /// The ID of the log that contains the entry.
    pub log: Option<TrustAnchorId>,
    /// The hash of the certificate's log entry.
    pub entry_hash: Option<Hash>,
    /// The subtree in the certificate's proof.
    pub subtree: Option<Subtree>,
    /// The root computed from the entry and the proof.
    pub root: Option<Hash>,
    /// The cosignatures in order, if they were examined.
    pub cosignatures: Vec<CosignatureReport>,
    /// The evaluated groups of the policy, nested ones first. The last one determines the result.
    pub groups: Vec<GroupReport>,
    /// The verdict: the reason why the certificate is trusted or rejected.
    pub result: Result<Trust, Refusal>,
}

impl Outcome {
    /// Returns whether the certificate was accepted.
    #[must_use]
    pub const fn is_accepted(&self) -> bool {
        self.result.is_ok()
    }

    pub(super) const fn begin() -> Self {
        Self {
            draft: None,
            issuer: None,
            serial: None,
            log: None,
            entry_hash: None,
            subtree: None,
            root: None,
            cosignatures: Vec::new(),
            groups: Vec::new(),
            result: Err(Refusal::UnknownAuthority),
        }
    }
}

/// The reason why a certificate is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The certificate's subtree is trusted (MTC §7.2 step 11).
    TrustedSubtree,
    /// The CA and enough cosigners have signed its subtree (MTC §7.2 step 12).
    Cosignatures,
}

/// The reason why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The certificate is malformed, or does not contain a proof.
    Malformed(Error),
    /// The issuer is not a trusted CA.
    UnknownAuthority,
    /// The CA is trusted, but the certificate uses another draft's identifiers.
    WrongDraft,
    /// The serial number is revoked, or outside the CA's range.
    Revoked,
    /// The serial number contains log number 0.
    NoLog,
    /// The proof is not valid for this entry and subtree.
    Proof,
    /// The subtree is trusted, but with a different hash. Signatures are not considered.
    SubtreeMismatch,
    /// The CA's signature is missing or invalid.
    AuthoritySignature,
    /// Too few cosigners have signed.
    Quorum,
    /// The certificate is not yet valid.
    NotYetValid,
    /// The certificate has expired.
    Expired,
    /// The time is outside the CA certificate's validity period.
    AuthorityValidity,
}

impl Refusal {
    /// Returns the stable code of the reason, such as `not-yet-valid`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed(error) => error.kind().code(),
            Self::UnknownAuthority => "unknown-ca",
            Self::WrongDraft => "wrong-draft",
            Self::Revoked => "revoked",
            Self::NoLog => "no-log",
            Self::Proof => "proof",
            Self::SubtreeMismatch => "subtree-mismatch",
            Self::AuthoritySignature => "ca-signature",
            Self::Quorum => "quorum",
            Self::NotYetValid => "not-yet-valid",
            Self::Expired => "expired",
            Self::AuthorityValidity => "ca-validity",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed(error) => return error.fmt(f),
            Self::UnknownAuthority => "the issuer is not a trusted CA (MTC §7.1)",
            Self::WrongDraft => "the identifiers belong to a different draft than the CA's (MTC §6.2)",
            Self::Revoked => "the serial number is revoked (MTC §7.2 step 4)",
            Self::NoLog => "the serial number names log 0 (MTC §7.2 step 5)",
            Self::Proof => "the inclusion proof does not match the entry and its subtree (MTC §7.2 step 10)",
            Self::SubtreeMismatch => "the subtree is trusted with another hash (MTC §7.2 step 11)",
            Self::AuthoritySignature => "no valid signature of the CA (MTC §7.2 step 12)",
            Self::Quorum => "too few cosigners have signed (MTC §7.2 step 12)",
            Self::NotYetValid => "the certificate is not valid yet (RFC 5280 §4.1.2.5)",
            Self::Expired => "the certificate has expired (RFC 5280 §4.1.2.5)",
            Self::AuthorityValidity => "the CA's certificate is not valid at this time (RFC 5280 §6.1.1 (d))",
        })
    }
}

impl core::error::Error for Refusal {}

/// The result for a certificate's cosignature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosignatureReport {
    /// The cosigner's ID.
    pub cosigner: TrustAnchorId,
    /// The result of checking the cosignature.
    pub status: CosignatureStatus,
}

/// The result of checking a cosignature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CosignatureStatus {
    /// The cosignature is valid.
    Valid,
    /// The cosignature is rejected.
    Invalid(SignatureFault),
    /// The cosigner is unknown, so the signature was not checked (it may be GREASE).
    Unknown,
    /// The cosignature was not checked because the policy was already satisfied, or does not require it.
    NotNeeded,
}

impl fmt::Display for CosignatureStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Valid => f.write_str("valid"),
            Self::Invalid(fault) => fault.fmt(f),
            Self::Unknown => f.write_str("unknown cosigner, ignored"),
            Self::NotNeeded => f.write_str("not needed"),
        }
    }
}

/// The result for a group of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupReport {
    /// The group's name.
    pub name: String,
    /// The group's quorum: the required number of members.
    pub needed: usize,
    /// The number of members whose signatures are valid.
    pub found: usize,
}

impl GroupReport {
    /// Returns whether the quorum is met.
    #[must_use]
    pub const fn is_met(&self) -> bool {
        self.found >= self.needed
    }
}

/// Writes each step on a line, followed by the verdict.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |hash: &Hash| tagwise_codec::text::hex::encode(hash);
        if let (Some(issuer), Some(draft)) = (&self.issuer, &self.draft) {
            writeln!(f, "issuer: {issuer} (draft -{draft})")?;
        }
        if let (Some(serial), Some(log)) = (&self.serial, &self.log) {
            writeln!(f, "entry: {} of log {log}", serial.index())?;
        }
        if let Some(hash) = &self.entry_hash {
            writeln!(f, "entry hash: {}", hex(hash))?;
        }
        if let (Some(subtree), Some(root)) = (&self.subtree, &self.root) {
            writeln!(f, "subtree: {subtree}, hash {}", hex(root))?;
        }
        for one in &self.cosignatures {
            writeln!(f, "cosigner {}: {}", one.cosigner, one.status)?;
        }
        for group in &self.groups {
            writeln!(f, "group {}: {} of {} needed", group.name, group.found, group.needed)?;
        }
        match &self.result {
            Ok(Trust::TrustedSubtree) => f.write_str("accepted: the subtree is trusted"),
            Ok(Trust::Cosignatures) => f.write_str("accepted: the cosignatures satisfy the policy"),
            Err(refusal) => write!(f, "refused: {refusal}"),
        }
    }
}

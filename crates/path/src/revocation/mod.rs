//! Revocation: the requirements of a policy, the evidence as values, and its application.
//!
//! The engine calls [`check`] for each certificate of a candidate path that the policy covers, after all other checks
//! have passed. It passes a [`Query`] with the certificate and its issuer, and a [`Desk`] for the work that needs the
//! engine: signatures within its budget, and the path of a signer that is not the issuer.
//!
//! # Times
//!
//! Certificates are held against [`Policy::time`](crate::Policy::time). Evidence has a time of its own,
//! [`RevocationPolicy::evidence_time`], which is the same unless it is set: thisUpdate and nextUpdate of CRLs, thisUpdate, nextUpdate and
//! producedAt of OCSP responses, and the validity of those who sign either are held against it. So an old signature can be judged
//! with a CRL of today. Every revocation counts, whatever its date, unless [`RevocationPolicy::proven_at`] states a moment by which
//! the use of the certificate is proven. Evidence that is newer than a certificate's notAfter does not say that it was never revoked:
//! issuers may remove expired certificates (RFC 5280 §3.3, RFC 6960 §2.2), unless they say that they do not.
//!
//! # Evidence that revokes
//!
//! A revocation is for good, so that it counts after the nextUpdate of the evidence that states it, unless newer evidence of the same kind
//! takes its place; a hold may have ended by then, and leaves the status open. Requirements on issuers (RFC 5280 §5.2.3) are asked of
//! evidence that says *good* only. Evidence that cannot be used, may be authentic and would revoke makes the status not known, in every
//! mode that looks at evidence. [`Explanation::evidence`](crate::Explanation::evidence) has the account of each piece.

mod account;
mod check;
mod crls;
mod desk;
mod evidence;
mod list;
mod ocsp;
mod responder;
mod response;
mod scope;
mod times;

use core::fmt;
use core::time::Duration;
use std::sync::Arc;

use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::{Certificate, Name, SubjectPublicKeyInfo, UnixTime};

pub(crate) use account::Accounts;
pub use account::{EvidenceAnswer, EvidenceKind, EvidenceUse};
pub(crate) use check::{Checked, check};
pub(crate) use desk::Desk;
pub use evidence::Evidence;
pub use responder::TrustedResponder;

/// The weight given to revocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RevocationMode {
    /// Evidence is ignored.
    #[default]
    Ignore,
    /// Evidence is applied; where it says nothing, the certificate passes, and the result says so. Where evidence that cannot be used would
    /// revoke it, the outcome is not known.
    Prefer,
    /// A certificate passes only if evidence says that it is not revoked.
    Require,
}

/// The certificates whose revocation is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RevocationScope {
    /// The end certificate alone.
    Leaf,
    /// Every certificate of the path, which does not include the anchor.
    #[default]
    WholePath,
}

/// The revocation requirements and the evidence.
///
/// ```
/// use tagwise_path::{RevocationMode, RevocationPolicy};
/// let mut policy = RevocationPolicy { mode: RevocationMode::Require, ..RevocationPolicy::default() };
/// policy.evidence.add_crl(vec![0x30, 0x00]);
/// assert_eq!(policy.evidence.crls().count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct RevocationPolicy {
    /// The weight given to revocation.
    pub mode: RevocationMode,
    /// The certificates that are checked.
    pub scope: RevocationScope,
    /// The moment at which evidence has to be current. Default `None`: the time of validation. A verifier of old signatures sets it to
    /// the present, for CRLs and OCSP responses of today.
    pub evidence_time: Option<UnixTime>,
    /// The moment by which the use of the certificate is proven to have happened, by somebody other than its holder: the time in
    /// a trusted time stamp, or one that the relying party states. A revocation dated after it does not count if the evidence
    /// gives an innocent reason: affiliationChanged, superseded, cessationOfOperation, or unspecified in so many words (RFC 3161 §4).
    /// Without a reason, for a compromise, or with an invalidityDate up to that moment, it counts. Default `None`: every
    /// revocation counts, whatever its date. A time that the signer claims is no proof.
    pub proven_at: Option<UnixTime>,
    /// The time that evidence may be used after its nextUpdate; also the tolerated clock skew before its thisUpdate.
    pub tolerance: Duration,
    /// The time that an OCSP response without a nextUpdate may be used after its thisUpdate (RFC 6960 §2.4). Default: a day.
    pub max_age: Duration,
    /// The time that a CRL without a nextUpdate may be used after its thisUpdate. Default `None`: it is not used, for RFC
    /// 5280 §5.1.2.5 has every CRL state one, and nothing else says how long it holds.
    pub crl_max_age: Option<Duration>,
    /// CRLs and OCSP responses.
    pub evidence: Evidence,
    /// OCSP responders that are trusted by local configuration (RFC 6960 §4.2.2.2, item 1), besides the issuers and those that
    /// they certify.
    pub responders: Vec<TrustedResponder>,
    /// Other revocation information, such as CRLite filters.
    pub sources: Vec<SharedSource>,
}

impl Default for RevocationPolicy {
    fn default() -> Self {
        Self {
            mode: RevocationMode::default(),
            scope: RevocationScope::default(),
            evidence_time: None,
            proven_at: None,
            tolerance: Duration::ZERO,
            max_age: Duration::from_secs(86_400),
            crl_max_age: None,
            evidence: Evidence::default(),
            responders: Vec::new(),
            sources: Vec::new(),
        }
    }
}

/// One certificate that the engine asks about.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Query<'q> {
    /// The certificate, every octet of it checked.
    pub certificate: Certificate<'q>,
    /// Its whole DER.
    pub der: &'q [u8],
    /// The name of its issuer: of the certificate above, or of the anchor.
    pub issuer: Name<'q>,
    /// The key of its issuer, with inherited parameters.
    pub issuer_key: SubjectPublicKeyInfo<'q>,
    /// The certificate of its issuer; `None` if the issuer is an anchor that is only a name and a key.
    pub issuer_certificate: Option<Certificate<'q>>,
    /// True if it is the end certificate.
    pub is_leaf: bool,
    /// True if its basic constraints mark it as a CA's.
    pub is_ca: bool,
    /// The revocation requirements and the evidence.
    pub policy: &'q RevocationPolicy,
    /// The time of validation.
    pub time: UnixTime,
    /// The moment at which evidence has to be current: [`RevocationPolicy::evidence_time`], or the time of validation.
    pub evidence_time: UnixTime,
}

/// The revocation status of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is not revoked.
    Good {
        /// The evidence, in one line: `CRL 17 of CN=CA, 2026-11-21T10:00:00Z`.
        source: String,
    },
    /// It is revoked.
    Revoked {
        /// The time of revocation: revocationDate.
        since: UnixTime,
        /// The reason, if the evidence states one.
        reason: Option<CrlReason>,
        /// The evidence, in one line.
        source: String,
    },
    /// There is no usable evidence about it.
    Unknown {
        /// The evidence looked for, and the faults of what was found.
        why: String,
    },
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Good { source } => write!(f, "not revoked, says {source}"),
            Self::Revoked { since, reason: None, source } => write!(f, "revoked on {since}, says {source}"),
            Self::Revoked { since, reason: Some(reason), source } => {
                write!(f, "revoked on {since} ({reason}), says {source}")
            }
            Self::Unknown { why } => write!(f, "not known: {why}"),
        }
    }
}

/// The evidence that a signer signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signing {
    /// CRLs: its key usage, where present, has cRLSign (RFC 5280 §6.3.3 (f)).
    Crls,
    /// OCSP responses: its extended key usage has OCSPSigning (RFC 6960 §4.2.2.2).
    Ocsp,
}

/// Revocation information in another form than CRLs and OCSP responses: CRLite filters, CRLSets, a CA's own database.
///
/// ```
/// use tagwise_path::{Query, RevocationSource, Status};
///
/// /// Serial numbers of one issuer, complete up to some time.
/// struct Listed {
///     serials: Vec<Vec<u8>>,
/// }
///
/// impl RevocationSource for Listed {
///     fn status(&self, query: &Query<'_>) -> Status {
///         let serial = query.certificate.tbs_certificate.serial_number.0.as_bytes();
///         if self.serials.iter().any(|listed| listed == serial) {
///             Status::Revoked { since: query.time, reason: None, source: "our list".to_owned() }
///         } else {
///             Status::Unknown { why: "our list does not say who is good".to_owned() }
///         }
///     }
/// }
/// ```
pub trait RevocationSource: Send + Sync {
    /// Returns the status of a certificate, whose path has been validated. [`Status::Revoked`] counts whatever other
    /// evidence says.
    fn status(&self, query: &Query<'_>) -> Status;
}

/// A shared [`RevocationSource`].
#[derive(Clone)]
pub struct SharedSource(pub(crate) Arc<dyn RevocationSource>);

impl SharedSource {
    /// Shares a source among the clones of a policy.
    pub fn new(source: impl RevocationSource + 'static) -> Self {
        Self(Arc::new(source))
    }
}

impl fmt::Debug for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedSource")
    }
}

/// The revocation status of a certificate of a valid path, and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RevocationAnswer {
    /// The certificate, by its place in the path; 0 is the end certificate.
    pub certificate: usize,
    /// The status; [`Status::Unknown`] only under [`RevocationMode::Prefer`].
    pub status: Status,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests;

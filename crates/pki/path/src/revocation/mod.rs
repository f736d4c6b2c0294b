//! Revocation: the policy's requirements, the revocation evidence (CRLs and OCSP responses), and its evaluation.
//!
//! The engine calls [`check`] for each certificate covered by the policy, after all other checks have passed. A
//! [`Query`] describes the certificate and its issuer. A [`Desk`] provides engine services: budgeted signature checks,
//! and the validation of signers other than the issuer.
//!
//! # Times
//!
//! Certificates are validated at [`Policy::time`](crate::Policy::time). Revocation evidence must be current at
//! [`RevocationPolicy::evidence_time`], by default the same time. This applies to thisUpdate, nextUpdate and
//! producedAt, and to the validity of CRL and OCSP signers. An old signature can thus be checked with today's CRL.
//! Every revocation counts, regardless of its date, unless [`RevocationPolicy::proven_at`] is set to a time by which the
//! use of the certificate is proven. Evidence issued after a certificate's notAfter does not prove that it was never
//! revoked: issuers may remove expired certificates (RFC 5280 §3.3, RFC 6960 §2.2), unless they state otherwise.
//!
//! # Revoked certificates
//!
//! Revocation is permanent, so it counts even after the evidence's nextUpdate, unless newer evidence of the same kind
//! supersedes it. A hold may have ended by then, so the status is unknown. Requirements on issuers (RFC 5280 §5.2.3)
//! apply only to evidence of *good* status, and so does the requirement that the status of its signer is known. If unusable
//! evidence may be authentic and reports the certificate as revoked, the status is unknown and the path is rejected, in
//! every mode that uses evidence. This includes CRLs of the issuer whose scope does not cover the certificate, because
//! serial numbers are unique (RFC 5280 §4.1.2.2).
//! [`Explanation::evidence`](crate::Explanation::evidence) states how each piece was used.

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
mod series;
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

/// The strictness of revocation checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RevocationMode {
    /// CRLs, OCSP responses and other sources are ignored.
    #[default]
    Ignore,
    /// Revocation evidence (CRLs and OCSP responses) is used if available. A certificate without usable evidence is accepted, and
    /// the result lists this as an assumption. But if unusable evidence that may be authentic reports the certificate as revoked,
    /// the path is rejected.
    Prefer,
    /// A certificate is accepted only if a CRL, an OCSP response or another source shows that it is not revoked.
    Require,
}

/// The certificates whose revocation is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RevocationScope {
    /// Only the end-entity certificate, and signers of its CRLs and OCSP responses other than its issuer. RFC 6960 §4.2.2.2.1 exempts
    /// responders with id-pkix-ocsp-nocheck.
    Leaf,
    /// Every certificate of the path except the anchor.
    #[default]
    WholePath,
}

/// The revocation requirements and the revocation evidence (CRLs and OCSP responses).
///
/// ```
/// use tagwise_path::{RevocationMode, RevocationPolicy};
/// let mut policy = RevocationPolicy { mode: RevocationMode::Require, ..RevocationPolicy::default() };
/// policy.evidence.add_crl(vec![0x30, 0x00]);
/// assert_eq!(policy.evidence.crls().count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct RevocationPolicy {
    /// The strictness of revocation checks.
    pub mode: RevocationMode,
    /// The certificates that are checked.
    pub scope: RevocationScope,
    /// The time at which CRLs and OCSP responses must be current. Default `None`: the validation time. To verify old signatures with
    /// current CRLs and OCSP responses, set it to the present.
    pub evidence_time: Option<UnixTime>,
    /// A time by which the certificate's use is proven by someone other than its holder, such as a trusted time stamp.
    /// Later revocations do not count if the CRL or OCSP response states a harmless reason: affiliationChanged, superseded,
    /// cessationOfOperation, or an explicit unspecified (RFC 3161 §4). Revocations without a reason, for a compromise,
    /// or with an invalidityDate up to that time do count. Default `None`: every revocation counts. A signing time
    /// claimed by the signer is not proof.
    pub proven_at: Option<UnixTime>,
    /// The time for which CRLs and OCSP responses may be used after their nextUpdate. It is also the tolerated clock skew before
    /// their thisUpdate.
    pub tolerance: Duration,
    /// The time for which an OCSP response without nextUpdate may be used after its thisUpdate (RFC 6960 §2.4). Default: one
    /// day.
    pub max_age: Duration,
    /// The time for which a CRL without nextUpdate may be used after its thisUpdate. By default (`None`), such a CRL is not
    /// used, because RFC 5280 §5.1.2.5 requires nextUpdate.
    pub crl_max_age: Option<Duration>,
    /// The CRLs and OCSP responses.
    pub evidence: Evidence,
    /// Locally trusted OCSP responders (RFC 6960 §4.2.2.2, item 1), in addition to issuers and the responders that they
    /// certify.
    pub responders: Vec<TrustedResponder>,
    /// Other sources of revocation information, such as CRLite filters, which are queried before the CRLs and OCSP responses.
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

/// A certificate whose status the engine queries.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Query<'q> {
    /// The fully decoded certificate.
    pub certificate: Certificate<'q>,
    /// The certificate's DER.
    pub der: &'q [u8],
    /// The issuer's name, from the issuing certificate or the anchor.
    pub issuer: Name<'q>,
    /// The issuer's key, with inherited parameters.
    pub issuer_key: SubjectPublicKeyInfo<'q>,
    /// The issuer's certificate, or `None` if the issuer is an anchor with only a name and a key.
    pub issuer_certificate: Option<Certificate<'q>>,
    /// True if the certificate is the end-entity certificate.
    pub is_leaf: bool,
    /// True if the certificate's basic constraints identify it as a CA.
    pub is_ca: bool,
    /// The revocation requirements and the revocation evidence (CRLs and OCSP responses).
    pub policy: &'q RevocationPolicy,
    /// The time of validation.
    pub time: UnixTime,
    /// The time at which CRLs and OCSP responses must be current: [`RevocationPolicy::evidence_time`], or the validation time.
    pub evidence_time: UnixTime,
}

/// The revocation status of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The certificate is not revoked.
    Good {
        /// The CRL, OCSP response or other source that shows it, in one line: `CRL 17 of CN=CA, 2026-11-21T10:00:00Z`.
        source: String,
    },
    /// The certificate is revoked.
    Revoked {
        /// The time of revocation: revocationDate.
        since: UnixTime,
        /// The reason, if known.
        reason: Option<CrlReason>,
        /// The CRL, OCSP response or other source that shows it, in one line.
        source: String,
    },
    /// The status cannot be determined from the revocation evidence.
    Unknown {
        /// The reason: missing revocation evidence, or the problems with it.
        why: String,
    },
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Good { source } => write!(f, "not revoked, according to {source}"),
            Self::Revoked { since, reason: None, source } => write!(f, "revoked on {since}, according to {source}"),
            Self::Revoked { since, reason: Some(reason), source } => {
                write!(f, "revoked on {since} ({reason}), according to {source}")
            }
            Self::Unknown { why } => write!(f, "unknown: {why}"),
        }
    }
}

/// The type of revocation evidence that a signer may sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signing {
    /// CRLs: the signer's key usage, if present, must include cRLSign (RFC 5280 §6.3.3 (f)).
    Crls,
    /// OCSP responses: the signer's extended key usage must include OCSPSigning (RFC 6960 §4.2.2.2).
    Ocsp,
}

/// A source of revocation information other than CRLs and OCSP responses: CRLite filters, CRLSets, or a CA's database.
///
/// ```
/// use tagwise_path::{Query, RevocationSource, Status};
///
/// /// The revoked serial numbers of one issuer.
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
    /// Returns the status of a certificate whose path has been validated. [`Status::Revoked`] overrides all CRLs,
    /// OCSP responses and other sources.
    fn status(&self, query: &Query<'_>) -> Status;
}

/// A shared [`RevocationSource`].
#[derive(Clone)]
pub struct SharedSource(pub(crate) Arc<dyn RevocationSource>);

impl SharedSource {
    /// Wraps a source, shared by all clones of a policy.
    pub fn new(source: impl RevocationSource + 'static) -> Self {
        Self(Arc::new(source))
    }
}

impl fmt::Debug for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedSource")
    }
}

/// The revocation status of a certificate in a valid path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RevocationAnswer {
    /// The position of the certificate in the path, in which 0 is the end-entity certificate.
    pub certificate: usize,
    /// The status. [`Status::Unknown`] is possible only with [`RevocationMode::Prefer`].
    pub status: Status,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests;

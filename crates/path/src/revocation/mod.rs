//! Revocation: the requirements of a policy, the evidence as values, and the interface to the engine.
//!
//! The engine calls [`check`] for each certificate of a candidate path that the policy covers, after all other checks
//! have passed. It passes a [`Query`] with the certificate and its issuer, and [`Services`] for the work that needs the
//! engine: signatures within its budget, and the path of a signer that is not the issuer.

mod check;
mod desk;
mod evidence;

use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, CertificateBuf, Name, SubjectPublicKeyInfo, UnixTime};

use crate::budget::Limit;
use crate::path::Path;
use crate::report::Report;
use crate::verifier::SignatureFault;

pub(crate) use check::check;
pub(crate) use desk::Desk;
pub use evidence::Evidence;

/// The weight given to revocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RevocationMode {
    /// Evidence is ignored.
    #[default]
    Ignore,
    /// Evidence is applied; where it says nothing, the certificate passes, and the result says so.
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
#[derive(Clone, Debug, Default)]
pub struct RevocationPolicy {
    /// The weight given to revocation.
    pub mode: RevocationMode,
    /// The certificates that are checked.
    pub scope: RevocationScope,
    /// The seconds that evidence may be used after its nextUpdate; also the tolerated clock skew before its thisUpdate.
    pub tolerance: i64,
    /// CRLs and OCSP responses.
    pub evidence: Evidence,
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
        /// The time of revocation.
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

/// The evidence that a signer signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signing {
    /// CRLs: its key usage, where present, has cRLSign (RFC 5280 §6.3.3 (f)).
    Crls,
    /// OCSP responses: its extended key usage has OCSPSigning (RFC 6960 §4.2.2.2).
    Ocsp,
}

/// The engine's services for reading evidence. All their costs count towards the one budget of the call.
pub trait Services {
    /// Checks a signature; the result is cached.
    ///
    /// # Errors
    /// The limit, if the budget is exceeded; to be passed on as it is.
    fn verify(
        &mut self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<Result<(), SignatureFault>, Limit>;

    /// The certificates of the pool, the path and the anchors with a subject.
    fn named(&self, subject: &Name<'_>) -> Vec<CertificateBuf>;

    /// Builds and validates the path of a signer, to the anchor of the current path (RFC 5280 §6.3.3 (f)), at the same
    /// time and by the same rules except for names and purposes. Certificates that came with the evidence supplement
    /// the pool's.
    ///
    /// # Errors
    /// The limit, if the budget is exceeded; to be passed on as it is. The inner error says that there is no path, or
    /// that [`Budget::depth`](crate::Budget::depth) is reached.
    fn signer_path(
        &mut self,
        signer: &CertificateBuf,
        beside: &[CertificateBuf],
        signing: Signing,
    ) -> Result<Result<Path, Report>, Limit>;
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests;

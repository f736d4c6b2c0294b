//! Revocation: what a policy asks for, the evidence as values, and the seam that the engine asks at.
//!
//! The engine calls [`check`] for each certificate of a candidate path that the policy covers, after everything else has
//! been found right. It gives a [`Query`] with the certificate and its issuer, and [`Services`] for what takes the engine:
//! signatures under its budget, and the path of a signer that is not the issuer.

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

/// How much revocation matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RevocationMode {
    /// Evidence is not looked at.
    #[default]
    Ignore,
    /// What evidence says is held to; where it says nothing, the certificate passes, and the result says so.
    Prefer,
    /// A certificate passes only if evidence says that it is not revoked.
    Require,
}

/// The certificates whose revocation matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RevocationScope {
    /// The end certificate alone.
    Leaf,
    /// Every certificate of the path; the anchor is not one of them.
    #[default]
    WholePath,
}

/// What is asked for, and the evidence.
///
/// ```
/// use tagwise_path::{RevocationMode, RevocationPolicy};
/// let mut policy = RevocationPolicy { mode: RevocationMode::Require, ..RevocationPolicy::default() };
/// policy.evidence.add_crl(vec![0x30, 0x00]);
/// assert_eq!(policy.evidence.crls().count(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct RevocationPolicy {
    /// How much it matters.
    pub mode: RevocationMode,
    /// For which certificates.
    pub scope: RevocationScope,
    /// Seconds that evidence may be used after its nextUpdate; also the clock skew tolerated before its thisUpdate.
    pub tolerance: i64,
    /// CRLs and OCSP responses.
    pub evidence: Evidence,
}

/// One certificate that the engine asks about.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Query<'q> {
    /// The certificate; every octet was checked.
    pub certificate: Certificate<'q>,
    /// Its whole DER.
    pub der: &'q [u8],
    /// The name of its issuer: of the certificate above, or of the anchor.
    pub issuer: Name<'q>,
    /// The key of its issuer, with inherited parameters.
    pub issuer_key: SubjectPublicKeyInfo<'q>,
    /// The certificate of its issuer; nothing where the issuer is an anchor that is only a name and a key.
    pub issuer_certificate: Option<Certificate<'q>>,
    /// Whether it is the end certificate.
    pub is_leaf: bool,
    /// Whether it is a CA's: its basic constraints say so.
    pub is_ca: bool,
    /// What is asked for, and the evidence.
    pub policy: &'q RevocationPolicy,
    /// The time to validate at.
    pub time: UnixTime,
}

/// What evidence says about a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is not revoked.
    Good {
        /// The evidence, in a line: `CRL 17 of CN=CA, 2026-11-21T10:00:00Z`.
        source: String,
    },
    /// It is revoked.
    Revoked {
        /// Since when.
        since: UnixTime,
        /// Why, if the evidence says so.
        reason: Option<CrlReason>,
        /// The evidence, in a line.
        source: String,
    },
    /// Nothing usable is said about it.
    Unknown {
        /// What was looked for, and what was wrong with what was found.
        why: String,
    },
}

/// What a signer of evidence signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signing {
    /// CRLs: its key usage, where present, has cRLSign (RFC 5280 §6.3.3 (f)).
    Crls,
    /// OCSP responses: its extended key usage has OCSPSigning (RFC 6960 §4.2.2.2).
    Ocsp,
}

/// What the engine does for whoever reads evidence. Everything counts towards the one budget of the call.
pub trait Services {
    /// Checks a signature; the result is cached.
    ///
    /// # Errors
    /// The limit, if the budget is exceeded: to be passed on as it is.
    fn verify(
        &mut self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<Result<(), SignatureFault>, Limit>;

    /// The certificates of the pool, the path and the anchors with a subject.
    fn named(&self, subject: &Name<'_>) -> Vec<CertificateBuf>;

    /// Builds and validates the path of a signer, to the anchor of the path in hand (RFC 5280 §6.3.3 (f)), at the same time and
    /// under the same rules, but for names and purposes. Certificates that came with the evidence stand beside the pool's.
    ///
    /// # Errors
    /// The limit, if the budget is exceeded: to be passed on as it is. That there is no path, or that
    /// [`Budget::depth`](crate::Budget::depth) is reached, is the inner error.
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

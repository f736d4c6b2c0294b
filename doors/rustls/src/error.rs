//! Converts reports to rustls errors, which determine the TLS alert.

use std::sync::Arc;

use rustls::{CertificateError, OtherError};
use tagwise_path::{Outcome, Report, Rule};

/// Returns the rustls error that causes the matching TLS alert for a report. If there is none, returns [`CertificateError::Other`] with
/// the report.
///
/// ```
/// use rustls::CertificateError;
/// use tagwise_path::{Anchors, Policy, Pool, Profile, verify};
/// # use tagwise_path::{SignatureFault, Verifier};
/// # use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime};
/// # struct Never;
/// # impl Verifier for Never {
/// #     fn verify(&self, _: &SubjectPublicKeyInfo<'_>, _: &AlgorithmIdentifier<'_>, _: &[u8], _: &[u8]) -> Result<(), SignatureFault> {
/// #         Err(SignatureFault::Wrong)
/// #     }
/// # }
/// let policy = Policy::new(&Profile::WEBPKI, UnixTime(0));
/// let report = verify::path(b"no certificate", &Pool::new(), &Anchors::new(), &policy, &Never).unwrap_err();
/// assert_eq!(tagwise_rustls::certificate_error(report), CertificateError::BadEncoding);
/// ```
#[must_use]
pub fn certificate_error(report: Report) -> CertificateError {
    let other = |report: Report| CertificateError::Other(OtherError(Arc::new(report)));
    if let Outcome::Exhausted(_) = report.outcome() {
        return other(report);
    }
    let Some(refusal) = report.refusal() else { return CertificateError::UnknownIssuer };
    match refusal.rule {
        Rule::Malformed => CertificateError::BadEncoding,
        Rule::NoIssuer | Rule::NameChaining | Rule::Loop => CertificateError::UnknownIssuer,
        Rule::Signature => CertificateError::BadSignature,
        Rule::Validity | Rule::AnchorValidity if refusal.path.ends_with("notBefore") => CertificateError::NotValidYet,
        Rule::Validity | Rule::AnchorValidity => CertificateError::Expired,
        // An algorithm that is not known: neither valid nor invalid.
        Rule::SignatureAlgorithm if refusal.undecided => match unsupported(&report) {
            Some(signature_algorithm_id) => CertificateError::UnsupportedSignatureAlgorithmContext {
                signature_algorithm_id,
                supported_algorithms: Vec::new(),
            },
            None => other(report),
        },
        Rule::Revocation if refusal.undecided => CertificateError::UnknownRevocationStatus,
        Rule::Revocation => CertificateError::Revoked,
        Rule::UnknownCritical => CertificateError::UnhandledCriticalExtension,
        Rule::PeerName => CertificateError::NotValidForName,
        Rule::Purpose | Rule::PurposeChain | Rule::PurposePresent | Rule::PurposeOnly | Rule::KeyUsage => {
            CertificateError::InvalidPurpose
        }
        _ => other(report),
    }
}

/// Returns the content bytes of the unsupported algorithm's identifier.
fn unsupported(report: &Report) -> Option<Vec<u8>> {
    let candidate = report.furthest()?;
    let certificate = candidate.certificates.get(candidate.refusal.certificate?)?;
    Some(certificate.get().signature_algorithm.algorithm.as_bytes().to_vec())
}

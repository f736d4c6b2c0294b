//! Time stamps (RFC 3161, RFC 5816): requests, responses and verification.
//!
//! The trustworthiness of a time stamp's certificate is not checked here: [`verify`] returns the certificate.

mod reply;
mod verify;

use core::fmt;

use tagwise_codec::{Int, OctetStr, Oid};
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::build::{BuildError, timestamp_request};
use tagwise_pkix::tsp::{MessageImprint, PkiStatus, TimeStampReq, TimeStampReqVersion};

pub use reply::{Stamping, reply};
pub use verify::{Expected, Stamp, signature_time_stamps, verify};

use crate::cms::CmsError;
use crate::{Backend, Digest, Error};

/// The reason why a time stamp is missing or invalid.
#[derive(Debug)]
#[non_exhaustive]
pub enum TspError {
    /// An error in the time stamp's CMS message, or a malformed or invalid part.
    Cms(CmsError),
    /// The authority rejected the request. Contains its status and explanation.
    Refused {
        /// The response status.
        status: PkiStatus,
        /// The explanation as text.
        text: Vec<String>,
        /// The bit numbers of PKIFailureInfo.
        failures: Vec<u32>,
    },
    /// The message imprint does not match the data.
    Imprint,
    /// The time stamp answers a different request: its nonce or policy differs.
    Answer(&'static str),
}

impl TspError {
    /// Returns whether the result is unknown rather than negative, as [`CmsError::is_unknown`] does.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Cms(error) if error.is_unknown())
    }

    fn malformed(part: &'static str) -> impl Fn(tagwise_codec::Error) -> Self + Copy {
        move |error| Self::Cms(CmsError::Malformed { part, error })
    }

    fn demand(holds: bool, what: &'static str, clause: &'static str) -> Result<(), Self> {
        CmsError::demand(holds, what, clause).map_err(Self::Cms)
    }
}

/// Descriptions of the PKIFailureInfo bits (RFC 3161 §2.4.2).
const FAILURES: [(u32, &str); 8] = [
    (0, "unrecognized or unsupported algorithm"),
    (2, "the transaction is not permitted or supported"),
    (5, "the data has the wrong format"),
    (14, "the time source is not available"),
    (15, "the policy is not supported"),
    (16, "the extension is not supported"),
    (17, "the additional information is not available"),
    (25, "the system failed"),
];

impl fmt::Display for TspError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cms(error) => error.fmt(f),
            Self::Refused { status, text, failures } => {
                let name = match *status {
                    PkiStatus::GRANTED | PkiStatus::GRANTED_WITH_MODS => {
                        "the status is granted, but the token is missing (RFC 3161 §2.4.2)"
                    }
                    PkiStatus::REJECTION => "rejection",
                    PkiStatus::WAITING => "waiting",
                    PkiStatus::REVOCATION_WARNING => "revocation is imminent",
                    PkiStatus::REVOCATION_NOTIFICATION => "revoked",
                    _ => "unknown status",
                };
                write!(f, "no time stamp was issued: {name}")?;
                for number in failures {
                    let known = FAILURES.iter().find(|(other, _)| other == number);
                    write!(f, "; {}", known.map_or("unknown failure", |(_, text)| text))?;
                }
                text.iter().try_for_each(|text| write!(f, "; {text}"))
            }
            Self::Imprint => f.write_str("the time stamp is for different data: its digest differs (RFC 3161 §2.2)"),
            Self::Answer(what) => {
                write!(f, "the time stamp is for a different request: its {what} differs (RFC 3161 §2.2)")
            }
        }
    }
}

impl std::error::Error for TspError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Cms(error) => Some(error),
            _ => None,
        }
    }
}

impl From<CmsError> for TspError {
    fn from(error: CmsError) -> Self {
        Self::Cms(error)
    }
}

impl From<Error> for TspError {
    fn from(error: Error) -> Self {
        Self::Cms(error.into())
    }
}

impl From<BuildError> for TspError {
    fn from(error: BuildError) -> Self {
        Self::Cms(error.into())
    }
}

/// Creates a time stamp request in DER for a digest, with a new nonce.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_codec::Decode;
/// use tagwise_crypto::{Digest, Primitives, backends::AwsLc, tsp};
/// use tagwise_pkix::tsp::TimeStampReq;
/// let backend = AwsLc::new();
/// let digest = backend.digest(Digest::Sha256, b"what is stamped")?;
/// let request = tsp::request(&backend, Digest::Sha256, &digest, None, true)?;
/// assert!(TimeStampReq::from_der(&request)?.nonce.is_some());
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the digest's length does not match its algorithm, or the backend cannot generate random bytes.
pub fn request(
    backend: &dyn Backend,
    digest: Digest,
    hash: &[u8],
    policy: Option<Oid<'_>>,
    with_certificate: bool,
) -> Result<Vec<u8>, TspError> {
    // 64 bits, positive, without a leading zero byte.
    let mut nonce = [0; 8];
    backend.random(&mut nonce)?;
    let nonce = (u64::from_be_bytes(nonce) >> 1 | 1 << 62).to_be_bytes();
    Ok(timestamp_request(&TimeStampReq {
        version: TimeStampReqVersion::V1,
        message_imprint: MessageImprint {
            hash_algorithm: AlgorithmIdentifier { algorithm: digest.oid(), parameters: None },
            hashed_message: OctetStr::new(hash),
        },
        req_policy: policy,
        nonce: Some(Int::from_signed(&nonce)),
        cert_req: with_certificate,
        extensions: None,
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_granted_response_without_a_token_is_named() {
        let refused = |status| TspError::Refused { status, text: Vec::new(), failures: Vec::new() }.to_string();
        let expected = "no time stamp was issued: the status is granted, but the token is missing (RFC 3161 §2.4.2)";
        assert_eq!(refused(PkiStatus::GRANTED), expected);
        assert_eq!(refused(PkiStatus::GRANTED_WITH_MODS), expected);
        assert_eq!(refused(PkiStatus::REJECTION), "no time stamp was issued: rejection");
    }
}

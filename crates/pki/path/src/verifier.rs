//! The interface to cryptography, independent of any backend.

use core::fmt;

use tagwise_codec::Oid;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime, oids};

/// A signature verifier.
///
/// ```
/// use tagwise_path::{SignatureFault, Verifier};
/// use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};
///
/// /// For tests: accepts any signature that is as long as the message.
/// struct ByLength;
///
/// impl Verifier for ByLength {
///     fn verify(
///         &self,
///         _: &SubjectPublicKeyInfo<'_>,
///         _: &AlgorithmIdentifier<'_>,
///         message: &[u8],
///         signature: &[u8],
///     ) -> Result<(), SignatureFault> {
///         if message.len() == signature.len() { Ok(()) } else { Err(SignatureFault::Wrong) }
///     }
/// }
/// ```
pub trait Verifier {
    /// Verifies the `signature` of `message` by `key` with `algorithm`.
    ///
    /// Keys are passed with inherited parameters (RFC 5280 §6.1.4 (d) to (f)).
    ///
    /// # Errors
    /// Returns [`SignatureFault::Wrong`] if the signature is invalid, or another fault if it could not be checked.
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault>;

    /// Verifies the proof of a Merkle Tree Certificate in DER, which replaces a signature. `ca_key` is the CA's
    /// SubjectPublicKeyInfo in DER (draft-ietf-plants-merkle-tree-certs-07 §7.2). `time` determines which time-limited trust, such as a
    /// trusted subtree, has expired.
    ///
    /// The default implementation supports no proofs; see [`Anchor::proofs`](crate::Anchor::proofs).
    ///
    /// # Errors
    /// Returns [`SignatureFault::Refused`] with the reason, or [`SignatureFault::Unsupported`] if proofs are not supported.
    fn verify_proof(&self, ca_key: &[u8], certificate: &[u8], time: UnixTime) -> Result<(), SignatureFault> {
        let _unused = (ca_key, certificate, time);
        Err(SignatureFault::Unsupported("the verifier does not support Merkle Tree Certificates".to_owned()))
    }
}

impl<V: Verifier + ?Sized> Verifier for &V {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        (**self).verify(key, algorithm, message, signature)
    }

    fn verify_proof(&self, ca_key: &[u8], certificate: &[u8], time: UnixTime) -> Result<(), SignatureFault> {
        (**self).verify_proof(ca_key, certificate, time)
    }
}

/// The reason why a signature was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureFault {
    /// The signature does not match the message and key.
    Wrong,
    /// The verifier does not support the algorithm or key type. Contains a description.
    Unsupported(String),
    /// The verifier rejects the algorithm or key. Contains the reason: too weak, wrong parameters, or malformed.
    Refused(String),
}

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong => f.write_str("the signature does not verify with the issuer's key"),
            Self::Unsupported(what) | Self::Refused(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for SignatureFault {}

/// Signature algorithms with MD2, MD4 or MD5, for which signatures can be forged (RFC 6149, RFC 6150, RFC 6151 §2).
pub(crate) const FORGEABLE: &[Oid<'static>] = &[
    oids::MD2_WITH_RSA_ENCRYPTION,
    oids::MD4_WITH_RSA_ENCRYPTION,
    oids::MD5_WITH_RSA_ENCRYPTION,
    oids::MD5_WITH_RSA,
    oids::MD5_WITH_RSA_SIGNATURE,
];

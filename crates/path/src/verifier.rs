//! The interface to cryptography, which checks one signature. Nothing here or in the calling code names a backend.

use core::fmt;

use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, UnixTime};

/// A checker of signatures.
///
/// ```
/// use tagwise_path::{SignatureFault, Verifier};
/// use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};
///
/// /// Takes any signature that is as long as the message: for tests of everything else.
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
    /// Checks that `signature` is a signature of `message` by the holder of `key`, made as `algorithm` says.
    ///
    /// Keys with inherited parameters (RFC 5280 §6.1.4 (d) to (f)) are passed with those.
    ///
    /// # Errors
    /// [`SignatureFault::Wrong`] if the signature does not verify; the others if it could not be checked.
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault>;

    /// Checks the proof of a Merkle Tree Certificate, in DER, in the place of a signature: by the CA with this key, a
    /// SubjectPublicKeyInfo in DER (draft-ietf-plants-merkle-tree-certs-07 §7.2). The time is for what is trusted for a while.
    ///
    /// A verifier without this method checks none; see [`Anchor::has_proofs`](crate::Anchor::has_proofs).
    ///
    /// # Errors
    /// [`SignatureFault::Refused`] with the reason; [`SignatureFault::Unsupported`] if none is checked.
    fn verify_proof(&self, ca_key: &[u8], certificate: &[u8], time: UnixTime) -> Result<(), SignatureFault> {
        let _unused = (ca_key, certificate, time);
        Err(SignatureFault::Unsupported("the verifier checks no proofs of Merkle Tree Certificates".to_owned()))
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

/// The reason why a signature is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureFault {
    /// The signature is not one of this message by this key.
    Wrong,
    /// The verifier does not offer the algorithm or this kind of key; the text says which.
    Unsupported(String),
    /// The verifier refuses the algorithm or the key: too weak, other parameters, malformed; the text says why.
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

//! Signature checks with a `tagwise-crypto` backend.

use tagwise_crypto::{Backend, ErrorKind};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::verifier::{SignatureFault, Verifier};

/// A [`Verifier`] based on a `tagwise-crypto` backend. It rejects SHA-1 regardless of the profile. For SHA-1, use
/// [`LegacyVerifier`].
///
/// ```
/// # #[cfg(feature = "crypto")] {
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_path::CryptoVerifier;
/// let backend = AwsLc::new();
/// let verifier = CryptoVerifier(&backend);
/// # let _ = verifier;
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CryptoVerifier<'b>(
    /// The backend that verifies the signatures.
    pub &'b dyn Backend,
);

impl Verifier for CryptoVerifier<'_> {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        tagwise_crypto::verify(self.0, key, algorithm, message, signature).map_err(fault)
    }
}

/// A [`CryptoVerifier`] that also accepts SHA-1 and, with the feature `dsa`, DSA. It is meant for archives, with a policy
/// that omits the rule `weak-digest`. MD5 and older algorithms are still rejected.
///
/// ```
/// # #[cfg(feature = "crypto")] {
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_path::LegacyVerifier;
/// let backend = AwsLc::new();
/// let verifier = LegacyVerifier(&backend);
/// # let _ = verifier;
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LegacyVerifier<'b>(
    /// The backend that verifies the signatures.
    pub &'b dyn Backend,
);

impl Verifier for LegacyVerifier<'_> {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        tagwise_crypto::verify_legacy(self.0, key, algorithm, message, signature).map_err(fault)
    }
}

fn fault(error: tagwise_crypto::Error) -> SignatureFault {
    match error.kind() {
        ErrorKind::Signature => SignatureFault::Wrong,
        ErrorKind::Unsupported | ErrorKind::NotOffered => SignatureFault::Unsupported(error.to_string()),
        _ => SignatureFault::Refused(error.to_string()),
    }
}

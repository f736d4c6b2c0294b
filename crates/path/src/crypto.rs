//! Signature checks by a backend of `tagwise-crypto`.

use tagwise_crypto::{Backend, ErrorKind};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::verifier::{SignatureFault, Verifier};

/// A [`Verifier`] over any backend of `tagwise-crypto`. It refuses SHA-1, whatever the profile says.
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
    /// The backend.
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
        tagwise_crypto::verify(self.0, key, algorithm, message, signature).map_err(|error| match error.kind() {
            ErrorKind::Signature => SignatureFault::Wrong,
            ErrorKind::Unsupported | ErrorKind::NotOffered => SignatureFault::Unsupported(error.to_string()),
            _ => SignatureFault::Refused(error.to_string()),
        })
    }
}

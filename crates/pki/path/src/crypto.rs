//! Signature checks with a `tagwise-crypto` backend.

use tagwise_crypto::{Backend, ErrorKind, Weaknesses};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};

use crate::verifier::{FORGEABLE, SignatureFault, Verifier};

/// A [`Verifier`] based on a `tagwise-crypto` backend. It rejects SHA-1, MD5 and older digests regardless of the profile.
/// For SHA-1, use [`LegacyVerifier`].
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
        LegacyVerifier(self.0, Weaknesses::NONE).verify(key, algorithm, message, signature)
    }
}

/// A [`CryptoVerifier`] that also accepts some [`Weaknesses`]: SHA-1, or weak keys and, with the feature `dsa`, DSA. It is meant for
/// archives, with a policy that omits the rules `weak-digest` and `key-size`; see [`of`](Self::of). MD5 and older
/// algorithms are not supported: whether such a signature is right is unknown.
///
/// ```
/// # #[cfg(feature = "crypto")] {
/// use tagwise_crypto::{Weaknesses, backends::AwsLc};
/// use tagwise_path::LegacyVerifier;
/// let backend = AwsLc::new();
/// let verifier = LegacyVerifier(&backend, Weaknesses { digests: true, ..Weaknesses::NONE });
/// # let _ = verifier;
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LegacyVerifier<'b>(
    /// The backend that verifies the signatures.
    pub &'b dyn Backend,
    /// The weaknesses that are accepted.
    pub Weaknesses,
);

impl Verifier for LegacyVerifier<'_> {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        // The verifier need not support an algorithm to know that its signatures prove nothing.
        if FORGEABLE.contains(&algorithm.algorithm) && !self.1.digests {
            let name = algorithm.name().unwrap_or("the signature algorithm");
            return Err(SignatureFault::Refused(format!("{name}: such signatures can be forged")));
        }
        tagwise_crypto::verify_weak(self.0, self.1, key, algorithm, message, signature).map_err(fault)
    }
}

fn fault(error: tagwise_crypto::Error) -> SignatureFault {
    match error.kind() {
        ErrorKind::Signature => SignatureFault::Wrong,
        ErrorKind::Unsupported | ErrorKind::NotOffered => SignatureFault::Unsupported(error.to_string()),
        _ => SignatureFault::Refused(error.to_string()),
    }
}

#[cfg(all(test, feature = "crypto"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use tagwise_codec::BitStr;
    use tagwise_crypto::backends::AwsLc;
    use tagwise_pkix::oids;

    use super::*;

    /// Signatures that can be forged are refused, as those with SHA-1 are. If weak digests are accepted, it is not known whether they are right.
    #[test]
    fn md5_is_refused_like_sha1() {
        let backend = AwsLc::new();
        let algorithm = |algorithm| AlgorithmIdentifier { algorithm, parameters: None };
        let key = SubjectPublicKeyInfo {
            algorithm: algorithm(oids::RSA_ENCRYPTION),
            subject_public_key: BitStr::from_octets(&[]),
        };
        for old in FORGEABLE.iter().chain(&[oids::SHA1_WITH_RSA_ENCRYPTION]) {
            let fault = CryptoVerifier(&backend).verify(&key, &algorithm(*old), b"", b"").unwrap_err();
            assert!(matches!(fault, SignatureFault::Refused(_)), "{old}: {fault}");
        }
        for old in FORGEABLE {
            let fault = LegacyVerifier(&backend, Weaknesses::ALL).verify(&key, &algorithm(*old), b"", b"").unwrap_err();
            assert!(matches!(fault, SignatureFault::Unsupported(_)), "{old}: {fault}");
        }
    }
}

//! The interface to cryptography: implementations of [`Protection`] hold the password, and this crate handles the
//! formats.

use zeroize::Zeroizing;

use super::DigestInfo;
use tagwise_x509::alg::AlgorithmIdentifier;

/// Password-based encryption and MAC for a file. The implementation holds the password.
///
/// Algorithms are passed as found in the file: PBES2 (RFC 8018 §6.2), the schemes of RFC 7292 Appendix C, or PBES1. The
/// encoding of the password depends on the scheme: a BMPString followed by two zero bytes for RFC 7292 (Appendix B.1),
/// UTF-8 for the others (RFC 8018 §2).
pub trait Protection {
    /// The error type of the cryptographic implementation.
    type Error;

    /// Decrypts a ciphertext and removes the padding.
    ///
    /// # Errors
    /// Returns an error if the algorithm is not supported, or the padding is wrong, usually because of a wrong password.
    fn decrypt(
        &self,
        algorithm: &AlgorithmIdentifier<'_>,
        ciphertext: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Self::Error>;

    /// Pads and encrypts a plaintext.
    ///
    /// # Errors
    /// Returns an error if the algorithm is not supported.
    fn encrypt(&self, algorithm: &AlgorithmIdentifier<'_>, plaintext: &[u8]) -> Result<Vec<u8>, Self::Error>;

    /// Computes the MAC of content.
    ///
    /// # Errors
    /// Returns an error if the algorithm is not supported.
    fn mac(&self, parameters: &MacParameters<'_>, content: &[u8]) -> Result<Vec<u8>, Self::Error>;
}

/// Parameters of a password-based MAC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MacParameters<'a> {
    /// The MAC algorithm: either PBMAC1 (RFC 9579) with its parameters, or a digest. A digest means HMAC with that digest,
    /// under a key derived as in RFC 7292 Appendix B.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The salt. Ignored for PBMAC1.
    pub salt: &'a [u8],
    /// The number of iterations. Ignored for PBMAC1.
    pub iterations: u64,
}

impl<'a> MacParameters<'a> {
    /// Returns the parameters of a file's MAC.
    pub(super) fn of(mac: &super::MacData<'a>) -> Self {
        let DigestInfo { digest_algorithm, .. } = mac.mac;
        Self { algorithm: digest_algorithm, salt: mac.mac_salt.as_bytes(), iterations: mac.iterations }
    }

    /// Returns whether the MAC is PBMAC1.
    #[must_use]
    pub fn is_pbmac1(&self) -> bool {
        self.algorithm.algorithm == crate::pkcs5::ID_PBMAC1
    }
}

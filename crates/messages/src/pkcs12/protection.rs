//! The seam to cryptography: who implements [`Protection`] has the password, and this crate has the formats.

use zeroize::Zeroizing;

use super::DigestInfo;
use tagwise_x509::alg::AlgorithmIdentifier;

/// Encryption under a password, and the MAC over a file. The password is the implementation's.
///
/// Algorithms come as a file has them: PBES2 (RFC 8018 §6.2), the schemes of RFC 7292 Appendix C, PBES1. How a password becomes
/// octets depends on the scheme: a BMPString with two zero octets behind it for those of RFC 7292 (Appendix B.1), UTF-8 for the
/// others (RFC 8018 §2).
pub trait Protection {
    /// Error of the protection.
    type Error;

    /// Decrypts, and takes the padding off.
    ///
    /// # Errors
    /// If the algorithm is not supported, or the padding is wrong, which a wrong password shows as, mostly.
    fn decrypt(
        &self,
        algorithm: &AlgorithmIdentifier<'_>,
        ciphertext: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Self::Error>;

    /// Pads and encrypts.
    ///
    /// # Errors
    /// If the algorithm is not supported.
    fn encrypt(&self, algorithm: &AlgorithmIdentifier<'_>, plaintext: &[u8]) -> Result<Vec<u8>, Self::Error>;

    /// The MAC of some content.
    ///
    /// # Errors
    /// If the algorithm is not supported.
    fn mac(&self, parameters: &MacParameters<'_>, content: &[u8]) -> Result<Vec<u8>, Self::Error>;
}

/// Derivation of a MAC from a password.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MacParameters<'a> {
    /// A digest: then the key comes of the password as in RFC 7292 Appendix B, and the MAC is HMAC with this digest. Or PBMAC1
    /// (RFC 9579), whose own parameters say it all.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The salt; of no meaning with PBMAC1.
    pub salt: &'a [u8],
    /// The iterations; of no meaning with PBMAC1.
    pub iterations: u64,
}

impl<'a> MacParameters<'a> {
    /// Those of a file.
    pub(super) fn of(mac: &super::MacData<'a>) -> Self {
        let DigestInfo { digest_algorithm, .. } = mac.mac;
        Self { algorithm: digest_algorithm, salt: mac.mac_salt.as_bytes(), iterations: mac.iterations }
    }

    /// Returns whether it is PBMAC1.
    #[must_use]
    pub fn is_pbmac1(&self) -> bool {
        self.algorithm.algorithm == crate::pkcs5::ID_PBMAC1
    }
}

//! Digest lengths of known algorithms, and the digests of names and keys that this crate computes.

use sha1::Digest as _;
use tagwise_codec::Oid;

use super::{BuildError, error::demand};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::oids;

/// A hash function for public data (a name, key or certificate) that this crate hashes because a standard requires it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digest {
    /// SHA-1, which nearly all OCSP responders use to look up certificates (RFC 5019 §2.1.1).
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl Digest {
    /// Returns the AlgorithmIdentifier. Parameters are absent (RFC 5754 §2), except for SHA-1, where they are usually NULL (RFC
    /// 3370 §2.1).
    #[must_use]
    pub const fn algorithm(self) -> AlgorithmIdentifier<'static> {
        match self {
            Self::Sha1 => AlgorithmIdentifier { algorithm: oids::SHA1, parameters: Some(tagwise_codec::Any::null(0)) },
            Self::Sha256 => AlgorithmIdentifier { algorithm: oids::SHA256, parameters: None },
            Self::Sha384 => AlgorithmIdentifier { algorithm: oids::SHA384, parameters: None },
            Self::Sha512 => AlgorithmIdentifier { algorithm: oids::SHA512, parameters: None },
        }
    }

    /// Computes the digest of bytes.
    ///
    /// ```
    /// use tagwise_build::Digest;
    /// assert_eq!(Digest::Sha256.of(b"abc")[..4], [0xBA, 0x78, 0x16, 0xBF]);
    /// assert_eq!(Digest::Sha1.of(b"").len(), 20);
    /// ```
    #[must_use]
    pub fn of(self, octets: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha1 => sha1::Sha1::digest(octets).to_vec(),
            Self::Sha256 => sha2::Sha256::digest(octets).to_vec(),
            Self::Sha384 => sha2::Sha384::digest(octets).to_vec(),
            Self::Sha512 => sha2::Sha512::digest(octets).to_vec(),
        }
    }
}

/// Returns the length of a digest in bytes, if its algorithm is known (FIPS 180-4, FIPS 202, RFC 1321). SHAKE128 and SHAKE256
/// digests have 32 and 64 bytes in PKIX and CMS (RFC 8692 §3, RFC 8702 §3).
fn len(algorithm: Oid<'_>) -> Option<usize> {
    const SHA: [u8; 8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2];
    if algorithm == oids::SHA1 {
        return Some(20);
    }
    match algorithm.as_bytes() {
        // MD2, MD4, MD5: 1.2.840.113549.2.
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 2, 2 | 4 | 5] => Some(16),
        [sha @ .., arc] if *sha == SHA => match arc {
            1 | 6 | 8 | 11 => Some(32),
            2 | 9 => Some(48),
            3 | 10 | 12 => Some(64),
            4 | 5 | 7 => Some(28),
            _ => None,
        },
        _ => None,
    }
}

/// Rejects a digest whose length does not match its algorithm.
pub(super) fn check(
    algorithm: &AlgorithmIdentifier<'_>,
    digest: &[u8],
    clause: &'static str,
) -> Result<(), BuildError> {
    let fits = len(algorithm.algorithm).is_none_or(|len| len == digest.len()) && !digest.is_empty();
    demand(fits, "the digest's length does not match its algorithm", clause)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of lengths agrees with what is computed.
    #[test]
    fn lengths() {
        for digest in [Digest::Sha1, Digest::Sha256, Digest::Sha384, Digest::Sha512] {
            assert_eq!(len(digest.algorithm().algorithm), Some(digest.of(b"x").len()));
        }
        assert_eq!(len(oids::ED25519), None);
        assert!(check(&Digest::Sha256.algorithm(), &[0; 32], "").is_ok());
        assert!(check(&Digest::Sha256.algorithm(), &[0; 20], "").is_err());
        assert!(check(&AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None }, &[], "").is_err());
    }
}

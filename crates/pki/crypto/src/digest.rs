//! Digest algorithms and their identifiers.

use tagwise_codec::{Any, Decode, Oid, Tag};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::error::named;
use crate::{Error, ErrorKind};

/// A digest algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Digest {
    /// SHA-1, only for legacy signatures and key identifiers.
    Sha1,
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA-512/256.
    Sha512_256,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// SHAKE128 with 32 bytes of output (RFC 8702 §3.1).
    Shake128,
    /// SHAKE256 with 64 bytes of output.
    Shake256,
}

/// SHAKE identifiers that have the output length as a parameter, in bits (RFC 8419 §3.1, RFC 8702 §2).
const WITH_LENGTH: [(Digest, Oid<'static>, &[u8]); 2] =
    [(Digest::Shake128, oids::SHAKE128_LEN, &[2, 2, 1, 0]), (Digest::Shake256, oids::SHAKE256_LEN, &[2, 2, 2, 0])];

impl Digest {
    /// All digests.
    pub const ALL: &'static [Self] = &[
        Self::Sha1,
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sha512_256,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
        Self::Shake128,
        Self::Shake256,
    ];

    /// Returns the digest's name, such as `SHA-256`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "SHA-1",
            Self::Sha224 => "SHA-224",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
            Self::Sha512_256 => "SHA-512/256",
            Self::Sha3_256 => "SHA3-256",
            Self::Sha3_384 => "SHA3-384",
            Self::Sha3_512 => "SHA3-512",
            Self::Shake128 => "SHAKE128",
            Self::Shake256 => "SHAKE256",
        }
    }

    /// Returns the length of a digest in bytes.
    #[must_use]
    pub const fn output_len(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 | Self::Sha512_256 | Self::Sha3_256 | Self::Shake128 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 | Self::Shake256 => 64,
        }
    }

    /// Returns the block length in bytes, as used by HMAC.
    #[must_use]
    pub const fn block_len(self) -> usize {
        match self {
            Self::Sha1 | Self::Sha224 | Self::Sha256 => 64,
            Self::Sha384 | Self::Sha512 | Self::Sha512_256 => 128,
            Self::Shake128 => 168,
            Self::Sha3_256 | Self::Shake256 => 136,
            Self::Sha3_384 => 104,
            Self::Sha3_512 => 72,
        }
    }

    /// Returns whether the digest is an extendable-output function, which HMAC, MGF1 and similar functions do not support.
    #[must_use]
    pub const fn is_extendable(self) -> bool {
        matches!(self, Self::Shake128 | Self::Shake256)
    }

    /// Returns the object identifier (RFC 5754 §2, RFC 8017 §A.2.1, RFC 8702 §2, NIST's registry).
    #[must_use]
    pub const fn oid(self) -> Oid<'static> {
        match self {
            Self::Sha1 => oids::SHA1,
            Self::Sha224 => oids::SHA224,
            Self::Sha256 => oids::SHA256,
            Self::Sha384 => oids::SHA384,
            Self::Sha512 => oids::SHA512,
            Self::Sha512_256 => oids::SHA512_256,
            Self::Sha3_256 => oids::SHA3_256,
            Self::Sha3_384 => oids::SHA3_384,
            Self::Sha3_512 => oids::SHA3_512,
            Self::Shake128 => oids::SHAKE128,
            Self::Shake256 => oids::SHAKE256,
        }
    }

    /// Returns the SHAKE identifier with an explicit length, as used with Ed448 in CMS (RFC 8419 §3.1).
    pub(crate) fn identifier_with_length(self) -> Option<AlgorithmIdentifier<'static>> {
        let (_, oid, bits) = WITH_LENGTH.into_iter().find(|(digest, ..)| *digest == self)?;
        Some(AlgorithmIdentifier { algorithm: oid, parameters: Any::from_der(bits).ok() })
    }

    /// Returns the digest for an identifier. Parameters should be absent, and NULL is accepted (RFC 5754 §2). For SHAKE, the
    /// output length is accepted as a parameter if it is the default.
    ///
    /// ```
    /// use tagwise_crypto::Digest;
    /// use tagwise_pkix::{AlgorithmIdentifier, oids};
    /// let identifier = AlgorithmIdentifier { algorithm: oids::SHA384, parameters: None };
    /// assert_eq!(Digest::from_identifier(&identifier)?, Digest::Sha384);
    /// # Ok::<(), tagwise_crypto::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] for other algorithms, and [`ErrorKind::Parameters`] for other parameters.
    pub fn from_identifier(identifier: &AlgorithmIdentifier<'_>) -> Result<Self, Error> {
        if let Some((digest, _, bits)) = WITH_LENGTH.iter().find(|(_, oid, _)| *oid == identifier.algorithm) {
            let same = identifier.parameters.is_some_and(|parameters| parameters.as_bytes() == *bits);
            return if same { Ok(*digest) } else { Err(Error::new(ErrorKind::Parameters, digest)) };
        }
        let found = Self::ALL.iter().copied().find(|digest| digest.oid() == identifier.algorithm);
        let digest = found.ok_or_else(|| Error::new(ErrorKind::Unsupported, named(identifier.algorithm)))?;
        match &identifier.parameters {
            // RFC 8702 §3.1: of SHAKE there are none.
            Some(parameters) if digest.is_extendable() || parameters.tag() != Tag::NULL => {
                Err(Error::new(ErrorKind::Parameters, digest))
            }
            _ => Ok(digest),
        }
    }
}

impl core::fmt::Display for Digest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(algorithm: Oid<'_>, parameters: &[u8]) -> Result<Digest, ErrorKind> {
        let parameters = Any::from_der(parameters).ok();
        Digest::from_identifier(&AlgorithmIdentifier { algorithm, parameters }).map_err(|error| error.kind())
    }

    #[test]
    fn identifiers_come_back() {
        for &digest in Digest::ALL {
            assert_eq!(of(digest.oid(), &[]), Ok(digest));
            let null = if digest.is_extendable() { Err(ErrorKind::Parameters) } else { Ok(digest) };
            assert_eq!(of(digest.oid(), &[5, 0]), null, "{digest}");
            let with_length = digest.identifier_with_length();
            assert_eq!(with_length.is_some(), digest.is_extendable());
            if let Some(identifier) = with_length {
                assert_eq!(Digest::from_identifier(&identifier).unwrap(), digest);
            }
        }
    }

    #[test]
    fn shake_has_one_length() {
        assert_eq!(of(oids::SHAKE256_LEN, &[2, 2, 2, 0]), Ok(Digest::Shake256));
        for other in [&[2, 2, 1, 0][..], &[2, 1, 64], &[5, 0], &[]] {
            assert_eq!(of(oids::SHAKE256_LEN, other), Err(ErrorKind::Parameters));
        }
        assert_eq!(of(oids::SHA3_224, &[]), Err(ErrorKind::Unsupported));
    }
}

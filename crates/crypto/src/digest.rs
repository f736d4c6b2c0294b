//! Digest algorithms, as identifiers name them.

use tagwise_codec::{Oid, Tag};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::{Error, ErrorKind};

/// A digest algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Digest {
    /// SHA-1, for old signatures and key identifiers alone.
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
}

impl Digest {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Sha1,
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sha512_256,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
    ];

    /// The name: `SHA-256`.
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
        }
    }

    /// The octets of a digest.
    #[must_use]
    pub const fn output_len(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 | Self::Sha512_256 | Self::Sha3_256 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 => 64,
        }
    }

    /// The octets that are taken at once; HMAC pads keys to as many.
    #[must_use]
    pub const fn block_len(self) -> usize {
        match self {
            Self::Sha1 | Self::Sha224 | Self::Sha256 => 64,
            Self::Sha384 | Self::Sha512 | Self::Sha512_256 => 128,
            Self::Sha3_256 => 136,
            Self::Sha3_384 => 104,
            Self::Sha3_512 => 72,
        }
    }

    /// The identifier (RFC 5754 §2, RFC 8017 §A.2.1, NIST's register).
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
        }
    }

    /// The digest that an identifier names. RFC 5754 §2: parameters are absent, and NULL has to be taken too.
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
    /// [`ErrorKind::Unsupported`] for others, [`ErrorKind::Parameters`].
    pub fn from_identifier(identifier: &AlgorithmIdentifier<'_>) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|digest| digest.oid() == identifier.algorithm);
        let digest = found.ok_or_else(|| Error::new(ErrorKind::Unsupported, identifier.algorithm))?;
        match &identifier.parameters {
            Some(parameters) if parameters.tag() != Tag::NULL => Err(Error::new(ErrorKind::Parameters, digest)),
            _ => Ok(digest),
        }
    }
}

impl core::fmt::Display for Digest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

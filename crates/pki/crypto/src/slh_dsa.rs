//! SLH-DSA (FIPS 205): parameter sets and message encoding. Signing is implemented elsewhere.

use core::fmt;

use sha2::{Digest as _, Sha256, Sha512};
use tagwise_codec::Oid;
use tagwise_pkix::oids;

use crate::shake::{shake128, shake256};

#[cfg(any(feature = "aws-lc", feature = "rust-common"))]
pub(crate) mod embedded;

/// An SLH-DSA parameter set (FIPS 205 table 2): the hash, the security level, and either small signatures or fast signing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the standard's")]
pub enum SlhDsa {
    Sha2_128s,
    Sha2_128f,
    Sha2_192s,
    Sha2_192f,
    Sha2_256s,
    Sha2_256f,
    Shake128s,
    Shake128f,
    Shake192s,
    Shake192f,
    Shake256s,
    Shake256f,
}

impl SlhDsa {
    /// All parameter sets, ordered by identifier.
    pub const ALL: &'static [Self] = &[
        Self::Sha2_128s,
        Self::Sha2_128f,
        Self::Sha2_192s,
        Self::Sha2_192f,
        Self::Sha2_256s,
        Self::Sha2_256f,
        Self::Shake128s,
        Self::Shake128f,
        Self::Shake192s,
        Self::Shake192f,
        Self::Shake256s,
        Self::Shake256f,
    ];

    /// Returns the parameter set's name, such as `slh-dsa-sha2-128s`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha2_128s => "slh-dsa-sha2-128s",
            Self::Sha2_128f => "slh-dsa-sha2-128f",
            Self::Sha2_192s => "slh-dsa-sha2-192s",
            Self::Sha2_192f => "slh-dsa-sha2-192f",
            Self::Sha2_256s => "slh-dsa-sha2-256s",
            Self::Sha2_256f => "slh-dsa-sha2-256f",
            Self::Shake128s => "slh-dsa-shake-128s",
            Self::Shake128f => "slh-dsa-shake-128f",
            Self::Shake192s => "slh-dsa-shake-192s",
            Self::Shake192f => "slh-dsa-shake-192f",
            Self::Shake256s => "slh-dsa-shake-256s",
            Self::Shake256f => "slh-dsa-shake-256f",
        }
    }

    /// Returns the object identifier of keys and pure signatures (RFC 9814 §2, RFC 9909 §3).
    #[must_use]
    pub const fn oid(self) -> Oid<'static> {
        match self {
            Self::Sha2_128s => oids::SLH_DSA_SHA2_128S,
            Self::Sha2_128f => oids::SLH_DSA_SHA2_128F,
            Self::Sha2_192s => oids::SLH_DSA_SHA2_192S,
            Self::Sha2_192f => oids::SLH_DSA_SHA2_192F,
            Self::Sha2_256s => oids::SLH_DSA_SHA2_256S,
            Self::Sha2_256f => oids::SLH_DSA_SHA2_256F,
            Self::Shake128s => oids::SLH_DSA_SHAKE_128S,
            Self::Shake128f => oids::SLH_DSA_SHAKE_128F,
            Self::Shake192s => oids::SLH_DSA_SHAKE_192S,
            Self::Shake192f => oids::SLH_DSA_SHAKE_192F,
            Self::Shake256s => oids::SLH_DSA_SHAKE_256S,
            Self::Shake256f => oids::SLH_DSA_SHAKE_256F,
        }
    }

    /// Returns the parameter n of FIPS 205, in bytes. A key generation seed is three times as long, and a public key twice.
    #[must_use]
    pub const fn n(self) -> usize {
        match self {
            Self::Sha2_128s | Self::Sha2_128f | Self::Shake128s | Self::Shake128f => 16,
            Self::Sha2_192s | Self::Sha2_192f | Self::Shake192s | Self::Shake192f => 24,
            Self::Sha2_256s | Self::Sha2_256f | Self::Shake256s | Self::Shake256f => 32,
        }
    }

    /// Returns the security strength in bits.
    #[must_use]
    pub const fn strength(self) -> u16 {
        match self.n() {
            16 => 128,
            24 => 192,
            _ => 256,
        }
    }

    /// Returns whether the set's hash is SHAKE rather than SHA-2.
    pub(crate) const fn is_shake(self) -> bool {
        matches!(
            self,
            Self::Shake128s | Self::Shake128f | Self::Shake192s | Self::Shake192f | Self::Shake256s | Self::Shake256f
        )
    }

    /// Returns the message digest for pre-hash signatures (RFC 9909 §3) with its identifier. SHAKE128 has 32 bytes of output
    /// here and SHAKE256 has 64 (FIPS 205 §10.2.2).
    fn hash(self, message: &[u8]) -> (Oid<'static>, Vec<u8>) {
        match (self.is_shake(), self.n()) {
            (false, 16) => (oids::SHA256, Sha256::digest(message).to_vec()),
            (false, _) => (oids::SHA512, Sha512::digest(message).to_vec()),
            (true, 16) => (oids::SHAKE128, shake128(message).to_vec()),
            (true, _) => (oids::SHAKE256, shake256(message).to_vec()),
        }
    }

    /// Frames a message for signing (FIPS 205 algorithms 22 and 23): the context's length and bytes, followed by the message or
    /// its digest.
    pub(crate) fn framed(self, hashed: bool, context: &[u8], message: &[u8]) -> Vec<u8> {
        // The context was found to have at most 255 octets before.
        let len = u8::try_from(context.len()).unwrap_or(u8::MAX);
        let mut framed = vec![u8::from(hashed), len];
        framed.extend_from_slice(context);
        if !hashed {
            framed.extend_from_slice(message);
            return framed;
        }
        let (oid, digest) = self.hash(message);
        let oid = oid.as_bytes();
        framed.extend_from_slice(&[6, u8::try_from(oid.len()).unwrap_or_default()]);
        framed.extend_from_slice(oid);
        framed.extend_from_slice(&digest);
        framed
    }
}

impl fmt::Display for SlhDsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

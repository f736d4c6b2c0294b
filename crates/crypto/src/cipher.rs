//! Ciphers, by what messages need of them.

use core::fmt;

use tagwise_codec::Oid;
use tagwise_pkix::oids;

/// A content encryption algorithm with its mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cipher {
    /// AES-128 in CBC mode, padded to whole blocks (RFC 3565, RFC 8018 §6.1.1 step 4).
    Aes128Cbc,
    /// AES-192 in CBC mode.
    Aes192Cbc,
    /// AES-256 in CBC mode.
    Aes256Cbc,
    /// AES-128 in GCM, with a tag of 16 octets behind the ciphertext (RFC 5084).
    Aes128Gcm,
    /// AES-256 in GCM.
    Aes256Gcm,
}

impl Cipher {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::Aes128Cbc, Self::Aes192Cbc, Self::Aes256Cbc, Self::Aes128Gcm, Self::Aes256Gcm];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aes128Cbc => "AES-128-CBC",
            Self::Aes192Cbc => "AES-192-CBC",
            Self::Aes256Cbc => "AES-256-CBC",
            Self::Aes128Gcm => "AES-128-GCM",
            Self::Aes256Gcm => "AES-256-GCM",
        }
    }

    /// The identifier.
    #[must_use]
    pub const fn oid(self) -> Oid<'static> {
        match self {
            Self::Aes128Cbc => oids::AES128_CBC,
            Self::Aes192Cbc => oids::AES192_CBC,
            Self::Aes256Cbc => oids::AES256_CBC,
            Self::Aes128Gcm => oids::AES128_GCM,
            Self::Aes256Gcm => oids::AES256_GCM,
        }
    }

    /// The octets of a key.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128Cbc | Self::Aes128Gcm => 16,
            Self::Aes192Cbc => 24,
            Self::Aes256Cbc | Self::Aes256Gcm => 32,
        }
    }

    /// The octets of an initialisation vector or a nonce.
    #[must_use]
    pub const fn iv_len(self) -> usize {
        match self {
            Self::Aes128Cbc | Self::Aes192Cbc | Self::Aes256Cbc => 16,
            Self::Aes128Gcm | Self::Aes256Gcm => 12,
        }
    }

    /// Returns whether damage is noticed: the tag is checked before anything is given out.
    #[must_use]
    pub const fn is_authenticated(self) -> bool {
        matches!(self, Self::Aes128Gcm | Self::Aes256Gcm)
    }
}

impl fmt::Display for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A key wrap algorithm (RFC 3394).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wrap {
    /// With AES-128.
    Aes128,
    /// With AES-256.
    Aes256,
}

impl Wrap {
    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aes128 => "AES-128-KW",
            Self::Aes256 => "AES-256-KW",
        }
    }

    /// The octets of a key-encryption key.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128 => 16,
            Self::Aes256 => 32,
        }
    }
}

impl fmt::Display for Wrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

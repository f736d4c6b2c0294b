//! Ciphers for messages.

use core::fmt;

use tagwise_codec::Oid;
use tagwise_pkix::oids;

/// A content encryption algorithm and its mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cipher {
    /// AES-128 in CBC mode, with padding (RFC 3565, RFC 8018 §6.1.1 step 4).
    Aes128Cbc,
    /// AES-192 in CBC mode.
    Aes192Cbc,
    /// AES-256 in CBC mode.
    Aes256Cbc,
    /// AES-128 in GCM mode, with a 16-byte tag after the ciphertext (RFC 5084).
    Aes128Gcm,
    /// AES-256 in GCM mode.
    Aes256Gcm,
}

impl Cipher {
    /// All ciphers.
    pub const ALL: &'static [Self] =
        &[Self::Aes128Cbc, Self::Aes192Cbc, Self::Aes256Cbc, Self::Aes128Gcm, Self::Aes256Gcm];

    /// Returns the cipher's name.
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

    /// Returns the cipher's object identifier.
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

    /// Returns the key length in bytes.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128Cbc | Self::Aes128Gcm => 16,
            Self::Aes192Cbc => 24,
            Self::Aes256Cbc | Self::Aes256Gcm => 32,
        }
    }

    /// Returns the length of the initialization vector or nonce in bytes.
    #[must_use]
    pub const fn iv_len(self) -> usize {
        match self {
            Self::Aes128Cbc | Self::Aes192Cbc | Self::Aes256Cbc => 16,
            Self::Aes128Gcm | Self::Aes256Gcm => 12,
        }
    }

    /// Returns whether this is an authenticated cipher. Its tag is checked before any plaintext is released.
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
    /// AES-128 key wrap.
    Aes128,
    /// AES-256 key wrap.
    Aes256,
}

impl Wrap {
    /// Returns the algorithm's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aes128 => "AES-128-KW",
            Self::Aes256 => "AES-256-KW",
        }
    }

    /// Returns the length of the key-encryption key in bytes.
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

//! The table of encryption types.

use core::fmt;

use super::ChecksumType;

/// An encryption type (RFC 3961 §6, RFC 3962, RFC 4757, RFC 6803, RFC 8009).
///
/// ```
/// use tagwise_krb5::crypto::EncType;
/// assert_eq!(EncType::from_number(18), Some(EncType::Aes256CtsHmacSha196));
/// assert_eq!("aes256-cts".parse(), Ok(EncType::Aes256CtsHmacSha196));
/// assert!(EncType::ArcfourHmac.is_legacy());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncType {
    /// des3-cbc-sha1-kd (16): only for legacy realms (RFC 8429).
    Des3CbcSha1Kd,
    /// aes128-cts-hmac-sha1-96 (17).
    Aes128CtsHmacSha196,
    /// aes256-cts-hmac-sha1-96 (18).
    Aes256CtsHmacSha196,
    /// aes128-cts-hmac-sha256-128 (19).
    Aes128CtsHmacSha256128,
    /// aes256-cts-hmac-sha384-192 (20).
    Aes256CtsHmacSha384192,
    /// rc4-hmac (23), also called arcfour-hmac: only for legacy realms (RFC 8429).
    ArcfourHmac,
    /// camellia128-cts-cmac (25).
    Camellia128CtsCmac,
    /// camellia256-cts-cmac (26).
    Camellia256CtsCmac,
}

impl EncType {
    /// All encryption types, by number.
    pub const ALL: &'static [Self] = &[
        Self::Des3CbcSha1Kd,
        Self::Aes128CtsHmacSha196,
        Self::Aes256CtsHmacSha196,
        Self::Aes128CtsHmacSha256128,
        Self::Aes256CtsHmacSha384192,
        Self::ArcfourHmac,
        Self::Camellia128CtsCmac,
        Self::Camellia256CtsCmac,
    ];

    /// The default encryption types of a client, in order of preference.
    pub const DEFAULT: &'static [Self] = &[
        Self::Aes256CtsHmacSha196,
        Self::Aes128CtsHmacSha196,
        Self::Aes256CtsHmacSha384192,
        Self::Aes128CtsHmacSha256128,
        Self::Camellia256CtsCmac,
        Self::Camellia128CtsCmac,
    ];

    /// Returns the registered number.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::Des3CbcSha1Kd => 16,
            Self::Aes128CtsHmacSha196 => 17,
            Self::Aes256CtsHmacSha196 => 18,
            Self::Aes128CtsHmacSha256128 => 19,
            Self::Aes256CtsHmacSha384192 => 20,
            Self::ArcfourHmac => 23,
            Self::Camellia128CtsCmac => 25,
            Self::Camellia256CtsCmac => 26,
        }
    }

    /// Returns the type with the given number, if known.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.iter().copied().find(|etype| etype.number() == number)
    }

    /// Returns the registered name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Des3CbcSha1Kd => "des3-cbc-sha1-kd",
            Self::Aes128CtsHmacSha196 => "aes128-cts-hmac-sha1-96",
            Self::Aes256CtsHmacSha196 => "aes256-cts-hmac-sha1-96",
            Self::Aes128CtsHmacSha256128 => "aes128-cts-hmac-sha256-128",
            Self::Aes256CtsHmacSha384192 => "aes256-cts-hmac-sha384-192",
            Self::ArcfourHmac => "rc4-hmac",
            Self::Camellia128CtsCmac => "camellia128-cts-cmac",
            Self::Camellia256CtsCmac => "camellia256-cts-cmac",
        }
    }

    /// Alternative names used in configurations.
    #[must_use]
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Des3CbcSha1Kd => &["des3-cbc-sha1", "des3-hmac-sha1"],
            Self::Aes128CtsHmacSha196 => &["aes128-cts", "aes128-sha1"],
            Self::Aes256CtsHmacSha196 => &["aes256-cts", "aes256-sha1"],
            Self::Aes128CtsHmacSha256128 => &["aes128-sha2"],
            Self::Aes256CtsHmacSha384192 => &["aes256-sha2"],
            Self::ArcfourHmac => &["arcfour-hmac", "arcfour-hmac-md5"],
            Self::Camellia128CtsCmac => &["camellia128-cts"],
            Self::Camellia256CtsCmac => &["camellia256-cts"],
        }
    }

    /// Returns whether decrypted content may have trailing padding (RFC 3961 §5.1), which can be detected only from the
    /// content's own format. This applies to Triple DES, and to RC4 from some peers.
    #[must_use]
    pub const fn has_padding(self) -> bool {
        matches!(self, Self::Des3CbcSha1Kd | Self::ArcfourHmac)
    }

    /// Returns whether the type is deprecated (RFC 8429) and used only on explicit request.
    #[must_use]
    pub const fn is_legacy(self) -> bool {
        matches!(self, Self::Des3CbcSha1Kd | Self::ArcfourHmac)
    }

    /// Returns the length of a protocol key in bytes.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Des3CbcSha1Kd => 24,
            Self::Aes128CtsHmacSha196 | Self::Aes128CtsHmacSha256128 | Self::ArcfourHmac | Self::Camellia128CtsCmac => {
                16
            }
            Self::Aes256CtsHmacSha196 | Self::Aes256CtsHmacSha384192 | Self::Camellia256CtsCmac => 32,
        }
    }

    /// Returns the number of random bytes for a key. For Triple DES, it is less than the key length because of parity bits.
    #[must_use]
    pub const fn seed_len(self) -> usize {
        match self {
            Self::Des3CbcSha1Kd => 21,
            _ => self.key_len(),
        }
    }

    /// Returns the length of the confounder, the random bytes before the plaintext.
    #[must_use]
    pub const fn confounder_len(self) -> usize {
        match self {
            Self::Des3CbcSha1Kd | Self::ArcfourHmac => 8,
            _ => 16,
        }
    }

    /// Returns the length of the MAC in bytes.
    #[must_use]
    pub const fn mac_len(self) -> usize {
        match self {
            Self::Des3CbcSha1Kd => 20,
            Self::Aes128CtsHmacSha196 | Self::Aes256CtsHmacSha196 => 12,
            Self::Aes128CtsHmacSha256128 | Self::ArcfourHmac | Self::Camellia128CtsCmac | Self::Camellia256CtsCmac => {
                16
            }
            Self::Aes256CtsHmacSha384192 => 24,
        }
    }

    /// Returns the length of the ciphertext for `plain` bytes of plaintext.
    #[must_use]
    pub const fn encrypted_len(self, plain: usize) -> usize {
        let padded = match self {
            Self::Des3CbcSha1Kd => plain.saturating_add(7) / 8 * 8,
            _ => plain,
        };
        padded.saturating_add(self.confounder_len() + self.mac_len())
    }

    /// Returns the mandatory checksum type of the encryption type (RFC 3961 §3).
    #[must_use]
    pub const fn checksum(self) -> ChecksumType {
        match self {
            Self::Des3CbcSha1Kd => ChecksumType::HmacSha1Des3Kd,
            Self::Aes128CtsHmacSha196 => ChecksumType::HmacSha196Aes128,
            Self::Aes256CtsHmacSha196 => ChecksumType::HmacSha196Aes256,
            Self::Aes128CtsHmacSha256128 => ChecksumType::HmacSha256128Aes128,
            Self::Aes256CtsHmacSha384192 => ChecksumType::HmacSha384192Aes256,
            Self::ArcfourHmac => ChecksumType::HmacMd5,
            Self::Camellia128CtsCmac => ChecksumType::CmacCamellia128,
            Self::Camellia256CtsCmac => ChecksumType::CmacCamellia256,
        }
    }
}

impl fmt::Display for EncType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl core::str::FromStr for EncType {
    type Err = UnknownEncType;

    /// Parses a name or alias, ignoring case.
    fn from_str(name: &str) -> Result<Self, UnknownEncType> {
        let is = |etype: &&Self| {
            etype.name().eq_ignore_ascii_case(name)
                || etype.aliases().iter().any(|alias| alias.eq_ignore_ascii_case(name))
        };
        Self::ALL.iter().find(is).copied().ok_or(UnknownEncType)
    }
}

/// The error for an unknown encryption type name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEncType;

impl fmt::Display for UnknownEncType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown encryption type")
    }
}

impl std::error::Error for UnknownEncType {}

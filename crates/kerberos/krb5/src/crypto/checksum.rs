//! The table of checksum types.

use core::fmt;

use tagwise_crypto::{Digest, Error, ErrorKind, Primitives};

use super::{CHECKSUM, EncType, Key, camellia, constant, des3, hmac, is_same, rc4, sha1};

/// A checksum type (RFC 3961 §6, RFC 3962 §7, RFC 4757 §4, RFC 6803 §6, RFC 8009 §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChecksumType {
    /// rsa-md5 (7): unkeyed, so it detects only accidental damage.
    RsaMd5,
    /// hmac-sha1-des3-kd (12).
    HmacSha1Des3Kd,
    /// sha1 (14): unkeyed.
    Sha1,
    /// hmac-sha1-96-aes128 (15).
    HmacSha196Aes128,
    /// hmac-sha1-96-aes256 (16).
    HmacSha196Aes256,
    /// cmac-camellia128 (17).
    CmacCamellia128,
    /// cmac-camellia256 (18).
    CmacCamellia256,
    /// hmac-sha256-128-aes128 (19).
    HmacSha256128Aes128,
    /// hmac-sha384-192-aes256 (20).
    HmacSha384192Aes256,
    /// hmac-md5 (-138), defined by Microsoft.
    HmacMd5,
    /// md5-hmac (-137): an older type that uses the key directly.
    Md5Hmac,
}

impl ChecksumType {
    /// All checksum types.
    pub const ALL: &'static [Self] = &[
        Self::RsaMd5,
        Self::HmacSha1Des3Kd,
        Self::Sha1,
        Self::HmacSha196Aes128,
        Self::HmacSha196Aes256,
        Self::CmacCamellia128,
        Self::CmacCamellia256,
        Self::HmacSha256128Aes128,
        Self::HmacSha384192Aes256,
        Self::HmacMd5,
        Self::Md5Hmac,
    ];

    /// Returns the registered number.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::RsaMd5 => 7,
            Self::HmacSha1Des3Kd => 12,
            Self::Sha1 => 14,
            Self::HmacSha196Aes128 => 15,
            Self::HmacSha196Aes256 => 16,
            Self::CmacCamellia128 => 17,
            Self::CmacCamellia256 => 18,
            Self::HmacSha256128Aes128 => 19,
            Self::HmacSha384192Aes256 => 20,
            Self::HmacMd5 => -138,
            Self::Md5Hmac => -137,
        }
    }

    /// Returns the type with the given number, if known.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.number() == number)
    }

    /// Returns the registered name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RsaMd5 => "rsa-md5",
            Self::HmacSha1Des3Kd => "hmac-sha1-des3-kd",
            Self::Sha1 => "sha1",
            Self::HmacSha196Aes128 => "hmac-sha1-96-aes128",
            Self::HmacSha196Aes256 => "hmac-sha1-96-aes256",
            Self::CmacCamellia128 => "cmac-camellia128",
            Self::CmacCamellia256 => "cmac-camellia256",
            Self::HmacSha256128Aes128 => "hmac-sha256-128-aes128",
            Self::HmacSha384192Aes256 => "hmac-sha384-192-aes256",
            Self::HmacMd5 => "hmac-md5",
            Self::Md5Hmac => "md5-hmac",
        }
    }

    /// Returns the encryption type of its keys, or `None` for an unkeyed type.
    #[must_use]
    pub const fn key_type(self) -> Option<EncType> {
        Some(match self {
            Self::RsaMd5 | Self::Sha1 => return None,
            Self::HmacSha1Des3Kd => EncType::Des3CbcSha1Kd,
            Self::HmacSha196Aes128 => EncType::Aes128CtsHmacSha196,
            Self::HmacSha196Aes256 => EncType::Aes256CtsHmacSha196,
            Self::CmacCamellia128 => EncType::Camellia128CtsCmac,
            Self::CmacCamellia256 => EncType::Camellia256CtsCmac,
            Self::HmacSha256128Aes128 => EncType::Aes128CtsHmacSha256128,
            Self::HmacSha384192Aes256 => EncType::Aes256CtsHmacSha384192,
            Self::HmacMd5 | Self::Md5Hmac => EncType::ArcfourHmac,
        })
    }

    /// Returns the length of a checksum in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        match self {
            Self::HmacSha1Des3Kd | Self::Sha1 => 20,
            Self::HmacSha196Aes128 | Self::HmacSha196Aes256 => 12,
            Self::HmacSha384192Aes256 => 24,
            Self::RsaMd5
            | Self::CmacCamellia128
            | Self::CmacCamellia256
            | Self::HmacSha256128Aes128
            | Self::HmacMd5
            | Self::Md5Hmac => 16,
        }
    }

    /// Always false, because no checksum is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Computes an unkeyed checksum.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] for a keyed type, or [`ErrorKind::NotOffered`] if the backend does not support the
    /// algorithm.
    pub fn unkeyed(self, backend: &dyn Primitives, data: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::RsaMd5 => Ok(rc4::md5(data)),
            Self::Sha1 => backend.digest(Digest::Sha1, data),
            _ => Err(Error::new(ErrorKind::WrongKey, self)),
        }
    }
}

impl fmt::Display for ChecksumType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Key {
    /// Computes a checksum with this key, using the mandatory checksum type of its encryption type.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
    pub fn checksum(&self, backend: &dyn Primitives, usage: u32, data: &[u8]) -> Result<Vec<u8>, Error> {
        let key = self.expose();
        Ok(match self.enc_type() {
            EncType::Des3CbcSha1Kd => {
                let derived = des3::derive(key, &constant(usage, CHECKSUM))?;
                hmac(backend, Digest::Sha1, derived.expose(), &[data], 20)?
            }
            EncType::Aes128CtsHmacSha196 | EncType::Aes256CtsHmacSha196 => {
                let derived = sha1::derive(backend, self.cipher()?, key, &constant(usage, CHECKSUM))?;
                hmac(backend, Digest::Sha1, derived.expose(), &[data], 12)?
            }
            EncType::Aes128CtsHmacSha256128 | EncType::Aes256CtsHmacSha384192 => {
                self.sha2()?.checksum(backend, key, usage, data)?
            }
            EncType::ArcfourHmac => rc4::checksum(key, usage, data, true)?,
            EncType::Camellia128CtsCmac | EncType::Camellia256CtsCmac => {
                let derived = camellia::derive(self.cipher()?, key, &constant(usage, CHECKSUM))?;
                tagwise_crypto::camellia_cmac(derived.expose(), data)?
            }
        })
    }

    /// Verifies a checksum with this key. Unkeyed types, and types that belong to other encryption types, are always rejected.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] for an unknown type, [`ErrorKind::WrongKey`] for an unkeyed type or one that does not
    /// match the key, or [`ErrorKind::Integrity`] for a wrong checksum.
    pub fn verify(
        &self,
        backend: &dyn Primitives,
        usage: u32,
        data: &[u8],
        number: i32,
        checksum: &[u8],
    ) -> Result<(), Error> {
        let kind = ChecksumType::from_number(number)
            .ok_or_else(|| Error::new(ErrorKind::Unsupported, format_args!("checksum type {number}")))?;
        if kind.key_type() != Some(self.enc_type()) {
            return Err(Error::new(ErrorKind::WrongKey, kind));
        }
        let expected = match kind {
            ChecksumType::Md5Hmac => rc4::checksum(self.expose(), usage, data, false)?,
            _ => self.checksum(backend, usage, data)?,
        };
        match is_same(&expected, checksum) {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Integrity, kind)),
        }
    }
}

/// Computes hmac-md5 with a key of any encryption type, as in PA-FOR-USER and the PAC signatures of old domains (MS-SFU
/// §2.2.1, MS-PAC §2.8.1).
///
/// # Errors
/// No errors are expected, because HMAC accepts keys of any length.
pub fn hmac_md5(key: &Key, usage: u32, data: &[u8]) -> Result<Vec<u8>, Error> {
    rc4::checksum(key.expose(), usage, data, true)
}

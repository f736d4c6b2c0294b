//! Key derivation from passwords (RFC 3961 §3, RFC 3962 §4, RFC 4757 §2, RFC 6803 §3, RFC 8009 §4).

use tagwise_crypto::{Digest, Error, ErrorKind, Primitives, Secret};

use super::{EncType, Key, camellia, des3, key, rc4, sha1, sha2};

/// Limits on the KDC's string-to-key parameters, which are not yet authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StringToKeyLimits {
    /// The maximum number of PBKDF2 iterations.
    pub max_iterations: u32,
    /// The minimum number of PBKDF2 iterations. Fewer would make password guessing cheaper (RFC 3962 §8).
    pub min_iterations: u32,
}

impl StringToKeyLimits {
    /// From 1 to 16,777,216 iterations, the maximum in MIT's library.
    pub const DEFAULT: Self = Self { max_iterations: 0x0100_0000, min_iterations: 1 };

    /// From 4,096 to 16,777,216 iterations, for clients. The parameters arrive in an error message that anyone can send, and
    /// the encrypted timestamp sent in response allows an eavesdropper to guess passwords. 4,096 is the default of RFC 3962 §4.
    pub const CLIENT: Self = Self { min_iterations: 4096, ..Self::DEFAULT };
}

impl Default for StringToKeyLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Derives a key from a password.
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_krb5::crypto::{EncType, StringToKey};
/// // RFC 3962, appendix B: one iteration.
/// let key = StringToKey::new(EncType::Aes128CtsHmacSha196)
///     .salt(b"ATHENA.MIT.EDUraeburn")
///     .parameters(&[0, 0, 0, 1])
///     .derive(&AwsLc::new(), b"password")?;
/// assert_eq!(key.expose()[..4], [0x42, 0x26, 0x3c, 0x6e]);
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StringToKey<'a> {
    enc_type: EncType,
    salt: &'a [u8],
    parameters: &'a [u8],
    limits: StringToKeyLimits,
}

impl<'a> StringToKey<'a> {
    /// Creates a derivation for an encryption type, without salt and with default parameters.
    #[must_use]
    pub const fn new(enc_type: EncType) -> Self {
        Self { enc_type, salt: &[], parameters: &[], limits: StringToKeyLimits::DEFAULT }
    }

    /// Sets the salt: the one from ETYPE-INFO2, or otherwise the realm and name without separators.
    #[must_use]
    pub const fn salt(mut self, salt: &'a [u8]) -> Self {
        self.salt = salt;
        self
    }

    /// Sets the parameters (`s2kparams` of ETYPE-INFO2). An empty value selects the default.
    #[must_use]
    pub const fn parameters(mut self, parameters: &'a [u8]) -> Self {
        self.parameters = parameters;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub const fn limits(mut self, limits: StringToKeyLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Derives the key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] for invalid parameters, [`ErrorKind::Limit`] if they exceed the limits, or
    /// [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
    pub fn derive(&self, backend: &dyn Primitives, password: &[u8]) -> Result<Key, Error> {
        let enc_type = self.enc_type;
        let secret = match enc_type {
            EncType::Des3CbcSha1Kd => {
                self.without_parameters()?;
                des3::string_to_key(password, self.salt)?
            }
            EncType::ArcfourHmac => {
                self.without_parameters()?;
                rc4::string_to_key(password)?
            }
            EncType::Aes128CtsHmacSha196 | EncType::Aes256CtsHmacSha196 => {
                let made = self.pbkdf2(backend, Digest::Sha1, password, self.salt, 4096)?;
                sha1::derive(backend, key::cipher(enc_type)?, made.expose(), b"kerberos")?
            }
            EncType::Aes128CtsHmacSha256128 | EncType::Aes256CtsHmacSha384192 => {
                let profile = if enc_type == EncType::Aes128CtsHmacSha256128 { sha2::AES128 } else { sha2::AES256 };
                let made = self.pbkdf2(backend, profile.digest, password, &self.named_salt(), 32_768)?;
                profile.derive(backend, made.expose(), b"kerberos", &[], enc_type.key_len())?
            }
            EncType::Camellia128CtsCmac | EncType::Camellia256CtsCmac => {
                let made = self.pbkdf2(backend, Digest::Sha1, password, &self.named_salt(), 32_768)?;
                camellia::derive(key::cipher(enc_type)?, made.expose(), b"kerberos")?
            }
        };
        Key::new(enc_type, secret)
    }

    /// Returns the encryption type's name, a zero byte, and the salt.
    fn named_salt(&self) -> Vec<u8> {
        [self.enc_type.name().as_bytes(), &[0], self.salt].concat()
    }

    fn without_parameters(&self) -> Result<(), Error> {
        match self.parameters {
            [] => Ok(()),
            _ => Err(Error::new(ErrorKind::Parameters, self.enc_type)),
        }
    }

    fn pbkdf2(
        &self,
        backend: &dyn Primitives,
        digest: Digest,
        password: &[u8],
        salt: &[u8],
        default: u32,
    ) -> Result<Secret, Error> {
        let iterations = match self.parameters {
            [] => default,
            [a, b, c, d] => u32::from_be_bytes([*a, *b, *c, *d]),
            _ => return Err(Error::new(ErrorKind::Parameters, self.enc_type)),
        };
        // Zero stands for 2³² (RFC 3962 §4), which is above any limit.
        let (least, most) = (self.limits.min_iterations.max(1), self.limits.max_iterations);
        if !(least..=most).contains(&iterations) {
            return Err(Error::new(
                ErrorKind::Limit,
                format_args!("PBKDF2 with {iterations} iterations, expected {least} to {most}"),
            ));
        }
        let mut made = Secret::zeroed(self.enc_type.key_len());
        backend.pbkdf2(digest, password, salt, iterations, made.expose_mut())?;
        Ok(made)
    }
}

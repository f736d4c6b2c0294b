//! Keys with their encryption type.

use core::fmt;

use tagwise_codec::{Encode, OctetStr, encode};
use tagwise_crypto::{CtsCipher, Error, ErrorKind, Primitives, Secret};

use super::{Beside, EncType, camellia, des3, rc4, sha1, sha2};
use crate::messages::EncryptionKey;

/// A protocol key (RFC 3961 §3). It is zeroized on drop, and `Debug` shows only its type.
///
/// ```
/// use tagwise_krb5::crypto::{EncType, Key};
/// let key = Key::new(EncType::Aes128CtsHmacSha196, vec![7; 16])?;
/// assert_eq!(format!("{key:?}"), "Key(aes128-cts-hmac-sha1-96)");
/// assert!(Key::new(EncType::Aes128CtsHmacSha196, vec![7; 15]).is_err());
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone)]
pub struct Key {
    enc_type: EncType,
    secret: Secret,
}

impl Key {
    /// Creates a key from its bytes.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the key has the wrong length.
    pub fn new(enc_type: EncType, secret: impl Into<Secret>) -> Result<Self, Error> {
        let secret = secret.into();
        match secret.len() == enc_type.key_len() {
            true => Ok(Self { enc_type, secret }),
            false => Err(Error::new(ErrorKind::Length, enc_type)),
        }
    }

    /// Generates a random key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`] if the random number generator fails.
    pub fn generate(backend: &dyn Primitives, enc_type: EncType) -> Result<Self, Error> {
        let mut seed = Secret::zeroed(enc_type.seed_len());
        backend.random(seed.expose_mut())?;
        Self::from_seed(enc_type, &seed)
    }

    /// Creates a key from [`EncType::seed_len`] random bytes (random-to-key).
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the seed has the wrong length.
    pub fn from_seed(enc_type: EncType, seed: &Secret) -> Result<Self, Error> {
        if seed.len() != enc_type.seed_len() {
            return Err(Error::new(ErrorKind::Length, enc_type));
        }
        let secret = match enc_type {
            EncType::Des3CbcSha1Kd => des3::key_of_seed(seed.expose()),
            _ => seed.clone(),
        };
        Ok(Self { enc_type, secret })
    }

    /// Converts a key from a message.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] for an unknown encryption type, or [`ErrorKind::Length`] if the key has the wrong
    /// length.
    pub fn from_message(key: &EncryptionKey<'_>) -> Result<Self, Error> {
        let unknown = || Error::new(ErrorKind::Unsupported, format_args!("encryption type {}", key.keytype));
        Self::new(EncType::from_number(key.keytype).ok_or_else(unknown)?, key.keyvalue.as_bytes())
    }

    /// Converts the key to its message form.
    #[must_use]
    pub fn to_message(&self) -> EncryptionKey<'_> {
        EncryptionKey { keytype: self.enc_type.number(), keyvalue: OctetStr::new(self.expose()) }
    }

    /// Returns the encryption type.
    #[must_use]
    pub const fn enc_type(&self) -> EncType {
        self.enc_type
    }

    /// Returns the secret bytes.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        self.secret.expose()
    }

    /// Encrypts a plaintext for a key usage (RFC 4120 §7.5.1; see [`usage`](super::usage)).
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm, or [`ErrorKind::Failed`] if the backend
    /// fails.
    pub fn encrypt(&self, backend: &dyn Primitives, usage: u32, plain: &[u8]) -> Result<Vec<u8>, Error> {
        self.sealing_key(backend, usage)?.encrypt(backend, plain)
    }

    /// Encrypts data that begins with its confounder, using an encryption type other than AES.
    pub(super) fn encrypt_otherwise(
        &self,
        backend: &dyn Primitives,
        usage: u32,
        confounded: &[u8],
        beside: &[Beside<'_>],
    ) -> Result<Vec<u8>, Error> {
        self.has_beside(beside)?;
        let beside = &Beside::shifted(beside, self.enc_type.confounder_len());
        match self.enc_type {
            EncType::Des3CbcSha1Kd => des3::encrypt(backend, self.expose(), usage, confounded),
            EncType::ArcfourHmac => rc4::encrypt(self.expose(), usage, confounded),
            _ => camellia::encrypt(backend, self.cipher()?, self.expose(), usage, confounded, beside),
        }
    }

    /// Encrypts the DER encoding of a value.
    ///
    /// # Errors
    /// Returns any error from [`encrypt`](Self::encrypt), or [`ErrorKind::Failed`] if the value cannot be encoded.
    pub fn seal<T: Encode>(&self, backend: &dyn Primitives, usage: u32, value: &T) -> Result<Vec<u8>, Error> {
        let plain = encode(value).map_err(|error| Error::new(ErrorKind::Failed, "encoding").because(error))?;
        self.encrypt(backend, usage, Secret::from(plain).expose())
    }

    /// Decrypts and verifies the output of [`encrypt`](Self::encrypt). With Triple DES, the plaintext may end with up to seven
    /// bytes of padding, which can be detected if the content is DER.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Integrity`] for a wrong key, a wrong usage or damaged data, or [`ErrorKind::Length`] if the
    /// ciphertext is too short.
    pub fn decrypt(&self, backend: &dyn Primitives, usage: u32, sent: &[u8]) -> Result<Secret, Error> {
        self.opening_key(backend, usage)?.decrypt(backend, sent)
    }

    /// Decrypts with an encryption type other than AES.
    pub(super) fn decrypt_otherwise(
        &self,
        backend: &dyn Primitives,
        usage: u32,
        sent: &[u8],
        beside: &[Beside<'_>],
    ) -> Result<Secret, Error> {
        self.has_beside(beside)?;
        let beside = &Beside::shifted(beside, self.enc_type.confounder_len());
        // No confounder, no ciphertext: nothing shorter may reach a cipher.
        if sent.len() < self.enc_type.confounder_len().saturating_add(self.enc_type.mac_len()) {
            return Err(Error::new(ErrorKind::Length, self.enc_type));
        }
        let mut confounded = match self.enc_type {
            EncType::Des3CbcSha1Kd => des3::decrypt(backend, self.expose(), usage, sent),
            EncType::ArcfourHmac => rc4::decrypt(self.expose(), usage, sent),
            _ => camellia::decrypt(backend, self.cipher()?, self.expose(), usage, sent, beside),
        }?;
        confounded.remove_front(self.enc_type.confounder_len());
        Ok(confounded)
    }

    /// Returns an error if there is associated data, which Triple DES and RC4 cannot authenticate.
    fn has_beside(&self, beside: &[Beside<'_>]) -> Result<(), Error> {
        match self.enc_type {
            EncType::Des3CbcSha1Kd | EncType::ArcfourHmac if !beside.is_empty() => {
                Err(Error::new(ErrorKind::Unsupported, self.enc_type))
            }
            _ => Ok(()),
        }
    }

    /// Computes the encryption type's pseudo-random function (RFC 3961 §3).
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
    pub fn prf(&self, backend: &dyn Primitives, input: &[u8]) -> Result<Secret, Error> {
        match self.enc_type {
            EncType::Des3CbcSha1Kd => des3::prf(backend, self.expose(), input),
            EncType::Aes128CtsHmacSha196 | EncType::Aes256CtsHmacSha196 => {
                sha1::prf(backend, self.cipher()?, self.expose(), input)
            }
            EncType::Aes128CtsHmacSha256128 | EncType::Aes256CtsHmacSha384192 => {
                self.sha2()?.prf(backend, self.expose(), input)
            }
            // RFC 4757 has none; this is what implementations agree on.
            EncType::ArcfourHmac => {
                super::hmac(backend, tagwise_crypto::Digest::Sha1, self.expose(), &[input], 20).map(Secret::from)
            }
            EncType::Camellia128CtsCmac | EncType::Camellia256CtsCmac => {
                camellia::prf(self.cipher()?, self.expose(), input)
            }
        }
    }

    /// Returns the cipher of an encryption type with ciphertext stealing.
    pub(super) fn cipher(&self) -> Result<CtsCipher, Error> {
        cipher(self.enc_type)
    }

    pub(super) fn sha2(&self) -> Result<sha2::Profile, Error> {
        match self.enc_type {
            EncType::Aes128CtsHmacSha256128 => Ok(sha2::AES128),
            EncType::Aes256CtsHmacSha384192 => Ok(sha2::AES256),
            other => Err(Error::new(ErrorKind::Unsupported, other)),
        }
    }
}

pub(super) fn cipher(enc_type: EncType) -> Result<CtsCipher, Error> {
    match enc_type {
        EncType::Aes128CtsHmacSha196 | EncType::Aes128CtsHmacSha256128 => Ok(CtsCipher::Aes128),
        EncType::Aes256CtsHmacSha196 | EncType::Aes256CtsHmacSha384192 => Ok(CtsCipher::Aes256),
        EncType::Camellia128CtsCmac => Ok(CtsCipher::Camellia128),
        EncType::Camellia256CtsCmac => Ok(CtsCipher::Camellia256),
        EncType::Des3CbcSha1Kd | EncType::ArcfourHmac => Err(Error::new(ErrorKind::Unsupported, enc_type)),
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.enc_type == other.enc_type && super::is_same(self.expose(), other.expose())
    }
}

impl Eq for Key {}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.enc_type)
    }
}

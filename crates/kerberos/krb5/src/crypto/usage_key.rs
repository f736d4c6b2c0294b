//! Keys prepared for encrypting or decrypting many messages with a single usage.

use core::fmt;

use tagwise_crypto::{CtsKey, Digest, Direction, Error, ErrorKind, Mac, Primitives, Secret};

use super::{Beside, ENCRYPTION, EncType, INTEGRITY, Key, constant, hmac, is_same, sha1};

/// The initialization vector at the start of a message, all zeros.
const IV: [u8; 16] = [0; 16];

/// A key that encrypts for a single usage.
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_krb5::crypto::{EncType, Key};
/// let (backend, key) = (AwsLc::new(), Key::new(EncType::Aes256CtsHmacSha196, vec![7; 32])?);
/// let (sealing, opening) = (key.sealing_key(&backend, 1)?, key.opening_key(&backend, 1)?);
/// for message in [&b"one"[..], b"two"] {
///     let sent = sealing.encrypt(&backend, message)?;
///     assert_eq!(opening.decrypt(&backend, &sent)?.expose(), message);
/// }
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Debug)]
pub struct SealingKey(UsageKey);

/// A key that decrypts for a single usage.
#[derive(Debug)]
pub struct OpeningKey(UsageKey);

enum UsageKey {
    /// AES: a cipher and an HMAC.
    Ready(Ready),
    /// Other encryption types, which derive their keys for each message.
    Other { key: Key, usage: u32 },
}

struct Ready {
    enc_type: EncType,
    cipher: CtsKey,
    mac: MacKey,
    /// True if the MAC covers the ciphertext (RFC 8009), false if it covers the plaintext (RFC 3962).
    then_mac: bool,
}

/// The integrity key.
struct MacKey {
    digest: Digest,
    /// The key's bytes. Empty if the backend holds the key.
    octets: Secret,
    ready: Option<Box<dyn Mac>>,
    len: usize,
}

impl MacKey {
    fn new(backend: &dyn Primitives, digest: Digest, key: Secret, len: usize) -> Result<Self, Error> {
        let ready = backend.ready_hmac(digest, key.expose())?;
        let octets = if ready.is_some() { Secret::default() } else { key };
        Ok(Self { digest, octets, ready, len })
    }

    fn mac(&self, backend: &dyn Primitives, pieces: &[&[u8]]) -> Result<Vec<u8>, Error> {
        let Some(ready) = &self.ready else {
            return hmac(backend, self.digest, self.octets.expose(), pieces, self.len);
        };
        let mut mac = ready.mac(pieces)?;
        mac.truncate(self.len);
        Ok(mac)
    }
}

impl fmt::Debug for UsageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(Ready { enc_type, .. }) => write!(f, "{enc_type}"),
            Self::Other { key, usage } => write!(f, "{}, {usage}", key.enc_type()),
        }
    }
}

impl Ready {
    /// Derives the keys of an AES encryption type. Returns `None` for other types.
    fn new(backend: &dyn Primitives, key: &Key, usage: u32, direction: Direction) -> Result<Option<Self>, Error> {
        let enc_type = key.enc_type();
        let (encryption, integrity, digest) = match enc_type {
            EncType::Aes128CtsHmacSha196 | EncType::Aes256CtsHmacSha196 => {
                let cipher = key.cipher()?;
                let base = sha1::base_key(backend, cipher, key.expose())?;
                let derive = |kind| sha1::derive_by(backend, &base, cipher.key_len(), &constant(usage, kind));
                (derive(ENCRYPTION)?, derive(INTEGRITY)?, Digest::Sha1)
            }
            EncType::Aes128CtsHmacSha256128 | EncType::Aes256CtsHmacSha384192 => {
                let profile = key.sha2()?;
                let derive = |kind, len| profile.derive(backend, key.expose(), &constant(usage, kind), &[], len);
                (derive(ENCRYPTION, enc_type.key_len())?, derive(INTEGRITY, profile.mac_len)?, profile.digest)
            }
            _ => return Ok(None),
        };
        Ok(Some(Self {
            enc_type,
            cipher: key.cipher()?.key(backend, direction, encryption.expose())?,
            mac: MacKey::new(backend, digest, integrity, enc_type.mac_len())?,
            then_mac: digest != Digest::Sha1,
        }))
    }

    /// Computes the MAC of a text with its associated data.
    fn signed(&self, backend: &dyn Primitives, text: &[u8], beside: &[Beside<'_>]) -> Result<Vec<u8>, Error> {
        match (self.then_mac, beside) {
            (false, []) => self.mac.mac(backend, &[text]),
            (true, []) => self.mac.mac(backend, &[&IV, text]),
            (false, _) => self.mac.mac(backend, &Beside::pieces(text, beside)),
            (true, _) => {
                let mut pieces = Beside::pieces(text, beside);
                pieces.insert(0, &IV);
                self.mac.mac(backend, &pieces)
            }
        }
    }

    /// Encrypts the text after `prefix` bytes in place, and appends the MAC.
    fn seal(
        &self,
        backend: &dyn Primitives,
        prefix: usize,
        mut text: Secret,
        beside: &[Beside<'_>],
    ) -> Result<Vec<u8>, Error> {
        let confounded = text.expose_mut().get_mut(prefix..).unwrap_or_default();
        let mac = match self.then_mac {
            false => {
                let mac = self.signed(backend, confounded, beside)?;
                self.cipher.encrypt(backend, &IV, confounded)?;
                mac
            }
            true => {
                self.cipher.encrypt(backend, &IV, confounded)?;
                self.signed(backend, confounded, beside)?
            }
        };
        let mut sent = text.into_public();
        sent.extend(mac);
        Ok(sent)
    }

    /// Decrypts in place, and returns the plaintext after the confounder if the MAC is valid.
    fn open(&self, backend: &dyn Primitives, mut text: Secret, beside: &[Beside<'_>]) -> Result<Secret, Error> {
        let wrong = |kind| Error::new(kind, self.enc_type);
        let confounder = self.enc_type.confounder_len();
        let len = text.len().checked_sub(self.mac.len).filter(|len| *len >= confounder);
        let len = len.ok_or_else(|| wrong(ErrorKind::Length))?;
        let (sent, mac) = text.expose_mut().split_at_mut_checked(len).ok_or_else(|| wrong(ErrorKind::Length))?;
        if self.then_mac && !is_same(&self.signed(backend, sent, beside)?, mac) {
            return Err(wrong(ErrorKind::Integrity));
        }
        self.cipher.decrypt(backend, &IV, sent)?;
        if !self.then_mac && !is_same(&self.signed(backend, sent, beside)?, mac) {
            return Err(wrong(ErrorKind::Integrity));
        }
        text.truncate(len);
        text.remove_front(confounder);
        Ok(text)
    }
}

impl UsageKey {
    fn new(backend: &dyn Primitives, key: &Key, usage: u32, direction: Direction) -> Result<Self, Error> {
        Ok(match Ready::new(backend, key, usage, direction)? {
            Some(ready) => Self::Ready(ready),
            None => Self::Other { key: key.clone(), usage },
        })
    }
}

impl Key {
    /// Prepares a key for encrypting many messages for one usage.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
    pub fn sealing_key(&self, backend: &dyn Primitives, usage: u32) -> Result<SealingKey, Error> {
        SealingKey::new(backend, self, usage)
    }

    /// Prepares a key for decrypting many messages for one usage.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
    pub fn opening_key(&self, backend: &dyn Primitives, usage: u32) -> Result<OpeningKey, Error> {
        OpeningKey::new(backend, self, usage)
    }
}

impl SealingKey {
    pub(super) fn new(backend: &dyn Primitives, key: &Key, usage: u32) -> Result<Self, Error> {
        UsageKey::new(backend, key, usage, Direction::Encrypt).map(Self)
    }

    /// Encrypts a plaintext like [`Key::encrypt`].
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`] if the backend fails.
    pub fn encrypt(&self, backend: &dyn Primitives, plain: &[u8]) -> Result<Vec<u8>, Error> {
        self.encrypt_behind(backend, &[], &[plain], &[])
    }

    /// Encrypts the pieces, and places the result after an unencrypted prefix. `beside` is associated data that is
    /// authenticated together with the pieces.
    pub(crate) fn encrypt_behind(
        &self,
        backend: &dyn Primitives,
        prefix: &[u8],
        pieces: &[&[u8]],
        beside: &[Beside<'_>],
    ) -> Result<Vec<u8>, Error> {
        let enc_type = match &self.0 {
            UsageKey::Ready(ready) => ready.enc_type,
            UsageKey::Other { key, .. } => key.enc_type(),
        };
        let (confounder, len) = (enc_type.confounder_len(), pieces.iter().map(|piece| piece.len()).sum::<usize>());
        let whole = prefix.len().saturating_add(enc_type.encrypted_len(len));
        let mut text = Vec::with_capacity(whole);
        text.extend(prefix);
        text.resize(text.len().saturating_add(confounder), 0);
        if let Some(random) = text.get_mut(prefix.len()..) {
            backend.random(random)?;
        }
        pieces.iter().for_each(|piece| text.extend(*piece));
        self.encrypt_confounded(backend, prefix.len(), Secret::from(text), beside)
    }

    /// Encrypts data that begins with its confounder, after a prefix.
    pub(super) fn encrypt_confounded(
        &self,
        backend: &dyn Primitives,
        prefix: usize,
        text: Secret,
        beside: &[Beside<'_>],
    ) -> Result<Vec<u8>, Error> {
        match &self.0 {
            UsageKey::Ready(ready) => {
                let beside = Beside::shifted(beside, ready.enc_type.confounder_len());
                ready.seal(backend, prefix, text, &beside)
            }
            UsageKey::Other { key, usage } => {
                let (prefix, confounded) = text.expose().split_at_checked(prefix).unwrap_or_default();
                let sent = key.encrypt_otherwise(backend, *usage, confounded, beside)?;
                Ok([prefix, &sent].concat())
            }
        }
    }
}

impl OpeningKey {
    pub(super) fn new(backend: &dyn Primitives, key: &Key, usage: u32) -> Result<Self, Error> {
        UsageKey::new(backend, key, usage, Direction::Decrypt).map(Self)
    }

    /// Decrypts a ciphertext like [`Key::decrypt`].
    ///
    /// # Errors
    /// Returns the same errors as [`Key::decrypt`].
    pub fn decrypt(&self, backend: &dyn Primitives, sent: &[u8]) -> Result<Secret, Error> {
        self.decrypt_beside(backend, Secret::from(sent), &[])
    }

    /// Decrypts in place, and verifies the associated data.
    pub(crate) fn decrypt_beside(
        &self,
        backend: &dyn Primitives,
        sent: Secret,
        beside: &[Beside<'_>],
    ) -> Result<Secret, Error> {
        match &self.0 {
            UsageKey::Ready(ready) => {
                ready.open(backend, sent, &Beside::shifted(beside, ready.enc_type.confounder_len()))
            }
            UsageKey::Other { key, usage } => key.decrypt_otherwise(backend, *usage, sent.expose(), beside),
        }
    }
}

//! Primitives for messages, in addition to signatures: digests, MACs, key derivation and ciphers.

use crate::{Cipher, Digest, Error, ErrorKind, Secret, Wrap};

/// An incremental digest or MAC.
pub trait Hasher: Send {
    /// Adds input.
    fn update(&mut self, octets: &[u8]);

    /// Returns the digest or MAC of the input.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`] if the library or token failed, now or during an earlier update.
    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error>;
}

/// The direction in which a cipher key is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Encryption.
    Encrypt,
    /// Decryption.
    Decrypt,
}

/// A CBC cipher with a prepared key, for whole blocks in place, without padding.
pub trait Blocks: Send + Sync {
    /// Encrypts or decrypts, depending on the key's direction.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`] if the length is not a multiple of the block size, or the library failed. Discard the
    /// bytes after an error.
    fn run(&self, iv: &[u8; 16], blocks: &mut [u8]) -> Result<(), Error>;
}

/// An HMAC with a prepared key.
pub trait Mac: Send + Sync {
    /// Computes the MAC of the concatenated pieces.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`].
    fn mac(&self, pieces: &[&[u8]]) -> Result<Vec<u8>, Error>;
}

/// A backend's functions that do not need long-lived keys.
pub trait Primitives {
    /// Fills a buffer with cryptographically secure random bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`].
    fn random(&self, octets: &mut [u8]) -> Result<(), Error>;

    /// Creates an incremental digest.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`].
    fn hasher(&self, digest: Digest) -> Result<Box<dyn Hasher>, Error>;

    /// Creates an incremental HMAC (RFC 2104).
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`].
    fn hmac(&self, digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error>;

    /// Derives a key with PBKDF2 and HMAC (RFC 8018 §5.2). The caller must limit the number of iterations.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`]; [`ErrorKind::Parameters`] for zero iterations.
    fn pbkdf2(
        &self,
        digest: Digest,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        key: &mut [u8],
    ) -> Result<(), Error>;

    /// Derives a key with HKDF extract and expand (RFC 5869).
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`]; [`ErrorKind::Length`] for more than 255 times the digest's length.
    fn hkdf(&self, digest: Digest, salt: &[u8], secret: &[u8], info: &[u8], key: &mut [u8]) -> Result<(), Error>;

    /// Encrypts. CBC adds padding (RFC 5652 §6.3) and does not support associated data; GCM appends its tag.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] for a wrong key or vector length, [`ErrorKind::Parameters`] for associated data with CBC.
    fn encrypt(&self, cipher: Cipher, key: &[u8], iv: &[u8], associated: &[u8], plain: &[u8])
    -> Result<Vec<u8>, Error>;

    /// Decrypts the output of [`encrypt`](Self::encrypt).
    ///
    /// # Errors
    /// The errors of [`encrypt`](Self::encrypt); [`ErrorKind::Integrity`] if the padding or the tag is wrong.
    fn decrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        ciphertext: &[u8],
    ) -> Result<Secret, Error>;

    /// Prepares a CBC key without padding for many messages. The default implementation returns `None`; use
    /// [`encrypt`](Self::encrypt) and [`decrypt`](Self::decrypt) for each message instead.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] for a wrong key length; [`ErrorKind::Parameters`] for a cipher that is not CBC.
    fn ready_cbc(&self, cipher: Cipher, direction: Direction, key: &[u8]) -> Result<Option<Box<dyn Blocks>>, Error> {
        let _ = (direction, key);
        match cipher.is_authenticated() {
            true => Err(Error::new(ErrorKind::Parameters, cipher)),
            false => Ok(None),
        }
    }

    /// Prepares an HMAC key for many messages. The default implementation returns `None`, as for
    /// [`ready_cbc`](Self::ready_cbc); use [`hmac`](Self::hmac) instead.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`].
    fn ready_hmac(&self, digest: Digest, key: &[u8]) -> Result<Option<Box<dyn Mac>>, Error> {
        let _ = (digest, key);
        Ok(None)
    }

    /// Wraps a key (RFC 3394 §2.2.1). The result is eight bytes longer.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] for a wrong length of either key: the wrapped key must be a multiple of eight bytes, and
    /// at least 16.
    fn wrap(&self, wrap: Wrap, key: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error>;

    /// Unwraps a key (RFC 3394 §2.2.2).
    ///
    /// # Errors
    /// [`ErrorKind::Length`]; [`ErrorKind::Integrity`] for a wrong key or damaged data.
    fn unwrap(&self, wrap: Wrap, key: &[u8], wrapped: &[u8]) -> Result<Secret, Error>;

    /// Computes a digest.
    ///
    /// # Errors
    /// The errors of [`hasher`](Self::hasher).
    fn digest(&self, digest: Digest, octets: &[u8]) -> Result<Vec<u8>, Error> {
        let mut hasher = self.hasher(digest)?;
        hasher.update(octets);
        hasher.finish()
    }
}

/// Checks lengths against the algorithm's requirements.
pub(crate) fn lengths(name: &'static str, pairs: &[(usize, usize)]) -> Result<(), Error> {
    match pairs.iter().all(|(has, wants)| has == wants) {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::Length, name)),
    }
}

/// Compares two values in constant time.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other));
    one.len() == other.len() && core::hint::black_box(differing) == 0
}

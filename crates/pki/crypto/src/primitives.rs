//! Primitives for messages, in addition to signatures: digests, MACs, key derivation and ciphers.

use crate::{Cipher, Digest, Error, ErrorKind, Secret, Wrap};

/// An incremental digest or MAC.
pub trait Hasher: Send {
    /// Adds input.
    fn update(&mut self, octets: &[u8]);

    /// Returns the digest or MAC of the input.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`] if the library or token failed, now or during an earlier update.
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
    /// Encrypts or decrypts blocks in place, depending on the key's direction.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`] if the length is not a multiple of the block size, or the library failed. Discard the
    /// bytes after an error.
    fn run(&self, iv: &[u8; 16], blocks: &mut [u8]) -> Result<(), Error>;
}

/// An HMAC with a prepared key.
pub trait Mac: Send + Sync {
    /// Computes the MAC of the concatenated pieces.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`] if the library or token failed.
    fn mac(&self, pieces: &[&[u8]]) -> Result<Vec<u8>, Error>;
}

/// A backend's functions that do not need long-lived keys.
pub trait Primitives {
    /// Fills a buffer with cryptographically secure random bytes.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`] if the random number generator failed.
    fn random(&self, octets: &mut [u8]) -> Result<(), Error>;

    /// Creates an incremental digest.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the digest.
    fn hasher(&self, digest: Digest) -> Result<Box<dyn Hasher>, Error>;

    /// Creates an incremental HMAC (RFC 2104).
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support HMAC with this digest.
    fn hmac(&self, digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error>;

    /// Derives a key with PBKDF2 and HMAC (RFC 8018 §5.2). The caller must limit the number of iterations.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support PBKDF2 with this digest, or
    /// [`ErrorKind::Parameters`] for zero iterations.
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
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support HKDF with this digest, or [`ErrorKind::Length`] if
    /// the key is longer than 255 digests.
    fn hkdf(&self, digest: Digest, salt: &[u8], secret: &[u8], info: &[u8], key: &mut [u8]) -> Result<(), Error>;

    /// Encrypts a message. CBC adds padding (RFC 5652 §6.3) and does not support associated data. GCM appends its tag.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the key or initialization vector has the wrong length, or [`ErrorKind::Parameters`]
    /// if associated data is given for CBC.
    fn encrypt(&self, cipher: Cipher, key: &[u8], iv: &[u8], associated: &[u8], plain: &[u8])
    -> Result<Vec<u8>, Error>;

    /// Decrypts the output of [`encrypt`](Self::encrypt).
    ///
    /// # Errors
    /// Returns [`ErrorKind::Integrity`] if the padding or the tag is wrong, or any error from [`encrypt`](Self::encrypt).
    fn decrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        ciphertext: &[u8],
    ) -> Result<Secret, Error>;

    /// Prepares a CBC key for encrypting or decrypting many messages without padding. The default implementation returns
    /// `None`. In that case, use [`encrypt`](Self::encrypt) and [`decrypt`](Self::decrypt) for each message.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the key has the wrong length, or [`ErrorKind::Parameters`] if the cipher's mode is
    /// not CBC.
    fn ready_cbc(&self, cipher: Cipher, direction: Direction, key: &[u8]) -> Result<Option<Box<dyn Blocks>>, Error> {
        let _ = (direction, key);
        match cipher.is_authenticated() {
            true => Err(Error::new(ErrorKind::Parameters, cipher)),
            false => Ok(None),
        }
    }

    /// Prepares an HMAC key for many messages. The default implementation returns `None`. In that case, use
    /// [`hmac`](Self::hmac) for each message.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support HMAC with this digest.
    fn ready_hmac(&self, digest: Digest, key: &[u8]) -> Result<Option<Box<dyn Mac>>, Error> {
        let _ = (digest, key);
        Ok(None)
    }

    /// Wraps a key (RFC 3394 §2.2.1). The result is eight bytes longer.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if either key has the wrong length. The length of the key to wrap must be a multiple of
    /// eight bytes, and at least 16.
    fn wrap(&self, wrap: Wrap, key: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error>;

    /// Unwraps a key (RFC 3394 §2.2.2).
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if either input has the wrong length, or [`ErrorKind::Integrity`] if the key is wrong
    /// or the data is damaged.
    fn unwrap(&self, wrap: Wrap, key: &[u8], wrapped: &[u8]) -> Result<Secret, Error>;

    /// Computes a digest.
    ///
    /// # Errors
    /// Returns any error from [`hasher`](Self::hasher).
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

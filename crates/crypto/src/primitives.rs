//! Digests, MACs, key derivation, ciphers: what messages need besides signatures.

use crate::{Cipher, Digest, Error, ErrorKind, Secret, Wrap};

/// Something that takes octets in pieces and ends in a few: a digest or a MAC.
pub trait Hasher: Send {
    /// Takes more.
    fn update(&mut self, octets: &[u8]);

    /// The digest or the MAC of all that was taken.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`] if the library or the token failed, now or at an octet before.
    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error>;
}

/// The direction of a key: it encrypts or decrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// It encrypts.
    Encrypt,
    /// It decrypts.
    Decrypt,
}

/// A cipher in CBC mode with its key made ready: whole blocks in place, without padding.
pub trait Blocks: Send + Sync {
    /// Encrypts or decrypts, as it was made for.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`] for octets that are no whole number of blocks, or if the library failed; they are then to be thrown away.
    fn run(&self, iv: &[u8; 16], blocks: &mut [u8]) -> Result<(), Error>;
}

/// An HMAC with its key made ready.
pub trait Mac: Send + Sync {
    /// The MAC of the pieces, one behind the other.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`].
    fn mac(&self, pieces: &[&[u8]]) -> Result<Vec<u8>, Error>;
}

/// Functions of a backend without long-lived keys.
pub trait Primitives {
    /// Fills with octets that nobody can guess.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`].
    fn random(&self, octets: &mut [u8]) -> Result<(), Error>;

    /// A digest to be fed.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`].
    fn hasher(&self, digest: Digest) -> Result<Box<dyn Hasher>, Error>;

    /// An HMAC (RFC 2104) to be fed.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`].
    fn hmac(&self, digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error>;

    /// PBKDF2 with an HMAC (RFC 8018 §5.2): fills the key. How many iterations are taken is the caller's limit to set.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`]; [`ErrorKind::Parameters`] for no iterations.
    fn pbkdf2(
        &self,
        digest: Digest,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        key: &mut [u8],
    ) -> Result<(), Error>;

    /// HKDF (RFC 5869), extract and expand: fills the key.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`]; [`ErrorKind::Length`] for more than 255 digests.
    fn hkdf(&self, digest: Digest, salt: &[u8], secret: &[u8], info: &[u8], key: &mut [u8]) -> Result<(), Error>;

    /// Encrypts. CBC pads (RFC 5652 §6.3) and takes no associated data; GCM puts its tag behind.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] of the key or the vector, [`ErrorKind::Parameters`] for data that CBC cannot bind.
    fn encrypt(&self, cipher: Cipher, key: &[u8], iv: &[u8], associated: &[u8], plain: &[u8])
    -> Result<Vec<u8>, Error>;

    /// Decrypts what [`encrypt`](Self::encrypt) makes.
    ///
    /// # Errors
    /// Those of [`encrypt`](Self::encrypt); [`ErrorKind::Integrity`] if the padding or the tag is wrong.
    fn decrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        ciphertext: &[u8],
    ) -> Result<Secret, Error>;

    /// CBC without padding, its key made ready for many messages. `None` of a backend that has no such thing, as by default:
    /// [`encrypt`](Self::encrypt) and [`decrypt`](Self::decrypt) then do the same for each message.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] of the key; [`ErrorKind::Parameters`] for a cipher that is not CBC.
    fn ready_cbc(&self, cipher: Cipher, direction: Direction, key: &[u8]) -> Result<Option<Box<dyn Blocks>>, Error> {
        let _ = (direction, key);
        match cipher.is_authenticated() {
            true => Err(Error::new(ErrorKind::Parameters, cipher)),
            false => Ok(None),
        }
    }

    /// An HMAC, its key made ready for many messages. `None` as for [`ready_cbc`](Self::ready_cbc): [`hmac`](Self::hmac) does the same.
    ///
    /// # Errors
    /// [`ErrorKind::NotOffered`].
    fn ready_hmac(&self, digest: Digest, key: &[u8]) -> Result<Option<Box<dyn Mac>>, Error> {
        let _ = (digest, key);
        Ok(None)
    }

    /// Wraps a key (RFC 3394 §2.2.1): eight octets more.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] of either key: what is wrapped is a multiple of eight octets, and at least two of them.
    fn wrap(&self, wrap: Wrap, key: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error>;

    /// Unwraps a key (RFC 3394 §2.2.2).
    ///
    /// # Errors
    /// [`ErrorKind::Length`]; [`ErrorKind::Integrity`] if it was wrapped with another key, or damaged.
    fn unwrap(&self, wrap: Wrap, key: &[u8], wrapped: &[u8]) -> Result<Secret, Error>;

    /// The digest of some octets.
    ///
    /// # Errors
    /// Those of [`hasher`](Self::hasher).
    fn digest(&self, digest: Digest, octets: &[u8]) -> Result<Vec<u8>, Error> {
        let mut hasher = self.hasher(digest)?;
        hasher.update(octets);
        hasher.finish()
    }
}

/// Checks that lengths are those of the algorithm.
pub(crate) fn lengths(name: &'static str, pairs: &[(usize, usize)]) -> Result<(), Error> {
    match pairs.iter().all(|(has, wants)| has == wants) {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::Length, name)),
    }
}

/// Compares without telling by its time how far two values are the same.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other));
    one.len() == other.len() && core::hint::black_box(differing) == 0
}

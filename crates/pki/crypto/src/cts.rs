//! Ciphertext stealing for Kerberos: CBC with the last two blocks swapped, which needs no padding and preserves the length
//! (RFC 3962 §5, RFC 6803 §6; CBC-CS3 in the addendum to NIST SP 800-38A). Also contains Camellia CMAC, which is used with
//! it.

use core::fmt;

use camellia::{Camellia128, Camellia256};
use cbc::cipher::block_padding::NoPadding;
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use cbc::{Decryptor, Encryptor};
use cmac::{Cmac, KeyInit as _, Mac as _};

use zeroize::Zeroizing;

use crate::{Blocks, Cipher, Direction, Error, ErrorKind, Primitives, Secret};

/// The length of a block and of an initialization vector, in bytes.
const BLOCK: usize = 16;

/// A cipher with ciphertext stealing.
///
/// The plaintext must be at least one block long, which Kerberos ensures by prepending a random block. A single block is
/// encrypted with plain CBC.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::{CtsCipher, backends::AwsLc};
/// let (backend, key) = (AwsLc::new(), b"chicken teriyaki");
/// let sent = CtsCipher::Aes128.encrypt(&backend, key, &[0; 16], b"I would like the General Gau's Chicken")?;
/// assert_eq!(sent.len(), 38);
/// let read = CtsCipher::Aes128.decrypt(&backend, key, &[0; 16], &sent)?;
/// assert_eq!(read.expose(), b"I would like the General Gau's Chicken");
/// # }
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CtsCipher {
    /// AES-128, implemented by the backend.
    Aes128,
    /// AES-256, implemented by the backend.
    Aes256,
    /// Camellia-128, implemented here because some backends do not support it.
    Camellia128,
    /// Camellia-256.
    Camellia256,
}

impl CtsCipher {
    /// All ciphers.
    pub const ALL: &'static [Self] = &[Self::Aes128, Self::Aes256, Self::Camellia128, Self::Camellia256];

    /// Returns the cipher's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aes128 => "AES-128-CTS",
            Self::Aes256 => "AES-256-CTS",
            Self::Camellia128 => "Camellia-128-CTS",
            Self::Camellia256 => "Camellia-256-CTS",
        }
    }

    /// Returns the key length in bytes.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128 | Self::Camellia128 => 16,
            Self::Aes256 | Self::Camellia256 => 32,
        }
    }

    /// Encrypts a message. The ciphertext is as long as the plaintext.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the key or initialization vector has the wrong length, or the message is shorter
    /// than a block. Returns [`ErrorKind::NotOffered`] if the backend does not support the cipher.
    pub fn encrypt(self, backend: &dyn Primitives, key: &[u8], iv: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error> {
        let mut text = Secret::from(plain);
        self.key(backend, Direction::Encrypt, key)?.encrypt(backend, &self.vector(iv)?, text.expose_mut())?;
        Ok(text.into_public())
    }

    /// Decrypts the output of [`encrypt`](Self::encrypt). Modifications are not detected, so combine it with a MAC.
    ///
    /// # Errors
    /// Returns any error from [`encrypt`](Self::encrypt).
    pub fn decrypt(self, backend: &dyn Primitives, key: &[u8], iv: &[u8], sent: &[u8]) -> Result<Secret, Error> {
        let mut text = Secret::from(sent);
        self.key(backend, Direction::Decrypt, key)?.decrypt(backend, &self.vector(iv)?, text.expose_mut())?;
        Ok(text)
    }

    /// Prepares a key for many messages in one direction.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the key has the wrong length, and [`ErrorKind::NotOffered`] if the backend does not
    /// support the cipher.
    pub fn key(self, backend: &dyn Primitives, direction: Direction, key: &[u8]) -> Result<CtsKey, Error> {
        if key.len() != self.key_len() {
            return Err(Error::new(ErrorKind::Length, self));
        }
        let ready = match self.aes() {
            Some(cipher) => backend.ready_cbc(cipher, direction, key)?,
            None => None,
        };
        let octets = if ready.is_some() { Secret::default() } else { Secret::from(key) };
        Ok(CtsKey { cipher: self, direction, octets, ready })
    }

    fn vector(self, iv: &[u8]) -> Result<[u8; BLOCK], Error> {
        iv.first_chunk().filter(|_| iv.len() == BLOCK).copied().ok_or_else(|| Error::new(ErrorKind::Length, self))
    }

    /// Returns the AES cipher in CBC mode, with padding, that a backend supports.
    const fn aes(self) -> Option<Cipher> {
        match self {
            Self::Aes128 => Some(Cipher::Aes128Cbc),
            Self::Aes256 => Some(Cipher::Aes256Cbc),
            Self::Camellia128 | Self::Camellia256 => None,
        }
    }

    /// Encrypts whole blocks in CBC mode.
    fn encrypt_blocks(self, backend: &dyn Primitives, key: &[u8], iv: &[u8], blocks: &[u8]) -> Result<Vec<u8>, Error> {
        let length = |error: cbc::cipher::InvalidLength| Error::new(ErrorKind::Length, self).because(error.to_string());
        match (self, self.aes()) {
            (_, Some(cipher)) => {
                let mut padded = backend.encrypt(cipher, key, iv, &[], blocks)?;
                // Behind whole blocks the padding is a block of its own.
                padded.truncate(blocks.len());
                Ok(padded)
            }
            (Self::Camellia128, None) => Encryptor::<Camellia128>::new_from_slices(key, iv)
                .map(|cipher| cipher.encrypt_padded_vec::<NoPadding>(blocks))
                .map_err(length),
            (_, None) => Encryptor::<Camellia256>::new_from_slices(key, iv)
                .map(|cipher| cipher.encrypt_padded_vec::<NoPadding>(blocks))
                .map_err(length),
        }
    }

    /// Decrypts whole blocks in CBC mode.
    fn decrypt_blocks(self, backend: &dyn Primitives, key: &[u8], iv: &[u8], blocks: &[u8]) -> Result<Secret, Error> {
        let length = |error: cbc::cipher::InvalidLength| Error::new(ErrorKind::Length, self).because(error.to_string());
        let broken =
            |error: cbc::cipher::block_padding::Error| Error::new(ErrorKind::Length, self).because(error.to_string());
        match (self, self.aes()) {
            (_, Some(cipher)) => {
                // The backend wants a padding behind the blocks: that of nothing, chained to the last one.
                let chain = blocks.last_chunk::<BLOCK>().ok_or_else(|| Error::new(ErrorKind::Length, self))?;
                let padding = backend.encrypt(cipher, key, chain, &[], &[])?;
                backend.decrypt(cipher, key, iv, &[], &[blocks, &padding].concat())
            }
            (Self::Camellia128, None) => {
                let cipher = Decryptor::<Camellia128>::new_from_slices(key, iv).map_err(length)?;
                cipher.decrypt_padded_vec::<NoPadding>(blocks).map(Secret::from).map_err(broken)
            }
            (_, None) => {
                let cipher = Decryptor::<Camellia256>::new_from_slices(key, iv).map_err(length)?;
                cipher.decrypt_padded_vec::<NoPadding>(blocks).map(Secret::from).map_err(broken)
            }
        }
    }
}

/// A prepared key of a cipher with ciphertext stealing, for one direction.
pub struct CtsKey {
    cipher: CtsCipher,
    direction: Direction,
    /// The key bytes, or empty if the backend holds the key.
    octets: Secret,
    ready: Option<Box<dyn Blocks>>,
}

impl fmt::Debug for CtsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CtsKey({}, {:?})", self.cipher, self.direction)
    }
}

impl CtsKey {
    /// Encrypts a message in place.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the message is shorter than a block, [`ErrorKind::WrongKey`] for a decryption key,
    /// or the backend's error. Discard the message after an error.
    pub fn encrypt(&self, backend: &dyn Primitives, iv: &[u8; BLOCK], text: &mut [u8]) -> Result<(), Error> {
        let at = self.start_of_last(Direction::Encrypt, text)?;
        let (blocks, end) = text.split_at_mut_checked(at).unwrap_or_default();
        if blocks.is_empty() {
            return self.blocks(backend, iv, end);
        }
        self.blocks(backend, iv, blocks)?;
        // The last block, padded with zeros, and the one before it are swapped; the latter loses the padded part.
        let Some(before) = blocks.last_chunk_mut::<BLOCK>() else { return Err(self.short()) };
        let mut last = Zeroizing::new([0; BLOCK]);
        last.iter_mut().zip(&*end).for_each(|(to, from)| *to = *from);
        self.blocks(backend, before, last.as_mut_slice())?;
        end.iter_mut().zip(&*before).for_each(|(to, from)| *to = *from);
        *before = *last;
        Ok(())
    }

    /// Decrypts the output of [`encrypt`](Self::encrypt) in place. Modifications are not detected, so combine it with a MAC.
    ///
    /// # Errors
    /// Returns any error from [`encrypt`](Self::encrypt).
    pub fn decrypt(&self, backend: &dyn Primitives, iv: &[u8; BLOCK], text: &mut [u8]) -> Result<(), Error> {
        let at = self.start_of_last(Direction::Decrypt, text)?;
        let (blocks, end) = text.split_at_mut_checked(at).unwrap_or_default();
        if blocks.is_empty() {
            return self.blocks(backend, iv, end);
        }
        let chain = blocks.split_last_chunk::<BLOCK>().and_then(|(before, _)| before.last_chunk::<BLOCK>());
        let chain = *chain.unwrap_or(iv);
        self.blocks(backend, iv, blocks)?;
        // Without the chain, the last block is the last plaintext XORed with the block before it, and ends in what that one lacks.
        let Some(last) = blocks.last_chunk_mut::<BLOCK>() else { return Err(self.short()) };
        last.iter_mut().zip(&chain).for_each(|(octet, other)| *octet ^= other);
        let mut whole = Zeroizing::new(*last);
        for ((whole, mixed), stolen) in whole.iter_mut().zip(&*last).zip(end) {
            *whole = *stolen;
            *stolen ^= mixed;
        }
        self.blocks(backend, &chain, whole.as_mut_slice())?;
        *last = *whole;
        Ok(())
    }

    /// Returns the offset of the last block, which has 1 to 16 bytes.
    fn start_of_last(&self, direction: Direction, text: &[u8]) -> Result<usize, Error> {
        if direction != self.direction {
            return Err(Error::new(ErrorKind::WrongKey, self.cipher));
        }
        let most = text.len().checked_sub(BLOCK).ok_or_else(|| self.short())?;
        // A single block is the last one.
        Ok(most.next_multiple_of(BLOCK))
    }

    fn short(&self) -> Error {
        Error::new(ErrorKind::Length, self.cipher)
    }

    /// Encrypts or decrypts whole blocks in CBC mode.
    fn blocks(&self, backend: &dyn Primitives, iv: &[u8; BLOCK], blocks: &mut [u8]) -> Result<(), Error> {
        if let Some(ready) = &self.ready {
            return ready.run(iv, blocks);
        }
        let key = self.octets.expose();
        let made = match self.direction {
            Direction::Encrypt => Secret::from(self.cipher.encrypt_blocks(backend, key, iv, blocks)?),
            Direction::Decrypt => self.cipher.decrypt_blocks(backend, key, iv, blocks)?,
        };
        if made.len() != blocks.len() {
            return Err(Error::new(ErrorKind::Failed, self.cipher));
        }
        blocks.copy_from_slice(made.expose());
        Ok(())
    }
}

impl fmt::Display for CtsCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Computes a 16-byte Camellia CMAC (RFC 6803 §4, NIST SP 800-38B) under a key of 16 or 32 bytes.
///
/// # Errors
/// Returns [`ErrorKind::Length`] if the key has a different length.
pub fn camellia_cmac(key: &[u8], octets: &[u8]) -> Result<Vec<u8>, Error> {
    let length =
        |error: cbc::cipher::InvalidLength| Error::new(ErrorKind::Length, "Camellia-CMAC").because(error.to_string());
    Ok(match key.len() {
        16 => {
            let mac = Cmac::<Camellia128>::new_from_slice(key).map_err(length)?;
            mac.chain_update(octets).finalize().into_bytes().to_vec()
        }
        _ => {
            let mac = Cmac::<Camellia256>::new_from_slice(key).map_err(length)?;
            mac.chain_update(octets).finalize().into_bytes().to_vec()
        }
    })
}

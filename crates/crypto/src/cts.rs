//! Ciphertext stealing, as Kerberos encrypts: CBC whose last two blocks change places, so that nothing is padded and nothing grows
//! (RFC 3962 §5, RFC 6803 §6; CBC-CS3 of NIST SP 800-38A's addendum). And CMAC with Camellia, which goes with it there.

use core::fmt;

use camellia::{Camellia128, Camellia256};
use cbc::cipher::block_padding::NoPadding;
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use cbc::{Decryptor, Encryptor};
use cmac::{Cmac, KeyInit as _, Mac as _};

use crate::{Cipher, Error, ErrorKind, Primitives, Secret};

/// The octets of a block, and of an initialisation vector.
const BLOCK: usize = 16;

/// A cipher with ciphertext stealing.
///
/// What is encrypted has a block at least: Kerberos puts one of random octets in front. A single block is plain CBC.
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
    /// AES with keys of 128 bits, by the backend.
    Aes128,
    /// AES with keys of 256 bits, by the backend.
    Aes256,
    /// Camellia with keys of 128 bits, here: not all backends have it.
    Camellia128,
    /// Camellia with keys of 256 bits.
    Camellia256,
}

impl CtsCipher {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Aes128, Self::Aes256, Self::Camellia128, Self::Camellia256];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aes128 => "AES-128-CTS",
            Self::Aes256 => "AES-256-CTS",
            Self::Camellia128 => "Camellia-128-CTS",
            Self::Camellia256 => "Camellia-256-CTS",
        }
    }

    /// The octets of a key.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128 | Self::Camellia128 => 16,
            Self::Aes256 | Self::Camellia256 => 32,
        }
    }

    /// Encrypts: as many octets come out as go in.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] of the key or the vector, or of less than a block; [`ErrorKind::NotOffered`].
    pub fn encrypt(self, backend: &dyn Primitives, key: &[u8], iv: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error> {
        self.check(key, iv, plain)?;
        let mut padded = Secret::from(plain);
        let zeros = plain.len().next_multiple_of(BLOCK) - plain.len();
        if zeros > 0 {
            padded = Secret::from([plain, [0; BLOCK].get(..zeros).unwrap_or_default()].concat());
        }
        let mut blocks = self.encrypt_blocks(backend, key, iv, padded.expose())?;
        // The last two change places, and what the one before the last gave up goes.
        if let Some(start) = blocks.len().checked_sub(2 * BLOCK)
            && let Some(last) = blocks.get_mut(start..)
        {
            last.rotate_left(BLOCK);
        }
        blocks.truncate(plain.len());
        Ok(blocks)
    }

    /// Decrypts what [`encrypt`](Self::encrypt) makes. Nothing here notices damage: a MAC has to.
    ///
    /// # Errors
    /// Those of [`encrypt`](Self::encrypt).
    pub fn decrypt(self, backend: &dyn Primitives, key: &[u8], iv: &[u8], sent: &[u8]) -> Result<Secret, Error> {
        self.check(key, iv, sent)?;
        // One to sixteen octets behind whole blocks.
        let rest = (sent.len() - 1) % BLOCK + 1;
        let (blocks, stolen_from) = sent.split_at_checked(sent.len() - rest).unwrap_or_default();
        let Some((before, last)) = blocks.split_last_chunk::<BLOCK>() else {
            return self.decrypt_blocks(backend, key, iv, sent);
        };
        // The last block, decrypted alone, is the last plaintext XORed with the block before it, and ends in what that one lacks.
        let mixed = self.decrypt_blocks(backend, key, &[0; BLOCK], last)?;
        let (mixed, tail) = mixed.expose().split_at_checked(rest).unwrap_or_default();
        let whole = [before, stolen_from, tail].concat();
        let first = self.decrypt_blocks(backend, key, iv, &whole)?;
        let end: Vec<u8> = mixed.iter().zip(stolen_from).map(|(one, other)| one ^ other).collect();
        let end = Secret::from(end);
        Ok(Secret::from([first.expose(), end.expose()].concat()))
    }

    fn check(self, key: &[u8], iv: &[u8], octets: &[u8]) -> Result<(), Error> {
        match key.len() == self.key_len() && iv.len() == BLOCK && octets.len() >= BLOCK {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Length, self)),
        }
    }

    /// The AES that a backend has in CBC mode, with padding.
    const fn aes(self) -> Option<Cipher> {
        match self {
            Self::Aes128 => Some(Cipher::Aes128Cbc),
            Self::Aes256 => Some(Cipher::Aes256Cbc),
            Self::Camellia128 | Self::Camellia256 => None,
        }
    }

    /// Whole blocks in CBC mode.
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

    /// The reverse.
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

impl fmt::Display for CtsCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// CMAC with Camellia (RFC 6803 §4, NIST SP 800-38B): 16 octets, under a key of 16 or 32.
///
/// # Errors
/// [`ErrorKind::Length`] of the key.
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

//! Legacy ciphers for old files: Triple DES, RC2 and RC4, implemented without a backend. They are used for encryption only
//! if compatibility with old software is explicitly selected
//! ([`Pkcs12Layout::LegacyWindows`](tagwise_pkix::build::Pkcs12Layout)).

use core::fmt;

use cbc::cipher::block_padding::{Error as UnpadError, NoPadding, Pkcs7};
use cbc::cipher::{BlockCipherDecrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, KeyInit, KeyIvInit};
use cbc::{Decryptor, Encryptor};
use des::TdesEde3;
use rc2::Rc2;
use rc4::{Rc4, StreamCipher as _};
use tagwise_codec::Any;
use tagwise_pkix::pkcs5::Rc2CbcParameter;

use crate::{Error, ErrorKind, Secret};

/// A legacy cipher, found only in old files.
///
/// ```
/// use tagwise_crypto::OldCipher;
/// let key = [7; 24];
/// let ciphertext = OldCipher::TripleDesCbc.encrypt(&key, &[0; 8], b"what was said")?;
/// assert_eq!(OldCipher::TripleDesCbc.decrypt(&key, &[0; 8], &ciphertext)?.expose(), b"what was said");
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OldCipher {
    /// Triple DES in CBC mode (RFC 3370 §5.1), with a key of 24 bytes, or of 16 bytes whose first half is repeated.
    TripleDesCbc,
    /// RC2 in CBC mode (RFC 2268). Contains the effective key length in bits.
    Rc2Cbc(u16),
    /// RC4, without initialization vector or padding.
    Rc4,
}

impl OldCipher {
    /// Returns the cipher's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TripleDesCbc => "Triple DES",
            Self::Rc2Cbc(_) => "RC2",
            Self::Rc4 => "RC4",
        }
    }

    /// Returns the length of the initialization vector in bytes.
    #[must_use]
    pub const fn iv_len(self) -> usize {
        match self {
            Self::TripleDesCbc | Self::Rc2Cbc(_) => 8,
            Self::Rc4 => 0,
        }
    }

    /// Decodes the parameters of RC2 in CBC mode, and returns the cipher and the initialization vector.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] if they are invalid.
    pub(crate) fn rc2_of<'a>(parameters: &Any<'a>) -> Result<(Self, &'a [u8]), Error> {
        let wrong = || Error::new(ErrorKind::Parameters, "RC2");
        let read: Rc2CbcParameter<'a> = parameters.decode_as().map_err(|error| wrong().because(error))?;
        // RFC 3370 §5.2: the version stands for the bits of the key that count; RFC 8018 §B.2.3: none stands for 32.
        let version = read.rc2_parameter_version.map(u16::try_from).transpose();
        let bits = match version.map_err(|error| wrong().because(error.to_string()))? {
            None => 32,
            Some(160) => 40,
            Some(120) => 64,
            Some(58) => 128,
            Some(bits @ 256..=1024) => bits,
            Some(_) => return Err(wrong()),
        };
        Ok((Self::Rc2Cbc(bits), read.iv.as_bytes()))
    }

    /// Returns the default key length in bytes.
    pub(crate) fn key_len(self) -> usize {
        match self {
            Self::TripleDesCbc => 24,
            Self::Rc2Cbc(bits) => usize::from(bits.div_ceil(8)),
            Self::Rc4 => 16,
        }
    }

    /// Encrypts a message. Triple DES and RC2 add padding.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the key or initialization vector has the wrong length.
    pub fn encrypt(self, key: &[u8], iv: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(match self {
            Self::TripleDesCbc => self.triple_des_encryptor(key, iv)?.encrypt_padded_vec::<Pkcs7>(plain),
            Self::Rc2Cbc(bits) => {
                let cipher = self.rc2(key, bits)?;
                let cipher = Encryptor::<Rc2>::inner_iv_slice_init(cipher, iv).map_err(|error| self.length(error))?;
                cipher.encrypt_padded_vec::<Pkcs7>(plain)
            }
            Self::Rc4 => self.rc4(key, iv, plain)?.expose().to_vec(),
        })
    }

    /// Decrypts the output of [`encrypt`](Self::encrypt).
    ///
    /// # Errors
    /// Returns [`ErrorKind::Length`] if the key or initialization vector has the wrong length, and [`ErrorKind::Integrity`] if
    /// the padding is wrong.
    pub fn decrypt(self, key: &[u8], iv: &[u8], ciphertext: &[u8]) -> Result<Secret, Error> {
        // Errors in the padding are not described, because only an attacker could use the description.
        let damaged = |UnpadError| Error::new(ErrorKind::Integrity, self);
        match self {
            Self::TripleDesCbc => {
                let cipher = self.triple_des_decryptor(key, iv)?;
                cipher.decrypt_padded_vec::<Pkcs7>(ciphertext).map(Secret::from).map_err(damaged)
            }
            Self::Rc2Cbc(bits) => {
                let cipher = self.rc2(key, bits)?;
                let cipher = Decryptor::<Rc2>::inner_iv_slice_init(cipher, iv).map_err(|error| self.length(error))?;
                cipher.decrypt_padded_vec::<Pkcs7>(ciphertext).map(Secret::from).map_err(damaged)
            }
            Self::Rc4 => self.rc4(key, iv, ciphertext),
        }
    }

    /// Encrypts or decrypts whole blocks with Triple DES, without padding.
    pub(crate) fn triple_des_blocks(key: &[u8], iv: &[u8], octets: &[u8], encrypts: bool) -> Result<Secret, Error> {
        let cipher = Self::TripleDesCbc;
        if !octets.len().is_multiple_of(8) {
            return Err(Error::new(ErrorKind::Length, cipher));
        }
        if encrypts {
            let blocks = cipher.triple_des_encryptor(key, iv)?.encrypt_padded_vec::<NoPadding>(octets);
            return Ok(Secret::from(blocks));
        }
        let blocks = cipher.triple_des_decryptor(key, iv)?.decrypt_padded_vec::<NoPadding>(octets);
        blocks.map(Secret::from).map_err(|UnpadError| Error::new(ErrorKind::Integrity, cipher))
    }

    fn length(self, error: impl fmt::Display) -> Error {
        Error::new(ErrorKind::Length, self).because(error.to_string())
    }

    /// Expands a 16-byte key to 24 bytes.
    fn three_keys(key: &[u8]) -> Secret {
        match key.len() {
            16 => Secret::from([key, key.split_at_checked(8).map_or(&[][..], |(first, _)| first)].concat()),
            _ => Secret::from(key),
        }
    }

    fn triple_des_encryptor(self, key: &[u8], iv: &[u8]) -> Result<Encryptor<TdesEde3>, Error> {
        Encryptor::new_from_slices(Self::three_keys(key).expose(), iv).map_err(|error| self.length(error))
    }

    fn triple_des_decryptor(self, key: &[u8], iv: &[u8]) -> Result<Decryptor<TdesEde3>, Error> {
        Decryptor::new_from_slices(Self::three_keys(key).expose(), iv).map_err(|error| self.length(error))
    }

    fn rc2(self, key: &[u8], bits: u16) -> Result<Rc2, Error> {
        // RFC 2268 §2: 1 to 128 octets, 1 to 1024 bits.
        if !(1..=128).contains(&key.len()) || !(1..=1024).contains(&bits) {
            return Err(Error::new(ErrorKind::Length, self));
        }
        Ok(Rc2::new_with_eff_key_len(key, bits.into()))
    }

    fn rc4(self, key: &[u8], iv: &[u8], octets: &[u8]) -> Result<Secret, Error> {
        if !iv.is_empty() {
            return Err(Error::new(ErrorKind::Length, self));
        }
        let mut octets = Secret::from(octets);
        let mut cipher = Rc4::new_from_slice(key).map_err(|error| self.length(error))?;
        cipher.try_apply_keystream(octets.expose_mut()).map_err(|error| self.length(error))?;
        Ok(octets)
    }
}

/// Decrypts with a block cipher in CBC mode, and removes the padding.
///
/// # Errors
/// Returns [`ErrorKind::Length`] if the key or initialization vector has the wrong length, or [`ErrorKind::Integrity`] if
/// the padding is wrong.
pub(crate) fn decrypt_cbc<C: BlockCipherDecrypt + KeyInit>(
    key: &[u8],
    iv: &[u8],
    ciphertext: &[u8],
) -> Result<Secret, Error> {
    const NAME: &str = "the cipher";
    let cipher =
        C::new_from_slice(key).map_err(|error| Error::new(ErrorKind::Length, NAME).because(error.to_string()))?;
    let cipher = Decryptor::<C>::inner_iv_slice_init(cipher, iv);
    let cipher = cipher.map_err(|error| Error::new(ErrorKind::Length, NAME).because(error.to_string()))?;
    let plain = cipher.decrypt_padded_vec::<Pkcs7>(ciphertext);
    plain.map(Secret::from).map_err(|UnpadError| Error::new(ErrorKind::Integrity, "PEM encryption"))
}

impl fmt::Display for OldCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octets(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    /// RFC 2268 §5: the block is the first one under a vector of zeros.
    #[test]
    fn rc2_has_the_vectors_of_its_standard() {
        for (key, bits, plain, ciphertext) in [
            ("0000000000000000", 63, "0000000000000000", "ebb773f993278eff"),
            ("ffffffffffffffff", 64, "ffffffffffffffff", "278b27e42e2f0d49"),
            ("3000000000000000", 64, "1000000000000001", "30649edf9be7d2c2"),
            ("88bca90e90875a7f0f79c384627bafb2", 128, "0000000000000000", "2269552ab0f85ca6"),
        ] {
            let cipher = OldCipher::Rc2Cbc(bits);
            let made = cipher.encrypt(&octets(key), &[0; 8], &octets(plain)).unwrap();
            assert_eq!(made[..8], octets(ciphertext), "{key}");
            assert_eq!(cipher.decrypt(&octets(key), &[0; 8], &made).unwrap().expose(), octets(plain));
        }
    }

    /// RFC 6229 §2.
    #[test]
    fn rc4_has_the_vectors_of_its_standard() {
        let made = OldCipher::Rc4.encrypt(&[1, 2, 3, 4, 5], &[], &[0; 16]).unwrap();
        assert_eq!(made, octets("b2396305f03dc027ccc3524a0a1118a8"));
        assert!(OldCipher::Rc4.encrypt(&[1], &[0; 8], &[]).is_err());
    }

    /// NIST SP 800-67, appendix B.1.
    #[test]
    fn triple_des_has_the_vectors_of_its_standard() {
        let key = octets("0123456789abcdef23456789abcdef01456789abcdef0123");
        let made = OldCipher::TripleDesCbc.encrypt(&key, &[0; 8], b"The qufck").unwrap();
        assert_eq!(made[..8], octets("a826fd8ce53b855f"));
        let two = OldCipher::TripleDesCbc.encrypt(&key[..16], &[0; 8], b"").unwrap();
        let three = [&key[..16], &key[..8]].concat();
        assert_eq!(OldCipher::TripleDesCbc.decrypt(&three, &[0; 8], &two).unwrap().expose(), b"");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let kind = |result: Result<Secret, Error>| result.unwrap_err().kind();
        assert_eq!(kind(OldCipher::TripleDesCbc.decrypt(&[0; 23], &[0; 8], &[0; 8])), ErrorKind::Length);
        assert_eq!(kind(OldCipher::TripleDesCbc.decrypt(&[0; 24], &[0; 7], &[0; 8])), ErrorKind::Length);
        assert_eq!(kind(OldCipher::TripleDesCbc.decrypt(&[0; 24], &[0; 8], &[0; 9])), ErrorKind::Integrity);
        assert_eq!(kind(OldCipher::Rc2Cbc(0).decrypt(&[0; 5], &[0; 8], &[0; 8])), ErrorKind::Length);
        assert_eq!(kind(OldCipher::Rc2Cbc(40).decrypt(&[], &[0; 8], &[0; 8])), ErrorKind::Length);
        assert_eq!(kind(OldCipher::Rc4.decrypt(&[], &[], &[])), ErrorKind::Length);
    }
}

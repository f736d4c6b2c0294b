//! HMAC, PBKDF2 and AES in CBC mode, with which passwords protect PKCS #12 files and keys.

use cbc::Decryptor;
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockModeDecrypt as _, KeyIvInit as _};
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_256};

use super::failed;
use crate::primitives::lengths;
use crate::{Cipher, Digest, Error, ErrorKind, Hasher, Secret};

struct Keyed<M>(M);

impl<M: Mac + Send> Hasher for Keyed<M> {
    fn update(&mut self, octets: &[u8]) {
        self.0.update(octets);
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        Ok(self.0.finalize().into_bytes().to_vec())
    }
}

fn keyed<M: Mac + KeyInit + Send + 'static>(digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error> {
    let mac = <M as KeyInit>::new_from_slice(key).map_err(|error| failed(ErrorKind::Length, digest).because(error))?;
    Ok(Box::new(Keyed(mac)))
}

/// Creates an incremental HMAC with SHA-1 or SHA-2.
pub(super) fn hmac(digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error> {
    match digest {
        Digest::Sha1 => keyed::<Hmac<Sha1>>(digest, key),
        Digest::Sha224 => keyed::<Hmac<Sha224>>(digest, key),
        Digest::Sha256 => keyed::<Hmac<Sha256>>(digest, key),
        Digest::Sha384 => keyed::<Hmac<Sha384>>(digest, key),
        Digest::Sha512 => keyed::<Hmac<Sha512>>(digest, key),
        Digest::Sha512_256 => keyed::<Hmac<Sha512_256>>(digest, key),
        _ => Err(failed(ErrorKind::NotOffered, format_args!("HMAC with {digest}"))),
    }
}

/// Derives a key with PBKDF2.
pub(super) fn pbkdf2(
    digest: Digest,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    key: &mut [u8],
) -> Result<(), Error> {
    if iterations == 0 {
        return Err(failed(ErrorKind::Parameters, "PBKDF2"));
    }
    match digest {
        Digest::Sha1 => pbkdf2::pbkdf2_hmac::<Sha1>(password, salt, iterations, key),
        Digest::Sha224 => pbkdf2::pbkdf2_hmac::<Sha224>(password, salt, iterations, key),
        Digest::Sha256 => pbkdf2::pbkdf2_hmac::<Sha256>(password, salt, iterations, key),
        Digest::Sha384 => pbkdf2::pbkdf2_hmac::<Sha384>(password, salt, iterations, key),
        Digest::Sha512 => pbkdf2::pbkdf2_hmac::<Sha512>(password, salt, iterations, key),
        Digest::Sha512_256 => pbkdf2::pbkdf2_hmac::<Sha512_256>(password, salt, iterations, key),
        _ => return Err(failed(ErrorKind::NotOffered, format_args!("PBKDF2 with {digest}"))),
    }
    Ok(())
}

/// Decrypts AES in CBC mode, and removes the padding.
pub(super) fn decrypt(
    cipher: Cipher,
    key: &[u8],
    iv: &[u8],
    associated: &[u8],
    ciphertext: &[u8],
) -> Result<Secret, Error> {
    lengths(cipher.name(), &[(key.len(), cipher.key_len()), (iv.len(), cipher.iv_len())])?;
    if !(cipher.is_authenticated() || associated.is_empty()) {
        return Err(failed(ErrorKind::Parameters, cipher));
    }
    let length = |error| failed(ErrorKind::Length, cipher).because(error);
    let plain = match cipher {
        Cipher::Aes128Cbc => {
            let cipher = Decryptor::<aes::Aes128>::new_from_slices(key, iv).map_err(length)?;
            cipher.decrypt_padded_vec::<Pkcs7>(ciphertext)
        }
        Cipher::Aes192Cbc => {
            let cipher = Decryptor::<aes::Aes192>::new_from_slices(key, iv).map_err(length)?;
            cipher.decrypt_padded_vec::<Pkcs7>(ciphertext)
        }
        Cipher::Aes256Cbc => {
            let cipher = Decryptor::<aes::Aes256>::new_from_slices(key, iv).map_err(length)?;
            cipher.decrypt_padded_vec::<Pkcs7>(ciphertext)
        }
        Cipher::Aes128Gcm | Cipher::Aes256Gcm => return Err(failed(ErrorKind::NotOffered, cipher)),
    };
    // Errors in the padding are not described, because only an attacker could use the description.
    plain.map(Secret::from).map_err(|_padding| failed(ErrorKind::Integrity, cipher))
}

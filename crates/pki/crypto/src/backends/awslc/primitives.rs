//! Digests, MACs, key derivation and ciphers.

use core::num::NonZeroU32;

use aws_lc_rs::cipher::{
    DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, PaddedBlockDecryptingKey,
    PaddedBlockEncryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::key_wrap::{AesKek, KeyWrap as _};
use aws_lc_rs::{aead, cipher, digest, hkdf, hmac, key_wrap, pbkdf2, rand};

use super::{AwsLc, failed, shake, silent};
use crate::primitives::lengths;
use crate::{Blocks, Cipher, Digest, Direction, Error, ErrorKind, Hasher, Mac, Primitives, Secret, Wrap};

impl Hasher for digest::Context {
    fn update(&mut self, octets: &[u8]) {
        Self::update(self, octets);
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        Ok(Self::finish(*self).as_ref().to_vec())
    }
}

impl Hasher for hmac::Context {
    fn update(&mut self, octets: &[u8]) {
        Self::update(self, octets);
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        Ok(self.sign().as_ref().to_vec())
    }
}

impl Blocks for EncryptingKey {
    fn run(&self, iv: &[u8; 16], blocks: &mut [u8]) -> Result<(), Error> {
        let iv = EncryptionContext::Iv128(FixedLength::from(*iv));
        self.less_safe_encrypt(blocks, iv).map(|_| ()).map_err(silent(ErrorKind::Failed, "AES in CBC mode"))
    }
}

impl Blocks for DecryptingKey {
    fn run(&self, iv: &[u8; 16], blocks: &mut [u8]) -> Result<(), Error> {
        let iv = DecryptionContext::Iv128(FixedLength::from(*iv));
        self.decrypt(blocks, iv).map(|_| ()).map_err(silent(ErrorKind::Failed, "AES in CBC mode"))
    }
}

impl Mac for hmac::Key {
    fn mac(&self, pieces: &[&[u8]]) -> Result<Vec<u8>, Error> {
        let mut context = hmac::Context::with_key(self);
        pieces.iter().for_each(|piece| context.update(piece));
        Ok(context.sign().as_ref().to_vec())
    }
}

/// Returns the algorithm for a digest, or `None` for SHAKE, which aws-lc-rs does not support incrementally.
fn digest_of(digest: Digest) -> Option<&'static digest::Algorithm> {
    Some(match digest {
        Digest::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
        Digest::Sha224 => &digest::SHA224,
        Digest::Sha256 => &digest::SHA256,
        Digest::Sha384 => &digest::SHA384,
        Digest::Sha512 => &digest::SHA512,
        Digest::Sha512_256 => &digest::SHA512_256,
        Digest::Sha3_256 => &digest::SHA3_256,
        Digest::Sha3_384 => &digest::SHA3_384,
        Digest::Sha3_512 => &digest::SHA3_512,
        Digest::Shake128 | Digest::Shake256 => return None,
    })
}

fn hmac_of(digest: Digest) -> Option<hmac::Algorithm> {
    Some(match digest {
        Digest::Sha1 => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        Digest::Sha224 => hmac::HMAC_SHA224,
        Digest::Sha256 => hmac::HMAC_SHA256,
        Digest::Sha384 => hmac::HMAC_SHA384,
        Digest::Sha512 => hmac::HMAC_SHA512,
        _ => return None,
    })
}

fn pbkdf2_of(digest: Digest) -> Option<pbkdf2::Algorithm> {
    Some(match digest {
        Digest::Sha1 => pbkdf2::PBKDF2_HMAC_SHA1,
        Digest::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
        Digest::Sha384 => pbkdf2::PBKDF2_HMAC_SHA384,
        Digest::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
        _ => return None,
    })
}

fn hkdf_of(digest: Digest) -> Option<hkdf::Algorithm> {
    Some(match digest {
        Digest::Sha1 => hkdf::HKDF_SHA1_FOR_LEGACY_USE_ONLY,
        Digest::Sha256 => hkdf::HKDF_SHA256,
        Digest::Sha384 => hkdf::HKDF_SHA384,
        Digest::Sha512 => hkdf::HKDF_SHA512,
        _ => return None,
    })
}

/// The output length of a key derivation, in bytes.
struct Octets(usize);

impl hkdf::KeyType for Octets {
    fn len(&self) -> usize {
        self.0
    }
}

impl Primitives for AwsLc {
    fn random(&self, octets: &mut [u8]) -> Result<(), Error> {
        rand::fill(octets).map_err(silent(ErrorKind::Failed, "random bytes"))
    }

    fn hasher(&self, digest: Digest) -> Result<Box<dyn Hasher>, Error> {
        if let Some(hasher) = shake::hasher(digest) {
            return Ok(hasher);
        }
        let algorithm = digest_of(digest).ok_or_else(|| failed(ErrorKind::NotOffered, digest))?;
        Ok(Box::new(digest::Context::new(algorithm)))
    }

    /// Computes the digest in a single call, without a heap-allocated context, because key derivation computes very many
    /// digests.
    fn digest(&self, digest: Digest, octets: &[u8]) -> Result<Vec<u8>, Error> {
        if let Some(algorithm) = digest_of(digest) {
            return Ok(digest::digest(algorithm, octets).as_ref().to_vec());
        }
        let mut hasher = self.hasher(digest)?;
        hasher.update(octets);
        hasher.finish()
    }

    fn hmac(&self, digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error> {
        let missing = || failed(ErrorKind::NotOffered, format_args!("HMAC with {digest}"));
        let key = hmac::Key::new(hmac_of(digest).ok_or_else(missing)?, key);
        Ok(Box::new(hmac::Context::with_key(&key)))
    }

    fn pbkdf2(
        &self,
        digest: Digest,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        key: &mut [u8],
    ) -> Result<(), Error> {
        let missing = || failed(ErrorKind::NotOffered, format_args!("PBKDF2 with {digest}"));
        let algorithm = pbkdf2_of(digest).ok_or_else(missing)?;
        let iterations = NonZeroU32::new(iterations).ok_or_else(|| failed(ErrorKind::Parameters, "PBKDF2"))?;
        pbkdf2::derive(algorithm, iterations, salt, password, key);
        Ok(())
    }

    fn hkdf(&self, digest: Digest, salt: &[u8], secret: &[u8], info: &[u8], key: &mut [u8]) -> Result<(), Error> {
        let missing = || failed(ErrorKind::NotOffered, format_args!("HKDF with {digest}"));
        let algorithm = hkdf_of(digest).ok_or_else(missing)?;
        let long = silent(ErrorKind::Length, "HKDF");
        let key_of = hkdf::Salt::new(algorithm, salt).extract(secret);
        let parts = [info];
        key_of.expand(&parts, Octets(key.len())).and_then(|okm| okm.fill(key)).map_err(long)
    }

    fn encrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        plain: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let unspecified = silent(ErrorKind::Failed, cipher);
        checked(cipher, key, iv, associated)?;
        let mut octets = plain.to_vec();
        if let Some(key) = gcm(cipher, key)? {
            let nonce = aead::Nonce::try_assume_unique_for_key(iv).map_err(unspecified)?;
            key.seal_in_place_append_tag(nonce, aead::Aad::from(associated), &mut octets).map_err(unspecified)?;
        } else {
            let key = PaddedBlockEncryptingKey::cbc_pkcs7(cbc(cipher, key)?).map_err(unspecified)?;
            let iv = EncryptionContext::Iv128(FixedLength::try_from(iv).map_err(unspecified)?);
            key.less_safe_encrypt(&mut octets, iv).map_err(unspecified)?;
        }
        Ok(octets)
    }

    fn decrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        ciphertext: &[u8],
    ) -> Result<Secret, Error> {
        let damaged = silent(ErrorKind::Integrity, cipher);
        checked(cipher, key, iv, associated)?;
        let mut octets = Secret::from(ciphertext);
        let len = if let Some(key) = gcm(cipher, key)? {
            let nonce = aead::Nonce::try_assume_unique_for_key(iv).map_err(damaged)?;
            key.open_in_place(nonce, aead::Aad::from(associated), octets.expose_mut()).map_err(damaged)?.len()
        } else {
            let key = PaddedBlockDecryptingKey::cbc_pkcs7(cbc(cipher, key)?).map_err(damaged)?;
            let iv = DecryptionContext::Iv128(FixedLength::try_from(iv).map_err(damaged)?);
            key.decrypt(octets.expose_mut(), iv).map_err(damaged)?.len()
        };
        octets.truncate(len);
        Ok(octets)
    }

    fn ready_cbc(&self, cipher: Cipher, direction: Direction, key: &[u8]) -> Result<Option<Box<dyn Blocks>>, Error> {
        if cipher.is_authenticated() {
            return Err(failed(ErrorKind::Parameters, cipher));
        }
        let (key, wrong) = (cbc(cipher, key)?, silent(ErrorKind::Failed, cipher));
        Ok(Some(match direction {
            Direction::Encrypt => Box::new(EncryptingKey::cbc(key).map_err(wrong)?),
            Direction::Decrypt => Box::new(DecryptingKey::cbc(key).map_err(wrong)?),
        }))
    }

    fn ready_hmac(&self, digest: Digest, key: &[u8]) -> Result<Option<Box<dyn Mac>>, Error> {
        let missing = || failed(ErrorKind::NotOffered, format_args!("HMAC with {digest}"));
        Ok(Some(Box::new(hmac::Key::new(hmac_of(digest).ok_or_else(missing)?, key))))
    }

    fn wrap(&self, wrap: Wrap, key: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error> {
        let mut wrapped = vec![0; plain.len().saturating_add(8)];
        if plain.len() < 16 || !plain.len().is_multiple_of(8) {
            return Err(failed(ErrorKind::Length, wrap));
        }
        let len = kek(wrap, key)?.wrap(plain, &mut wrapped).map_err(silent(ErrorKind::Failed, wrap))?.len();
        wrapped.truncate(len);
        Ok(wrapped)
    }

    fn unwrap(&self, wrap: Wrap, key: &[u8], wrapped: &[u8]) -> Result<Secret, Error> {
        if wrapped.len() < 24 || !wrapped.len().is_multiple_of(8) {
            return Err(failed(ErrorKind::Length, wrap));
        }
        let mut plain = Secret::zeroed(wrapped.len().saturating_sub(8));
        let unwrapped = kek(wrap, key)?.unwrap(wrapped, plain.expose_mut());
        let len = unwrapped.map_err(silent(ErrorKind::Integrity, wrap))?.len();
        plain.truncate(len);
        Ok(plain)
    }
}

/// Checks lengths, and that there is no associated data if the cipher does not authenticate it.
fn checked(cipher: Cipher, key: &[u8], iv: &[u8], associated: &[u8]) -> Result<(), Error> {
    lengths(cipher.name(), &[(key.len(), cipher.key_len()), (iv.len(), cipher.iv_len())])?;
    if cipher.is_authenticated() || associated.is_empty() { Ok(()) } else { Err(failed(ErrorKind::Parameters, cipher)) }
}

fn gcm(cipher: Cipher, key: &[u8]) -> Result<Option<aead::LessSafeKey>, Error> {
    let algorithm = match cipher {
        Cipher::Aes128Gcm => &aead::AES_128_GCM,
        Cipher::Aes256Gcm => &aead::AES_256_GCM,
        Cipher::Aes128Cbc | Cipher::Aes192Cbc | Cipher::Aes256Cbc => return Ok(None),
    };
    let key = aead::UnboundKey::new(algorithm, key).map_err(silent(ErrorKind::Length, cipher))?;
    Ok(Some(aead::LessSafeKey::new(key)))
}

fn cbc(cipher: Cipher, key: &[u8]) -> Result<UnboundCipherKey, Error> {
    let algorithm = match cipher {
        Cipher::Aes128Cbc | Cipher::Aes128Gcm => &cipher::AES_128,
        Cipher::Aes192Cbc => &cipher::AES_192,
        Cipher::Aes256Cbc | Cipher::Aes256Gcm => &cipher::AES_256,
    };
    UnboundCipherKey::new(algorithm, key).map_err(silent(ErrorKind::Length, cipher))
}

fn kek(wrap: Wrap, key: &[u8]) -> Result<AesKek, Error> {
    lengths(wrap.name(), &[(key.len(), wrap.key_len())])?;
    let block = match wrap {
        Wrap::Aes128 => &key_wrap::AES_128,
        Wrap::Aes256 => &key_wrap::AES_256,
    };
    AesKek::new(block, key).map_err(silent(ErrorKind::Length, wrap))
}

//! Digests, MACs, key derivation and ciphers.

use openssl::cipher::Cipher as Method;
use openssl::cipher_ctx::{CipherCtx, CipherCtxFlags};
use openssl::error::ErrorStack;
use openssl::hash;
use openssl::pkcs5::pbkdf2_hmac;
use openssl::pkey::{Id, PKey};
use openssl::pkey_ctx::PkeyCtx;
use openssl::rand::rand_bytes;
use openssl::sign::Signer;

use super::{OpenSsl, algorithms, because, failed};
use crate::primitives::lengths;
use crate::{Cipher, Digest, Error, ErrorKind, Hasher, Primitives, Secret, Wrap};

/// The length of a GCM tag in bytes.
const TAG: usize = 16;

/// The maximum input length of a single call, in bytes. The library's lengths are of type `int`.
const PIECE: usize = 1 << 30;

/// An incremental digest or MAC, or its first error.
struct Fed<T>(Result<T, ErrorStack>);

impl Hasher for Fed<hash::Hasher> {
    fn update(&mut self, octets: &[u8]) {
        let failed = self.0.as_mut().ok().and_then(|fed| fed.update(octets).err());
        if let Some(stack) = failed {
            self.0 = Err(stack);
        }
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        let digest = self.0.and_then(|mut fed| fed.finish());
        Ok(digest.map_err(because(ErrorKind::Failed, "a digest"))?.to_vec())
    }
}

/// An incremental SHAKE, and its output length in bytes.
struct Extendable(Fed<hash::Hasher>, usize);

impl Hasher for Extendable {
    fn update(&mut self, octets: &[u8]) {
        self.0.update(octets);
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        let mut octets = vec![0; self.1];
        let digest = self.0.0.and_then(|mut fed| fed.finish_xof(&mut octets));
        digest.map_err(because(ErrorKind::Failed, "a digest"))?;
        Ok(octets)
    }
}

impl Hasher for Fed<Signer<'static>> {
    fn update(&mut self, octets: &[u8]) {
        let failed = self.0.as_mut().ok().and_then(|fed| fed.update(octets).err());
        if let Some(stack) = failed {
            self.0 = Err(stack);
        }
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        self.0.and_then(|fed| fed.sign_to_vec()).map_err(because(ErrorKind::Failed, "HMAC"))
    }
}

impl Primitives for OpenSsl {
    fn random(&self, octets: &mut [u8]) -> Result<(), Error> {
        octets.chunks_mut(PIECE).try_for_each(rand_bytes).map_err(because(ErrorKind::Failed, "random bytes"))
    }

    fn hasher(&self, digest: Digest) -> Result<Box<dyn Hasher>, Error> {
        let method = algorithms::hashing(digest).ok_or_else(|| failed(ErrorKind::NotOffered, digest))?;
        let hasher = Fed(Ok(hash::Hasher::new(method).map_err(because(ErrorKind::NotOffered, digest))?));
        match digest.is_extendable() {
            true => Ok(Box::new(Extendable(hasher, digest.output_len()))),
            false => Ok(Box::new(hasher)),
        }
    }

    fn hmac(&self, digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error> {
        let missing = || failed(ErrorKind::NotOffered, format_args!("HMAC with {digest}"));
        let method = algorithms::digest(digest).ok_or_else(missing)?;
        if key.len() > PIECE {
            return Err(failed(ErrorKind::Length, "HMAC"));
        }
        // RFC 2104 §2: keys are padded with zeros, so a single zero byte equals an empty key, which the library does not accept.
        let key = if key.is_empty() { &[0] } else { key };
        let signer = PKey::hmac(key).and_then(|key| Signer::new(method, &key));
        Ok(Box::new(Fed(Ok(signer.map_err(|stack| missing().because(stack))?))))
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
        let method = algorithms::digest(digest).ok_or_else(missing)?;
        if [password.len(), salt.len(), key.len()].iter().any(|len| *len > PIECE) {
            return Err(failed(ErrorKind::Length, "PBKDF2"));
        }
        match i32::try_from(iterations) {
            Ok(1..) => pbkdf2_hmac(password, salt, iterations as usize, method, key)
                .map_err(because(ErrorKind::Failed, "PBKDF2")),
            Ok(_) => Err(failed(ErrorKind::Parameters, "PBKDF2")),
            Err(_) => Err(failed(ErrorKind::Limit, "PBKDF2")),
        }
    }

    fn hkdf(&self, digest: Digest, salt: &[u8], secret: &[u8], info: &[u8], key: &mut [u8]) -> Result<(), Error> {
        let missing = || failed(ErrorKind::NotOffered, format_args!("HKDF with {digest}"));
        let method = algorithms::digest(digest).ok_or_else(missing)?;
        // RFC 5869 §2.3: at most 255 digests; the library does not accept an empty output.
        if key.len() > 255 * digest.output_len()
            || [salt.len(), secret.len(), info.len()].iter().any(|len| *len > PIECE)
        {
            return Err(failed(ErrorKind::Length, "HKDF"));
        }
        if key.is_empty() {
            return Ok(());
        }
        let mut derive = || {
            let method = openssl::md::Md::from_nid(method.type_()).ok_or_else(ErrorStack::get)?;
            let mut context = PkeyCtx::new_id(Id::HKDF)?;
            context.derive_init()?;
            context.set_hkdf_md(method)?;
            context.set_hkdf_key(secret)?;
            if !salt.is_empty() {
                context.set_hkdf_salt(salt)?;
            }
            context.add_hkdf_info(info)?;
            context.derive(Some(key))
        };
        derive().map(|_| ()).map_err(because(ErrorKind::Failed, "HKDF"))
    }

    fn encrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        plain: &[u8],
    ) -> Result<Vec<u8>, Error> {
        checked(cipher, key, iv, associated)?;
        let method = method(cipher)?;
        let mut out = vec![0; plain.len().saturating_add(2 * TAG)];
        let mut run = || {
            let mut context = CipherCtx::new()?;
            context.encrypt_init(Some(&method), Some(key), Some(iv))?;
            let len = through(&mut context, associated, plain, &mut out)?;
            Ok((context, len))
        };
        let (context, mut len) = run().map_err(because(ErrorKind::Failed, cipher))?;
        if cipher.is_authenticated() {
            let place = out.get_mut(len..len + TAG).ok_or_else(|| failed(ErrorKind::Length, cipher))?;
            context.tag(place).map_err(because(ErrorKind::Failed, cipher))?;
            len += TAG;
        }
        out.truncate(len);
        Ok(out)
    }

    fn decrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        ciphertext: &[u8],
    ) -> Result<Secret, Error> {
        checked(cipher, key, iv, associated)?;
        let method = method(cipher)?;
        let tag_len = if cipher.is_authenticated() { TAG } else { 0 };
        let cut = ciphertext.len().checked_sub(tag_len).and_then(|at| ciphertext.split_at_checked(at));
        let (inside, tag) = cut.ok_or_else(|| failed(ErrorKind::Integrity, cipher))?;
        let mut out = Secret::zeroed(inside.len().saturating_add(2 * TAG));
        let mut run = || {
            let mut context = CipherCtx::new()?;
            context.decrypt_init(Some(&method), Some(key), Some(iv))?;
            if !tag.is_empty() {
                context.set_tag(tag)?;
            }
            through(&mut context, associated, inside, out.expose_mut())
        };
        let len = run().map_err(because(ErrorKind::Integrity, cipher))?;
        out.truncate(len);
        Ok(out)
    }

    fn wrap(&self, wrap: Wrap, key: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error> {
        if plain.len() < 16 || plain.len() > PIECE || !plain.len().is_multiple_of(8) {
            return Err(failed(ErrorKind::Length, wrap));
        }
        let mut context = wrapping(wrap, key, true)?;
        let mut out = vec![0; plain.len() + 16];
        let len = context.cipher_update(plain, Some(&mut out)).map_err(because(ErrorKind::Failed, wrap))?;
        out.truncate(len);
        Ok(out)
    }

    fn unwrap(&self, wrap: Wrap, key: &[u8], wrapped: &[u8]) -> Result<Secret, Error> {
        if wrapped.len() < 24 || wrapped.len() > PIECE || !wrapped.len().is_multiple_of(8) {
            return Err(failed(ErrorKind::Length, wrap));
        }
        let mut context = wrapping(wrap, key, false)?;
        let mut out = Secret::zeroed(wrapped.len() + 16);
        let len =
            context.cipher_update(wrapped, Some(out.expose_mut())).map_err(because(ErrorKind::Integrity, wrap))?;
        out.truncate(len);
        Ok(out)
    }
}

/// Checks lengths, and that there is no associated data if the cipher does not authenticate it.
fn checked(cipher: Cipher, key: &[u8], iv: &[u8], associated: &[u8]) -> Result<(), Error> {
    lengths(cipher.name(), &[(key.len(), cipher.key_len()), (iv.len(), cipher.iv_len())])?;
    if cipher.is_authenticated() || associated.is_empty() { Ok(()) } else { Err(failed(ErrorKind::Parameters, cipher)) }
}

/// Fetches the cipher, if the library supports it.
fn method(cipher: Cipher) -> Result<Method, Error> {
    Method::fetch(None, cipher.name(), None).map_err(because(ErrorKind::NotOffered, cipher))
}

/// Processes all bytes, in pieces that the library accepts, and returns the length of the output.
fn through(context: &mut CipherCtx, associated: &[u8], octets: &[u8], out: &mut [u8]) -> Result<usize, ErrorStack> {
    for piece in associated.chunks(PIECE) {
        context.cipher_update(piece, None)?;
    }
    let mut len = 0;
    for piece in octets.chunks(PIECE) {
        len += context.cipher_update(piece, out.get_mut(len..))?;
    }
    len += context.cipher_final(out.get_mut(len..).unwrap_or_default())?;
    Ok(len)
}

fn wrapping(wrap: Wrap, key: &[u8], encrypts: bool) -> Result<CipherCtx, Error> {
    lengths(wrap.name(), &[(key.len(), wrap.key_len())])?;
    let name = match wrap {
        Wrap::Aes128 => "AES-128-WRAP",
        Wrap::Aes256 => "AES-256-WRAP",
    };
    let method = Method::fetch(None, name, None).map_err(because(ErrorKind::NotOffered, wrap))?;
    let start = || {
        let mut context = CipherCtx::new()?;
        context.set_flags(CipherCtxFlags::FLAG_WRAP_ALLOW);
        if encrypts {
            context.encrypt_init(Some(&method), Some(key), None)?;
        } else {
            context.decrypt_init(Some(&method), Some(key), None)?;
        }
        Ok(context)
    };
    start().map_err(because(ErrorKind::Failed, wrap))
}

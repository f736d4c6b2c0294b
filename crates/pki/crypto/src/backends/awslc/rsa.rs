//! RSA through AWS-LC's C API, except for the common signatures, which aws-lc-rs provides.
#![allow(unsafe_code, reason = "functions of C")]

use core::ptr::{NonNull, null_mut};

use aws_lc_sys::{
    EVP_MD, EVP_PKEY_CTX, EVP_PKEY_CTX_free, EVP_PKEY_CTX_new, EVP_PKEY_CTX_set_rsa_mgf1_md,
    EVP_PKEY_CTX_set_rsa_oaep_md, EVP_PKEY_CTX_set_rsa_padding, EVP_PKEY_CTX_set_rsa_pss_saltlen,
    EVP_PKEY_CTX_set_signature_md, EVP_PKEY_CTX_set0_rsa_oaep_label, EVP_PKEY_assign_RSA, EVP_PKEY_decrypt,
    EVP_PKEY_decrypt_init, EVP_PKEY_encrypt, EVP_PKEY_encrypt_init, EVP_PKEY_new, EVP_PKEY_sign, EVP_PKEY_sign_init,
    EVP_PKEY_size, EVP_PKEY_verify, EVP_PKEY_verify_init, EVP_sha1, EVP_sha3_256, EVP_sha3_384, EVP_sha3_512,
    EVP_sha224, EVP_sha256, EVP_sha384, EVP_sha512, EVP_sha512_256, OPENSSL_free, OPENSSL_malloc, RSA,
    RSA_PKCS1_OAEP_PADDING, RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_free, RSA_new_private_key_no_crt,
    RSA_private_key_from_bytes, RSA_public_key_from_bytes,
};
use tagwise_pkix::pkcs1::RsaPrivateKey;

use super::failed;
use super::raw::{Key, Number, done};
use crate::private::rsa::inconsistency;
use crate::{Digest, Error, ErrorKind, KeyTransport, OaepParameters, Scheme, Secret};

/// Returns AWS-LC's digest, or `None` for SHAKE, whose output length it does not define.
fn method(digest: Digest) -> Option<NonNull<EVP_MD>> {
    // SAFETY: these functions take nothing and return constants of the library.
    let method = unsafe {
        match digest {
            Digest::Sha1 => EVP_sha1(),
            Digest::Sha224 => EVP_sha224(),
            Digest::Sha256 => EVP_sha256(),
            Digest::Sha384 => EVP_sha384(),
            Digest::Sha512 => EVP_sha512(),
            Digest::Sha512_256 => EVP_sha512_256(),
            Digest::Sha3_256 => EVP_sha3_256(),
            Digest::Sha3_384 => EVP_sha3_384(),
            Digest::Sha3_512 => EVP_sha3_512(),
            Digest::Shake128 | Digest::Shake256 => return None,
        }
    };
    NonNull::new(method.cast_mut())
}

/// Returns whether this module implements signatures with the scheme.
pub(super) fn offers(scheme: &Scheme) -> bool {
    match scheme {
        Scheme::RsaPkcs1(digest) => method(*digest).is_some(),
        Scheme::RsaPss(parameters) => method(parameters.digest).is_some() && method(parameters.mask).is_some(),
        _ => false,
    }
}

/// Returns whether this key transport algorithm is supported.
pub(super) fn transports(transport: KeyTransport) -> bool {
    match transport {
        KeyTransport::Pkcs1 => true,
        KeyTransport::Oaep(OaepParameters { digest, mask }) => method(digest).is_some() && method(mask).is_some(),
    }
}

/// The context of an operation, freed on drop.
struct Context(NonNull<EVP_PKEY_CTX>);

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once.
        unsafe { EVP_PKEY_CTX_free(self.0.as_ptr()) }
    }
}

impl Context {
    fn new(key: &Key, begin: unsafe extern "C" fn(*mut EVP_PKEY_CTX) -> i32) -> Option<Self> {
        // SAFETY: the key is valid, and the context counts it.
        let context = Self(NonNull::new(unsafe { EVP_PKEY_CTX_new(key.as_ptr(), null_mut()) })?);
        // SAFETY: the context is valid.
        done(unsafe { begin(context.0.as_ptr()) })?;
        Some(context)
    }

    /// Sets the padding, digests and salt length for a signature.
    fn sign_by(&self, scheme: &Scheme) -> Option<()> {
        let digest = method(scheme.digest()?)?;
        let context = self.0.as_ptr();
        // SAFETY: the context is valid, and digests are constants.
        unsafe {
            match scheme {
                Scheme::RsaPss(parameters) => {
                    done(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING))?;
                    done(EVP_PKEY_CTX_set_signature_md(context, digest.as_ptr()))?;
                    done(EVP_PKEY_CTX_set_rsa_mgf1_md(context, method(parameters.mask)?.as_ptr()))?;
                    done(EVP_PKEY_CTX_set_rsa_pss_saltlen(context, i32::from(parameters.salt_len)))
                }
                Scheme::RsaPkcs1(_) => {
                    done(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING))?;
                    done(EVP_PKEY_CTX_set_signature_md(context, digest.as_ptr()))
                }
                _ => None,
            }
        }
    }

    /// Sets the padding, digests and label for encryption or decryption.
    fn transport_by(&self, transport: KeyTransport, label: &[u8]) -> Option<()> {
        let context = self.0.as_ptr();
        let KeyTransport::Oaep(OaepParameters { digest, mask }) = transport else {
            // SAFETY: the context is valid.
            return done(unsafe { EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) });
        };
        // SAFETY: the context is valid, and digests are constants. The label is copied into memory of the
        // library. The context owns it if the call succeeds; otherwise it is freed here.
        unsafe {
            done(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING))?;
            done(EVP_PKEY_CTX_set_rsa_oaep_md(context, method(digest)?.as_ptr()))?;
            done(EVP_PKEY_CTX_set_rsa_mgf1_md(context, method(mask)?.as_ptr()))?;
            if label.is_empty() {
                return Some(());
            }
            let copy = NonNull::new(OPENSSL_malloc(label.len()).cast::<u8>())?;
            copy.copy_from_nonoverlapping(NonNull::from(label).cast(), label.len());
            let taken = done(EVP_PKEY_CTX_set0_rsa_oaep_label(context, copy.as_ptr(), label.len()));
            if taken.is_none() {
                OPENSSL_free(copy.as_ptr().cast());
            }
            taken
        }
    }
}

/// Takes ownership of an RSA key returned by AWS-LC, unless it is null.
fn owned(rsa: *mut RSA) -> Option<Key> {
    let rsa = NonNull::new(rsa);
    done(i32::from(rsa.is_some()))?;
    let rsa = rsa?;
    // SAFETY: nothing goes in.
    let key = Key::made(unsafe { EVP_PKEY_new() });
    // SAFETY: both are valid. The first owns the second once it has it; else that is freed here.
    let assigned = key.filter(|key| done(unsafe { EVP_PKEY_assign_RSA(key.as_ptr(), rsa.as_ptr()) }).is_some());
    if assigned.is_none() {
        // SAFETY: it is ours, and freed once.
        unsafe { RSA_free(rsa.as_ptr()) }
    }
    assigned
}

impl Key {
    /// Parses a public key: an RSAPublicKey in DER.
    pub(super) fn rsa_public(der: &[u8]) -> Option<Self> {
        // SAFETY: the bytes are as long as stated, and copied.
        owned(unsafe { RSA_public_key_from_bytes(der.as_ptr(), der.len()) })
    }

    /// Parses a private key: an RSAPrivateKey in DER. If it has more than two primes (RFC 8017 §A.1.2), its numbers are checked here, and
    /// only the private exponent is used, which is slower.
    pub(super) fn rsa_private(der: &[u8], numbers: &RsaPrivateKey<'_>) -> Option<Self> {
        if numbers.other_prime_infos.is_none() {
            // SAFETY: the bytes are as long as stated, and copied.
            return owned(unsafe { RSA_private_key_from_bytes(der.as_ptr(), der.len()) });
        }
        // The library does not receive the primes.
        if inconsistency(numbers).is_some() {
            return None;
        }
        let of = [numbers.modulus, numbers.public_exponent, numbers.private_exponent];
        let [Some(n), Some(e), Some(d)] = of.map(|number| Number::of(number.magnitude())) else { return None };
        // SAFETY: the numbers are valid, and copied.
        let key = owned(unsafe { RSA_new_private_key_no_crt(n.as_ptr(), e.as_ptr(), d.as_ptr()) })?;
        // The numbers do not prove that the primes are prime. A signature proves that the exponents match.
        let (scheme, digest) = (Scheme::RsaPkcs1(Digest::Sha256), [0; 32]);
        let signature = key.sign_digest(&scheme, &digest)?;
        key.verifies_digest(&scheme, &digest, &signature).then_some(key)
    }

    fn rsa_len(&self) -> usize {
        // SAFETY: the key is valid.
        usize::try_from(unsafe { EVP_PKEY_size(self.as_ptr()) }).unwrap_or_default()
    }

    /// Signs a digest.
    pub(super) fn sign_digest(&self, scheme: &Scheme, digest: &[u8]) -> Option<Vec<u8>> {
        let context = Context::new(self, EVP_PKEY_sign_init)?;
        context.sign_by(scheme)?;
        let mut signature = vec![0; self.rsa_len()];
        let mut len = signature.len();
        // SAFETY: the digest is as long as stated, and the result has room for `len` bytes.
        done(unsafe {
            let (out, from) = (signature.as_mut_ptr(), digest.as_ptr());
            EVP_PKEY_sign(context.0.as_ptr(), out, &mut len, from, digest.len())
        })?;
        signature.truncate(len);
        Some(signature)
    }

    /// Returns whether a signature is valid for this digest.
    pub(super) fn verifies_digest(&self, scheme: &Scheme, digest: &[u8], signature: &[u8]) -> bool {
        let Some(context) = Context::new(self, EVP_PKEY_verify_init) else { return false };
        let ready = context.sign_by(scheme);
        // SAFETY: what comes in is as long as stated.
        let verify = || unsafe {
            let (of, from) = (signature.as_ptr(), digest.as_ptr());
            EVP_PKEY_verify(context.0.as_ptr(), of, signature.len(), from, digest.len())
        };
        ready.and_then(|()| done(verify())).is_some()
    }

    /// Decrypts a short ciphertext.
    pub(super) fn decrypt(&self, transport: KeyTransport, label: &[u8], ciphertext: &[u8]) -> Result<Secret, Error> {
        if !transports(transport) {
            return Err(failed(ErrorKind::NotOffered, transport));
        }
        let unable = || failed(ErrorKind::Failed, transport);
        let context = Context::new(self, EVP_PKEY_decrypt_init).ok_or_else(unable)?;
        context.transport_by(transport, label).ok_or_else(unable)?;
        let mut plain = Secret::zeroed(self.rsa_len());
        let mut len = plain.len();
        // SAFETY: the ciphertext is as long as stated, and the result has room for `len` bytes.
        let decrypted = done(unsafe {
            let (out, from) = (plain.expose_mut().as_mut_ptr(), ciphertext.as_ptr());
            EVP_PKEY_decrypt(context.0.as_ptr(), out, &mut len, from, ciphertext.len())
        });
        decrypted.ok_or_else(|| failed(ErrorKind::Integrity, transport))?;
        plain.truncate(len);
        Ok(plain)
    }

    /// Encrypts a short plaintext.
    pub(super) fn encrypt(&self, transport: KeyTransport, plain: &[u8]) -> Result<Vec<u8>, Error> {
        if !transports(transport) {
            return Err(failed(ErrorKind::NotOffered, transport));
        }
        let unable = || failed(ErrorKind::Failed, transport);
        let context = Context::new(self, EVP_PKEY_encrypt_init).ok_or_else(unable)?;
        context.transport_by(transport, &[]).ok_or_else(unable)?;
        let mut ciphertext = vec![0; self.rsa_len()];
        let mut len = ciphertext.len();
        // SAFETY: what comes in is as long as stated, and the result has room for `len` bytes.
        let encrypted = done(unsafe {
            let (out, from) = (ciphertext.as_mut_ptr(), plain.as_ptr());
            EVP_PKEY_encrypt(context.0.as_ptr(), out, &mut len, from, plain.len())
        });
        encrypted.ok_or_else(|| failed(ErrorKind::Length, transport))?;
        ciphertext.truncate(len);
        Ok(ciphertext)
    }
}

//! AWS-LC functions that aws-lc-rs does not expose: ML-DSA contexts and ML-KEM seeds.
#![allow(unsafe_code, reason = "functions of C")]

use core::ptr::{NonNull, null, null_mut};

use aws_lc_sys::{
    BIGNUM, BN_bin2bn, BN_clear_free, CBS, ERR_clear_error, EVP_DigestSign, EVP_DigestSignInit, EVP_DigestVerify,
    EVP_DigestVerifyInit, EVP_MD_CTX, EVP_MD_CTX_free, EVP_MD_CTX_new, EVP_PKEY, EVP_PKEY_CTX,
    EVP_PKEY_CTX_set1_signature_context_string, EVP_PKEY_free, EVP_PKEY_get_raw_private_key,
    EVP_PKEY_pqdsa_new_raw_private_key, EVP_PKEY_pqdsa_new_raw_public_key, EVP_parse_private_key, NID_MLDSA44,
    NID_MLDSA65, NID_MLDSA87,
};

use crate::{KeyType, Secret};

/// Returns AWS-LC's number for an ML-DSA parameter set.
const fn number(key: KeyType) -> Option<i32> {
    Some(match key {
        KeyType::MlDsa44 => NID_MLDSA44,
        KeyType::MlDsa65 => NID_MLDSA65,
        KeyType::MlDsa87 => NID_MLDSA87,
        _ => return None,
    })
}

/// Converts a return code to an `Option`: `None` if the function failed. AWS-LC's error queue is cleared, not consulted.
pub(super) fn done(code: i32) -> Option<()> {
    if code == 1 {
        return Some(());
    }
    // SAFETY: it empties the calling thread's own queue.
    unsafe { ERR_clear_error() };
    None
}

/// An ML-DSA or RSA key.
pub(super) struct Key(NonNull<EVP_PKEY>);

// SAFETY: a key is only read once it is made, which threads may do at once, and counted with atomic operations (evp.h).
unsafe impl Send for Key {}
// SAFETY: as above.
unsafe impl Sync for Key {}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once.
        unsafe { EVP_PKEY_free(self.0.as_ptr()) }
    }
}

/// A number, zeroized on drop.
pub(super) struct Number(NonNull<BIGNUM>);

impl Number {
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        // SAFETY: the bytes are as long as stated, and copied.
        NonNull::new(unsafe { BN_bin2bn(bytes.as_ptr(), bytes.len(), null_mut()) }).map(Self)
    }

    pub(super) const fn as_ptr(&self) -> *mut BIGNUM {
        self.0.as_ptr()
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once.
        unsafe { BN_clear_free(self.0.as_ptr()) }
    }
}

/// A digest context, freed on drop.
struct Context(NonNull<EVP_MD_CTX>);

impl Context {
    fn new() -> Option<Self> {
        // SAFETY: nothing goes in.
        NonNull::new(unsafe { EVP_MD_CTX_new() }).map(Self)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once; what was made in it goes with it.
        unsafe { EVP_MD_CTX_free(self.0.as_ptr()) }
    }
}

impl Key {
    /// Loads an ML-DSA private key from a seed or its expanded form.
    pub(super) fn private(key: KeyType, octets: &[u8]) -> Option<Self> {
        // SAFETY: the octets are as long as is said, and copied.
        let made = unsafe { EVP_PKEY_pqdsa_new_raw_private_key(number(key)?, octets.as_ptr(), octets.len()) };
        Self::made(made)
    }

    /// Loads an ML-DSA public key.
    pub(super) fn public(key: KeyType, octets: &[u8]) -> Option<Self> {
        // SAFETY: the octets are as long as is said, and copied.
        let made = unsafe { EVP_PKEY_pqdsa_new_raw_public_key(number(key)?, octets.as_ptr(), octets.len()) };
        Self::made(made)
    }

    pub(super) fn made(key: *mut EVP_PKEY) -> Option<Self> {
        let key = NonNull::new(key);
        done(i32::from(key.is_some()))?;
        key.map(Self)
    }

    /// Returns AWS-LC's key, which is valid as long as this value.
    pub(super) const fn as_ptr(&self) -> *mut EVP_PKEY {
        self.0.as_ptr()
    }

    /// Signs a message with a context of at most 255 bytes. The signature has at most `max` bytes.
    pub(super) fn sign(&self, context: &[u8], message: &[u8], max: usize) -> Option<Vec<u8>> {
        let digest = Context::new()?;
        let mut inside: *mut EVP_PKEY_CTX = null_mut();
        let mut signature = vec![0; max];
        let mut len = signature.len();
        // SAFETY: context and key live until the end; `inside` belongs to the context and is used before that goes. What comes in
        // is as long as is said, and what goes out has room for `len` octets.
        unsafe {
            done(EVP_DigestSignInit(digest.0.as_ptr(), &mut inside, null(), null_mut(), self.0.as_ptr()))?;
            done(EVP_PKEY_CTX_set1_signature_context_string(inside, context.as_ptr(), context.len()))?;
            let (out, from) = (signature.as_mut_ptr(), message.as_ptr());
            done(EVP_DigestSign(digest.0.as_ptr(), out, &mut len, from, message.len()))?;
        }
        signature.truncate(len);
        Some(signature)
    }

    /// Returns whether a signature is valid for this message in this context.
    pub(super) fn verifies(&self, context: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let Some(digest) = Context::new() else { return false };
        let mut inside: *mut EVP_PKEY_CTX = null_mut();
        // SAFETY: context and key live until the end; `inside` belongs to the context and is used before that goes. What comes in
        // is as long as is said.
        let verified = unsafe {
            done(EVP_DigestVerifyInit(digest.0.as_ptr(), &mut inside, null(), null_mut(), self.0.as_ptr()))
                .and_then(|()| {
                    done(EVP_PKEY_CTX_set1_signature_context_string(inside, context.as_ptr(), context.len()))
                })
                .and_then(|()| {
                    let (of, from) = (signature.as_ptr(), message.as_ptr());
                    done(EVP_DigestVerify(digest.0.as_ptr(), of, signature.len(), from, message.len()))
                })
        };
        verified.is_some()
    }
}

/// Expands a seed to an ML-KEM decapsulation key of `len` bytes (FIPS 203 §7.1, `KeyGen_internal`). The seed is passed as
/// PKCS #8 (RFC 9935 §6), which is the format that the library parses.
pub(super) fn expand_ml_kem(pkcs8: &[u8], len: usize) -> Option<Secret> {
    let mut expanded = Secret::zeroed(len);
    let mut expanded_len = len;
    let mut reader = CBS { data: pkcs8.as_ptr(), len: pkcs8.len() };
    // SAFETY: the reader is of the octets that come in, which are copied; what is made is ours; the key that comes out has room.
    unsafe {
        let made = Key::made(EVP_parse_private_key(&mut reader))?;
        let out = expanded.expose_mut().as_mut_ptr();
        done(EVP_PKEY_get_raw_private_key(made.0.as_ptr(), out, &mut expanded_len))?;
    }
    (expanded_len == len && reader.len == 0).then_some(expanded)
}

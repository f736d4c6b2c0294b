//! OpenSSL functions that the crate `openssl` does not expose, or exposes only for newer libraries: keys by name,
//! signature contexts and KEMs. All 3.x versions have these functions, and reject unsupported algorithms.
#![allow(unsafe_code, reason = "functions of C")]

use core::ffi::{CStr, c_int};
use core::ptr::{null, null_mut};

use foreign_types::{ForeignType, ForeignTypeRef};
use openssl::error::ErrorStack;
use openssl::md_ctx::MdCtx;
use openssl::pkey::{HasPrivate, HasPublic, PKey, PKeyRef, Private, Public};
use openssl::pkey_ctx::{PkeyCtx, PkeyCtxRef};
use openssl_sys as ffi;

use crate::Secret;

/// The input of a signature operation.
#[derive(Clone, Copy)]
pub(super) enum Said<'a> {
    /// A message with a context.
    Message(&'a [u8], &'a [u8]),
    /// An already encoded context and message (FIPS 205 algorithm 23).
    Encoded(&'a [u8]),
}

impl<'a> Said<'a> {
    const fn octets(self) -> &'a [u8] {
        match self {
            Self::Message(_, message) => message,
            Self::Encoded(octets) => octets,
        }
    }
}

fn done(code: c_int) -> Result<(), ErrorStack> {
    if code == 1 { Ok(()) } else { Err(ErrorStack::get()) }
}

/// Loads a private key from the raw bytes that its standard defines.
pub(super) fn private_key(name: &CStr, octets: &[u8]) -> Result<PKey<Private>, ErrorStack> {
    openssl_sys::init();
    // SAFETY: the name ends in zero, the octets are as long as is said, and both are copied; what comes out is ours.
    unsafe {
        let made =
            ffi::EVP_PKEY_new_raw_private_key_ex(null_mut(), name.as_ptr(), null(), octets.as_ptr(), octets.len());
        if made.is_null() { Err(ErrorStack::get()) } else { Ok(PKey::from_ptr(made)) }
    }
}

/// Loads a public key from the raw bytes that its standard defines.
pub(super) fn public_key(name: &CStr, octets: &[u8]) -> Result<PKey<Public>, ErrorStack> {
    openssl_sys::init();
    // SAFETY: as above.
    unsafe {
        let made =
            ffi::EVP_PKEY_new_raw_public_key_ex(null_mut(), name.as_ptr(), null(), octets.as_ptr(), octets.len());
        if made.is_null() { Err(ErrorStack::get()) } else { Ok(PKey::from_ptr(made)) }
    }
}

/// Sets the context string of a signature, or disables its prefix.
fn set<T>(inside: &PkeyCtxRef<T>, said: Said<'_>) -> Result<(), ErrorStack> {
    let mut encoding = 0;
    // SAFETY: the array ends as the library's arrays do, and with what it points to lives until it is read. The octets of the
    // context are not written to, for all that the pointer says.
    unsafe {
        let parameter = match said {
            Said::Message(context, _) => ffi::OSSL_PARAM_construct_octet_string(
                c"context-string".as_ptr(),
                context.as_ptr().cast_mut().cast(),
                context.len(),
            ),
            Said::Encoded(_) => ffi::OSSL_PARAM_construct_uint(c"message-encoding".as_ptr(), &mut encoding),
        };
        let parameters = [parameter, ffi::OSSL_PARAM_construct_end()];
        done(ffi::EVP_PKEY_CTX_set_params(inside.as_ptr(), parameters.as_ptr()))
    }
}

/// Generates a key of an algorithm without parameters.
pub(super) fn generate(name: &CStr) -> Result<PKey<Private>, ErrorStack> {
    openssl_sys::init();
    let mut made = null_mut();
    // SAFETY: the name ends in zero; the context is ours, and freed when it goes; what comes out is ours.
    unsafe {
        let context = ffi::EVP_PKEY_CTX_new_from_name(null_mut(), name.as_ptr(), null());
        if context.is_null() {
            return Err(ErrorStack::get());
        }
        let context = PkeyCtx::<Private>::from_ptr(context);
        done(ffi::EVP_PKEY_keygen_init(context.as_ptr()))?;
        done(ffi::EVP_PKEY_keygen(context.as_ptr(), &mut made))?;
        Ok(PKey::from_ptr(made))
    }
}

/// Checks that a private key is consistent.
pub(super) fn check(key: &PKeyRef<Private>) -> Result<(), ErrorStack> {
    let context = PkeyCtx::new(key)?;
    // SAFETY: the context lives until the end.
    done(unsafe { ffi::EVP_PKEY_check(context.as_ptr()) })
}

/// Signs with an algorithm that supports contexts and has its own digest.
pub(super) fn sign<T: HasPrivate>(key: &PKeyRef<T>, said: Said<'_>) -> Result<Vec<u8>, ErrorStack> {
    let mut signing = MdCtx::new()?;
    set(signing.digest_sign_init(None, key)?, said)?;
    // The length is known: asking for it could sign twice.
    let mut signature = vec![0; key.size()];
    let len = signing.digest_sign(said.octets(), Some(&mut signature))?;
    signature.truncate(len);
    Ok(signature)
}

/// Returns whether a signature is valid.
pub(super) fn verify<T: HasPublic>(key: &PKeyRef<T>, said: Said<'_>, signature: &[u8]) -> Result<bool, ErrorStack> {
    let mut verifying = MdCtx::new()?;
    set(verifying.digest_verify_init(None, key)?, said)?;
    verifying.digest_verify(said.octets(), signature)
}

/// Generates a shared secret, and returns the ciphertext and the secret.
pub(super) fn encapsulate(key: &PKeyRef<Public>) -> Result<(Vec<u8>, Secret), ErrorStack> {
    let context = PkeyCtx::new(key)?;
    let (mut len, mut secret_len) = (0, 0);
    // SAFETY: the context lives until the end. What goes out first is lengths alone, and then has room for that much.
    unsafe {
        let context = context.as_ptr();
        done(ffi::EVP_PKEY_encapsulate_init(context, null()))?;
        done(ffi::EVP_PKEY_encapsulate(context, null_mut(), &mut len, null_mut(), &mut secret_len))?;
        let (mut ciphertext, mut secret) = (vec![0; len], Secret::zeroed(secret_len));
        let (out, shared) = (ciphertext.as_mut_ptr(), secret.expose_mut().as_mut_ptr());
        done(ffi::EVP_PKEY_encapsulate(context, out, &mut len, shared, &mut secret_len))?;
        ciphertext.truncate(len);
        secret.truncate(secret_len);
        Ok((ciphertext, secret))
    }
}

/// Decapsulates the shared secret from a ciphertext.
pub(super) fn decapsulate(key: &PKeyRef<Private>, ciphertext: &[u8]) -> Result<Secret, ErrorStack> {
    let context = PkeyCtx::new(key)?;
    let mut len = 0;
    // SAFETY: the context lives until the end. What goes out first is a length alone, and then has room for that much.
    unsafe {
        let context = context.as_ptr();
        let (from, from_len) = (ciphertext.as_ptr(), ciphertext.len());
        done(ffi::EVP_PKEY_decapsulate_init(context, null()))?;
        done(ffi::EVP_PKEY_decapsulate(context, null_mut(), &mut len, from, from_len))?;
        let mut secret = Secret::zeroed(len);
        done(ffi::EVP_PKEY_decapsulate(context, secret.expose_mut().as_mut_ptr(), &mut len, from, from_len))?;
        secret.truncate(len);
        Ok(secret)
    }
}

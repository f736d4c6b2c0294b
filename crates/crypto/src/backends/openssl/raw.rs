//! What the crate `openssl` has no functions for, or only where it is built against a library that has them: keys by any name,
//! contexts of signatures, KEMs. The functions are those of every 3.x; what the library has no algorithm for, it refuses itself.
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

/// What is signed: a message as it is, in a context.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub(super) context: &'a [u8],
    pub(super) message: &'a [u8],
}

fn done(code: c_int) -> Result<(), ErrorStack> {
    if code == 1 { Ok(()) } else { Err(ErrorStack::get()) }
}

/// A private key of the octets that its standard gives it.
pub(super) fn private_key(name: &CStr, octets: &[u8]) -> Result<PKey<Private>, ErrorStack> {
    openssl_sys::init();
    // SAFETY: the name ends in zero, the octets are as long as is said, and both are copied; what comes out is ours.
    unsafe {
        let made =
            ffi::EVP_PKEY_new_raw_private_key_ex(null_mut(), name.as_ptr(), null(), octets.as_ptr(), octets.len());
        if made.is_null() { Err(ErrorStack::get()) } else { Ok(PKey::from_ptr(made)) }
    }
}

/// A public key, likewise.
pub(super) fn public_key(name: &CStr, octets: &[u8]) -> Result<PKey<Public>, ErrorStack> {
    openssl_sys::init();
    // SAFETY: as above.
    unsafe {
        let made =
            ffi::EVP_PKEY_new_raw_public_key_ex(null_mut(), name.as_ptr(), null(), octets.as_ptr(), octets.len());
        if made.is_null() { Err(ErrorStack::get()) } else { Ok(PKey::from_ptr(made)) }
    }
}

/// Tells a signature what its context is.
fn set<T>(inside: &PkeyCtxRef<T>, said: Said<'_>) -> Result<(), ErrorStack> {
    let context = said.context;
    // SAFETY: the array ends as the library's arrays do, and lives until it is read. The octets are not written to, for all that
    // the pointer says.
    unsafe {
        let name = c"context-string".as_ptr();
        let parameters = [
            ffi::OSSL_PARAM_construct_octet_string(name, context.as_ptr().cast_mut().cast(), context.len()),
            ffi::OSSL_PARAM_construct_end(),
        ];
        done(ffi::EVP_PKEY_CTX_set_params(inside.as_ptr(), parameters.as_ptr()))
    }
}

/// A signature of an algorithm that has contexts, and a digest of its own.
pub(super) fn sign<T: HasPrivate>(key: &PKeyRef<T>, said: Said<'_>) -> Result<Vec<u8>, ErrorStack> {
    let mut signing = MdCtx::new()?;
    set(signing.digest_sign_init(None, key)?, said)?;
    // The length is known: asking for it could sign twice.
    let mut signature = vec![0; key.size()];
    let len = signing.digest_sign(said.message, Some(&mut signature))?;
    signature.truncate(len);
    Ok(signature)
}

/// Whether a signature is right.
pub(super) fn verify<T: HasPublic>(key: &PKeyRef<T>, said: Said<'_>, signature: &[u8]) -> Result<bool, ErrorStack> {
    let mut verifying = MdCtx::new()?;
    set(verifying.digest_verify_init(None, key)?, said)?;
    verifying.digest_verify(said.message, signature)
}

/// A ciphertext and the secret that it carries.
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

/// The secret that a ciphertext carries.
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

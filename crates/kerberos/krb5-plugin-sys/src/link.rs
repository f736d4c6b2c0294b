//! libkrb5 functions, looked up on their first call.
//!
//! A name is looked up in the libraries of the running program, then in `libkrb5.so.3`, for programs that loaded it
//! privately. If a release does not contain the function, [`Missing`] names it.
#![allow(unsafe_code, reason = "foreign functions")]

use core::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::sync::OnceLock;

use crate::mit::{
    krb5_boolean, krb5_ccache, krb5_const_principal, krb5_context, krb5_data, krb5_enctype, krb5_error_code,
    krb5_flags, krb5_keyblock, krb5_pac, krb5_principal,
};

/// A function that is missing from the loaded libkrb5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing(pub &'static str);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the loaded libkrb5 does not provide {}", self.0)
    }
}

impl std::error::Error for Missing {}

/// Returns the address of a function, or 0 if it is not found.
fn address(name: &CStr) -> usize {
    // SAFETY: the name is a C string; a library of the program stays loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if !found.is_null() {
        return found.expose_provenance();
    }
    static LIBRARY: OnceLock<usize> = OnceLock::new();
    let library = *LIBRARY.get_or_init(|| {
        // SAFETY: the name is a C string. The handle is never closed, so what is found in it stays.
        unsafe { libc::dlopen(c"libkrb5.so.3".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL).expose_provenance() }
    });
    match library {
        0 => 0,
        // SAFETY: the handle is that of a library that stays open.
        _ => unsafe { libc::dlsym(core::ptr::with_exposed_provenance_mut(library), name.as_ptr()).expose_provenance() },
    }
}

macro_rules! functions {
    ($($(#[doc = $doc:literal])* fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {$(
        $(#[doc = $doc])*
        ///
        /// # Errors
        ///
        /// Returns [`Missing`] if the loaded libkrb5 does not contain the function.
        ///
        /// # Safety
        ///
        /// The requirements are those that MIT documents: pointers must be valid, and each output must be freed by its matching
        /// function.
        pub unsafe fn $name($($arg: $ty),*) -> Result<functions!(@ret $($ret)?), Missing> {
            static ADDRESS: OnceLock<usize> = OnceLock::new();
            let name = concat!(stringify!($name), "\0");
            let found = *ADDRESS.get_or_init(|| CStr::from_bytes_with_nul(name.as_bytes()).map_or(0, $crate::link::address));
            if found == 0 {
                return Err(Missing(stringify!($name)));
            }
            type Function = unsafe extern "C" fn($($ty),*) $(-> $ret)?;
            // SAFETY: the address is that of MIT's function of this name, whose type MIT's headers give; the caller
            // keeps its contract.
            Ok(unsafe { core::mem::transmute::<*const c_void, Function>(core::ptr::with_exposed_provenance(found))($($arg),*) })
        }
    )*};
    (@ret) => { () };
    (@ret $ret:ty) => { $ret };
}

pub mod kdb;
pub mod verto;

functions! {
    /// Parses a principal's name.
    fn krb5_parse_name(context: krb5_context, name: *const c_char, principal: *mut krb5_principal) -> krb5_error_code;
    /// Copies a principal.
    fn krb5_copy_principal(context: krb5_context, from: krb5_const_principal, to: *mut krb5_principal) -> krb5_error_code;
    /// Frees a principal.
    fn krb5_free_principal(context: krb5_context, principal: krb5_principal);
    /// Returns the default realm.
    fn krb5_get_default_realm(context: krb5_context, realm: *mut *mut c_char) -> krb5_error_code;
    /// Frees the default realm.
    fn krb5_free_default_realm(context: krb5_context, realm: *mut c_char);
    /// Opens a credential cache by its name.
    fn krb5_cc_resolve(context: krb5_context, name: *const c_char, cache: *mut krb5_ccache) -> krb5_error_code;
    /// Closes a credential cache.
    fn krb5_cc_close(context: krb5_context, cache: krb5_ccache) -> krb5_error_code;
    /// Returns the principal of a credential cache.
    fn krb5_cc_get_principal(context: krb5_context, cache: krb5_ccache, principal: *mut krb5_principal) -> krb5_error_code;
    /// Returns whether two principals are the same.
    fn krb5_principal_compare(context: krb5_context, one: krb5_const_principal, other: krb5_const_principal) -> krb5_boolean;
    /// Returns a copy of the context's configuration profile.
    fn krb5_get_profile(context: krb5_context, profile: *mut *mut c_void) -> krb5_error_code;
    /// Frees a profile.
    fn profile_release(profile: *mut c_void);
    /// Returns the values of a profile relation.
    fn profile_get_values(profile: *mut c_void, names: *const *const c_char, values: *mut *mut *mut c_char) -> core::ffi::c_long;
    /// Frees the values of a profile relation.
    fn profile_free_list(values: *mut *mut c_char);
    /// Returns the length of the ciphertext for a plaintext length.
    fn krb5_c_encrypt_length(context: krb5_context, enctype: krb5_enctype, input: usize, output: *mut usize) -> krb5_error_code;
    /// Encrypts data with a key for a key usage.
    fn krb5_c_encrypt(context: krb5_context, key: *const krb5_keyblock, usage: c_int, state: *const krb5_data, plain: *const krb5_data, cipher: *mut crate::mit::krb5_enc_data) -> krb5_error_code;
    /// Decrypts data with a key for a key usage.
    fn krb5_c_decrypt(context: krb5_context, key: *const krb5_keyblock, usage: c_int, state: *const krb5_data, cipher: *const crate::mit::krb5_enc_data, plain: *mut krb5_data) -> krb5_error_code;
    /// Creates a context from a profile.
    fn krb5_init_context_profile(profile: *mut c_void, flags: krb5_flags, context: *mut krb5_context) -> krb5_error_code;
    /// Frees a context.
    fn krb5_free_context(context: krb5_context);
    /// Sets the default realm.
    fn krb5_set_default_realm(context: krb5_context, realm: *const c_char) -> krb5_error_code;
    /// Creates a profile from a method table.
    fn profile_init_vtable(table: *mut crate::profile::profile_vtable, data: *mut c_void, profile: *mut *mut c_void) -> core::ffi::c_long;
    /// Returns the message for an error code.
    fn krb5_get_error_message(context: krb5_context, code: krb5_error_code) -> *const c_char;
    /// Frees a message returned by `krb5_get_error_message`.
    fn krb5_free_error_message(context: krb5_context, message: *const c_char);
    /// Frees the contents of a key.
    fn krb5_free_keyblock_contents(context: krb5_context, key: *mut krb5_keyblock);
    /// Frees the contents of counted data.
    fn krb5_free_data_contents(context: krb5_context, data: *mut krb5_data);
    /// Frees counted data.
    fn krb5_free_data(context: krb5_context, data: *mut krb5_data);
    /// Generates a random key.
    fn krb5_c_make_random_key(context: krb5_context, enctype: krb5_enctype, key: *mut krb5_keyblock) -> krb5_error_code;
    /// Returns the types of a PAC's buffers.
    fn krb5_pac_get_types(context: krb5_context, pac: krb5_pac, count: *mut usize, types: *mut *mut u32) -> krb5_error_code;
    /// Returns a PAC buffer.
    fn krb5_pac_get_buffer(context: krb5_context, pac: krb5_pac, kind: u32, data: *mut krb5_data) -> krb5_error_code;
    /// Adds a buffer to a PAC.
    fn krb5_pac_add_buffer(context: krb5_context, pac: krb5_pac, kind: u32, data: *const krb5_data) -> krb5_error_code;
}

/// Sets a context's message for an error code. The message is not interpreted as a format string.
///
/// # Errors
///
/// Returns [`Missing`] if the loaded libkrb5 does not contain the function.
///
/// # Safety
///
/// The context must have been created by libkrb5.
pub unsafe fn set_error_message(context: krb5_context, code: krb5_error_code, message: &CStr) -> Result<(), Missing> {
    static ADDRESS: OnceLock<usize> = OnceLock::new();
    let found = *ADDRESS.get_or_init(|| address(c"krb5_set_error_message"));
    if found == 0 {
        return Err(Missing("krb5_set_error_message"));
    }
    type Function = unsafe extern "C" fn(krb5_context, krb5_error_code, *const c_char, ...);
    // SAFETY: the address is that of MIT's function, whose type this is; the format takes one C string.
    unsafe {
        core::mem::transmute::<*const c_void, Function>(core::ptr::with_exposed_provenance(found))(
            context,
            code,
            c"%s".as_ptr(),
            message.as_ptr(),
        );
    }
    Ok(())
}

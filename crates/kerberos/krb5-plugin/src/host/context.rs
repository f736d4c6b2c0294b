//! The host's context.

use core::ffi::{CStr, c_char, c_void};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::{null, null_mut};
use std::ffi::CString;

use tagwise_krb5::Principal;
use tagwise_krb5_plugin_sys::link;
use tagwise_krb5_plugin_sys::mit::{krb5_context, krb5_data, krb5_principal, krb5_principal_data};

use crate::{Error, Result, codes};

/// The host's context. It is valid only during the call and on its thread.
pub struct Context<'c> {
    pointer: krb5_context,
    call: PhantomData<&'c ()>,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Context")
    }
}

/// Converts a libkrb5 code to a result; 0 means success.
pub(crate) fn done(code: i32) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(code.into()) }
}

pub(crate) fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(libc::EINVAL, format!("{text:?}: must not contain a zero byte")))
}

impl Context<'_> {
    /// Wraps the host's context.
    ///
    /// # Safety
    ///
    /// The pointer must be null, or valid for the lifetime of the value.
    pub(crate) unsafe fn new(pointer: krb5_context) -> Self {
        Self { pointer, call: PhantomData }
    }

    pub(crate) fn pointer(&self) -> krb5_context {
        self.pointer
    }

    pub(crate) fn checked(&self) -> Result<krb5_context> {
        if self.pointer.is_null() { Err(codes::KRB5KRB_ERR_GENERIC.into()) } else { Ok(self.pointer) }
    }

    /// Returns the default realm.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_get_default_realm`.
    pub fn default_realm(&self) -> Result<String> {
        let context = self.checked()?;
        let mut realm = null_mut();
        // SAFETY: the context is valid, and a realm that is returned is a string until it is freed.
        unsafe {
            done(link::krb5_get_default_realm(context, &raw mut realm)?)?;
            let text = CStr::from_ptr(realm).to_string_lossy().into_owned();
            link::krb5_free_default_realm(context, realm)?;
            Ok(text)
        }
    }

    /// Returns the values of a configuration relation, such as `["libdefaults", "default_realm"]`.
    ///
    /// # Errors
    ///
    /// Returns an error if the configuration cannot be read. A missing relation is not an error, and has no values.
    pub fn configured(&self, names: &[&str]) -> Result<Vec<String>> {
        let context = self.checked()?;
        let names: Vec<CString> = names.iter().map(|name| c_string(name)).collect::<Result<_>>()?;
        let mut pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        pointers.push(null());
        let mut profile: *mut c_void = null_mut();
        let mut values: *mut *mut c_char = null_mut();
        // SAFETY: the context and the names are valid; a list that is returned is one of strings until it is freed.
        unsafe {
            done(link::krb5_get_profile(context, &raw mut profile)?)?;
            let code = link::profile_get_values(profile, pointers.as_ptr(), &raw mut values);
            let found = match code {
                Ok(0) => super::lent::texts(values.cast_const().cast()),
                _ => Vec::new(),
            };
            let found = found.iter().map(|value| value.to_string_lossy().into_owned()).collect();
            if !values.is_null() {
                link::profile_free_list(values)?;
            }
            link::profile_release(profile)?;
            code?;
            Ok(found)
        }
    }

    /// Copies a principal using the host's allocator.
    pub(crate) fn host_principal(&self, principal: &Principal) -> Result<krb5_principal> {
        let context = self.checked()?;
        with_principal(principal, |borrowed| {
            let mut copy = null_mut();
            // SAFETY: the context is valid, and so is the principal during the call.
            done(unsafe { link::krb5_copy_principal(context, borrowed, &raw mut copy) }?)?;
            Ok(copy)
        })
    }
}

/// Creates a read-only `krb5_data` that borrows the bytes.
pub(crate) fn data(bytes: &[u8]) -> Result<krb5_data> {
    let length = u32::try_from(bytes.len()).map_err(|_| Error::from(libc::EINVAL))?;
    Ok(krb5_data { magic: 0, length, data: bytes.as_ptr().cast_mut().cast() })
}

/// Calls `run` with a principal as a borrowed MIT structure.
pub(crate) fn with_principal<R>(
    principal: &Principal,
    run: impl FnOnce(&krb5_principal_data) -> Result<R>,
) -> Result<R> {
    let components = principal.components();
    let mut parts: Vec<krb5_data> = components.iter().map(|part| data(part)).collect::<Result<_>>()?;
    let length = i32::try_from(parts.len()).map_err(|_| Error::from(libc::EINVAL))?;
    let made = krb5_principal_data {
        magic: 0,
        realm: data(principal.realm())?,
        data: parts.as_mut_ptr(),
        length,
        type_: principal.name_type(),
    };
    run(&made)
}

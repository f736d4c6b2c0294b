//! Structures that the host frees with `free`.

use libc::free;
use tagwise_krb5_plugin_sys::mit::{krb5_authdata, krb5_pa_data};

use crate::host::memory::{copied, zeroed};
use crate::view::{AuthData, PaData};
use crate::{Error, Result};

fn length(bytes: &[u8]) -> Result<u32> {
    u32::try_from(bytes.len()).map_err(|_| Error::new(libc::EINVAL, "the data is longer than 4 GiB"))
}

/// Creates preauthentication data that the host frees.
pub(crate) fn pa_data(data: &PaData) -> Result<*mut krb5_pa_data> {
    let made = zeroed::<krb5_pa_data>(1)?;
    let count = length(data.contents())?;
    match copied(data.contents()) {
        Ok(contents) => {
            // SAFETY: it was just made, and is nobody else's.
            let fields = unsafe { &mut *made };
            (fields.pa_type, fields.length, fields.contents) = (data.pa_type(), count, contents);
            Ok(made)
        }
        Err(error) => {
            // SAFETY: it was just made by `calloc`.
            unsafe { free(made.cast()) };
            Err(error)
        }
    }
}

/// Creates authorization data that the host frees.
fn auth_data(data: &AuthData) -> Result<*mut krb5_authdata> {
    let made = zeroed::<krb5_authdata>(1)?;
    let count = length(data.contents())?;
    match copied(data.contents()) {
        Ok(contents) => {
            // SAFETY: it was just made, and is nobody else's.
            let fields = unsafe { &mut *made };
            (fields.ad_type, fields.length, fields.contents) = (data.ad_type(), count, contents);
            Ok(made)
        }
        Err(error) => {
            // SAFETY: it was just made by `calloc`.
            unsafe { free(made.cast()) };
            Err(error)
        }
    }
}

/// Creates a null-terminated array of pointers that the host frees. Returns null if there are no items.
fn list<S, T>(items: &[S], make: fn(&S) -> Result<*mut T>) -> Result<*mut *mut T> {
    if items.is_empty() {
        return Ok(core::ptr::null_mut());
    }
    let made = zeroed::<*mut T>(items.len() + 1)?;
    for (at, item) in items.iter().enumerate() {
        // Objects created before an error stay allocated: memory is exhausted, and contents differ by type.
        let item = make(item)?;
        // SAFETY: the array has room for all items and a null pointer.
        unsafe { made.add(at).write(item) };
    }
    Ok(made)
}

/// Creates a list of preauthentication data that the host frees.
pub(crate) fn pa_list(items: &[PaData]) -> Result<*mut *mut krb5_pa_data> {
    list(items, pa_data)
}

/// Creates a list of authorization data that the host frees.
pub(crate) fn auth_list(items: &[AuthData]) -> Result<*mut *mut krb5_authdata> {
    list(items, auth_data)
}

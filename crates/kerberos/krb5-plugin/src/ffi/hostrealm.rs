use core::ffi::{CStr, c_char, c_int};
use std::ffi::CString;

use tagwise_krb5_plugin_sys::mit::{krb5_context, krb5_hostrealm_moddata as Data, krb5_hostrealm_vtable_st as Table};

use super::guard::{caught, finish, guard, module, name, store, version};
use super::memory::{free_strings, strings};
use super::private::Vtable;
use crate::host::lent::text;
use crate::hostrealm::Hostrealm;
use crate::{Error, Result};

unsafe extern "C" fn init<T: Hostrealm>(context: krb5_context, data: *mut Data) -> c_int {
    // SAFETY: the host's arguments are valid during the call.
    unsafe { guard(context, |context| store(data, T::init(context)?)) }
}

unsafe extern "C" fn fini<T: Hostrealm>(context: krb5_context, data: Data) {
    // SAFETY: the data is what `init` stored, and the host uses it no more.
    unsafe {
        guard(context, |context| {
            finish::<T, _>(data, |module| {
                module.fini(context);
                Ok(())
            })
        });
    }
}

/// Passes realms to the host. If the list is empty, the module defers instead, because the host would read an empty list as "no realm".
///
/// # Safety
///
/// `out` must be writable.
unsafe fn give(realms: Vec<String>, out: *mut *mut *mut c_char) -> Result<()> {
    let realms: Vec<CString> =
        realms.into_iter().map(CString::new).collect::<Result<_, _>>().map_err(|_| Error::from(libc::EINVAL))?;
    if realms.is_empty() || out.is_null() {
        return Err(Error::no_handle());
    }
    // SAFETY: the caller's.
    unsafe { out.write(strings(realms)) };
    Ok(())
}

unsafe extern "C" fn host_realm<T: Hostrealm>(
    context: krb5_context,
    data: Data,
    host: *const c_char,
    out: *mut *mut *mut c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            let host = text(host).ok_or_else(Error::no_handle)?;
            give(module::<T, _>(data)?.host_realm(context, host)?, out)
        })
    }
}

unsafe extern "C" fn fallback_realm<T: Hostrealm>(
    context: krb5_context,
    data: Data,
    host: *const c_char,
    out: *mut *mut *mut c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe {
        guard(context, |context| {
            let host = text(host).ok_or_else(Error::no_handle)?;
            give(module::<T, _>(data)?.fallback_realm(context, host)?, out)
        })
    }
}

unsafe extern "C" fn default_realm<T: Hostrealm>(
    context: krb5_context,
    data: Data,
    out: *mut *mut *mut c_char,
) -> c_int {
    // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
    unsafe { guard(context, |context| give(module::<T, _>(data)?.default_realm(context)?, out)) }
}

unsafe extern "C" fn free_list(_: krb5_context, _: Data, list: *mut *mut c_char) {
    // SAFETY: the host gives back what `give` wrote.
    caught(|| unsafe { free_strings(list) });
}

/// Fills the interface's method table.
///
/// # Safety
///
/// The context must be valid, and the table must be large enough for the requested minor version, as MIT
/// guarantees.
pub unsafe fn hostrealm<T: Hostrealm>(
    context: krb5_context,
    major: c_int,
    minor: c_int,
    table: Vtable,
    named: &'static CStr,
) -> c_int {
    // SAFETY: the caller's; all fields are of minor version 1.
    unsafe {
        guard(context, |_| {
            version(major, minor, table)?;
            table.cast::<Table>().write(Table {
                name: name(named),
                init: Some(init::<T>),
                fini: Some(fini::<T>),
                host_realm: Some(host_realm::<T>),
                fallback_realm: Some(fallback_realm::<T>),
                default_realm: Some(default_realm::<T>),
                free_list: Some(free_list),
            });
            Ok(())
        })
    }
}

//! Principal entries.

use core::ffi::{c_char, c_int, c_uint};
use core::ptr::null_mut;

use tagwise_krb5_plugin_sys::link::kdb::Visitor;
use tagwise_krb5_plugin_sys::mit::{
    krb5_const_principal, krb5_context, krb5_db_entry, krb5_error_code, krb5_flags, krb5_pointer,
};

use super::{broken, entry, principal, state};
use crate::host::context::done;
use crate::host::lent::{text, texts};
use crate::kdb::{DbEntry, Flags, IterFlags, Kdb};
use crate::{Result, codes};

/// Passes an entry to the host.
///
/// # Safety
///
/// `out` must be null or writable.
pub(super) unsafe fn give(out: *mut *mut krb5_db_entry, found: impl FnOnce() -> Result<Option<DbEntry>>) -> Result<()> {
    if out.is_null() {
        return Err(broken());
    }
    // SAFETY: the caller's. Some callers look at it after an error.
    unsafe { out.write(null_mut()) };
    let found = found()?.ok_or(codes::KRB5_KDB_NOENTRY)?;
    // SAFETY: the caller's.
    unsafe { out.write(found.into_raw()) };
    Ok(())
}

pub(super) unsafe extern "C" fn get_principal<T: Kdb>(
    context: krb5_context,
    name: krb5_const_principal,
    flags: c_uint,
    out: *mut *mut krb5_db_entry,
) -> krb5_error_code {
    // SAFETY: the host's arguments are valid during the call, and the context's module is this one.
    unsafe {
        state::call::<T>(context, |driver, view| {
            give(out, || driver.get_principal(view, principal(name)?, Flags(flags)))
        })
    }
}

pub(super) unsafe extern "C" fn put_principal<T: Kdb>(
    context: krb5_context,
    changed: *mut krb5_db_entry,
    db_args: *mut *mut c_char,
) -> krb5_error_code {
    // SAFETY: as of `get_principal`.
    unsafe {
        state::call::<T>(context, |driver, view| {
            driver.put_principal(view, entry(changed)?, &texts(db_args.cast_const().cast()))
        })
    }
}

pub(super) unsafe extern "C" fn delete_principal<T: Kdb>(
    context: krb5_context,
    name: krb5_const_principal,
) -> krb5_error_code {
    // SAFETY: as of `get_principal`.
    unsafe { state::call::<T>(context, |driver, view| driver.delete_principal(view, principal(name)?)) }
}

pub(super) unsafe extern "C" fn rename_principal<T: Kdb>(
    context: krb5_context,
    source: krb5_const_principal,
    target: krb5_const_principal,
) -> krb5_error_code {
    // SAFETY: as of `get_principal`.
    unsafe {
        state::call::<T>(context, |driver, view| driver.rename_principal(view, principal(source)?, principal(target)?))
    }
}

pub(super) unsafe extern "C" fn iterate<T: Kdb>(
    context: krb5_context,
    pattern: *mut c_char,
    visitor: Visitor,
    argument: krb5_pointer,
    flags: krb5_flags,
) -> krb5_error_code {
    // SAFETY: as of `get_principal`; the visitor takes its argument and an entry, which it may change and does not free.
    unsafe {
        state::call::<T>(context, |driver, view| {
            let visitor = visitor.ok_or_else(broken)?;
            let mut each = |mut shown: DbEntry| -> Result<()> {
                let code: c_int = visitor(argument, shown.pointer());
                done(code)
            };
            driver.iterate(view, text(pattern), IterFlags(flags.cast_unsigned()), &mut each)
        })
    }
}

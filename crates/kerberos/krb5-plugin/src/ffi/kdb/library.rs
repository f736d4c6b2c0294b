//! Opens, creates, locks and closes databases.

use core::ffi::{c_char, c_int};

use tagwise_krb5_plugin_sys::mit::{krb5_context, krb5_error_code};

use super::{broken, state};
use crate::Result;
use crate::ffi::guard::{caught, guard, panicked, plain};
use crate::host::lent::{text, texts};
use crate::kdb::{Kdb, LockMode, Settings};

/// The mode of `create`, `destroy` and `promote_db`, which administrative programs call.
const ADMIN: c_int = 0x200;

/// Borrows the settings from the host.
///
/// # Safety
///
/// The pointers must be null, or valid for `'a`. The list must be null-terminated.
unsafe fn settings<'a>(section: *const c_char, db_args: *mut *mut c_char, mode: c_int) -> Result<Settings<'a>> {
    // SAFETY: the caller's.
    unsafe {
        Ok(Settings { section: text(section).ok_or_else(broken)?, db_args: texts(db_args.cast_const().cast()), mode })
    }
}

pub(super) unsafe extern "C" fn init_library<T: Kdb>() -> krb5_error_code {
    plain(T::init_library)
}

pub(super) unsafe extern "C" fn fini_library<T: Kdb>() -> krb5_error_code {
    // An error would keep libkdb5 from letting go of the library.
    plain(|| {
        T::fini_library();
        Ok(())
    });
    0
}

pub(super) unsafe extern "C" fn init_module<T: Kdb>(
    context: krb5_context,
    section: *mut c_char,
    db_args: *mut *mut c_char,
    mode: c_int,
) -> krb5_error_code {
    // SAFETY: the host's arguments are valid during the call, and the context's module is this one.
    unsafe {
        guard(context, |view| {
            let settings = settings(section, db_args, mode)?;
            state::keep(context, || T::init_module(view, &settings))
        })
    }
}

pub(super) unsafe extern "C" fn fini_module<T: Kdb>(context: krb5_context) -> krb5_error_code {
    // SAFETY: the context is valid during the call, and its module is this one.
    unsafe {
        guard(context, |view| {
            if let Some(driver) = state::release::<T>(context)? {
                // A panic ends before the driver does, which may panic itself.
                caught(|| driver.fini_module(view));
            }
            Ok(())
        });
    }
    // An error would keep libkdb5 from letting go of the library.
    0
}

pub(super) unsafe extern "C" fn create<T: Kdb>(
    context: krb5_context,
    section: *mut c_char,
    db_args: *mut *mut c_char,
) -> krb5_error_code {
    // SAFETY: as of `init_module`.
    unsafe {
        guard(context, |view| {
            let settings = settings(section, db_args, ADMIN)?;
            state::keep(context, || T::create(view, &settings))
        })
    }
}

pub(super) unsafe extern "C" fn destroy<T: Kdb>(
    context: krb5_context,
    section: *mut c_char,
    db_args: *mut *mut c_char,
) -> krb5_error_code {
    // SAFETY: as of `init_module`.
    unsafe { guard(context, |view| T::destroy(view, &settings(section, db_args, ADMIN)?)) }
}

pub(super) unsafe extern "C" fn promote_db<T: Kdb>(
    context: krb5_context,
    section: *mut c_char,
    db_args: *mut *mut c_char,
) -> krb5_error_code {
    // SAFETY: as of `init_module`.
    unsafe {
        guard(context, |view| {
            let driver = state::current::<T>(context)?;
            caught(|| driver.promote_db(view, &settings(section, db_args, ADMIN)?))
                .unwrap_or_else(|| Err(panicked()))?;
            // The database is the live one now, whatever the driver's end does.
            if let Some(former) = state::release::<T>(context)? {
                caught(|| drop((former, driver)));
            }
            Ok(())
        })
    }
}

pub(super) unsafe extern "C" fn lock<T: Kdb>(context: krb5_context, mode: c_int) -> krb5_error_code {
    // SAFETY: the context is valid during the call, and its module is this one.
    unsafe { state::call::<T>(context, |driver, view| driver.lock(view, LockMode(mode.cast_unsigned()))) }
}

pub(super) unsafe extern "C" fn unlock<T: Kdb>(context: krb5_context) -> krb5_error_code {
    // SAFETY: the context is valid during the call, and its module is this one.
    unsafe { state::call::<T>(context, |driver, view| driver.unlock(view)) }
}

//! The open driver of a context.

use core::ffi::{c_int, c_void};
use core::ptr::null_mut;
use std::rc::Rc;

use tagwise_krb5_plugin_sys::link::kdb::{krb5_db_get_context, krb5_db_set_context};
use tagwise_krb5_plugin_sys::mit::krb5_context;

use crate::ffi::guard::{caught, guard, panicked};
use crate::host::context::done;
use crate::kdb::Kdb;
use crate::view::Context;
use crate::{Result, codes};

/// Returns the state pointer stored in the context, or null.
///
/// # Safety
///
/// The context must be valid.
unsafe fn address(context: krb5_context) -> Result<*mut c_void> {
    let mut kept = null_mut();
    // SAFETY: the caller's.
    match unsafe { krb5_db_get_context(context, &raw mut kept) }? {
        // Nothing is kept yet, or no longer.
        codes::KRB5_KDB_DBNOTINITED => Ok(null_mut()),
        code => done(code).map(|()| kept),
    }
}

/// Opens a driver and stores it in the context, replacing the previous driver. The previous driver is closed first, because
/// an underlying LMDB database must not be opened twice in one process. If the new driver cannot be opened, the context is
/// left without a driver.
///
/// # Safety
///
/// The context must be valid, and its database module must be that of `T`.
pub(super) unsafe fn keep<T: Kdb>(context: krb5_context, open: impl FnOnce() -> Result<T>) -> Result<()> {
    // SAFETY: the caller's; `release` or `current` take what is kept here.
    unsafe {
        // A panic of the former must not keep the new one from being opened.
        let former = release::<T>(context)?;
        caught(|| drop(former));
        let driver = open()?;
        let kept = Rc::into_raw(Rc::new(driver));
        let result = krb5_db_set_context(context, kept.cast_mut().cast()).map_err(Into::into).and_then(done);
        if result.is_err() {
            drop(Rc::from_raw(kept));
        }
        result
    }
}

/// Removes the driver from the context. Running calls keep it alive until they return.
///
/// # Safety
///
/// The requirements of [`keep`] apply.
pub(super) unsafe fn release<T: Kdb>(context: krb5_context) -> Result<Option<Rc<T>>> {
    // SAFETY: the caller's; what a context keeps is what `keep` put there.
    unsafe {
        let kept = address(context)?;
        if kept.is_null() {
            return Ok(None);
        }
        done(krb5_db_set_context(context, null_mut())?)?;
        Ok(Some(Rc::from_raw(kept.cast_const().cast())))
    }
}

/// Returns the context's driver.
///
/// # Safety
///
/// The requirements of [`keep`] apply.
pub(super) unsafe fn current<T: Kdb>(context: krb5_context) -> Result<Rc<T>> {
    // SAFETY: the caller's; what a context keeps is what `keep` put there, and stays its own.
    unsafe {
        let kept = address(context)?.cast_const().cast::<T>();
        if kept.is_null() {
            return Err(codes::KRB5_KDB_DBNOTINITED.into());
        }
        Rc::increment_strong_count(kept);
        Ok(Rc::from_raw(kept))
    }
}

/// Runs a method of the context's driver.
///
/// # Safety
///
/// The requirements of [`keep`] apply.
pub(super) unsafe fn call<T: Kdb>(context: krb5_context, run: impl FnOnce(&T, &Context<'_>) -> Result<()>) -> c_int {
    // SAFETY: the caller's.
    unsafe {
        guard(context, |view| {
            let driver = current::<T>(context)?;
            // The panic ends before the driver, which may be the last reference to it and panic itself.
            caught(|| run(&driver, view)).unwrap_or_else(|| Err(panicked()))
        })
    }
}

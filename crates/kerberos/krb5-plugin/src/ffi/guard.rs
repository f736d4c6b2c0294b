//! The wrapper around every call from C: catches panics, converts errors to codes, and finds the module from its data.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tagwise_krb5_plugin_sys::link;
use tagwise_krb5_plugin_sys::mit::krb5_context;

use crate::view::Context;
use crate::{Error, Result, codes};

/// Calls `run` and returns its result, or `None` if it panics.
pub(crate) fn caught<R>(run: impl FnOnce() -> R) -> Option<R> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => Some(value),
        Err(payload) => {
            // Dropping it could panic once more.
            core::mem::forget(payload);
            None
        }
    }
}

/// Returns the error that represents a panic.
pub(crate) fn panicked() -> Error {
    Error::new(codes::KRB5KRB_ERR_GENERIC, "the plugin panicked")
}

/// Runs a method without a context.
pub(crate) fn plain(run: impl FnOnce() -> Result<()>) -> c_int {
    match caught(run).unwrap_or_else(|| Err(panicked())) {
        Ok(()) => 0,
        Err(error) => error.code(),
    }
}

/// Runs a method with the host's context, and stores an error's message in it.
///
/// # Safety
///
/// The context must be valid during the call.
pub(crate) unsafe fn guard(context: krb5_context, run: impl FnOnce(&Context<'_>) -> Result<()>) -> c_int {
    // SAFETY: the caller's.
    let held = unsafe { Context::new(context) };
    match caught(|| run(&held)).unwrap_or_else(|| Err(panicked())) {
        Ok(()) => 0,
        Err(error) => {
            // SAFETY: the caller's.
            unsafe { report(context, &error) };
            error.code()
        }
    }
}

/// Stores an error's message in a context.
///
/// # Safety
///
/// The context must be valid during the call.
pub(crate) unsafe fn report(context: krb5_context, error: &Error) {
    let Some(message) = error.message() else { return };
    if context.is_null() {
        return;
    }
    let message: Vec<u8> = message.bytes().filter(|byte| *byte != 0).collect();
    let Ok(message) = CString::new(message) else { return };
    // SAFETY: the caller's. A library without the function keeps no message, which is all that is lost.
    let _ = unsafe { link::set_error_message(context, error.code(), &message) };
}

/// Stores a module as the host's module data.
///
/// # Safety
///
/// `out` must be null or writable.
pub(crate) unsafe fn store<T, D>(out: *mut *mut D, module: T) -> Result<()> {
    if out.is_null() {
        return Err(codes::KRB5KRB_ERR_GENERIC.into());
    }
    // SAFETY: the caller's.
    unsafe { out.write(Box::into_raw(Box::new(module)).cast()) };
    Ok(())
}

/// Returns the module stored by [`store`].
///
/// # Safety
///
/// `data` must be null, or must have been written by [`store`] for a `T` and not yet [taken](take) back.
pub(crate) unsafe fn module<'a, T, D>(data: *mut D) -> Result<&'a T> {
    // SAFETY: the caller's.
    unsafe { data.cast::<T>().as_ref() }.ok_or_else(|| codes::KRB5KRB_ERR_GENERIC.into())
}

/// Takes back ownership of a module.
///
/// # Safety
///
/// The requirements of [`module`] apply. `data` must not be used afterwards.
pub(crate) unsafe fn take<T, D>(data: *mut D) -> Option<Box<T>> {
    // SAFETY: the caller's.
    (!data.is_null()).then(|| unsafe { Box::from_raw(data.cast()) })
}

/// Runs a module's last method and takes back ownership of the module. A panic in the method is caught before the module is dropped,
/// because dropping it may panic too.
///
/// # Safety
///
/// The requirements of [`take`] apply.
pub(crate) unsafe fn finish<T, D>(data: *mut D, last: impl FnOnce(&mut T) -> Result<()>) -> Result<()> {
    // SAFETY: the caller's.
    let Some(mut module) = (unsafe { take::<T, D>(data) }) else { return Ok(()) };
    let ended = caught(|| last(&mut module)).unwrap_or_else(|| Err(panicked()));
    let dropped = caught(|| drop(module)).ok_or_else(panicked);
    ended.and(dropped)
}

/// Checks the versions passed to a function that fills a method table: the major version must be 1, and the minor version
/// at least 1.
pub(crate) fn version(major: c_int, minor: c_int, table: *mut c_void) -> Result<c_int> {
    if major != 1 || minor < 1 || table.is_null() {
        return Err(codes::KRB5_PLUGIN_VER_NOTSUPP.into());
    }
    Ok(minor)
}

/// Returns a pointer to a module's name.
pub(crate) fn name(name: &'static CStr) -> *const c_char {
    name.as_ptr()
}

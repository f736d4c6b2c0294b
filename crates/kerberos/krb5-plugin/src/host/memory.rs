//! Memory that the host frees with `free`.

use libc::{calloc, malloc};

use crate::{Error, Result};

fn none() -> Error {
    Error::from(libc::ENOMEM)
}

/// Copies bytes into memory that the host releases with `free`.
pub(crate) fn copied(bytes: &[u8]) -> Result<*mut u8> {
    // SAFETY: `malloc` of at least one byte, filled with as many as it was asked for.
    unsafe {
        let copy = malloc(bytes.len().max(1)).cast::<u8>();
        if copy.is_null() {
            return Err(none());
        }
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), copy, bytes.len());
        Ok(copy)
    }
}

/// Copies bytes like [`copied`], and appends a zero byte.
pub(crate) fn terminated(bytes: &[u8]) -> Result<*mut u8> {
    copied(&[bytes, &[0]].concat())
}

/// Allocates zeroed structures that the host releases with `free`.
pub(crate) fn zeroed<T>(count: usize) -> Result<*mut T> {
    // SAFETY: `calloc` has no conditions.
    let memory = unsafe { calloc(count.max(1), size_of::<T>()) }.cast::<T>();
    if memory.is_null() { Err(none()) } else { Ok(memory) }
}

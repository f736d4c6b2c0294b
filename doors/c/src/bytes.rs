//! Bytes that cross the C boundary: borrowed slices and buffers.

use std::ffi::c_char;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::error::{Problem, tagwise_error_kind};

/// Borrowed bytes. The function that returns them documents their owner. If the bytes are absent, `ptr` is NULL; if they
/// are empty, `len` is 0 and `ptr` is not NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_bytes {
    /// The first byte, or NULL.
    ptr: *const u8,
    /// The number of bytes.
    len: usize,
}

impl tagwise_bytes {
    /// Absent bytes.
    pub const NONE: Self = Self { ptr: std::ptr::null(), len: 0 };

    /// Borrows bytes that the caller keeps alive while they are used. Intended for this crate's tests and fuzz targets.
    #[must_use]
    pub const fn of(bytes: &[u8]) -> Self {
        Self { ptr: bytes.as_ptr(), len: bytes.len() }
    }

    pub(crate) fn of_option(bytes: Option<&[u8]>) -> Self {
        bytes.map_or(Self::NONE, Self::of)
    }

    pub(crate) const fn is_absent(self) -> bool {
        self.ptr.is_null()
    }

    /// Returns the bytes. The caller keeps them alive while the result is used.
    pub(crate) fn get<'a>(self) -> Result<&'a [u8], Problem> {
        match (self.ptr.is_null(), self.len) {
            (_, 0) => Ok(&[]),
            (true, _) => Err(Problem::argument("the pointer to the bytes is NULL, but the length is not 0")),
            (false, len) if isize::try_from(len).is_err() => {
                Err(Problem::argument("the length of the bytes exceeds PTRDIFF_MAX"))
            }
            // SAFETY: The header asks of every caller that `ptr` leads to `len` bytes that can be read and that stay as they are
            // until the call ends, or for as long as what the function returns is used, where it says so. Values of this type
            // come from callers or from `of`; no other code makes one.
            (false, len) => Ok(unsafe { std::slice::from_raw_parts(self.ptr, len) }),
        }
    }

    /// Returns the bytes of a DER or BER encoding. If they are PEM text, returns an error that says so. All functions that read
    /// DER or BER get their input with this function.
    pub(crate) fn der<'a>(self) -> Result<&'a [u8], Problem> {
        let bytes: &'a [u8] = self.get()?;
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        if text.starts_with(b"-----BEGIN ") {
            let message = "the input is PEM, expected DER: use tagwise_pem_decode() to get the bytes of a block";
            return Err(Problem::new(tagwise_error_kind::Input, "pem", message).at(0));
        }
        Ok(bytes)
    }

    /// Returns the bytes as UTF-8 text.
    pub(crate) fn text<'a>(self) -> Result<&'a str, Problem> {
        std::str::from_utf8(self.get()?).map_err(|error| Problem::argument(format!("text is not UTF-8: {error}")))
    }

    /// Returns the bytes, or `None` if they are absent.
    pub(crate) fn optional<'a>(self) -> Result<Option<&'a [u8]>, Problem> {
        if self.is_absent() && self.len == 0 { Ok(None) } else { self.get().map(Some) }
    }
}

impl From<&[u8]> for tagwise_bytes {
    fn from(bytes: &[u8]) -> Self {
        Self::of(bytes)
    }
}

impl From<Option<&[u8]>> for tagwise_bytes {
    fn from(bytes: Option<&[u8]>) -> Self {
        Self::of_option(bytes)
    }
}

impl From<&str> for tagwise_bytes {
    fn from(text: &str) -> Self {
        Self::of(text.as_bytes())
    }
}

impl From<Option<&str>> for tagwise_bytes {
    fn from(text: Option<&str>) -> Self {
        Self::of_option(text.map(str::as_bytes))
    }
}

/// An array that the caller owns, as its address and length.
pub(crate) struct List<'a, T>(*const T, usize, PhantomData<&'a T>);

impl<'a, T: Copy> List<'a, T> {
    pub(crate) const fn new(first: *const T, count: usize) -> Self {
        Self(first, count, PhantomData)
    }

    pub(crate) fn get(&self) -> Result<&'a [T], Problem> {
        match (self.0.is_null(), self.1) {
            (_, 0) => Ok(&[]),
            (true, _) => Err(Problem::argument("the pointer to the list is NULL, but the length is not 0")),
            (false, count) if count > isize::MAX as usize / size_of::<T>().max(1) => {
                Err(Problem::argument("the length of the list exceeds PTRDIFF_MAX"))
            }
            // SAFETY: As for `tagwise_bytes::get`: the header asks that the address leads to so many items, aligned as C aligns
            // them; items are bytes and addresses, for which every pattern is a value.
            (false, count) => Ok(unsafe { std::slice::from_raw_parts(self.0, count) }),
        }
    }
}

/// Reads a NUL-terminated string from the caller.
pub(crate) fn terminated<'a>(text: *const c_char, what: &str) -> Result<&'a str, Problem> {
    if text.is_null() {
        return Err(Problem::null(what));
    }
    // SAFETY: The header asks of every caller that text given as `const char *` ends with a NUL and stays as it is until the call
    // ends.
    let text = unsafe { std::ffi::CStr::from_ptr(text) };
    text.to_str().map_err(|error| Problem::argument(format!("{what} is not UTF-8: {error}")))
}

/// Writes a result, unless the output pointer is NULL.
pub(crate) fn put<T>(place: Option<&mut MaybeUninit<T>>, value: T) {
    if let Some(place) = place {
        place.write(value);
    }
}

/// Checks that a handle is not NULL.
pub(crate) fn given<T>(handle: Option<T>, what: &str) -> Result<T, Problem> {
    handle.ok_or_else(|| Problem::null(what))
}

/// Bytes that the caller owns and frees with tagwise_buffer_free(). A NUL follows the last byte. Immutable: threads may
/// share it.
pub struct tagwise_buffer {
    /// The content, followed by a NUL.
    bytes: Vec<u8>,
    /// True if the content is overwritten when the buffer is freed.
    secret: bool,
}

impl tagwise_buffer {
    pub(crate) fn new(bytes: impl Into<Vec<u8>>) -> Option<Box<Self>> {
        let mut bytes = bytes.into();
        bytes.push(0);
        Some(Box::new(Self { bytes, secret: false }))
    }

    /// Creates a buffer that is overwritten when it is freed.
    pub(crate) fn secret(bytes: &[u8]) -> Option<Box<Self>> {
        let mut copy = Vec::with_capacity(bytes.len().saturating_add(1));
        copy.extend_from_slice(bytes);
        copy.push(0);
        Some(Box::new(Self { bytes: copy, secret: true }))
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.split_last().map_or(&[], |(_, bytes)| bytes)
    }
}

impl Drop for tagwise_buffer {
    fn drop(&mut self) {
        if self.secret {
            wipe(&mut self.bytes);
        }
    }
}

fn wipe(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = 0;
        // The compiler may not leave the writing out.
        std::hint::black_box(byte);
    }
}

/// A byte vector that is overwritten when it is dropped.
pub(crate) struct Wiped(pub(crate) Vec<u8>);

impl Drop for Wiped {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// Frees a buffer; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_buffer_free(buffer: Option<Box<tagwise_buffer>>) {
    guard!(drop(buffer))
}

/// Returns a buffer's bytes, borrowed from it.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_buffer_bytes(buffer: Option<&tagwise_buffer>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(buffer.map(tagwise_buffer::bytes)))
}

/// Returns a buffer's text, NUL-terminated, or an empty string for NULL. Borrowed from the buffer. Use
/// tagwise_buffer_bytes() if the bytes may contain a NUL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_buffer_text(buffer: Option<&tagwise_buffer>) -> *const c_char {
    guard!(buffer.map_or(c"".as_ptr(), |buffer| buffer.bytes.as_ptr().cast()))
}

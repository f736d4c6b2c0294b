//! A cursor for binary files. It reads length-prefixed data, and numbers in a given byte order.

use core::fmt;
use std::borrow::Cow;

/// The byte order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Big,
    Little,
}

/// An error in a binary file, with its offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    offset: usize,
    text: Cow<'static, str>,
}

impl FileError {
    pub(crate) const fn new(offset: usize, text: &'static str) -> Self {
        Self { offset, text: Cow::Borrowed(text) }
    }

    /// Creates an error whose text contains what was found.
    #[cold]
    pub(crate) const fn found(offset: usize, text: String) -> Self {
        Self { offset, text: Cow::Owned(text) }
    }

    /// Adds the name of the malformed part.
    #[cold]
    pub(crate) fn of(self, part: impl fmt::Display) -> Self {
        Self { text: Cow::Owned(format!("{part}: {}", self.text)), ..self }
    }

    /// Returns the byte offset of the error.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {}", self.text, self.offset)
    }
}

impl std::error::Error for FileError {}

/// A cursor over an input. It may be limited to a window, such as a single record. Positions are relative to the whole input.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    input: &'a [u8],
    at: usize,
    end: usize,
    order: Order,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(input: &'a [u8], order: Order) -> Self {
        Self { input, at: 0, end: input.len(), order }
    }

    pub(crate) const fn offset(&self) -> usize {
        self.at
    }

    pub(crate) const fn remaining(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], FileError> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.end);
        let octets = end.and_then(|end| self.input.get(self.at..end)).ok_or_else(|| {
            let left = self.remaining();
            FileError::found(self.at, format!("truncated file or wrong length: {left} bytes left, expected {len}"))
        })?;
        self.at = self.at.saturating_add(len);
        Ok(octets)
    }

    /// Returns a cursor that is limited to the next `len` bytes.
    pub(crate) fn window(&mut self, len: usize) -> Result<Self, FileError> {
        let start = self.at;
        self.take(len)?;
        Ok(Self { at: start, end: self.at, ..self.clone() })
    }

    /// Moves to an absolute position.
    pub(crate) fn seek(&mut self, at: usize) -> Result<(), FileError> {
        match at <= self.end {
            true => {
                self.at = at;
                Ok(())
            }
            false => Err(FileError::new(self.at, "an offset points past the end")),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut octets = [0; N];
        octets.copy_from_slice(self.take(N)?);
        if self.order == Order::Little {
            octets.reverse();
        }
        Ok(octets)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, FileError> {
        self.array::<1>().map(u8::from_be_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, FileError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, FileError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, FileError> {
        self.array().map(i32::from_be_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, FileError> {
        self.array().map(u64::from_be_bytes)
    }

    /// Reads bytes prefixed with a 16-bit length.
    pub(crate) fn counted16(&mut self) -> Result<&'a [u8], FileError> {
        let len = usize::from(self.u16()?);
        self.take(len)
    }

    /// Reads bytes prefixed with a 32-bit length.
    pub(crate) fn counted32(&mut self) -> Result<&'a [u8], FileError> {
        let len = self.len32()?;
        self.take(len)
    }

    /// Reads a 32-bit length.
    pub(crate) fn len32(&mut self) -> Result<usize, FileError> {
        let at = self.at;
        usize::try_from(self.u32()?)
            .map_err(|_: core::num::TryFromIntError| FileError::new(at, "a length is too large"))
    }
}

/// Appends bytes prefixed with a 16-bit length. Returns `None` if their length does not fit.
pub(crate) fn put16(out: &mut Vec<u8>, octets: &[u8]) -> Option<()> {
    out.extend(u16::try_from(octets.len()).ok()?.to_be_bytes());
    out.extend(octets);
    Some(())
}

/// Appends bytes prefixed with a 32-bit length. Returns `None` if their length does not fit.
pub(crate) fn put32(out: &mut Vec<u8>, octets: &[u8]) -> Option<()> {
    out.extend(u32::try_from(octets.len()).ok()?.to_be_bytes());
    out.extend(octets);
    Some(())
}

//! TLS presentation language (RFC 8446 §3): a cursor over the input, and writers that check lengths.

use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};

/// A cursor over a TLS structure. Error positions are relative to the outermost input.
#[derive(Clone, Debug)]
pub(crate) struct Wire<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Wire<'a> {
    pub(crate) const fn new(input: &'a [u8]) -> Self {
        Self { rest: input, at: 0 }
    }

    /// Creates a cursor over a part that begins at position `at` in the outermost input.
    pub(crate) const fn at(input: &'a [u8], at: usize) -> Self {
        Self { rest: input, at }
    }

    pub(crate) const fn offset(&self) -> usize {
        self.at
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) const fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.at)
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let Some((part, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.fail(ErrorKind::Truncated));
        };
        self.rest = rest;
        self.at = self.at.saturating_add(len);
        Ok(part)
    }

    /// Reads a big-endian number of `len` bytes, at most 8.
    pub(crate) fn number(&mut self, len: usize) -> Result<u64, Error> {
        Ok(self.take(len)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        let bytes = self.take(2)?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | u16::from(*byte)))
    }

    /// Reads `opaque x<min..>` with a length prefix of `prefix` bytes.
    pub(crate) fn vector(&mut self, prefix: usize, min: usize) -> Result<Wire<'a>, Error> {
        let start = self.clone();
        let len = self.number(prefix)?;
        // Length prefixes have at most three bytes.
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        if len < min {
            return Err(start.fail(ErrorKind::TooShort));
        }
        let at = self.at;
        Ok(Wire::at(self.take(len)?, at))
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.fail(ErrorKind::Trailing)) }
    }
}

/// Writes the low `len` bytes of a number.
pub(crate) fn put_number(out: &mut Vec<u8>, number: u64, len: usize) {
    let bytes = number.to_be_bytes();
    let skip = bytes.len().saturating_sub(len);
    out.extend_from_slice(bytes.get(skip..).unwrap_or_default());
}

/// Writes bytes after a length prefix of `prefix` bytes, at most 8.
pub(crate) fn put_vector(out: &mut Vec<u8>, prefix: usize, bytes: &[u8]) -> Result<(), Error> {
    let len = bytes.len() as u64;
    if len >> prefix.saturating_mul(8).min(63) != 0 {
        return Err(Error::new(ErrorKind::TooLong, 0));
    }
    put_number(out, len, prefix);
    out.extend_from_slice(bytes);
    Ok(())
}

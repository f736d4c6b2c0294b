//! Reads big-endian numbers and length-prefixed bytes.

use tagwise_crypto::{Error, ErrorKind};

/// A reader for the bytes of a key. The format's name appears in error messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'o> {
    octets: &'o [u8],
    pub(crate) at: usize,
    format: &'static str,
}

impl<'o> Cursor<'o> {
    pub(crate) const fn new(format: &'static str, octets: &'o [u8]) -> Self {
        Self { octets, at: 0, format }
    }

    /// Creates an error about the bytes at the current position.
    pub(crate) fn wrong(&self, what: &str) -> Error {
        Error::new(ErrorKind::MalformedKey, self.format).because(format!("{what}, at byte {}", self.at))
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'o [u8], Error> {
        let rest = self.octets.get(self.at..).unwrap_or_default();
        let taken = rest.get(..count);
        let taken = taken.ok_or_else(|| self.wrong(&format!("truncated: {} bytes, expected {count}", rest.len())))?;
        self.at += count;
        Ok(taken)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        self.take(2).map(|taken| taken.iter().fold(0, |number, digit| number << 8 | u16::from(*digit)))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.take(4).map(|taken| taken.iter().fold(0, |number, digit| number << 8 | u32::from(*digit)))
    }

    /// Reads bytes with a four-byte length prefix.
    pub(crate) fn long(&mut self) -> Result<&'o [u8], Error> {
        let count = self.u32()?;
        self.take(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Reads a nonnegative `mpint` (RFC 4251 §5).
    pub(crate) fn natural(&mut self) -> Result<&'o [u8], Error> {
        let here = *self;
        let number = self.long()?;
        match number.first() {
            Some(0x80..) => Err(here.wrong("the number is negative")),
            _ => Ok(number),
        }
    }

    /// Reads bytes with a two-byte length prefix.
    pub(crate) fn short(&mut self) -> Result<&'o [u8], Error> {
        let count = self.u16()?;
        self.take(count.into())
    }

    pub(crate) fn text(&mut self) -> Result<&'o str, Error> {
        let at = *self;
        core::str::from_utf8(self.long()?).map_err(|_| at.wrong("text that is not UTF-8"))
    }

    /// Returns the remaining bytes.
    pub(crate) fn rest(&self) -> &'o [u8] {
        self.octets.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.wrong("data after the end")) }
    }
}

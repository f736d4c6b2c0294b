//! A hexadecimal excerpt of the bytes around an offset, for error messages.
//!
//! Bytes that may be `secret` are redacted; [`Excerpt::of`] determines which.

use core::fmt;

#[cfg(feature = "alloc")]
use crate::engine::locate;
#[cfg(feature = "alloc")]
use crate::table::Type;

/// A hexadecimal excerpt: the address of the first byte, then the bytes, with the byte at the offset in brackets. `…`
/// means that the input continues.
///
/// ```
/// use tagwise_codec::Excerpt;
/// let input = *b"\x17\x0D251301000000Z\x30\x00\x05\x00";
/// let excerpt = Excerpt::new(&input, 4).marking(2);
/// assert_eq!(excerpt.to_string(), "000000: 17 0d 32 35 [31 33] 30 31 30 30 30 30 …");
/// assert_eq!(Excerpt::new(&input, 19).to_string(), "00000b: 30 30 30 5a 30 00 05 00 []");
/// ```
#[derive(Clone, Copy)]
pub struct Excerpt<'i> {
    input: &'i [u8],
    /// The offset of the input in a larger one.
    base: usize,
    offset: usize,
    marked: usize,
    redacted: bool,
}

impl<'i> Excerpt<'i> {
    /// The number of bytes shown before the offset.
    const BEFORE: usize = 8;
    /// The number of bytes shown from the offset on.
    const AFTER: usize = 8;

    /// Creates an excerpt that shows all bytes, for input without secrets. An offset beyond the input is treated as its end.
    #[must_use]
    pub const fn new(input: &'i [u8], offset: usize) -> Self {
        let offset = if offset > input.len() { input.len() } else { offset };
        Self { input, base: 0, offset, marked: 1, redacted: false }
    }

    /// Creates an excerpt around a fault found while reading `input` as `ty`. It is redacted if it may contain secrets.
    ///
    /// An excerpt is redacted if the offset is in a `secret` component or type, or if a neighbor at any level may
    /// contain one. A wrong length can shift data anywhere.
    ///
    /// ```
    /// use tagwise_codec::{Decode, Excerpt, SeqOf, Typed};
    /// let input = [0x30, 0x03, 0x02, 0x02, 0x05];
    /// let error = SeqOf::<u8>::from_der(&input).unwrap_err();
    /// let excerpt = Excerpt::of(SeqOf::<u8>::ty(), &input, error.offset());
    /// assert_eq!(excerpt.to_string(), "000000: 30 03 02 [02] 05");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn of(ty: &'static Type, input: &'i [u8], offset: usize) -> Self {
        let excerpt = Self::new(input, offset);
        // At its end the input has no octet; the last one stands for it.
        let octet = excerpt.offset.min(input.len().saturating_sub(1));
        if locate::may_be_secret(ty, input, octet) { excerpt.redacted() } else { excerpt }
    }

    /// Displays each byte as `--`.
    #[must_use]
    pub const fn redacted(self) -> Self {
        Self { redacted: true, ..self }
    }

    /// Encloses `count` bytes from the offset in brackets, as far as they are shown.
    #[must_use]
    pub const fn marking(self, count: usize) -> Self {
        Self { marked: count, ..self }
    }

    /// Shifts the addresses, for a part at offset `base` of a larger input.
    #[must_use]
    pub const fn at_base(self, base: usize) -> Self {
        Self { base, ..self }
    }

    const fn start(&self) -> usize {
        self.offset.saturating_sub(Self::BEFORE)
    }

    const fn end(&self) -> usize {
        let left = self.input.len() - self.offset;
        self.offset + if left > Self::AFTER { Self::AFTER } else { left }
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.start(), self.end());
        write!(f, "{:06x}:", self.base.saturating_add(start))?;
        // At least one octet is marked, and the marks stay inside what is shown.
        let marked = self.offset..self.offset.saturating_add(self.marked.max(1)).min(end);
        for (index, octet) in self.input.get(start..end).unwrap_or_default().iter().enumerate() {
            let at = start + index;
            f.write_str(if at == marked.start { " [" } else { " " })?;
            if self.redacted {
                f.write_str("--")?;
            } else {
                write!(f, "{octet:02x}")?;
            }
            if at + 1 == marked.end && at >= marked.start {
                f.write_str("]")?;
            }
        }
        if self.offset == end {
            f.write_str(" []")?;
        }
        if end < self.input.len() {
            f.write_str(" …")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Excerpt({self})")
    }
}

//! A slice viewed together with the bytes that follow it, so that fixed-size reads need no length check. The following
//! bytes do not affect results.

use tagwise_codec::Ia5;

/// The first bytes of a longer slice.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    /// The part's bytes and the bytes that follow it.
    wide: &'a [u8],
    /// The length of the part, at most that of `wide`.
    len: usize,
}

impl<'a> Part<'a> {
    /// Returns the first `len` bytes of `wide`, or `None` if `wide` is shorter.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn new(wide: &'a [u8], len: usize) -> Option<Self> {
        if len <= wide.len() { Some(Self { wide, len }) } else { None }
    }

    /// Returns only the part's own bytes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn octets(self) -> &'a [u8] {
        self.wide.get(..self.len).unwrap_or_default()
    }

    /// Returns the part's bytes and the bytes that follow it.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn wide(self) -> &'a [u8] {
        self.wide
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn len(self) -> usize {
        self.len
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Reads 16 bytes as a little-endian number, including bytes beyond the part. Returns `None` if fewer remain.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn head(self) -> Option<u128> {
        self.wide.first_chunk().map(|head| u128::from_le_bytes(*head))
    }

    /// Returns the part after the first `count` bytes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn after(self, count: usize) -> Option<Self> {
        Some(Self { wide: self.wide.get(count..)?, len: self.len.checked_sub(count)? })
    }

    /// Splits the part after the first `len` bytes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn split(self, len: usize) -> Option<(Self, Self)> {
        Some((Self { wide: self.wide, len }, self.after(len)?))
    }

    /// Returns whether all bytes are ASCII.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn is_ascii(self) -> bool {
        Ia5::begins(self.wide, self.len)
    }

    /// Splits off a leading element with the identifier byte `tag`, and returns its content and the rest. Supports lengths up
    /// to 65,535.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn element(self, tag: u8) -> Option<(Self, Self)> {
        let (header, len) = match self.wide {
            [found, len, ..] if *found == tag && *len < 0x80 => (2, usize::from(*len)),
            [found, 0x81, len, ..] if *found == tag && *len >= 0x80 => (3, usize::from(*len)),
            [found, 0x82, high, low, ..] if *found == tag && *high != 0 => {
                (4, usize::from(*high) << 8 | usize::from(*low))
            }
            _ => return None,
        };
        self.after(header)?.split(len)
    }

    /// Returns the content of an element with the identifier byte `tag`, if nothing follows the element.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn only(self, tag: u8) -> Option<Self> {
        self.element(tag).and_then(|(content, rest)| rest.is_empty().then_some(content))
    }
}

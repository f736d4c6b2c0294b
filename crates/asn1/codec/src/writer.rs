//! Writes DER backwards: the content first, then its header, because the content's length is known by then.
//!
//! Sizes are computed exactly beforehand ([`Encode::encoded_len`](crate::Encode::encoded_len)). Encoding takes one pass
//! for the size and one for the bytes, at any nesting, without intermediate buffers.

use crate::encode::{Encode, EncodeError, EncodeValue};
use crate::kind::FaultKind;
use crate::tag::Tag;

/// Fills a slice from its end.
///
/// ```
/// use tagwise_codec::{Tag, Writer};
/// let mut buffer = [0; 8];
/// let mut writer = Writer::new(&mut buffer);
/// writer.element(Tag::SEQUENCE, |w| {
///     // Components are written last to first.
///     w.write(&true)?;
///     w.write(&5u8)
/// })?;
/// assert_eq!(writer.written(), [0x30, 0x06, 0x02, 0x01, 0x05, 0x01, 0x01, 0xFF]);
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Debug)]
pub struct Writer<'b> {
    buffer: &'b mut [u8],
    /// The start of the written part.
    pos: usize,
}

impl<'b> Writer<'b> {
    /// Creates a writer that fills `buffer` from its end.
    #[must_use]
    pub const fn new(buffer: &'b mut [u8]) -> Self {
        let pos = buffer.len();
        Self { buffer, pos }
    }

    /// Returns the current position, for [`Writer::len_since`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn mark(&self) -> usize {
        self.pos
    }

    /// Returns the number of bytes written since a mark.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn len_since(&self, mark: usize) -> usize {
        mark.saturating_sub(self.pos)
    }

    /// Returns the bytes written so far.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        self.buffer.get(self.pos..).unwrap_or_default()
    }

    /// Returns the bytes written since a mark, as a mutable slice for sorting.
    #[must_use]
    pub fn written_since_mut(&mut self, mark: usize) -> &mut [u8] {
        self.buffer.get_mut(self.pos..mark).unwrap_or_default()
    }

    /// Returns the number of free bytes in the buffer.
    #[must_use]
    pub const fn free(&self) -> usize {
        self.pos
    }

    /// Writes bytes in front of the output so far.
    ///
    /// # Errors
    /// Returns [`FaultKind::BufferTooSmall`] if the bytes do not fit.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        let Some(start) = self.pos.checked_sub(bytes.len()) else {
            return Err(EncodeError::new(FaultKind::BufferTooSmall));
        };
        match self.buffer.get_mut(start..self.pos) {
            Some(slot) => {
                slot.copy_from_slice(bytes);
                self.pos = start;
                Ok(())
            }
            None => Err(EncodeError::new(FaultKind::BufferTooSmall)),
        }
    }

    /// Writes the last `count` bytes of an array in front of the output so far. Fixed sizes copy fastest, so all bytes
    /// are copied if there is room. Later output overwrites the superfluous ones.
    ///
    /// # Errors
    /// Returns [`FaultKind::BufferTooSmall`] if the bytes do not fit.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn last_of<const N: usize>(&mut self, octets: &[u8; N], count: usize) -> Result<(), EncodeError> {
        let front = self.buffer.get_mut(..self.pos).and_then(<[u8]>::last_chunk_mut);
        match (front, self.pos.checked_sub(count)) {
            (Some(slot), Some(start)) if count <= N => {
                *slot = *octets;
                self.pos = start;
                Ok(())
            }
            _ => self.bytes(octets.get(N.saturating_sub(count)..).unwrap_or_default()),
        }
    }

    /// Writes one byte in front of the output so far.
    ///
    /// # Errors
    /// Returns [`FaultKind::BufferTooSmall`] if the byte does not fit.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn octet(&mut self, octet: u8) -> Result<(), EncodeError> {
        self.bytes(&[octet])
    }

    /// Writes the header of a value whose content was just written.
    ///
    /// # Errors
    /// Returns [`FaultKind::BufferTooSmall`] if the header does not fit.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn header(&mut self, tag: Tag, len: usize) -> Result<(), EncodeError> {
        if tag.is_low() && len < 0x80 {
            return self.bytes(&[tag.first_octet(), len as u8]);
        }
        if tag.is_low() && len <= 0xFF {
            return self.bytes(&[tag.first_octet(), 0x81, len as u8]);
        }
        if tag.is_low() && len <= 0xFFFF {
            return self.bytes(&[tag.first_octet(), 0x82, (len >> 8) as u8, len as u8]);
        }
        self.long_header(tag, len)
    }

    #[inline(never)]
    fn long_header(&mut self, tag: Tag, len: usize) -> Result<(), EncodeError> {
        let octets = (len as u64).to_be_bytes();
        if len < 0x80 {
            self.octet(len as u8)?;
        } else {
            let count = length_octets(len);
            self.bytes(octets.get(octets.len() - count..).unwrap_or_default())?;
            self.octet(0x80 | count as u8)?;
        }
        if !tag.is_low() {
            let mut number = tag.number();
            let mut more = 0;
            loop {
                self.octet((number & 0x7F) as u8 | more)?;
                number >>= 7;
                more = 0x80;
                if number == 0 {
                    break;
                }
            }
        }
        self.octet(tag.first_octet())
    }

    /// Writes an element: its content with `content` (last component first), then its header.
    ///
    /// # Errors
    /// Returns [`FaultKind::BufferTooSmall`], or any error from `content`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn element(
        &mut self,
        tag: Tag,
        content: impl FnOnce(&mut Self) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let mark = self.mark();
        content(self)?;
        self.header(tag, self.len_since(mark))
    }

    /// Writes a value.
    ///
    /// # Errors
    /// Returns any encoding error of the value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn write<T: Encode + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        value.encode(self)
    }

    /// Writes a value with an IMPLICIT tag.
    ///
    /// # Errors
    /// Returns any encoding error of the value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn write_implicit<T: EncodeValue + ?Sized>(&mut self, tag: Tag, value: &T) -> Result<(), EncodeError> {
        self.element(tag.formed_like(T::TAG), |w| value.encode_value(w))
    }

    /// Writes a value with an EXPLICIT tag.
    ///
    /// # Errors
    /// Returns any encoding error of the value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn write_explicit<T: Encode + ?Sized>(&mut self, tag: Tag, value: &T) -> Result<(), EncodeError> {
        self.element(tag.constructed(), |w| value.encode(w))
    }

    /// Writes an iterator's values in order, writing each byte only once. `total` is the sum of their sizes.
    ///
    /// # Errors
    /// Returns [`FaultKind::BufferTooSmall`] if `total` does not fit, [`FaultKind::Internal`] if it is not the sum, or any
    /// encoding error of a value.
    pub fn sequence<T: Encode>(
        &mut self,
        total: usize,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), EncodeError> {
        let Some(start) = self.pos.checked_sub(total) else {
            return Err(EncodeError::new(FaultKind::BufferTooSmall));
        };
        let mut rest = self.buffer.get_mut(start..self.pos).unwrap_or_default();
        for value in values {
            let Some((slot, after)) = rest.split_at_mut_checked(value.encoded_len()) else {
                return Err(EncodeError::new(FaultKind::Internal));
            };
            let mut writer = Writer::new(slot);
            value.encode(&mut writer)?;
            if writer.pos != 0 {
                return Err(EncodeError::new(FaultKind::Internal));
            }
            rest = after;
        }
        if !rest.is_empty() {
            return Err(EncodeError::new(FaultKind::Internal));
        }
        self.pos = start;
        Ok(())
    }
}

/// Returns the number of bytes after the first one in a long-form length.
const fn length_octets(len: usize) -> usize {
    ((usize::BITS - len.leading_zeros()) as usize).div_ceil(8)
}

/// Returns the size of the header for content of `len` bytes.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[must_use]
pub const fn header_len(tag: Tag, len: usize) -> usize {
    tag.encoded_len() + if len < 0x80 { 1 } else { 1 + length_octets(len) }
}

/// Returns the total size of an element with content of `len` bytes.
///
/// ```
/// use tagwise_codec::{Tag, element_len};
/// assert_eq!(element_len(Tag::OCTET_STRING, 200), 203);
/// ```
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[must_use]
pub const fn element_len(tag: Tag, len: usize) -> usize {
    header_len(tag, len).saturating_add(len)
}

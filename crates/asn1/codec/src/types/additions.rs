//! Unknown extension additions (X.680 §25.1, §27), kept and encoded again unchanged.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use crate::any::{Any, check};
use crate::decode::Decode;
use crate::encode::EncodeError;
use crate::fault::Fault;
use crate::kept::Kept;
use crate::reader::Reader;
use crate::writer::Writer;

/// The unknown elements at the extension marker of a SEQUENCE.
///
/// ```
/// use tagwise_codec::{Additions, Reader};
/// // Two elements that a later version of some type added.
/// let bytes = [0x80, 0x01, 0x05, 0x81, 0x00];
/// let additions = Additions::read(&mut Reader::new(&bytes)?, |_| Ok(false))?;
/// assert_eq!(additions.as_bytes(), bytes);
/// assert_eq!(additions.iter().count(), 2);
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Additions<'a> {
    bytes: &'a [u8],
    base: u32,
    /// True if every byte was checked and nothing was tolerated.
    checked: bool,
    kept: Kept,
}

impl<'a> Additions<'a> {
    /// An empty set of additions, for values created by the caller.
    pub const NONE: Self = Self { bytes: &[], base: 0, checked: true, kept: Kept::NONE };

    /// Reads elements until the innermost open value ends, or `stop` recognizes a known component.
    ///
    /// # Errors
    /// Returns any decoding error in the elements, or any error from `stop`.
    #[inline]
    pub fn read(
        reader: &mut Reader<'a, '_>,
        stop: impl Fn(&Reader<'a, '_>) -> Result<bool, Fault>,
    ) -> Result<Self, Fault> {
        if reader.is_empty() {
            return Ok(Self::NONE);
        }
        let (start, base, noted) = (reader.position(), reader.offset() as u32, reader.noted());
        while !reader.is_empty() && !stop(reader)? {
            Any::decode(reader)?;
        }
        let checked = reader.is_deep() && reader.noted() == noted;
        Ok(Self { bytes: reader.since(start), base, checked, kept: reader.kept() })
    }

    /// Returns whether there are no additions.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the concatenated encodings.
    #[inline]
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the absolute offset of the first addition.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.base as usize
    }

    /// Iterates over the elements. Errors are possible only if the additions were decoded in an [`outline`](Decode::outline)
    /// (top-level structure only) or with tolerated deviations.
    pub fn iter(&self) -> impl Iterator<Item = Result<Any<'a>, Fault>> + use<'a> {
        let reader = Reader::new(self.bytes).ok();
        let mut reader = reader.map(|reader| reader.at_base(self.base as usize).keeping(self.kept));
        core::iter::from_fn(move || {
            let inner = reader.as_mut().filter(|reader| !reader.is_empty())?;
            let item = Any::decode(inner);
            if item.is_err() {
                reader = None;
            }
            Some(item)
        })
    }

    /// Returns the total size of the encodings.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub const fn encoded_len(&self) -> usize {
        self.bytes.len()
    }

    /// Writes the encodings.
    ///
    /// # Errors
    /// Returns [`FaultKind::NotEncodable`](crate::FaultKind::NotEncodable) if they are not DER, as far as this is known without a
    /// schema.
    #[inline]
    pub fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        if !self.checked {
            check(self.bytes, &mut |reader| Self::read(reader, |_| Ok(false)).map(|_| ()))?;
        }
        writer.bytes(self.bytes)
    }
}

impl fmt::Debug for Additions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Additions({} bytes at {})", self.bytes.len(), self.base)
    }
}

impl PartialEq for Additions<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Additions<'_> {}

/// The unknown components of an extensible SET, in input order. They may occur anywhere among the known ones.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetAdditions<'a> {
    items: Vec<Any<'a>>,
}

#[cfg(feature = "alloc")]
impl<'a> SetAdditions<'a> {
    /// An empty set of additions, for values created by the caller.
    pub const NONE: Self = Self { items: Vec::new() };

    /// Reads one addition.
    ///
    /// # Errors
    /// Returns any decoding error in the addition, or [`FaultKind::ElementsExceeded`](crate::FaultKind::ElementsExceeded).
    pub fn read(&mut self, reader: &mut Reader<'a, '_>) -> Result<(), Fault> {
        reader.spend_elements(1)?;
        self.items.push(Any::decode(reader)?);
        Ok(())
    }

    /// Returns the unknown components in input order.
    #[must_use]
    pub fn as_slice(&self) -> &[Any<'a>] {
        &self.items
    }

    /// Returns the total size of the encodings.
    #[must_use]
    pub fn encoded_len(&self) -> usize {
        self.items.iter().fold(0, |total, item| total.saturating_add(item.as_bytes().len()))
    }

    /// Writes the encodings in input order.
    ///
    /// # Errors
    /// Returns [`FaultKind::NotEncodable`](crate::FaultKind::NotEncodable) if one is not DER, as far as this is known without a
    /// schema.
    pub fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        self.items.iter().rev().try_for_each(|item| writer.write(item))
    }
}

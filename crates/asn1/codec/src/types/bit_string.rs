//! BIT STRING (X.680 §22, X.690 §8.6, §11.2.1; primitive in DER, §10.2). Named-bit lists are [`NamedBits`](crate::NamedBits).

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{List, Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// A borrowed `BIT STRING`. The last byte may have unused low bits.
///
/// Unused bits are ignored in comparisons and hashes, and are encoded as zeros.
///
/// ```
/// use tagwise_codec::{BitStr, Decode};
/// let bits = BitStr::from_der(&[0x03, 0x02, 0x04, 0xB0])?;
/// assert_eq!((bits.as_bytes(), bits.unused_bits(), bits.bit_len()), (&[0xB0][..], 4, 4));
/// assert_eq!([bits.bit(0), bits.bit(1), bits.bit(3), bits.bit(4)], [Some(true), Some(false), Some(true), None]);
/// assert_eq!(bits.octets(), None);
/// let error = BitStr::from_der(&[0x03, 0x01, 0x07]).unwrap_err();
/// assert_eq!(error.code(), "bit-string-unused");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct BitStr<'a> {
    octets: &'a [u8],
    /// The number of unused bits: 0 to 7, and 0 if there are no bytes.
    unused: u8,
}

impl<'a> BitStr<'a> {
    /// The empty bit string.
    pub const EMPTY: Self = Self::from_octets(&[]);

    /// Creates a bit string from all bits of `octets` except the lowest `unused` bits of the last byte, which are
    /// ignored.
    ///
    /// Returns `None` if `unused` is above 7, or above 0 without any bytes.
    ///
    /// ```
    /// use tagwise_codec::{BitStr, encode};
    /// let bits = BitStr::new(&[0xFF], 4).unwrap();
    /// assert_eq!(encode(&bits)?, [0x03, 0x02, 0x04, 0xF0]);
    /// assert_eq!(BitStr::new(&[], 1), None);
    /// # Ok::<(), tagwise_codec::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn new(octets: &'a [u8], unused: u8) -> Option<Self> {
        if unused > 7 || (octets.is_empty() && unused > 0) { None } else { Some(Self { octets, unused }) }
    }

    /// Creates a bit string from all bits of `octets`.
    #[inline]
    #[must_use]
    pub const fn from_octets(octets: &'a [u8]) -> Self {
        Self { octets, unused: 0 }
    }

    /// Returns the bytes. Unused bits are zero, unless [`Rule::UNUSED_BITS`] tolerated others.
    #[inline]
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.octets
    }

    /// Returns the bytes, if there are no unused bits, as in keys, signatures and contained encodings.
    #[inline]
    #[must_use]
    pub const fn octets(&self) -> Option<&'a [u8]> {
        if self.unused == 0 { Some(self.octets) } else { None }
    }

    /// Returns the number of unused low bits in the last byte, from 0 to 7.
    #[inline]
    #[must_use]
    pub const fn unused_bits(&self) -> u8 {
        self.unused
    }

    /// Returns the number of bits.
    #[inline]
    #[must_use]
    pub const fn bit_len(&self) -> u64 {
        // `unused` is 0 where there are no octets.
        (self.octets.len() as u64).saturating_mul(8).saturating_sub(self.unused as u64)
    }

    /// Returns whether the bit string is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.octets.is_empty()
    }

    /// Returns bit number `n`, if present, counting from the high bit of the first byte (X.680 §22.2: "bit zero").
    #[inline]
    #[must_use]
    pub fn bit(&self, n: u64) -> Option<bool> {
        if n >= self.bit_len() {
            return None;
        }
        let octet = self.octets.get(usize::try_from(n / 8).ok()?)?;
        Some(octet & 0x80 >> (n % 8) != 0)
    }

    /// Returns all bytes but the last, and the last byte with its unused bits cleared.
    #[inline]
    const fn parts(&self) -> Option<(&'a [u8], u8)> {
        match self.octets {
            [head @ .., last] => Some((head, *last & mask(self.unused))),
            [] => None,
        }
    }
}

/// Returns the mask of the used bits in a last byte that has `unused` unused bits.
#[inline]
pub(crate) const fn mask(unused: u8) -> u8 {
    0xFF << (unused & 7)
}

/// Checks the content bytes of a BIT STRING. Returns the kind and position of the first fault.
#[inline]
pub(crate) const fn check(content: &[u8]) -> Result<(), (FaultKind, usize)> {
    match content {
        [] => Err((FaultKind::BitStringEmpty, 0)),
        [0, ..] => Ok(()),
        [unused, .., last] if *unused <= 7 => {
            // X.690 §11.2.1: each unused bit is zero.
            if *last & !mask(*unused) == 0 { Ok(()) } else { Err((FaultKind::BitStringPadding, content.len() - 1)) }
        }
        _ => Err((FaultKind::BitStringUnused, 0)),
    }
}

impl PartialEq for BitStr<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.unused == other.unused && self.parts() == other.parts()
    }
}

impl Eq for BitStr<'_> {}

/// Orders bit strings bit by bit. A prefix precedes longer bit strings.
impl Ord for BitStr<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let octets = |bits: &Self| {
            let (head, last) = bits.parts().unzip();
            head.unwrap_or_default().iter().copied().chain(last)
        };
        octets(self).cmp(octets(other)).then(self.bit_len().cmp(&other.bit_len()))
    }
}

impl PartialOrd for BitStr<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for BitStr<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.unused.hash(state);
        self.parts().hash(state);
    }
}

impl fmt::Debug for BitStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitStr({:02X?}, unused {})", self.octets, self.unused)
    }
}

impl Typed for BitStr<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("BIT STRING", Some(Tag::BIT_STRING), Shape::BitString(List::EMPTY)) }
    }
}

impl Tagged for BitStr<'_> {
    const TAG: Tag = Tag::BIT_STRING;
}

impl<'a> DecodeValue<'a> for BitStr<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        let content = reader.take(len)?;
        match check(content) {
            Ok(()) => {}
            Err((FaultKind::BitStringPadding, offset)) => {
                reader.deviate(&Rule::UNUSED_BITS, FaultKind::BitStringPadding, at + offset)?;
            }
            Err((kind, offset)) => return Err(reader.fault(kind, at + offset)),
        }
        match content {
            [unused, octets @ ..] => Ok(Self { octets, unused: *unused }),
            [] => Err(reader.fault(FaultKind::BitStringEmpty, at)),
        }
    }
}

impl EncodeValue for BitStr<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        self.octets.len() + 1
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        if let Some((head, last)) = self.parts() {
            writer.octet(last)?;
            writer.bytes(head)?;
        }
        writer.octet(self.unused)
    }
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;

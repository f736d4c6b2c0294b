//! BIT STRING with a named-bit list (X.680 §22.2, §22.7, X.690 §11.2.2): a set of bit numbers.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{List, NamedNumber, Shape, Text, Type, Typed};
use crate::tag::Tag;
use crate::types::bit_string;
use crate::writer::Writer;

/// A `BIT STRING` with a named-bit list: the set of bit numbers.
///
/// Trailing zero bits have no meaning in a named-bit list, and DER omits them. Two values are equal if the same bits
/// are set. Any number of bits can be read, and sets of up to 64 bits can be created without a buffer.
///
/// ```
/// use tagwise_codec::{Decode, NamedBits, encode};
/// // KeyUsage: digitalSignature (0), keyCertSign (5), cRLSign (6).
/// const CA: NamedBits<'static> = NamedBits::from_bits([0, 5, 6]).unwrap();
/// let read = NamedBits::from_der(&[0x03, 0x02, 0x01, 0x86])?;
/// assert_eq!(read, CA);
/// assert!(read.contains(5) && !read.contains(1) && !read.contains(70));
/// assert!(read.iter().eq([0, 5, 6]));
/// assert_eq!(encode(&CA).unwrap(), [0x03, 0x02, 0x01, 0x86]);
/// assert_eq!(encode(&NamedBits::EMPTY).unwrap(), [0x03, 0x01, 0x00]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct NamedBits<'a>(Bits<'a>);

#[derive(Clone, Copy)]
enum Bits<'a> {
    /// The bytes up to the last nonzero one. The last byte is separate, because its unused bits may have to be masked.
    Octets { head: &'a [u8], last: u8 },
    /// A set of bits below 64, as a word. Bit 0 is the high bit.
    Word(u64),
}

impl<'a> NamedBits<'a> {
    /// The empty set.
    pub const EMPTY: Self = Self(Bits::Word(0));

    /// Creates a set of the given bit numbers. Returns `None` if one is above 63.
    ///
    /// ```
    /// use tagwise_codec::NamedBits;
    /// assert_eq!(NamedBits::from_bits([64]), None);
    /// ```
    #[must_use]
    pub const fn from_bits<const N: usize>(bits: [u64; N]) -> Option<Self> {
        let mut word = 0;
        let mut rest: &[u64] = &bits;
        while let [bit, tail @ ..] = rest {
            if *bit > 63 {
                return None;
            }
            word |= 1 << 63 >> *bit;
            rest = tail;
        }
        Some(Self(Bits::Word(word)))
    }

    /// Creates a set with bit number `n` for each `1 << n` in `mask`.
    ///
    /// ```
    /// use tagwise_codec::NamedBits;
    /// assert!(NamedBits::from_mask(0b110_0001).iter().eq([0, 5, 6]));
    /// ```
    #[must_use]
    pub const fn from_mask(mask: u64) -> Self {
        Self(Bits::Word(mask.reverse_bits()))
    }

    /// Returns a mask with `1 << n` for each bit number `n`, or `None` if one is above 63.
    #[must_use]
    pub fn to_mask(&self) -> Option<u64> {
        if self.octet_len() > 8 {
            return None;
        }
        let word = (0..8).fold(0, |word, index| word << 8 | u64::from(self.octet(index).unwrap_or_default()));
        Some(word.reverse_bits())
    }

    /// Returns whether bit number `n` is set.
    #[inline]
    #[must_use]
    pub fn contains(&self, n: u64) -> bool {
        match self.0 {
            Bits::Word(word) => n < 64 && word << n >> 63 != 0,
            Bits::Octets { .. } => {
                let octet = usize::try_from(n / 8).ok().and_then(|index| self.octet(index));
                octet.is_some_and(|octet| octet & 0x80 >> (n % 8) != 0)
            }
        }
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.octet_len() == 0
    }

    /// Iterates over the bit numbers that are set, in ascending order.
    #[must_use]
    pub const fn iter(&self) -> SetBits<'a> {
        SetBits { bits: *self, next: 0 }
    }

    /// Creates a set from the bytes before the last one and the masked last byte, and drops trailing zero bits.
    #[cold]
    const fn trimmed(mut head: &'a [u8], mut last: u8) -> Self {
        while last == 0 {
            match head {
                [rest @ .., octet] => (head, last) = (rest, *octet),
                [] => return Self::EMPTY,
            }
        }
        Self(Bits::Octets { head, last })
    }

    /// Returns the number of bytes up to the last bit that is set.
    #[inline]
    const fn octet_len(&self) -> usize {
        match self.0 {
            Bits::Octets { head, .. } => head.len() + 1,
            Bits::Word(word) => (64 - word.trailing_zeros() as usize).div_ceil(8),
        }
    }

    #[inline]
    fn octet(&self, index: usize) -> Option<u8> {
        match self.0 {
            Bits::Octets { head, last } if index == head.len() => Some(last),
            Bits::Octets { head, .. } => head.get(index).copied(),
            Bits::Word(word) if index < self.octet_len() => word.to_be_bytes().get(index).copied(),
            Bits::Word(_) => None,
        }
    }

    fn octets(&self) -> impl Iterator<Item = u8> {
        let bits = *self;
        (0..bits.octet_len()).map(move |index| bits.octet(index).unwrap_or_default())
    }
}

/// Returns whether the last bit of a BIT STRING is one, as required for a named-bit list.
#[inline]
const fn ends_in_one(unused: u8, octets: &[u8]) -> bool {
    match octets {
        [.., last] => *last & 1 << (unused & 7) != 0,
        [] => true,
    }
}

impl<'a> DecodeValue<'a> for NamedBits<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        let content = reader.take(len)?;
        match bit_string::check(content) {
            Ok(()) => {}
            Err((FaultKind::BitStringPadding, offset)) => {
                reader.deviate(&Rule::UNUSED_BITS, FaultKind::BitStringPadding, at + offset)?;
            }
            Err((kind, offset)) => return Err(reader.fault(kind, at + offset)),
        }
        match content {
            [unused, octets @ ..] => {
                let trimmed = ends_in_one(*unused, octets);
                if !trimmed {
                    reader.deviate(&Rule::NAMED_BITS, FaultKind::NamedBitsTrailing, at + len - 1)?;
                }
                match octets {
                    [] => Ok(Self::EMPTY),
                    [head @ .., last] => {
                        let last = *last & bit_string::mask(*unused);
                        Ok(if trimmed { Self(Bits::Octets { head, last }) } else { Self::trimmed(head, last) })
                    }
                }
            }
            [] => Err(reader.fault(FaultKind::BitStringEmpty, at)),
        }
    }
}

impl EncodeValue for NamedBits<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        self.octet_len() + 1
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let unused = match self.0 {
            Bits::Octets { head, last } => {
                writer.octet(last)?;
                writer.bytes(head)?;
                last.trailing_zeros()
            }
            Bits::Word(word) => {
                writer.bytes(word.to_be_bytes().get(..self.octet_len()).unwrap_or_default())?;
                if word == 0 { 0 } else { word.trailing_zeros() % 8 }
            }
        };
        writer.octet(unused as u8)
    }
}

impl Typed for NamedBits<'_> {
    // The names belong to the type that a schema derives from this one; its own table lists them. One without a name says that
    // there are some.
    fn ty() -> &'static Type {
        const {
            let unnamed = List::Const(&[NamedNumber { name: Text::Const(""), number: 0 }]);
            &Type::new("BIT STRING", Some(Tag::BIT_STRING), Shape::BitString(unnamed))
        }
    }
}

impl Tagged for NamedBits<'_> {
    const TAG: Tag = Tag::BIT_STRING;
}

impl Default for NamedBits<'_> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PartialEq for NamedBits<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.octets().eq(other.octets())
    }
}

impl Eq for NamedBits<'_> {}

/// Orders sets bit by bit, from bit 0 on.
impl Ord for NamedBits<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.octets().cmp(other.octets())
    }
}

impl PartialOrd for NamedBits<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for NamedBits<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.octet_len().hash(state);
        for octet in self.octets() {
            octet.hash(state);
        }
    }
}

impl fmt::Debug for NamedBits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NamedBits")?;
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for NamedBits<'a> {
    type Item = u64;
    type IntoIter = SetBits<'a>;

    fn into_iter(self) -> SetBits<'a> {
        self.iter()
    }
}

/// Iterator over the bit numbers set in a [`NamedBits`], in ascending order.
#[derive(Clone, Debug)]
pub struct SetBits<'a> {
    bits: NamedBits<'a>,
    /// The bit number at which the iteration continues.
    next: u64,
}

impl Iterator for SetBits<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        loop {
            let octet = self.bits.octet(usize::try_from(self.next / 8).ok()?)?;
            // What of the octet was not looked at yet.
            let rest = octet & 0xFF >> (self.next % 8);
            let start = self.next - self.next % 8;
            if rest != 0 {
                let found = start + u64::from(rest.leading_zeros());
                self.next = found + 1;
                return Some(found);
            }
            self.next = start + 8;
        }
    }
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;

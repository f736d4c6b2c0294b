//! INTEGER (X.680 §19, X.690 §8.3): any size as borrowed bytes, and native integers.

use core::cmp::Ordering;
use core::fmt;

use crate::__private::held;
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Constraint, List, Range, Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// An `INTEGER` of any size: the minimal big-endian two's complement bytes.
///
/// ```
/// use tagwise_codec::{Decode, Int};
/// let int = Int::from_der(&[0x02, 0x02, 0x00, 0xFF])?;
/// assert_eq!(int.as_bytes(), [0x00, 0xFF]);
/// assert_eq!(int.magnitude(), [0xFF]);
/// assert_eq!(u8::try_from(int), Ok(255));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int<'a>(&'a [u8]);

impl<'a> Int<'a> {
    /// Zero.
    pub const ZERO: Self = Self(&[0]);

    /// Creates an integer from two's complement bytes. Redundant leading bytes are dropped, and an empty slice is zero.
    #[must_use]
    pub const fn from_signed(mut octets: &'a [u8]) -> Self {
        while let [first, rest @ ..] = octets {
            match rest {
                [second, ..] if is_redundant(*first, *second) => octets = rest,
                _ => return Self(octets),
            }
        }
        Self::ZERO
    }

    /// Returns the minimal big-endian two's complement bytes, at least one.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Returns whether the integer is negative.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        matches!(self.0, [first, ..] if *first >= 0x80)
    }

    /// Returns whether the integer is zero.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        matches!(self.0, [0])
    }

    /// Returns the bytes of a non-negative integer without a leading zero byte, or the two's complement bytes of a negative
    /// one.
    #[must_use]
    pub const fn magnitude(&self) -> &'a [u8] {
        match self.0 {
            [0, rest @ ..] if !rest.is_empty() => rest,
            octets => octets,
        }
    }

    /// Returns the length of the [magnitude](Self::magnitude) in bits: 0 for zero.
    ///
    /// ```
    /// use tagwise_codec::Int;
    /// assert_eq!(Int::from_signed(&[0x01, 0x00]).bit_len(), 9);
    /// ```
    #[must_use]
    pub const fn bit_len(&self) -> u64 {
        match self.magnitude() {
            [first, rest @ ..] => rest.len() as u64 * 8 + (8 - first.leading_zeros()) as u64,
            [] => 0,
        }
    }
}

const fn is_redundant(first: u8, second: u8) -> bool {
    (first == 0 && second < 0x80) || (first == 0xFF && second >= 0x80)
}

impl Ord for Int<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (negative, _) => {
                let longer = self.0.len().cmp(&other.0.len());
                let longer = if negative { longer.reverse() } else { longer };
                longer.then_with(|| self.0.cmp(other.0))
            }
        }
    }
}

impl PartialOrd for Int<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Typed for Int<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("INTEGER", Some(Tag::INTEGER), Shape::Integer(List::EMPTY)) }
    }
}

impl Tagged for Int<'_> {
    const TAG: Tag = Tag::INTEGER;
}

/// Reads the content of an INTEGER or ENUMERATED, and returns its bytes without redundant leading bytes. The result
/// contains at least one byte.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn content<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Result<&'a [u8], Fault> {
    let at = reader.position();
    let octets = reader.take(len)?;
    match octets {
        [] => Err(reader.fault(FaultKind::IntegerEmpty, at)),
        [first, second, ..] if is_redundant(*first, *second) => {
            reader.deviate(&Rule::INTEGER_PADDED, FaultKind::IntegerPadded, at)?;
            Ok(Int::from_signed(octets).as_bytes())
        }
        _ => Ok(octets),
    }
}

impl<'a> DecodeValue<'a> for Int<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        content(reader, len).map(Self)
    }
}

impl EncodeValue for Int<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        self.0.len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.0)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn content_octets(&self) -> Option<&[u8]> {
        Some(self.0)
    }
}

/// The error for an [`Int`] that is out of range for a native integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange;

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the integer does not fit the native type")
    }
}

impl core::error::Error for OutOfRange {}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn signed64(octets: &[u8]) -> Option<i64> {
    if octets.len() > 8 {
        return None;
    }
    let sign = if matches!(octets, [first, ..] if *first >= 0x80) { -1 } else { 0 };
    Some(octets.iter().fold(sign, |value, octet| value << 8 | i64::from(*octet)))
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn unsigned64(octets: &[u8]) -> Option<u64> {
    match octets {
        [0, rest @ ..] if rest.len() == 8 => Some(rest.iter().fold(0, |value, octet| value << 8 | u64::from(*octet))),
        _ => u64::try_from(signed64(octets)?).ok(),
    }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn signed128(octets: &[u8]) -> Option<i128> {
    if octets.len() > 16 {
        return None;
    }
    // The last eight octets at once, and what is in front of them as a number of its own.
    let (front, back) = match octets.split_last_chunk::<8>() {
        Some((front, back)) if !front.is_empty() => (front, u64::from_be_bytes(*back)),
        _ => return signed64(octets).map(i128::from),
    };
    signed64(front).map(|front| i128::from(front) << 64 | i128::from(back))
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn unsigned128(octets: &[u8]) -> Option<u128> {
    match octets {
        [0, rest @ ..] if rest.len() == 16 => Some(rest.iter().fold(0, |value, octet| value << 8 | u128::from(*octet))),
        _ => u128::try_from(signed128(octets)?).ok(),
    }
}

macro_rules! native {
    ($($native:ident, $read:ident, $min:expr, $max:expr $(, $held:expr)?;)*) => {$(
        impl Typed for $native {
            fn ty() -> &'static Type {
                const { &Type::new("INTEGER", Some(Tag::INTEGER), Shape::Integer(List::EMPTY)).constrained(List::Const(&[$($held,)? Constraint::Value {
                        ranges: List::Const(&[Range { min: $min, max: $max }]),
                        extensible: false,
                    }])) }
            }
        }

        impl Tagged for $native {
            const TAG: Tag = Tag::INTEGER;
        }

        impl<'a> DecodeValue<'a> for $native {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
                let at = reader.position();
                let octets = content(reader, len)?;
                match $read(octets).and_then(|wide| $native::try_from(wide).ok()) {
                    Some(value) => Ok(value),
                    None => Err(reader.fault(FaultKind::IntegerRange, at)),
                }
            }
        }

        impl EncodeValue for $native {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn value_len(&self) -> usize {
                // Bits that differ from the sign, and one for the sign itself.
                #[allow(unused_comparisons, reason = "one body for signed and unsigned")]
                let significant = if *self < 0 { (!*self).leading_zeros() } else { self.leading_zeros() };
                ($native::BITS - significant) as usize / 8 + 1
            }

            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
                let octets = self.to_be_bytes();
                let count = self.value_len();
                if count > octets.len() {
                    // The sign octet of an unsigned number whose top bit is set.
                    writer.bytes(&octets)?;
                    return writer.octet(0);
                }
                writer.last_of(&octets, count)
            }
        }

        impl TryFrom<Int<'_>> for $native {
            type Error = OutOfRange;

            fn try_from(int: Int<'_>) -> Result<Self, OutOfRange> {
                $read(int.as_bytes()).and_then(|wide| $native::try_from(wide).ok()).ok_or(OutOfRange)
            }
        }
    )*};
}

native! {
    i8, signed64, Some(i8::MIN as i128), Some(i8::MAX as i128);
    i16, signed64, Some(i16::MIN as i128), Some(i16::MAX as i128);
    i32, signed64, Some(i32::MIN as i128), Some(i32::MAX as i128);
    i64, signed64, Some(i64::MIN as i128), Some(i64::MAX as i128);
    i128, signed128, Some(i128::MIN), Some(i128::MAX);
    u8, signed64, Some(0), Some(u8::MAX as i128);
    u16, signed64, Some(0), Some(u16::MAX as i128);
    u32, signed64, Some(0), Some(u32::MAX as i128);
    u64, unsigned64, Some(0), Some(u64::MAX as i128);
    // A range in a table cannot end at u128::MAX.
    u128, unsigned128, Some(0), None, Constraint::Check(|reader, at| held(reader, at, u128::decode_value));
}

macro_rules! pointer_sized {
    ($($native:ident, $read:ident;)*) => {$(
        impl TryFrom<Int<'_>> for $native {
            type Error = OutOfRange;

            fn try_from(int: Int<'_>) -> Result<Self, OutOfRange> {
                $read(int.as_bytes()).and_then(|wide| $native::try_from(wide).ok()).ok_or(OutOfRange)
            }
        }
    )*};
}

// Values alone: no type of a schema has the size of a pointer.
pointer_sized! {
    isize, signed64;
    usize, unsigned64;
}

//! REAL (X.680 §21, X.690 §8.5, §11.3): binary and decimal, with mantissas and exponents of any size.

mod binary;
mod content;
mod decimal;
#[cfg(feature = "dynamic")]
mod order;

use core::fmt;
use core::hash::{Hash, Hasher};

use self::binary::Binary;
use self::content::{RealValue, Special};
#[cfg(feature = "dynamic")]
pub(crate) use self::order::Compared;
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// A `REAL`: a base-2 or base-10 number, minus zero, an infinity, or not a number.
///
/// Base-2 and base-10 numbers are distinct values even if they are numerically equal (X.680 §21), and keep their base
/// when encoded. NOT-A-NUMBER is equal to itself.
///
/// Forms tolerated by [`Rule::REAL_FORM`] (bases 8 and 16, scaling factors, even mantissas, NR1 and NR2, spaces …) are
/// encoded canonically, unless the exponent is beyond 62 bits.
///
/// ```
/// use tagwise_codec::{Decode, Real, encode};
/// // 5 × 2⁻¹, and 15 × 10⁻¹.
/// assert_eq!(Real::from_der(&[0x09, 0x03, 0x80, 0xFF, 0x05])?.to_f64(), 2.5);
/// assert_eq!(Real::from_der(b"\x09\x07\x0315.E-1")?.to_f64(), 1.5);
/// assert_eq!(encode(&Real::from_f64(-0.15625)).unwrap(), [0x09, 0x03, 0xC0, 0xFB, 0x05]);
/// assert_eq!(Real::from_der(&[0x09, 0x03, 0x80, 0x00, 0x02]).unwrap_err().code(), "real-not-canonical");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Real<'a>(Repr<'a>);

#[derive(Clone, Copy)]
enum Repr<'a> {
    /// Content bytes in valid BER.
    Octets(&'a [u8]),
    /// A computed value, which is encoded when it is written.
    Float(f64),
}

impl<'a> Real<'a> {
    /// Zero.
    pub const ZERO: Self = Self(Repr::Octets(&[]));
    /// Minus zero.
    pub const MINUS_ZERO: Self = Self(Repr::Float(-0.0));
    /// PLUS-INFINITY.
    pub const INFINITY: Self = Self(Repr::Float(f64::INFINITY));
    /// MINUS-INFINITY.
    pub const NEG_INFINITY: Self = Self(Repr::Float(f64::NEG_INFINITY));
    /// NOT-A-NUMBER.
    pub const NAN: Self = Self(Repr::Float(f64::NAN));

    /// Converts a float exactly, with base 2.
    #[must_use]
    pub const fn from_f64(value: f64) -> Self {
        Self(Repr::Float(value))
    }

    /// Creates a value from DER content bytes.
    ///
    /// # Errors
    /// Returns [`FaultKind::RealFormat`] or [`FaultKind::RealNotCanonical`], with an offset into `octets`.
    ///
    /// ```
    /// use tagwise_codec::Real;
    /// assert_eq!(Real::from_content(b"\x031.E-1").unwrap().to_f64(), 0.1);
    /// // NR3 begins with the byte 3, and its canonical form of 10 is 1.E1.
    /// assert_eq!(Real::from_content(b"\x0310.E+0").unwrap_err().offset(), 2);
    /// ```
    pub fn from_content(octets: &'a [u8]) -> Result<Self, Fault> {
        match content::parse(octets) {
            Ok((_, None)) => Ok(Self(Repr::Octets(octets))),
            Ok((_, Some(at))) => Err(Fault::new(FaultKind::RealNotCanonical, at)),
            Err(at) => Err(Fault::new(FaultKind::RealFormat, at)),
        }
    }

    /// Converts to the nearest float, with ties to even. Numbers that are too large become infinities.
    ///
    /// ```
    /// use tagwise_codec::Real;
    /// // 2^53 + 1 lies between two floats.
    /// let real = Real::from_content(&[0x80, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01]).unwrap();
    /// assert_eq!(real.to_f64(), 9_007_199_254_740_992.0);
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match self.0 {
            Repr::Float(value) => value,
            Repr::Octets(_) => self.with_value(|value, _| match value {
                RealValue::Special(special) => special.to_f64(),
                RealValue::Binary(binary) => binary.to_f64().0,
                RealValue::Decimal(decimal) => decimal.to_f64(),
            }),
        }
    }

    /// Compares a number with the bound of a range. The bases may differ.
    #[cfg(feature = "dynamic")]
    pub(crate) fn compare(&self, end: &Self) -> Compared {
        self.with_value(|value, _| end.with_value(|end, _| order::compare(&value, &end)))
    }

    /// Returns whether the base is 10.
    #[must_use]
    pub fn is_decimal(&self) -> bool {
        self.with_value(|value, _| matches!(value, RealValue::Decimal(_)))
    }

    /// Calls a function with the value's parts, and with its content bytes if they are canonical.
    fn with_value<R>(&self, call: impl FnOnce(RealValue<'_>, Option<&[u8]>) -> R) -> R {
        match self.0 {
            Repr::Octets(octets) => match content::parse(octets) {
                Ok((value, None)) => call(value, Some(octets)),
                Ok((value, Some(_))) => call(value, None),
                // Every constructor parsed the octets.
                Err(_) => call(RealValue::Special(Special::NotANumber), None),
            },
            Repr::Float(float) => match Special::of_f64(float) {
                Some(special) => call(RealValue::Special(special), None),
                None => {
                    let (mantissa, exponent) = binary::split(float);
                    let octets = mantissa.to_be_bytes();
                    call(RealValue::Binary(Binary::new(float < 0.0, &octets, exponent)), None)
                }
            },
        }
    }
}

impl From<f64> for Real<'_> {
    fn from(value: f64) -> Self {
        Self::from_f64(value)
    }
}

impl Default for Real<'_> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl PartialEq for Real<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Repr::Octets(a), Repr::Octets(b)) if a == b => true,
            _ => self.with_value(|a, _| other.with_value(|b, _| a == b)),
        }
    }
}

impl Eq for Real<'_> {}

impl Hash for Real<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.with_value(|value, _| value.hash(state));
    }
}

/// Formats the number as a float if that is exact, or otherwise as decimal digits with an exponent, or as a hexadecimal
/// mantissa with a power of two. Special values are written with their names in X.680 §21.
impl fmt::Display for Real<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_value(|value, _| value.fmt(f))
    }
}

impl fmt::Debug for Real<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Real({self})")
    }
}

impl Typed for Real<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("REAL", Some(Tag::REAL), Shape::Real) }
    }
}

impl Tagged for Real<'_> {
    const TAG: Tag = Tag::REAL;
}

impl<'a> DecodeValue<'a> for Real<'a> {
    #[inline]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        let octets = reader.take(len)?;
        match content::parse(octets) {
            Ok((_, None)) => {}
            Ok((_, Some(offset))) => reader.deviate(&Rule::REAL_FORM, FaultKind::RealNotCanonical, at + offset)?,
            Err(offset) => return Err(reader.fault(FaultKind::RealFormat, at + offset)),
        }
        Ok(Self(Repr::Octets(octets)))
    }
}

impl EncodeValue for Real<'_> {
    fn value_len(&self) -> usize {
        self.with_value(|value, canonical| match canonical {
            Some(octets) => octets.len(),
            None => value.canonical_len(),
        })
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        self.with_value(|value, canonical| match canonical {
            Some(octets) => writer.bytes(octets),
            None => value.encode_canonical(writer),
        })
    }
}

#[cfg(feature = "dynamic")]
#[cfg(test)]
mod tests;

//! An owned INTEGER of any size.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use super::{as_borrowed, compares};
use crate::engine::decimal::from_decimal;
use crate::types::{Int, OutOfRange};

/// An owned `INTEGER` of any size: the counterpart of [`Int`]. Converts from native integers, decimal text and
/// big-endian bytes.
///
/// ```
/// use tagwise_codec::{Decode, Int, IntBuf, encode};
/// let number = IntBuf::from(300u16);
/// assert_eq!(encode(&number)?, [0x02, 0x02, 0x01, 0x2C]);
/// assert_eq!((number.to_string().as_str(), u64::try_from(&number)), ("300", Ok(300)));
/// // Unsigned bytes, as used by many libraries.
/// assert_eq!(IntBuf::from_unsigned(&[0xFF, 0xFF]), IntBuf::from(0xFFFF));
/// assert_eq!("-129".parse::<IntBuf>()?, Int::from_signed(&[0xFF, 0x7F]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IntBuf(Vec<u8>);

impl IntBuf {
    /// Copies a borrowed INTEGER.
    #[must_use]
    pub fn new(int: Int<'_>) -> Self {
        Self(int.as_bytes().to_vec())
    }

    /// Creates an integer from big-endian two's complement bytes; see [`Int::from_signed`].
    #[must_use]
    pub fn from_signed(octets: &[u8]) -> Self {
        Self::new(Int::from_signed(octets))
    }

    /// Creates a non-negative integer from unsigned big-endian bytes.
    #[must_use]
    pub fn from_unsigned(octets: &[u8]) -> Self {
        let mut signed = Vec::with_capacity(octets.len().saturating_add(1));
        signed.push(0);
        signed.extend_from_slice(octets);
        Self::from_signed(&signed)
    }

    /// Borrows the value as an [`Int`].
    #[must_use]
    pub fn as_int(&self) -> Int<'_> {
        Int::from_signed(&self.0)
    }

    /// Returns the minimal big-endian two's complement bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the unsigned bytes; see [`Int::magnitude`].
    #[must_use]
    pub fn magnitude(&self) -> &[u8] {
        self.as_int().magnitude()
    }

    /// Returns the integer with the opposite sign.
    fn negated(&self) -> Self {
        // A byte more, for the least of its length has no opposite in as many bytes.
        let sign = if self.is_negative() { 0xFF } else { 0 };
        let mut octets: Vec<u8> = core::iter::once(sign).chain(self.0.iter().copied()).map(|octet| !octet).collect();
        for octet in octets.iter_mut().rev() {
            *octet = octet.wrapping_add(1);
            if *octet != 0 {
                break;
            }
        }
        Self::from_signed(&octets)
    }

    /// Returns whether the integer is negative.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.as_int().is_negative()
    }

    /// Returns whether the integer is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.as_int().is_zero()
    }
}

as_borrowed!(IntBuf, Int, as_int, |int| Some(Self::new(int)));
compares!(IntBuf, Int, as_int);

impl Default for IntBuf {
    fn default() -> Self {
        Self::new(Int::ZERO)
    }
}

impl Ord for IntBuf {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_int().cmp(&other.as_int())
    }
}

impl PartialOrd for IntBuf {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl AsRef<[u8]> for IntBuf {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for IntBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_int(), f)
    }
}

impl fmt::Debug for IntBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IntBuf({self})")
    }
}

/// Parses the digits of a hexadecimal integer.
fn from_hexadecimal(digits: &str) -> Option<IntBuf> {
    let mut octets = Vec::with_capacity(digits.len() / 2 + 2);
    // A sign, and half a byte where the number of digits is odd.
    let mut octet = 0u8;
    octets.push(0);
    for (place, digit) in (0..digits.len()).rev().zip(digits.chars()) {
        octet = octet << 4 | u8::try_from(digit.to_digit(16)?).ok()?;
        if place % 2 == 0 {
            octets.push(octet);
            octet = 0;
        }
    }
    (!digits.is_empty()).then(|| IntBuf::from_signed(&octets))
}

/// The error for text that is not an integer. An integer is decimal, with at most 10,240 digits, or hexadecimal, with the
/// prefix `0x`. A minus sign is optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseIntError;

impl fmt::Display for ParseIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an integer in decimal, or in hexadecimal with the prefix 0x")
    }
}

impl core::error::Error for ParseIntError {}

/// Parses decimal text, or hexadecimal text with the prefix `0x` or `-0x`, as written by [`Display`](fmt::Display).
impl FromStr for IntBuf {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        if let Some(digits) = text.strip_prefix("0x") {
            return from_hexadecimal(digits).ok_or(ParseIntError);
        }
        if let Some(digits) = text.strip_prefix("-0x") {
            return from_hexadecimal(digits).map(|number| number.negated()).ok_or(ParseIntError);
        }
        from_decimal(text).map(Self).ok_or(ParseIntError)
    }
}

macro_rules! natives {
    ($($native:ident $($sign:literal)?),*) => {$(
        impl From<$native> for IntBuf {
            fn from(number: $native) -> Self {
                let mut octets: Vec<u8> = Vec::with_capacity(17);
                $(octets.push($sign);)?
                octets.extend_from_slice(&number.to_be_bytes());
                Self::from_signed(&octets)
            }
        }

        impl TryFrom<&IntBuf> for $native {
            type Error = OutOfRange;

            fn try_from(int: &IntBuf) -> Result<Self, OutOfRange> {
                Self::try_from(int.as_int())
            }
        }

        impl TryFrom<IntBuf> for $native {
            type Error = OutOfRange;

            fn try_from(int: IntBuf) -> Result<Self, OutOfRange> {
                Self::try_from(int.as_int())
            }
        }
    )*};
}

// The unsigned ones under a sign byte.
natives!(i8, i16, i32, i64, i128, isize, u8 0, u16 0, u32 0, u64 0, u128 0, usize 0);

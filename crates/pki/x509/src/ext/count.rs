//! `INTEGER (0..MAX)`: counts of certificates, name levels or CRLs.

use core::fmt;

use tagwise_codec::{Int, IntBuf};
use tagwise_derive::Asn1;

/// ```asn1
/// INTEGER (0..MAX)
/// ```
///
/// A nonnegative number of any size. Counts are usually small, so [`Count::get`] is sufficient.
///
/// ```
/// use tagwise_codec::{Decode, encode};
/// use tagwise_x509::ext::Count;
/// assert_eq!(encode(&Count::new(200))?, [0x02, 0x02, 0x00, 0xC8]);
/// assert_eq!(Count::from_der(&[0x02, 0x01, 0x03])?.get(), 3);
/// assert_eq!(Count::from_der(&[0x02, 0x01, 0xFF]).unwrap_err().code(), "value");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[asn1(name = "INTEGER", value(0..))]
pub struct Count<'a>(Int<'a>);

/// The bytes of the small numbers, each with a sign byte.
static SMALL: [[u8; 2]; 256] = small();

#[expect(clippy::indexing_slicing, reason = "constant evaluation: the index is below 256")]
const fn small() -> [[u8; 2]; 256] {
    let mut octets = [[0; 2]; 256];
    let mut number = 0;
    while number < 256 {
        octets[number] = [0, number as u8];
        number += 1;
    }
    octets
}

impl Count<'static> {
    /// Creates a count from a small number.
    #[must_use]
    pub fn new(number: u8) -> Self {
        Self(SMALL.get(usize::from(number)).map_or(Int::ZERO, |octets| Int::from_signed(octets)))
    }

    /// Zero.
    pub const ZERO: Self = Self(Int::ZERO);
}

impl<'a> Count<'a> {
    /// Creates a count from a number of any size. Returns `None` if it is negative.
    #[must_use]
    pub const fn from_int(number: Int<'a>) -> Option<Self> {
        if number.is_negative() { None } else { Some(Self(number)) }
    }

    /// Returns the count as an INTEGER value.
    #[must_use]
    pub const fn int(&self) -> Int<'a> {
        self.0
    }

    /// Returns the number as `u64`, or `u64::MAX` if it is larger. Negative numbers tolerated by
    /// [`Rule::VALUE`](tagwise_codec::Rule::VALUE) yield zero, the strictest limit.
    #[must_use]
    pub fn get(&self) -> u64 {
        match u64::try_from(self.0) {
            Ok(number) => number,
            Err(_) if self.0.is_negative() => 0,
            Err(_) => u64::MAX,
        }
    }
}

/// The error for a negative count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NegativeCount;

impl fmt::Display for NegativeCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a count must not be negative")
    }
}

impl core::error::Error for NegativeCount {}

impl<'a> TryFrom<Int<'a>> for Count<'a> {
    type Error = NegativeCount;

    fn try_from(number: Int<'a>) -> Result<Self, NegativeCount> {
        Self::from_int(number).ok_or(NegativeCount)
    }
}

/// Borrows the number from an owned integer.
///
/// ```
/// use tagwise_codec::IntBuf;
/// use tagwise_x509::ext::{Count, CrlNumber};
/// let number = IntBuf::from(70_000u32);
/// assert_eq!(CrlNumber(Count::try_from(&number)?).to_string(), "70000");
/// # Ok::<(), tagwise_x509::ext::NegativeCount>(())
/// ```
impl<'a> TryFrom<&'a IntBuf> for Count<'a> {
    type Error = NegativeCount;

    fn try_from(number: &'a IntBuf) -> Result<Self, NegativeCount> {
        number.as_int().try_into()
    }
}

impl From<u8> for Count<'static> {
    fn from(number: u8) -> Self {
        Self::new(number)
    }
}

impl fmt::Display for Count<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

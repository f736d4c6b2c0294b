//! Integers of any size with the operations that schemas need: parsing, comparison, increment, decrement and
//! formatting.
//!
//! No other arithmetic is needed. Constraint bounds and named numbers are only compared, incremented and decremented.

use std::cmp::Ordering;
use std::fmt;

/// The maximum number of digits. Parsing takes quadratic time.
pub(crate) const MAX_DIGITS: usize = 4096;

/// An integer of any size.
///
/// ```
/// use tagwise_schema::Int;
/// let max: Int = "18446744073709551615".parse()?;
/// assert_eq!(max.next().to_string(), "18446744073709551616");
/// assert_eq!(max.to_i128(), Some(i128::from(u64::MAX)));
/// assert_eq!(Int::from(-129).to_be_bytes(), [0xFF, 0x7F]);
/// # Ok::<(), tagwise_schema::IntError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Int {
    negative: bool,
    /// The digits in base 2³², least significant first, without leading zeros. Empty for 0, which is not negative.
    digits: Vec<u32>,
}

/// The error for text that is not an integer, or that has too many digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntError;

impl fmt::Display for IntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not an integer of at most {MAX_DIGITS} digits")
    }
}

impl std::error::Error for IntError {}

impl Int {
    /// Zero.
    pub const ZERO: Self = Self { negative: false, digits: Vec::new() };

    /// Returns whether the integer is negative.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns whether the integer is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns the number of bytes that the digits occupy.
    pub(crate) fn width(&self) -> u64 {
        4 * self.digits.len() as u64
    }

    /// Returns the integer with the opposite sign.
    #[must_use]
    pub fn negated(mut self) -> Self {
        self.negative = !self.negative && !self.digits.is_empty();
        self
    }

    /// Returns the integer plus one.
    #[must_use]
    pub fn next(&self) -> Self {
        let mut next = self.clone();
        if next.negative {
            next.shrink();
        } else {
            next.grow();
        }
        next
    }

    /// Returns the integer minus one.
    #[must_use]
    pub fn previous(&self) -> Self {
        let mut previous = self.clone();
        if previous.digits.is_empty() {
            previous.digits.push(1);
            previous.negative = true;
        } else if previous.negative {
            previous.grow();
        } else {
            previous.shrink();
        }
        previous
    }

    /// Adds one to the magnitude.
    fn grow(&mut self) {
        for digit in &mut self.digits {
            let (sum, carry) = digit.overflowing_add(1);
            *digit = sum;
            if !carry {
                return;
            }
        }
        self.digits.push(1);
    }

    /// Subtracts one from a nonzero magnitude.
    fn shrink(&mut self) {
        for digit in &mut self.digits {
            let (rest, borrow) = digit.overflowing_sub(1);
            *digit = rest;
            if !borrow {
                break;
            }
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self.negative &= !self.digits.is_empty();
    }

    /// Multiplies the magnitude by a small factor, and adds `plus`.
    pub(crate) fn scale(&mut self, factor: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for digit in &mut self.digits {
            let product = u64::from(*digit) * u64::from(factor) + carry;
            *digit = product as u32;
            carry = product >> 32;
        }
        if carry != 0 {
            self.digits.push(carry as u32);
        }
        self.trim();
    }

    /// Divides the magnitude by a small number, and returns the remainder.
    pub(crate) fn divide(&mut self, by: u32) -> u32 {
        let by = u64::from(by.max(1));
        let mut rest = 0_u64;
        for digit in self.digits.iter_mut().rev() {
            let part = (rest << 32) | u64::from(*digit);
            *digit = (part / by) as u32;
            rest = part % by;
        }
        self.trim();
        rest as u32
    }

    /// Converts to `i128`, if it fits.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        let mut magnitude = 0_u128;
        if self.digits.len() > 4 {
            return None;
        }
        for digit in self.digits.iter().rev() {
            magnitude = (magnitude << 32) | u128::from(*digit);
        }
        if self.negative { 0_i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() }
    }

    /// Converts to `i64`, if it fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        self.to_i128().and_then(|number| number.try_into().ok())
    }

    /// Converts to `u64`, if it fits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        self.to_i128().and_then(|number| number.try_into().ok())
    }

    /// Converts to `u32`, if it fits.
    #[must_use]
    pub fn to_u32(&self) -> Option<u32> {
        self.to_i128().and_then(|number| number.try_into().ok())
    }

    /// Returns the minimal two's complement bytes, big-endian: the DER content of an INTEGER.
    #[must_use]
    pub fn to_be_bytes(&self) -> Vec<u8> {
        // A negative number is the complement of what is one less in magnitude.
        let magnitude = if self.negative { self.clone().negated().previous() } else { self.clone() };
        let mut octets: Vec<u8> = magnitude.digits.iter().rev().flat_map(|digit| digit.to_be_bytes()).collect();
        let zeros = octets.iter().take_while(|octet| **octet == 0).count();
        octets.drain(..zeros);
        if octets.first().is_none_or(|first| first & 0x80 != 0) {
            octets.insert(0, 0);
        }
        if self.negative {
            for octet in &mut octets {
                *octet = !*octet;
            }
        }
        octets
    }
}

impl From<i128> for Int {
    fn from(number: i128) -> Self {
        let magnitude = number.unsigned_abs();
        let digits = (0..4).map(|place| (magnitude >> (32 * place)) as u32).collect();
        let mut int = Self { negative: number < 0, digits };
        int.trim();
        int
    }
}

impl From<i32> for Int {
    fn from(number: i32) -> Self {
        i128::from(number).into()
    }
}

impl From<u32> for Int {
    fn from(number: u32) -> Self {
        i128::from(number).into()
    }
}

impl From<i64> for Int {
    fn from(number: i64) -> Self {
        i128::from(number).into()
    }
}

impl std::str::FromStr for Int {
    type Err = IntError;

    fn from_str(text: &str) -> Result<Self, IntError> {
        let (negative, figures) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        if figures.is_empty() || figures.len() > MAX_DIGITS {
            return Err(IntError);
        }
        let mut int = Self::ZERO;
        for figure in figures.chars() {
            int.scale(10, figure.to_digit(10).ok_or(IntError)?);
        }
        Ok(if negative { int.negated() } else { int })
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        let magnitude = || {
            let by_length = self.digits.len().cmp(&other.digits.len());
            by_length.then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
        };
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => magnitude(),
            (true, true) => magnitude().reverse(),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.clone();
        let mut parts = Vec::new();
        while !rest.is_zero() {
            parts.push(rest.divide(1_000_000_000));
        }
        let mut text = parts.pop().unwrap_or_default().to_string();
        for part in parts.iter().rev() {
            text.push_str(&format!("{part:09}"));
        }
        f.pad_integral(!self.negative, "", &text)
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::Int;

    #[test]
    fn neighbours_and_octets() {
        for (text, octets) in [
            ("0", &[0_u8][..]),
            ("-1", &[0xFF]),
            ("127", &[0x7F]),
            ("128", &[0, 0x80]),
            ("-128", &[0x80]),
            ("-129", &[0xFF, 0x7F]),
            ("4294967296", &[1, 0, 0, 0, 0]),
            ("-4294967296", &[0xFF, 0, 0, 0, 0]),
        ] {
            let int: Int = text.parse().unwrap();
            assert_eq!(int.to_be_bytes(), octets, "{text}");
            assert_eq!(int.to_string(), text);
            assert_eq!(int.next().previous(), int);
            assert_eq!(int.previous().next(), int);
            assert!(int.previous() < int && int < int.next());
        }
        assert_eq!(Int::from(i128::MIN).to_i128(), Some(i128::MIN));
        assert_eq!(Int::from(i128::MIN).previous().to_i128(), None);
        assert_eq!(Int::from(i128::MIN).to_string(), i128::MIN.to_string());
        assert_eq!("-0".parse(), Ok(Int::ZERO));
        assert!("".parse::<Int>().is_err() && "-".parse::<Int>().is_err() && "1x".parse::<Int>().is_err());
    }
}

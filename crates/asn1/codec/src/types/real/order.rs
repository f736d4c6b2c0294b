//! Exact comparison of REALs, without rounding to floats.
//!
//! Numbers in the same base are compared by magnitude and digits, for any exponents. In different bases, the magnitude
//! decides unless the numbers are within a factor of twenty. In that case, both are multiplied out, in time
//! proportional to the product of their sizes.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::binary::Binary;
use super::content::{RealValue, Special};
use super::decimal::Decimal;

/// The result of comparing two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// The numbers' order, in any base.
    Ordered(Ordering),
    /// At least one of the values is NOT-A-NUMBER.
    Unordered,
    /// The order was not determined. Either the numbers are close together, in different bases, and exceed the size limits, or
    /// their exponents are beyond 62 bits.
    Unknown,
}

/// The maximum number of digits or bits in a bound, and maximum exponent, for multiplying it out.
const LARGEST: u64 = 4096;

/// Compares a number with the bound of a range.
pub(super) fn compare(value: &RealValue<'_>, end: &RealValue<'_>) -> Compared {
    let (Some(one), Some(other)) = (rank(value), rank(end)) else { return Compared::Unordered };
    if one != other {
        return Compared::Ordered(one.cmp(&other));
    }
    let order = match (value, end) {
        (RealValue::Binary(value), RealValue::Binary(end)) => same_base(value.place(), end.place(), || {
            // What is behind the last octet is zero.
            let rest = core::iter::repeat(0);
            let len = value.octets_len().max(end.octets_len()) + 1;
            let (one, other) = (value.descending().chain(rest.clone()), end.descending().chain(rest));
            one.take(len).cmp(other.take(len))
        }),
        (RealValue::Decimal(value), RealValue::Decimal(end)) => {
            same_base(value.place(), end.place(), || value.digits().cmp(end.digits()))
        }
        (RealValue::Binary(value), RealValue::Decimal(end)) => binary_with_decimal(value, end),
        (RealValue::Decimal(value), RealValue::Binary(end)) => decimal_with_binary(value, end),
        // Zeros, whatever their sign (X.680 §21 has MINUS-ZERO as a value, but no order), and infinities.
        _ => Some(Ordering::Equal),
    };
    match order {
        Some(order) => Compared::Ordered(if one < 0 { order.reverse() } else { order }),
        None => Compared::Unknown,
    }
}

/// Returns the rank of a value in the order minus infinity, negative, zero, positive, infinity. Returns `None` for
/// NOT-A-NUMBER.
fn rank(value: &RealValue<'_>) -> Option<i8> {
    Some(match value {
        RealValue::Special(Special::NegInfinity) => -2,
        RealValue::Special(Special::Zero | Special::MinusZero) => 0,
        RealValue::Special(Special::Infinity) => 2,
        RealValue::Special(Special::NotANumber) => return None,
        RealValue::Binary(binary) => {
            if binary.is_negative() {
                -1
            } else {
                1
            }
        }
        RealValue::Decimal(decimal) => {
            if decimal.is_negative() {
                -1
            } else {
                1
            }
        }
    })
}

/// The smallest power of the base that exceeds a number. If the number's exponent is not known exactly, `Less` if the exponent
/// is negative and `Greater` if it is positive.
pub(super) type BoundedPower = Result<i128, Ordering>;

/// Compares by power of the base, then by digits from the most significant one.
fn same_base(one: BoundedPower, other: BoundedPower, digits: impl FnOnce() -> Ordering) -> Option<Ordering> {
    match (one, other) {
        (Ok(one), Ok(other)) => Some(one.cmp(&other).then_with(digits)),
        (one, other) => beyond(one, other),
    }
}

fn beyond(one: BoundedPower, other: BoundedPower) -> Option<Ordering> {
    match (one, other) {
        (Err(one), Err(other)) if one == other => None,
        (Err(side), _) => Some(side),
        (_, Err(side)) => Some(side.reverse()),
        (Ok(_), Ok(_)) => None,
    }
}

/// Bounds of the logarithm of 10 to base 2, times 10^17.
const LOG: (i128, i128) = (332_192_809_488_736_234, 332_192_809_488_736_235);
const UNIT: i128 = 100_000_000_000_000_000;

/// Returns two powers of two: a lower and an upper bound of 10^`exponent`.
fn around(exponent: i128) -> (i128, i128) {
    let (one, other) = (exponent * LOG.0, exponent * LOG.1);
    (one.min(other).div_euclid(UNIT), one.max(other).div_euclid(UNIT) + 1)
}

/// Compares a binary and a decimal number by magnitude. Returns `None` if that does not determine the order.
fn by_place(binary: i128, decimal: i128) -> Option<Ordering> {
    if around(decimal).1 < binary {
        return Some(Ordering::Greater);
    }
    if binary <= around(decimal - 1).0 {
        return Some(Ordering::Less);
    }
    None
}

fn binary_with_decimal(value: &Binary<'_>, end: &Decimal<'_>) -> Option<Ordering> {
    let (one, other) = match (value.place(), end.place()) {
        (Ok(one), Ok(other)) => (one, other),
        (one, other) => return beyond(one, other),
    };
    if let Some(order) = by_place(one, other) {
        return Some(order);
    }
    let exponent = end.exponent()?;
    if exponent.unsigned_abs() > LARGEST || end.len() as u64 > LARGEST {
        return None;
    }
    // mantissa × 2^a and digits × 5^b × 2^b: the powers of five are multiplied out, those of two are places.
    let (mut left, mut right) = (Whole::of_octets(value.descending().rev()), Whole::of_digits(end.digits()));
    if exponent < 0 {
        left.times_power_of_five(exponent.unsigned_abs());
    } else {
        right.times_power_of_five(exponent.unsigned_abs());
    }
    // The octets from the top on are the number times 2^(8 × octets - place).
    let scale = one - 8 * value.octets_len() as i128;
    let (low, high) = (left.bits() as i128 + scale, right.bits() as i128 + i128::from(exponent));
    Some(low.cmp(&high).then_with(|| left.descending().cmp_padded(right.descending())))
}

fn decimal_with_binary(value: &Decimal<'_>, end: &Binary<'_>) -> Option<Ordering> {
    let (one, other) = match (value.place(), end.place()) {
        (Ok(one), Ok(other)) => (one, other),
        (one, other) => return beyond(one, other),
    };
    if let Some(order) = by_place(other, one) {
        return Some(order.reverse());
    }
    let scale = other - 8 * end.octets_len() as i128;
    let bits = u64::try_from(scale.unsigned_abs()).ok()?;
    if bits > LARGEST || end.octets_len() as u64 * 8 > LARGEST {
        return None;
    }
    // The end's decimal digits: m × 2^n, or m × 5^n × 10^-n.
    let mut whole = Whole::of_octets(end.descending().rev());
    let exponent = if scale < 0 {
        whole.times_power_of_five(bits);
        scale
    } else {
        whole.times_power_of_two(bits);
        0
    };
    let mut digits = whole.into_digits();
    let place = exponent + digits.len() as i128;
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    Some(one.cmp(&place).then_with(|| value.digits().cmp(digits.iter().copied())))
}

/// A nonzero natural number in 32-bit digits, least significant first.
struct Whole(Vec<u32>);

impl Whole {
    /// Creates a number from bytes, least significant first.
    fn of_octets(octets: impl Iterator<Item = u8>) -> Self {
        let mut words = Vec::new();
        let (mut word, mut shift) = (0u32, 0);
        for octet in octets {
            word |= u32::from(octet) << shift;
            shift += 8;
            if shift == 32 {
                words.push(word);
                (word, shift) = (0, 0);
            }
        }
        words.push(word);
        Self(words).trimmed()
    }

    /// Creates a number from a small number of decimal digits, most significant first.
    fn of_digits(digits: impl Iterator<Item = u8>) -> Self {
        let mut whole = Self(Vec::new());
        for digit in digits {
            whole.times_plus(10, u32::from(digit.wrapping_sub(b'0')));
        }
        whole.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn times_plus(&mut self, factor: u32, add: u32) {
        let mut carry = u64::from(add);
        for word in &mut self.0 {
            let product = u64::from(*word) * u64::from(factor) + carry;
            *word = product as u32;
            carry = product >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn times_power_of_five(&mut self, mut exponent: u64) {
        // 5^13 is the largest power in 32 bits.
        while exponent >= 13 {
            self.times_plus(1_220_703_125, 0);
            exponent -= 13;
        }
        for _ in 0..exponent {
            self.times_plus(5, 0);
        }
    }

    fn times_power_of_two(&mut self, mut exponent: u64) {
        while exponent >= 31 {
            self.times_plus(1 << 31, 0);
            exponent -= 31;
        }
        self.times_plus(1 << exponent, 0);
    }

    /// Returns the length in bits.
    fn bits(&self) -> u64 {
        self.0.len() as u64 * 32 - u64::from(self.0.last().map_or(0, |word| word.leading_zeros()))
    }

    /// Returns the bits from the highest nonzero one on, in words.
    fn descending(&self) -> Top<'_> {
        Top { words: &self.0, shift: self.0.last().map_or(0, |word| word.leading_zeros()) }
    }

    /// Returns the decimal digits, most significant first.
    fn into_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while !self.0.is_empty() {
            let mut rest = 0u64;
            for word in self.0.iter_mut().rev() {
                let dividend = rest << 32 | u64::from(*word);
                *word = (dividend / 1_000_000_000) as u32;
                rest = dividend % 1_000_000_000;
            }
            self = self.trimmed();
            for _ in 0..9 {
                digits.push(b'0' + (rest % 10) as u8);
                rest /= 10;
            }
        }
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        digits.reverse();
        digits
    }
}

/// The words of a number, left-aligned, most significant first.
struct Top<'w> {
    words: &'w [u32],
    shift: u32,
}

impl Top<'_> {
    /// Compares two numbers of the same magnitude. The words after the last one count as zero.
    fn cmp_padded(self, other: Self) -> Ordering {
        let len = self.words.len().max(other.words.len());
        let words = |top: Self| (0..len).map(move |index| top.word(index));
        words(self).cmp(words(other))
    }

    fn word(&self, index: usize) -> u32 {
        let at = |index: usize| {
            self.words.len().checked_sub(index + 1).and_then(|index| self.words.get(index)).copied().unwrap_or_default()
        };
        let both = u64::from(at(index)) << 32 | u64::from(at(index + 1));
        (both << self.shift >> 32) as u32
    }
}

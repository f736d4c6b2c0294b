//! REAL with base 2, 8 or 16 (X.690 §8.5.7, §11.3.1).

use core::fmt;
use core::hash::{Hash, Hasher};

use super::content::Exponent;
#[cfg(feature = "dynamic")]
use super::order::BoundedPower;
use crate::encode::{EncodeError, EncodeValue};
use crate::writer::Writer;

/// A number `± mantissa × 2^exponent`, normalized so that the mantissa is odd.
pub(super) struct Binary<'a> {
    negative: bool,
    /// The big-endian mantissa. The first and last bytes are not zero.
    mantissa: &'a [u8],
    /// The number of low zero bits in the last byte. They are not part of the mantissa.
    shift: u32,
    exponent: Exponent,
}

impl<'a> Binary<'a> {
    /// Creates a number from a nonzero integer and the power of two by which it is multiplied.
    pub(super) fn new(negative: bool, octets: &'a [u8], exponent: i128) -> Self {
        let mut mantissa = octets;
        while let [0, rest @ ..] = mantissa {
            mantissa = rest;
        }
        let mut zeros = 0i128;
        while let [rest @ .., 0] = mantissa {
            mantissa = rest;
            zeros += 8;
        }
        let shift = mantissa.last().map_or(0, |last| last.trailing_zeros());
        let exponent = Exponent::new(exponent + zeros + i128::from(shift));
        Self { negative, mantissa, shift, exponent }
    }

    #[cfg(feature = "dynamic")]
    pub(super) const fn is_negative(&self) -> bool {
        self.negative
    }

    #[cfg(feature = "dynamic")]
    pub(super) fn place(&self) -> BoundedPower {
        let zeros = self.mantissa.first().map_or(0, |first| first.leading_zeros());
        self.exponent.place(self.mantissa.len() as i128 * 8 - i128::from(zeros + self.shift))
    }

    /// Returns the number of bytes that [`Binary::descending`] yields.
    #[cfg(feature = "dynamic")]
    pub(super) const fn octets_len(&self) -> usize {
        self.mantissa.len()
    }

    /// Iterates over the mantissa as bytes, aligned so that the first bit is the highest nonzero one.
    #[cfg(feature = "dynamic")]
    pub(super) fn descending(&self) -> impl DoubleEndedIterator<Item = u8> {
        let zeros = self.mantissa.first().map_or(0, |first| first.leading_zeros());
        let octet = |index: usize| self.mantissa.get(index).copied().unwrap_or_default();
        (0..self.mantissa.len())
            .map(move |index| (u16::from_be_bytes([octet(index), octet(index + 1)]) << zeros >> 8) as u8)
    }

    /// Iterates over the bytes of the mantissa, from the last to the first.
    fn octets_rev(&self) -> impl DoubleEndedIterator<Item = u8> {
        let octet = |back: usize| self.mantissa.len().checked_sub(back).and_then(|index| self.mantissa.get(index));
        (1..=self.mantissa_len()).map(move |back| {
            let (low, high) = (octet(back).copied(), octet(back + 1).copied());
            (u16::from_be_bytes([high.unwrap_or_default(), low.unwrap_or_default()]) >> self.shift) as u8
        })
    }

    fn mantissa_len(&self) -> usize {
        let vanishes = self.mantissa.first().is_some_and(|first| first >> self.shift == 0);
        self.mantissa.len() - usize::from(vanishes)
    }

    pub(super) fn canonical_len(&self) -> usize {
        let exponent = self.exponent.octets();
        1 + usize::from(exponent > 3) + exponent + self.mantissa_len()
    }

    pub(super) fn encode_canonical(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let exponent = self.exponent.encodable()?;
        for octet in self.octets_rev() {
            writer.octet(octet)?;
        }
        let octets = self.exponent.octets();
        exponent.encode_value(writer)?;
        let form = match octets {
            1..=3 => octets as u8 - 1,
            _ => {
                writer.octet(octets as u8)?;
                3
            }
        };
        writer.octet(0x80 | u8::from(self.negative) << 6 | form)
    }

    /// Returns the nearest float, with ties to even, and whether it is exact.
    pub(super) fn to_f64(&self) -> (f64, bool) {
        let (value, exact) = round(self.mantissa, self.exponent.value.saturating_sub(i64::from(self.shift)));
        (if self.negative { -value } else { value }, exact && self.exponent.exact)
    }
}

impl PartialEq for Binary<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.negative == other.negative
            && self.exponent.exact
            && self.exponent == other.exponent
            && self.octets_rev().eq(other.octets_rev())
    }
}

impl Hash for Binary<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.negative.hash(state);
        self.exponent.hash(state);
        self.octets_rev().for_each(|octet| octet.hash(state));
    }
}

impl fmt::Display for Binary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (value, true) = self.to_f64() {
            return write!(f, "{value:?}");
        }
        f.write_str(if self.negative { "-0x" } else { "0x" })?;
        for (index, octet) in self.octets_rev().rev().enumerate() {
            if index == 0 { write!(f, "{octet:X}")? } else { write!(f, "{octet:02X}")? }
        }
        write!(f, "p{}", self.exponent)
    }
}

/// Parses content bytes whose first byte has its high bit set: see [`super::content::parse`].
pub(super) fn parse(content: &[u8]) -> Result<(Binary<'_>, Option<usize>), usize> {
    let Some((first, rest)) = content.split_first() else {
        return Err(0);
    };
    let mut deviation = None;
    let factor = match first & 0x30 {
        0x00 => 1,
        0x10 => 3,
        0x20 => 4,
        // Base 11 is reserved.
        _ => return Err(0),
    };
    let scale = i128::from(first >> 2 & 3);
    if factor != 1 || scale != 0 {
        deviation = Some(0);
    }
    let (len, rest) = match first & 3 {
        3 => match rest.split_first() {
            Some((0, _)) => return Err(1),
            Some((len, rest)) => {
                if *len <= 3 {
                    deviation.get_or_insert(1);
                }
                (usize::from(*len), rest)
            }
            None => return Err(content.len()),
        },
        form => (usize::from(form) + 1, rest),
    };
    let exponent_at = content.len() - rest.len();
    let Some((exponent, mantissa)) = rest.split_at_checked(len) else {
        return Err(content.len());
    };
    if let [0x00, ..=0x7F, ..] | [0xFF, 0x80..=0xFF, ..] = exponent {
        // X.690 §8.5.7.4 d) forbids this where the exponent has a length of its own.
        if first & 3 == 3 {
            return Err(exponent_at);
        }
        deviation.get_or_insert(exponent_at);
    }
    let mantissa_at = exponent_at + len;
    match mantissa {
        [] => return Err(content.len()),
        // X.690 §8.5.2: zero has no content octets.
        _ if mantissa.iter().all(|octet| *octet == 0) => return Err(mantissa_at),
        [0, ..] => {
            deviation.get_or_insert(mantissa_at);
        }
        [.., last] if last & 1 == 0 => {
            deviation.get_or_insert(content.len() - 1);
        }
        _ => {}
    }
    let exponent = signed(exponent) * factor + scale;
    Ok((Binary::new(first & 0x40 != 0, mantissa, exponent), deviation))
}

/// Parses a two's complement number and clamps it to 96 bits. Larger numbers exceed all exponents that are distinguished.
fn signed(octets: &[u8]) -> i128 {
    let negative = octets.first().is_some_and(|first| *first >= 0x80);
    let fill = if negative { 0xFF } else { 0x00 };
    let start = octets.iter().position(|octet| *octet != fill).unwrap_or(octets.len());
    let octets = octets.get(start..).unwrap_or_default();
    match (octets.len() > 11, negative) {
        (true, true) => -(1 << 96),
        (true, false) => 1 << 96,
        (false, _) => octets.iter().fold(if negative { -1 } else { 0 }, |value, octet| value << 8 | i128::from(*octet)),
    }
}

/// Splits a nonzero finite float into an integer mantissa and a power of two, without its sign.
pub(super) fn split(value: f64) -> (u64, i128) {
    let bits = value.to_bits();
    let (field, fraction) = (bits >> 52 & 0x7FF, bits & ((1 << 52) - 1));
    match field {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, i128::from(field) - 1075),
    }
}

/// Returns the float nearest to `mantissa × 2^exponent`, with ties to even, and whether it is exact. The mantissa's first and
/// last bytes must not be zero.
fn round(mantissa: &[u8], exponent: i64) -> (f64, bool) {
    // 128 bits decide, with whether anything follows them.
    let (head, rest) = mantissa.split_at_checked(16).unwrap_or((mantissa, &[]));
    let sticky = !rest.is_empty();
    let head = head.iter().fold(0u128, |value, octet| value << 8 | u128::from(*octet));
    let bits = 128 - i64::from(head.leading_zeros());
    // Lengths of slices that a reader takes are below 2³².
    let exponent = exponent.saturating_add(rest.len() as i64 * 8);
    // The number is below 2^top, and at least half of that.
    let top = exponent.saturating_add(bits);
    if top > 1024 {
        return (f64::INFINITY, false);
    }
    if top < -1074 {
        return (0.0, false);
    }
    // How many bits the float has room for: 53, or those above 2⁻¹⁰⁷⁴.
    let room = (top + 1074).min(53);
    let dropped = bits - room;
    let (mut kept, mut exact) = (head, !sticky);
    if dropped > 0 {
        let below = u128::MAX >> (128 - dropped);
        let half = 1 << (dropped - 1);
        kept = head.checked_shr(dropped as u32).unwrap_or(0);
        let remainder = head & below;
        exact &= remainder == 0;
        if remainder > half || (remainder == half && (sticky || kept & 1 == 1)) {
            kept += 1;
        }
    }
    // At most 2⁵³, so the conversion is exact, and so is the product: the bits were cut to what fits.
    (kept as f64 * power_of_two(exponent + dropped.max(0)), exact)
}

/// Returns 2^exponent for exponents from -1074 to 1023, or infinity above that.
fn power_of_two(exponent: i64) -> f64 {
    match exponent {
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        -1074..=-1023 => f64::from_bits(1 << (exponent + 1074)),
        _ if exponent < 0 => 0.0,
        _ => f64::INFINITY,
    }
}

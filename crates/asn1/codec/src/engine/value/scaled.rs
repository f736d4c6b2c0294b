//! REALs as a mantissa and an exponent, and from decimal text.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{decimal, from_decimal, leaf};
use crate::encode::EncodeValue;
use crate::engine::decimal::negate;
use crate::table::Shape;
use crate::types::{Int, Real};
use crate::writer::Writer;

/// The exclusive upper bound for the magnitude of an exponent.
const LIMIT: u64 = 1 << 62;

/// A nonzero finite REAL: `mantissa × 2^exponent` or `mantissa × 10^exponent`.
///
/// ```
/// use tagwise_codec::{Real, value::Scaled};
/// let number = Scaled::of(&Real::from_f64(-2.5)).unwrap();
/// assert_eq!(number, Scaled { mantissa: vec![0xFB], decimal: false, exponent: -1 });
/// // 20 × 2⁻³ is written as 5 × 2⁻¹ (X.690 §11.3.1).
/// let number = Scaled { mantissa: vec![20], decimal: false, exponent: -3 };
/// assert_eq!(number.to_content().as_deref(), Some(&[0x80, 0xFF, 0x05][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// The mantissa as INTEGER content bytes. A decoded mantissa is normalized: odd in base 2, not a multiple of 10 in
    /// base 10.
    pub mantissa: Vec<u8>,
    /// True if the base is 10 rather than 2.
    pub decimal: bool,
    /// The exponent to which the base is raised.
    pub exponent: i64,
}

impl Scaled {
    /// Splits a REAL into its mantissa, base and exponent. Returns `None` for zeros, infinities and NOT-A-NUMBER, for exponents
    /// beyond 62 bits, and for more than 10240 decimal digits.
    #[must_use]
    pub fn of(real: &Real<'_>) -> Option<Self> {
        let octets = canonical(real)?;
        let (form, rest) = octets.split_first()?;
        match form {
            0x80.. => {
                let (len, rest) = match form & 3 {
                    3 => rest.split_first().map(|(len, rest)| (usize::from(*len), rest))?,
                    short => (usize::from(short) + 1, rest),
                };
                let (exponent, magnitude) = rest.split_at_checked(len)?;
                let exponent = i64::try_from(Int::from_signed(exponent)).ok()?;
                let mut mantissa = vec![0];
                mantissa.extend(magnitude);
                if form & 0x40 != 0 {
                    negate(&mut mantissa);
                }
                Some(Self { mantissa: Int::from_signed(&mantissa).as_bytes().to_vec(), decimal: false, exponent })
            }
            3 => {
                // NR3 in its canonical form (X.690 §11.3.2): digits, a point, an exponent.
                let (digits, exponent) = core::str::from_utf8(rest).ok()?.split_once(".E")?;
                let exponent = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
                Some(Self { mantissa: from_decimal(digits)?, decimal: true, exponent })
            }
            _ => None,
        }
    }

    /// Returns the DER content bytes. A mantissa of 0 yields zero. Returns `None` for exponents beyond 62 bits and
    /// decimal mantissas above 4096 bytes.
    #[must_use]
    pub fn to_content(&self) -> Option<Vec<u8>> {
        let mantissa = Int::from_signed(&self.mantissa);
        if mantissa.as_bytes().iter().all(|octet| *octet == 0) {
            return Some(Vec::new());
        }
        if self.exponent.unsigned_abs() >= LIMIT {
            return None;
        }
        if self.decimal {
            return real_from_decimal(&format!("{}E{}", decimal(mantissa.as_bytes())?, self.exponent));
        }
        let negative = mantissa.as_bytes().first().is_some_and(|first| *first >= 0x80);
        let mut magnitude = mantissa.as_bytes().to_vec();
        if negative {
            negate(&mut magnitude);
        }
        let exponent = self.exponent.to_be_bytes();
        let exponent = Int::from_signed(&exponent);
        // Any even mantissa is BER; its one form in DER is found as for what was read.
        let mut octets = vec![0x83 | u8::from(negative) << 6, exponent.as_bytes().len() as u8];
        octets.extend(exponent.as_bytes());
        octets.extend(magnitude);
        Some(leaf::canonical(&Shape::Real, &octets).ok()?.into_owned())
    }
}

/// Returns the DER content bytes of a REAL, unless its exponent exceeds 62 bits.
pub(super) fn canonical(real: &Real<'_>) -> Option<Vec<u8>> {
    let mut octets = vec![0; real.value_len()];
    let mut writer = Writer::new(&mut octets);
    real.encode_value(&mut writer).ok()?;
    (writer.free() == 0).then_some(octets)
}

/// Converts decimal text (digits with an optional sign, point and exponent) to base-10 REAL content in the canonical NR3 form
/// (X.690 §11.3.2). Zero becomes empty content, and minus zero becomes the byte 0x43.
///
/// ```
/// use tagwise_codec::value::real_from_decimal;
/// assert_eq!(real_from_decimal("-150e-3").as_deref(), Some(&b"\x03-15.E-2"[..]));
/// assert_eq!(real_from_decimal("10").as_deref(), Some(&b"\x031.E1"[..]));
/// assert_eq!(real_from_decimal("0.0").as_deref(), Some(&[][..]));
/// assert_eq!(real_from_decimal("1,5"), None);
/// ```
#[must_use]
pub fn real_from_decimal(text: &str) -> Option<Vec<u8>> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(if negative { vec![0x43] } else { Vec::new() });
    }
    let dropped = i64::try_from(digits.len() - significant.len()).ok()?;
    let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?;
    let sign = if negative { "-" } else { "" };
    let zero = if exponent == 0 { "+" } else { "" };
    Some(String::into_bytes(format!("\u{3}{sign}{significant}.E{zero}{exponent}")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    fn there_and_back(content: &[u8], mantissa: &[u8], decimal: bool, exponent: i64) {
        let number = Scaled::of(&Real::from_content(content).unwrap()).unwrap();
        assert_eq!(number, Scaled { mantissa: mantissa.to_vec(), decimal, exponent });
        assert_eq!(number.to_content().unwrap(), content);
    }

    #[test]
    fn binary_numbers() {
        there_and_back(&[0x80, 0x00, 0x01], &[1], false, 0);
        there_and_back(&[0xC0, 0xFB, 0x05], &[0xFB], false, -5);
        // A mantissa whose first bit is set, of either sign.
        there_and_back(&[0x80, 0x7F, 0xFF], &[0, 0xFF], false, 127);
        there_and_back(&[0xC0, 0x80, 0x81], &[0xFF, 0x7F], false, -128);
        there_and_back(&[0x81, 0x01, 0x00, 0x03], &[3], false, 256);
        there_and_back(&[0x82, 0x01, 0x00, 0x00, 0x03], &[3], false, 65536);
        there_and_back(&[0x83, 0x04, 0x01, 0x00, 0x00, 0x00, 0x03], &[3], false, 1 << 24);
        let long = [[0x80, 0x00, 0x01].as_slice(), &[0; 40], &[1]].concat();
        there_and_back(&long, &long[2..], false, 0);
    }

    #[test]
    fn even_mantissas_are_made_odd() {
        for (mantissa, exponent) in [(vec![0x10], 0), (vec![8], 1), (vec![1, 0], -4), (vec![0, 0x80], -3)] {
            let number = Scaled { mantissa, decimal: false, exponent };
            assert_eq!(number.to_content().unwrap(), [0x80, 0x04, 0x01]);
        }
        // -128 is its own opposite in one octet.
        let number = Scaled { mantissa: vec![0x80], decimal: false, exponent: 0 };
        assert_eq!(number.to_content().unwrap(), [0xC0, 0x07, 0x01]);
    }

    #[test]
    fn decimal_numbers() {
        there_and_back(b"\x0315.E-1", &[15], true, -1);
        there_and_back(b"\x03-1.E+0", &[0xFF], true, 0);
        there_and_back(b"\x031.E999999999999", &[1], true, 999_999_999_999);
        let number = Scaled { mantissa: vec![100], decimal: true, exponent: -2 };
        assert_eq!(number.to_content().unwrap(), b"\x031.E+0");
    }

    #[test]
    fn other_values_have_no_parts() {
        for real in [Real::ZERO, Real::MINUS_ZERO, Real::INFINITY, Real::NEG_INFINITY, Real::NAN] {
            assert_eq!(Scaled::of(&real), None);
        }
        let huge = b"\x031.E99999999999999999999";
        assert_eq!(Scaled::of(&Real::from_content(huge).unwrap()), None);
        let huge = [0x83, 0x09, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0x01];
        assert_eq!(Scaled::of(&Real::from_content(&huge).unwrap()), None);
        for mantissa in [vec![], vec![0]] {
            assert_eq!(Scaled { mantissa, decimal: false, exponent: 9 }.to_content().unwrap(), []);
        }
        for decimal in [false, true] {
            assert_eq!(Scaled { mantissa: vec![1], decimal, exponent: 1 << 62 }.to_content(), None);
            assert!(Scaled { mantissa: vec![1], decimal, exponent: (1 << 62) - 1 }.to_content().is_some());
        }
    }
}

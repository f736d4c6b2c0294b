//! REALs with base 2 as decimal text, and constraints on the components of a REAL (X.680 §21.5).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Scaled, decimal, from_decimal, leaf};
use crate::types::Real;

/// The maximum magnitude of the exponents of numbers that are converted digit by digit.
const EXACT: u64 = 1 << 14;
/// The maximum number of digits that are converted.
const DIGITS: usize = 1 << 14;
/// The maximum power of ten of a number with few digits, so that a short text does not become a large number. Floats have less.
const SHORT: u64 = 400;
/// A limb has nine digits.
const LIMB: u64 = 1_000_000_000;

/// A number in decimal text: a sign, significant digits without zeros at the ends, and the power of ten of the last digit.
#[derive(PartialEq, Eq)]
struct Digits {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Digits {
    fn parse(text: &str) -> Option<Self> {
        let content = super::real_from_decimal(text)?;
        // NR3 in its canonical form (X.690 §11.3.2).
        let (mantissa, exponent) = core::str::from_utf8(content.get(1..)?).ok()?.split_once(".E")?;
        let (negative, digits) = mantissa.strip_prefix('-').map_or((false, mantissa), |digits| (true, digits));
        Some(Self { negative, digits: digits.into(), exponent: exponent.parse().ok()? })
    }

    /// The number with base 2, if that is exact. Returns `None` for numbers that are too large.
    fn binary(&self) -> Option<Vec<u8>> {
        let power = self.exponent.unsigned_abs();
        if power > EXACT || self.digits.len() > DIGITS || self.exponent > SHORT as i64 + self.digits.len() as i64 {
            return None;
        }
        let (mut limbs, sign) = (limbs(&self.digits)?, if self.negative { "-" } else { "" });
        // 10^n is 5^n × 2^n.
        if self.exponent < 0 {
            divide(&mut limbs, power)?
        } else {
            multiply(&mut limbs, 5, power)
        }
        let mantissa = from_decimal(&format!("{sign}{}", text(&limbs)))?;
        Scaled { mantissa, decimal: false, exponent: self.exponent }.to_content()
    }
}

/// The limbs of a number, the least significant one first.
fn limbs(digits: &str) -> Option<Vec<u64>> {
    digits.as_bytes().rchunks(9).map(|limb| core::str::from_utf8(limb).ok()?.parse().ok()).collect()
}

fn text(limbs: &[u64]) -> String {
    let digits: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
    digits.trim_start_matches('0').into()
}

/// Multiplies by a power of 2 or 5.
fn multiply(limbs: &mut Vec<u64>, base: u64, mut power: u64) {
    while power > 0 {
        let now = power.min(12);
        let (factor, mut carry) = (base.pow(now as u32), 0);
        for limb in limbs.iter_mut() {
            let wide = *limb * factor + carry;
            (*limb, carry) = (wide % LIMB, wide / LIMB);
        }
        if carry > 0 {
            limbs.push(carry);
        }
        power -= now;
    }
}

/// Divides by a power of 5. Returns `None` if there is a remainder.
fn divide(limbs: &mut [u64], mut power: u64) -> Option<()> {
    while power > 0 {
        let now = power.min(12);
        let (divisor, mut rest) = (5u64.pow(now as u32), 0);
        for limb in limbs.iter_mut().rev() {
            let wide = rest * LIMB + *limb;
            (*limb, rest) = (wide / divisor, wide % divisor);
        }
        if rest != 0 {
            return None;
        }
        power -= now;
    }
    Some(())
}

/// Converts decimal text to base-2 REAL content.
///
/// If the text has the shortest digits that identify a 64-bit float, the result is that float. Otherwise, the number is exact if
/// base 2 permits it, and the nearest float if not (X.680 §21.7). Returns `None` for other text, and for numbers that are beyond
/// the range of a float and not exact, or have few digits.
///
/// ```
/// use tagwise_codec::value::binary_from_decimal;
/// assert_eq!(binary_from_decimal("1.5").as_deref(), Some(&[0x80, 0xFF, 0x03][..]));
/// // 2^60 + 1 is not a 64-bit float.
/// let exact = [0x80, 0, 0x10, 0, 0, 0, 0, 0, 0, 1];
/// assert_eq!(binary_from_decimal("1152921504606846977").as_deref(), Some(&exact[..]));
/// assert_eq!(binary_from_decimal("-0.0").as_deref(), Some(&[0x43][..]));
/// assert_eq!(binary_from_decimal("1E999999"), None);
/// ```
#[must_use]
pub fn binary_from_decimal(text: &str) -> Option<Vec<u8>> {
    let zero = super::real_from_decimal(text)?;
    let Some(number) = Digits::parse(text) else { return Some(zero) };
    // A number that is too small for a float must not become zero.
    let float = text.parse::<f64>().ok().filter(|float| float.is_finite() && *float != 0.0);
    let is_shortest = |float: f64| Digits::parse(&format!("{float:e}")).is_some_and(|shortest| shortest == number);
    match float.filter(|float| is_shortest(*float)) {
        Some(float) => float_content(float),
        None => number.binary().or_else(|| float_content(float?)),
    }
}

fn float_content(float: f64) -> Option<Vec<u8>> {
    super::scaled::canonical(&Real::from_f64(float))
}

/// Converts a nonzero finite base-2 REAL to decimal text, such as `1.5E0`: the shortest digits of a 64-bit float, and all digits of
/// other numbers. Returns `None` if they are too many, or if they also are the shortest digits of a float.
///
/// ```
/// use tagwise_codec::{Real, value::binary_to_decimal};
/// assert_eq!(binary_to_decimal(&Real::from_f64(-0.1)).as_deref(), Some("-1E-1"));
/// let exact = Real::from_content(&[0x80, 0, 0x10, 0, 0, 0, 0, 0, 0, 1]).unwrap();
/// assert_eq!(binary_to_decimal(&exact).as_deref(), Some("1.152921504606846977E18"));
/// ```
#[must_use]
pub fn binary_to_decimal(real: &Real<'_>) -> Option<String> {
    let float = real.to_f64();
    if float.is_finite() && Real::from_f64(float) == *real {
        return Some(format!("{float:E}"));
    }
    let scaled = Scaled::of(real).filter(|scaled| !scaled.decimal && scaled.exponent.unsigned_abs() <= EXACT)?;
    let mantissa = decimal(&scaled.mantissa)?;
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa.as_str()), |digits| ("-", digits));
    let mut limbs = limbs(digits)?;
    // 2^-n is 5^n × 10^-n.
    let (base, power) = if scaled.exponent < 0 { (5, scaled.exponent) } else { (2, 0) };
    multiply(&mut limbs, base, scaled.exponent.unsigned_abs());
    let digits = text(&limbs);
    let exponent = power + digits.len() as i64 - 1;
    let (first, rest) = digits.split_at_checked(1)?;
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    let text = format!("{sign}{first}{point}{rest}E{exponent}");
    let read = binary_from_decimal(&text)?;
    leaf::view::<Real<'_>>(&read).is_ok_and(|read| read == *real).then_some(text)
}

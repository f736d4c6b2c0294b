//! Base-10 REALs: ISO 6093 numbers as characters (X.690 §8.5.8, §11.3.2).

use core::fmt;
use core::hash::{Hash, Hasher};

use super::content::Exponent;
#[cfg(feature = "dynamic")]
use super::order::BoundedPower;
use crate::encode::EncodeError;
use crate::writer::Writer;

/// A number `± digits × 10^exponent`, normalized so that the digits neither begin nor end with a zero.
pub(super) struct Decimal<'a> {
    negative: bool,
    /// The digits before the decimal mark. The digits after it are in `fraction`. One of the two may be empty.
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: Exponent,
}

impl<'a> Decimal<'a> {
    /// Creates a number from the digits before and after its decimal mark, at least one of which is not zero, and its power of
    /// ten.
    fn new(negative: bool, mut whole: &'a [u8], mut fraction: &'a [u8], mut exponent: i128) -> Self {
        while let [rest @ .., b'0'] = fraction {
            fraction = rest;
        }
        exponent -= fraction.len() as i128;
        if fraction.is_empty() {
            while let [rest @ .., b'0'] = whole {
                whole = rest;
                exponent += 1;
            }
        }
        while let [b'0', rest @ ..] = whole {
            whole = rest;
        }
        if whole.is_empty() {
            while let [b'0', rest @ ..] = fraction {
                fraction = rest;
            }
        }
        Self { negative, whole, fraction, exponent: Exponent::new(exponent) }
    }

    pub(super) fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    #[cfg(feature = "dynamic")]
    pub(super) const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns the exponent, if it is known exactly.
    #[cfg(feature = "dynamic")]
    pub(super) fn exponent(&self) -> Option<i64> {
        self.exponent.exact.then_some(self.exponent.value)
    }

    #[cfg(feature = "dynamic")]
    pub(super) fn place(&self) -> BoundedPower {
        self.exponent.place(self.len() as i128)
    }

    pub(super) fn canonical_len(&self) -> usize {
        let exponent = match self.exponent.value {
            0 => 2,
            value => usize::from(value < 0) + value.unsigned_abs().ilog10() as usize + 1,
        };
        // The form, the sign, the digits, ".E", the exponent.
        1 + usize::from(self.negative) + self.len() + 2 + exponent
    }

    pub(super) fn encode_canonical(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let exponent = self.exponent.encodable()?;
        let mut rest = exponent.unsigned_abs();
        loop {
            writer.octet(b'0' + (rest % 10) as u8)?;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        match exponent {
            0 => writer.octet(b'+')?,
            ..0 => writer.octet(b'-')?,
            _ => {}
        }
        writer.bytes(b".E")?;
        writer.bytes(self.fraction)?;
        writer.bytes(self.whole)?;
        if self.negative {
            writer.octet(b'-')?;
        }
        writer.octet(3)
    }

    /// Returns the nearest float, with ties to even.
    pub(super) fn to_f64(&self) -> f64 {
        // What lies half-way between two floats has at most 767 digits: of what follows the first 800, all that matters is
        // that it is not zero, and the last digit is not.
        const DIGITS: usize = 800;
        let mut text = Text { octets: [0; DIGITS + 32], len: 0 };
        let mut exponent = self.exponent.value;
        if self.negative {
            text.push(b'-');
        }
        for digit in self.digits().take(DIGITS) {
            text.push(digit);
        }
        if let Some(dropped @ 1..) = self.len().checked_sub(DIGITS) {
            text.push(b'1');
            exponent = exponent.saturating_add(dropped as i64 - 1);
        }
        // The exponent's sign and its digits fit what is left.
        let written = fmt::Write::write_fmt(&mut text, format_args!("E{exponent}"));
        let number = text.as_str().filter(|_| written.is_ok()).and_then(|text| text.parse().ok());
        number.unwrap_or(f64::NAN)
    }
}

/// A text in a fixed-size buffer.
struct Text<const N: usize> {
    octets: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    fn push(&mut self, octet: u8) {
        if let Some(slot) = self.octets.get_mut(self.len) {
            *slot = octet;
            self.len += 1;
        }
    }

    fn as_str(&self) -> Option<&str> {
        self.octets.get(..self.len).and_then(|octets| core::str::from_utf8(octets).ok())
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|octet| self.push(octet));
        Ok(())
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.negative == other.negative
            && self.exponent.exact
            && self.exponent == other.exponent
            && self.digits().eq(other.digits())
    }
}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.negative.hash(state);
        self.exponent.hash(state);
        self.digits().for_each(|digit| digit.hash(state));
    }
}

impl fmt::Display for Decimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        self.digits().try_for_each(|digit| fmt::Write::write_char(f, char::from(digit)))?;
        if self.exponent.value == 0 { Ok(()) } else { write!(f, "E{}", self.exponent) }
    }
}

/// Reads characters one by one, and records the position of the first one that is not canonical.
struct Scan<'a> {
    content: &'a [u8],
    at: usize,
    deviation: Option<usize>,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<u8> {
        self.content.get(self.at).copied()
    }

    fn deviates(&mut self, at: usize) {
        self.deviation.get_or_insert(at);
    }

    /// Skips one of two characters. The first is the canonical one.
    fn take(&mut self, canonical: u8, other: u8) -> bool {
        let found = self.peek();
        if found == Some(other) && found != Some(canonical) {
            self.deviates(self.at);
        }
        let taken = found == Some(canonical) || found == Some(other);
        self.at += usize::from(taken);
        taken
    }

    fn digits(&mut self) -> &'a [u8] {
        let rest = self.content.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|octet| !octet.is_ascii_digit()).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }
}

/// Parses content bytes whose first byte has its two high bits clear: see [`super::content::parse`].
pub(super) fn parse(content: &[u8]) -> Result<(Decimal<'_>, Option<usize>), usize> {
    let form = match content.first() {
        Some(form @ 1..=3) => *form,
        // The others are reserved.
        _ => return Err(0),
    };
    let mut scan = Scan { content, at: 1, deviation: (form != 3).then_some(0) };
    while scan.take(b' ', b' ') {
        scan.deviates(scan.at - 1);
    }
    let negative = scan.peek() == Some(b'-');
    scan.take(b'-', b'+');

    // The digits, and the decimal mark among them.
    let start = scan.at;
    let whole = scan.digits();
    if let [b'0', ..] = whole {
        scan.deviates(start);
    }
    if let [.., b'0'] | [] = whole {
        scan.deviates(scan.at.max(start + 1) - 1);
    }
    let mut fraction: &[u8] = &[];
    let mut marked = false;
    if form > 1 {
        marked = scan.take(b'.', b',');
        if marked {
            let at = scan.at;
            fraction = scan.digits();
            if !fraction.is_empty() {
                scan.deviates(at);
            }
        } else {
            scan.deviates(scan.at);
        }
    }
    if (whole.is_empty() && fraction.is_empty()) || (form == 2 && !marked) {
        return Err(scan.at);
    }
    // X.690 §8.5.2: zero has no content octets.
    if whole.iter().chain(fraction).all(|digit| *digit == b'0') {
        return Err(start);
    }

    let mut exponent = 0;
    if form == 3 {
        if !scan.take(b'E', b'e') {
            return Err(scan.at);
        }
        exponent = self::exponent(&mut scan)?;
    }
    if scan.at < content.len() {
        return Err(scan.at);
    }
    Ok((Decimal::new(negative, whole, fraction, exponent), scan.deviation))
}

/// Parses the exponent. The canonical forms are `+0`, and a number without a plus sign or leading zeros.
fn exponent(scan: &mut Scan<'_>) -> Result<i128, usize> {
    let start = scan.at;
    let negative = scan.peek() == Some(b'-');
    let positive = scan.take(b'+', b'+');
    if !positive {
        scan.take(b'-', b'-');
    }
    let at = scan.at;
    let digits = scan.digits();
    match digits {
        [] => return Err(at),
        [b'0'] if positive => {}
        _ if positive => scan.deviates(start),
        [b'0', ..] => scan.deviates(at),
        _ => {}
    }
    let value = digits.iter().fold(0i128, |value, digit| {
        // What is more is beyond every exponent that is told apart.
        (value * 10 + i128::from(digit - b'0')).min(1 << 96)
    });
    Ok(if negative { -value } else { value })
}

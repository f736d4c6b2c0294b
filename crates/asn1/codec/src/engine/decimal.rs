//! Decimal conversion of INTEGERs of any size. Both directions take quadratic time, so sizes are limited.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// The maximum number of INTEGER content bytes, in both directions.
const OCTETS: usize = 4096;
/// The maximum number of digits. It exceeds the number that `OCTETS` bytes need.
const DIGITS: usize = OCTETS * 5 / 2;
/// The largest power of ten that fits in 64 bits. Text is generated 19 digits at a time.
const CHUNK: u64 = 10_000_000_000_000_000_000;

/// Converts two's complement bytes to decimal. Returns `None` above 4096 bytes.
///
/// ```
/// use tagwise_codec::value::decimal;
/// assert_eq!(decimal(&[0xFF]).as_deref(), Some("-1"));
/// assert_eq!(decimal(&[1, 0, 0, 0, 0, 0, 0, 0, 0]).as_deref(), Some("18446744073709551616"));
/// ```
#[must_use]
pub fn decimal(octets: &[u8]) -> Option<String> {
    if octets.len() > OCTETS {
        return None;
    }
    let negative = octets.first().is_some_and(|first| *first >= 0x80);
    let mut magnitude = octets.to_vec();
    if negative {
        negate(&mut magnitude);
    }
    // The most significant word first.
    let mut words: Vec<u64> = magnitude
        .rchunks(8)
        .map(|chunk| chunk.iter().fold(0, |word, octet| word << 8 | u64::from(*octet)))
        .rev()
        .skip_while(|word| *word == 0)
        .collect();
    let mut chunks = Vec::new();
    while !words.is_empty() {
        let mut rest = 0u64;
        for word in &mut words {
            let wide = u128::from(rest) << 64 | u128::from(*word);
            // The remainder is below the divisor, so the quotient fits.
            *word = (wide / u128::from(CHUNK)) as u64;
            rest = (wide % u128::from(CHUNK)) as u64;
        }
        chunks.push(rest);
        let zeros = words.iter().take_while(|word| **word == 0).count();
        words.drain(..zeros);
    }
    let mut text = String::from(if negative { "-" } else { "" });
    // Writing to a String does not fail.
    let _ = match chunks.pop() {
        None => write!(text, "0"),
        Some(first) => write!(text, "{first}"),
    };
    for chunk in chunks.iter().rev() {
        let _ = write!(text, "{chunk:019}");
    }
    Some(text)
}

/// Converts decimal text, optionally with a minus sign, to minimal two's complement bytes. Returns `None` for other
/// text and above 10240 digits.
///
/// ```
/// use tagwise_codec::value::from_decimal;
/// assert_eq!(from_decimal("-129").as_deref(), Some(&[0xFF, 0x7F][..]));
/// assert_eq!(from_decimal("1e3"), None);
/// ```
#[must_use]
pub fn from_decimal(text: &str) -> Option<Vec<u8>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if digits.is_empty() || digits.len() > DIGITS || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    // The least significant word first.
    let mut words: Vec<u64> = Vec::new();
    let first = digits.len() % 19;
    let (head, tail) = digits.split_at_checked(first)?;
    let chunks =
        core::iter::once(head).chain(tail.as_bytes().chunks(19).filter_map(|chunk| core::str::from_utf8(chunk).ok()));
    for chunk in chunks.filter(|chunk| !chunk.is_empty()) {
        let mut carry = chunk.parse::<u64>().ok()?;
        let factor = 10u64.checked_pow(u32::try_from(chunk.len()).ok()?)?;
        for word in &mut words {
            let wide = u128::from(*word) * u128::from(factor) + u128::from(carry);
            *word = wide as u64;
            carry = (wide >> 64) as u64;
        }
        if carry != 0 {
            words.push(carry);
        }
    }
    // A sign octet in front.
    let mut octets = Vec::from([0]);
    octets.extend(words.iter().rev().flat_map(|word| word.to_be_bytes()));
    if negative {
        negate(&mut octets);
    }
    Some(crate::Int::from_signed(&octets).as_bytes().to_vec())
}

/// Computes the two's complement negation. If the result does not fit, as for the byte 0x80, the bytes are the magnitude as an
/// unsigned number.
pub(super) fn negate(octets: &mut [u8]) {
    let mut carry = true;
    for octet in octets.iter_mut().rev() {
        let (sum, over) = (!*octet).overflowing_add(u8::from(carry));
        *octet = sum;
        carry = over;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test")]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    #[test]
    fn native_numbers() {
        for number in
            [0i128, 1, -1, 127, 128, -128, -129, 255, 256, i64::MAX.into(), i64::MIN.into(), i128::MAX, i128::MIN]
        {
            let octets = number.to_be_bytes();
            assert_eq!(decimal(&octets).unwrap(), number.to_string());
            let read = from_decimal(&number.to_string()).unwrap();
            assert_eq!(read, crate::Int::from_signed(&octets).as_bytes());
        }
    }

    #[test]
    fn large_numbers() {
        // 10^40, which has 133 bits.
        let text = format!("1{}", "0".repeat(40));
        let octets = from_decimal(&text).unwrap();
        assert_eq!(octets.len(), 17);
        assert_eq!(decimal(&octets).unwrap(), text);
        let long: Vec<u8> = (1..=255).cycle().take(1000).map(|octet| octet | 1).collect();
        let text = decimal(&long).unwrap();
        assert_eq!(from_decimal(&text).unwrap(), long);
        assert_eq!(decimal(&[1; OCTETS + 1]), None);
    }

    #[test]
    fn what_is_no_number() {
        for text in ["", "-", "+1", "1.0", "1e3", " 1", "0x10", "١", "--1"] {
            assert_eq!(from_decimal(text), None, "{text}");
        }
        assert_eq!(from_decimal(&"1".repeat(DIGITS + 1)), None);
        assert_eq!(from_decimal("-0").unwrap(), [0]);
        assert_eq!(from_decimal("000").unwrap(), [0]);
    }
}

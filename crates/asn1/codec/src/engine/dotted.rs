//! Parses dotted object identifiers at run time, with arcs of any size.

use alloc::vec::Vec;

use super::decimal::from_decimal;

/// The maximum length of the text. Parsing an arc takes quadratic time.
const MAX: usize = 4096;

/// Parses a dotted OBJECT IDENTIFIER to its content bytes.
///
/// ```
/// use tagwise_codec::value::from_dotted;
/// assert_eq!(from_dotted("2.5.29.17").as_deref(), Some(&[0x55, 0x1D, 0x11][..]));
/// assert_eq!(from_dotted("2.999").as_deref(), Some(&[0x88, 0x37][..]));
/// assert_eq!(from_dotted("1.40"), None);
/// ```
#[must_use]
pub fn from_dotted(text: &str) -> Option<Vec<u8>> {
    short(text).or_else(|| any(text))
}

/// Parses an identifier whose arcs all have few digits: the fast path.
fn short(text: &str) -> Option<Vec<u8>> {
    if text.len() > MAX {
        return None;
    }
    let mut octets = Vec::with_capacity(text.len());
    let mut arcs = text.split('.').map(few_digits);
    let (root, second) = (arcs.next()??, arcs.next()??);
    if root > 2 || (root < 2 && second > 39) {
        return None;
    }
    push_short(root * 40 + second, &mut octets);
    for arc in arcs {
        push_short(arc?, &mut octets);
    }
    Some(octets)
}

/// Parses a number below 10^18 without leading zeros.
fn few_digits(text: &str) -> Option<u64> {
    let is_canonical = text == "0" || !text.starts_with('0');
    let is_short = matches!(text.len(), 1..=18) && text.bytes().all(|digit| digit.is_ascii_digit());
    let number = || text.bytes().fold(0, |number, digit| number * 10 + u64::from(digit & 0x0F));
    (is_canonical && is_short).then(number)
}

/// Appends a number in groups of seven bits.
fn push_short(number: u64, octets: &mut Vec<u8>) {
    let groups = (u64::BITS - (number | 1).leading_zeros()).div_ceil(7);
    for index in (0..groups).rev() {
        let group = (number >> (7 * index)) as u8 & 0x7F;
        octets.push(if index > 0 { group | 0x80 } else { group });
    }
}

/// Parses an identifier with arcs of any size.
fn any(text: &str) -> Option<Vec<u8>> {
    let mut arcs = text.split('.');
    let (root, second) = (arcs.next()?, arcs.next()?);
    let root: u16 = match root {
        "0" => 0,
        "1" => 1,
        "2" => 2,
        _ => return None,
    };
    let mut number = arc(second)?;
    // X.690 §8.19.4: the first two arcs are one number, and below the roots 0 and 1 the second is at most 39.
    if root < 2 && !matches!(number.as_slice(), [one] if *one < 40) {
        return None;
    }
    number.insert(0, 0);
    let mut carry = root * 40;
    for octet in number.iter_mut().rev() {
        let sum = u16::from(*octet) + carry;
        *octet = sum as u8;
        carry = sum >> 8;
    }
    let mut octets = Vec::new();
    push(&number, &mut octets);
    rest(text, arcs, octets)
}

/// Parses a dotted RELATIVE-OID to its content bytes.
///
/// ```
/// use tagwise_codec::value::from_dotted_relative;
/// assert_eq!(from_dotted_relative("8571.3.2").as_deref(), Some(&[0xC2, 0x7B, 3, 2][..]));
/// ```
#[must_use]
pub fn from_dotted_relative(text: &str) -> Option<Vec<u8>> {
    rest(text, text.split('.'), Vec::new())
}

fn rest<'t>(text: &str, arcs: impl Iterator<Item = &'t str>, mut octets: Vec<u8>) -> Option<Vec<u8>> {
    if text.len() > MAX {
        return None;
    }
    for text in arcs {
        push(&arc(text)?, &mut octets);
    }
    Some(octets)
}

/// Parses a number without leading zeros to two's complement bytes.
fn arc(text: &str) -> Option<Vec<u8>> {
    let canonical = text == "0" || !text.starts_with(['0', '-']);
    if canonical && text.len() <= MAX { from_decimal(text) } else { None }
}

/// Appends a non-negative big-endian number in groups of seven bits.
fn push(number: &[u8], octets: &mut Vec<u8>) {
    let mut groups = Vec::new();
    let (mut bits, mut held) = (0u32, 0u32);
    for octet in number.iter().rev() {
        bits |= u32::from(*octet) << held;
        held += 8;
        while held >= 7 {
            groups.push((bits & 0x7F) as u8);
            bits >>= 7;
            held -= 7;
        }
    }
    groups.push((bits & 0x7F) as u8);
    while groups.len() > 1 && groups.last() == Some(&0) {
        groups.pop();
    }
    for (index, group) in groups.iter().enumerate().rev() {
        octets.push(if index > 0 { group | 0x80 } else { *group });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;
    use crate::Oid;
    use alloc::string::ToString;

    /// Identifiers with short arcs, by the arithmetic for short numbers and by that for numbers of any size.
    #[test]
    fn short_arcs() {
        let arcs = [0, 1, 39, 40, 47, 48, 127, 128, 16_383, 16_384, u64::from(u32::MAX), 999_999_999_999_999_999];
        let mut read = 0;
        for (root, second) in [0, 1, 2, 3].iter().flat_map(|root| arcs.map(|second| (root, second))) {
            for arc in arcs {
                let text = alloc::format!("{root}.{second}.{arc}.{second}");
                assert_eq!(short(&text), any(&text), "{text}");
                read += usize::from(short(&text).is_some());
            }
        }
        assert_eq!(read, (3 + 3 + arcs.len()) * arcs.len());
        for text in [
            "",
            "1",
            "1.",
            ".1",
            "1..2",
            "01.2",
            "1.02",
            "1.2.00",
            "1.2.+3",
            "1.2.-3",
            "1.2.3a",
            "1.2.\u{663}",
            "2.999.1000000000000000000",
        ] {
            assert_eq!(short(text), None, "{text}");
        }
        assert_eq!(short(&alloc::format!("1.2{}", ".3".repeat(MAX))), None);
    }

    #[test]
    fn there_and_back() {
        for text in [
            "0.0",
            "1.39",
            "2.40",
            "2.47",
            "2.48",
            "2.999.3",
            "1.2.840.113549.1.1.11",
            "2.25.329800735698586629295641978511506172918",
        ] {
            let octets = from_dotted(text).unwrap();
            assert_eq!(Oid::from_content(&octets).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_none() {
        for text in ["", "1", "3.1", "1.40", "1.2.", ".1.2", "1..2", "1.02", "1.-2", "1.2a", "01.2", "2.+5"] {
            assert_eq!(from_dotted(text), None, "{text}");
        }
        assert_eq!(from_dotted_relative(""), None);
    }
}

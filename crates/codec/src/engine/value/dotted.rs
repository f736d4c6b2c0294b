//! Object identifiers from their dotted form, met at run time; arcs have any size.

use alloc::vec::Vec;

use super::from_decimal;

/// The longest text that is read: an arc takes quadratic time.
const MAX: usize = 4096;

/// The content octets of an OBJECT IDENTIFIER from its dotted form.
///
/// ```
/// use tagwise_codec::value::from_dotted;
/// assert_eq!(from_dotted("2.5.29.17").as_deref(), Some(&[0x55, 0x1D, 0x11][..]));
/// assert_eq!(from_dotted("2.999").as_deref(), Some(&[0x88, 0x37][..]));
/// assert_eq!(from_dotted("1.40"), None);
/// ```
#[must_use]
pub fn from_dotted(text: &str) -> Option<Vec<u8>> {
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

/// The content octets of a RELATIVE-OID from its dotted form.
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

/// A number without leading zeros, as two's complement octets.
fn arc(text: &str) -> Option<Vec<u8>> {
    let canonical = text == "0" || !text.starts_with(['0', '-']);
    if canonical && text.len() <= MAX { from_decimal(text) } else { None }
}

/// Appends a number, big-endian and not negative, in groups of seven bits.
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

//! Reads and rebuilds DER, element by element, including the parts that C509 omits.

use tagwise_codec::{Any, Decode, Tag};

/// Builds an element from the concatenated parts.
pub(super) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let len: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(len.saturating_add(10));
    out.push(tag);
    match u8::try_from(len).ok().filter(|len| *len < 0x80) {
        Some(len) => out.push(len),
        None => {
            let octets = len.to_be_bytes();
            let zeros = octets.iter().take_while(|octet| **octet == 0).count();
            let octets = octets.get(zeros..).unwrap_or_default();
            // At most eight.
            out.push(0x80 | octets.len() as u8);
            out.extend_from_slice(octets);
        }
    }
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

/// Builds a SEQUENCE from the parts.
pub(super) fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
    list(0x30, parts)
}

/// Builds a constructed element from the parts.
pub(super) fn list(tag: u8, parts: &[Vec<u8>]) -> Vec<u8> {
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    element(tag, &parts)
}

/// Builds a nonnegative INTEGER from its bytes.
pub(super) fn unsigned(octets: &[u8]) -> Vec<u8> {
    element(0x02, &[&unsigned_content(octets)])
}

/// Builds the content of a nonnegative INTEGER.
pub(super) fn unsigned_content(octets: &[u8]) -> Vec<u8> {
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    let rest = octets.get(zeros..).unwrap_or_default();
    match rest.first() {
        Some(first) if *first < 0x80 => rest.to_vec(),
        _ => [&[0], rest].concat(),
    }
}

/// Builds a small INTEGER.
pub(super) fn small(number: u64) -> Vec<u8> {
    unsigned(&number.to_be_bytes())
}

/// Builds a BIT STRING without unused bits.
pub(super) fn bit_string(octets: &[u8]) -> Vec<u8> {
    element(0x03, &[&[0], octets])
}

/// Parses the single element in the bytes.
pub(super) fn any(octets: &[u8]) -> Option<Any<'_>> {
    Any::from_der(octets).ok()
}

/// Parses the elements of a SEQUENCE.
pub(super) fn parts(octets: &[u8]) -> Option<Vec<Any<'_>>> {
    let outer = any(octets)?;
    (outer.tag() == Tag::SEQUENCE).then(|| children(&outer))?
}

/// Parses the elements inside an element.
pub(super) fn children<'a>(outer: &Any<'a>) -> Option<Vec<Any<'a>>> {
    outer.children().collect::<Result<Vec<_>, _>>().ok()
}

/// Returns the content bytes of an element if its first byte is `first`.
pub(super) fn content<'a>(element: &Any<'a>, first: u8) -> Option<&'a [u8]> {
    (element.tag().first_octet() == first).then(|| element.content())
}

/// Returns the bytes of a nonnegative INTEGER, without leading zeros.
pub(super) fn magnitude<'a>(element: &Any<'a>) -> Option<&'a [u8]> {
    let octets = content(element, 0x02)?;
    match octets {
        [0] => Some(&[]),
        [0, rest @ ..] => Some(rest),
        [first, ..] if *first < 0x80 => Some(octets),
        _ => None,
    }
}

/// Returns the value of a nonnegative INTEGER.
pub(super) fn number(element: &Any<'_>) -> Option<u64> {
    as_number(magnitude(element)?)
}

/// Converts big-endian bytes to a number.
pub(super) fn as_number(octets: &[u8]) -> Option<u64> {
    (octets.len() <= 8).then(|| octets.iter().fold(0, |sum, octet| sum << 8 | u64::from(*octet)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        assert_eq!(element(4, &[&[0; 127]])[..2], [4, 127]);
        assert_eq!(element(4, &[&[0; 128]])[..3], [4, 0x81, 128]);
        assert_eq!(element(4, &[&[0; 300]])[..4], [4, 0x82, 1, 44]);
    }
}

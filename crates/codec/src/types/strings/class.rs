//! Which octets are in which alphabet: one table for the types that are subsets of ASCII.

use crate::kind::Kind;

/// Digits and space (X.680 §41.2, Table 9).
pub(super) const NUMERIC: u8 = 1;
/// Letters, digits, space and `' ( ) + , - . / : = ?` (X.680 §41.4, Table 10).
pub(super) const PRINTABLE: u8 = 2;
/// 20 to 7E (X.680 §41, Table 8: registration 6 and SPACE).
pub(super) const VISIBLE: u8 = 4;
/// 00 to 7F (X.680 §41, Table 8: registrations 1 and 6, SPACE and DELETE).
pub(super) const IA5: u8 = 8;

static TABLE: [u8; 256] = table();

#[expect(clippy::indexing_slicing, reason = "constant evaluation: an octet is below 256")]
const fn table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut octet = 0u8;
    while octet < 0x80 {
        let numeric = if octet.is_ascii_digit() || octet == b' ' { NUMERIC } else { 0 };
        let printable = match octet {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => PRINTABLE,
            b' ' | b'\'' | b'(' | b')' | b'+' | b',' | b'-' | b'.' | b'/' | b':' | b'=' | b'?' => PRINTABLE,
            _ => 0,
        };
        let visible = if matches!(octet, 0x20..=0x7E) { VISIBLE } else { 0 };
        table[octet as usize] = numeric | printable | visible | IA5;
        octet += 1;
    }
    table
}

#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "an octet is below 256")]
const fn classes(octet: u8) -> u8 {
    TABLE[octet as usize]
}

/// Whether every octet is in the alphabet: one pass without a branch on the octets.
#[inline]
const fn all(class: u8, octets: &[u8]) -> bool {
    if class == IA5 {
        return octets.is_ascii();
    }
    let mut common = 0xFF;
    let mut rest = octets;
    while let [a, b, c, d, e, f, g, h, tail @ ..] = rest {
        let first = classes(*a) & classes(*b) & classes(*c) & classes(*d);
        common &= first & classes(*e) & classes(*f) & classes(*g) & classes(*h);
        rest = tail;
    }
    while let [octet, tail @ ..] = rest {
        common &= classes(*octet);
        rest = tail;
    }
    common & class != 0
}

/// Where the first octet outside the alphabet is.
#[cold]
const fn position(class: u8, octets: &[u8]) -> usize {
    let mut at = 0;
    let mut rest = octets;
    while let [octet, tail @ ..] = rest {
        if classes(*octet) & class == 0 {
            return at;
        }
        at += 1;
        rest = tail;
    }
    at
}

/// Checks that every octet is in the alphabet; gives kind and position of the first that is not.
#[inline]
pub(super) const fn check(class: u8, octets: &[u8]) -> Result<(), (Kind, usize)> {
    if all(class, octets) { Ok(()) } else { Err((Kind::StringAlphabet, position(class, octets))) }
}

//! Names, and relative distinguished names of one attribute.

use tagwise_codec::{Decode, Ia5, Printable, Reader, Utf8};

use crate::name::RelativeDistinguishedName;

/// Whether the first `len` octets of `wide`, the content of a Name, are valid. What is not of the common form is left to the
/// general decoder, which reads `general`: the same content.
#[inline(always)]
pub(crate) fn is_name<'a, 'o: 'a>(wide: &[u8], len: usize, general: impl FnOnce() -> Option<Reader<'a, 'o>>) -> bool {
    let (mut rest, mut left) = (wide, len);
    while let Some((after, rdn)) = after_rdn(rest, left) {
        rest = after;
        left -= rdn;
    }
    left == 0 || general().is_some_and(|reader| is_general_name(reader, len - left))
}

/// The RDNs from position `done` on, by the general decoder.
#[inline(never)]
fn is_general_name(mut reader: Reader<'_, '_>, done: usize) -> bool {
    if reader.take(done).is_err() {
        return false;
    }
    while !reader.is_empty() {
        if RelativeDistinguishedName::decode(&mut reader).is_err() {
            return false;
        }
    }
    true
}

/// `31 LL 30 LL 06 03 55 04 attribute tag LL`: an RDN of one X.520 attribute.
const PREFIX: u128 = u128::from_le_bytes([0x31, 0, 0x30, 0, 6, 3, 0x55, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
/// The set's length and the attribute are below 128.
const MASK: u128 = u128::from_le_bytes([255, 0x80, 255, 0, 255, 255, 255, 255, 0x80, 0, 0, 0, 0, 0, 0, 0]);

/// What follows an RDN of that form with a valid value within `left` octets, and the size of the RDN. Something follows every
/// name in a certificate, so 16 octets are there to be looked at.
#[inline(always)]
fn after_rdn(octets: &[u8], left: usize) -> Option<(&[u8], usize)> {
    let head = u128::from_le_bytes(*octets.first_chunk::<16>()?);
    if head & MASK != PREFIX {
        return None;
    }
    let octet = |index: u32| (head >> (8 * index)) as u8;
    let len = usize::from(octet(10));
    if usize::from(octet(1)) != len + 9 || usize::from(octet(3)) != len + 7 || len + 11 > left {
        return None;
    }
    let value = octets.get(11..)?;
    let valid = match octet(9) {
        0x13 => Printable::begins(value, len),
        0x0C => Utf8::begins(value, len),
        0x16 => Ia5::begins(value, len),
        _ => false,
    };
    if valid { Some((value.get(len..)?, len + 11)) } else { None }
}

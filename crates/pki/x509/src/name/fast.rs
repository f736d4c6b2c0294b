//! Names with one attribute per RDN.

use tagwise_codec::{Bmp, Decode, Ia5, Oid, Printable, Reader, Utf8};

use super::RelativeDistinguishedName;
use crate::part::Part;

/// Returns whether the first `len` bytes of `wide`, the content of a Name, are valid. For names that the fast path does not
/// support, `general` provides a reader at the same content for the general decoder.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn is_name<'a, 'o: 'a>(wide: &[u8], len: usize, general: impl FnOnce() -> Option<Reader<'a, 'o>>) -> bool {
    let left = uncommon(wide, len);
    left == 0 || general().is_some_and(|reader| is_general_name(reader, len - left))
}

/// Returns whether the content of a Name is valid and supported by the fast path.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn is_common_name(content: Part<'_>) -> bool {
    uncommon(content.wide(), content.len()) == 0
}

/// Returns how many of the first `len` bytes remain at the first RDN that has several attributes or is otherwise uncommon.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn uncommon(wide: &[u8], len: usize) -> usize {
    let mut left = len;
    loop {
        left = after_usual(wide.get(len - left..).unwrap_or_default(), left);
        if left == 0 {
            return 0;
        }
        match wide.get(len - left..).and_then(|rest| single_rdn(rest, left)) {
            Some(size) => left -= size,
            None => return left,
        }
    }
}

/// Returns how many of the first `len` bytes remain at the first RDN that [`usual_rdn`] does not support.
// Not inlined: it has much to keep in registers.
#[inline(never)]
fn after_usual(wide: &[u8], len: usize) -> usize {
    let (mut rest, mut left) = (wide, len);
    if is_country(wide) && len >= COUNTRY {
        rest = rest.get(COUNTRY..).unwrap_or_default();
        left -= COUNTRY;
    }
    while let Some(size) = usual_rdn(rest, left) {
        rest = rest.get(size..).unwrap_or_default();
        left -= size;
    }
    left
}

/// The length of a countryName RDN, in bytes.
const COUNTRY: usize = RDN_HEAD + 2;

/// Returns whether the bytes start with a countryName RDN, as most names do: `31 0B 30 09 06 03 55 04 06 13 02` and two
/// capital letters.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_country(wide: &[u8]) -> bool {
    const HEAD: u64 = u64::from_le_bytes([0x31, 11, 0x30, 9, 6, 3, 0x55, 4]);
    let Some([head @ .., 6, PRINTABLE_STRING, 2, first, second]) = wide.first_chunk::<COUNTRY>() else { return false };
    u64::from_le_bytes(*head) == HEAD && first.is_ascii_uppercase() & second.is_ascii_uppercase()
}

/// Returns whether the RDNs from position `done` on are valid, using the general decoder.
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

/// The head of an RDN with one X.520 attribute and short lengths: `31 LL 30 LL 06 03 55 04 attribute tag LL`.
#[derive(Clone, Copy)]
pub(crate) struct RdnHead {
    /// The last arc *n* of the attribute type 2.5.4.*n*, which is less than 128.
    pub(crate) attribute: u8,
    /// The identifier byte of the value.
    pub(crate) tag: u8,
    /// The length of the value.
    pub(crate) len: usize,
}

/// The number of bytes before the value.
pub(crate) const RDN_HEAD: usize = 11;

impl RdnHead {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn of(octets: &[u8; RDN_HEAD]) -> Option<Self> {
        // How long the SET and the SEQUENCE are follows from how long the value is: below 128 minus 9.
        const EMPTY: u64 = u64::from_le_bytes([0x31, 9, 0x30, 7, 6, 3, 0x55, 4]);
        const EACH: u64 = u64::from_le_bytes([0, 1, 0, 1, 0, 0, 0, 0]);
        let [head @ .., attribute, tag, len] = octets;
        let is_common =
            u64::from_le_bytes(*head) == EMPTY + EACH * u64::from(*len) && *len < 0x80 - 9 && *attribute < 0x80;
        is_common.then_some(Self { attribute: *attribute, tag: *tag, len: usize::from(*len) })
    }
}

/// The number of value bytes that are examined at once.
const WINDOW: usize = 32;

/// Returns the size of an RDN within `left` bytes that has one X.520 attribute and a valid value. Other fields follow every
/// name in a certificate, so the bytes after the name can be read as well.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn usual_rdn(octets: &[u8], left: usize) -> Option<usize> {
    let window: &[u8; RDN_HEAD + WINDOW] = octets.first_chunk()?;
    let RdnHead { tag, len, .. } = RdnHead::of(window.first_chunk()?)?;
    let size = RDN_HEAD + len;
    let valid = size <= left
        && match window.last_chunk::<WINDOW>() {
            Some(value) if len <= WINDOW && (tag == PRINTABLE_STRING || tag == UTF8_STRING) => {
                Ia5::begins_as(value, len, tag == PRINTABLE_STRING) || is_other_value(octets, tag, len)
            }
            _ => is_other_value(octets, tag, len),
        };
    valid.then_some(size)
}

/// Returns the size of an RDN within `left` bytes that has one attribute of any type and a valid value of a common string
/// type.
#[inline(never)]
fn single_rdn(octets: &[u8], left: usize) -> Option<usize> {
    let (set, rest) = Part::new(octets, left)?.element(0x31)?;
    let (attribute, value) = set.only(0x30)?.element(0x06)?;
    Oid::from_content(attribute.octets()).ok()?;
    let tag = *value.wide().first()?;
    let value = value.only(tag)?;
    is_value(tag, value.wide(), value.len()).then_some(left - rest.len())
}

/// Returns whether a value is valid that is long, has a less common string type, or is not ASCII.
#[inline(never)]
fn is_other_value(octets: &[u8], tag: u8, len: usize) -> bool {
    is_value(tag, octets.get(RDN_HEAD..).unwrap_or_default(), len)
}

/// Returns whether the bytes start with a valid value of a string type that is used in names.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_value(tag: u8, value: &[u8], len: usize) -> bool {
    match tag {
        PRINTABLE_STRING => Printable::begins(value, len),
        UTF8_STRING => Utf8::begins(value, len),
        IA5_STRING => Ia5::begins(value, len),
        // Opaque octets.
        TELETEX_STRING => true,
        BMP_STRING => value.get(..len).is_some_and(|value| Bmp::from_content(value).is_ok()),
        _ => false,
    }
}

pub(crate) const UTF8_STRING: u8 = 0x0C;
pub(crate) const PRINTABLE_STRING: u8 = 0x13;
const TELETEX_STRING: u8 = 0x14;
pub(crate) const IA5_STRING: u8 = 0x16;
const BMP_STRING: u8 = 0x1E;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_valid() {
        let usual = *b"\x31\x0B\x30\x09\x06\x03\x55\x04\x06\x13\x02DE";
        assert!(is_country(&usual));
        assert_eq!(uncommon(&usual, usual.len()), 0);
        assert!(!is_country(&usual[..12]));
        // What follows the name is not its country.
        assert_eq!(after_usual(&usual, 12), 12);
        for at in 0..usual.len() {
            for octet in 0..=u8::MAX {
                let mut other = usual;
                other[at] = octet;
                assert!(!is_country(&other) || RelativeDistinguishedName::from_der(&other).is_ok(), "{other:02X?}");
            }
        }
    }
}

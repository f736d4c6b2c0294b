//! Extensions with common values, and detection of duplicates.

use tagwise_codec::{Decode, Oid, Open, OpenType, Reader};

use super::element;
use super::usual::usual;
use crate::cert::Extension;
use crate::ext::{ExtensionValue, are_accesses, is_common, is_common_of};
use crate::part::Part;

/// Decodes the content of an Extension when only the outline is decoded: its value is delimited but not checked.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn outlined<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<Extension<'a>> {
    if reader.is_deep() || reader.depth_left() < 2 {
        return None;
    }
    let (content, _) = reader.rest().split_at_checked(len)?;
    let [0x06, oid_len, tail @ ..] = content else { return None };
    let (key, tail) = tail.split_at_checked(usize::from(*oid_len)).filter(|_| *oid_len < 0x80)?;
    let extn_id = Oid::from_content(key).ok()?;
    let (critical, tail) = match tail {
        [0x01, 0x01, 0xFF, tail @ ..] => (true, tail),
        tail => (false, tail),
    };
    let (value, end) = element(tail, 0x04)?;
    if !end.is_empty() {
        return None;
    }
    let offset = reader.offset() + (len - value.len());
    reader.take(len).ok()?;
    Some(Extension { extn_id, critical, extn_value: Open::deferred(key, value, offset) })
}

/// The start of an identifier in `id-ce` with a last arc below 64: `06 03 55 1D id`.
const ID_CE: u64 = u64::from_le_bytes([0x06, 0x03, 0x55, 0x1D, 0, 0, 0, 0]);
const ID_CE_MASK: u64 = u64::from_le_bytes([255, 255, 255, 255, 0xC0, 0, 0, 0]);
/// The identifier of authorityInfoAccess: `06 08 2B 06 01 05 05 07 01 01`.
const ACCESS: [u8; 10] = *b"\x06\x08\x2B\x06\x01\x05\x05\x07\x01\x01";

/// An identifier that [`common`] recognizes.
#[derive(Clone, Copy)]
enum Identifier {
    /// The identifier 2.5.29.*n* with the given *n*, which is below 64.
    Ce(u8),
    Access,
}

/// Parses the next extension: `30 [81] LL 06 LL id [01 01 FF] 04 [81] LL value`. Its identifier must be in `id-ce` or be
/// authorityInfoAccess, its lengths must take one or two bytes, and its value must have a common form unless it is `sealed`.
/// Returns the identifier and the following bytes.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn common(list: Part<'_>, sealed: bool) -> Option<(Identifier, Part<'_>)> {
    // As many bytes as precede the value, so that one check for the end is enough.
    let window: &[u8; 24] = list.wide().first_chunk()?;
    let [0x30, first, second, ..] = window else { return None };
    let (header, len) = short_length(*first, *second)?;
    let (start, content): (usize, &[u8; 16]) = match header {
        1 => (2, window.get(2..)?.first_chunk()?),
        _ => (3, window.get(3..)?.first_chunk()?),
    };
    let head = u64::from_le_bytes(*content.first_chunk()?);
    if head & ID_CE_MASK == ID_CE {
        let rest = u64::from_le_bytes(*content.get(5..)?.first_chunk()?);
        let (value, rest) = last(list, rest, start + 5, start + len)?;
        let id = (head >> 32) as u8;
        return (sealed || is_common_of(id, value)).then_some((Identifier::Ce(id), rest));
    }
    if *content.first_chunk()? != ACCESS {
        return None;
    }
    // Not critical: there is room for the length alone.
    let rest = u64::from(u32::from_le_bytes(*content.get(10..)?.first_chunk()?));
    let (value, rest) = last(list, rest, start + ACCESS.len(), start + len)?;
    (sealed || are_accesses(value)).then_some((Identifier::Access, rest))
}

/// Reads a length of one byte, or two bytes starting with 81. Returns the number of length bytes and the length.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
const fn short_length(first: u8, second: u8) -> Option<(usize, usize)> {
    match (first, second) {
        (0..=0x7F, _) => Some((1, first as usize)),
        (0x81, 0x80..=0xFF) => Some((2, second as usize)),
        _ => None,
    }
}

/// Splits off the content of an OCTET STRING that ends at `end`, optionally preceded by TRUE, and returns it with the part
/// after it. `octets` are the bytes at `at`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn last(list: Part<'_>, octets: u64, at: usize, end: usize) -> Option<(Part<'_>, Part<'_>)> {
    let critical = if octets & 0x00FF_FFFF == 0x00FF_0101 { 3 } else { 0 };
    let [tag, first, second, ..] = (octets >> (8 * critical)).to_le_bytes();
    let (header, len) = short_length(first, second)?;
    let start = at + critical + 1 + header;
    if tag != 0x04 || start + len != end {
        return None;
    }
    list.after(start)?.split(len)
}

/// Returns the identifier of the next extension, in any form that the general decoder accepts, and the part after the
/// extension.
#[inline(never)]
fn other<'a>(reader: &Reader<'a, '_>, list: Part<'a>) -> Option<(&'a [u8], Part<'a>)> {
    let (content, after) = list.element(0x30)?;
    let read = || {
        let (key, rest) = content.element(0x06)?;
        let rest = match rest.octets() {
            [0x01, 0x01, 0xFF, ..] => rest.after(3)?,
            _ => rest,
        };
        let value = rest.only(0x04)?;
        if reader.is_sealed() {
            Oid::from_content(key.octets()).ok()?;
        } else if !is_common(key.octets(), value) {
            is_value(reader, list.len() - after.len() - value.len(), value.len(), key.octets())?;
        }
        Some(key.octets())
    };
    let key = match read() {
        Some(key) => key,
        None => Extension::decode(&mut reader.clone()).ok()?.extn_id.as_bytes(),
    };
    Some((key, after))
}

/// Checks that the bytes from `start` on are a valid value of the extension. Any value of an unknown extension is valid.
#[inline(never)]
fn is_value<'a>(reader: &Reader<'a, '_>, start: usize, len: usize, key: &'a [u8]) -> Option<()> {
    if !ExtensionValue::knows(key) {
        return Oid::from_content(key).ok().map(|_| ());
    }
    // The extension is a level, and its OCTET STRING another.
    let mut inside = reader.ahead(0, start + len)?.ahead(start, len)?;
    ExtensionValue::check_open(&mut inside, key).ok()?;
    inside.is_empty().then_some(())
}

/// Returns whether all extensions in a list are valid and distinct. Returns `None` if there are too many to decide. The list
/// starts `start` bytes after the reader's cursor.
// Not inlined: it has much to keep in registers.
#[inline(never)]
pub(super) fn extensions<'a>(list: Part<'a>, reader: &Reader<'a, '_>, start: usize) -> Option<bool> {
    let mut seen = Seen::default();
    let mut rest = list;
    while !rest.is_empty() {
        if let Some((id, after)) = usual(rest) {
            rest = after;
            if !seen.is_new_bit(1 << (id & 0x3F)) {
                return Some(false);
            }
            continue;
        }
        let new = match common(rest, reader.is_sealed()) {
            Some((Identifier::Ce(id), after)) => {
                rest = after;
                seen.is_new_bit(1 << (id & 0x3F))
            }
            Some((Identifier::Access, after)) => {
                rest = after;
                !core::mem::replace(&mut seen.access, true)
            }
            None => {
                // Certificate, TBSCertificate, [3] and the list are levels.
                let len = list.len();
                let mut general = reader.ahead(0, start + len)?.ahead(start, len)?.ahead(0, len)?.ahead(0, len)?;
                general.take(list.len() - rest.len()).ok()?;
                let (key, after) = other(&general, rest)?;
                rest = after;
                seen.is_new(key)?
            }
        };
        if !new {
            return Some(false);
        }
    }
    Some(true)
}

/// The identifiers found so far: a bit for each of the first 64 in `id-ce`, and a few others.
#[derive(Default)]
struct Seen<'a> {
    known: u64,
    /// True if authorityInfoAccess was found.
    access: bool,
    others: Option<[&'a [u8]; OTHERS]>,
    count: usize,
}

/// The maximum number of identifiers outside `id-ce` that the fast path supports.
const OTHERS: usize = 8;

impl<'a> Seen<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn is_new_bit(&mut self, bit: u64) -> bool {
        let new = self.known & bit == 0;
        self.known |= bit;
        new
    }

    /// Returns whether the identifier was not found before, or `None` if there are too many to decide.
    #[inline(never)]
    fn is_new(&mut self, key: &'a [u8]) -> Option<bool> {
        match key {
            [0x55, 0x1D, id @ 0..0x40] => Some(self.is_new_bit(1 << id)),
            [0x2B, 6, 1, 5, 5, 7, 1, 1] => Some(!core::mem::replace(&mut self.access, true)),
            _ => {
                let others = self.others.get_or_insert([&[]; OTHERS]);
                if others.iter().take(self.count).any(|other| *other == key) {
                    return Some(false);
                }
                *others.get_mut(self.count)? = key;
                self.count += 1;
                Some(true)
            }
        }
    }
}

//! Extensions, most of which hold one of a few common values, and whether one appears twice.

use tagwise_codec::{Decode, Oid, Open, OpenType, Reader};

use super::element;
use crate::cert::Extension;
use crate::ext::{ExtensionValue, is_common};

/// The content of an Extension in an outline, where its value is only delimited.
#[inline(always)]
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

/// Reads the next extension by comparison of octets and gives its identifier: `30 LL 06 LL id [01 01 FF] 04 LL value`. The
/// value is one that [`is_common`] knows, or is checked as the type that the identifier selects.
#[inline(always)]
fn common<'a>(reader: &mut Reader<'a, '_>) -> Option<&'a [u8]> {
    let octets = reader.rest();
    let (content, after) = element(octets, 0x30)?;
    let [0x06, len, tail @ ..] = content else { return None };
    let (key, tail) = tail.split_at_checked(usize::from(*len)).filter(|_| *len < 0x80)?;
    let tail = match tail {
        [0x01, 0x01, 0xFF, tail @ ..] => tail,
        tail => tail,
    };
    let (value, end) = element(tail, 0x04)?;
    if !end.is_empty() {
        return None;
    }
    if !is_common(key, value) {
        let end = octets.len() - after.len();
        is_value(reader, end - value.len(), value.len(), key)?;
    }
    reader.take(octets.len() - after.len()).ok()?;
    Some(key)
}

/// Whether the octets from `start` on are a valid value of the extension; any are, if its type is not known.
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

/// Reads a reader's extensions to the end and holds their identifiers against each other on the way: whether all are valid
/// and none is there twice. Nothing if there are too many to say.
#[inline(always)]
pub(super) fn extensions(reader: &mut Reader<'_, '_>) -> Option<bool> {
    let mut seen = Seen::default();
    while !reader.is_empty() {
        let key = match common(reader) {
            Some(key) => key,
            None => general(reader)?,
        };
        if !seen.is_new(key)? {
            return Some(false);
        }
    }
    Some(true)
}

/// The identifier of the next extension, read by the general decoder.
#[inline(never)]
fn general<'a>(reader: &mut Reader<'a, '_>) -> Option<&'a [u8]> {
    Extension::decode(reader).ok().map(|extension| extension.extn_id.as_bytes())
}

/// Identifiers met: a bit for each under `id-ce`, and a few others.
#[derive(Default)]
struct Seen<'a> {
    known: u128,
    others: [&'a [u8]; 8],
    count: usize,
}

impl<'a> Seen<'a> {
    /// Whether the identifier was not met before; nothing if there are too many to say.
    #[inline(always)]
    fn is_new(&mut self, key: &'a [u8]) -> Option<bool> {
        if let [0x55, 0x1D, id] = key {
            let bit = 1u128.checked_shl(u32::from(*id))?;
            let new = self.known & bit == 0;
            self.known |= bit;
            return Some(new);
        }
        if self.others.iter().take(self.count).any(|other| *other == key) {
            return Some(false);
        }
        *self.others.get_mut(self.count)? = key;
        self.count += 1;
        Some(true)
    }
}

//! Extensions under `id-ce`, the common values of the most frequent ones, and whether one appears twice.

use tagwise_codec::{Decode, Oid, OpenType, Reader};

use super::element;
use crate::cert::Extension;
use crate::ext::ExtensionValue;

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
    let known = matches!(key, [0x55, 0x1D, id] if *id < 0x80 && is_common(*id, value));
    if !known {
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

/// Whether the octets are a valid value of the extension `2.5.29.id`, in the form that nearly all of them have.
#[inline(always)]
fn is_common(id: u8, value: &[u8]) -> bool {
    match (id, value) {
        // SubjectKeyIdentifier ::= OCTET STRING
        (14, [0x04, len, key @ ..]) => *len < 0x80 && usize::from(*len) == key.len(),
        // KeyUsage ::= BIT STRING, whose last bit is one
        (15, [0x03, 0x02, unused, bits]) => *unused < 8 && bits.trailing_zeros() == u32::from(*unused),
        // BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER (0..MAX) OPTIONAL }
        (19, [0x30, 0x00] | [0x30, 0x03, 0x01, 0x01, 0xFF]) => true,
        (19, [0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, len]) => *len < 0x80,
        // AuthorityKeyIdentifier with a keyIdentifier alone
        (35, [0x30, outer, 0x80, len, key @ ..]) => {
            *outer < 0x80 && usize::from(*outer) == key.len() + 2 && usize::from(*len) == key.len()
        }
        _ => false,
    }
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

//! Extensions under `id-ce`, the common values of the most frequent ones, and whether one appears twice.

use tagwise_codec::{Decode, Oid, Open, Reader, SeqOf};

use crate::cert::{Extension, Extensions};

/// An extension `30 LL 06 03 55 1D id [01 01 FF] 04 LL value` whose value is one that [`is_common`] knows.
#[inline(always)]
pub(crate) fn extension<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<Extension<'a>> {
    // The extension, its OCTET STRING, and the value inside.
    if !reader.is_deep() || reader.depth_left() < 3 {
        return None;
    }
    let (content, _) = reader.rest().split_at_checked(len)?;
    let [0x06, 0x03, tail @ ..] = content else { return None };
    let (key, tail) = tail.split_at_checked(3)?;
    let (critical, tail) = match tail {
        [0x01, 0x01, 0xFF, tail @ ..] => (true, tail),
        tail => (false, tail),
    };
    let [0x04, inner, value @ ..] = tail else { return None };
    let [0x55, 0x1D, id] = key else { return None };
    if *inner >= 0x80 || usize::from(*inner) != value.len() || !is_common(*id, value) {
        return None;
    }
    let extn_id = Oid::from_content(key).ok()?;
    let offset = reader.offset() + (content.len() - value.len());
    reader.take(len).ok()?;
    Some(Extension { extn_id, critical, extn_value: Open::deferred(key, value, offset) })
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

/// Reads extensions and holds their identifiers against each other on the way; nothing if one is bad, or there twice.
#[inline(always)]
pub(crate) fn extensions<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<Extensions<'a>> {
    let (content, _) = reader.rest().split_at_checked(len)?;
    let offset = reader.offset();
    if content.is_empty() {
        return None;
    }
    if reader.is_deep() {
        let mut inside = reader.ahead(0, len)?;
        let mut seen = Seen::default();
        while !inside.is_empty() {
            let extension = Extension::decode(&mut inside).ok()?;
            if !seen.is_new(extension.extn_id.as_bytes())? {
                return None;
            }
        }
    }
    reader.take(len).ok()?;
    Some(Extensions::deferred(SeqOf::deferred(content, offset)))
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

//! The common form of names: every RDN has one attribute, lengths are short, values are of three string types.
//!
//! What has it is decoded and written by straight-line code; anything else is left to the general code, which alone says
//! what is wrong.

use tagwise_codec::{Reader, SeqOf};

use super::Name;
use crate::shape::is_name;

pub(super) const UTF8_STRING: u8 = 0x0C;
pub(super) const PRINTABLE_STRING: u8 = 0x13;
pub(super) const IA5_STRING: u8 = 0x16;

/// Not in ASCII.
pub(super) const NOT_ASCII: u8 = 1;
/// Escaped wherever it stands in RFC 4514 (§2.4): `"` `+` `,` `;` `<` `>` `\` and NUL.
pub(super) const SPECIAL: u8 = 2;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut rest: &mut [u8] = &mut classes;
    let mut octet = 0u8;
    while let [class, tail @ ..] = rest {
        if !octet.is_ascii() {
            *class |= NOT_ASCII;
        }
        if matches!(octet, b'"' | b'+' | b',' | b';' | b'<' | b'>' | b'\\' | 0) {
            *class |= SPECIAL;
        }
        octet = octet.wrapping_add(1);
        rest = tail;
    }
    classes
};

/// What is true of some octet.
#[inline(always)]
pub(super) fn classify(octets: &[u8]) -> u8 {
    octets.iter().fold(0, |classes, octet| classes | class(*octet))
}

#[inline(always)]
pub(super) fn class(octet: u8) -> u8 {
    CLASSES.get(usize::from(octet)).copied().unwrap_or_default()
}

/// An RDN with one attribute whose type is 2.5.4.`attr`, below 128, in short lengths.
#[derive(Clone, Copy)]
pub(crate) struct Common<'a> {
    pub(crate) attr: u8,
    /// The identifier octet of the value.
    pub(crate) tag: u8,
    pub(crate) value: &'a [u8],
}

/// Takes such an RDN from the front.
#[inline(always)]
pub(crate) fn split_common(octets: &[u8]) -> Option<(Common<'_>, &[u8])> {
    // 31 set 30 seq 06 03 55 04 | attr tag len
    const PATTERN: u64 = u64::from_le_bytes([0x31, 0, 0x30, 0, 0x06, 0x03, 0x55, 0x04]);
    const MASK: u64 = u64::from_le_bytes([0xFF, 0, 0xFF, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
    let (head, rest) = octets.split_first_chunk::<8>()?;
    let ([attr, tag, len], rest) = rest.split_first_chunk::<3>()?;
    let [_, set, _, seq, ..] = *head;
    let short = set < 0x80 && set.wrapping_sub(9) == *len && seq.wrapping_sub(7) == *len && *len < 0x80 && *attr < 0x80;
    if u64::from_le_bytes(*head) & MASK != PATTERN || !short {
        return None;
    }
    let (value, rest) = rest.split_at_checked(usize::from(*len))?;
    Some((Common { attr: *attr, tag: *tag, value }, rest))
}

/// How many values the innermost one is in, from the name on.
const DEPTH: u32 = 3;

/// Reads the common form of a name.
#[inline]
pub(super) fn shape<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<Name<'a>> {
    if !reader.is_deep() || reader.session().is_some() || reader.depth_left() < DEPTH {
        return None;
    }
    if !is_name(reader.rest(), len, || reader.ahead(0, len)) {
        return None;
    }
    let offset = reader.offset();
    let content = reader.take(len).ok()?;
    Some(Name(SeqOf::shaped(content, offset, true)))
}

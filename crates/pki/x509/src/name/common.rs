//! Fast path for common names: one attribute per RDN, short lengths, three string types.
//!
//! Such names are decoded and written by straight-line code. The general code handles all others, and reports all
//! errors.

use tagwise_codec::{Reader, SeqOf};

use super::Name;
use super::fast::{RDN_HEAD, RdnHead, is_name};

pub(super) use super::fast::{IA5_STRING, PRINTABLE_STRING, UTF8_STRING};

/// A non-ASCII byte.
pub(super) const NOT_ASCII: u8 = 1;
/// A byte that RFC 4514 (§2.4) always escapes: `"` `+` `,` `;` `<` `>` `\` and NUL.
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

/// Returns the character classes that occur in the bytes, as a bit mask of `NOT_ASCII` and `SPECIAL`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn classify(octets: &[u8]) -> u8 {
    octets.iter().fold(0, |classes, octet| classes | class(*octet))
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn class(octet: u8) -> u8 {
    CLASSES.get(usize::from(octet)).copied().unwrap_or_default()
}

/// The number of bytes that [`is_plain`] examines.
pub(super) const WINDOW: usize = 32;

/// Returns whether the last `len` bytes are ASCII characters that RFC 4514 never escapes. Runs in one step without
/// branches.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn is_plain(octets: &[u8; WINDOW], len: usize) -> bool {
    let mask = MASKS.get(len..).and_then(|masks| masks.first_chunk());
    mask.is_some_and(|mask| are_plain(octets, mask))
}

/// [`WINDOW`] bytes 00, followed by as many bytes FF. The mask for the last `len` bytes of a window starts at index `len`.
static MASKS: [u8; 2 * WINDOW] = {
    let mut masks = [0; 2 * WINDOW];
    if let Some((_, ones)) = masks.split_first_chunk_mut::<WINDOW>()
        && let Some(ones) = ones.first_chunk_mut()
    {
        *ones = [0xFF; WINDOW];
    }
    masks
};

// Not inlined: on its own, compilers make vector instructions of it.
#[inline(never)]
fn are_plain(octets: &[u8; WINDOW], mask: &[u8; WINDOW]) -> bool {
    const LANES: usize = 16;
    let mut all = [0; LANES];
    for (octets, mask) in octets.as_chunks::<LANES>().0.iter().zip(mask.as_chunks::<LANES>().0) {
        for ((all, octet), mask) in all.iter_mut().zip(octets).zip(mask) {
            // The plus sign and the semicolon differ in one bit, and so do the comma and the less-than sign.
            let paired = *octet | 0x10;
            let special = (paired == b';') | (paired == b'<') | (*octet == b'>') | (*octet == b'"');
            let special = special | (*octet == b'\\') | (*octet == 0) | (*octet >= 0x80);
            *all |= u8::from(special).wrapping_neg() & *mask;
        }
    }
    u128::from_ne_bytes(all) == 0
}

/// An RDN that the fast path supports.
#[derive(Clone, Copy)]
pub struct Common<'a> {
    /// The last arc *n* of the attribute type 2.5.4.*n*.
    pub attr: u8,
    /// The identifier byte of the value.
    pub tag: u8,
    /// The content of the value.
    pub value: &'a [u8],
}

/// Splits off the first RDN, if the fast path supports it.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub fn split_common(octets: &[u8]) -> Option<(Common<'_>, &[u8])> {
    let (head, rest) = octets.split_first_chunk::<RDN_HEAD>()?;
    let RdnHead { attribute, tag, len } = RdnHead::of(head)?;
    let (value, rest) = rest.split_at_checked(len)?;
    Some((Common { attr: attribute, tag, value }, rest))
}

/// The number of nesting levels from a name to an attribute value.
const DEPTH: u32 = 3;

/// Decodes a name, if the fast path supports it.
#[inline]
pub(super) fn shape<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<Name<'a>> {
    if !reader.is_deep() || !reader.is_plain() || reader.depth_left() < DEPTH {
        return None;
    }
    if !is_name(reader.rest(), len, || reader.ahead(0, len)) {
        return None;
    }
    let offset = reader.offset();
    let content = reader.take(len).ok()?;
    Some(Name(SeqOf::__shaped(content, offset, true)))
}

//! Alphabets of string types: one table for all subsets of ASCII.

use crate::kind::FaultKind;

/// Digits and space (X.680 §41.2, Table 9).
pub(super) const NUMERIC: u8 = 1;
/// Letters, digits, space and `' ( ) + , - . / : = ?` (X.680 §41.4, Table 10).
pub(super) const PRINTABLE: u8 = 2;
/// The bytes 0x20 to 0x7E (X.680 §41, Table 8: registration 6 and SPACE).
pub(super) const VISIBLE: u8 = 4;
/// The bytes 0x00 to 0x7F (X.680 §41, Table 8: registrations 1 and 6, SPACE and DELETE).
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

#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[expect(clippy::indexing_slicing, reason = "an octet is below 256")]
const fn classes(octet: u8) -> u8 {
    TABLE[octet as usize]
}

/// Returns whether the first `len` bytes are present and in the alphabet. Bytes after them may also be read, but do not
/// affect the result, so most strings are checked in one step, without a branch on their length.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn begins<const CLASS: u8>(octets: &[u8], len: usize) -> bool {
    if CLASS == IA5 && len > LANES {
        return begins_ascii(octets, len);
    }
    if CLASS == PRINTABLE
        && len > LANES
        && let (Some(first), Some(mask)) = (octets.first_chunk::<{ 4 * LANES }>(), mask(len))
    {
        return are_printable(first, mask);
    }
    match (octets.first_chunk(), mask(len)) {
        (Some(first), Some(mask)) => are_members::<CLASS>(first, mask),
        _ => octets.get(..len).is_some_and(long::<CLASS>),
    }
}

/// Like [`begins`], but for ASCII. Checks up to 64 or 128 bytes in one step, for longer strings such as URIs.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn begins_ascii(octets: &[u8], len: usize) -> bool {
    if let (Some(first), Some(mask)) = (octets.first_chunk::<{ 4 * LANES }>(), mask(len)) {
        return are_ascii(first, mask);
    }
    match (octets.first_chunk::<WIDEST>(), mask(len)) {
        (Some(first), Some(mask)) => are_ascii(first, mask),
        _ => octets.get(..len).is_some_and(<[u8]>::is_ascii),
    }
}

/// Like [`begins`], but for ASCII, or for PrintableString if `printable` is true. Checks up to 32 bytes in one step.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn begins_text(octets: &[u8], len: usize, printable: bool) -> bool {
    match (octets.first_chunk::<TWO>(), mask(len)) {
        (Some(first), Some(mask)) if printable => are_printable(first, mask),
        (Some(first), Some(mask)) => are_ascii(first, mask),
        _ if printable => begins::<PRINTABLE>(octets, len),
        _ => begins_ascii(octets, len),
    }
}

#[inline(never)]
fn long<const CLASS: u8>(octets: &[u8]) -> bool {
    let Some(last) = octets.last_chunk() else { return all(CLASS, octets) };
    let mut rest = octets;
    while let Some((first, tail)) = rest.split_first_chunk() {
        if !are_members::<CLASS>(first, &[0xFF; LANES]) {
            return false;
        }
        rest = tail;
    }
    are_members::<CLASS>(last, &[0xFF; LANES])
}

/// The number of bytes compared together: a vector register of nearly every processor.
const LANES: usize = 16;

/// As many bytes 0xFF as the widest step examines, followed by as many zero bytes. Every mask is a slice of this array.
static MASKS: [u8; 2 * WIDEST] = masks();

const TWO: usize = 2 * LANES;

/// Largest number of bytes compared together.
const WIDEST: usize = 8 * LANES;

#[expect(clippy::indexing_slicing, reason = "constant evaluation: below the length")]
const fn masks() -> [u8; 2 * WIDEST] {
    let mut masks = [0; 2 * WIDEST];
    let mut at = 0;
    while at < WIDEST {
        masks[at] = 0xFF;
        at += 1;
    }
    masks
}

/// Returns a mask with 0xFF for the first `len` of `N` bytes, and zero for the others. Returns `None` if `len` exceeds `N`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn mask<const N: usize>(len: usize) -> Option<&'static [u8; N]> {
    if len > N { None } else { MASKS.get(WIDEST - len..)?.first_chunk() }
}

/// Returns whether all bytes where the mask is 0xFF are in the alphabet.
// Not inlined: on its own, compilers make thirty vector instructions of it, and many more among other code.
#[inline(never)]
fn are_members<const CLASS: u8>(octets: &[u8; LANES], mask: &[u8; LANES]) -> bool {
    let mut strangers = 0;
    for (octet, mask) in octets.iter().zip(mask) {
        let octet = *octet;
        let stranger = match CLASS {
            NUMERIC => octet.wrapping_sub(b'0').saturating_sub(9).min(octet ^ b' '),
            PRINTABLE => not_printable(octet),
            VISIBLE => octet.wrapping_sub(b' ').saturating_sub(94),
            _ => octet & 0x80,
        };
        strangers |= stranger & mask;
    }
    strangers == 0
}

/// Returns whether every byte is in the alphabet: one pass without a branch on the bytes.
// Not inlined: every crate that reads strings would compile it again.
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

/// Returns whether all bytes where the mask is 0xFF are ASCII.
#[inline(never)]
fn are_ascii<const N: usize>(octets: &[u8; N], mask: &[u8; N]) -> bool {
    let mut all = [0; LANES];
    for (octets, mask) in octets.as_chunks::<LANES>().0.iter().zip(mask.as_chunks::<LANES>().0) {
        for ((all, octet), mask) in all.iter_mut().zip(octets).zip(mask) {
            *all |= *octet & *mask;
        }
    }
    u128::from_ne_bytes(all) & HIGH_BITS == 0
}

/// Returns whether all bytes where the mask is 0xFF are in the alphabet of PrintableString.
#[inline(never)]
fn are_printable<const N: usize>(octets: &[u8; N], mask: &[u8; N]) -> bool {
    let mut all = [0; LANES];
    for (octets, mask) in octets.as_chunks::<LANES>().0.iter().zip(mask.as_chunks::<LANES>().0) {
        for ((all, octet), mask) in all.iter_mut().zip(octets).zip(mask) {
            *all |= not_printable(*octet) & *mask;
        }
    }
    u128::from_ne_bytes(all) == 0
}

const HIGH_BITS: u128 = u128::from_ne_bytes([0x80; LANES]);

/// Returns the distance of a byte from the PrintableString alphabet, which is 0 for its members. Saturating differences and
/// minimums are vectorized to one instruction each. Comparisons would need more.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn not_printable(octet: u8) -> u8 {
    let letter = (octet | 0x20).wrapping_sub(b'a').saturating_sub(25);
    // From the apostrophe to the colon.
    let middle = octet.wrapping_sub(b'\'').saturating_sub(19);
    // The equals sign and the question mark differ in one bit.
    let others = ((octet | 2) ^ b'?').min(octet ^ b' ');
    let asterisk = u8::from(octet != b'*').wrapping_sub(1);
    letter.min(middle).min(others) | asterisk
}

/// Finds the first byte outside the alphabet.
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

/// Checks that every byte is in the alphabet. Returns the kind and position of the first byte that is not.
#[inline]
pub(super) const fn check(class: u8, octets: &[u8]) -> Result<(), (FaultKind, usize)> {
    if all(class, octets) { Ok(()) } else { Err((FaultKind::StringAlphabet, position(class, octets))) }
}

//! Parses dotted OBJECT IDENTIFIERs and RELATIVE-OIDs to content bytes, usable in constants.

/// Returns the maximum number of base-128 bytes for an arc of `digits` decimal digits.
const fn groups(digits: usize) -> usize {
    // log2(10) / 7 < 0.475
    digits * 475 / 1000 + 2
}

/// Writes the bytes of one arc, given as decimal digits plus a small addend, to the end of `out`. Returns their start.
const fn arc_octets<const N: usize>(out: &mut [u8; N], text: &[u8], from: usize, to: usize, add: u32) -> usize {
    // Little-endian base-128 accumulation in the tail of `out`: multiply by ten, add a digit.
    let mut start = N;
    let mut index = from;
    while index < to {
        let mut carry = (text[index] - b'0') as u32;
        let mut at = N;
        while at > start || carry != 0 {
            at -= 1;
            let wide = if at >= start { out[at] as u32 * 10 + carry } else { carry };
            out[at] = (wide & 0x7F) as u8;
            carry = wide >> 7;
            if at < start {
                start = at;
            }
        }
        index += 1;
    }
    let mut carry = add;
    let mut at = N;
    while carry != 0 || start == N {
        at -= 1;
        let wide = if at >= start { out[at] as u32 + carry } else { carry };
        out[at] = (wide & 0x7F) as u8;
        carry = wide >> 7;
        if at < start {
            start = at;
        }
    }
    start
}

const SCRATCH: usize = 640;

/// The maximum number of decimal digits for which an arc plus its addend fits in 64 bits.
const SHORT: usize = 18;

/// Like [`arc_octets`], for an arc of few digits. Writes to `out` from `written` on, as far as there is space, and returns the
/// end. Nearly all arcs are short, so compilers spend most of the evaluation of constants here.
const fn short_arc<const N: usize>(
    out: &mut [u8; N],
    mut written: usize,
    text: &[u8],
    from: usize,
    to: usize,
    add: u32,
) -> usize {
    let mut number = 0u64;
    let mut index = from;
    while index < to {
        number = number * 10 + (text[index] - b'0') as u64;
        index += 1;
    }
    number += add as u64;
    let mut left = 1;
    while number >> (7 * left) != 0 {
        left += 1;
    }
    while left > 0 {
        left -= 1;
        if written < N {
            out[written] = (number >> (7 * left)) as u8 & 0x7F | if left > 0 { 0x80 } else { 0 };
        }
        written += 1;
    }
    written
}

/// Parses dotted text, and writes as many content bytes to `out` as fit. Returns the total number, or `None` if the
/// text is not an OID.
pub(crate) const fn parse<const N: usize>(text: &str, out: &mut [u8; N]) -> Option<usize> {
    parse_from(0, text, out)
}

/// Like [`parse`], but for a RELATIVE-OID: accepts one or more arcs, and encodes each one separately.
pub(crate) const fn parse_relative<const N: usize>(text: &str, out: &mut [u8; N]) -> Option<usize> {
    parse_from(2, text, out)
}

/// Parses arcs. The first one is number `arc`, counted from the root.
const fn parse_from<const N: usize>(mut arc: usize, text: &str, out: &mut [u8; N]) -> Option<usize> {
    let text = text.as_bytes();
    let mut written = 0;
    let mut index = 0;
    let mut root = 0u32;
    loop {
        let from = index;
        while index < text.len() && text[index].is_ascii_digit() {
            index += 1;
        }
        let digits = index - from;
        if digits == 0 || (digits > 1 && text[from] == b'0') || groups(digits) > SCRATCH {
            return None;
        }
        if arc == 0 {
            if digits != 1 || text[from] > b'2' {
                return None;
            }
            root = (text[from] - b'0') as u32;
        } else {
            if arc == 1 && root < 2 && (digits > 2 || (digits == 2 && text[from] > b'3')) {
                return None;
            }
            let add = if arc == 1 { root * 40 } else { 0 };
            if digits <= SHORT {
                written = short_arc(out, written, text, from, index, add);
            } else {
                let mut scratch = [0u8; SCRATCH];
                let mut at = arc_octets(&mut scratch, text, from, index, add);
                while at < SCRATCH {
                    if written < N {
                        out[written] = scratch[at] | if at + 1 < SCRATCH { 0x80 } else { 0 };
                    }
                    written += 1;
                    at += 1;
                }
            }
        }
        arc += 1;
        if index == text.len() {
            return if arc >= 2 { Some(written) } else { None };
        }
        if text[index] != b'.' {
            return None;
        }
        index += 1;
    }
}

// The panics below are met in constant evaluation only, by the macros: a wrong text does not compile. The functions are no
// part of the public interface.

/// Returns the number of content bytes for the text. Used by [`oid!`](crate::oid).
#[doc(hidden)]
#[must_use]
pub const fn oid_text_len(text: &str) -> usize {
    match parse(text, &mut [0; 0]) {
        Some(len) => len,
        None => panic!("expected an object identifier in dotted form"),
    }
}

/// Writes the content bytes for the text to the start of `out`, and returns their number. Used for tables of many
/// identifiers, which compile faster this way than with one [`oid!`](crate::oid) each.
#[doc(hidden)]
#[must_use]
pub const fn oid_text_into<const N: usize>(text: &str, out: &mut [u8; N]) -> usize {
    match parse(text, out) {
        Some(len) if len <= N => len,
        _ => panic!("not an object identifier in dotted form, or too long"),
    }
}

/// Returns the content bytes for the text. Used by [`oid!`](crate::oid).
#[doc(hidden)]
#[must_use]
pub const fn oid_text_octets<const N: usize>(text: &str) -> [u8; N] {
    let mut out = [0; N];
    match parse(text, &mut out) {
        Some(len) if len == N => out,
        _ => panic!("expected an object identifier in dotted form"),
    }
}

/// Returns the number of content bytes for the text. Used by [`relative_oid!`](crate::relative_oid).
#[doc(hidden)]
#[must_use]
pub const fn relative_oid_text_len(text: &str) -> usize {
    match parse_relative(text, &mut [0; 0]) {
        Some(len) => len,
        None => panic!("not a relative object identifier in dotted form"),
    }
}

/// Returns the content bytes for the text. Used by [`relative_oid!`](crate::relative_oid).
#[doc(hidden)]
#[must_use]
pub const fn relative_oid_text_octets<const N: usize>(text: &str) -> [u8; N] {
    let mut out = [0; N];
    match parse_relative(text, &mut out) {
        Some(len) if len == N => out,
        _ => panic!("not a relative object identifier in dotted form"),
    }
}

//! Base64 (RFC 4648 §4), with strict alphabet, padding and unused bits.
//!
//! The URL alphabet of RFC 4648 §5 is not supported.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

use super::{is_space, unmarked};
use crate::fault::Fault;
use crate::kind::FaultKind;

/// The alphabet of RFC 4648 §4, by value.
const ALPHABET: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The mark of a character outside the alphabet: a bit that no valid value sets.
const FOREIGN: u32 = 1 << 31;

/// The values of all characters at each of the four positions in a group. A group is decoded by combining four lookups.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time: an index out of bounds is a compile error")]
static PLACES: [[u32; 256]; 4] = {
    let mut places = [[FOREIGN; 256]; 4];
    let mut place = 0;
    while place < 4 {
        let mut value = 0;
        while value < 64 {
            places[place][ALPHABET[value] as usize] = (value as u32) << (18 - 6 * place);
            value += 1;
        }
        place += 1;
    }
    places
};

/// Returns the value of a character, or a number above 63 if it is invalid.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[expect(clippy::indexing_slicing, reason = "an octet is below 256")]
pub(crate) fn value(character: u8) -> u8 {
    let [.., last] = &PLACES;
    let value = last[usize::from(character)];
    value as u8 | (value >> 24) as u8
}

/// Returns the 24 bits of a group of four characters. The result exceeds 24 bits if a character is invalid.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[expect(clippy::indexing_slicing, reason = "an octet is below 256")]
fn group(text: [u8; 4]) -> u32 {
    let [a, b, c, d] = text.map(usize::from);
    let [first, second, third, fourth] = &PLACES;
    first[a] | second[b] | third[c] | fourth[d]
}

/// Returns the character for the low six bits of a value.
#[cfg(feature = "alloc")]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[expect(clippy::indexing_slicing, reason = "six bits are below 64")]
fn character(value: u8) -> u8 {
    ALPHABET[(value & 63) as usize]
}

/// Decodes eight characters to six bytes. Returns `None` if one is invalid.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn decode_8(text: [u8; 8]) -> Option<[u8; 6]> {
    let [a, b, c, d, e, f, g, h] = text;
    let (high, low) = (group([a, b, c, d]), group([e, f, g, h]));
    let [.., a, b, c, d, e, f] = (u64::from(high) << 24 | u64::from(low)).to_be_bytes();
    ((high | low) < FOREIGN).then_some([a, b, c, d, e, f])
}

/// Decodes a full line of PEM. Returns `false` if a character is invalid; `out` is then unspecified.
#[inline]
pub(crate) fn decode_64(text: &[u8; 64], out: &mut [u8; 48]) -> bool {
    let (groups, _) = text.as_chunks::<16>();
    let (slots, _) = out.as_chunks_mut::<12>();
    let mut seen = 0;
    for (text, slot) in groups.iter().zip(slots) {
        let ([a, b, c, d], _) = text.as_chunks::<4>() else {
            return false;
        };
        let [a, b, c, d] = [group(*a), group(*b), group(*c), group(*d)];
        seen |= a | b | c | d;
        // Without u128: LLVM 22 miscompiles its shifts here for WebAssembly.
        let first = u64::from(a) << 40 | u64::from(b) << 16 | u64::from(c) >> 8;
        let [s, t, u, v, w, x, y, z] = first.to_be_bytes();
        let [k, l, m, n] = (c << 24 | d).to_be_bytes();
        *slot = [s, t, u, v, w, x, y, z, k, l, m, n];
    }
    seen < FOREIGN
}

/// Returns an upper bound for the decoded size of `len` characters.
///
/// ```
/// use tagwise_codec::text::base64;
/// assert_eq!(base64::decoded_len(8), 6);
/// ```
#[must_use]
pub const fn decoded_len(len: usize) -> usize {
    len / 4 * 3 + len % 4
}

/// Collects groups of four characters, which decode to three bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    bits: u32,
    /// The number of characters received, 0 to 3.
    len: u8,
    /// The number of padding characters received.
    pads: u8,
}

impl Group {
    /// Returns whether the next character begins a group and there was no padding.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn is_fresh(self) -> bool {
        self.len == 0 && self.pads == 0
    }

    /// Returns whether there was padding.
    pub(crate) const fn is_padded(self) -> bool {
        self.pads != 0
    }

    /// Adds a value, and returns the bytes if the group is complete.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn push(&mut self, value: u8) -> Option<[u8; 3]> {
        self.bits = self.bits << 6 | value as u32;
        self.len += 1;
        if self.len < 4 {
            return None;
        }
        let [_, a, b, c] = self.bits.to_be_bytes();
        *self = Self { bits: 0, len: 0, pads: 0 };
        Some([a, b, c])
    }

    /// Adds a padding character. Returns `false` if it is misplaced.
    pub(crate) const fn pad(&mut self) -> bool {
        let wanted = self.len >= 2 && self.len + self.pads < 4;
        self.pads += wanted as u8;
        wanted
    }

    /// Returns the remaining bytes at the end, and any errors in them.
    pub(crate) const fn end(self) -> End {
        // One to three characters are 6, 12 or 18 bits; brought to the top of a word, the octets come first.
        let shift = if self.len == 0 { 0 } else { 32 - 6 * self.len as u32 };
        let [high, low, ..] = (self.bits << shift).to_be_bytes();
        let unused = match self.len {
            2 => self.bits & 0x0F,
            3 => self.bits & 0x03,
            _ => 0,
        };
        End {
            octets: [high, low],
            len: if self.len < 2 { 0 } else { self.len as usize - 1 },
            lone: self.len == 1,
            unpadded: self.len >= 2 && self.len + self.pads < 4,
            dirty: unused != 0,
        }
    }
}

/// The end of a base64 text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    octets: [u8; 2],
    len: usize,
    /// True if a single character is left, which encodes no byte.
    pub(crate) lone: bool,
    /// True if padding is missing.
    pub(crate) unpadded: bool,
    /// True if the unused bits are not zero (RFC 4648 §3.5).
    pub(crate) dirty: bool,
}

impl End {
    /// Returns the last bytes, at most two.
    pub(crate) fn octets(&self) -> &[u8] {
        self.octets.get(..self.len).unwrap_or_default()
    }
}

/// Appends bytes to the used part of a slice.
#[derive(Debug)]
pub(crate) struct Sink<'b> {
    out: &'b mut [u8],
    len: usize,
}

impl<'b> Sink<'b> {
    pub(crate) const fn new(out: &'b mut [u8]) -> Self {
        Self { out, len: 0 }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the next `N` bytes to fill in. [`Sink::advance`] then commits them.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn slot<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        self.out.get_mut(self.len..)?.first_chunk_mut()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn advance(&mut self, count: usize) {
        self.len += count;
    }

    /// Appends bytes. Returns `false` if the slice is full.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn put(&mut self, octets: &[u8]) -> bool {
        match self.len.checked_add(octets.len()).and_then(|end| self.out.get_mut(self.len..end)) {
            Some(slot) => {
                slot.copy_from_slice(octets);
                self.len += octets.len();
                true
            }
            None => false,
        }
    }
}

/// Decodes base64 without whitespace into `out` and returns the number of bytes. [`decoded_len`] bounds the size.
///
/// ```
/// use tagwise_codec::{FaultKind, text::base64};
/// let mut out = [0; 4];
/// assert_eq!(base64::decode_to_slice(b"MAA=", &mut out), Ok(2));
/// assert_eq!(out[..2], [0x30, 0x00]);
/// let fault = base64::decode_to_slice(b"MA A=", &mut out).unwrap_err();
/// assert_eq!((fault.kind(), fault.offset()), (FaultKind::Base64Character, 2));
/// ```
///
/// # Errors
/// Returns [`FaultKind::Base64Character`], [`FaultKind::Base64Padding`], [`FaultKind::Base64Length`] or [`FaultKind::Base64Bits`] with an
/// offset into `text`, or [`FaultKind::BufferTooSmall`].
pub fn decode_to_slice(text: &[u8], out: &mut [u8]) -> Result<usize, Fault> {
    decode_text(text, out, false)
}

/// Like [`decode_to_slice`], for wrapped or pasted base64: whitespace and line breaks are allowed anywhere, and a UTF-8
/// byte order mark at the start.
///
/// # Errors
/// Returns the same errors as [`decode_to_slice`].
pub fn decode_wrapped_to_slice(text: &[u8], out: &mut [u8]) -> Result<usize, Fault> {
    decode_text(text, out, true)
}

fn decode_text(text: &[u8], out: &mut [u8], wrapped: bool) -> Result<usize, Fault> {
    let mut sink = Sink::new(out);
    let mut group = Group::default();
    let (mut rest, mut at) = if wrapped { unmarked(text) } else { (text, 0) };
    let mut last = 0;
    while let Some((next, tail)) = rest.split_first() {
        if group.is_fresh() {
            if let (Some((octets, tail)), Some(slot)) = (rest.split_first_chunk::<64>(), sink.slot())
                && decode_64(octets, slot)
            {
                sink.advance(48);
                (rest, at, last) = (tail, at + 64, at + 63);
                continue;
            }
            if let (Some((octets, tail)), Some(slot)) = (rest.split_first_chunk::<8>(), sink.slot())
                && let Some(octets) = decode_8(*octets)
            {
                *slot = octets;
                sink.advance(6);
                (rest, at, last) = (tail, at + 8, at + 7);
                continue;
            }
        }
        let value = value(*next);
        if value < 64 {
            if group.is_padded() {
                return Err(Fault::new(FaultKind::Base64Padding, at));
            }
            last = at;
            if group.push(value).is_some_and(|octets| !sink.put(&octets)) {
                return Err(Fault::new(FaultKind::BufferTooSmall, at));
            }
        } else if *next == b'=' {
            if !group.pad() {
                return Err(Fault::new(FaultKind::Base64Padding, at));
            }
        } else if !(wrapped && is_space(*next)) {
            return Err(Fault::new(FaultKind::Base64Character, at));
        }
        (rest, at) = (tail, at + 1);
    }
    let end = group.end();
    if end.lone || end.unpadded {
        return Err(Fault::new(FaultKind::Base64Length, at));
    }
    if end.dirty {
        return Err(Fault::new(FaultKind::Base64Bits, last));
    }
    if !sink.put(end.octets()) {
        return Err(Fault::new(FaultKind::BufferTooSmall, at));
    }
    Ok(sink.len())
}

/// Decodes base64 without whitespace.
///
/// ```
/// use tagwise_codec::text::base64;
/// assert_eq!(base64::decode(b"MAMCAQU=")?, [0x30, 0x03, 0x02, 0x01, 0x05]);
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
///
/// # Errors
/// Returns the same errors as [`decode_to_slice`].
#[cfg(feature = "alloc")]
pub fn decode(text: &[u8]) -> Result<Vec<u8>, Fault> {
    allocated(text, false)
}

/// Decodes base64 with whitespace and line breaks anywhere, and a UTF-8 byte order mark at the start.
///
/// ```
/// use tagwise_codec::text::base64;
/// assert_eq!(base64::decode_wrapped(b" MAMC\r\n AQU=\n")?, [0x30, 0x03, 0x02, 0x01, 0x05]);
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
///
/// # Errors
/// Returns the same errors as [`decode_to_slice`].
#[cfg(feature = "alloc")]
pub fn decode_wrapped(text: &[u8]) -> Result<Vec<u8>, Fault> {
    allocated(text, true)
}

#[cfg(feature = "alloc")]
fn allocated(text: &[u8], wrapped: bool) -> Result<Vec<u8>, Fault> {
    let mut out = alloc::vec![0; decoded_len(text.len())];
    let len = decode_text(text, &mut out, wrapped)?;
    out.truncate(len);
    Ok(out)
}

/// Encodes bytes, with padding and without line breaks.
///
/// ```
/// use tagwise_codec::text::base64;
/// assert_eq!(base64::encode(&[0x30, 0x00]), "MAA=");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode(octets: &[u8]) -> String {
    let mut out = String::with_capacity(octets.len().div_ceil(3).saturating_mul(4));
    encode_append(octets, &mut out);
    out
}

#[cfg(feature = "alloc")]
pub(crate) fn encode_append(octets: &[u8], out: &mut String) {
    for line in octets.chunks(48) {
        let mut text = [b'='; 64];
        let len = encode_48(line, &mut text);
        // The alphabet is ASCII.
        out.push_str(text.get(..len).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or_default());
    }
}

/// Encodes at most 48 bytes into a text that initially consists of padding. Returns the number of characters.
#[cfg(feature = "alloc")]
#[inline]
fn encode_48(octets: &[u8], text: &mut [u8; 64]) -> usize {
    let (groups, rest) = octets.as_chunks::<6>();
    let (slots, _) = text.as_chunks_mut::<8>();
    for ([a, b, c, d, e, f], slot) in groups.iter().zip(slots) {
        let bits = u64::from_be_bytes([*a, *b, *c, *d, *e, *f, 0, 0]);
        *slot = [58, 52, 46, 40, 34, 28, 22, 16].map(|shift| character((bits >> shift) as u8));
    }
    // Up to five octets are left; their last character has zeros for the bits it lacks (RFC 4648 §3.5).
    let mut bits = [0; 8];
    bits.iter_mut().zip(rest).for_each(|(slot, octet)| *slot = *octet);
    let bits = u64::from_be_bytes(bits);
    let start = groups.len() * 8;
    let count = (rest.len() * 8).div_ceil(6);
    let shifts = [58, 52, 46, 40, 34, 28, 22];
    for (slot, shift) in text.iter_mut().skip(start).take(count).zip(shifts) {
        *slot = character((bits >> shift) as u8);
    }
    start + count.next_multiple_of(4)
}

//! RFC 4514 text of short names, built from back to front on the stack, so that the RDNs are reversed in one pass.

use tagwise_codec::text::hex;

use super::common::{
    IA5_STRING, NOT_ASCII, PRINTABLE_STRING, SPECIAL, UTF8_STRING, class, classify, is_plain, split_common,
};
use super::walk::{Attribute, attribute, attributes, split};
use super::write::{is_special_at, key};
use crate::oids;

/// The maximum length of a text and the window before it, in bytes. Zeroing a larger buffer would require a function call.
const SIZE: usize = 256;

/// The size of the blocks in which ASCII is distinguished from UTF-8.
const BLOCK: usize = 16;

/// A text buffer that grows at its front. Functions return `None` if it is full, or if the value needs the general code.
// Aligned as blocks are.
#[repr(align(16))]
pub(super) struct Backwards {
    buffer: [u8; SIZE],
    start: usize,
}

impl Backwards {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) const fn new() -> Self {
        Self { buffer: [0; SIZE], start: SIZE }
    }

    /// Returns the RFC 4514 text of a name, given its content bytes, or `None` if the general code must format the name.
    #[inline]
    pub(super) fn name(&mut self, content: &[u8]) -> Option<&str> {
        let mut rest = content;
        while !rest.is_empty() {
            let common = split_common(rest).and_then(|(rdn, after)| {
                let key = KEYS.get(usize::from(rdn.attr)).filter(|key| key.len != 0)?;
                Some((key, rdn, after))
            });
            rest = match common {
                Some((key, rdn, after)) => {
                    if rdn.attr == COUNTRY_NAME {
                        // What no country can be read from again is for the general code.
                        self.octets(Some(rdn.value).filter(|value| is_string(rdn.tag) && is_alphanumeric(value))?)?;
                    } else {
                        self.wide_value(rdn.tag, content.get(..content.len() - after.len())?, rdn.value)?;
                    }
                    // The octets in front of the key are written again later.
                    *self.buffer.get_mut(..self.start)?.last_chunk_mut::<8>()? = key.text;
                    self.start -= usize::from(key.len);
                    after
                }
                None => self.other(rest)?,
            };
        }
        // Whole blocks are checked fastest; of what was copied in front of the text, some may be no UTF-8.
        *self.buffer.get_mut(..self.start)?.last_chunk_mut()? = [0; BLOCK];
        let block = self.start & !(BLOCK - 1);
        let text = core::str::from_utf8(self.buffer.get(block..)?).ok()?.get(self.start - block..)?;
        Some(text.strip_prefix(',').unwrap_or(text))
    }

    /// Prepends an RDN with one attribute whose type is not in [`KEYS`], and returns the remaining RDNs.
    #[inline(never)]
    fn other<'a>(&mut self, rdns: &'a [u8]) -> Option<&'a [u8]> {
        let (rdn, rest) = split(rdns)?;
        let mut list = attributes(&rdn)?;
        let Attribute { attr_type, value } = attribute(&list.next()?.ok()?)?;
        if !list.0.is_empty() {
            return None;
        }
        match (attr_type, key(attr_type)) {
            // Nor is a domain component from what is not ASCII.
            (_, Some("DC=")) if !value.content.is_ascii() => return None,
            (_, Some("C=")) if !is_alphanumeric(value.content) => return None,
            (_, Some(key)) => {
                self.value(value.tag, value.content)?;
                self.octets(key.as_bytes())?;
            }
            (EMAIL_ADDRESS, None) => {
                self.hex(value.bytes)?;
                self.octets(b"1.2.840.113549.1.9.1=")?;
            }
            ([0x55, 4, arc @ 0..=99], None) => {
                self.hex(value.bytes)?;
                let number = [b'0' + arc / 10, b'0' + arc % 10, b'='];
                self.octets(if *arc < 10 { number.get(1..)? } else { &number })?;
                self.octets(b"2.5.4.")?;
            }
            _ => return None,
        }
        self.octets(b",")?;
        Some(rest)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn octets(&mut self, octets: &[u8]) -> Option<()> {
        let start = self.start.checked_sub(octets.len())?;
        self.buffer.get_mut(start..self.start)?.copy_from_slice(octets);
        self.start = start;
        Some(())
    }

    /// Prepends the value at the end of `front`, like [`Backwards::value`]. Most values are copied together with the bytes
    /// before them, which are overwritten later.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn wide_value(&mut self, tag: u8, front: &[u8], value: &[u8]) -> Option<()> {
        match front.last_chunk() {
            Some(window) if is_string(tag) && is_plain(window, value.len()) && !has_special_end(value) => {
                *self.buffer.get_mut(..self.start)?.last_chunk_mut()? = *window;
                self.start -= value.len();
                Some(())
            }
            _ => self.value(tag, value),
        }
    }

    /// Prepends a value of a string type, with escapes.
    #[inline(never)]
    fn value(&mut self, tag: u8, value: &[u8]) -> Option<()> {
        let classes = classify(value);
        match tag {
            UTF8_STRING | PRINTABLE_STRING | IA5_STRING if classes & NOT_ASCII == 0 => {}
            UTF8_STRING => _ = core::str::from_utf8(value).ok()?,
            _ => return None,
        }
        if classes & SPECIAL != 0 || has_special_end(value) { self.escaped(value) } else { self.octets(value) }
    }

    #[inline(never)]
    fn escaped(&mut self, value: &[u8]) -> Option<()> {
        let mut rest = value;
        let is_escaped = |(at, octet): (usize, &u8)| {
            class(*octet) & SPECIAL != 0 || is_special_at(*octet, at == 0, at + 1 == value.len())
        };
        while let Some(at) = rest.iter().enumerate().rposition(is_escaped) {
            let (front, plain) = rest.split_at_checked(at + 1)?;
            self.octets(plain)?;
            let (special, front) = front.split_last()?;
            self.octets(if *special == 0 { b"00" } else { core::slice::from_ref(special) })?;
            self.octets(b"\\")?;
            rest = front;
        }
        self.octets(rest)
    }

    /// Prepends `#` and the bytes in hexadecimal.
    fn hex(&mut self, octets: &[u8]) -> Option<()> {
        let start = self.start.checked_sub(octets.len().checked_mul(2)?)?;
        let digits = self.buffer.get_mut(start..self.start)?;
        for (pair, octet) in digits.as_chunks_mut::<2>().0.iter_mut().zip(octets) {
            *pair = hex::pair(*octet);
        }
        self.start = start;
        self.octets(b"#")
    }
}

/// The last arc of countryName (2.5.4.6).
const COUNTRY_NAME: u8 = 6;

/// Returns whether a string type's values are written unchanged.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_string(tag: u8) -> bool {
    matches!(tag, UTF8_STRING | PRINTABLE_STRING | IA5_STRING)
}

/// Returns whether the first or last byte is special at its position: see [`is_special_at`].
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn has_special_end(value: &[u8]) -> bool {
    matches!(value, [b' ' | b'#', ..] | [.., b' '])
}

/// Returns whether a value consists of letters and digits, which every string type supports.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_alphanumeric(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_alphanumeric)
}

const EMAIL_ADDRESS: &[u8] = oids::EMAIL_ADDRESS.as_bytes();

/// A comma, a short name and an equals sign, at the end of the array.
#[derive(Clone, Copy)]
struct Key {
    text: [u8; 8],
    /// The length of the text, or 0 if there is no short name.
    len: u8,
}

/// The short names of RFC 4514 in the arc 2.5.4, by the last arc.
static KEYS: [Key; 12] = {
    const NONE: Key = Key { text: [0; 8], len: 0 };
    const fn key(text: &[u8; 8], len: u8) -> Key {
        Key { text: *text, len }
    }
    [
        NONE,
        NONE,
        NONE,
        key(b"    ,CN=", 4),
        NONE,
        NONE,
        key(b"     ,C=", 3),
        key(b"     ,L=", 3),
        key(b"    ,ST=", 4),
        key(b",STREET=", 8),
        key(b"     ,O=", 3),
        key(b"    ,OU=", 4),
    ]
};

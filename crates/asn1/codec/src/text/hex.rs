//! Hexadecimal in common handwritten and pasted forms.
//!
//! Digits come in pairs. Spaces, line breaks, colons and commas may separate pairs, and each group may begin with `0x`
//! or `\x`. `30 03`, `30:03`, `0x30, 0x03`, `0x3003` and `\x30\x03` are all the same. A UTF-8 byte order mark at the
//! start is skipped. Split pairs (`3 0`) and other characters (`30;03`) are errors.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::fmt;

use super::base64::Sink;
use super::{is_space, unmarked};
use crate::fault::Fault;
use crate::kind::FaultKind;

/// Returns the value of a hexadecimal digit.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
const fn digit(octet: u8) -> Option<u8> {
    match octet {
        b'0'..=b'9' => Some(octet - b'0'),
        b'a'..=b'f' => Some(octet - b'a' + 10),
        b'A'..=b'F' => Some(octet - b'A' + 10),
        _ => None,
    }
}

/// Decodes eight digits to four bytes. Returns `None` if a character is not a digit.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn decode_8(digits: [u8; 8]) -> Option<[u8; 4]> {
    let mut seen = 0;
    let [a, b, c, d, e, f, g, h] = digits.map(|octet| {
        let value = digit(octet).unwrap_or(0xFF);
        seen |= value;
        value
    });
    (seen < 16).then_some([a << 4 | b, c << 4 | d, e << 4 | f, g << 4 | h])
}

/// Decodes hexadecimal into `out` and returns the number of bytes, at most half the length of `text`.
///
/// ```
/// use tagwise_codec::{FaultKind, text::hex};
/// let mut out = [0; 4];
/// assert_eq!(hex::decode_to_slice(b"30:00", &mut out), Ok(2));
/// let fault = hex::decode_to_slice(b"30 0", &mut out).unwrap_err();
/// assert_eq!((fault.kind(), fault.offset()), (FaultKind::HexLength, 4));
/// ```
///
/// # Errors
/// Returns [`FaultKind::HexDigit`] at an unexpected byte, [`FaultKind::HexLength`] at a missing second digit, or
/// [`FaultKind::BufferTooSmall`].
pub fn decode_to_slice(text: &[u8], out: &mut [u8]) -> Result<usize, Fault> {
    let mut sink = Sink::new(out);
    let (mut rest, mut at) = unmarked(text);
    // Whether a prefix may come here.
    let mut fresh = true;
    loop {
        while let Some((digits, tail)) = rest.split_first_chunk::<8>()
            && let Some(octets) = decode_8(*digits)
            && sink.put(&octets)
        {
            (rest, at, fresh) = (tail, at + 8, false);
        }
        match rest {
            [] => return Ok(sink.len()),
            [b'0', b'x' | b'X', next, ..] if fresh && digit(*next).is_some() => {
                (rest, at, fresh) = (rest.get(2..).unwrap_or_default(), at + 2, false);
            }
            // `\x` says itself that a pair begins.
            [b'\\', b'x', next, ..] if digit(*next).is_some() => {
                (rest, at, fresh) = (rest.get(2..).unwrap_or_default(), at + 2, false);
            }
            [octet, tail @ ..] if is_space(*octet) || matches!(octet, b':' | b',') => {
                (rest, at, fresh) = (tail, at + 1, true);
            }
            [high, tail @ ..] => {
                let Some(high) = digit(*high) else {
                    return Err(Fault::new(FaultKind::HexDigit, at));
                };
                let Some((low, tail)) = tail.split_first() else {
                    return Err(Fault::new(FaultKind::HexLength, at + 1));
                };
                let Some(low) = digit(*low) else {
                    let kind = if is_space(*low) || matches!(low, b':' | b',') {
                        FaultKind::HexLength
                    } else {
                        FaultKind::HexDigit
                    };
                    return Err(Fault::new(kind, at + 1));
                };
                if !sink.put(&[high << 4 | low]) {
                    return Err(Fault::new(FaultKind::BufferTooSmall, at));
                }
                (rest, at, fresh) = (tail, at + 2, false);
            }
        }
    }
}

/// Decodes hexadecimal.
///
/// ```
/// use tagwise_codec::text::hex;
/// assert_eq!(hex::decode(b"0x30, 0x03, 0x02, 0x01, 0x05\n")?, [0x30, 0x03, 0x02, 0x01, 0x05]);
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
///
/// # Errors
/// Returns the same errors as [`decode_to_slice`].
#[cfg(feature = "alloc")]
pub fn decode(text: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut out = alloc::vec![0; text.len() / 2];
    let len = decode_to_slice(text, &mut out)?;
    out.truncate(len);
    Ok(out)
}

/// Decodes pairs of digits without separators or prefixes. Returns `None` for anything else.
///
/// ```
/// use tagwise_codec::text::hex;
/// assert_eq!(hex::decode_pairs("30aF"), Some(vec![0x30, 0xAF]));
/// assert_eq!(hex::decode_pairs("30 af"), None);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn decode_pairs(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let pairs = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
    if rest.is_empty() { pairs.collect() } else { None }
}

/// Encodes bytes as lowercase hexadecimal.
///
/// ```
/// use tagwise_codec::text::hex;
/// assert_eq!(hex::encode(&[0x30, 0xAF]), "30af");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode(octets: &[u8]) -> String {
    let mut out = String::with_capacity(octets.len().saturating_mul(2));
    octets.iter().for_each(|octet| out.extend(pair(*octet).map(char::from)));
    out
}

/// Encodes a byte as two lowercase digits.
///
/// ```
/// assert_eq!(tagwise_codec::text::hex::pair(0xAF), *b"af");
/// ```
#[must_use]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub const fn pair(octet: u8) -> [u8; 2] {
    const fn digit(nibble: u8) -> u8 {
        if nibble < 10 { b'0' + nibble } else { b'a' - 10 + nibble }
    }
    [digit(octet >> 4), digit(octet & 15)]
}

/// Displays bytes as hexadecimal digits without separators: `{}` lowercase, `{:X}` uppercase.
///
/// ```
/// use tagwise_codec::text::hex::Hex;
/// assert_eq!(format!("{0} {0:X}", Hex(&[0x30, 0xAF])), "30af 30AF");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex<'a>(pub &'a [u8]);

impl Hex<'_> {
    fn write(self, f: &mut fmt::Formatter<'_>, digits: fn(u8) -> [u8; 2]) -> fmt::Result {
        self.0.chunks(32).try_for_each(|chunk| {
            let mut text = [0; 64];
            let (pairs, _) = text.as_chunks_mut::<2>();
            pairs.iter_mut().zip(chunk).for_each(|(pair, octet)| *pair = digits(*octet));
            f.write_str(core::str::from_utf8(text.get(..chunk.len() * 2).unwrap_or_default()).unwrap_or_default())
        })
    }
}

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, pair)
    }
}

impl fmt::UpperHex for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |octet| pair(octet).map(|digit| digit.to_ascii_uppercase()))
    }
}

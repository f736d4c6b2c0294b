//! Identifier and length bytes of a stream or frame: 64-bit lengths in a partial buffer.

use crate::kind::Kind;
use crate::tag::{Class, Tag};

/// Forms of lengths that are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// Those of more bytes than necessary.
    pub(crate) long: bool,
    /// The indefinite one, of constructed elements.
    pub(crate) indefinite: bool,
}

/// The most bytes a header can take: 6 of a tag, 1 + 126 of a length.
pub(crate) const LONGEST: usize = 133;

/// Header at the front of some bytes, if it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    /// Identifier and length, which take `size` bytes.
    Header { tag: Tag, len: Option<u64>, size: usize },
    /// End-of-contents bytes.
    EndOfContents,
    /// It takes at least so many bytes to know.
    More(usize),
}

/// A kind and the position of what is wrong.
type Wrong = (Kind, usize);

/// Reads a header. End-of-contents bytes are given only where the innermost open value is `indefinite`.
#[inline]
pub(crate) fn parse(octets: &[u8], lengths: Lengths, indefinite: bool) -> Result<Parsed, Wrong> {
    match octets {
        // Most elements.
        [first, len, ..] if *first & 0x1F != 0x1F && *first & 0xDF != 0 && *len < 0x80 => {
            Ok(Parsed::Header { tag: Tag::from_low_octet(*first), len: Some(u64::from(*len)), size: 2 })
        }
        _ => general(octets, lengths, indefinite),
    }
}

#[inline(never)]
fn general(octets: &[u8], lengths: Lengths, indefinite: bool) -> Result<Parsed, Wrong> {
    let Some((first, rest)) = octets.split_first() else { return Ok(Parsed::More(1)) };
    if first & 0xDF == 0 {
        return match rest.first() {
            _ if *first != 0 || !indefinite => Err((Kind::EndOfContents, 0)),
            None => Ok(Parsed::More(2)),
            Some(0) => Ok(Parsed::EndOfContents),
            Some(_) => Err((Kind::EndOfContents, 0)),
        };
    }
    let class = Class::from_octet(*first);
    let mut number = u32::from(first & 0x1F);
    let mut at = 1;
    if number == 0x1F {
        number = 0;
        loop {
            let Some(octet) = octets.get(at) else { return Ok(Parsed::More(at + 1)) };
            at += 1;
            if number == 0 && *octet == 0x80 {
                return Err((Kind::TagNotMinimal, 0));
            }
            if number >> 25 != 0 {
                return Err((Kind::TagTooLarge, 0));
            }
            number = number << 7 | u32::from(octet & 0x7F);
            if *octet < 0x80 {
                break;
            }
        }
        if number < 31 {
            return Err((Kind::TagNotMinimal, 0));
        }
    }
    let tag = Tag::new(class, number, first & 0x20 != 0);
    match length(octets, at, tag, lengths)? {
        Length::More(count) => Ok(Parsed::More(count)),
        Length::Is(len, size) => Ok(Parsed::Header { tag, len, size }),
    }
}

enum Length {
    Is(Option<u64>, usize),
    More(usize),
}

/// The length whose first byte is at `at`, and the position after it.
fn length(octets: &[u8], at: usize, tag: Tag, lengths: Lengths) -> Result<Length, Wrong> {
    let Some(first) = octets.get(at) else { return Ok(Length::More(at + 1)) };
    let start = at + 1;
    match *first {
        0..=0x7F => Ok(Length::Is(Some(u64::from(*first)), start)),
        0x80 if !lengths.indefinite => Err((Kind::LengthIndefinite, at)),
        // X.690 §8.1.3.2: a primitive encoding has a definite length.
        0x80 if !tag.is_constructed() => Err((Kind::PrimitiveIndefinite, at)),
        0x80 => Ok(Length::Is(None, start)),
        0xFF => Err((Kind::LengthReserved, at)),
        _ => {
            let end = start + usize::from(first & 0x7F);
            let Some(digits) = octets.get(start..end) else { return Ok(Length::More(end)) };
            let minimal = match digits {
                [] | [0, ..] => false,
                [only] => *only >= 0x80,
                _ => true,
            };
            if !minimal && !lengths.long {
                return Err((Kind::LengthNotMinimal, at));
            }
            let mut len = 0u64;
            for digit in digits {
                if len >> 56 != 0 {
                    return Err((Kind::LengthTooLarge, at));
                }
                len = len << 8 | u64::from(*digit);
            }
            Ok(Length::Is(Some(len), end))
        }
    }
}

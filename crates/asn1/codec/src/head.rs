//! Identifier and length bytes (X.690 §8.1.2, §8.1.3): the rules that all readers of headers share.
//!
//! [`identifier`] and [`length`] read every form. Each reader then rejects the forms that it does not accept. Other
//! modules ([`Reader`](crate::Reader), [`Any`](crate::Any), the stream, `tagwise-x509`) have fast paths. They accept only
//! headers with one identifier byte and a minimal length, and leave all others to these functions.
//!
//! [`parse`] reads the header of a stream or frame, with 64-bit lengths, from a partial buffer.

use crate::kind::FaultKind;
use crate::tag::{Class, Tag};

/// The identifier bytes at the start of an encoding, in any form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// The tag. A number above 2³²−1 is replaced by 2³²−1.
    pub tag: Tag,
    /// The number of identifier bytes. `None` if the input ends inside them.
    pub size: Option<usize>,
    /// True if the number is above 2³²−1.
    pub too_large: bool,
    /// The reason that decoders reject the identifier. Set once the identifier is complete, or as soon as it can no longer
    /// become valid.
    pub fault: Option<FaultKind>,
}

/// Reads identifier bytes. Returns `None` if there are none.
///
/// ```
/// use tagwise_codec::{FaultKind, Tag, ber};
/// let identifier = ber::identifier(&[0xBF, 0x87, 0x68, 0x00]).unwrap();
/// assert_eq!((identifier.tag, identifier.size), (Tag::context(1000).constructed(), Some(3)));
/// assert_eq!(ber::identifier(&[0x1F, 0x05]).unwrap().fault, Some(FaultKind::TagNotMinimal));
/// ```
#[inline]
#[must_use]
pub fn identifier(octets: &[u8]) -> Option<Identifier> {
    let (first, rest) = octets.split_first()?;
    let (class, constructed) = (Class::from_octet(*first), first & 0x20 != 0);
    let low = u32::from(first & 0x1F);
    if low < 31 {
        return Some(Identifier {
            tag: Tag::new(class, low, constructed),
            size: Some(1),
            too_large: false,
            fault: None,
        });
    }
    Some(long(class, constructed, rest))
}

/// Reads an identifier in the high-tag-number form (X.690 §8.1.2.4).
#[cold]
fn long(class: Class, constructed: bool, rest: &[u8]) -> Identifier {
    let (mut number, mut too_large, mut fault, mut size) = (0u32, false, None, None);
    for (index, octet) in rest.iter().enumerate() {
        if number == 0 && *octet == 0x80 {
            fault = Some(FaultKind::TagNotMinimal);
        }
        if number >> 25 != 0 {
            fault = fault.or(Some(FaultKind::TagTooLarge));
            (number, too_large) = (u32::MAX, true);
        } else {
            number = number << 7 | u32::from(octet & 0x7F);
        }
        if *octet < 0x80 {
            size = Some(index + 2);
            break;
        }
    }
    if size.is_some() && number < 31 {
        fault = Some(FaultKind::TagNotMinimal);
    }
    Identifier { tag: Tag::new(class, number, constructed), size, too_large, fault }
}

/// The length bytes at the start of a buffer, in any form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The definite form, with the number of content bytes.
    Definite {
        /// The length of the content. A length above 2⁶⁴−1 is given as that maximum.
        len: u64,
        /// The number of length bytes.
        size: usize,
        /// True if no shorter form exists.
        minimal: bool,
    },
    /// The byte 0x80: the indefinite form.
    Indefinite,
    /// The byte 0xFF, which is reserved (X.690 §8.1.3.5).
    Reserved,
    /// The input ends inside the length, which has at least this many bytes.
    Cut(usize),
}

/// Reads the length bytes at the start of `octets`, in any form.
///
/// ```
/// use tagwise_codec::ber::{self, Length};
/// assert_eq!(ber::length(&[0x81, 0x05]), Length::Definite { len: 5, size: 2, minimal: false });
/// assert_eq!(ber::length(&[0x82, 0x01]), Length::Cut(3));
/// ```
#[inline]
#[must_use]
pub fn length(octets: &[u8]) -> Length {
    let Some((first, rest)) = octets.split_first() else { return Length::Cut(1) };
    match *first {
        0..=0x7F => Length::Definite { len: u64::from(*first), size: 1, minimal: true },
        0x80 => Length::Indefinite,
        0xFF => Length::Reserved,
        _ => {
            let count = usize::from(first & 0x7F);
            let Some(digits) = rest.get(..count) else { return Length::Cut(count + 1) };
            let minimal = match digits {
                [] | [0, ..] => false,
                [only] => *only >= 0x80,
                _ => true,
            };
            let mut len = 0u64;
            for digit in digits {
                len = if len >> 56 == 0 { len << 8 | u64::from(*digit) } else { u64::MAX };
            }
            Length::Definite { len, size: count + 1, minimal }
        }
    }
}

/// The length forms that are accepted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// True if non-minimal lengths are accepted.
    pub(crate) long: bool,
    /// True if constructed elements may have an indefinite length.
    pub(crate) indefinite: bool,
}

/// The maximum header size in bytes: 6 for the tag, 1 + 126 for the length.
pub(crate) const LONGEST: usize = 133;

/// The result of parsing a header at the start of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    /// Identifier and length, of `size` bytes.
    Header { tag: Tag, len: Option<u64>, size: usize },
    /// End-of-contents bytes.
    EndOfContents,
    /// Incomplete: at least this many bytes are needed in the buffer.
    More(usize),
}

/// A kind and the position of what is wrong.
type Wrong = (FaultKind, usize);

/// Parses a header. End-of-contents bytes are accepted only if the innermost open value is `indefinite`.
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
            _ if *first != 0 || !indefinite => Err((FaultKind::EndOfContents, 0)),
            None => Ok(Parsed::More(2)),
            Some(0) => Ok(Parsed::EndOfContents),
            Some(_) => Err((FaultKind::EndOfContents, 0)),
        };
    }
    let Some(Identifier { tag, size, fault, .. }) = identifier(octets) else { return Ok(Parsed::More(1)) };
    if let Some(kind) = fault {
        return Err((kind, 0));
    }
    let Some(at) = size else { return Ok(Parsed::More(octets.len() + 1)) };
    match length(octets.get(at..).unwrap_or_default()) {
        Length::Cut(count) => Ok(Parsed::More(at + count)),
        Length::Indefinite if !lengths.indefinite => Err((FaultKind::LengthIndefinite, at)),
        // X.690 §8.1.3.2: a primitive encoding has a definite length.
        Length::Indefinite if !tag.is_constructed() => Err((FaultKind::PrimitiveIndefinite, at)),
        Length::Indefinite => Ok(Parsed::Header { tag, len: None, size: at + 1 }),
        Length::Reserved => Err((FaultKind::LengthReserved, at)),
        Length::Definite { minimal: false, .. } if !lengths.long => Err((FaultKind::LengthNotMinimal, at)),
        Length::Definite { len: u64::MAX, .. } => Err((FaultKind::LengthTooLarge, at)),
        Length::Definite { len, size, .. } => Ok(Parsed::Header { tag, len: Some(len), size: at + size }),
    }
}

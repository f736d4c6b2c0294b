//! BMPString (X.680 §41, X.690 §8.23.8): two bytes per character.

use core::cmp::Ordering;
use core::fmt::{self, Write};
use core::hash::{Hash, Hasher};

use super::debug_chars;
use super::wide::wide_string;
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Shape, StringKind, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// `BMPString`: characters of the Basic Multilingual Plane as two big-endian bytes each.
///
/// It is not UTF-16: surrogates are invalid. [`Rule::STRING_ALPHABET`] tolerates them, and they are then read as
/// UTF-16.
///
/// ```
/// use tagwise_codec::{Bmp, Decode, encode};
/// let text = Bmp::from_der(&[0x1E, 0x04, 0x00, 0x41, 0x20, 0xAC])?;
/// assert!(text.chars().eq("A€".chars()));
/// assert_eq!(encode(&Bmp::new("A€").unwrap()).unwrap(), [0x1E, 0x04, 0x00, 0x41, 0x20, 0xAC]);
/// assert_eq!(Bmp::new("A🔑").unwrap_err().offset(), 1);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Bmp<'a>(Content<'a>);

#[derive(Clone, Copy)]
enum Content<'a> {
    /// Content bytes. Their number is even.
    Octets(&'a [u8]),
    /// Text within the Basic Multilingual Plane, which is converted when it is written.
    Text(&'a str),
}

impl<'a> Bmp<'a> {
    /// Creates a string from text, which is converted when it is encoded.
    ///
    /// # Errors
    /// Returns [`FaultKind::StringAlphabet`] with the offset in `text` of the first character above U+FFFF.
    pub fn new(text: &'a str) -> Result<Self, Fault> {
        match text.char_indices().find(|(_, char)| *char > '\u{FFFF}') {
            None => Ok(Self(Content::Text(text))),
            Some((at, _)) => Err(Fault::new(FaultKind::StringAlphabet, at)),
        }
    }

    /// Iterates over the characters. Surrogate pairs tolerated by [`Rule::STRING_ALPHABET`] are joined, and unpaired
    /// surrogates become U+FFFD.
    pub fn chars(&self) -> impl Iterator<Item = char> + Clone + use<'a> {
        char::decode_utf16(self.units()).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn units(&self) -> impl Iterator<Item = u16> + Clone + use<'a> {
        let (octets, text) = match self.0 {
            Content::Octets(octets) => (octets, ""),
            Content::Text(text) => (&[][..], text),
        };
        octets.as_chunks::<2>().0.iter().map(|unit| u16::from_be_bytes(*unit)).chain(text.encode_utf16())
    }
}

/// Checks content bytes. Returns the kind and position of the first fault.
#[inline]
pub(super) fn check(octets: &[u8]) -> Result<(), (FaultKind, usize)> {
    let (units, []) = octets.as_chunks::<2>() else {
        return Err((FaultKind::StringLength, octets.len() - 1));
    };
    match units.iter().position(|[high, _]| high & 0xF8 == 0xD8) {
        Some(index) => Err((FaultKind::StringAlphabet, index * 2)),
        None => Ok(()),
    }
}

impl<'a> TryFrom<&'a str> for Bmp<'a> {
    type Error = Fault;

    fn try_from(text: &'a str) -> Result<Self, Fault> {
        Self::new(text)
    }
}

wide_string! { Bmp, "BMPString", BMP_STRING, Bmp, |text: &str| text.encode_utf16().count() * 2, u16 }

//! UniversalString (X.680 §41, X.690 §8.23.7): four bytes per character.

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

/// `UniversalString`: any characters as four big-endian bytes each.
///
/// ```
/// use tagwise_codec::{Decode, Universal, encode};
/// let text = Universal::from_der(&[0x1C, 0x04, 0x00, 0x01, 0xF5, 0x11])?;
/// assert_eq!(text.to_string(), "🔑");
/// assert_eq!(encode(&Universal::new("🔑")).unwrap(), [0x1C, 0x04, 0x00, 0x01, 0xF5, 0x11]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Universal<'a>(Content<'a>);

#[derive(Clone, Copy)]
enum Content<'a> {
    /// Content bytes. Their number is a multiple of four.
    Octets(&'a [u8]),
    /// Text, which is converted when it is written.
    Text(&'a str),
}

impl<'a> Universal<'a> {
    /// Creates a string from text, which is converted when it is encoded.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self(Content::Text(text))
    }

    /// Iterates over the characters. Invalid characters, which only [`Rule::STRING_ALPHABET`] tolerates, become U+FFFD.
    pub fn chars(&self) -> impl Iterator<Item = char> + Clone + use<'a> {
        self.units().map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn units(&self) -> impl Iterator<Item = u32> + Clone + use<'a> {
        let (octets, text) = match self.0 {
            Content::Octets(octets) => (octets, ""),
            Content::Text(text) => (&[][..], text),
        };
        octets.as_chunks::<4>().0.iter().map(|unit| u32::from_be_bytes(*unit)).chain(text.chars().map(u32::from))
    }
}

/// Checks content bytes. Returns the kind and position of the first fault.
#[inline]
pub(super) fn check(octets: &[u8]) -> Result<(), (FaultKind, usize)> {
    let (units, []) = octets.as_chunks::<4>() else {
        return Err((FaultKind::StringLength, octets.len() & !3));
    };
    match units.iter().position(|unit| char::from_u32(u32::from_be_bytes(*unit)).is_none()) {
        Some(index) => Err((FaultKind::StringAlphabet, index * 4)),
        None => Ok(()),
    }
}

impl<'a> From<&'a str> for Universal<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}

wide_string! { Universal, "UniversalString", UNIVERSAL_STRING, Universal, |text: &str| text.chars().count() * 4, u32 }

//! UniversalString (X.680 §41, X.690 §8.23.7): four octets a character.

use core::cmp::Ordering;
use core::fmt::{self, Write};
use core::hash::{Hash, Hasher};

use super::debug_chars;
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::Kind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Shape, StringKind, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// `UniversalString`: any characters, big-endian, four octets each.
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
    /// Content octets, a multiple of four.
    Octets(&'a [u8]),
    /// Text, put into octets when it is written.
    Text(&'a str),
}

impl<'a> Universal<'a> {
    /// A text as a value; it is converted when it is encoded.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self(Content::Text(text))
    }

    /// Content octets as a value.
    ///
    /// # Errors
    /// [`Kind::StringLength`] or [`Kind::StringAlphabet`], with an offset into `octets`.
    pub fn from_content(octets: &'a [u8]) -> Result<Self, Fault> {
        match check(octets) {
            Ok(()) => Ok(Self(Content::Octets(octets))),
            Err((kind, at)) => Err(Fault::new(kind, at)),
        }
    }

    /// The content octets; none if the value was made of text.
    #[must_use]
    pub const fn as_bytes(&self) -> Option<&'a [u8]> {
        match self.0 {
            Content::Octets(octets) => Some(octets),
            Content::Text(_) => None,
        }
    }

    /// Whether there are no characters.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        match self.0 {
            Content::Octets(octets) => octets.is_empty(),
            Content::Text(text) => text.is_empty(),
        }
    }

    /// The characters. What is none, and only [`Rule::STRING_ALPHABET`] lets in, is U+FFFD.
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

/// Checks content octets; gives kind and position of the first fault.
#[inline]
pub(super) fn check(octets: &[u8]) -> Result<(), (Kind, usize)> {
    let (units, []) = octets.as_chunks::<4>() else {
        return Err((Kind::StringLength, octets.len() & !3));
    };
    match units.iter().position(|unit| char::from_u32(u32::from_be_bytes(*unit)).is_none()) {
        Some(index) => Err((Kind::StringAlphabet, index * 4)),
        None => Ok(()),
    }
}

impl<'a> From<&'a str> for Universal<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}

impl Default for Universal<'_> {
    fn default() -> Self {
        Self(Content::Octets(&[]))
    }
}

impl PartialEq for Universal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.units().eq(other.units())
    }
}

impl Eq for Universal<'_> {}

impl Ord for Universal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.units().cmp(other.units())
    }
}

impl PartialOrd for Universal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Universal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.units().for_each(|unit| unit.hash(state));
        state.write_u8(0xFF);
    }
}

impl fmt::Display for Universal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|char| f.write_char(char))
    }
}

impl fmt::Debug for Universal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_chars("Universal", self.chars(), f)
    }
}

impl Typed for Universal<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("UniversalString", Some(Tag::UNIVERSAL_STRING), Shape::String(StringKind::Universal)) }
    }
}

impl Tagged for Universal<'_> {
    const TAG: Tag = Tag::UNIVERSAL_STRING;
}

impl<'a> DecodeValue<'a> for Universal<'a> {
    #[inline]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        let octets = reader.take(len)?;
        match check(octets) {
            Ok(()) => {}
            Err((Kind::StringAlphabet, offset)) => {
                reader.deviate(&Rule::STRING_ALPHABET, Kind::StringAlphabet, at + offset)?;
            }
            Err((kind, offset)) => return Err(reader.fault(kind, at + offset)),
        }
        Ok(Self(Content::Octets(octets)))
    }
}

impl EncodeValue for Universal<'_> {
    #[inline]
    fn value_len(&self) -> usize {
        match self.0 {
            Content::Octets(octets) => octets.len(),
            Content::Text(text) => text.chars().count() * 4,
        }
    }

    #[inline]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        match self.0 {
            // What Rule::STRING_ALPHABET let in has no DER.
            Content::Octets(octets) if check(octets).is_err() => Err(EncodeError::new(Kind::NotEncodable)),
            Content::Octets(octets) => writer.bytes(octets),
            Content::Text(text) => text.chars().rev().try_for_each(|char| writer.bytes(&u32::from(char).to_be_bytes())),
        }
    }
}

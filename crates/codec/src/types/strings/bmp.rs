//! BMPString (X.680 §41, X.690 §8.23.8): two octets a character.

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

/// `BMPString`: characters of the basic multilingual plane, big-endian, two octets each.
///
/// It is not UTF-16: surrogates are not characters. [`Rule::STRING_ALPHABET`] tolerates them, and they are then read as UTF-16.
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
    /// Content octets, an even number.
    Octets(&'a [u8]),
    /// Text within the basic multilingual plane, put into octets when it is written.
    Text(&'a str),
}

impl<'a> Bmp<'a> {
    /// A text as a value; it is converted when it is encoded.
    ///
    /// # Errors
    /// [`Kind::StringAlphabet`] with the offset in `text` of the first character above U+FFFF.
    pub fn new(text: &'a str) -> Result<Self, Fault> {
        match text.char_indices().find(|(_, char)| *char > '\u{FFFF}') {
            None => Ok(Self(Content::Text(text))),
            Some((at, _)) => Err(Fault::new(Kind::StringAlphabet, at)),
        }
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

    /// The characters. Surrogates, which only [`Rule::STRING_ALPHABET`] lets in, are joined in pairs; single ones are U+FFFD.
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

/// Checks content octets; gives kind and position of the first fault.
#[inline]
pub(super) fn check(octets: &[u8]) -> Result<(), (Kind, usize)> {
    let (units, []) = octets.as_chunks::<2>() else {
        return Err((Kind::StringLength, octets.len() - 1));
    };
    match units.iter().position(|[high, _]| high & 0xF8 == 0xD8) {
        Some(index) => Err((Kind::StringAlphabet, index * 2)),
        None => Ok(()),
    }
}

impl<'a> TryFrom<&'a str> for Bmp<'a> {
    type Error = Fault;

    fn try_from(text: &'a str) -> Result<Self, Fault> {
        Self::new(text)
    }
}

impl Default for Bmp<'_> {
    fn default() -> Self {
        Self(Content::Octets(&[]))
    }
}

impl PartialEq for Bmp<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.units().eq(other.units())
    }
}

impl Eq for Bmp<'_> {}

impl Ord for Bmp<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.units().cmp(other.units())
    }
}

impl PartialOrd for Bmp<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Bmp<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.units().for_each(|unit| unit.hash(state));
        state.write_u8(0xFF);
    }
}

impl fmt::Display for Bmp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|char| f.write_char(char))
    }
}

impl fmt::Debug for Bmp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_chars("Bmp", self.chars(), f)
    }
}

impl Typed for Bmp<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("BMPString", Some(Tag::BMP_STRING), Shape::String(StringKind::Bmp)) }
    }
}

impl Tagged for Bmp<'_> {
    const TAG: Tag = Tag::BMP_STRING;
}

impl<'a> DecodeValue<'a> for Bmp<'a> {
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

impl EncodeValue for Bmp<'_> {
    #[inline]
    fn value_len(&self) -> usize {
        match self.0 {
            Content::Octets(octets) => octets.len(),
            Content::Text(text) => text.encode_utf16().count() * 2,
        }
    }

    #[inline]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        match self.0 {
            // What Rule::STRING_ALPHABET let in has no DER.
            Content::Octets(octets) if check(octets).is_err() => Err(EncodeError::new(Kind::NotEncodable)),
            Content::Octets(octets) => writer.bytes(octets),
            // Every character fits one unit.
            Content::Text(text) => text.chars().rev().try_for_each(|char| writer.bytes(&(char as u16).to_be_bytes())),
        }
    }
}

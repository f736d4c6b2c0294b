//! TeletexString, VideotexString, GraphicString, GeneralString (X.680 §41) and ObjectDescriptor (X.680 §48): opaque bytes.

use core::fmt;

use super::display_lossy;
use super::macros::{octet_string_traits, opaque_string, opaque_text};
use crate::decode::DecodeValue;
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::reader::Reader;
use crate::writer::Writer;

opaque_string! {
    /// `TeletexString`, also `T61String`: bytes, not interpreted as T.61.
    ///
    /// ```
    /// use tagwise_codec::{Decode, Teletex};
    /// let text = Teletex::from_der(&[0x14, 0x04, 0x4D, 0xFC, 0x6C, 0x6C])?;
    /// assert_eq!(text.as_bytes(), b"M\xFCll");
    /// assert!(text.latin1_chars().eq("Müll".chars()));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    Teletex, "TeletexString", TELETEX_STRING, Teletex
}

impl<'a> Teletex<'a> {
    /// Iterates over the bytes as ISO 8859-1 characters.
    ///
    /// Most implementations use ISO 8859-1 rather than T.61, which encodes an umlaut in two bytes and redefines some ASCII
    /// bytes. All bytes are accepted.
    pub fn latin1_chars(&self) -> impl DoubleEndedIterator<Item = char> + Clone + use<'a> {
        self.0.iter().map(|octet| char::from(*octet))
    }
}

/// Formats the bytes as ISO 8859-1: see [`Teletex::latin1_chars`].
impl fmt::Display for Teletex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.latin1_chars().try_for_each(|char| f.write_char(char))
    }
}

opaque_string! {
    /// `VideotexString`: opaque bytes.
    ///
    /// ```
    /// use tagwise_codec::{Decode, Videotex};
    /// assert_eq!(Videotex::from_der(&[0x15, 0x01, 0x9B])?.as_bytes(), [0x9B]);
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    Videotex, "VideotexString", VIDEOTEX_STRING, Videotex
}

/// Formats the bytes as ASCII. Bytes that are not printable are escaped, as in `\x9b`.
impl fmt::Display for Videotex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.escape_ascii().fmt(f)
    }
}

opaque_string! {
    /// `GraphicString`: bytes, which may switch between registered graphic character sets.
    ///
    /// ```
    /// use tagwise_codec::{Decode, Graphic};
    /// assert_eq!(Graphic::from_der(&[0x19, 0x02, 0x68, 0x69])?, Graphic::new("hi"));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    Graphic, "GraphicString", GRAPHIC_STRING, Graphic
}

opaque_text!(Graphic);

opaque_string! {
    /// `GeneralString`: bytes, which may switch between registered character sets.
    ///
    /// Kerberos restricts it to ASCII (RFC 4120 §5.2.1), but implementations write UTF-8.
    ///
    /// ```
    /// use tagwise_codec::{Decode, General, encode};
    /// let realm = General::new("ATHENA");
    /// assert_eq!(encode(&realm).unwrap(), *b"\x1B\x06ATHENA");
    /// assert_eq!(General::from_der(b"\x1B\x06ATHENA")?.as_str(), Some("ATHENA"));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    General, "GeneralString", GENERAL_STRING, General
}

opaque_text!(General);

opaque_string! {
    /// `ObjectDescriptor ::= [UNIVERSAL 7] IMPLICIT GraphicString` (X.680 §48): a text describing an object.
    ///
    /// ```
    /// use tagwise_codec::{Decode, ObjectDescriptor};
    /// assert_eq!(ObjectDescriptor::from_der(&[0x07, 0x02, 0x68, 0x69])?.to_string(), "hi");
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    ObjectDescriptor, "ObjectDescriptor", OBJECT_DESCRIPTOR, ObjectDescriptor
}

opaque_text!(ObjectDescriptor);

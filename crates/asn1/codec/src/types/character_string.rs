//! CHARACTER STRING: characters in any abstract syntax, which the value identifies (X.680 §44, X.690 §8.24).

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue, explicit_len, implicit_len};
use crate::fault::Fault;
use crate::reader::Reader;
use crate::table::{Field, Fields, List, Shape, Tagging, Type, TypeRef, Typed};
use crate::tag::Tag;
use crate::types::OctetStr;
use crate::types::presentation::{Identification, tagged};
use crate::writer::Writer;

/// Unrestricted `CHARACTER STRING`: characters, and the identification of their syntaxes.
///
/// ```asn1
/// CHARACTER STRING ::= [UNIVERSAL 29] IMPLICIT SEQUENCE {
///     identification        [0] CHOICE { … },
///     data-value-descriptor [1] ObjectDescriptor OPTIONAL,
///     string-value          [2] OCTET STRING }
///     (WITH COMPONENTS { ..., data-value-descriptor ABSENT })
/// ```
///
/// ```
/// use tagwise_codec::{CharacterString, Identification, OctetStr, encode};
/// let text = CharacterString { identification: Identification::Fixed, string_value: OctetStr::new(b"hi") };
/// assert_eq!(encode(&text).unwrap(), [0x3D, 0x08, 0xA0, 0x02, 0x85, 0x00, 0x82, 0x02, 0x68, 0x69]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CharacterString<'a> {
    /// `identification`: the abstract and transfer syntax.
    pub identification: Identification<'a>,
    /// `string-value`: the encoded characters.
    pub string_value: OctetStr<'a>,
}

impl Typed for CharacterString<'_> {
    fn ty() -> &'static Type {
        static FIELDS: [Field; 2] = [
            tagged!("identification", [0] EXPLICIT, Identification<'static>),
            tagged!("string-value", [2], OctetStr<'static>),
        ];
        static TYPE: Type = Type::new(
            "CHARACTER STRING",
            Some(Tag::CHARACTER_STRING),
            Shape::Presentation(Fields { list: List::Const(&FIELDS), marker: None }),
        );
        &TYPE
    }
}

impl Tagged for CharacterString<'_> {
    const TAG: Tag = Tag::CHARACTER_STRING;
}

impl<'a> DecodeValue<'a> for CharacterString<'a> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        reader.components(len, |r| {
            Ok(Self {
                //  identification [0] CHOICE { … }: explicit, for a CHOICE has no tag of its own (X.680 §31.2.7).
                identification: r.read_explicit(Tag::context(0))?,
                //  string-value [2] OCTET STRING
                string_value: r.read_implicit(Tag::context(2))?,
            })
        })
    }
}

impl EncodeValue for CharacterString<'_> {
    fn value_len(&self) -> usize {
        explicit_len(Tag::context(0), &self.identification) + implicit_len(Tag::context(2), &self.string_value)
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.write_implicit(Tag::context(2), &self.string_value)?;
        writer.write_explicit(Tag::context(0), &self.identification)
    }
}

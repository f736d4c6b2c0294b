//! EMBEDDED PDV: a value in any syntax, which the value itself identifies (X.680 §36, X.690 §8.17).

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue, explicit_len, implicit_len};
use crate::fault::Fault;
use crate::reader::Reader;
use crate::table::{Field, Fields, List, Shape, Tagging, Type, TypeRef, Typed};
use crate::tag::Tag;
use crate::types::OctetStr;
use crate::types::presentation::{Identification, tagged};
use crate::writer::Writer;

/// `EMBEDDED PDV`: an encoded value, and the identification of its syntaxes.
///
/// ```asn1
/// EMBEDDED PDV ::= [UNIVERSAL 11] IMPLICIT SEQUENCE {
///     identification        [0] CHOICE { … },
///     data-value-descriptor [1] ObjectDescriptor OPTIONAL,
///     data-value            [2] OCTET STRING }
///     (WITH COMPONENTS { ..., data-value-descriptor ABSENT })
/// ```
///
/// ```
/// use tagwise_codec::{Decode, EmbeddedPdv, Identification, oid};
/// let input = [0x2B, 0x0B, 0xA0, 0x04, 0x81, 0x02, 0x51, 0x01, 0x82, 0x03, 0x02, 0x01, 0x05];
/// let pdv = EmbeddedPdv::from_der(&input)?;
/// assert_eq!(pdv.identification, Identification::Syntax(oid!("2.1.1")));
/// assert_eq!(u8::from_der(pdv.data_value.as_bytes())?, 5);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EmbeddedPdv<'a> {
    /// `identification`: the abstract and transfer syntax.
    pub identification: Identification<'a>,
    /// `data-value`: the encoded value.
    pub data_value: OctetStr<'a>,
}

impl Typed for EmbeddedPdv<'_> {
    fn ty() -> &'static Type {
        static FIELDS: [Field; 2] = [
            tagged!("identification", [0] EXPLICIT, Identification<'static>),
            tagged!("data-value", [2], OctetStr<'static>),
        ];
        static TYPE: Type = Type::new(
            "EMBEDDED PDV",
            Some(Tag::EMBEDDED_PDV),
            Shape::Presentation(Fields { list: List::Const(&FIELDS), marker: None }),
        );
        &TYPE
    }
}

impl Tagged for EmbeddedPdv<'_> {
    const TAG: Tag = Tag::EMBEDDED_PDV;
}

impl<'a> DecodeValue<'a> for EmbeddedPdv<'a> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        reader.components(len, |r| {
            Ok(Self {
                //  identification [0] CHOICE { … }: explicit, for a CHOICE has no tag of its own (X.680 §31.2.7).
                identification: r.read_explicit(Tag::context(0))?,
                //  data-value [2] OCTET STRING
                data_value: r.read_implicit(Tag::context(2))?,
            })
        })
    }
}

impl EncodeValue for EmbeddedPdv<'_> {
    fn value_len(&self) -> usize {
        explicit_len(Tag::context(0), &self.identification) + implicit_len(Tag::context(2), &self.data_value)
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.write_implicit(Tag::context(2), &self.data_value)?;
        writer.write_explicit(Tag::context(0), &self.identification)
    }
}

//! EXTERNAL (X.680 §37, X.690 §8.18): a value in any syntax, as X.690 encodes it.
//!
//! X.690 §8.18 encodes the components of the 1988 version. X.680 §37 has defined others since 1994, which table 2 of
//! X.690 maps to them. X.690 §11 adds no DER restrictions except for the components. The sender may choose any
//! alternative of `encoding` (§8.18.6, §8.18.7), and the choice is kept.

use crate::__private::held;
use crate::any::Any;
use crate::decode::{Decode, DecodeValue, Tagged};
use crate::encode::{Encode, EncodeError, EncodeValue, explicit_len, implicit_len};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Constraint, Field, Fields, List, Presence, Shape, Tagging, Type, TypeRef, Typed};
use crate::tag::Tag;
use crate::types::presentation::tagged;
use crate::types::{BitStr, Int, ObjectDescriptor, OctetStr, Oid};
use crate::writer::Writer;

/// `EXTERNAL`: a value with a reference to its syntax.
///
/// ```asn1
/// EXTERNAL ::= [UNIVERSAL 8] IMPLICIT SEQUENCE {
///     direct-reference      OBJECT IDENTIFIER OPTIONAL,
///     indirect-reference    INTEGER OPTIONAL,
///     data-value-descriptor ObjectDescriptor OPTIONAL,
///     encoding              CHOICE {
///         single-ASN1-type  [0] ABSTRACT-SYNTAX.&Type,
///         octet-aligned     [1] IMPLICIT OCTET STRING,
///         arbitrary         [2] IMPLICIT BIT STRING } }
/// ```
///
/// At least one of the two references is present (X.690 §8.18.4, table 2). An INSTANCE OF (X.681 Annex C, X.690 §8.16)
/// has the same encoding, with a direct reference and a single ASN.1 type.
///
/// ```
/// use tagwise_codec::{Decode, External, ExternalEncoding, oid};
/// let input = [0x28, 0x09, 0x06, 0x02, 0x51, 0x01, 0xA0, 0x03, 0x02, 0x01, 0x05];
/// let external = External::from_der(&input)?;
/// assert_eq!(external.direct_reference, Some(oid!("2.1.1")));
/// let ExternalEncoding::SingleAsn1Type(any) = external.encoding else { panic!() };
/// assert_eq!(any.decode_as::<u8>()?, 5);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct External<'a> {
    /// `direct-reference`: identifies the abstract and transfer syntaxes or, while a presentation context is negotiated, only the
    /// transfer syntax.
    pub direct_reference: Option<Oid<'a>>,
    /// `indirect-reference`: an OSI presentation context.
    pub indirect_reference: Option<Int<'a>>,
    /// `data-value-descriptor`: a text describing the value.
    pub data_value_descriptor: Option<ObjectDescriptor<'a>>,
    /// `encoding`: the encoded value.
    pub encoding: ExternalEncoding<'a>,
}

impl Typed for External<'_> {
    fn ty() -> &'static Type {
        static FIELDS: [Field; 4] = [
            Field::new("direct-reference", TypeRef::of::<Oid<'static>>()).presence(Presence::Optional),
            Field::new("indirect-reference", TypeRef::of::<Int<'static>>()).presence(Presence::Optional),
            Field::new("data-value-descriptor", TypeRef::of::<ObjectDescriptor<'static>>())
                .presence(Presence::Optional),
            Field::new("encoding", TypeRef::of::<ExternalEncoding<'static>>()),
        ];
        static TYPE: Type = Type::new(
            "EXTERNAL",
            Some(Tag::EXTERNAL),
            Shape::Presentation(Fields { list: List::Const(&FIELDS), marker: None }),
        )
        .constrained(List::Const(&[Constraint::Check(|reader, at| held(reader, at, External::decode_value))]));
        &TYPE
    }
}

impl Tagged for External<'_> {
    const TAG: Tag = Tag::EXTERNAL;
}

impl<'a> DecodeValue<'a> for External<'a> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        let external = reader.components(len, |r| {
            Ok(Self {
                //  direct-reference OBJECT IDENTIFIER OPTIONAL,
                direct_reference: r.read_optional()?,
                //  indirect-reference INTEGER OPTIONAL,
                indirect_reference: r.read_optional()?,
                //  data-value-descriptor ObjectDescriptor OPTIONAL,
                data_value_descriptor: r.read_optional()?,
                //  encoding CHOICE { … }
                encoding: r.read()?,
            })
        })?;
        if external.is_referenced() { Ok(external) } else { Err(reader.fault(FaultKind::Inconsistent, at)) }
    }
}

impl External<'_> {
    /// Returns whether at least one of the two references is present (X.690 §8.18.4, table 2).
    const fn is_referenced(&self) -> bool {
        self.direct_reference.is_some() || self.indirect_reference.is_some()
    }
}

impl EncodeValue for External<'_> {
    fn value_len(&self) -> usize {
        self.direct_reference.map_or(0, |oid| oid.encoded_len())
            + self.indirect_reference.map_or(0, |int| int.encoded_len())
            + self.data_value_descriptor.map_or(0, |text| text.encoded_len())
            + self.encoding.encoded_len()
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        if !self.is_referenced() {
            return Err(EncodeError::new(FaultKind::Inconsistent));
        }
        writer.write(&self.encoding)?;
        if let Some(text) = self.data_value_descriptor {
            writer.write(&text)?;
        }
        if let Some(int) = self.indirect_reference {
            writer.write(&int)?;
        }
        match self.direct_reference {
            Some(oid) => writer.write(&oid),
            None => Ok(()),
        }
    }
}

/// The encoded value in an [`External`].
///
/// ```
/// use tagwise_codec::{Decode, ExternalEncoding, OctetStr};
/// let read = ExternalEncoding::from_der(&[0x81, 0x01, 0x2A])?;
/// assert_eq!(read, ExternalEncoding::OctetAligned(OctetStr::new(&[0x2A])));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalEncoding<'a> {
    /// `single-ASN1-type`: one BER value.
    SingleAsn1Type(Any<'a>),
    /// `octet-aligned`: whole bytes.
    OctetAligned(OctetStr<'a>),
    /// `arbitrary`: any number of bits.
    Arbitrary(BitStr<'a>),
}

impl Typed for ExternalEncoding<'_> {
    fn ty() -> &'static Type {
        static ALTERNATIVES: [Field; 3] = [
            tagged!("single-ASN1-type", [0] EXPLICIT, Any<'static>),
            tagged!("octet-aligned", [1], OctetStr<'static>),
            tagged!("arbitrary", [2], BitStr<'static>),
        ];
        static TYPE: Type =
            Type::new("encoding", None, Shape::Choice { alternatives: List::Const(&ALTERNATIVES), extensible: false });
        &TYPE
    }
}

impl<'a> Decode<'a> for ExternalEncoding<'a> {
    fn starts(reader: &Reader<'a, '_>) -> bool {
        (0..=2).any(|number| reader.at(Tag::context(number)))
    }

    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        let at = reader.position();
        let found = reader.peek()?;
        match (0..=2).find(|number| found.same(Tag::context(*number))) {
            //  single-ASN1-type [0] ABSTRACT-SYNTAX.&Type,
            Some(0) => reader.read_explicit(Tag::context(0)).map(Self::SingleAsn1Type),
            //  octet-aligned [1] IMPLICIT OCTET STRING,
            Some(1) => reader.read_implicit(Tag::context(1)).map(Self::OctetAligned),
            //  arbitrary [2] IMPLICIT BIT STRING
            Some(_) => reader.read_implicit(Tag::context(2)).map(Self::Arbitrary),
            None => Err(reader.fault(FaultKind::ChoiceUnknown, at)),
        }
    }
}

impl Encode for ExternalEncoding<'_> {
    fn encoded_len(&self) -> usize {
        match self {
            Self::SingleAsn1Type(any) => explicit_len(Tag::context(0), any),
            Self::OctetAligned(octets) => implicit_len(Tag::context(1), octets),
            Self::Arbitrary(bits) => implicit_len(Tag::context(2), bits),
        }
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        match self {
            Self::SingleAsn1Type(any) => writer.write_explicit(Tag::context(0), any),
            Self::OctetAligned(octets) => writer.write_implicit(Tag::context(1), octets),
            Self::Arbitrary(bits) => writer.write_implicit(Tag::context(2), bits),
        }
    }
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;

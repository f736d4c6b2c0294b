//! Shared parts of EMBEDDED PDV and CHARACTER STRING: the syntaxes of their values (X.680 §36.5, §44.5).
//!
//! X.690 §11 adds no DER restrictions to these types except for their components.

use crate::decode::{Decode, DecodeValue, Tagged};
use crate::encode::{Encode, EncodeError, EncodeValue, implicit_len};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Field, Fields, List, Shape, Tagging, Type, TypeRef, Typed};
use crate::tag::Tag;
use crate::types::{Int, Null, Oid};
use crate::writer::Writer;

/// Creates the table entry of a component or alternative with its context-specific tag.
macro_rules! tagged {
    ($name:literal, [$number:literal] $($explicit:ident)?, $ty:ty) => {
        Field::new($name, TypeRef::of::<$ty>()).tagged(List::Const(
            const { &[Tagging { tag: Tag::context($number), explicit: tagged!(@ $($explicit)?) }] },
        ))
    };
    (@ EXPLICIT) => { true };
    (@) => { false };
}

pub(super) use tagged;

/// The abstract and transfer syntax of a value: the `identification` of an EMBEDDED PDV or CHARACTER STRING.
///
/// ```asn1
/// identification CHOICE {
///     syntaxes                [0] SEQUENCE {
///         abstract            [0] OBJECT IDENTIFIER,
///         transfer            [1] OBJECT IDENTIFIER },
///     syntax                  [1] OBJECT IDENTIFIER,
///     presentation-context-id [2] INTEGER,
///     context-negotiation     [3] SEQUENCE {
///         presentation-context-id [0] INTEGER,
///         transfer-syntax         [1] OBJECT IDENTIFIER },
///     transfer-syntax         [4] OBJECT IDENTIFIER,
///     fixed                   [5] NULL }
/// ```
///
/// The tags are implicit, because X.680 §36.5 assumes automatic tagging.
///
/// ```
/// use tagwise_codec::{Decode, Identification, encode, oid};
/// let ber = Identification::Syntax(oid!("2.1.1"));
/// assert_eq!(encode(&ber).unwrap(), [0x81, 0x02, 0x51, 0x01]);
/// assert_eq!(Identification::from_der(&[0x85, 0x00])?, Identification::Fixed);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Identification<'a> {
    /// Separate identifiers for the abstract and transfer syntax.
    Syntaxes(Syntaxes<'a>),
    /// One identifier for both the abstract and transfer syntax.
    Syntax(Oid<'a>),
    /// A negotiated OSI presentation context for both syntaxes.
    PresentationContextId(Int<'a>),
    /// An OSI presentation context under negotiation for the abstract syntax, and an identifier for the transfer
    /// syntax.
    ContextNegotiation(ContextNegotiation<'a>),
    /// An identifier for the transfer syntax. Both sides already know the abstract syntax.
    TransferSyntax(Oid<'a>),
    /// Both syntaxes are fixed in advance between the peers.
    Fixed,
}

impl Typed for Identification<'_> {
    fn ty() -> &'static Type {
        static ALTERNATIVES: [Field; 6] = [
            tagged!("syntaxes", [0], Syntaxes<'static>),
            tagged!("syntax", [1], Oid<'static>),
            tagged!("presentation-context-id", [2], Int<'static>),
            tagged!("context-negotiation", [3], ContextNegotiation<'static>),
            tagged!("transfer-syntax", [4], Oid<'static>),
            tagged!("fixed", [5], Null),
        ];
        static TYPE: Type = Type::new(
            "identification",
            None,
            Shape::Choice { alternatives: List::Const(&ALTERNATIVES), extensible: false },
        );
        &TYPE
    }
}

impl<'a> Decode<'a> for Identification<'a> {
    fn starts(reader: &Reader<'a, '_>) -> bool {
        (0..=5).any(|number| reader.at(Tag::context(number)))
    }

    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        let at = reader.position();
        let found = reader.peek()?;
        match (0..=5).find(|number| found.same(Tag::context(*number))) {
            //  syntaxes [0] SEQUENCE { … },
            Some(0) => reader.read_implicit(Tag::context(0)).map(Self::Syntaxes),
            //  syntax [1] OBJECT IDENTIFIER,
            Some(1) => reader.read_implicit(Tag::context(1)).map(Self::Syntax),
            //  presentation-context-id [2] INTEGER,
            Some(2) => reader.read_implicit(Tag::context(2)).map(Self::PresentationContextId),
            //  context-negotiation [3] SEQUENCE { … },
            Some(3) => reader.read_implicit(Tag::context(3)).map(Self::ContextNegotiation),
            //  transfer-syntax [4] OBJECT IDENTIFIER,
            Some(4) => reader.read_implicit(Tag::context(4)).map(Self::TransferSyntax),
            //  fixed [5] NULL
            Some(_) => reader.read_implicit(Tag::context(5)).map(|Null| Self::Fixed),
            None => Err(reader.fault(FaultKind::ChoiceUnknown, at)),
        }
    }
}

impl Encode for Identification<'_> {
    fn encoded_len(&self) -> usize {
        match self {
            Self::Syntaxes(syntaxes) => implicit_len(Tag::context(0), syntaxes),
            Self::Syntax(oid) => implicit_len(Tag::context(1), oid),
            Self::PresentationContextId(id) => implicit_len(Tag::context(2), id),
            Self::ContextNegotiation(negotiation) => implicit_len(Tag::context(3), negotiation),
            Self::TransferSyntax(oid) => implicit_len(Tag::context(4), oid),
            Self::Fixed => implicit_len(Tag::context(5), &Null),
        }
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        match self {
            Self::Syntaxes(syntaxes) => writer.write_implicit(Tag::context(0), syntaxes),
            Self::Syntax(oid) => writer.write_implicit(Tag::context(1), oid),
            Self::PresentationContextId(id) => writer.write_implicit(Tag::context(2), id),
            Self::ContextNegotiation(negotiation) => writer.write_implicit(Tag::context(3), negotiation),
            Self::TransferSyntax(oid) => writer.write_implicit(Tag::context(4), oid),
            Self::Fixed => writer.write_implicit(Tag::context(5), &Null),
        }
    }
}

/// Abstract and transfer syntax: see [`Identification`].
///
/// ```
/// use tagwise_codec::{Syntaxes, encode, oid};
/// let syntaxes = Syntaxes { abstract_syntax: oid!("2.1.2"), transfer_syntax: oid!("2.1.1") };
/// assert_eq!(encode(&syntaxes).unwrap(), [0x30, 0x08, 0x80, 0x02, 0x51, 0x02, 0x81, 0x02, 0x51, 0x01]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Syntaxes<'a> {
    /// `abstract`: the abstract syntax.
    pub abstract_syntax: Oid<'a>,
    /// `transfer`: the transfer syntax.
    pub transfer_syntax: Oid<'a>,
}

impl Typed for Syntaxes<'_> {
    fn ty() -> &'static Type {
        static FIELDS: [Field; 2] = [tagged!("abstract", [0], Oid<'static>), tagged!("transfer", [1], Oid<'static>)];
        static TYPE: Type = Type::new(
            "syntaxes",
            Some(Tag::SEQUENCE),
            Shape::Sequence(Fields { list: List::Const(&FIELDS), marker: None }),
        );
        &TYPE
    }
}

impl Tagged for Syntaxes<'_> {
    const TAG: Tag = Tag::SEQUENCE;
}

impl<'a> DecodeValue<'a> for Syntaxes<'a> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        reader.components(len, |r| {
            Ok(Self {
                //  abstract [0] OBJECT IDENTIFIER,
                abstract_syntax: r.read_implicit(Tag::context(0))?,
                //  transfer [1] OBJECT IDENTIFIER
                transfer_syntax: r.read_implicit(Tag::context(1))?,
            })
        })
    }
}

impl EncodeValue for Syntaxes<'_> {
    fn value_len(&self) -> usize {
        implicit_len(Tag::context(0), &self.abstract_syntax) + implicit_len(Tag::context(1), &self.transfer_syntax)
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.write_implicit(Tag::context(1), &self.transfer_syntax)?;
        writer.write_implicit(Tag::context(0), &self.abstract_syntax)
    }
}

/// A presentation context under negotiation, and a transfer syntax: see [`Identification`].
///
/// ```
/// use tagwise_codec::{ContextNegotiation, Decode, oid};
/// let read = ContextNegotiation::from_der(&[0x30, 0x07, 0x80, 0x01, 0x03, 0x81, 0x02, 0x51, 0x01])?;
/// assert_eq!(u8::try_from(read.presentation_context_id), Ok(3));
/// assert_eq!(read.transfer_syntax, oid!("2.1.1"));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContextNegotiation<'a> {
    /// `presentation-context-id`: the presentation context under negotiation.
    pub presentation_context_id: Int<'a>,
    /// `transfer-syntax`: the proposed transfer syntax.
    pub transfer_syntax: Oid<'a>,
}

impl Typed for ContextNegotiation<'_> {
    fn ty() -> &'static Type {
        static FIELDS: [Field; 2] =
            [tagged!("presentation-context-id", [0], Int<'static>), tagged!("transfer-syntax", [1], Oid<'static>)];
        static TYPE: Type = Type::new(
            "context-negotiation",
            Some(Tag::SEQUENCE),
            Shape::Sequence(Fields { list: List::Const(&FIELDS), marker: None }),
        );
        &TYPE
    }
}

impl Tagged for ContextNegotiation<'_> {
    const TAG: Tag = Tag::SEQUENCE;
}

impl<'a> DecodeValue<'a> for ContextNegotiation<'a> {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        reader.components(len, |r| {
            Ok(Self {
                //  presentation-context-id [0] INTEGER,
                presentation_context_id: r.read_implicit(Tag::context(0))?,
                //  transfer-syntax [1] OBJECT IDENTIFIER
                transfer_syntax: r.read_implicit(Tag::context(1))?,
            })
        })
    }
}

impl EncodeValue for ContextNegotiation<'_> {
    fn value_len(&self) -> usize {
        implicit_len(Tag::context(0), &self.presentation_context_id)
            + implicit_len(Tag::context(1), &self.transfer_syntax)
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.write_implicit(Tag::context(1), &self.transfer_syntax)?;
        writer.write_implicit(Tag::context(0), &self.presentation_context_id)
    }
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;

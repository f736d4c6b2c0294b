//! Values of the model, computed.

use crate::int::Int;
use crate::model::TypeId;

/// A value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// TRUE or FALSE.
    Boolean(bool),
    /// An INTEGER.
    Integer(Int),
    /// An item of an ENUMERATED.
    Enumerated(Named),
    /// A REAL.
    Real(Real),
    /// A BIT STRING.
    BitString(Bits),
    /// An OCTET STRING.
    OctetString(Vec<u8>),
    /// NULL.
    Null,
    /// An OBJECT IDENTIFIER: its arcs, at least two.
    ObjectIdentifier(Vec<Arc>),
    /// A RELATIVE-OID: its arcs.
    RelativeOid(Vec<Arc>),
    /// An OID-IRI or RELATIVE-OID-IRI, as written.
    Iri(String),
    /// A character string of any kind.
    String(String),
    /// A time of any kind, as written.
    Time(String),
    /// A SEQUENCE or SET: the components that are there, in the order of the type.
    Sequence(Vec<(String, Value)>),
    /// A SEQUENCE OF or SET OF.
    SequenceOf(Vec<Value>),
    /// An alternative of a CHOICE.
    Choice(String, Box<Value>),
    /// A value of an open type, with its type.
    Open(TypeId, Box<Value>),
    /// A value whose encoding an OCTET STRING or BIT STRING holds.
    Containing(TypeId, Box<Value>),
}

/// An item of an ENUMERATED.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its number.
    pub number: Int,
}

/// An arc of an object identifier, not negative. Names in the text are not kept.
pub type Arc = Int;

/// Bits, the first in the most significant bit of the first octet; bits behind the last are zero.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Bits {
    /// The octets.
    pub octets: Vec<u8>,
    /// How many bits there are.
    pub len: usize,
}

/// A REAL (X.680 §21).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Real {
    /// `mantissa × base^exponent`; the base is 2 or 10. Zero has the mantissa 0.
    Number {
        /// The mantissa.
        mantissa: Int,
        /// The base: 2 or 10.
        base: u8,
        /// The exponent.
        exponent: Int,
    },
    /// -0.
    MinusZero,
    /// PLUS-INFINITY.
    PlusInfinity,
    /// MINUS-INFINITY.
    MinusInfinity,
    /// NOT-A-NUMBER.
    NotANumber,
}

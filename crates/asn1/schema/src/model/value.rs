//! Computed values.

use std::fmt;

use crate::int::Int;
use crate::model::TypeId;

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A BOOLEAN.
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
    /// An OBJECT IDENTIFIER, with at least two arcs.
    ObjectIdentifier(Vec<Arc>),
    /// A RELATIVE-OID.
    RelativeOid(Vec<Arc>),
    /// An OID-IRI or RELATIVE-OID-IRI, as written.
    Iri(String),
    /// A character string of any kind.
    String(String),
    /// A time of any kind, as written.
    Time(String),
    /// A SEQUENCE or SET: the components that are present, in type order.
    Sequence(Vec<(String, Value)>),
    /// A SEQUENCE OF or SET OF.
    SequenceOf(Vec<Value>),
    /// An alternative of a CHOICE.
    Choice(String, Box<Value>),
    /// A value of an open type, with its type.
    Open(TypeId, Box<Value>),
    /// A value whose encoding is contained in an OCTET STRING or BIT STRING.
    Containing(TypeId, Box<Value>),
}

/// An item of an ENUMERATED.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The item's name.
    pub name: String,
    /// The item's number.
    pub number: Int,
}

/// A non-negative arc of an object identifier. Names of arcs in the source text are not retained.
pub type Arc = Int;

/// Bits, starting with the most significant bit of the first byte. Bits after the last one are zero.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Bits {
    /// The bytes that contain the bits.
    pub octets: Vec<u8>,
    /// The number of bits.
    pub len: usize,
}

/// A REAL (X.680 §21).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Real {
    /// `mantissa × base^exponent` with base 2 or 10. Zero has mantissa 0.
    Number {
        /// The mantissa.
        mantissa: Int,
        /// The base: 2 or 10.
        base: u8,
        /// The exponent to which the base is raised.
        exponent: Int,
    },
    /// Minus zero.
    MinusZero,
    /// PLUS-INFINITY.
    PlusInfinity,
    /// MINUS-INFINITY.
    MinusInfinity,
    /// NOT-A-NUMBER.
    NotANumber,
}

impl Real {
    /// Compares two numbers as doubles. Returns `None` if they are too close to compare this way.
    pub(crate) fn compare(&self, other: &Self) -> Option<std::cmp::Ordering> {
        let (one, other) = (self.double()?, other.double()?);
        // Both may have been rounded.
        let is_clear =
            one.is_infinite() || other.is_infinite() || (one - other).abs() > 1e-9 * one.abs().max(other.abs());
        if is_clear { one.partial_cmp(&other) } else { None }
    }

    fn double(&self) -> Option<f64> {
        match self {
            Self::Number { mantissa, base, exponent } => {
                let (mantissa, exponent) = (mantissa.to_i128()?, i32::try_from(exponent.to_i64()?).ok()?);
                Some(mantissa as f64 * f64::from(*base).powi(exponent)).filter(|double| double.is_finite())
            }
            Self::MinusZero => Some(0.0),
            Self::PlusInfinity => Some(f64::INFINITY),
            Self::MinusInfinity => Some(f64::NEG_INFINITY),
            Self::NotANumber => None,
        }
    }
}

/// Writes items with commas between braces.
fn braced<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    separator: &str,
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str("{")?;
    for (index, item) in items.iter().enumerate() {
        f.write_str(if index > 0 { separator } else { " " })?;
        write(f, item)?;
    }
    f.write_str(if items.is_empty() { "}" } else { " }" })
}

/// Formats the value in X.680 value notation.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            Self::Integer(int) => write!(f, "{int}"),
            Self::Enumerated(item) => f.write_str(&item.name),
            Self::Real(real) => write!(f, "{real}"),
            Self::BitString(bits) => {
                f.write_str("'")?;
                for place in 0..bits.len {
                    let octet = bits.octets.get(place / 8).copied().unwrap_or(0);
                    f.write_str(if octet & (0x80 >> (place % 8)) == 0 { "0" } else { "1" })?;
                }
                f.write_str("'B")
            }
            Self::OctetString(octets) => {
                f.write_str("'")?;
                octets.iter().try_for_each(|octet| write!(f, "{octet:02X}"))?;
                f.write_str("'H")
            }
            Self::Null => f.write_str("NULL"),
            Self::ObjectIdentifier(arcs) | Self::RelativeOid(arcs) => braced(f, arcs, " ", |f, arc| write!(f, "{arc}")),
            Self::Iri(text) | Self::String(text) | Self::Time(text) => {
                write!(f, "\"{}\"", text.replace('"', "\"\""))
            }
            Self::Sequence(parts) => braced(f, parts, ", ", |f, (name, value)| write!(f, "{name} {value}")),
            Self::SequenceOf(parts) => braced(f, parts, ", ", |f, value| write!(f, "{value}")),
            Self::Choice(name, inner) => write!(f, "{name}: {inner}"),
            Self::Open(_, inner) => write!(f, "{inner}"),
            Self::Containing(_, inner) => write!(f, "CONTAINING {inner}"),
        }
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { mantissa, .. } if mantissa.is_zero() => f.write_str("0"),
            Self::Number { mantissa, base: 10, exponent } => write!(f, "{mantissa}E{exponent}"),
            Self::Number { mantissa, base, exponent } => {
                write!(f, "{{ mantissa {mantissa}, base {base}, exponent {exponent} }}")
            }
            Self::MinusZero => f.write_str("-0"),
            Self::PlusInfinity => f.write_str("PLUS-INFINITY"),
            Self::MinusInfinity => f.write_str("MINUS-INFINITY"),
            Self::NotANumber => f.write_str("NOT-A-NUMBER"),
        }
    }
}

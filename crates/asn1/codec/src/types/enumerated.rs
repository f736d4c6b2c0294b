//! ENUMERATED (X.680 §20, X.690 §8.4) as a number. Derived enums build on it.

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::reader::Reader;
use crate::table::{List, Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// An `ENUMERATED` with any number.
///
/// The content follows the rules of INTEGER. The numbers are not restricted here: derived enums read an `Enumerated`
/// and reject unlisted numbers, or keep them if extensible. Numbers beyond 64 bits are an error
/// ([`FaultKind::IntegerRange`](crate::FaultKind::IntegerRange)).
///
/// ```
/// use tagwise_codec::{Decode, Enumerated, encode};
/// assert_eq!(Enumerated::from_der(&[0x0A, 0x01, 0x06])?, Enumerated(6));
/// assert_eq!(encode(&Enumerated(-1)).unwrap(), [0x0A, 0x01, 0xFF]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Enumerated(
    /// The number that identifies the item.
    pub i64,
);

impl From<i64> for Enumerated {
    fn from(number: i64) -> Self {
        Self(number)
    }
}

impl From<Enumerated> for i64 {
    fn from(value: Enumerated) -> Self {
        value.0
    }
}

impl Typed for Enumerated {
    fn ty() -> &'static Type {
        const { &Type::new("ENUMERATED", Some(Tag::ENUMERATED), Shape::Enumerated { items: List::EMPTY, extensible: true }) }
    }
}

impl Tagged for Enumerated {
    const TAG: Tag = Tag::ENUMERATED;
}

impl<'a> DecodeValue<'a> for Enumerated {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        i64::decode_value(reader, len).map(Self)
    }
}

impl EncodeValue for Enumerated {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        self.0.value_len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        self.0.encode_value(writer)
    }
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;

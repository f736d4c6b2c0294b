//! NULL (X.680 §24, X.690 §8.8).

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// The `NULL` type, which has a single value without content.
///
/// ```
/// use tagwise_codec::{Decode, Null};
/// assert_eq!(Null::from_der(&[0x05, 0x00])?, Null);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Null;

impl Typed for Null {
    fn ty() -> &'static Type {
        const { &Type::new("NULL", Some(Tag::NULL), Shape::Null) }
    }
}

impl Tagged for Null {
    const TAG: Tag = Tag::NULL;
}

impl<'a> DecodeValue<'a> for Null {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        if len == 0 { Ok(Self) } else { Err(reader.fault(FaultKind::NullLength, reader.position())) }
    }
}

impl EncodeValue for Null {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        0
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, _: &mut Writer<'_>) -> Result<(), EncodeError> {
        Ok(())
    }
}

//! BOOLEAN (X.680 §18, X.690 §8.2, §11.1).

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

impl Typed for bool {
    fn ty() -> &'static Type {
        const { &Type::new("BOOLEAN", Some(Tag::BOOLEAN), Shape::Boolean) }
    }
}

impl Tagged for bool {
    const TAG: Tag = Tag::BOOLEAN;
}

impl<'a> DecodeValue<'a> for bool {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        match reader.take(len)? {
            [0x00] => Ok(false),
            [0xFF] => Ok(true),
            [_] => reader.deviate(&Rule::BOOLEAN_VALUE, FaultKind::BooleanValue, at).map(|()| true),
            _ => Err(reader.fault(FaultKind::BooleanLength, at)),
        }
    }
}

impl EncodeValue for bool {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        1
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.octet(if *self { 0xFF } else { 0x00 })
    }
}

//! `Box<T>` for recursive types, and references for encoding.
//!
//! A boxed CHOICE has no tag of its own. Put the derive's `boxed` attribute on the CHOICE to make the box decodable.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use crate::decode::Tagged;
use crate::encode::{EncodeError, EncodeValue};
use crate::tag::Tag;
use crate::writer::Writer;
#[cfg(feature = "alloc")]
use crate::{
    decode::DecodeValue,
    fault::Fault,
    reader::Reader,
    table::{Type, Typed},
};

#[cfg(feature = "alloc")]
impl<T: Typed> Typed for Box<T> {
    fn ty() -> &'static Type {
        T::ty()
    }
}

#[cfg(feature = "alloc")]
impl<T: Tagged> Tagged for Box<T> {
    const TAG: Tag = T::TAG;
}

#[cfg(feature = "alloc")]
impl<'a, T: DecodeValue<'a>> DecodeValue<'a> for Box<T> {
    #[inline]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        T::decode_value(reader, len).map(Box::new)
    }
}

#[cfg(feature = "alloc")]
impl<T: EncodeValue> EncodeValue for Box<T> {
    fn value_len(&self) -> usize {
        (**self).value_len()
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        (**self).encode_value(writer)
    }
}

impl<T: Tagged> Tagged for &T {
    const TAG: Tag = T::TAG;
}

impl<T: EncodeValue> EncodeValue for &T {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        (**self).value_len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        (**self).encode_value(writer)
    }
}

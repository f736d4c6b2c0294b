//! `Box<T>` for recursive types, and references for encoding.
//!
//! A box is read as what is in it, so it works for CHOICE too; IMPLICIT tags on a boxed component are the derive's work.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use crate::decode::Tagged;
#[cfg(feature = "alloc")]
use crate::encode::Encode;
use crate::encode::{EncodeError, EncodeValue};
use crate::tag::Tag;
use crate::writer::Writer;
#[cfg(feature = "alloc")]
use crate::{
    decode::Decode,
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
impl<'a, T: Decode<'a>> Decode<'a> for Box<T> {
    #[inline(always)]
    fn starts(reader: &Reader<'a, '_>) -> bool {
        T::starts(reader)
    }

    #[inline]
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        T::decode(reader).map(Box::new)
    }
}

#[cfg(feature = "alloc")]
impl<T: Encode> Encode for Box<T> {
    fn encoded_len(&self) -> usize {
        (**self).encoded_len()
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        (**self).encode(writer)
    }
}

impl<T: Tagged> Tagged for &T {
    const TAG: Tag = T::TAG;
}

impl<T: EncodeValue> EncodeValue for &T {
    #[inline(always)]
    fn value_len(&self) -> usize {
        (**self).value_len()
    }

    #[inline(always)]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        (**self).encode_value(writer)
    }
}

//! OCTET STRING components with a user-defined byte type.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, boxed::Box, vec::Vec};

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Type, Typed};
use crate::tag::Tag;
use crate::types::OctetStr;
use crate::writer::Writer;

/// A byte type that can be built from OCTET STRING content, for `#[asn1(octets)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be created from the bytes of an OCTET STRING",
    note = "`Vec<u8>`, `[u8; N]`, `&[u8]`, `Cow<[u8]>` and `Box<[u8]>` can"
)]
pub trait FromOctets<'a>: AsRef<[u8]> + Sized {
    /// Converts the bytes to this type. Returns `None` if they have the wrong length.
    fn from_octets(octets: &'a [u8]) -> Option<Self>;
}

impl<'a> FromOctets<'a> for &'a [u8] {
    fn from_octets(octets: &'a [u8]) -> Option<Self> {
        Some(octets)
    }
}

impl<const N: usize> FromOctets<'_> for [u8; N] {
    fn from_octets(octets: &[u8]) -> Option<Self> {
        octets.try_into().ok()
    }
}

#[cfg(feature = "alloc")]
impl FromOctets<'_> for Vec<u8> {
    fn from_octets(octets: &[u8]) -> Option<Self> {
        Some(octets.to_vec())
    }
}

#[cfg(feature = "alloc")]
impl FromOctets<'_> for Box<[u8]> {
    fn from_octets(octets: &[u8]) -> Option<Self> {
        Some(octets.into())
    }
}

#[cfg(feature = "alloc")]
impl<'a> FromOctets<'a> for Cow<'a, [u8]> {
    fn from_octets(octets: &'a [u8]) -> Option<Self> {
        Some(Self::Borrowed(octets))
    }
}

/// Encodes bytes as an OCTET STRING, in derived code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Octets<T>(
    /// The bytes to encode.
    pub T,
);

impl<T> Typed for Octets<T> {
    fn ty() -> &'static Type {
        OctetStr::ty()
    }
}

impl<T> Tagged for Octets<T> {
    const TAG: Tag = Tag::OCTET_STRING;
}

impl<'a, T: FromOctets<'a>> DecodeValue<'a> for Octets<T> {
    #[inline]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        T::from_octets(reader.take(len)?).map(Self).ok_or_else(|| reader.fault(FaultKind::Size, at))
    }
}

impl<T: AsRef<[u8]>> EncodeValue for Octets<T> {
    #[inline]
    fn value_len(&self) -> usize {
        self.0.as_ref().len()
    }

    #[inline]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.0.as_ref())
    }
}

//! OCTET STRING (X.680 §23, X.690 §8.7; primitive in DER, §10.2).

use core::ops::Deref;

use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::reader::Reader;
use crate::table::{Shape, Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// A borrowed `OCTET STRING`: any bytes.
///
/// ```
/// use tagwise_codec::{Decode, OctetStr};
/// let octets = OctetStr::from_der(&[0x04, 0x02, 0xCA, 0xFE])?;
/// assert_eq!(*octets, [0xCA, 0xFE]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OctetStr<'a>(&'a [u8]);

impl<'a> OctetStr<'a> {
    /// Wraps bytes as an OCTET STRING.
    #[must_use]
    pub const fn new(octets: &'a [u8]) -> Self {
        Self(octets)
    }

    /// Returns the bytes, with the lifetime of the input.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }
}

impl<'a> From<&'a [u8]> for OctetStr<'a> {
    fn from(octets: &'a [u8]) -> Self {
        Self(octets)
    }
}

impl Deref for OctetStr<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

impl Typed for OctetStr<'_> {
    fn ty() -> &'static Type {
        const { &Type::new("OCTET STRING", Some(Tag::OCTET_STRING), Shape::OctetString) }
    }
}

impl Tagged for OctetStr<'_> {
    const TAG: Tag = Tag::OCTET_STRING;
}

impl<'a> DecodeValue<'a> for OctetStr<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        reader.take(len).map(Self)
    }
}

impl EncodeValue for OctetStr<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        self.0.len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.0)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn content_octets(&self) -> Option<&[u8]> {
        Some(self.0)
    }
}

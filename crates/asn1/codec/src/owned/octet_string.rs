//! An owned OCTET STRING.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::ops::{Deref, DerefMut};

use super::{as_borrowed, compares};
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::reader::Reader;
use crate::table::{Type, Typed};
use crate::tag::Tag;
use crate::types::OctetStr;
use crate::writer::Writer;

/// An owned `OCTET STRING`: the counterpart of [`OctetStr`]. It behaves like a byte vector but encodes as an OCTET
/// STRING.
///
/// ```
/// use tagwise_codec::{Decode, OctetStr, OctetString, encode};
/// let mut bytes = OctetString::from_der(&[0x04, 0x02, 0xCA, 0xFE])?;
/// bytes.push(1);
/// assert_eq!(bytes, OctetStr::new(&[0xCA, 0xFE, 1]));
/// assert_eq!(encode(&OctetString::from([7]))?, [0x04, 0x01, 0x07]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OctetString(Vec<u8>);

impl OctetString {
    /// Copies a borrowed OCTET STRING.
    #[must_use]
    pub fn new(octets: OctetStr<'_>) -> Self {
        Self(octets.as_bytes().to_vec())
    }

    /// Returns the bytes of the OCTET STRING.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Borrows the value as an [`OctetStr`].
    #[must_use]
    pub fn as_octet_str(&self) -> OctetStr<'_> {
        OctetStr::new(&self.0)
    }

    /// Returns the bytes without copying them.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        self.0
    }
}

as_borrowed!(OctetString, OctetStr, as_octet_str, |octets| Some(Self::new(octets)));
compares!(OctetString, OctetStr, as_octet_str);

impl Deref for OctetString {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for OctetString {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl AsRef<[u8]> for OctetString {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Borrow<[u8]> for OctetString {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for OctetString {
    fn from(octets: Vec<u8>) -> Self {
        Self(octets)
    }
}

impl From<Box<[u8]>> for OctetString {
    fn from(octets: Box<[u8]>) -> Self {
        Self(octets.into_vec())
    }
}

impl From<&[u8]> for OctetString {
    fn from(octets: &[u8]) -> Self {
        Self(octets.to_vec())
    }
}

impl<const N: usize> From<[u8; N]> for OctetString {
    fn from(octets: [u8; N]) -> Self {
        Self(octets.to_vec())
    }
}

impl<const N: usize> From<&[u8; N]> for OctetString {
    fn from(octets: &[u8; N]) -> Self {
        Self(octets.to_vec())
    }
}

impl From<&str> for OctetString {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<OctetString> for Vec<u8> {
    fn from(octets: OctetString) -> Self {
        octets.0
    }
}

impl PartialEq<[u8]> for OctetString {
    fn eq(&self, other: &[u8]) -> bool {
        self.0 == other
    }
}

impl<const N: usize> PartialEq<[u8; N]> for OctetString {
    fn eq(&self, other: &[u8; N]) -> bool {
        self.0 == other
    }
}

impl FromIterator<u8> for OctetString {
    fn from_iter<I: IntoIterator<Item = u8>>(octets: I) -> Self {
        Self(octets.into_iter().collect())
    }
}

impl Typed for Cow<'_, [u8]> {
    fn ty() -> &'static Type {
        OctetStr::ty()
    }
}

impl Tagged for Cow<'_, [u8]> {
    const TAG: Tag = Tag::OCTET_STRING;
}

/// Decodes an OCTET STRING as bytes borrowed from the input.
impl<'a> DecodeValue<'a> for Cow<'a, [u8]> {
    #[inline]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        reader.take(len).map(Cow::Borrowed)
    }
}

impl EncodeValue for Cow<'_, [u8]> {
    #[inline]
    fn value_len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self)
    }
}

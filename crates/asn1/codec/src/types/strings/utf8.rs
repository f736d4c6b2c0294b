//! UTF8String (X.680 §41, X.690 §8.23.10), and `&str` as one.

use core::fmt;

use super::class;
use super::macros::octet_string_traits;
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::table::{Type, Typed};
use crate::tag::Tag;
use crate::writer::Writer;

/// `UTF8String`: text. Invalid UTF-8 is always rejected.
///
/// The bytes are checked while decoding, and again by [`Utf8::as_str`] to create a `&str`. `&str` itself also decodes
/// and encodes as a UTF8String.
///
/// ```
/// use tagwise_codec::{Decode, Utf8, encode};
/// let text = Utf8::from_der(&[0x0C, 0x03, 0xE2, 0x82, 0xAC])?;
/// assert_eq!(text.as_str(), "€");
/// assert_eq!(encode(&Utf8::new("€")).unwrap(), [0x0C, 0x03, 0xE2, 0x82, 0xAC]);
/// assert_eq!(<&str>::from_der(&[0x0C, 0x02, 0x68, 0x69])?, "hi");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
// Octets, not `str`: ASCII is checked three times faster than a `&str` is made, and most strings are decoded to be checked.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utf8<'a>(&'a [u8]);

octet_string_traits!(Utf8, "UTF8String", UTF8_STRING, Utf8);

impl<'a> Utf8<'a> {
    /// Wraps text as a UTF8String.
    #[inline]
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    /// Creates a string from content bytes.
    ///
    /// # Errors
    /// Returns [`FaultKind::Utf8Invalid`] with the offset of the first byte that is not UTF-8.
    pub const fn from_content(octets: &'a [u8]) -> Result<Self, Fault> {
        match check(octets) {
            Ok(()) => Ok(Self(octets)),
            Err((kind, at)) => Err(Fault::new(kind, at)),
        }
    }

    /// Returns whether the first `len` bytes are present and are valid content of this type: see
    /// [`Ia5::begins`](crate::Ia5::begins).
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub fn begins(octets: &[u8], len: usize) -> bool {
        class::begins::<{ class::IA5 }>(octets, len)
            || octets.get(..len).is_some_and(|octets| check_wide(octets).is_ok())
    }

    /// Returns the text of the string.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        // Every constructor checked the octets.
        core::str::from_utf8(self.0).unwrap_or_default()
    }
}

/// Checks that bytes are UTF-8. Returns the kind and position of the first fault.
#[inline]
pub(super) const fn check(octets: &[u8]) -> Result<(), (FaultKind, usize)> {
    if octets.is_ascii() { Ok(()) } else { check_wide(octets) }
}

#[inline(never)]
const fn check_wide(octets: &[u8]) -> Result<(), (FaultKind, usize)> {
    match core::str::from_utf8(octets) {
        Ok(_) => Ok(()),
        Err(error) => Err((FaultKind::Utf8Invalid, error.valid_up_to())),
    }
}

impl<'a> From<&'a str> for Utf8<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}

impl<'a> From<Utf8<'a>> for &'a str {
    fn from(text: Utf8<'a>) -> Self {
        text.as_str()
    }
}

impl fmt::Display for Utf8<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Utf8<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Utf8({:?})", self.as_str())
    }
}

impl<'a> DecodeValue<'a> for Utf8<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        let octets = reader.take(len)?;
        match check(octets) {
            Ok(()) => Ok(Self(octets)),
            Err((kind, offset)) => Err(reader.fault(kind, at + offset)),
        }
    }
}

impl EncodeValue for Utf8<'_> {
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

impl Typed for &str {
    fn ty() -> &'static Type {
        Utf8::ty()
    }
}

impl Tagged for &str {
    const TAG: Tag = Tag::UTF8_STRING;
}

impl<'a> DecodeValue<'a> for &'a str {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        match core::str::from_utf8(reader.take(len)?) {
            Ok(text) => Ok(text),
            Err(error) => Err(reader.fault(FaultKind::Utf8Invalid, at + error.valid_up_to())),
        }
    }
}

impl EncodeValue for &str {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn value_len(&self) -> usize {
        self.len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.as_bytes())
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn content_octets(&self) -> Option<&[u8]> {
        Some(self.as_bytes())
    }
}

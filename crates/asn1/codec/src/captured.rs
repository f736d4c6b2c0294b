//! A decoded value together with its original bytes, so that signed content is preserved.

use core::ops::Deref;

use crate::decode::Decode;
use crate::encode::{Encode, EncodeError};
use crate::error::Error;
use crate::fault::Fault;
use crate::reader::Reader;
use crate::table::{Type, Typed};
use crate::writer::Writer;

/// A decoded `T` with its original bytes, which are written back unchanged even if a deviation was tolerated. It can
/// only be created by decoding or from DER, so the value and the bytes always agree.
///
/// ```
/// use tagwise_codec::{Captured, Options, Rule, encode};
/// // A padded INTEGER is tolerated, and its bytes are kept.
/// let bytes = [0x02, 0x02, 0x00, 0x05];
/// let read = Options::der().allow(&Rule::INTEGER_PADDED).decode::<Captured<u8>>(&bytes)?;
/// assert_eq!(*read.value, 5);
/// assert_eq!(encode(&read.value)?, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Captured<'a, T> {
    value: T,
    bytes: &'a [u8],
    base: u32,
}

impl<'a, T> Captured<'a, T> {
    /// Wraps a value read by a hand-written fast path ([`DecodeValue::shape`](crate::DecodeValue::shape)). `value` must
    /// be the result of decoding `bytes`, found at `offset`; tests verify this.
    #[doc(hidden)]
    #[must_use]
    pub const fn __shaped(value: T, bytes: &'a [u8], offset: usize) -> Self {
        // Inputs are at most u32::MAX octets.
        Self { value, bytes, base: offset as u32 }
    }

    /// Returns the original bytes, header included. A signature covers these.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the absolute offset of the value in its input.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.base as usize
    }

    /// Returns the value and discards its bytes.
    #[must_use]
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<'a, T: Decode<'a>> Captured<'a, T> {
    /// Decodes newly created DER, for example before signing it.
    ///
    /// # Errors
    /// Returns an error if the bytes are not exactly one `T` in DER.
    pub fn from_octets(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::from_der(bytes)
    }
}

impl<T> Deref for Captured<'_, T> {
    type Target = T;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> PartialEq for Captured<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<T> Eq for Captured<'_, T> {}

impl<T: Typed> Typed for Captured<'_, T> {
    fn ty() -> &'static Type {
        T::ty()
    }
}

impl<'a, T: Decode<'a>> Decode<'a> for Captured<'a, T> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn starts(reader: &Reader<'a, '_>) -> bool {
        T::starts(reader)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        let (start, base) = (reader.position(), reader.offset() as u32);
        let value = T::decode(reader)?;
        Ok(Self { value, bytes: reader.since(start), base })
    }
}

impl<T> Encode for Captured<'_, T> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encoded_len(&self) -> usize {
        self.bytes.len()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.bytes)
    }
}

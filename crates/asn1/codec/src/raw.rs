//! A value stored in encoded form and decoded on demand, or a value to encode.

use core::fmt;

use crate::any::{check, decode_span};
use crate::decode::Decode;
use crate::encode::{Encode, EncodeError};
use crate::error::Error;
use crate::fault::Fault;
use crate::kept::Kept;
use crate::reader::Reader;
use crate::table::{Type, Typed};
use crate::writer::Writer;

/// A lazily decoded `T`: the bytes that it was read from, or a value to encode.
///
/// Decoding checks that the bytes are a `T`, but keeps only the bytes. An [`outline`](Decode::outline) does not check
/// them. [`Raw::get`] decodes the value.
///
/// ```
/// use tagwise_codec::{Decode, Raw, encode};
/// let raw = Raw::<u8>::from_der(&[0x02, 0x01, 0x05])?;
/// assert_eq!(raw.as_bytes(), Some(&[0x02, 0x01, 0x05][..]));
/// assert_eq!(raw.get()?, 5);
/// assert_eq!(encode(&Raw::new(&5u8))?, [0x02, 0x01, 0x05]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Raw<'a, T> {
    form: RawForm<'a, T>,
}

enum RawForm<'a, T> {
    Span {
        bytes: &'a [u8],
        base: u32,
        /// True if every byte was checked and nothing was tolerated.
        checked: bool,
        kept: Kept,
    },
    Value(&'a T),
}

impl<T> Clone for RawForm<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RawForm<'_, T> {}

impl<T> Clone for Raw<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Raw<'_, T> {}

impl<'a, T> Raw<'a, T> {
    /// Wraps a value to encode.
    #[must_use]
    pub const fn new(value: &'a T) -> Self {
        Self { form: RawForm::Value(value) }
    }

    /// Returns the encoding that the value was read from, header included. `None` for a value to encode.
    #[must_use]
    pub const fn as_bytes(&self) -> Option<&'a [u8]> {
        match self.form {
            RawForm::Span { bytes, .. } => Some(bytes),
            RawForm::Value(_) => None,
        }
    }

    /// Returns the absolute offset at which the value was read, or 0 for a value to encode.
    #[must_use]
    pub const fn offset(&self) -> usize {
        match self.form {
            RawForm::Span { base, .. } => base as usize,
            RawForm::Value(_) => 0,
        }
    }
}

impl<'a, T: Decode<'a> + Clone> Raw<'a, T> {
    /// Returns the value, decoding it if necessary. Error offsets are absolute.
    ///
    /// # Errors
    /// Returns any decoding error. This is possible only if the value was read in an outline (top-level structure only) or
    /// with tolerated deviations.
    pub fn get(&self) -> Result<T, Error> {
        match self.form {
            RawForm::Span { bytes, base, kept, .. } => decode_span(bytes, base, kept),
            RawForm::Value(value) => Ok(value.clone()),
        }
    }
}

impl<T> fmt::Debug for Raw<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form {
            RawForm::Span { bytes, base, .. } => write!(f, "Raw({} bytes at {base})", bytes.len()),
            RawForm::Value(_) => f.write_str("Raw(value)"),
        }
    }
}

/// Two encodings are equal if their bytes are. An encoding and a value are equal if the encoding decodes to the value.
impl<'a, T: Decode<'a> + Clone + PartialEq> PartialEq for Raw<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.form, &other.form) {
            (RawForm::Span { bytes, .. }, RawForm::Span { bytes: others, .. }) => bytes == others,
            (RawForm::Value(value), RawForm::Value(other)) => value == other,
            (RawForm::Span { .. }, RawForm::Value(value)) => self.get().is_ok_and(|decoded| decoded == **value),
            (RawForm::Value(value), RawForm::Span { .. }) => other.get().is_ok_and(|decoded| decoded == **value),
        }
    }
}

impl<T: Typed> Typed for Raw<'_, T> {
    fn ty() -> &'static Type {
        T::ty()
    }
}

impl<'a, T: Decode<'a>> Decode<'a> for Raw<'a, T> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn starts(reader: &Reader<'a, '_>) -> bool {
        T::starts(reader)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        let (start, base, noted) = (reader.position(), reader.offset() as u32, reader.noted());
        let deep = reader.is_deep();
        if deep {
            T::decode(reader)?;
        } else if T::starts(reader) {
            reader.skip()?;
        } else {
            // Not a T at all: let T say so.
            T::decode(reader)?;
        }
        let checked = reader.is_thorough() && reader.noted() == noted;
        Ok(Self { form: RawForm::Span { bytes: reader.since(start), base, checked, kept: reader.kept() } })
    }
}

impl<'a, T: Decode<'a> + Encode> Encode for Raw<'a, T> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encoded_len(&self) -> usize {
        match self.form {
            RawForm::Span { bytes, .. } => bytes.len(),
            RawForm::Value(value) => value.encoded_len(),
        }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        match self.form {
            RawForm::Span { bytes, checked, .. } => {
                if !checked {
                    check(bytes, &mut |reader| T::decode(reader).map(|_| ()))?;
                }
                writer.bytes(bytes)
            }
            RawForm::Value(value) => value.encode(writer),
        }
    }
}

//! Decoding traits and entry points.
//!
//! [`DecodeValue`] is for types with one tag of their own, which IMPLICIT tagging may replace. [`Decode`] is for
//! everything that can be an element, including CHOICE and open types.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::error::Error;
use crate::fault::Fault;
#[cfg(feature = "alloc")]
use crate::options::{Options, Session};
use crate::reader::Reader;
#[cfg(feature = "alloc")]
use crate::rule::Deviation;
use crate::table::Typed;
use crate::tag::Tag;

/// True if [`DecodeValue::shape`] is called. In WebAssembly it isn't, and functions are not forced inline, because it is downloaded: size
/// matters more than the speed of decoding.
const FAST: bool = !cfg!(target_family = "wasm");

/// A type with one tag of its own.
pub trait Tagged {
    /// The tag, with the form (primitive or constructed) that DER requires.
    const TAG: Tag;
}

/// Decodes the content of a type after its identifier and length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an ASN.1 type with its own tag",
    label = "this type cannot have an IMPLICIT tag",
    note = "CHOICE and open types have no tag to replace: X.680 §31.2.7 makes their tags explicit, so write `explicit = N`"
)]
pub trait DecodeValue<'a>: Typed + Tagged + Sized {
    /// Reads exactly `len` bytes of content. The caller has checked that the input contains them.
    ///
    /// # Errors
    /// Returns any decoding error in the content.
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault>;

    /// True if the type implements [`DecodeValue::shape`].
    const SHAPED: bool = false;

    /// Decodes the most common form of the content: an optional fast path. Returns `None` and leaves the reader unchanged if
    /// the content has a different form. The result and the reader's final position must be those of [`DecodeValue::decode_value`];
    /// tests compare the two.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn shape(reader: &mut Reader<'a, '_>, len: usize) -> Option<Self> {
        let _ = (reader, len);
        None
    }
}

/// Decodes a value with its identifier and length.
///
/// ```
/// use tagwise_codec::Decode;
/// assert_eq!(u16::from_der(&[0x02, 0x02, 0x01, 0x00])?, 256);
/// let error = u16::from_der(&[0x02, 0x02, 0x00, 0x01]).unwrap_err();
/// assert_eq!(error.to_string(), "the INTEGER is not in its shortest form, at byte 2 (X.690 §8.3.2)");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be decoded as an ASN.1 type",
    label = "no ASN.1 type",
    note = "add `#[derive(Asn1)]` to the type"
)]
pub trait Decode<'a>: Typed + Sized {
    /// Returns whether the next element can be a value of this type. Called for OPTIONAL components and CHOICE
    /// alternatives.
    fn starts(reader: &Reader<'a, '_>) -> bool;

    /// Reads one value.
    ///
    /// # Errors
    /// Returns any decoding error in the value.
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault>;

    /// Reads one value under an EXPLICIT tag.
    ///
    /// # Errors
    /// Returns any decoding error in the value.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_explicit(reader: &mut Reader<'a, '_>, tag: Tag) -> Result<Self, Fault> {
        let len = reader.expect(tag.constructed())?;
        let outer = reader.enter(len)?;
        // Neither through a closure nor unwrapped: the value is built where it is returned.
        let value = Self::decode(reader);
        if value.is_ok() {
            reader.leave(outer)?;
        }
        value
    }

    /// Decodes an input that must be exactly one DER value. Every byte is checked, including deferred parts.
    ///
    /// # Errors
    /// Returns the first error, with its path and absolute offset.
    #[inline]
    fn from_der(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).and_then(whole) {
            Ok(value) => Ok(value),
            Err(fault) => Err(Error::locate(fault, Self::ty(), input)),
        }
    }

    /// Decodes the top-level structure and defers the rest. Parts of type [`Raw`](crate::Raw), [`SeqOf`](crate::SeqOf),
    /// [`Any`](crate::Any) and similar are delimited by their header but not checked.
    ///
    /// # Errors
    /// Returns the first error in the top-level structure.
    #[inline]
    fn outline(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).map(Reader::outlined).and_then(whole) {
            Ok(value) => Ok(value),
            Err(fault) => Err(Error::locate(fault, Self::ty(), input)),
        }
    }

    /// Decodes an input like [`Decode::from_der`], without checking encodings wrapped in an OCTET STRING or BIT STRING. Such a
    /// wrapped value is either decoded on demand ([`Open`](crate::Open)), like an extension value, or validated by its type,
    /// like a public key. All other bytes are checked, including deferred parts.
    ///
    /// In a certificate, this checks names, parameters, the extension list, extension identifiers and duplicates, but
    /// not the extension values or the key. Those are checked when they are accessed or encoded.
    ///
    /// # Errors
    /// Returns the first error outside the wrapped parts.
    #[inline]
    fn from_der_sealed(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).map(Reader::sealed).and_then(whole) {
            Ok(value) => Ok(value),
            Err(fault) => Err(Error::locate(fault, Self::ty(), input)),
        }
    }
}

impl<'a, T: DecodeValue<'a>> Decode<'a> for T {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn starts(reader: &Reader<'a, '_>) -> bool {
        reader.at(T::TAG)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        let len = reader.expect(T::TAG)?;
        // What is tolerated and what is spent is for the general way only.
        if FAST
            && T::SHAPED
            && reader.is_plain()
            && let Some(value) = T::shape(reader, len)
        {
            return Ok(value);
        }
        T::decode_value(reader, len)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decode_explicit(reader: &mut Reader<'a, '_>, tag: Tag) -> Result<Self, Fault> {
        match reader.descend_explicit(tag.constructed(), T::TAG) {
            Some(len) => {
                let value = T::decode_value(reader, len);
                reader.ascend();
                value
            }
            None => explicit(reader, tag),
        }
    }

    #[inline]
    fn from_der(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).ok().and_then(shaped) {
            Some(value) => Ok(value),
            None => general(input, |reader| reader),
        }
    }

    #[inline]
    fn outline(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).ok().and_then(|reader| shaped(reader.outlined())) {
            Some(value) => Ok(value),
            None => general(input, Reader::outlined),
        }
    }

    #[inline]
    fn from_der_sealed(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).ok().and_then(|reader| shaped(reader.sealed())) {
            Some(value) => Ok(value),
            None => general(input, Reader::sealed),
        }
    }
}

/// Decodes a value under an EXPLICIT tag, one header at a time. This is the slow path for rare forms and for errors.
#[cold]
#[inline(never)]
fn explicit<'a, T: DecodeValue<'a>>(reader: &mut Reader<'a, '_>, tag: Tag) -> Result<T, Fault> {
    let len = reader.expect(tag.constructed())?;
    reader.nested(len, T::decode)
}

/// Decodes a whole input that has the most common form. Large values are built in place, because this is the only expression
/// that can return one.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn shaped<'a, T: DecodeValue<'a>>(mut reader: Reader<'a, '_>) -> Option<T> {
    if !(FAST && T::SHAPED) {
        return None;
    }
    let len = reader.expect(T::TAG).ok()?;
    if len == reader.remaining() { T::shape(&mut reader, len) } else { None }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn general<'a, T: DecodeValue<'a>>(
    input: &'a [u8],
    mode: impl FnOnce(Reader<'a, 'static>) -> Reader<'a, 'static>,
) -> Result<T, Error> {
    let read = |reader: Reader<'a, 'static>| {
        let mut reader = mode(reader);
        let len = reader.expect(T::TAG)?;
        let value = T::decode_value(&mut reader, len)?;
        reader.finish()?;
        Ok(value)
    };
    match Reader::new(input).and_then(read) {
        Ok(value) => Ok(value),
        Err(fault) => Err(Error::locate(fault, T::ty(), input)),
    }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn whole<'a, T: Decode<'a>>(mut reader: Reader<'a, '_>) -> Result<T, Fault> {
    let value = T::decode(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// A decoded value and the deviations that were tolerated.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct Tolerated<T> {
    /// The decoded value.
    pub value: T,
    /// The tolerated deviations, in offset order. Empty for DER.
    pub deviations: Vec<Deviation>,
}

#[cfg(feature = "alloc")]
impl Options<'_> {
    /// Decodes an input with these options and checks every byte.
    ///
    /// # Errors
    /// Returns the first error that is not tolerated.
    pub fn decode<'a, T: Decode<'a>>(&self, input: &'a [u8]) -> Result<Tolerated<T>, Error> {
        self.run(input, whole)
    }

    /// Decodes only the top-level structure (an outline), with these options: see [`Decode::outline`].
    ///
    /// # Errors
    /// Returns the first error in the top-level structure that is not tolerated.
    pub fn outline<'a, T: Decode<'a>>(&self, input: &'a [u8]) -> Result<Tolerated<T>, Error> {
        self.run(input, |reader| whole(reader.outlined()))
    }

    /// Decodes an input with these options, without checking wrapped encodings: see [`Decode::from_der_sealed`].
    ///
    /// # Errors
    /// Returns the first error outside the wrapped encodings that is not tolerated.
    pub fn decode_sealed<'a, T: Decode<'a>>(&self, input: &'a [u8]) -> Result<Tolerated<T>, Error> {
        self.run(input, |reader| whole(reader.sealed()))
    }

    fn run<'a, T: Decode<'a>>(
        &self,
        input: &'a [u8],
        read: impl FnOnce(Reader<'a, '_>) -> Result<T, Fault>,
    ) -> Result<Tolerated<T>, Error> {
        let session = Session::new(*self);
        match Reader::with_session(input, &session).and_then(read) {
            Ok(value) => Ok(Tolerated { value, deviations: session.into_deviations() }),
            Err(fault) => Err(Error::locate_with(fault, T::ty(), input, 0, self.registered_types())),
        }
    }
}

//! The decoding traits and the front doors that use them.
//!
//! Two traits: [`DecodeValue`] for types with one tag of their own, which IMPLICIT tagging may replace, and [`Decode`] for
//! everything that can stand where an element is expected (CHOICE and open types too).

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

/// A type with one tag of its own.
pub trait Tagged {
    /// The tag, with the form DER encodes the type in.
    const TAG: Tag;
}

/// Decodes the content of a type whose identifier and length have been read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no ASN.1 type with a tag of its own",
    label = "this type cannot take an IMPLICIT tag",
    note = "CHOICE and open types have no tag to replace: X.680 §31.2.7 makes their tags explicit, so write `explicit = N`"
)]
pub trait DecodeValue<'a>: Typed + Tagged + Sized {
    /// Reads exactly `len` octets of content, which lie in the input.
    ///
    /// # Errors
    /// Whatever is wrong with the content.
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault>;

    /// Set if the type has a [`DecodeValue::shape`].
    const SHAPED: bool = false;

    /// Reads the common form of the content at one go, or gives nothing and the reader is as it was: a hand-shaped path for
    /// types that are read in bulk. Whatever it gives is what [`DecodeValue::decode_value`] would give, with the reader at the
    /// same place; tests compare the two.
    #[inline(always)]
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
    note = "`#[derive(Asn1)]` makes it one"
)]
pub trait Decode<'a>: Typed + Sized {
    /// Returns whether the next element can be a value of this type: asked for OPTIONAL components and CHOICE
    /// alternatives.
    fn starts(reader: &Reader<'a, '_>) -> bool;

    /// Reads one value.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault>;

    /// Reads one value under an EXPLICIT tag.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    #[inline(always)]
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

    /// Reads a whole input that must be one value in DER; every octet is checked, deferred parts included.
    ///
    /// # Errors
    /// The first thing that is wrong, with its path and absolute offset.
    #[inline]
    fn from_der(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).and_then(whole) {
            Ok(value) => Ok(value),
            Err(fault) => Err(Error::locate(fault, Self::ty(), input)),
        }
    }

    /// Reads the frame of a whole input and defers the rest: parts kept as [`Raw`](crate::Raw), [`SeqOf`](crate::SeqOf),
    /// [`Any`](crate::Any) and the like are only delimited by their own header, not looked into.
    ///
    /// # Errors
    /// The first thing that is wrong with the frame.
    #[inline]
    fn outline(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).map(Reader::outlined).and_then(whole) {
            Ok(value) => Ok(value),
            Err(fault) => Err(Error::locate(fault, Self::ty(), input)),
        }
    }

    /// Reads a whole input like [`Decode::from_der`], but leaves sealed what is wrapped: an encoding inside an OCTET STRING or
    /// BIT STRING that is kept to be decoded later ([`Open`](crate::Open)), as values of extensions are, or that a type checks
    /// in passing, as public keys are. All other octets are checked, deferred parts included.
    ///
    /// For a certificate: names, parameters, the list of extensions, each one's identifier and whether one is there twice are
    /// checked; what is inside the values of extensions and inside the key is not. What was sealed is checked when it is asked
    /// for or written.
    ///
    /// # Errors
    /// The first thing that is wrong outside what is sealed.
    #[inline]
    fn from_der_sealed(input: &'a [u8]) -> Result<Self, Error> {
        match Reader::new(input).map(Reader::sealed).and_then(whole) {
            Ok(value) => Ok(value),
            Err(fault) => Err(Error::locate(fault, Self::ty(), input)),
        }
    }
}

impl<'a, T: DecodeValue<'a>> Decode<'a> for T {
    #[inline(always)]
    fn starts(reader: &Reader<'a, '_>) -> bool {
        reader.at(T::TAG)
    }

    #[inline(always)]
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        let len = reader.expect(T::TAG)?;
        // What is tolerated and what is spent is for the general way only.
        if T::SHAPED
            && reader.is_plain()
            && let Some(value) = T::shape(reader, len)
        {
            return Ok(value);
        }
        T::decode_value(reader, len)
    }

    #[inline(always)]
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

/// A value under an EXPLICIT tag, one header after the other: what is rare, or wrong.
#[cold]
#[inline(never)]
fn explicit<'a, T: DecodeValue<'a>>(reader: &mut Reader<'a, '_>, tag: Tag) -> Result<T, Fault> {
    let len = reader.expect(tag.constructed())?;
    reader.nested(len, T::decode)
}

/// A whole input of the common form. Large values are built where they are returned for it: there is no other way here that
/// they could come from.
#[inline(always)]
fn shaped<'a, T: DecodeValue<'a>>(mut reader: Reader<'a, '_>) -> Option<T> {
    if !T::SHAPED {
        return None;
    }
    let len = reader.expect(T::TAG).ok()?;
    if len == reader.remaining() { T::shape(&mut reader, len) } else { None }
}

#[inline(always)]
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

#[inline(always)]
fn whole<'a, T: Decode<'a>>(mut reader: Reader<'a, '_>) -> Result<T, Fault> {
    let value = T::decode(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// A decoded value and what was tolerated on the way.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct Tolerated<T> {
    /// The value.
    pub value: T,
    /// The deviations met, in the order of their offsets; empty for DER.
    pub deviations: Vec<Deviation>,
}

#[cfg(feature = "alloc")]
impl Options<'_> {
    /// Reads a whole input under these options, checking every octet.
    ///
    /// # Errors
    /// The first thing that is wrong and not tolerated.
    pub fn decode<'a, T: Decode<'a>>(&self, input: &'a [u8]) -> Result<Tolerated<T>, Error> {
        self.run(input, whole)
    }

    /// Reads the frame of a whole input under these options: see [`Decode::outline`].
    ///
    /// # Errors
    /// The first thing that is wrong with the frame and not tolerated.
    pub fn outline<'a, T: Decode<'a>>(&self, input: &'a [u8]) -> Result<Tolerated<T>, Error> {
        self.run(input, |reader| whole(reader.outlined()))
    }

    /// Reads a whole input under these options, and leaves sealed what is wrapped: see [`Decode::from_der_sealed`].
    ///
    /// # Errors
    /// The first thing that is wrong outside what is sealed, and not tolerated.
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

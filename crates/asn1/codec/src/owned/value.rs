//! Owned values of any type, stored with their bytes.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use crate::decode::Decode;
use crate::encode::{Encode, EncodeError, encode};
use crate::error::Error;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::lend::Lend;
use crate::options::Options;
use crate::pem::{self, PemError};
use crate::reader::Reader;
use crate::table::{Type, Typed};
use crate::writer::Writer;

/// A value of a borrowing type, stored with the bytes that it borrows from: one allocation, no lifetime.
///
/// The bytes are fully checked DER, so [`Owned::get`] only decodes the top-level structure. An `Owned` can also be a
/// component, for types without an owned counterpart.
///
/// ```
/// use tagwise_codec::{Decode, Lend, Owned, Utf8, encode};
/// use tagwise_derive::Asn1;
///
/// #[derive(Asn1, Debug)]
/// struct Ticket<'a> {
///     serial: u32,
///     owner: Utf8<'a>,
/// }
///
/// fn keep(input: &[u8]) -> Result<Owned<Ticket<'static>>, Box<dyn std::error::Error>> {
///     Ok(Ticket::from_der(input)?.into_static()?)
/// }
///
/// let ticket = keep(&[0x30, 6, 0x02, 1, 7, 0x0C, 1, b'A'])?;
/// assert_eq!(ticket.get()?.owner.as_str(), "A");
/// assert_eq!(encode(&ticket)?, ticket.as_der());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Owned<T: ?Sized> {
    der: Box<[u8]>,
    ty: PhantomData<fn() -> T>,
}

impl<T: Lend> Owned<T> {
    /// Copies a value.
    ///
    /// # Errors
    /// Returns an error if the value has no valid DER encoding.
    pub fn new(value: &T::Of<'_>) -> Result<Self, EncodeError> {
        Self::copied(value)
    }

    /// Decodes DER and checks every byte: see [`Decode::from_der`].
    ///
    /// # Errors
    /// Returns the first error found.
    pub fn from_der(der: impl Into<Box<[u8]>>) -> Result<Self, Error> {
        let der = der.into();
        <T::Of<'_> as Decode<'_>>::from_der(&der)?;
        Ok(Self { der, ty: PhantomData })
    }

    /// Decodes a value with the given options, and stores its DER encoding.
    ///
    /// # Errors
    /// Returns the first error that is not tolerated, or [`FaultKind::NotEncodable`] for a tolerated value without a DER
    /// encoding.
    pub fn decode_with(input: &[u8], options: &Options<'_>) -> Result<Self, Error> {
        options.decode::<Self>(input).map(|read| read.value)
    }

    /// Returns the value. Deferred parts were already checked, and are decoded on access.
    ///
    /// # Errors
    /// Fails only if the type's [`Decode`] implementation is inconsistent, because the same bytes were decoded before.
    pub fn get(&self) -> Result<T::Of<'_>, Error> {
        <T::Of<'_> as Decode<'_>>::outline(&self.der)
    }
}

impl<T: Lend> Owned<T> {
    /// Copies a value that is a `T` with some lifetime, in its own encoding. The bytes are checked, because the value may not
    /// have been checked when it was created or read (literals, outlines, tolerated deviations).
    pub(crate) fn copied<V: Encode>(value: &V) -> Result<Self, EncodeError> {
        let der = encode(value)?;
        let refused = <T::Of<'_> as Decode<'_>>::from_der(&der).err().map(|error| error.kind());
        match refused {
            None => Ok(Self { der: der.into(), ty: PhantomData }),
            Some(kind) => Err(EncodeError::new(kind)),
        }
    }
}

impl<T: ?Sized> Owned<T> {
    /// Decodes the first PEM block (RFC 7468) with the given label. Other blocks and text are skipped.
    ///
    /// ```
    /// use tagwise_codec::{OctetStr, Owned};
    /// let text = "-----BEGIN EXAMPLE-----\nBAEH\n-----END EXAMPLE-----\n";
    /// let value = Owned::<OctetStr<'static>>::from_pem("EXAMPLE", text)?;
    /// assert_eq!(*value.get()?, [7]);
    /// assert_eq!(value.to_pem("EXAMPLE")?, text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if no block has the label, or if the block or its value is malformed.
    pub fn from_pem(label: &str, text: impl AsRef<[u8]>) -> Result<Self, PemError>
    where
        T: Lend + Sized,
    {
        Ok(Self::from_der(pem::first(&[label], text.as_ref())?)?)
    }

    /// Encodes the value as PEM.
    ///
    /// # Errors
    /// Returns an error if the label is invalid.
    pub fn to_pem(&self, label: &str) -> Result<String, EncodeError> {
        crate::pem::encode(label, &self.der)
    }

    /// Returns the value's DER.
    #[must_use]
    pub const fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// Returns the value's DER without copying it.
    #[must_use]
    pub fn into_der(self) -> Vec<u8> {
        self.der.into_vec()
    }
}

impl<T: ?Sized> Clone for Owned<T> {
    fn clone(&self) -> Self {
        Self { der: self.der.clone(), ty: PhantomData }
    }
}

/// Formats the decoded value. Secrets stay hidden.
impl<T: Lend> fmt::Debug for Owned<T>
where
    for<'a> T::Of<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Ok(value) => value.fmt(f),
            Err(error) => write!(f, "Owned({error})"),
        }
    }
}

/// Compares the DER encodings.
impl<T: ?Sized> PartialEq for Owned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.der == other.der
    }
}

impl<T: ?Sized> Eq for Owned<T> {}

impl<T: ?Sized> Ord for Owned<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.der.cmp(&other.der)
    }
}

impl<T: ?Sized> PartialOrd for Owned<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: ?Sized> Hash for Owned<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.der.hash(state);
    }
}

impl<T: ?Sized> AsRef<[u8]> for Owned<T> {
    fn as_ref(&self) -> &[u8] {
        &self.der
    }
}

impl<T: Lend> Typed for Owned<T> {
    fn ty() -> &'static Type {
        T::Of::<'static>::ty()
    }
}

impl<'a, T: Lend> Decode<'a> for Owned<T> {
    #[inline]
    fn starts(reader: &Reader<'a, '_>) -> bool {
        T::Of::<'a>::starts(reader)
    }

    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self, Fault> {
        let (start, noted) = (reader.position(), reader.noted());
        let value = T::Of::<'a>::decode(reader)?;
        if !reader.is_thorough() {
            // Here nothing is deferred: nobody would check it later.
            T::Of::<'a>::decode(&mut reader.again(start))?;
        }
        if reader.noted() != noted {
            // What was tolerated is not kept: the value is, as far as it has DER. The error that is dropped counts in other bytes.
            return Self::copied(&value).map_err(|_| reader.fault(FaultKind::NotEncodable, start));
        }
        Ok(Self { der: reader.since(start).into(), ty: PhantomData })
    }
}

impl<T: ?Sized> Encode for Owned<T> {
    fn encoded_len(&self) -> usize {
        self.der.len()
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(&self.der)
    }
}

impl<T: Lend + 'static> Lend for Owned<T> {
    type Of<'a> = Self;
}

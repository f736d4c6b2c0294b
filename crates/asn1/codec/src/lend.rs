//! Types that can borrow from input of any lifetime.

#[cfg(feature = "alloc")]
use crate::encode::EncodeError;
#[cfg(feature = "alloc")]
use crate::owned::Owned;
use crate::{
    Any, BitStr, Bmp, Captured, Date, DateTime, Decode, Duration, Encode, General, GeneralizedTime, Graphic, Ia5, Int,
    IsoTime, NamedBits, Null, Numeric, ObjectDescriptor, OctetStr, Oid, OidIri, Printable, Raw, Real, RelativeOid,
    RelativeOidIri, SeqOf, SetOf, Teletex, TimeOfDay, Universal, UtcTime, Utf8, Videotex, Visible,
};

/// A type that can borrow from input of any lifetime. `#[derive(Asn1)]` implements it for types without type
/// parameters.
///
/// Functions that decode a caller's type from their own buffers require this trait. [`Owned`](crate::Owned) is based on it.
///
/// ```
/// use tagwise_codec::{Decode, Error, Lend, OctetStr};
/// fn len<T: Lend>(der: &[u8], measure: impl Fn(T::Of<'_>) -> usize) -> Result<usize, Error> {
///     <T::Of<'_> as Decode<'_>>::from_der(der).map(measure)
/// }
/// assert_eq!(len::<OctetStr<'static>>(&[0x04, 0x01, 0x07], |octets| octets.len())?, 1);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `Lend`, so it cannot borrow from the input",
    note = "add `#[derive(Asn1)]`, which supports types without type parameters"
)]
pub trait Lend {
    /// The type with lifetime `'a`.
    type Of<'a>: Decode<'a> + Encode + 'a;

    /// Converts the value to one that owns its bytes.
    ///
    /// # Errors
    /// Returns an error if the value has no valid DER encoding, because it was constructed or read as an outline without
    /// checks.
    #[cfg(feature = "alloc")]
    fn into_static(self) -> Result<Owned<Self::Of<'static>>, EncodeError>
    where
        Self: Encode + Sized,
        Self::Of<'static>: Lend,
    {
        Owned::copied(&self)
    }
}

macro_rules! borrowed {
    ($($name:ident),*) => {$(
        impl Lend for $name<'_> {
            type Of<'a> = $name<'a>;
        }
    )*};
}

borrowed!(
    Any,
    BitStr,
    Bmp,
    Duration,
    General,
    GeneralizedTime,
    Graphic,
    Ia5,
    Int,
    IsoTime,
    NamedBits,
    Numeric,
    ObjectDescriptor,
    OctetStr,
    Oid,
    OidIri,
    Printable,
    Real,
    RelativeOid,
    RelativeOidIri,
    Teletex,
    Universal,
    Utf8,
    Videotex,
    Visible
);

macro_rules! owned {
    ($($name:ident),*) => {$(
        impl Lend for $name {
            type Of<'a> = Self;
        }
    )*};
}

owned!(bool, i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, Null, UtcTime, Date, DateTime, TimeOfDay);

impl Lend for &str {
    type Of<'a> = &'a str;
}

impl<T: Lend> Lend for SeqOf<'_, T> {
    type Of<'a> = SeqOf<'a, T::Of<'a>>;
}

impl<T: Lend> Lend for SetOf<'_, T> {
    type Of<'a> = SetOf<'a, T::Of<'a>>;
}

impl<T: Lend> Lend for Raw<'_, T> {
    type Of<'a> = Raw<'a, T::Of<'a>>;
}

impl<T: Lend> Lend for Captured<'_, T> {
    type Of<'a> = Captured<'a, T::Of<'a>>;
}

//! Owned values without lifetimes, which decode, encode and compare like the borrowed ones.
//!
//! | ASN.1 | borrowed | owned |
//! |---|---|---|
//! | OCTET STRING | [`OctetStr`](crate::OctetStr) | [`OctetString`], `Cow<[u8]>` |
//! | BIT STRING | [`BitStr`](crate::BitStr) | [`BitString`] |
//! | INTEGER | [`Int`](crate::Int) | [`IntBuf`], the native integers |
//! | OBJECT IDENTIFIER | [`Oid`](crate::Oid) | [`OidBuf`] |
//! | UTF8String | [`Utf8`](crate::Utf8), `&str` | `String`, `Cow<str>` |
//! | other strings | [`Ia5`](crate::Ia5) … | [`Ia5String`], [`PrintableString`], [`NumericString`], [`VisibleString`] |
//! | SEQUENCE OF | [`SeqOf`](crate::SeqOf) | `Vec<T>`, `[T; N]` |
//! | SET OF | [`SetOf`](crate::SetOf) | [`SetVec`] |
//! | any type | `T<'a>` | [`Owned<T<'static>>`](Owned) |
//!
//! All of them can be components of derived types, alongside borrowed ones. A `Vec<u8>` is a SEQUENCE OF INTEGER; use
//! [`OctetString`] for bytes. List items may take many times the memory of their encodings (a SEQUENCE with no
//! components is two bytes), so set [`Budget::elements`](crate::Budget) to decode untrusted lists. A `Cow` borrows when
//! decoded, and can own its data when encoded.
//!
//! ```
//! use tagwise_codec::{Decode, OctetString, OidBuf, encode};
//! use tagwise_derive::Asn1;
//!
//! #[derive(Asn1, Clone, Debug, PartialEq)]
//! struct Entry {
//!     id: OidBuf,
//!     labels: Vec<String>,
//!     data: OctetString,
//! }
//!
//! let entry = Entry { id: "1.2.3".parse()?, labels: vec!["one".into()], data: vec![1, 2].into() };
//! let der = encode(&entry)?;
//! assert_eq!(Entry::from_der(&der)?, entry);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bit_string;
mod int;
mod lists;
mod octet_string;
mod oid;
mod strings;
mod value;

pub use bit_string::BitString;
pub use int::{IntBuf, ParseIntError};
pub use lists::SetVec;
pub use octet_string::OctetString;
pub use oid::{OidBuf, ParseOidError};
pub use strings::{Ia5String, NumericString, PrintableString, VisibleString};
pub use value::Owned;

/// Implements the codec's traits for an owned type through its borrowed counterpart.
macro_rules! as_borrowed {
    ($owned:ty, $borrowed:ident, $lend:ident, $from:expr) => {
        impl $crate::table::Typed for $owned {
            fn ty() -> &'static $crate::table::Type {
                $crate::$borrowed::<'static>::ty()
            }
        }

        impl $crate::decode::Tagged for $owned {
            const TAG: $crate::tag::Tag = <$crate::$borrowed<'static> as $crate::decode::Tagged>::TAG;
        }

        impl<'a> $crate::decode::DecodeValue<'a> for $owned {
            #[inline]
            fn decode_value(
                reader: &mut $crate::reader::Reader<'a, '_>,
                len: usize,
            ) -> Result<Self, $crate::fault::Fault> {
                let at = reader.position();
                let value = $crate::$borrowed::decode_value(reader, len)?;
                let made: Option<Self> = $from(value);
                made.ok_or_else(|| reader.fault($crate::kind::FaultKind::NotEncodable, at))
            }
        }

        impl $crate::encode::EncodeValue for $owned {
            #[inline]
            fn value_len(&self) -> usize {
                self.$lend().value_len()
            }

            #[inline]
            fn encode_value(&self, writer: &mut $crate::writer::Writer<'_>) -> Result<(), $crate::encode::EncodeError> {
                self.$lend().encode_value(writer)
            }
        }

        impl $crate::lend::Lend for $owned {
            type Of<'a> = Self;
        }
    };
}

/// Implements comparisons between an owned type and its borrowed counterpart, in both directions.
macro_rules! compares {
    ($owned:ty, $borrowed:ident, $lend:ident) => {
        impl PartialEq<$crate::$borrowed<'_>> for $owned {
            fn eq(&self, other: &$crate::$borrowed<'_>) -> bool {
                self.$lend() == *other
            }
        }

        impl PartialEq<$owned> for $crate::$borrowed<'_> {
            fn eq(&self, other: &$owned) -> bool {
                *self == other.$lend()
            }
        }

        impl From<$crate::$borrowed<'_>> for $owned {
            fn from(value: $crate::$borrowed<'_>) -> Self {
                Self::new(value)
            }
        }

        impl<'a> From<&'a $owned> for $crate::$borrowed<'a> {
            fn from(value: &'a $owned) -> Self {
                value.$lend()
            }
        }
    };
}

pub(crate) use {as_borrowed, compares};

//! Conversions between the borrowed types and bytes, text, and other crates' time types.

use crate::{
    Any, BitStr, Captured, General, Graphic, Ia5, Int, Numeric, ObjectDescriptor, OctetStr, Oid, Printable,
    RelativeOid, Teletex, Utf8, Videotex, Visible,
};

macro_rules! bytes {
    ($($name:ident),*) => {$(
        impl AsRef<[u8]> for $name<'_> {
            fn as_ref(&self) -> &[u8] {
                self.as_bytes()
            }
        }
    )*};
}

bytes!(
    Any,
    BitStr,
    General,
    Graphic,
    Ia5,
    Int,
    Numeric,
    ObjectDescriptor,
    OctetStr,
    Oid,
    Printable,
    RelativeOid,
    Teletex,
    Utf8,
    Videotex,
    Visible
);

impl<T> AsRef<[u8]> for Captured<'_, T> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

macro_rules! from_bytes {
    ($name:ident, $make:path) => {
        impl<'a, const N: usize> From<&'a [u8; N]> for $name<'a> {
            fn from(octets: &'a [u8; N]) -> Self {
                $make(octets.as_slice())
            }
        }

        #[cfg(feature = "alloc")]
        impl<'a> From<&'a alloc::vec::Vec<u8>> for $name<'a> {
            fn from(octets: &'a alloc::vec::Vec<u8>) -> Self {
                $make(octets.as_slice())
            }
        }
    };
}

from_bytes!(OctetStr, OctetStr::new);
// All bits are used.
from_bytes!(BitStr, BitStr::from_octets);

impl<'a> From<&'a [u8]> for BitStr<'a> {
    /// Converts bytes to a BIT STRING in which all bits are used.
    fn from(octets: &'a [u8]) -> Self {
        BitStr::from_octets(octets)
    }
}

impl<'a> From<&'a str> for OctetStr<'a> {
    fn from(text: &'a str) -> Self {
        OctetStr::new(text.as_bytes())
    }
}

impl PartialEq<[u8]> for OctetStr<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        self.as_bytes() == other
    }
}

impl<const N: usize> PartialEq<[u8; N]> for OctetStr<'_> {
    fn eq(&self, other: &[u8; N]) -> bool {
        self.as_bytes() == other
    }
}

macro_rules! compares_text {
    ($($name:ident),*) => {$(
        impl PartialEq<str> for $name<'_> {
            fn eq(&self, other: &str) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }

        impl PartialEq<&str> for $name<'_> {
            fn eq(&self, other: &&str) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }
    )*};
}

compares_text!(Ia5, Numeric, Printable, Utf8, Visible);

impl AsRef<str> for Utf8<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

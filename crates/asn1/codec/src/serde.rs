//! `serde` support for owned values (feature `serde`): object identifiers and strings as text, numbers in decimal
//! (hexadecimal above 4,096 bits), bytes in lowercase hexadecimal.

use alloc::string::ToString;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::engine::secrets::has_secret;
use crate::table::Typed;
use crate::text::hex::{self, Hex};
use crate::{Ia5String, IntBuf, Lend, NumericString, OctetString, OidBuf, Owned, PrintableString, VisibleString};

/// The placeholder in errors for the text found, which may be a secret with a typo.
const UNSHOWN: de::Unexpected<'static> = de::Unexpected::Other("a different text");

/// A visitor that parses text: the description of the expected text, and the parser.
struct Parsed<T>(&'static str, fn(&str) -> Option<T>);

impl<T> Visitor<'_> for Parsed<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).ok_or_else(|| E::invalid_value(UNSHOWN, &self))
    }
}

macro_rules! text {
    ($($name:ident, $expected:literal;)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Parsed($expected, |text| text.parse().ok()))
            }
        }
    )*};
}

text! {
    OidBuf, "an object identifier in dotted form";
    IntBuf, "an integer in decimal, or in hexadecimal with the prefix 0x";
    Ia5String, "an ASCII string";
    NumericString, "a string of digits and spaces";
    PrintableString, "a string of PrintableString characters";
    VisibleString, "a string of visible characters";
}

/// Serializes bytes as lowercase hexadecimal digits.
impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for OctetString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self))
    }
}

impl<'de> Deserialize<'de> for OctetString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Parsed("bytes in hexadecimal", |text| hex::decode_pairs(text).map(Self::from)))
    }
}

/// Serializes the DER. Fails if the type or one of its components is marked `secret`. Such a value must be stored explicitly as
/// DER.
impl<T: Typed + ?Sized> Serialize for Owned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if has_secret(T::ty()) {
            return Err(S::Error::custom(format_args!("{} is secret and cannot be serialized", &*T::ty().name)));
        }
        serializer.serialize_str(&hex::encode(self.as_der()))
    }
}

impl<'de, T: Lend> Deserialize<'de> for Owned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Der<T>(PhantomData<fn() -> T>);

        impl<T: Lend> Visitor<'_> for Der<T> {
            type Value = Owned<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("DER in hexadecimal")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Owned<T>, E> {
                let der = hex::decode_pairs(text).ok_or_else(|| E::invalid_value(UNSHOWN, &self))?;
                Owned::from_der(der).map_err(|error| E::custom(error.to_string()))
            }
        }

        deserializer.deserialize_str(Der(PhantomData))
    }
}

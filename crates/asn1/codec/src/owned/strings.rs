//! Owned character strings.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use super::as_borrowed;
use crate::decode::{DecodeValue, Tagged};
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::lend::Lend;
use crate::reader::Reader;
use crate::table::{Type, Typed};
use crate::tag::Tag;
use crate::types::{Ia5, Numeric, Printable, Utf8, Visible};
use crate::writer::Writer;

macro_rules! ascii {
    ($($name:ident, $borrowed:ident, $lend:ident, $asn1:literal, $example:literal, $wrong:literal;)*) => {$(
        #[doc = concat!("`", $asn1, "` that owns its text: a [`", stringify!($borrowed), "`] to keep.")]
        ///
        /// ```
        #[doc = concat!("use tagwise_codec::", stringify!($name), ";")]
        #[doc = concat!("let text: ", stringify!($name), " = ", $example, ".parse()?;")]
        #[doc = concat!("assert_eq!(text.as_str(), ", $example, ");")]
        #[doc = concat!("assert!(", stringify!($name), "::try_from(", $wrong, ").is_err());")]
        /// # Ok::<(), tagwise_codec::Fault>(())
        /// ```
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Returns the text of the string.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Returns the bytes of the text.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8] {
                self.0.as_bytes()
            }

            /// Borrows the value as the borrowed string type.
            #[must_use]
            pub fn $lend(&self) -> $borrowed<'_> {
                // Every constructor checked the text.
                $borrowed::new(&self.0).unwrap_or_default()
            }

            /// Returns the text without copying it.
            #[must_use]
            pub fn into_string(self) -> String {
                self.0
            }
        }

        // What a rule tolerated outside of the alphabet is not kept: it could not be written again.
        as_borrowed!($name, $borrowed, $lend, |text: $borrowed<'_>| Self::try_from(text).ok());

        impl TryFrom<$borrowed<'_>> for $name {
            type Error = Fault;

            fn try_from(text: $borrowed<'_>) -> Result<Self, Fault> {
                $borrowed::from_content(text.as_bytes()).map(|text| Self(text.as_str().unwrap_or_default().into()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = Fault;

            fn try_from(text: String) -> Result<Self, Fault> {
                $borrowed::new(&text)?;
                Ok(Self(text))
            }
        }

        impl TryFrom<&str> for $name {
            type Error = Fault;

            fn try_from(text: &str) -> Result<Self, Fault> {
                $borrowed::new(text)?;
                Ok(Self(text.into()))
            }
        }

        impl FromStr for $name {
            type Err = Fault;

            fn from_str(text: &str) -> Result<Self, Fault> {
                Self::try_from(text)
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                self.0.as_bytes()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl<'a> From<&'a $name> for $borrowed<'a> {
            fn from(text: &'a $name) -> Self {
                text.$lend()
            }
        }

        impl PartialEq<$borrowed<'_>> for $name {
            fn eq(&self, other: &$borrowed<'_>) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }

        impl PartialEq<$name> for $borrowed<'_> {
            fn eq(&self, other: &$name) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }
    )*};
}

ascii! {
    Ia5String, Ia5, as_ia5, "IA5String", "\"one@example.org\"", "\"größer\"";
    PrintableString, Printable, as_printable, "PrintableString", "\"DE\"", "\"a@b\"";
    NumericString, Numeric, as_numeric, "NumericString", "\"49 30\"", "\"+49\"";
    VisibleString, Visible, as_visible, "VisibleString", "\"a (b)\"", "\"a\\tb\"";
}

impl Typed for String {
    fn ty() -> &'static Type {
        Utf8::ty()
    }
}

impl Tagged for String {
    const TAG: Tag = Tag::UTF8_STRING;
}

impl<'a> DecodeValue<'a> for String {
    #[inline]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        <&'a str>::decode_value(reader, len).map(Self::from)
    }
}

impl EncodeValue for String {
    #[inline]
    fn value_len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.as_bytes())
    }
}

impl Lend for String {
    type Of<'a> = Self;
}

impl Typed for Cow<'_, str> {
    fn ty() -> &'static Type {
        Utf8::ty()
    }
}

impl Tagged for Cow<'_, str> {
    const TAG: Tag = Tag::UTF8_STRING;
}

/// Decodes a UTF8String as text borrowed from the input.
impl<'a> DecodeValue<'a> for Cow<'a, str> {
    #[inline]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        <&'a str>::decode_value(reader, len).map(Cow::Borrowed)
    }
}

impl EncodeValue for Cow<'_, str> {
    #[inline]
    fn value_len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.as_bytes())
    }
}

impl From<Utf8<'_>> for String {
    fn from(text: Utf8<'_>) -> Self {
        text.as_str().into()
    }
}

//! Shared implementation of the string types.

/// Implements the traits of a string type whose only field contains the content bytes.
macro_rules! octet_string_traits {
    ($name:ident, $asn1:literal, $tag:ident, $kind:ident) => {
        impl $crate::table::Typed for $name<'_> {
            fn ty() -> &'static $crate::table::Type {
                const {
                    &$crate::table::Type::new(
                        $asn1,
                        Some($crate::tag::Tag::$tag),
                        $crate::table::Shape::String($crate::table::StringKind::$kind),
                    )
                }
            }
        }

        impl $crate::decode::Tagged for $name<'_> {
            const TAG: $crate::tag::Tag = $crate::tag::Tag::$tag;
        }

        impl<'a> $name<'a> {
            /// Returns the content bytes.
            #[inline]
            #[must_use]
            pub const fn as_bytes(&self) -> &'a [u8] {
                self.0
            }

            /// Returns whether the string is empty.
            #[inline]
            #[must_use]
            pub const fn is_empty(&self) -> bool {
                self.0.is_empty()
            }
        }
    };
}

/// Defines a string type whose alphabet is a subset of ASCII. [`Rule::STRING_ALPHABET`](crate::Rule::STRING_ALPHABET)
/// may tolerate other characters.
macro_rules! ascii_string {
    ($(#[$doc:meta])* $name:ident, $asn1:literal, $tag:ident, $kind:ident, $class:path) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<'a>(&'a [u8]);

        octet_string_traits!($name, $asn1, $tag, $kind);

        impl<'a> $name<'a> {
            /// Creates a string from text.
            ///
            /// # Errors
            /// Returns [`FaultKind::StringAlphabet`](crate::FaultKind::StringAlphabet) with the offset of the first character outside the
            /// alphabet.
            pub const fn new(text: &'a str) -> Result<Self, Fault> {
                Self::from_content(text.as_bytes())
            }

            /// Creates a string from content bytes.
            ///
            /// # Errors
            /// Returns [`FaultKind::StringAlphabet`](crate::FaultKind::StringAlphabet) with the offset of the first byte outside the alphabet.
            pub const fn from_content(octets: &'a [u8]) -> Result<Self, Fault> {
                match class::check($class, octets) {
                    Ok(()) => Ok(Self(octets)),
                    Err((kind, at)) => Err(Fault::new(kind, at)),
                }
            }

            /// Returns whether the first `len` bytes are present and are valid content of this type. For speed, it may read past the
            /// string, within `octets`. The extra bytes do not affect the result.
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            #[must_use]
            pub fn begins(octets: &[u8], len: usize) -> bool {
                class::begins::<{ $class }>(octets, len)
            }

            /// Returns the text, or `None` if it is not valid UTF-8. This is only possible for bytes that
            /// [`Rule::STRING_ALPHABET`](crate::Rule::STRING_ALPHABET) tolerated. `Display` replaces invalid bytes with U+FFFD.
            #[must_use]
            pub fn as_str(&self) -> Option<&'a str> {
                core::str::from_utf8(self.0).ok()
            }
        }

        impl<'a> TryFrom<&'a str> for $name<'a> {
            type Error = Fault;

            fn try_from(text: &'a str) -> Result<Self, Fault> {
                Self::new(text)
            }
        }

        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                display_lossy(self.0, f)
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "(\"{}\")"), self.0.escape_ascii())
            }
        }

        impl<'a> DecodeValue<'a> for $name<'a> {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
                let at = reader.position();
                let valid = Self::begins(reader.rest(), len);
                let octets = reader.take(len)?;
                if !valid && let Err((kind, offset)) = class::check($class, octets) {
                    reader.deviate(&Rule::STRING_ALPHABET, kind, at + offset)?;
                }
                Ok(Self(octets))
            }
        }

        impl EncodeValue for $name<'_> {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn value_len(&self) -> usize {
                self.0.len()
            }

            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
                // What Rule::STRING_ALPHABET let in has no DER.
                match class::check($class, self.0) {
                    Ok(()) => writer.bytes(self.0),
                    Err(_) => Err(EncodeError::new(FaultKind::NotEncodable)),
                }
            }

            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn content_octets(&self) -> Option<&[u8]> {
                class::check($class, self.0).ok().map(|()| self.0)
            }
        }
    };
}

/// Defines a string type whose bytes are not interpreted.
macro_rules! opaque_string {
    ($(#[$doc:meta])* $name:ident, $asn1:literal, $tag:ident, $kind:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<'a>(&'a [u8]);

        octet_string_traits!($name, $asn1, $tag, $kind);

        impl<'a> $name<'a> {
            /// Creates a string from content bytes.
            #[inline]
            #[must_use]
            pub const fn from_content(octets: &'a [u8]) -> Self {
                Self(octets)
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "(\"{}\")"), self.0.escape_ascii())
            }
        }

        impl<'a> DecodeValue<'a> for $name<'a> {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
                reader.take(len).map(Self)
            }
        }

        impl EncodeValue for $name<'_> {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn value_len(&self) -> usize {
                self.0.len()
            }

            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
                writer.bytes(self.0)
            }

            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn content_octets(&self) -> Option<&[u8]> {
                Some(self.0)
            }
        }
    };
}

/// Implements access to opaque bytes as UTF-8, which agrees with the standards only for ASCII.
macro_rules! opaque_text {
    ($name:ident) => {
        impl<'a> $name<'a> {
            /// Creates a string from text, in UTF-8. Outside ASCII this deviates from the standard but matches common
            /// implementations.
            #[inline]
            #[must_use]
            pub const fn new(text: &'a str) -> Self {
                Self(text.as_bytes())
            }

            /// Returns the text, if the bytes are UTF-8.
            #[must_use]
            pub fn as_str(&self) -> Option<&'a str> {
                core::str::from_utf8(self.0).ok()
            }
        }

        impl<'a> From<&'a str> for $name<'a> {
            fn from(text: &'a str) -> Self {
                Self::new(text)
            }
        }

        /// Formats the text as UTF-8, with U+FFFD in place of invalid bytes.
        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                display_lossy(self.0, f)
            }
        }
    };
}

pub(super) use {ascii_string, octet_string_traits, opaque_string, opaque_text};

//! Shared implementation of DURATION and TIME: a borrowed, checked text.

/// Implements construction, decoding and encoding for a type with the fields `text` and `canonical`, whose content
/// `check` parses.
macro_rules! iso_text {
    ($name:ident, $text:literal, $tag:ident, $kind:ident, $check:path) => {
        impl<'a> $name<'a> {
            /// Parses DER content bytes.
            ///
            /// # Errors
            /// Returns [`FaultKind::IsoTime`](crate::FaultKind::IsoTime), [`FaultKind::TimeForm`](crate::FaultKind::TimeForm) or the kind
            /// for a field out of range, with an offset into `octets`.
            pub fn from_content(octets: &'a [u8]) -> Result<Self, $crate::fault::Fault> {
                match $check(octets)? {
                    None => Ok(Self { text: $crate::types::time::text::ascii(octets), canonical: true }),
                    Some(form) => Err(form.fault()),
                }
            }

            /// Returns the encoded text.
            #[must_use]
            pub const fn as_str(&self) -> &'a str {
                self.text
            }
        }

        impl core::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl $crate::table::Typed for $name<'_> {
            fn ty() -> &'static $crate::table::Type {
                use $crate::table::{Shape, TimeKind, Type};
                const { &Type::new($text, Some($crate::tag::Tag::$tag), Shape::Time(TimeKind::$kind)) }
            }
        }

        impl $crate::decode::Tagged for $name<'_> {
            const TAG: $crate::tag::Tag = $crate::tag::Tag::$tag;
        }

        impl<'a> $crate::decode::DecodeValue<'a> for $name<'a> {
            #[inline]
            fn decode_value(
                reader: &mut $crate::reader::Reader<'a, '_>,
                len: usize,
            ) -> Result<Self, $crate::fault::Fault> {
                let (start, base) = (reader.position(), reader.offset());
                let octets = reader.take(len)?;
                let form = match $check(octets) {
                    Ok(form) => form,
                    Err(fault) => return Err(fault.rebase(base)),
                };
                if let Some(form) = form {
                    form.deviate(reader, start)?;
                }
                Ok(Self { text: $crate::types::time::text::ascii(octets), canonical: form.is_none() })
            }
        }

        impl $crate::encode::EncodeValue for $name<'_> {
            #[inline]
            fn value_len(&self) -> usize {
                self.text.len()
            }

            #[inline]
            fn encode_value(&self, writer: &mut $crate::writer::Writer<'_>) -> Result<(), $crate::encode::EncodeError> {
                if self.canonical {
                    writer.bytes(self.text.as_bytes())
                } else {
                    Err($crate::encode::EncodeError::new($crate::kind::FaultKind::NotEncodable))
                }
            }
        }
    };
}

pub(super) use iso_text;

/// Converts bytes that were checked to be ASCII to text.
pub(super) fn ascii(octets: &[u8]) -> &str {
    core::str::from_utf8(octets).unwrap_or_default()
}

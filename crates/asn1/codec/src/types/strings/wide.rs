//! Shared implementation of the fixed-width string types [`Bmp`](super::Bmp) and [`Universal`](super::Universal).

/// Defines a string type `$name(Content<'a>)` with `chars`, `units`, `check`, and the size and bytes of a text.
macro_rules! wide_string {
    ($name:ident, $asn1:literal, $tag:ident, $kind:ident, $text_len:expr, $unit:ty) => {
        impl<'a> $name<'a> {
            /// Creates a string from content bytes.
            ///
            /// # Errors
            /// Returns [`FaultKind::StringLength`] or [`FaultKind::StringAlphabet`], with an offset into `octets`.
            #[inline]
            pub fn from_content(octets: &'a [u8]) -> Result<Self, Fault> {
                match check(octets) {
                    Ok(()) => Ok(Self(Content::Octets(octets))),
                    Err((kind, at)) => Err(Fault::new(kind, at)),
                }
            }

            /// Returns the content bytes. `None` if the value was created from text.
            #[must_use]
            pub const fn as_bytes(&self) -> Option<&'a [u8]> {
                match self.0 {
                    Content::Octets(octets) => Some(octets),
                    Content::Text(_) => None,
                }
            }

            /// Returns whether the string is empty.
            #[must_use]
            pub const fn is_empty(&self) -> bool {
                match self.0 {
                    Content::Octets(octets) => octets.is_empty(),
                    Content::Text(text) => text.is_empty(),
                }
            }
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                Self(Content::Octets(&[]))
            }
        }

        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.units().eq(other.units())
            }
        }

        impl Eq for $name<'_> {}

        impl Ord for $name<'_> {
            fn cmp(&self, other: &Self) -> Ordering {
                self.units().cmp(other.units())
            }
        }

        impl PartialOrd for $name<'_> {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Hash for $name<'_> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.units().for_each(|unit| unit.hash(state));
                state.write_u8(0xFF);
            }
        }

        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.chars().try_for_each(|char| f.write_char(char))
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                debug_chars(stringify!($name), self.chars(), f)
            }
        }

        impl Typed for $name<'_> {
            fn ty() -> &'static Type {
                const { &Type::new($asn1, Some(Tag::$tag), Shape::String(StringKind::$kind)) }
            }
        }

        impl Tagged for $name<'_> {
            const TAG: Tag = Tag::$tag;
        }

        impl<'a> DecodeValue<'a> for $name<'a> {
            #[inline]
            fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
                let at = reader.position();
                let octets = reader.take(len)?;
                match check(octets) {
                    Ok(()) => {}
                    Err((FaultKind::StringAlphabet, offset)) => {
                        reader.deviate(&Rule::STRING_ALPHABET, FaultKind::StringAlphabet, at + offset)?;
                    }
                    Err((kind, offset)) => return Err(reader.fault(kind, at + offset)),
                }
                Ok(Self(Content::Octets(octets)))
            }
        }

        impl EncodeValue for $name<'_> {
            #[inline]
            fn value_len(&self) -> usize {
                match self.0 {
                    Content::Octets(octets) => octets.len(),
                    Content::Text(text) => ($text_len)(text),
                }
            }

            #[inline]
            fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
                match self.0 {
                    // What Rule::STRING_ALPHABET let in has no DER.
                    Content::Octets(octets) if check(octets).is_err() => Err(EncodeError::new(FaultKind::NotEncodable)),
                    Content::Octets(octets) => writer.bytes(octets),
                    // Every character fits one unit.
                    Content::Text(text) => {
                        text.chars().rev().try_for_each(|char| writer.bytes(&(char as $unit).to_be_bytes()))
                    }
                }
            }
        }
    };
}

pub(super) use wide_string;

//! Pieces of a message: encoded bytes and enclosing elements. All bytes are copied exactly once.

use std::borrow::Cow;

use tagwise_codec::{Encode, EncodeError, Tag, Writer, element_len, encode};

use crate::BuildError;

/// Encoded bytes, or an element that contains further pieces. The nesting depth does not depend on the input.
pub(super) enum Piece<'a> {
    Octets(Cow<'a, [u8]>),
    Element(Tag, Vec<Self>),
}

impl<'a> Piece<'a> {
    /// Creates a piece from borrowed bytes.
    pub(super) const fn octets(octets: &'a [u8]) -> Self {
        Self::Octets(Cow::Borrowed(octets))
    }

    /// Encodes a value.
    pub(super) fn value<T: Encode + ?Sized>(value: &T) -> Result<Self, BuildError> {
        Ok(Self::Octets(Cow::Owned(encode(value)?)))
    }

    /// Creates `SEQUENCE { … }`.
    pub(super) const fn sequence(content: Vec<Self>) -> Self {
        Self::Element(Tag::SEQUENCE, content)
    }

    /// Creates `[number] { … }`, constructed.
    pub(super) const fn tagged(number: u32, content: Vec<Self>) -> Self {
        Self::Element(Tag::context(number).constructed(), content)
    }

    /// Sorts the items of a SET OF by their encodings (X.690 §11.6), without the enclosing header.
    pub(super) fn set(mut items: Vec<Vec<u8>>) -> Vec<Self> {
        items.sort_unstable();
        items.into_iter().map(|item| Self::Octets(Cow::Owned(item))).collect()
    }
}

impl Encode for Piece<'_> {
    fn encoded_len(&self) -> usize {
        match self {
            Self::Octets(octets) => octets.len(),
            Self::Element(tag, content) => {
                element_len(*tag, content.iter().fold(0, |len: usize, piece| len.saturating_add(piece.encoded_len())))
            }
        }
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        match self {
            Self::Octets(octets) => writer.bytes(octets),
            Self::Element(tag, content) => {
                writer.element(*tag, |w| content.iter().rev().try_for_each(|piece| piece.encode(w)))
            }
        }
    }
}

/// Encodes each value of a SET OF.
pub(super) fn each<T: Encode>(values: &[T]) -> Result<Vec<Vec<u8>>, BuildError> {
    values.iter().map(|value| Ok(encode(value)?)).collect()
}

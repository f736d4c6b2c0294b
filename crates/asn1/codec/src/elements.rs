//! Steps over BER elements by position, without decoding values or copying.

use core::ops::Range;

use crate::engine::canonical::header::Header;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::tag::Tag;

/// The positions of a BER element, which may have a definite or indefinite length, and any valid form of header.
///
/// The element's content is not examined, except to find the end of an indefinite length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The element's tag.
    pub tag: Tag,
    /// The start of the identifier.
    pub start: usize,
    /// The range of the content, without end-of-contents bytes.
    pub content: Range<usize>,
    /// The end of the element.
    pub end: usize,
}

impl Element {
    /// Reads the element at position `at`. It must end at or before `limit`.
    ///
    /// ```
    /// use tagwise_codec::ber::Element;
    /// let element = Element::read(&[0x30, 0x80, 0x05, 0x00, 0x00, 0x00, 0x05], 0, 7)?;
    /// assert_eq!((element.content.clone(), element.end, element.is_indefinite()), (2..4, 6, true));
    /// # Ok::<(), tagwise_codec::Fault>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the header is malformed, or if the element does not end at or before `limit`.
    pub fn read(octets: &[u8], at: usize, limit: usize) -> Result<Self, Fault> {
        let header = Header::read(octets, at, limit, None)?;
        let end = header.element_end(octets, limit)?;
        let content = header.content..header.end.unwrap_or(end.saturating_sub(2));
        Ok(Self { tag: header.tag, start: at, content, end })
    }

    /// Returns whether the element has an indefinite length.
    #[must_use]
    pub const fn is_indefinite(&self) -> bool {
        self.content.end != self.end
    }

    /// Returns the range of the whole element.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Iterates over the elements in this element's content.
    #[must_use]
    pub const fn children(&self) -> Elements {
        Elements::new(self.content.start, self.content.end)
    }
}

/// A cursor over consecutive BER elements.
///
/// The input is passed to each call, so that it can be modified between calls.
///
/// ```
/// use tagwise_codec::{FaultKind, Tag, ber::Elements};
/// let input = [0x02, 0x01, 0x05, 0x05, 0x00];
/// let mut elements = Elements::new(0, input.len());
/// assert_eq!(elements.expect(&input, Tag::INTEGER)?.content, 2..3);
/// assert_eq!(elements.optional(&input, Tag::OCTET_STRING)?, None);
/// assert_eq!(elements.expect(&input, Tag::OCTET_STRING).unwrap_err().kind(), FaultKind::UnexpectedTag);
/// assert!(elements.is_empty());
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elements {
    at: usize,
    end: usize,
}

impl Elements {
    /// Creates a cursor over the elements in a range of the input.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { at: start, end }
    }

    /// Returns whether no element is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    /// Returns the next element and advances past it.
    ///
    /// # Errors
    /// Returns [`FaultKind::Missing`] if no element is left, or any error from [`Element::read`].
    pub fn next(&mut self, octets: &[u8]) -> Result<Element, Fault> {
        let element = Element::read(octets, self.at, self.end)?;
        self.at = element.end;
        Ok(element)
    }

    /// Like [`Elements::next`], but the element must have the given tag.
    ///
    /// # Errors
    /// Returns [`FaultKind::UnexpectedTag`], or any error from [`Elements::next`].
    pub fn expect(&mut self, octets: &[u8], tag: Tag) -> Result<Element, Fault> {
        let element = self.next(octets)?;
        if element.tag == tag { Ok(element) } else { Err(Fault::new(FaultKind::UnexpectedTag, element.start)) }
    }

    /// Returns the next element and advances past it, if it has the given tag.
    ///
    /// # Errors
    /// Returns any error from [`Elements::next`].
    pub fn optional(&mut self, octets: &[u8], tag: Tag) -> Result<Option<Element>, Fault> {
        if self.is_empty() {
            return Ok(None);
        }
        let element = Element::read(octets, self.at, self.end)?;
        if element.tag != tag {
            return Ok(None);
        }
        self.at = element.end;
        Ok(Some(element))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::head::{Length, identifier, length};

    #[test]
    fn lengths_of_both_forms() {
        for (octets, content, end) in [
            (&[0x30, 0x00][..], 2..2, 2),
            // A length that is not minimal is BER.
            (&[0x30, 0x81, 0x02, 0x05, 0x00], 3..5, 5),
            (&[0x04, 0x82, 0x00, 0x01, 0xAA, 0x00], 4..5, 5),
            // SEQUENCE of indefinite length around another, which ends in bytes like an end-of-contents.
            (&[0x30, 0x80, 0x30, 0x80, 0x04, 0x02, 0, 0, 0, 0, 0, 0], 2..10, 12),
            // [1000] with a tag of two more bytes.
            (&[0xBF, 0x87, 0x68, 0x02, 0x05, 0x00], 4..6, 6),
        ] {
            let element = Element::read(octets, 0, octets.len()).unwrap();
            assert_eq!((element.content.clone(), element.end), (content, end), "{octets:02x?}");
            assert_eq!(element.is_indefinite(), octets.get(1) == Some(&0x80));
        }
    }

    #[test]
    fn what_does_not_end_is_an_error() {
        for (octets, kind, offset) in [
            (&b""[..], FaultKind::Missing, 0),
            (&[0x30], FaultKind::Truncated, 1),
            (&[0x30, 0x03, 0x05, 0x00], FaultKind::LengthOverrun, 1),
            (&[0x30, 0x80, 0x05, 0x00], FaultKind::Truncated, 4),
            // X.690 §8.1.3.2 and §8.1.3.5.
            (&[0x04, 0x80, 0x00, 0x00], FaultKind::PrimitiveIndefinite, 1),
            (&[0x30, 0xFF, 0x00], FaultKind::LengthReserved, 1),
            (&[0x00, 0x00], FaultKind::EndOfContents, 0),
            (&[0x1F, 0x80, 0x1F, 0x00], FaultKind::TagNotMinimal, 0),
            (&[0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x00], FaultKind::TagTooLarge, 0),
        ] {
            let fault = Element::read(octets, 0, octets.len()).unwrap_err();
            assert_eq!((fault.kind(), fault.offset()), (kind, offset), "{octets:02x?}");
        }
        // The limit holds as the end of the input does.
        assert_eq!(Element::read(&[0x30, 0x02, 0x05, 0x00], 0, 3).unwrap_err().kind(), FaultKind::LengthOverrun);
    }

    #[test]
    fn headers_in_every_form() {
        let read = identifier(&[0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]).unwrap();
        assert_eq!((read.size, read.too_large, read.fault), (Some(6), true, Some(FaultKind::TagTooLarge)));
        let read = identifier(&[0x1F, 0x80, 0x80, 0x01]).unwrap();
        assert_eq!((read.tag.number(), read.size, read.fault), (1, Some(4), Some(FaultKind::TagNotMinimal)));
        assert_eq!(identifier(&[0x1F, 0x81]).unwrap().size, None);
        assert_eq!(identifier(&[]), None);
        let long = [0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(length(&long), Length::Definite { len: u64::MAX, size: 10, minimal: true });
        assert_eq!(length(&[0x82, 0x00, 0x80]), Length::Definite { len: 128, size: 3, minimal: false });
        assert_eq!(
            (length(&[]), length(&[0x80]), length(&[0xFF])),
            (Length::Cut(1), Length::Indefinite, Length::Reserved)
        );
    }
}

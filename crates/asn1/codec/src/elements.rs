//! Steps over BER elements by position, without types, values or copies.

use core::ops::Range;

use crate::engine::canonical::header::Header;
use crate::fault::Fault;
use crate::kind::Kind;
use crate::tag::Tag;

/// The positions of a BER element: of definite or indefinite length, in any valid form of its header.
///
/// Its content is not examined, except to find the end of an indefinite length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The tag.
    pub tag: Tag,
    /// The start of the identifier.
    pub start: usize,
    /// The range of the content, without end-of-contents bytes.
    pub content: Range<usize>,
    /// The end of the element.
    pub end: usize,
}

impl Element {
    /// Reads the element at a position, which must end at or before `limit`.
    ///
    /// ```
    /// use tagwise_codec::ber::Element;
    /// let element = Element::read(&[0x30, 0x80, 0x05, 0x00, 0x00, 0x00, 0x05], 0, 7)?;
    /// assert_eq!((element.content.clone(), element.end, element.is_indefinite()), (2..4, 6, true));
    /// # Ok::<(), tagwise_codec::Fault>(())
    /// ```
    ///
    /// # Errors
    /// A malformed header, or an element that does not end at or before `limit`.
    pub fn read(octets: &[u8], at: usize, limit: usize) -> Result<Self, Fault> {
        let header = Header::read(octets, at, limit, None)?;
        let end = header.element_end(octets, limit)?;
        let content = header.content..header.end.unwrap_or(end.saturating_sub(2));
        Ok(Self { tag: header.tag, start: at, content, end })
    }

    /// Returns whether its length is indefinite.
    #[must_use]
    pub const fn is_indefinite(&self) -> bool {
        self.content.end != self.end
    }

    /// The position of the whole element.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Steps over the elements in its content.
    #[must_use]
    pub const fn children(&self) -> Elements {
        Elements::new(self.content.start, self.content.end)
    }
}

/// A position among consecutive BER elements.
///
/// The input is an argument of each call, so that it can change behind the elements.
///
/// ```
/// use tagwise_codec::{Kind, Tag, ber::Elements};
/// let input = [0x02, 0x01, 0x05, 0x05, 0x00];
/// let mut elements = Elements::new(0, input.len());
/// assert_eq!(elements.expect(&input, Tag::INTEGER)?.content, 2..3);
/// assert_eq!(elements.optional(&input, Tag::OCTET_STRING)?, None);
/// assert_eq!(elements.expect(&input, Tag::OCTET_STRING).unwrap_err().kind(), Kind::UnexpectedTag);
/// assert!(elements.is_empty());
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elements {
    at: usize,
    end: usize,
}

impl Elements {
    /// The elements of a range of the input.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { at: start, end }
    }

    /// Returns whether none is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    /// Steps over the next element.
    ///
    /// # Errors
    /// [`Kind::Missing`] if none is left, or an error of [`Element::read`].
    pub fn next(&mut self, octets: &[u8]) -> Result<Element, Fault> {
        let element = Element::read(octets, self.at, self.end)?;
        self.at = element.end;
        Ok(element)
    }

    /// Steps over the next element, which must have a tag.
    ///
    /// # Errors
    /// [`Kind::UnexpectedTag`], or an error of [`Elements::next`].
    pub fn expect(&mut self, octets: &[u8], tag: Tag) -> Result<Element, Fault> {
        let element = self.next(octets)?;
        if element.tag == tag { Ok(element) } else { Err(Fault::new(Kind::UnexpectedTag, element.start)) }
    }

    /// Steps over the next element if it has a tag.
    ///
    /// # Errors
    /// An error of [`Elements::next`].
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

//! Events of a stream.

use crate::tag::Tag;

/// The position, tag and length of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The element's tag.
    pub tag: Tag,
    /// The absolute offset of the element's first byte.
    pub offset: u64,
    /// The size of the identifier and length bytes.
    pub header_len: u8,
    /// The content length. `None` for the indefinite form.
    pub len: Option<u64>,
    /// The number of enclosing elements.
    pub depth: u16,
    /// True if this is a segment of a constructed string (X.690 §8.6.4, §8.7.3).
    pub segment: bool,
}

impl Header {
    /// Returns the absolute offset of the content.
    #[must_use]
    pub const fn content(&self) -> u64 {
        self.offset.saturating_add(self.header_len as u64)
    }
}

/// Part of a primitive element's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'b> {
    /// The absolute offset of the first byte.
    pub offset: u64,
    /// The bytes: at least one, and at most [`Settings::chunk`](super::Settings::chunk).
    pub octets: &'b [u8],
    /// The number of content bytes that follow.
    pub left: u64,
}

/// The end of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The element's tag.
    pub tag: Tag,
    /// The absolute offset of the element's first byte.
    pub offset: u64,
    /// The absolute offset after the element, including any end-of-contents bytes.
    pub end: u64,
    /// The number of enclosing elements.
    pub depth: u16,
    /// True if the element had an indefinite length, ended by end-of-contents bytes.
    pub indefinite: bool,
}

/// An event of [`Events`](super::Events).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'b> {
    /// The start of an element.
    Start(Header),
    /// Content of the most recently started primitive element. Content that fits into one chunk is delivered whole,
    /// after its type's checks.
    Chunk(Chunk<'b>),
    /// The end of an element.
    End(End),
}

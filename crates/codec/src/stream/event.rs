//! The events that a stream is told in.

use crate::tag::Tag;

/// Place, identifier and length of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The tag.
    pub tag: Tag,
    /// The absolute offset of its first octet.
    pub offset: u64,
    /// Length of identifier and length octets together.
    pub header_len: u8,
    /// Length of the content; `None` for the indefinite form.
    pub len: Option<u64>,
    /// Number of enclosing elements.
    pub depth: u16,
    /// Set if it is a segment of a string in constructed form (X.690 §8.6.4, §8.7.3).
    pub segment: bool,
}

impl Header {
    /// The absolute offset of the content.
    #[must_use]
    pub const fn content(&self) -> u64 {
        self.offset.saturating_add(self.header_len as u64)
    }
}

/// Octets of a primitive element's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'b> {
    /// The absolute offset of the first one.
    pub offset: u64,
    /// The octets: at least one, and at most as many as [`Settings::chunk`](super::Settings::chunk) says.
    pub octets: &'b [u8],
    /// Number of content bytes that follow.
    pub left: u64,
}

/// The end of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The element's tag.
    pub tag: Tag,
    /// The absolute offset of the element's first octet.
    pub offset: u64,
    /// The absolute offset of what follows the element: after the end-of-contents octets, if it has any.
    pub end: u64,
    /// Number of enclosing elements.
    pub depth: u16,
    /// Set if end-of-contents octets ended it: its length was indefinite.
    pub indefinite: bool,
}

/// An event of [`Events`](super::Events).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'b> {
    /// An element begins.
    Start(Header),
    /// Content of the primitive element that began last. Content that fits into a chunk comes in one, and has passed its
    /// type's checks.
    Chunk(Chunk<'b>),
    /// An element ends.
    End(End),
}

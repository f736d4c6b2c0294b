//! The outermost elements of an encoding, for recognition: DER or BER, regardless of their contents and of trailing data.

use std::ops::Range;

use tagwise_codec::ber::Element;
use tagwise_codec::{Oid, Tag};

/// The maximum number of children that are examined.
const CHILDREN: usize = 10;

/// An element with its children, up to the first malformed one.
pub(crate) struct Frame<'a> {
    octets: &'a [u8],
    element: Element,
    children: Vec<Element>,
    tags: Vec<Tag>,
    /// False if a child is malformed.
    sound: bool,
}

impl<'a> Frame<'a> {
    /// Reads the first element.
    pub(crate) fn read(octets: &'a [u8]) -> Option<Self> {
        Element::read(octets, 0, octets.len()).ok().map(|element| Self::of(octets, element))
    }

    fn of(octets: &'a [u8], element: Element) -> Self {
        let mut children = Vec::new();
        let mut rest = element.children();
        let mut sound = true;
        while element.tag.is_constructed() && !rest.is_empty() && children.len() < CHILDREN {
            match rest.next(octets) {
                Ok(child) => children.push(child),
                Err(_) => {
                    sound = false;
                    break;
                }
            }
        }
        let tags = children.iter().map(|child| child.tag).collect();
        Self { octets, element, children, tags, sound }
    }

    /// Returns the element's tag.
    pub(crate) const fn tag(&self) -> Tag {
        self.element.tag
    }

    /// Returns the position of the element's content.
    pub(crate) fn content(&self) -> Range<usize> {
        self.element.content.clone()
    }

    /// Returns whether the element is the whole input, and its children are well-formed.
    pub(crate) const fn is_whole(&self) -> bool {
        self.sound && self.element.start == 0 && self.element.end == self.octets.len()
    }

    /// Returns the tags of the children.
    pub(crate) fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Returns the child at the given index.
    pub(crate) fn child(&self, index: usize) -> Option<Self> {
        self.children.get(index).map(|child| Self::of(self.octets, child.clone()))
    }

    /// Returns the first child with the given tag.
    pub(crate) fn first(&self, tag: Tag) -> Option<Self> {
        let index = self.tags.iter().position(|own| *own == tag)?;
        self.child(index)
    }

    /// Returns the tags of a child's children.
    pub(crate) fn tags_in(&self, index: usize) -> Vec<Tag> {
        self.child(index).map(|child| child.tags).unwrap_or_default()
    }

    /// Returns the content of the first child, if it has the given tag.
    fn front(&self, tag: Tag) -> Option<&'a [u8]> {
        let first = self.children.first().filter(|first| first.tag == tag)?;
        self.octets.get(first.content.clone())
    }

    /// Returns the object identifier in the first child.
    pub(crate) fn oid(&self) -> Option<Oid<'a>> {
        Oid::from_content(self.front(Tag::OBJECT_IDENTIFIER)?).ok()
    }

    /// Returns the small INTEGER in the first child.
    pub(crate) fn version(&self) -> Option<u8> {
        match self.front(Tag::INTEGER)? {
            [version] => Some(*version),
            _ => None,
        }
    }
}

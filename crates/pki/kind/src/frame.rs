//! Lenient parsing of an encoding's outermost elements, for recognition.

use tagwise_codec::{Any, Decode, Options, Reader, Rule, RuleSet, Session, Tag};

/// At most this many children are looked at.
const CHILDREN: usize = 10;

/// The first element of an encoding with the tags of its children.
pub(crate) struct Frame<'a> {
    outer: Any<'a>,
    tags: Vec<Tag>,
    inner: Vec<Tag>,
}

impl<'a> Frame<'a> {
    /// Reads the first element, whatever is inside or after it and whatever rules it departs from.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let rules = Rule::ALL.iter().fold(RuleSet::NONE, |rules, rule| rules.with(rule));
        let session = Session::new(Options::der().rules(rules));
        let mut reader = Reader::with_session(bytes, &session).ok()?.outlined();
        let outer = Any::decode(&mut reader).ok()?;
        let inner = child_of(&outer, 0).map_or_else(Vec::new, |child| tags_of(&child));
        Some(Self { tags: tags_of(&outer), inner, outer })
    }

    /// The element.
    pub(crate) const fn outer(&self) -> &Any<'a> {
        &self.outer
    }

    /// The tags of its children.
    pub(crate) fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// The tags of its first child's children.
    pub(crate) fn inner(&self) -> &[Tag] {
        &self.inner
    }

    /// The tags of the children of a child.
    pub(crate) fn tags_in(&self, index: usize) -> Vec<Tag> {
        child_of(&self.outer, index).map_or_else(Vec::new, |child| tags_of(&child))
    }
}

fn child_of<'a>(any: &Any<'a>, index: usize) -> Option<Any<'a>> {
    any.children().map_while(Result::ok).nth(index)
}

/// The tags of an element's children, as far as those are well-formed.
pub(crate) fn tags_of(any: &Any<'_>) -> Vec<Tag> {
    any.children().map_while(Result::ok).map(|child| child.tag()).take(CHILDREN).collect()
}

/// The first child with a tag.
pub(crate) fn first<'a>(outer: &Any<'a>, wanted: Tag) -> Option<Any<'a>> {
    outer.children().map_while(Result::ok).find(|child| child.tag() == wanted)
}

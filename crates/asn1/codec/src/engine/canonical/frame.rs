//! Per-value state of the walk.

use alloc::vec::Vec;

use crate::engine::canonical::header::Header;
use crate::engine::canonical::join::is_segment;
use crate::engine::canonical::tape::Order;
use crate::engine::components::Inside;
use crate::table::Field;
use crate::tag::Tag;

/// The kind of content in an open value.
#[derive(Debug)]
pub(super) enum Within<'s> {
    /// Content that the tables describe.
    Typed(Inside<'s>),
    /// The encoding of another type, in a primitive string.
    Contained(Inside<'s>),
    /// Content that no schema describes. `listed` is true if an enclosing element is already in the residue.
    Untyped { listed: bool, string: MaybeString },
    /// Segments of a string that is being joined.
    Segments,
}

/// A guess, from the content so far, whether an element without a schema is a string with an IMPLICIT tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MaybeString {
    No,
    /// Possible: no content so far.
    Yes,
    /// Possible: segments so far, all with this universal tag number.
    Of(u32),
}

impl MaybeString {
    pub(super) fn meet(&mut self, tag: Tag) {
        *self = match *self {
            Self::Yes if is_segment(tag) => Self::Of(tag.number()),
            Self::Of(all) if is_segment(tag) && tag.number() == all => Self::Of(all),
            _ => Self::No,
        };
    }
}

/// The order in which a value's elements are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sorting {
    Kept,
    By(Order),
    /// Either a SET or a SET OF.
    Unknown,
}

/// Tracks the order of the elements encountered so far.
#[derive(Debug)]
pub(super) struct Ordered {
    pub(super) sorting: Sorting,
    /// The previous element: its tag, and its input range if it is copied unchanged.
    last: Option<(Tag, Option<(usize, usize)>)>,
    pub(super) by_tags: bool,
    pub(super) by_encodings: bool,
    /// True if the elements' order can only be checked after they have been written.
    pub(super) unsure: bool,
    /// The tags that CER sorts the elements by.
    pub(super) ranks: Vec<Tag>,
}

impl Ordered {
    pub(super) const fn new(sorting: Sorting) -> Self {
        Self { sorting, last: None, by_tags: true, by_encodings: true, unsure: false, ranks: Vec::new() }
    }

    /// Records the next element, with the tag that it is sorted by.
    pub(super) fn next(&mut self, input: &[u8], tag: Tag, stays: Option<(usize, usize)>) {
        if self.sorting == Sorting::Kept {
            return;
        }
        if let Some((last_tag, last)) = self.last.replace((tag, stays)) {
            let rank = |tag: Tag| (tag.class(), tag.number());
            self.by_tags &= rank(last_tag) <= rank(tag);
            match (last, stays) {
                (Some(last), Some(stays)) => {
                    self.by_encodings &= input.get(last.0..last.1) <= input.get(stays.0..stays.1);
                }
                _ => self.unsure = true,
            }
        }
    }
}

/// One open value.
#[derive(Debug)]
pub(super) struct Frame<'s> {
    pub(super) within: Within<'s>,
    pub(super) header: Header,
    /// The end of the innermost value of definite length.
    pub(super) limit: usize,
    /// The index of the value's header on the tape.
    pub(super) node: usize,
    /// The length of the value's content in the output.
    pub(super) len: u64,
    /// True if the output will differ from the input.
    pub(super) changed: bool,
    pub(super) ordered: Ordered,
    pub(super) field: Option<&'s Field>,
    /// The number of keys before the value. `level` is the number of enclosing SEQUENCEs and SETs.
    pub(super) keys: usize,
    pub(super) level: usize,
    /// True if this is the value of an open type, or inside one.
    pub(super) open: bool,
    /// True if this is a BIT STRING that contains an encoding.
    pub(super) bits: bool,
    /// The number of deviations to roll back to if the contained encoding is abandoned.
    pub(super) noted: usize,
    pub(super) residue: usize,
}

/// A finished element.
pub(super) struct Done<'s> {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) tag: Tag,
    /// The index of the element's start on the tape.
    pub(super) node: usize,
    /// The length in the output. An unchanged element keeps its length.
    pub(super) len: u64,
    pub(super) changed: bool,
    pub(super) field: Option<&'s Field>,
}

/// The context of an element, in addition to its conversion plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'s> {
    pub(super) field: Option<&'s Field>,
    pub(super) open: bool,
}

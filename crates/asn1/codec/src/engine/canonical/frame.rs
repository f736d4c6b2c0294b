//! Per-value state of the walk.

use alloc::vec::Vec;

use crate::engine::canonical::header::Header;
use crate::engine::canonical::join::is_segment;
use crate::engine::canonical::tape::Order;
use crate::engine::components::Inside;
use crate::table::Field;
use crate::tag::Tag;

/// Content of an open value.
#[derive(Debug)]
pub(super) enum Within<'s> {
    /// Content that the tables describe.
    Typed(Inside<'s>),
    /// The encoding of another type, in a primitive string.
    Contained(Inside<'s>),
    /// Content that no schema describes; `listed` is set if an enclosing element is in the residue already.
    Untyped { listed: bool, string: MaybeString },
    /// Segments of the string that is being joined.
    Segments,
}

/// Guess whether an element without a schema is a string under an IMPLICIT tag, by its content so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MaybeString {
    No,
    /// Nothing yet.
    Yes,
    /// Elements that may be segments, all with this universal tag number.
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

/// Order that the elements of a value are put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sorting {
    Kept,
    By(Order),
    /// A SET or a SET OF.
    Unknown,
}

/// State of the order of the elements met so far.
#[derive(Debug)]
pub(super) struct Ordered {
    pub(super) sorting: Sorting,
    /// The element that came last: its tag, and where it stands if it stays as it is.
    last: Option<(Tag, Option<(usize, usize)>)>,
    pub(super) by_tags: bool,
    pub(super) by_encodings: bool,
    /// Set if the order of encodings is known only once they are written.
    pub(super) unsure: bool,
    /// Tags that the elements were sorted by in CER.
    pub(super) ranks: Vec<Tag>,
}

impl Ordered {
    pub(super) const fn new(sorting: Sorting) -> Self {
        Self { sorting, last: None, by_tags: true, by_encodings: true, unsure: false, ranks: Vec::new() }
    }

    /// The next element, by the tag that it is sorted by.
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
    /// End of the innermost value of definite length.
    pub(super) limit: usize,
    /// Index of its header on the tape.
    pub(super) node: usize,
    /// Length of its content in the output.
    pub(super) len: u64,
    /// Set if it will not be written as it stands.
    pub(super) changed: bool,
    pub(super) ordered: Ordered,
    pub(super) field: Option<&'s Field>,
    /// Number of keys before it; `level` is the number of SEQUENCEs and SETs around it.
    pub(super) keys: usize,
    pub(super) level: usize,
    /// Set if it is the value of an open type, or inside one.
    pub(super) open: bool,
    /// Set if it is a BIT STRING that contains an encoding.
    pub(super) bits: bool,
    /// Length of the list of deviations to go back to if the contained encoding is given up.
    pub(super) noted: usize,
    pub(super) residue: usize,
}

/// An element that is done.
pub(super) struct Done<'s> {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) tag: Tag,
    /// Index of its start on the tape.
    pub(super) node: usize,
    /// Length in the output; an unchanged element keeps its length.
    pub(super) len: u64,
    pub(super) changed: bool,
    pub(super) field: Option<&'s Field>,
}

/// Circumstances of one element, besides its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'s> {
    pub(super) field: Option<&'s Field>,
    pub(super) open: bool,
}

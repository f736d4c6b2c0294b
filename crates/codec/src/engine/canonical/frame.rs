//! What the walk keeps of the values it is in.

use alloc::vec::Vec;

use crate::engine::canonical::header::Header;
use crate::engine::canonical::join::is_segment;
use crate::engine::canonical::tape::Order;
use crate::engine::components::Inside;
use crate::table::Field;
use crate::tag::Tag;

/// What an open value holds.
#[derive(Debug)]
pub(super) enum Within<'s> {
    /// What the tables say.
    Typed(Inside<'s>),
    /// The encoding of another type, in a primitive string.
    Contained(Inside<'s>),
    /// What no schema describes. `listed` says that something around it is in the residue already.
    Untyped { listed: bool, string: MaybeString },
    /// Segments of the string that is being joined.
    Segments,
}

/// Whether an element without a schema may be a string under an IMPLICIT tag, by what it holds so far.
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

/// How the elements of a value are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sorting {
    Kept,
    By(Order),
    /// A SET or a SET OF.
    Unknown,
}

/// What is known of the order of the elements met so far.
#[derive(Debug)]
pub(super) struct Ordered {
    pub(super) sorting: Sorting,
    /// The element that came last: its tag, and where it stands if it stays as it is.
    last: Option<(Tag, Option<(usize, usize)>)>,
    pub(super) by_tags: bool,
    pub(super) by_encodings: bool,
    /// Whether the order of encodings is known only once they are written.
    pub(super) unsure: bool,
    /// What elements were sorted by in CER.
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
    /// Where the innermost value of definite length ends.
    pub(super) limit: usize,
    /// Where on the tape its header is.
    pub(super) node: usize,
    /// How long its content will be.
    pub(super) len: u64,
    /// Whether it will not be written as it stands.
    pub(super) changed: bool,
    pub(super) ordered: Ordered,
    pub(super) field: Option<&'s Field>,
    /// How many keys there were before, and how many SEQUENCEs and SETs are around.
    pub(super) keys: usize,
    pub(super) level: usize,
    /// Whether it is the value of an open type, or in one.
    pub(super) open: bool,
    /// Whether it is a BIT STRING that contains an encoding.
    pub(super) bits: bool,
    /// What to go back to if what it contains is given up.
    pub(super) noted: usize,
    pub(super) residue: usize,
}

/// An element that is done.
pub(super) struct Done<'s> {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) tag: Tag,
    /// Where on the tape it starts.
    pub(super) node: usize,
    /// How long it will be; what was not changed stays as long as it is.
    pub(super) len: u64,
    pub(super) changed: bool,
    pub(super) field: Option<&'s Field>,
}

/// How one element is treated, besides its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'s> {
    pub(super) field: Option<&'s Field>,
    pub(super) open: bool,
}

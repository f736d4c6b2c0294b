//! Order checks for SETs (X.690 §9.3, §10.3) and SET OFs (§11.6) in constant memory: the first bytes of an element are
//! retained until the next one.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::Rules;
use super::error::Flaw;
use crate::kind::FaultKind;
use crate::tag::Tag;

/// The required order of a set's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// A SET or a SET OF: the order of either is accepted.
    Either,
    /// A SET OF.
    Encodings,
}

/// One open SET or SET OF.
#[derive(Debug)]
struct Set {
    /// The number of enclosing elements.
    depth: usize,
    held: Held,
    /// The tag of the previous element, and whether the tags ascend so far.
    tag: Option<Tag>,
    by_tags: bool,
    /// True if two consecutive elements have the same tag, which is possible only in a SET OF.
    alike: bool,
    by_encodings: bool,
    previous: Kept,
    current: Kept,
}

/// The first bytes of an element.
#[derive(Debug, Default)]
struct Kept {
    offset: u64,
    octets: Vec<u8>,
    /// True if the element has more bytes than were kept.
    cut: bool,
}

impl Kept {
    fn add(&mut self, octets: &[u8], limit: usize) {
        let room = limit.saturating_sub(self.octets.len());
        self.octets.extend_from_slice(octets.get(..room).unwrap_or(octets));
        self.cut |= octets.len() > room;
    }

    /// Compares two encodings as far as they are known. The encodings differ within the shorter one.
    fn compare(&self, other: &Self) -> Option<Ordering> {
        let len = self.octets.len().min(other.octets.len());
        let (one, another) = (self.octets.get(..len)?, other.octets.get(..len)?);
        match one.cmp(another) {
            Ordering::Equal if self.cut || other.cut => None,
            Ordering::Equal => Some(self.octets.len().cmp(&other.octets.len())),
            order => Some(order),
        }
    }
}

/// The open SETs and SET OFs whose order is checked.
#[derive(Debug)]
pub(super) struct Order {
    sets: Vec<Set>,
    /// The number of bytes kept per element.
    limit: usize,
    /// The offset of the first element whose order is unknown.
    unsure: Option<u64>,
}

impl Order {
    pub(super) const fn new(limit: usize) -> Self {
        Self { sets: Vec::new(), limit, unsure: None }
    }

    pub(super) const fn unsure(&self) -> Option<u64> {
        self.unsure
    }

    /// Returns whether no set is open.
    #[inline]
    pub(super) const fn is_idle(&self) -> bool {
        self.sets.is_empty()
    }

    /// Starts the order check for the element at the given depth, or clears it.
    pub(super) fn open(&mut self, depth: usize, held: Option<Held>) {
        if self.sets.last().is_some_and(|set| set.depth == depth) {
            self.sets.pop();
        }
        if let (Some(held), true) = (held, self.limit > 0) {
            self.sets.push(Set {
                depth,
                held,
                tag: None,
                by_tags: true,
                alike: false,
                by_encodings: true,
                previous: Kept::default(),
                current: Kept::default(),
            });
        }
    }

    /// Returns whether the element at the given offset has already begun.
    pub(super) fn has_begun(&self, offset: u64) -> bool {
        self.sets.last().is_some_and(|set| set.tag.is_some() && set.current.offset == offset)
    }

    /// Begins an element at the given depth.
    pub(super) fn begin(&mut self, depth: usize, tag: Tag, offset: u64) {
        if let Some(set) = self.sets.last_mut()
            && set.depth + 1 == depth
        {
            core::mem::swap(&mut set.previous, &mut set.current);
            set.current.octets.clear();
            (set.current.offset, set.current.cut) = (offset, false);
            if let Some(last) = set.tag.replace(tag) {
                let rank = |tag: Tag| (tag.class(), tag.number());
                set.by_tags &= rank(last) < rank(tag);
                set.alike |= last.same(tag);
            }
        }
    }

    /// Adds bytes of the open elements.
    pub(super) fn feed(&mut self, octets: &[u8]) {
        for set in &mut self.sets {
            // What is outside of an element is the set's own header, or ends it.
            if set.tag.is_some() {
                set.current.add(octets, self.limit);
            }
        }
    }

    /// Records that bytes were skipped.
    pub(super) fn pass_over(&mut self) {
        for set in &mut self.sets {
            set.current.cut = true;
        }
    }

    /// Ends the element at the given depth.
    pub(super) fn end(&mut self, depth: usize, rules: Rules) -> Result<(), Flaw> {
        if self.sets.last().is_some_and(|set| set.depth == depth) {
            self.sets.pop();
        }
        let Some(set) = self.sets.last_mut() else { return Ok(()) };
        // The first element has none before it.
        if set.depth + 1 != depth || set.previous.octets.is_empty() {
            return Ok(());
        }
        match set.previous.compare(&set.current) {
            Some(Ordering::Greater) => set.by_encodings = false,
            Some(_) => {}
            None => {
                self.unsure.get_or_insert(set.current.offset);
            }
        }
        let may_be_set = match (set.held, rules) {
            (Held::Encodings, _) | (_, Rules::Ber) => false,
            (Held::Either, Rules::Der) => set.by_tags && !set.alike,
            // X.690 §9.3: an untagged CHOICE stands where its smallest tag does, which only its type knows.
            (Held::Either, Rules::Cer) => !set.alike,
        };
        if set.by_encodings || may_be_set { Ok(()) } else { Err(Flaw::new(FaultKind::SetOfOrder, set.current.offset)) }
    }
}

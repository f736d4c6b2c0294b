//! The state of open elements, and checks of their primitive or constructed form.

use super::Rules;
use super::error::Flaw;
use super::event::Header;
use super::scan::Scan;
use crate::any::{CONSTRUCTED, PRIMITIVE, is_one_of};
use crate::kind::FaultKind;
use crate::tag::Tag;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) tag: Tag,
    pub(super) offset: u64,
    pub(super) content: u64,
    /// The end of the content; `None` for the indefinite form.
    pub(super) end: Option<u64>,
    /// The end of the innermost element of definite length: this element or one that encloses it.
    pub(super) bound: Option<u64>,
    pub(super) primitive: bool,
}

/// The string types that BER may encode in constructed form: BIT STRING, OCTET STRING, ObjectDescriptor, the restricted
/// character strings, UTCTime and GeneralizedTime (X.690 §8.6, §8.7, §8.23, §8.24, §8.25).
const STRINGS: u64 = 1 << 3 | 1 << 4 | 1 << 7 | 1 << 12 | 0b1_1111 << 18 | 1 << 23 | 1 << 24 | 0b1111 << 25 | 1 << 30;

pub(super) const fn is_string(tag: Tag) -> bool {
    is_one_of(tag, STRINGS)
}

/// Returns whether an identifier byte with a low tag number has a form that all encoding rules accept for its type. Returns
/// `false` for a SET and for a segmented string.
pub(super) const fn is_plain(octet: u8) -> bool {
    // One bit for each identifier octet of universal class.
    const fn mask() -> u64 {
        let (mut mask, mut octet) = (0, 1u8);
        while octet < 0x40 {
            let tag = Tag::from_low_octet(octet);
            let fits = match tag.is_constructed() {
                true => octet & 0x1F != 0 && !is_one_of(tag, PRIMITIVE) && !is_string(tag) && octet != 0x31,
                false => !is_one_of(tag, CONSTRUCTED),
            };
            if fits {
                mask |= 1 << octet;
            }
            octet += 1;
        }
        mask
    }
    const MASK: u64 = mask();
    octet >= 0x40 || MASK & 1 << octet != 0
}

/// The segment size of CER strings (X.690 §9.2), in bytes.
const SEGMENT: u64 = 1000;

/// Checks that the form of a universal element is allowed for its type.
pub(super) fn form(header: &Header, length_at: u64, rules: Rules) -> Result<(), Flaw> {
    let tag = header.tag;
    if tag.is_constructed() {
        if is_one_of(tag, PRIMITIVE) && (rules == Rules::Der || !is_string(tag)) {
            let detail = tag.first_octet() & !0x20;
            return Err(Flaw { detail, ..Flaw::new(FaultKind::PrimitiveExpected, header.offset) });
        }
        return Ok(());
    }
    if is_one_of(tag, CONSTRUCTED) {
        let detail = tag.first_octet() | 0x20;
        return Err(Flaw { detail, ..Flaw::new(FaultKind::ConstructedExpected, header.offset) });
    }
    if rules == Rules::Cer && is_string(tag) && header.len > Some(SEGMENT) {
        return Err(Flaw::new(FaultKind::SegmentSize, length_at));
    }
    Ok(())
}

/// A constructed string, processed segment by segment.
#[derive(Debug)]
pub(super) struct Segments {
    tag: Tag,
    /// The number of enclosing elements.
    pub(super) depth: usize,
    /// The start of the string's content.
    content: u64,
    /// The check of the whole string, if its type restricts more than its segments' type.
    scan: Option<Scan>,
    total: u64,
    /// The length of the last segment.
    last: u64,
    /// The offset of the last segment's unused-bits byte, if it is not 0.
    unused_at: Option<u64>,
}

impl Segments {
    pub(super) fn new(tag: Tag, depth: usize, content: u64) -> Self {
        let scan = (!tag.same(Tag::BIT_STRING) && !tag.same(Tag::OCTET_STRING)).then(|| Scan::new(tag, content));
        Self { tag, depth, content, scan, total: 0, last: SEGMENT, unused_at: None }
    }

    /// Begins a segment. Segments of a BIT STRING are BIT STRINGs (X.690 §8.6.4.1). All others are OCTET STRINGs
    /// (§8.7.3.2, §8.23.3).
    pub(super) fn begin(&mut self, header: &Header, length_at: u64, rules: Rules) -> Result<(), Flaw> {
        let expected = if self.tag.same(Tag::BIT_STRING) { Tag::BIT_STRING } else { Tag::OCTET_STRING };
        if !header.tag.same(expected) {
            return Err(Flaw { detail: expected.first_octet(), ..Flaw::new(FaultKind::UnexpectedTag, header.offset) });
        }
        if let Some(at) = self.unused_at {
            // X.690 §8.6.4.1: only the last segment may have unused bits.
            return Err(Flaw::new(FaultKind::BitStringUnused, at));
        }
        if rules != Rules::Cer {
            return Ok(());
        }
        if header.tag.is_constructed() {
            return Err(Flaw {
                detail: expected.first_octet(),
                ..Flaw::new(FaultKind::PrimitiveExpected, header.offset)
            });
        }
        let len = header.len.unwrap_or_default();
        if self.last != SEGMENT || len > SEGMENT || len == 0 {
            return Err(Flaw::new(FaultKind::SegmentSize, length_at));
        }
        self.last = len;
        Ok(())
    }

    /// Adds bytes of a segment. `first` is true if they are its first bytes.
    pub(super) fn feed(&mut self, octets: &[u8], at: u64, first: bool) -> Result<(), Flaw> {
        self.total = self.total.saturating_add(octets.len() as u64);
        if first && self.tag.same(Tag::BIT_STRING) && octets.first().is_some_and(|unused| *unused != 0) {
            self.unused_at = Some(at);
        }
        match &mut self.scan {
            Some(scan) => scan.feed(octets, at),
            None => Ok(()),
        }
    }

    /// Records that a segment was skipped. The string can then no longer be checked as a whole.
    pub(super) fn pass_over(&mut self) {
        self.scan = None;
        self.unused_at = None;
        self.total = u64::MAX;
    }

    /// Ends the string.
    pub(super) fn finish(&mut self, at: u64, rules: Rules) -> Result<(), Flaw> {
        // X.690 §9.2: what one segment can hold is primitive.
        if rules == Rules::Cer && self.total <= SEGMENT {
            return Err(Flaw::new(FaultKind::SegmentSize, self.content));
        }
        match &mut self.scan {
            Some(scan) => scan.finish(at, rules),
            None => Ok(()),
        }
    }
}

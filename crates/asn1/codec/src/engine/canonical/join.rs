//! Joins segmented strings into the primitive form (X.690 §8.6.4, §8.7.3, §8.23.6).

use alloc::vec::Vec;

use crate::engine::canonical::frame::{Done, Frame, Given};
use crate::engine::canonical::header::Header;
use crate::engine::canonical::leaf::{Leaf, LeafContent};
use crate::engine::canonical::resolve::Contents;
use crate::engine::canonical::segments::SEGMENT;
use crate::engine::canonical::tape::Node;
use crate::engine::canonical::walk::{Walk, common_prefix};
use crate::engine::canonical::{Target, Task, Uncovered};
use crate::engine::components::Expect;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::Session;
use crate::rule::Rule;
use crate::table::Type;
use crate::tag::{Class, Tag};
use crate::writer::header_len;

/// The segmented string being joined. Segments contain only segments, so at most one string is joined at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joining<'s> {
    leaf: Leaf,
    contents: Contents<'s>,
    given: Given<'s>,
    /// The number of open values that enclose the string.
    depth: usize,
    /// Offset and value of the initial byte in the last segment of a BIT STRING.
    unused: (usize, u8),
    /// Content lengths of the last segment and of all segments, and whether the segments have the sizes that CER requires.
    last: usize,
    total: usize,
    regular: bool,
}

impl<'s> Walk<'s, '_, '_> {
    /// Enters a segmented string.
    pub(super) fn join(
        &mut self,
        header: Header,
        leaf: Leaf,
        contents: Contents<'s>,
        given: Given<'s>,
    ) -> Result<(), Fault> {
        if self.strict && self.target == Target::Der {
            let detail = header.tag.first_octet() & !0x20;
            return Err(Fault::new(FaultKind::PrimitiveExpected, header.at).with_detail(detail));
        }
        let depth = self.frames.len();
        self.enter_segments(header, given)?;
        let (unused, regular) = ((header.content, 0), header.end.is_none());
        self.joining = Some(Joining { leaf, contents, given, depth, unused, last: SEGMENT, total: 0, regular });
        if leaf.is_bits() {
            // The count of unused bits, which the last segment says.
            self.tape.make(&[0], header.content..header.content);
        }
        Ok(())
    }

    /// Reads one segment: a BIT STRING within a BIT STRING, or an OCTET STRING within any other string.
    pub(super) fn segment(&mut self, header: Header) -> Result<(), Fault> {
        let Some(joining) = &mut self.joining else { return Err(Fault::new(FaultKind::Internal, header.at)) };
        let expected = if joining.leaf.is_bits() { Tag::BIT_STRING } else { Tag::OCTET_STRING };
        if !header.tag.same(expected) {
            return Err(Fault::new(FaultKind::UnexpectedTag, header.at).with_detail(expected.first_octet()));
        }
        let Some(end) = header.end.filter(|_| !header.tag.is_constructed()) else {
            let given = joining.given;
            joining.regular = false;
            // X.690 §9.2: segments are primitive in CER.
            if self.strict {
                return Err(Fault::new(FaultKind::PrimitiveExpected, header.at).with_detail(expected.first_octet()));
            }
            return self.enter_segments(header, given);
        };
        let mut content = header.content;
        let len = end - content;
        joining.total += len - usize::from(joining.leaf.is_bits()).min(len);
        if joining.last != SEGMENT || len > SEGMENT || len == 0 || !header.is_canonical(Target::Cer) {
            if self.strict {
                return Err(Fault::new(FaultKind::SegmentSize, header.length_at()));
            }
            joining.regular = false;
        }
        joining.last = len;
        if joining.leaf.is_bits() {
            // X.690 §8.6.4.1: only the last segment may have unused bits.
            if joining.unused.1 != 0 {
                return Err(Fault::new(FaultKind::BitStringUnused, joining.unused.0));
            }
            match self.input.get(content..end) {
                Some([]) | None => return Err(Fault::new(FaultKind::BitStringEmpty, content)),
                Some([unused @ 1..=7, _, ..]) => joining.unused = (content, *unused),
                Some([0, ..]) => joining.unused = (content, 0),
                Some([_, ..]) => return Err(Fault::new(FaultKind::BitStringUnused, content)),
            }
            content += 1;
        }
        self.pos = end;
        self.tape.copy(content..end);
        if let Some(frame) = self.frames.last_mut() {
            frame.len += (end - content) as u64;
        }
        if self.strict { Ok(()) } else { self.short_segments() }
    }

    /// Reads the following segments for as long as they are primitive and have two-byte headers: the fast path for short
    /// segments.
    fn short_segments(&mut self) -> Result<(), Fault> {
        let (Some(frame), Some(joining)) = (self.frames.last_mut(), &mut self.joining) else { return Ok(()) };
        if joining.leaf.is_bits() {
            return Ok(());
        }
        // Other strings are looked at as a whole, and CER has other segments.
        let strided = joining.leaf.number == 4 && self.target == Target::Der;
        let stop = frame.header.end.unwrap_or(frame.limit);
        let mut pos = self.pos;
        while let Some([0x04, len @ 0..0x80, ..]) = self.input.get(pos..stop) {
            let (content, end) = (pos + 2, pos + 2 + usize::from(*len));
            if end > stop {
                // Its header is read the general way, which says what is wrong.
                break;
            }
            self.session.spend_elements(1, pos)?;
            joining.regular &= joining.last == SEGMENT && *len != 0;
            joining.last = usize::from(*len);
            joining.total += usize::from(*len);
            frame.len += u64::from(*len);
            match strided {
                // Inputs are at most u32::MAX octets.
                true => self.tape.strided(content as u32, u32::from(*len)),
                false => self.tape.copy(content..end),
            }
            pos = end;
        }
        self.pos = pos;
        Ok(())
    }

    /// Closes a constructed segment, or the string if it is the outermost.
    pub(super) fn close_segments(&mut self) -> Result<(), Fault> {
        let internal = Fault::new(FaultKind::Internal, self.pos);
        let (Some(frame), Some(joining)) = (self.frames.pop(), self.joining) else { return Err(internal) };
        if self.frames.len() > joining.depth {
            // The header of inner segments goes.
            if let Some(node) = self.tape.nodes.get_mut(frame.node) {
                *node = Node::Copy { start: 0, len: 0 };
            }
            if let Some(outer) = self.frames.last_mut() {
                outer.len += frame.len;
            }
            return Ok(());
        }
        self.joining = None;
        let leaf = joining.leaf;
        let regular = joining.regular && joining.total + usize::from(leaf.is_bits()) > SEGMENT;
        if self.strict && !regular {
            return Err(Fault::new(FaultKind::SegmentSize, frame.header.content));
        }
        let mut made = false;
        if let (true, Some(Node::Made { at, source, span, .. })) =
            (leaf.is_bits(), self.tape.nodes.get_mut(frame.node + 1))
        {
            (*source, *span) = (joining.unused.0 as u32, 1);
            if let Some(octet) = self.tape.made.get_mut(*at as usize) {
                *octet = joining.unused.1;
            }
        }
        let mut len = frame.len + u64::from(leaf.is_bits());
        // Octets are octets, and so are all bits of a BIT STRING without names.
        if leaf.number != 4 && (!leaf.is_bits() || leaf.named || joining.unused.1 != 0) {
            let joined = self.joined(&frame)?;
            if let Some(normal) = self.normal(&joined, frame.node + 1, &frame.header, &joining)? {
                let same = common_prefix(&joined, &normal);
                let source = self.place(frame.node + 1, same).unwrap_or(frame.header.content);
                self.tape.keep(frame.node + 1, same);
                self.tape.make(normal.get(same..).unwrap_or_default(), source..self.pos);
                len = normal.len() as u64;
                made = true;
            }
        }
        match joining.contents {
            Contents::Plain => {}
            Contents::Of(ty) if self.strict => self.check_contents(&frame, ty, leaf)?,
            Contents::Of(_) => self.again |= self.target == Target::Der,
            Contents::Unknown => self.list(frame.header.at, frame.header.tag, Uncovered::Unknown),
        }
        if self.target == Target::Cer && regular && !made {
            return self.done(Done {
                at: frame.header.at,
                end: self.pos,
                tag: frame.header.tag,
                node: frame.node,
                len: (self.pos - frame.header.at) as u64,
                changed: false,
                field: frame.field,
            });
        }
        if self.target == Target::Cer && len > SEGMENT as u64 {
            return self.split_joined(frame, leaf, joining.given);
        }
        let tag = Tag::new(frame.header.tag.class(), frame.header.tag.number(), false);
        let Ok(size) = u32::try_from(len) else { return Err(Fault::new(FaultKind::OutputExceeded, frame.header.at)) };
        if let Some(Node::Header { tag: on_tape, len, .. }) = self.tape.nodes.get_mut(frame.node) {
            (*on_tape, *len) = (tag, size);
        }
        self.done(Done {
            at: frame.header.at,
            end: self.pos,
            tag,
            node: frame.node,
            len: header_len(tag, size as usize) as u64 + len,
            changed: true,
            field: frame.field,
        })
    }

    /// Joins the content of an open value from the tape.
    fn joined(&self, frame: &Frame<'_>) -> Result<Vec<u8>, Fault> {
        let nodes = frame.node + 1..self.tape.nodes.len();
        self.tape.rendered(nodes, self.input).map_err(|kind| Fault::new(kind, frame.header.at))
    }

    /// Splits a joined string, whose segments have other sizes, into CER segments.
    fn split_joined(&mut self, frame: Frame<'s>, leaf: Leaf, given: Given<'s>) -> Result<(), Fault> {
        let initial = usize::from(leaf.is_bits());
        let mut pieces = self.tape.nodes.split_off(frame.node).into_iter().skip(1);
        let (mut unused, mut rest) = (None, None);
        if initial > 0 {
            // The count of unused bits is an octet of its own, or the first one of the normal form.
            if let Some(Node::Made { at, len, source, span }) = pieces.next() {
                unused = self.tape.made(at, 1).first().copied();
                rest = Some(Node::Made { at: at + 1, len: len - 1, source, span });
            }
        }
        self.split(frame.header, self.pos, leaf, unused, rest.into_iter().chain(pieces), given)
    }

    /// Splits a string that contains an encoding into CER segments.
    pub(super) fn split_contained(&mut self, frame: Frame<'s>) -> Result<(), Fault> {
        if self.strict {
            return Err(Fault::new(FaultKind::SegmentSize, frame.header.length_at()));
        }
        let joined = self.joined(&frame)?;
        self.tape.nodes.truncate(frame.node);
        // A BIT STRING had its initial octet copied.
        let bits = frame.bits;
        let (initial, leaf) = (u32::from(bits), Leaf::of(if bits { 3 } else { 4 }));
        let at = self.tape.made.len() as u32 + initial;
        self.tape.made.extend_from_slice(&joined);
        let piece = Node::Made { at, len: joined.len() as u32 - initial, source: frame.header.content as u32, span: 1 };
        let given = Given { field: frame.field, open: frame.open };
        self.split(frame.header, self.pos, leaf, Some(0), [piece], given)
    }

    /// Checks that the encoding contained in a segmented string is CER.
    // Recursion is bounded by the depth that is left, and takes 1000 octets a level.
    fn check_contents(&self, frame: &Frame<'s>, ty: &'s Type, leaf: Leaf) -> Result<(), Fault> {
        let initial = usize::from(leaf.is_bits());
        let joined = self.joined(frame)?;
        let contents = joined.get(initial..).unwrap_or_default();
        let (tables, target, defaults) = (self.tables, self.target, Task::DEFAULTS);
        let task = Task { tables, expect: Some(Expect::of(ty)), target, strict: true, defaults };
        let mut walk = Walk::new(&task, contents, self.session);
        walk.depth = self.depth.saturating_sub(self.frames.len());
        walk.run().map_err(|fault| {
            let offset = self.place(frame.node + 1, fault.offset() + initial).unwrap_or(frame.header.content);
            Fault::new(fault.kind(), offset).with_detail(fault.detail())
        })
    }

    /// Returns the normalized content of a joined string, if it differs from the string's own. Offsets are mapped back to the
    /// segments.
    fn normal(
        &mut self,
        joined: &[u8],
        first: usize,
        header: &Header,
        joining: &Joining<'s>,
    ) -> Result<Option<Vec<u8>>, Fault> {
        if joining.leaf.is_canonical(joined) {
            return Ok(None);
        }
        let session = Session::new(*self.session.options());
        let form = joining.leaf.normal(joined, 0, &session);
        let source = |offset: usize| self.place(first, offset).unwrap_or(header.content);
        match form {
            Ok(form) => {
                for deviation in session.into_deviations() {
                    self.session.tolerate(deviation.rule, source(deviation.offset));
                }
                match form {
                    LeafContent::Made(octets) => Ok(Some(octets).filter(|octets| *octets != joined)),
                    LeafContent::None => {
                        self.list(header.at, header.tag, Uncovered::Formless);
                        Ok(None)
                    }
                }
            }
            Err(fault) if joining.given.open && self.session.allows(&Rule::OPEN_TYPE) => {
                self.session.tolerate(&Rule::OPEN_TYPE, source(fault.offset()));
                self.list(header.at, header.tag, Uncovered::Unknown);
                Ok(None)
            }
            Err(fault) => Err(Fault::new(fault.kind(), source(fault.offset())).with_detail(fault.detail())),
        }
    }

    /// Returns the input position of a byte on the tape. `offset` counts from node `first`.
    fn place(&self, first: usize, offset: usize) -> Option<usize> {
        let mut ahead = offset as u32;
        let mut last = None;
        for node in self.tape.nodes.get(first..)? {
            let (start, len) = match node {
                Node::Copy { start, len } => (*start, *len),
                Node::Made { source, len, .. } => (*source, *len),
                _ => continue,
            };
            if ahead < len {
                return Some((start + ahead) as usize);
            }
            if len > 0 {
                last = Some((start + len) as usize);
            }
            ahead -= len;
        }
        last
    }
}

/// Returns whether an element with this tag can be a segment. Used for elements without a schema.
pub(super) const fn is_segment(tag: Tag) -> bool {
    matches!(tag.class(), Class::Universal) && matches!(tag.number(), 3 | 4)
}

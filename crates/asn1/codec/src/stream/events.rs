//! A pull parser that returns one event at a time, in constant memory.

use std::io::{Read, Seek};

use super::error::{Error, Flaw};
use super::event::{Chunk, End, Event, Header};
use super::open::{Open, Segments, is_plain, is_string};
use super::order::{Held, Order};
use super::scan::{self, Scan};
use super::source::Source;
use super::{Rules, Settings};
use crate::head::{self, Parsed};
use crate::kind::FaultKind;
use crate::options::Budget;
use crate::tag::{Class, Tag};

use alloc::vec::Vec;

/// Reads elements from any [`Read`] as events: start, chunks of primitive content, and end.
///
/// Memory is constant: one buffer of [`Settings::chunk`] bytes and a stack of at most [`Budget::MAX_DEPTH`] open
/// elements. All checks that need neither a schema nor a whole value are performed. They cover tags and lengths, the forms
/// that the rules require, and the content of universal types, as for [`Any`](crate::Any). Under DER and CER, the order of
/// elements in a SET or SET OF is checked as far as [`Settings::order`] allows. DEFAULT values and the content of
/// context-specific types are not checked. Without a type, a SET cannot be distinguished from a SET OF, so either order
/// is accepted. [`NamedEvents`](super::NamedEvents) use the type to distinguish them.
///
/// Malformed input ends the reading, and further calls return the same error. After a reader failure such as
/// `WouldBlock`, call [`Events::next`] again to continue.
///
/// ```
/// use tagwise_codec::stream::{Event, Events};
/// let mut events = Events::new(&b"\x30\x06\x02\x01\x05\x04\x01\xAA"[..]);
/// let mut seen = Vec::new();
/// while let Some(event) = events.next()? {
///     match event {
///         Event::Start(start) => seen.push(format!("{} at {}", start.tag, start.offset)),
///         Event::Chunk(chunk) => seen.push(format!("{:02x?}", chunk.octets)),
///         Event::End(end) => seen.push(format!("end at {}", end.end)),
///     }
/// }
/// assert_eq!(
///     seen,
///     ["SEQUENCE at 0", "INTEGER at 2", "[05]", "end at 5", "OCTET STRING at 5", "[aa]", "end at 8", "end at 8"]
/// );
/// # Ok::<(), tagwise_codec::stream::Error>(())
/// ```
#[derive(Debug)]
pub struct Events<R> {
    pub(super) source: Source<R>,
    settings: Settings,
    /// The open elements, outermost first; a primitive one is the last.
    stack: Vec<Open>,
    /// The open segmented string, if any.
    segments: Option<Segments>,
    /// The check of the open primitive element, if its content comes in several chunks.
    scan: Option<Scan>,
    pub(super) order: Order,
    /// A short primitive element, which is not on the stack.
    leaf: Leaf,
    elements: u64,
    /// The number of elements at the outermost level that have ended.
    done: u64,
    flaw: Option<Flaw>,
}

impl<R: Read> Events<R> {
    /// Creates a reader for one DER value, with the default settings.
    pub fn new(input: R) -> Self {
        Self::with(input, Settings::der())
    }

    /// Creates a reader with the given settings.
    pub fn with(input: R, settings: Settings) -> Self {
        Self {
            source: Source::new(input, settings.chunk_in_force()),
            elements: settings.budget.elements,
            settings,
            stack: Vec::with_capacity(8),
            segments: None,
            scan: None,
            order: Order::new(if settings.rules == Rules::Ber { 0 } else { settings.order }),
            leaf: Leaf { phase: Phase::None, tag: Tag::NULL, offset: 0, len: 0 },
            done: 0,
            flaw: None,
        }
    }

    /// Returns the rules and limits of the stream.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Starts counting offsets at `offset`, for input whose first bytes were already consumed. Call it before reading.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.source.set_offset(offset);
        self
    }

    /// Returns the absolute offset of the next unread byte.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// Returns the number of open elements.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.stack.len() + usize::from(self.leaf.phase != Phase::None)
    }

    /// Returns the offset of the first SET or SET OF element whose order is unknown. An element's order is unknown if the element
    /// equals its predecessor in all retained bytes ([`Settings::order`]), or if bytes were skipped. `None` if all elements
    /// so far are in order.
    #[must_use]
    pub const fn order_unknown(&self) -> Option<u64> {
        self.order.unsure()
    }

    /// Returns the buffered bytes around [`Events::offset`] and the offset of the first one, for error excerpts. May be empty.
    #[must_use]
    pub fn held(&self) -> (u64, &[u8]) {
        self.source.held()
    }

    /// Returns the underlying reader. Read-ahead data is lost.
    pub fn into_inner(self) -> R {
        self.source.into_inner()
    }

    /// Returns the next event, or `None` after the end of the value (or of the input, if several values are allowed).
    ///
    /// # Errors
    /// Returns an error if the input is malformed, or if the underlying reader fails.
    // Not an iterator: events borrow the buffer.
    #[expect(clippy::should_implement_trait, reason = "events borrow the buffer, so this is no Iterator")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<Event<'_>>, Error> {
        match self.leaf.phase {
            Phase::None => {
                if let Some(event) = self.quick() {
                    return Ok(Some(event));
                }
            }
            Phase::Content => {
                let len = usize::from(self.leaf.len);
                self.check_leaf()?;
                self.leaf.phase = Phase::End;
                let offset = self.leaf.offset + 2;
                return Ok(Some(Event::Chunk(Chunk { offset, octets: self.source.pass(len), left: 0 })));
            }
            Phase::End => {
                if self.leaf.len == 0 {
                    self.check_leaf()?;
                }
                self.leaf.phase = Phase::None;
                let Leaf { tag, offset, len, .. } = self.leaf;
                let end = offset + 2 + u64::from(len);
                // No more elements than the depth budget allows enclose it.
                let depth = self.stack.len() as u16;
                return Ok(Some(Event::End(End { tag, offset, end, depth, indefinite: false })));
            }
        }
        self.general()
    }

    /// Returns the next event of any kind: the slow path.
    #[inline(never)]
    fn general(&mut self) -> Result<Option<Event<'_>>, Error> {
        let step = self.step()?;
        Ok(step.map(|step| match step {
            Step::Start(start) => Event::Start(start),
            Step::End(end) => Event::End(end),
            Step::Chunk { count, left } => {
                let offset = self.source.offset();
                Event::Chunk(Chunk { offset, octets: self.source.take(count), left })
            }
        }))
    }

    /// Returns the start or end of the most common kind of element: the fast path. The header has two bytes, the enclosing
    /// element has a definite length, and a primitive element is fully buffered. Returns `None`, without side effects, in all
    /// other cases.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn quick(&mut self) -> Option<Event<'static>> {
        let open = self.stack.last()?;
        let end = open.end?;
        if open.primitive || self.segments.is_some() || self.flaw.is_some() || !self.order.is_idle() {
            return None;
        }
        let at = self.source.offset();
        let depth = self.stack.len();
        if end == at {
            let (tag, offset) = (open.tag, open.offset);
            self.stack.pop();
            if depth == 1 {
                self.done = self.done.saturating_add(1);
            }
            return Some(Event::End(End { tag, offset, end: at, depth: depth as u16 - 1, indefinite: false }));
        }
        let ahead = self.source.ahead();
        let [first, len, ..] = ahead else { return None };
        let size = 2 + usize::from(*len);
        let constructed = first & 0x20 != 0;
        let short = first & 0x1F != 0x1F && *len < 0x80 && is_plain(*first);
        if !short || end - at < size as u64 || self.elements == 0 {
            return None;
        }
        let there = if constructed {
            self.settings.rules != Rules::Cer && depth < usize::from(self.settings.depth_in_force())
        } else {
            size <= ahead.len()
        };
        if !there {
            return None;
        }
        let (tag, len) = (Tag::from_low_octet(*first), *len);
        self.elements -= 1;
        self.source.pass(2);
        if constructed {
            let end = Some(at + size as u64);
            self.stack.push(Open { tag, offset: at, content: at + 2, end, bound: end, primitive: false });
        } else {
            let phase = if len == 0 { Phase::End } else { Phase::Content };
            self.leaf = Leaf { phase, tag, offset: at, len };
        }
        Some(Event::Start(Header {
            tag,
            offset: at,
            header_len: 2,
            len: Some(u64::from(len)),
            depth: depth as u16,
            segment: false,
        }))
    }

    /// Checks the short element's content against its type.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn check_leaf(&mut self) -> Result<(), Error> {
        let octets = self.source.ahead().get(..usize::from(self.leaf.len)).unwrap_or_default();
        // What needs no look, or a short one; the type's own check says what is wrong.
        match (self.leaf.tag.first_octet(), octets) {
            (0x04 | 0x40..=0xFF, _) | (0x02, [_]) | (0x05, []) => return Ok(()),
            (0x02, [0, 0x80..=0xFF, ..] | [0xFF, 0..0x80, ..] | [1..0xFF, _, ..]) => return Ok(()),
            _ => {}
        }
        match scan::whole(self.leaf.tag, octets, self.source.offset(), self.settings.rules) {
            Ok(()) => Ok(()),
            Err(flaw) => Err(self.broken_leaf(flaw)),
        }
    }

    #[cold]
    fn broken_leaf(&mut self, flaw: Flaw) -> Error {
        self.settle();
        self.malformed(flaw)
    }

    /// Moves the pending short element to the stack, where the general path expects it.
    pub(super) fn settle(&mut self) {
        let Leaf { phase, tag, offset, len } = self.leaf;
        if phase != Phase::None {
            self.leaf.phase = Phase::None;
            let end = Some(offset + 2 + u64::from(len));
            self.stack.push(Open { tag, offset, content: offset + 2, end, bound: end, primitive: true });
        }
    }

    /// Skips the rest of the innermost open element, including its end event. Content of definite length is not
    /// checked. Content of indefinite length is checked only as needed to find its end.
    ///
    /// # Errors
    /// Returns [`FaultKind::Truncated`] if the input ends early, an error for malformed content of indefinite length, or the
    /// reader's error.
    pub fn skip(&mut self) -> Result<(), Error> {
        self.skip_with(Source::skip)
    }

    /// Advances by one step without borrowing from the buffer. [`Events::next`] adds the bytes of a chunk.
    pub(super) fn step(&mut self) -> Result<Option<Step>, Error> {
        self.settle();
        if let Some(flaw) = self.flaw {
            return Err(flaw.error(self.settings.rules));
        }
        self.advance().map_err(|trouble| self.failure(trouble))
    }

    #[cold]
    fn failure(&mut self, trouble: Trouble) -> Error {
        match trouble {
            Trouble::Malformed(flaw) => self.malformed(flaw),
            Trouble::Io(error) => Error::io(error, self.source.reached()),
        }
    }

    pub(super) const fn flaw(&self) -> Option<Flaw> {
        self.flaw
    }

    /// Returns the innermost open element.
    pub(super) fn innermost(&self) -> Option<Open> {
        let Leaf { phase, tag, offset, len } = self.leaf;
        if phase == Phase::None {
            return self.stack.last().copied();
        }
        let end = Some(offset + 2 + u64::from(len));
        Some(Open { tag, offset, content: offset + 2, end, bound: end, primitive: true })
    }

    /// Sets or clears the order check for the innermost open element, which has just begun. Used by callers that know its type.
    pub(super) fn hold_order(&mut self, held: Option<Held>) {
        if self.settings.rules != Rules::Ber
            && let Some(depth) = self.stack.len().checked_sub(1)
        {
            self.order.open(depth, held);
        }
    }

    /// Treats the innermost open element, which has just begun, as a string whose own tag is `tag`. Used by callers that
    /// know its type.
    pub(super) fn hold_string(&mut self, start: &Header, tag: Tag) -> Result<(), Error> {
        let length_at = start.offset.saturating_add(start.tag.encoded_len() as u64);
        if let Err(mut flaw) = super::open::form(&Header { tag, ..*start }, length_at, self.settings.rules) {
            if flaw.kind == FaultKind::PrimitiveExpected {
                flaw.detail = start.tag.first_octet() & !0x20;
            }
            return Err(self.malformed(flaw));
        }
        if tag.is_constructed() && self.segments.is_none() {
            self.segments = Some(Segments::new(tag, usize::from(start.depth), start.content()));
        }
        Ok(())
    }

    #[cold]
    pub(super) fn malformed(&mut self, flaw: Flaw) -> Error {
        self.flaw = Some(flaw);
        flaw.error(self.settings.rules)
    }

    fn advance(&mut self) -> Result<Option<Step>, Trouble> {
        match self.stack.last().copied() {
            Some(open) if open.primitive => self.primitive(open).map(Some),
            Some(Open { end: Some(end), .. }) if end == self.source.offset() => self.close(0).map(Some),
            Some(open) => self.element(Some(open)).map(Some),
            None => self.outermost(),
        }
    }

    /// Reads the next step if no element is open.
    fn outermost(&mut self) -> Result<Option<Step>, Trouble> {
        if self.begins()? { self.element(None).map(Some) } else { Ok(None) }
    }

    /// Returns whether another value follows, if no element is open. Returns `false` at the end of the input.
    fn begins(&mut self) -> Result<bool, Trouble> {
        if self.done > 0 && self.settings.padded {
            while self.source.fill(1)? && self.source.ahead().first() == Some(&0) {
                let zeros = self.source.ahead().iter().take_while(|octet| **octet == 0).count();
                self.source.take(zeros);
            }
        }
        if self.source.fill(1)? {
            if self.done > 0 && !self.settings.concatenated {
                return Err(Flaw::new(FaultKind::TrailingData, self.source.offset()).into());
            }
            return Ok(true);
        }
        if self.done > 0 || self.settings.concatenated {
            return Ok(false);
        }
        Err(Flaw::new(FaultKind::Missing, self.source.offset()).into())
    }

    /// Returns whether another outermost value begins at the reader's position.
    pub(super) fn another(&mut self) -> Result<bool, Error> {
        self.begins().map_err(|trouble| self.failure(trouble))
    }

    /// Returns the bytes of an outermost value that is entirely in the buffer.
    pub(super) fn take_value(&mut self, size: usize) -> &[u8] {
        self.done = self.done.saturating_add(1);
        self.source.take(size)
    }

    /// Reads the start of an element, or the end-of-contents bytes of the innermost open one.
    fn element(&mut self, outer: Option<Open>) -> Result<Step, Trouble> {
        let at = self.source.offset();
        let indefinite = outer.is_some_and(|outer| outer.end.is_none());
        unended(outer, at.saturating_add(1))?;
        let (tag, len, size) = loop {
            match head::parse(self.source.ahead(), self.settings.rules.lengths(), indefinite) {
                Ok(Parsed::Header { tag, len, size }) => break (tag, len, size),
                Ok(Parsed::EndOfContents) => {
                    unended(outer, at.saturating_add(2))?;
                    return self.close(2);
                }
                Ok(Parsed::More(count)) => {
                    if !self.source.fill(count)? {
                        return Err(self.truncated());
                    }
                }
                Err((kind, index)) => return Err(Flaw::new(kind, at.saturating_add(index as u64)).into()),
            }
        };
        let length_at = at.saturating_add(tag.encoded_len() as u64);
        let content = at.saturating_add(size as u64);
        let end = match len {
            // No stream reaches the end of u64.
            Some(len) => Some(content.checked_add(len).ok_or(Flaw::new(FaultKind::LengthTooLarge, length_at))?),
            None => None,
        };
        // What an indefinite element contains has no end to fit into but that of the next definite one around it.
        if let Some(bound) = outer.and_then(|outer| outer.bound)
            && end.unwrap_or(content) > bound
        {
            return Err(Flaw::new(FaultKind::LengthOverrun, length_at).into());
        }
        let depth = self.stack.len();
        if tag.is_constructed() && depth >= usize::from(self.settings.depth_in_force()) {
            return Err(Flaw::new(FaultKind::DepthExceeded, content).into());
        }
        let header = Header {
            tag,
            offset: at,
            // At most 133.
            header_len: size as u8,
            len,
            depth: depth as u16,
            segment: self.segments.is_some(),
        };
        self.forms(&header, length_at)?;
        self.elements = self.elements.checked_sub(1).ok_or(Flaw::new(FaultKind::ElementsExceeded, at))?;
        let bound = end.or(outer.and_then(|outer| outer.bound));
        let primitive = !tag.is_constructed();
        self.stack.push(Open { tag, offset: at, content, end, bound, primitive });
        self.scan = match len {
            Some(len)
                if primitive && tag.class() == Class::Universal && len > self.settings.chunk_in_force() as u64 =>
            {
                Some(Scan::new(tag, content))
            }
            _ => None,
        };
        if tag.class() == Class::Universal && tag.is_constructed() && is_string(tag) && self.segments.is_none() {
            self.segments = Some(Segments::new(tag, depth, content));
        }
        if !self.order.is_idle() {
            self.order.begin(depth, tag, at);
        }
        if tag.same(Tag::SET) && tag.is_constructed() {
            self.order.open(depth, Some(Held::Either));
        }
        let octets = self.source.take(size);
        if !self.order.is_idle() {
            self.order.feed(octets);
        }
        Ok(Step::Start(header))
    }

    /// Checks the form of an element against the rules: primitive or constructed, definite or indefinite, whole or segmented.
    fn forms(&mut self, header: &Header, length_at: u64) -> Result<(), Flaw> {
        let rules = self.settings.rules;
        let tag = header.tag;
        if let Some(segments) = &mut self.segments {
            segments.begin(header, length_at, rules)?;
        } else if tag.class() == Class::Universal {
            super::open::form(header, length_at, rules)?;
        }
        if rules == Rules::Cer && tag.is_constructed() && header.len.is_some() {
            return Err(Flaw::new(FaultKind::IndefiniteExpected, length_at));
        }
        Ok(())
    }

    /// Reads a chunk of an open primitive element's content, or its end.
    fn primitive(&mut self, open: Open) -> Result<Step, Trouble> {
        let at = self.source.offset();
        let left = open.end.unwrap_or(at).saturating_sub(at);
        let rules = self.settings.rules;
        let chunk = self.settings.chunk_in_force() as u64;
        if left == 0 {
            if let Some(scan) = &mut self.scan {
                scan.finish(at, rules)?;
            } else if at == open.content {
                scan::whole(open.tag, &[], at, rules)?;
            }
            return self.close(0);
        }
        let count = left.min(chunk) as usize;
        if !self.source.fill(count)? {
            return Err(self.truncated());
        }
        let octets = self.source.ahead().get(..count).unwrap_or_default();
        match &mut self.scan {
            Some(scan) => scan.feed(octets, at)?,
            None => scan::whole(open.tag, octets, at, rules)?,
        }
        if let Some(segments) = &mut self.segments {
            segments.feed(octets, at, at == open.content)?;
        }
        if !self.order.is_idle() {
            self.order.feed(octets);
        }
        Ok(Step::Chunk { count, left: left - count as u64 })
    }

    /// Ends the innermost open element, after `size` bytes.
    fn close(&mut self, size: usize) -> Result<Step, Trouble> {
        let depth = self.stack.len().saturating_sub(1);
        let at = self.source.offset();
        if let Some(segments) = &mut self.segments
            && segments.depth == depth
        {
            segments.finish(at, self.settings.rules)?;
            self.segments = None;
        }
        let Some(open) = self.stack.pop() else { return Err(Flaw::new(FaultKind::Internal, at).into()) };
        let octets = self.source.take(size);
        if !self.order.is_idle() {
            self.order.feed(octets);
            self.order.end(depth, self.settings.rules)?;
        }
        self.scan = None;
        if depth == 0 {
            self.done = self.done.saturating_add(1);
        }
        let end = self.source.offset();
        Ok(Step::End(End {
            tag: open.tag,
            offset: open.offset,
            end,
            depth: depth as u16,
            indefinite: open.end.is_none(),
        }))
    }

    #[cold]
    fn truncated(&self) -> Trouble {
        Flaw::new(FaultKind::Truncated, self.source.reached()).into()
    }

    pub(super) fn skip_with(
        &mut self,
        pass: impl Fn(&mut Source<R>, u64) -> std::io::Result<u64>,
    ) -> Result<(), Error> {
        self.settle();
        let depth = self.stack.len();
        while self.stack.len() >= depth && depth > 0 {
            if let Some(flaw) = self.flaw {
                return Err(flaw.error(self.settings.rules));
            }
            if let Some(Open { end: Some(end), .. }) = self.stack.last().copied() {
                let left = end.saturating_sub(self.source.offset());
                match pass(&mut self.source, left) {
                    Ok(0) => {}
                    Ok(_) => {
                        let flaw = Flaw::new(FaultKind::Truncated, self.source.reached());
                        return Err(self.malformed(flaw));
                    }
                    Err(error) => return Err(Error::io(error, self.source.reached())),
                }
                // What was not looked at is not held to anything.
                if left > 0 {
                    self.order.pass_over();
                }
                self.scan = None;
                match &mut self.segments {
                    Some(segments) if segments.depth + 1 >= self.stack.len() => self.segments = None,
                    Some(segments) => segments.pass_over(),
                    None => {}
                }
                match self.close(0) {
                    Ok(_) => {}
                    Err(Trouble::Malformed(flaw)) => return Err(self.malformed(flaw)),
                    Err(Trouble::Io(error)) => return Err(Error::io(error, self.source.reached())),
                }
            } else {
                self.step()?;
            }
        }
        Ok(())
    }
}

impl<R: Read + Seek> Events<R> {
    /// Like [`Events::skip`], but seeks over content of definite length.
    ///
    /// # Errors
    /// Returns the same errors as [`Events::skip`].
    pub fn skip_by_seeking(&mut self) -> Result<(), Error> {
        self.skip_with(Source::skip_by_seeking)
    }
}

/// Checks that an element of indefinite length ends before its enclosing definite-length element. Its next bytes end at `at`.
fn unended(open: Option<Open>, at: u64) -> Result<(), Flaw> {
    match open {
        Some(Open { end: None, bound: Some(bound), tag, offset, .. }) if at > bound => {
            Err(Flaw::new(FaultKind::LengthOverrun, offset.saturating_add(tag.encoded_len() as u64)))
        }
        _ => Ok(()),
    }
}

/// A short primitive element that is open.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    phase: Phase,
    tag: Tag,
    offset: u64,
    len: u8,
}

/// The next part of a short element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No short element.
    None,
    /// The short element's content comes next. It is in the buffer.
    Content,
    /// The short element's end comes next.
    End,
}

pub(super) enum Step {
    Start(Header),
    Chunk { count: usize, left: u64 },
    End(End),
}

enum Trouble {
    Malformed(Flaw),
    Io(std::io::Error),
}

impl From<Flaw> for Trouble {
    fn from(flaw: Flaw) -> Self {
        Self::Malformed(flaw)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl Settings {
    pub(super) fn depth_in_force(&self) -> u8 {
        self.budget.depth.min(Budget::MAX_DEPTH)
    }

    pub(super) fn chunk_in_force(&self) -> usize {
        // A header must fit.
        self.chunk.max(2 * head::LONGEST)
    }
}

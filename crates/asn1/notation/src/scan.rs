//! Scans bytes into events: elements, nested elements, and other bytes.
//!
//! The scan is a single pass without recursion. Content that may contain elements is parsed tentatively. If that fails,
//! its events are discarded and the pass continues after it. No byte is parsed tentatively twice at the same level, so the
//! time is linear, no matter how many attempts fail.

use alloc::vec::Vec;

use tagwise_codec::{Any, Class, Decode, Fault, FaultKind, Tag};

use crate::Options;
use crate::header::{Identifier, Length};
use crate::names;

/// An event of the scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// An element that contains elements. Their events follow, then its `Close`.
    Open(Element, EndForm),
    /// The end of the most recently opened element.
    Close,
    /// An element whose content is shown unparsed.
    Leaf(Element, Why),
    /// Bytes that are not an element, up to the end of the enclosing element.
    Raw(u32, u32, Why),
}

/// The positions of an element's parts. Inputs have at most `u32::MAX` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// The position of the identifier.
    pub(crate) start: u32,
    /// The position of the length.
    pub(crate) length: u32,
    /// The position of the content.
    pub(crate) content: u32,
    /// Position after the content.
    pub(crate) end: u32,
}

/// The end of an open element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndForm {
    /// The end of a definite length.
    Definite,
    /// End-of-contents bytes.
    Indefinite,
    /// An indefinite length whose end-of-contents bytes are missing.
    Unterminated,
    /// The end of the container, which the element's length exceeds.
    Overrun,
}

/// The reason that bytes were not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The bytes were parsed as usual.
    Usual,
    /// The depth budget is exhausted.
    TooDeep,
    /// The bytes end inside an identifier or a length.
    Truncated,
    /// The reserved length byte 0xFF.
    Reserved,
    /// A primitive element of indefinite length.
    Primitive,
    /// The length of a primitive element exceeds its container.
    Overrun,
}

/// An open element.
struct Frame {
    /// The latest possible end of the element.
    end: u32,
    /// The index of the element's event.
    event: u32,
    kind: Kept,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Definite,
    Indefinite,
    Overrun,
    /// Content being parsed tentatively: either nothing was read yet, or its only element has begun.
    Trial {
        begun: bool,
    },
}

/// The reason that the element at the cursor cannot be opened.
enum Malformed {
    /// The rest of the container is not an element.
    Rest(Why),
    /// The element's length is too large, but the rest of the element is present.
    Overrun(Element, Tag),
}

struct Scan<'a> {
    octets: &'a [u8],
    options: &'a Options,
    pos: u32,
    events: Vec<Event>,
    frames: Vec<Frame>,
    /// The indices of the frames being parsed tentatively, outermost first.
    trials: Vec<u32>,
}

/// The minimum size of a BIT STRING that is searched for elements. In shorter ones, random bits often look like an element.
const BIT_STRING_MIN: u32 = 17;

pub(crate) fn scan(octets: &[u8], options: &Options) -> Result<Vec<Event>, Fault> {
    let Ok(end) = u32::try_from(octets.len()) else {
        return Err(Fault::new(FaultKind::InputTooLarge, 0));
    };
    let mut scan = Scan { octets, options, pos: 0, events: Vec::new(), frames: Vec::new(), trials: Vec::new() };
    loop {
        let (limit, kind) = scan.frames.last().map_or((end, Kept::Definite), |frame| (frame.end, frame.kind));
        if scan.pos == limit {
            if scan.frames.is_empty() {
                return Ok(scan.events);
            }
            scan.at_end(kind);
        } else if kind == Kept::Indefinite && scan.rest(limit).starts_with(&[0, 0]) {
            scan.pos += 2;
            scan.close();
        } else if kind == (Kept::Trial { begun: true }) {
            // A second element, or something else behind the one.
            scan.give_up();
        } else {
            scan.element(limit);
        }
        if scan.events.len() as u64 > options.budget.elements.saturating_mul(2) {
            return Err(Fault::new(FaultKind::ElementsExceeded, scan.pos as usize));
        }
    }
}

impl Scan<'_> {
    fn rest(&self, limit: u32) -> &[u8] {
        self.octets.get(self.pos as usize..limit as usize).unwrap_or_default()
    }

    /// Closes the innermost element.
    fn close(&mut self) {
        if let Some(frame) = self.frames.pop()
            && matches!(frame.kind, Kept::Trial { .. })
        {
            self.trials.pop();
        }
        self.events.push(Event::Close);
    }

    /// Handles the end of the innermost element.
    fn at_end(&mut self, kind: Kept) {
        match kind {
            Kept::Indefinite if !self.trials.is_empty() => return self.give_up(),
            // A trial of nothing: the content is empty, which is no element.
            Kept::Trial { begun: false } => return self.give_up(),
            Kept::Indefinite => {
                let event = self.frames.last().and_then(|frame| self.events.get_mut(frame.event as usize));
                if let Some(Event::Open(_, form)) = event {
                    *form = EndForm::Unterminated;
                }
            }
            _ => {}
        }
        self.close();
    }

    /// Abandons the innermost tentative parse. Its element becomes a leaf.
    fn give_up(&mut self) {
        let Some(trial) = self.trials.pop() else { return };
        let Some(event) = self.frames.get(trial as usize).map(|frame| frame.event as usize) else { return };
        self.frames.truncate(trial as usize);
        self.events.truncate(event + 1);
        if let Some(slot) = self.events.get_mut(event)
            && let Event::Open(element, _) = *slot
        {
            self.pos = element.end;
            *slot = Event::Leaf(element, Why::Usual);
        }
    }

    /// Reads the element at the cursor, or the bytes found there instead.
    fn element(&mut self, limit: u32) {
        if let Some(Frame { kind: Kept::Trial { begun }, .. }) = self.frames.last_mut() {
            *begun = true;
        }
        let tried = !self.trials.is_empty();
        match self.header(limit) {
            Err(_) if tried => self.give_up(),
            Err(Malformed::Rest(why)) => self.raw(limit, why),
            Err(Malformed::Overrun(element, tag)) => {
                // A SEQUENCE, a SET or a tagged value that was cut off still shows what is left of it.
                let opened = tag.is_constructed()
                    && (tag.class() == Class::Context || tag.same(Tag::SEQUENCE) || tag.same(Tag::SET));
                if !tag.is_constructed() {
                    self.pos = limit;
                    self.events.push(Event::Leaf(element, Why::Overrun));
                } else if opened && !self.is_deepest() {
                    self.open(element, EndForm::Overrun, Kept::Overrun);
                } else {
                    self.raw(limit, Why::Overrun);
                }
            }
            Ok((element, tag, Length::Indefinite)) => match tag {
                Some(tag) if !tag.is_constructed() && tried => self.give_up(),
                Some(tag) if !tag.is_constructed() => self.raw(limit, Why::Primitive),
                _ if self.is_deepest() && tried => self.give_up(),
                _ if self.is_deepest() => self.raw(limit, Why::TooDeep),
                _ => self.open(element, EndForm::Indefinite, Kept::Indefinite),
            },
            Ok((element, tag, Length::Definite { .. })) => self.definite(element, tag, tried),
        }
    }

    fn definite(&mut self, element: Element, tag: Option<Tag>, tried: bool) {
        if tried && !tag.is_some_and(|tag| self.is_sound(element, tag)) {
            return self.give_up();
        }
        let constructed = self.octets.get(element.start as usize).is_some_and(|octet| octet & 0x20 != 0);
        if constructed {
            if !self.is_deepest() {
                self.open(element, EndForm::Definite, Kept::Definite);
            } else if tried {
                self.give_up();
            } else {
                self.leaf(element, Why::TooDeep);
            }
        } else if self.may_hold(element, tag) && !self.is_deepest() {
            self.trials.push(self.frames.len() as u32);
            self.open(element, EndForm::Definite, Kept::Trial { begun: false });
        } else {
            self.leaf(element, Why::Usual);
        }
    }

    fn leaf(&mut self, element: Element, why: Why) {
        self.pos = element.end;
        self.events.push(Event::Leaf(element, why));
    }

    fn raw(&mut self, limit: u32, why: Why) {
        self.events.push(Event::Raw(self.pos, limit, why));
        self.pos = limit;
    }

    fn open(&mut self, element: Element, form: EndForm, kind: Kept) {
        self.frames.push(Frame { end: element.end, event: self.events.len() as u32, kind });
        self.events.push(Event::Open(element, form));
        let skipped = u32::from(matches!(kind, Kept::Trial { .. }) && self.is_bit_string(element));
        self.pos = element.content + skipped;
    }

    fn is_bit_string(&self, element: Element) -> bool {
        self.octets.get(element.start as usize) == Some(&0x03)
    }

    /// Returns whether the depth budget is exhausted.
    fn is_deepest(&self) -> bool {
        self.frames.len() >= usize::from(self.options.budget.depth.min(tagwise_codec::Budget::MAX_DEPTH))
    }

    /// Returns whether a primitive element has a type that often contains another element.
    fn may_hold(&self, element: Element, tag: Option<Tag>) -> bool {
        let len = element.end - element.content;
        self.options.nested
            && match tag {
                Some(Tag::OCTET_STRING) => len >= 2,
                Some(Tag::BIT_STRING) => len >= BIT_STRING_MIN && self.octets.get(element.content as usize) == Some(&0),
                _ => false,
            }
    }

    /// Returns whether a candidate element has a known type, a form that is allowed for it, and content that is valid in DER.
    fn is_sound(&self, element: Element, tag: Tag) -> bool {
        if tag.class() != Class::Universal {
            return true;
        }
        let number = tag.number();
        // Only strings and times may be constructed beside the types that must be.
        let form = match tag.is_constructed() {
            true => matches!(number, 3 | 4 | 7 | 8 | 11 | 12 | 16..=30),
            false => !matches!(number, 8 | 11 | 16 | 17 | 29),
        };
        if !names::is_type(number) || !form {
            return false;
        }
        let octets = self.octets.get(element.start as usize..element.end as usize).unwrap_or_default();
        let minimal =
            matches!(Length::read(octets.get(1..).unwrap_or_default()), Some(Length::Definite { minimal: true, .. }));
        // What is checked by opening it is not checked here: then each octet is looked at once.
        tag.is_constructed()
            || matches!(tag, Tag::OCTET_STRING)
            || !minimal
            || !tag.is_low()
            || Any::from_der(octets).is_ok()
    }

    /// Reads the identifier and length at the cursor. The tag is `None` if its number is too large.
    fn header(&self, limit: u32) -> Result<(Element, Option<Tag>, Length), Malformed> {
        let rest = self.rest(limit);
        let truncated = Malformed::Rest(Why::Truncated);
        let Some(identifier) = Identifier::read(rest) else { return Err(truncated) };
        let at = identifier.more + 1;
        let after = rest.get(at..).unwrap_or_default();
        let Some(length) = Length::read(after) else {
            return Err(Malformed::Rest(if after.first() == Some(&0xFF) { Why::Reserved } else { Why::Truncated }));
        };
        let (more, content) = match length {
            Length::Definite { more, content, .. } => (more, Some(content)),
            Length::Indefinite => (0, None),
        };
        // All within the input, which has at most `u32::MAX` octets.
        let length_at = self.pos + at as u32;
        let content_at = length_at + 1 + more as u32;
        let left = u64::from(limit - content_at);
        let element = |end| Element { start: self.pos, length: length_at, content: content_at, end };
        match content {
            None => Ok((element(limit), identifier.tag, length)),
            Some(len) if len <= left => Ok((element(content_at + len as u32), identifier.tag, length)),
            Some(_) => Err(match identifier.tag {
                Some(tag) => Malformed::Overrun(element(limit), tag),
                None => Malformed::Rest(Why::Overrun),
            }),
        }
    }
}

//! Walks through the elements of one input, and through encodings inside strings.

use std::io::{self, Read};
use std::path::Path;

use tagwise_codec::stream::{Error, Event, Events, Header, Rules, Settings};
use tagwise_codec::{Any, Budget, Class, Decode, Excerpt, Tag};

use super::{Dump, Ended, Fault, ber_may_help};

/// The maximum length of strings that are searched for encodings. Longer ones are delivered in several pieces.
const CHUNK: usize = 1024 * 1024;
/// The maximum nesting depth of encodings inside strings.
const STRINGS: usize = 16;

/// An element to show.
pub(crate) struct Element<'e> {
    pub(crate) header: Header,
    /// The number of enclosing elements, including those around the string that encapsulates it.
    pub(crate) depth: usize,
    /// The offset of the string that encapsulates it.
    pub(crate) within: Option<u64>,
    pub(crate) content: Content<'e>,
}

/// The content of an element, as far as it is available.
pub(crate) enum Content<'e> {
    /// Child elements. `cut` is set if they are deeper than the display limit.
    Elements { cut: bool },
    /// The complete content. `encapsulates` is set if it contains an encoding.
    Whole { octets: &'e [u8], encapsulates: bool },
    /// Only the first bytes of the content.
    Front(&'e [u8]),
    /// Malformed bytes, as far as they are available.
    Wrong(&'e [u8]),
    /// Bytes that must not be shown.
    Hidden,
}

/// A consumer of the elements of an input.
pub(crate) trait Sink {
    /// Receives the beginning of a file.
    fn file(&mut self, path: &Path, heading: Option<&str>, form: &'static str, rules: Rules) -> io::Result<()>;
    /// Receives the beginning of a PEM block.
    fn block(&mut self, label: &str, line: usize) -> io::Result<()>;
    /// Receives an element.
    fn element(&mut self, element: &Element<'_>) -> io::Result<()>;
    /// Receives further bytes of the last element.
    fn more(&mut self, offset: u64, octets: &[u8], depth: usize) -> io::Result<()>;
    /// Receives the end-of-contents marker of an indefinite length.
    fn end_of_contents(&mut self, offset: u64, depth: usize) -> io::Result<()>;
    /// Receives a fault in the input.
    fn fault(&mut self, fault: &Fault<'_>) -> io::Result<()>;
    /// Receives an error in a text that contains an encoding, or the reason why there is nothing to show.
    fn wrong(&mut self, line: &str) -> io::Result<()>;
    /// Receives a file that cannot be read.
    fn unreadable(&mut self, path: &Path, line: &str) -> io::Result<()>;
    /// Receives the regular end of a file.
    fn done(&mut self) -> io::Result<()>;
    /// Writes buffered output.
    fn flush(&mut self) -> io::Result<()>;
}

pub(super) struct Walk<'w, S> {
    pub(super) dump: &'w Dump,
    pub(super) sink: &'w mut S,
    /// True if content must not be shown.
    pub(super) hidden: bool,
}

/// The position of a walk inside an enclosing one.
#[derive(Clone, Copy)]
struct Inside {
    depth: usize,
    within: Option<u64>,
    strings: usize,
}

/// The reason why a walk stopped.
enum Stop {
    Output(io::Error),
    Input(Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Input(error)
    }
}

const BUDGET: Budget = Budget { depth: Budget::MAX_DEPTH, elements: u64::MAX, ..Budget::DEFAULT };

impl<S: Sink> Walk<'_, S> {
    /// Processes the content of a stream that begins at `offset`. Returns the reason if it ended early.
    pub(super) fn stream(&mut self, source: impl Read, offset: u64) -> io::Result<Option<Ended>> {
        let settings = Settings::new(self.dump.rules).budget(BUDGET).chunk(CHUNK).concatenated();
        let mut events = Events::with(source, settings).at_offset(offset);
        let stopped = self.elements(&mut events, Inside { depth: 0, within: None, strings: 0 });
        let error = match stopped {
            Ok(0) => {
                let line = if offset == 0 { "it is empty".to_owned() } else { format!("no element at byte {offset}") };
                self.sink.wrong(&line)?;
                return Ok(Some(Ended::Malformed(line)));
            }
            Ok(_) => return Ok(None),
            Err(Stop::Output(error)) => return Err(error),
            Err(Stop::Input(error)) => error,
        };
        let Some(kind) = error.kind() else {
            let line = error.message().to_string();
            self.sink.wrong(&line)?;
            return Ok(Some(Ended::Unreadable(line)));
        };
        let excerpt = self.excerpt(&events, error.offset());
        let fault = Fault { error: &error, excerpt, ber_may_help: ber_may_help(self.dump.rules, kind) };
        self.sink.fault(&fault)?;
        let line = error.to_string();
        Ok(Some(if kind.is_limit() { Ended::Limited(line) } else { Ended::Malformed(line) }))
    }

    /// Returns a few bytes around an offset, if they are still buffered.
    fn excerpt<R: Read>(&self, events: &Events<R>, offset: u64) -> Option<String> {
        let (start, octets) = events.held();
        let at =
            usize::try_from(offset.checked_sub(start)?).ok().filter(|at| *at <= octets.len() && !octets.is_empty())?;
        let excerpt = Excerpt::new(octets, at).at_base(usize::try_from(start).unwrap_or(usize::MAX));
        Some(if self.hidden { excerpt.redacted() } else { excerpt }.to_string())
    }

    /// Shows all elements and returns their number.
    // Recursion goes into strings, at most STRINGS deep.
    fn elements<R: Read>(&mut self, events: &mut Events<R>, inside: Inside) -> Result<u64, Stop> {
        let mut count = 0u64;
        // A primitive element that began, until its content is there.
        let mut pending: Option<Header> = None;
        let mut depth = inside.depth;
        loop {
            let event = match events.next() {
                Ok(Some(event)) => event,
                Ok(None) => return Ok(count),
                Err(error) => {
                    if let Some(header) = pending {
                        let (start, held) = events.held();
                        let from = usize::try_from(events.offset().saturating_sub(start)).unwrap_or(usize::MAX);
                        let held = held.get(from..).unwrap_or_default();
                        let most = usize::try_from(header.len.unwrap_or_default()).unwrap_or(usize::MAX);
                        self.show(header, inside, Content::Wrong(held.get(..most).unwrap_or(held)))?;
                    }
                    return Err(error.into());
                }
            };
            match event {
                Event::Start(header) => {
                    count = count.saturating_add(1);
                    depth = inside.depth + usize::from(header.depth);
                    if header.tag.is_constructed() {
                        let cut = depth >= self.dump.depth;
                        self.show(header, inside, Content::Elements { cut })?;
                    } else {
                        pending = Some(header);
                    }
                }
                Event::Chunk(chunk) => match pending.take() {
                    Some(header) if chunk.left == 0 => self.whole(header, inside, chunk.octets)?,
                    Some(header) => self.show(header, inside, Content::Front(chunk.octets))?,
                    None if self.dump.full && !self.hidden && depth <= self.dump.depth => {
                        self.sink.more(chunk.offset, chunk.octets, depth)?;
                    }
                    None => {}
                },
                Event::End(end) => {
                    if let Some(header) = pending.take() {
                        self.whole(header, inside, &[])?;
                    }
                    let depth = inside.depth + usize::from(end.depth);
                    if end.indefinite && depth < self.dump.depth {
                        self.sink.end_of_contents(end.end.saturating_sub(2), depth)?;
                    }
                }
            }
        }
    }

    fn show(&mut self, header: Header, inside: Inside, content: Content<'_>) -> io::Result<()> {
        let depth = inside.depth + usize::from(header.depth);
        if depth > self.dump.depth {
            return Ok(());
        }
        let content = match content {
            Content::Elements { .. } => content,
            _ if self.hidden && is_telling(header.tag) => Content::Hidden,
            content => content,
        };
        self.sink.element(&Element { header, depth, within: inside.within, content })
    }

    /// Shows a primitive element with its complete content.
    fn whole(&mut self, header: Header, inside: Inside, octets: &[u8]) -> Result<(), Stop> {
        let (skipped, inner) = encapsulated(header.tag, octets).unwrap_or_default();
        let encapsulates = !inner.is_empty() && inside.strings < STRINGS && Any::from_der(inner).is_ok();
        if self.hidden && encapsulates {
            // What is inside is hidden in its own place.
            self.hidden = false;
            let shown = self.show(header, inside, Content::Whole { octets: &[], encapsulates });
            self.hidden = true;
            shown?;
        } else {
            self.show(header, inside, Content::Whole { octets, encapsulates })?;
        }
        if encapsulates {
            // Only whether it is an encoding is asked.
            let settings = Settings::der().budget(BUDGET).chunk(inner.len()).order(0);
            let mut events = Events::with(inner, settings).at_offset(header.content().saturating_add(skipped));
            let depth = inside.depth + usize::from(header.depth) + 1;
            self.elements(&mut events, Inside { depth, within: Some(header.offset), strings: inside.strings + 1 })?;
        }
        Ok(())
    }
}

/// Returns whether content of this type may reveal a secret.
fn is_telling(tag: Tag) -> bool {
    !matches!(tag, Tag::OBJECT_IDENTIFIER | Tag::NULL | Tag::BOOLEAN)
}

/// Returns a possible encoding inside a string: the number of bytes before it, and its bytes. Outer context tags are not accepted,
/// because random bytes often look like them.
fn encapsulated(tag: Tag, octets: &[u8]) -> Option<(u64, &[u8])> {
    let (skipped, inner) = match (tag, octets) {
        (Tag::OCTET_STRING, inner) => (0, inner),
        (Tag::BIT_STRING, [0, inner @ ..]) => (1, inner),
        _ => return None,
    };
    let first = Class::from_octet(*inner.first()?);
    let plausible = first == Class::Universal || inner.first()? & 0x20 != 0;
    plausible.then_some((skipped, inner))
}

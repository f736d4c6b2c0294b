//! Reads the content of a string as an [`io::Read`](std::io::Read).

use std::io::{self, Read};

use super::error::{Error, Flaw};
use super::event::Event;
use super::events::{Events, Step};
use super::names::NamedEvents;
use super::scan::{Scan, whole};
use super::{Rules, Settings};
use crate::kind::FaultKind;
use crate::table::Type;
use crate::tag::Tag;

/// Reads the content of the string at `path` in a value of type `ty`: see [`Content`].
///
/// # Errors
/// Returns any error before the string. If the string is absent, returns [`FaultKind::Missing`] at the end of the value,
/// with the path.
pub fn content<R: Read>(input: R, rules: Rules, ty: &Type, path: &str) -> Result<Content<R>, Error> {
    let mut events = NamedEvents::with(input, Settings::new(rules), ty);
    loop {
        let found = match events.next()? {
            // The explicit tag around a component has its path too, and no type.
            Some((Event::Start(_), place)) => {
                let chosen = place.inner == path && place.alternative.is_some_and(|(_, ty)| ty.is_some());
                chosen || (place.ty.is_some() && place.path == path)
            }
            Some(_) => false,
            None => {
                let flaw = Flaw::new(FaultKind::Missing, events.events().offset());
                return Err(flaw.error(rules).below(path));
            }
        };
        // An explicit tag of the type's own is around the string.
        if found && !events.is_wrapped() {
            return Ok(events.into_content());
        }
    }
}

/// The bytes of a string, with segments joined, in constant memory. Useful for the OCTET STRING content of a CMS
/// message.
///
/// Create it right after the start of the string, from [`NamedEvents`] or [`Events`]. [`NamedEvents`] identify a BIT STRING by
/// its type, and [`Events`] by its tag. For a BIT STRING, it reads the bytes after the initial byte. Reading ends at the end of
/// the string, and [`Content::into_events`] continues after it.
///
/// ```
/// use std::io::Read;
/// use tagwise_codec::stream::{Events, Rules, Settings};
/// // An OCTET STRING in two segments, of indefinite length.
/// let input = b"\x24\x80\x04\x03Hel\x04\x02lo\x00\x00";
/// let mut events = Events::with(&input[..], Settings::new(Rules::Ber));
/// events.next()?;
/// let mut text = String::new();
/// let mut content = events.into_content();
/// content.read_to_string(&mut text)?;
/// assert_eq!(text, "Hello");
/// assert_eq!(content.into_events().next()?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Content<R> {
    events: Events<R>,
    /// The number of open elements while the string is the innermost one.
    depth: usize,
    /// Tag of the string's segments.
    segment: Tag,
    /// The number of bytes at the front of the buffer that were checked and not yet returned.
    pending: usize,
    unused: u8,
    /// The check of an unsegmented BIT STRING whose tag does not identify it as one.
    scan: Option<Scan>,
    done: bool,
}

impl<R: Read> Events<R> {
    /// Returns a reader for the content of the innermost open element. The element must be a string, and its content must not
    /// have been read yet. A BIT STRING is recognized by its tag. If it has an IMPLICIT tag, use [`Events::into_bits`].
    #[must_use]
    pub fn into_content(mut self) -> Content<R> {
        self.settle();
        let bits = self.innermost().is_some_and(|open| open.tag.same(Tag::BIT_STRING));
        self.into_string(bits)
    }

    /// Returns a reader for the bits of the innermost open element. The element must be a BIT STRING (with any tag), and its
    /// content must not have been read yet.
    ///
    /// ```
    /// use std::io::Read;
    /// use tagwise_codec::stream::{Events, Rules, Settings};
    /// // [1] IMPLICIT BIT STRING, four bits.
    /// let mut events = Events::with(&[0x81, 0x02, 0x04, 0xB0][..], Settings::new(Rules::Der));
    /// events.next()?;
    /// let mut bits = Vec::new();
    /// let mut content = events.into_bits();
    /// content.read_to_end(&mut bits)?;
    /// assert_eq!((bits, content.unused_bits()), (vec![0xB0], 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_bits(mut self) -> Content<R> {
        self.settle();
        self.into_string(true)
    }

    fn into_string(self, bits: bool) -> Content<R> {
        let segment = if bits { Tag::BIT_STRING } else { Tag::OCTET_STRING };
        let scan = match self.innermost() {
            Some(open) if bits && open.primitive && !open.tag.same(Tag::BIT_STRING) => {
                Some(Scan::new(Tag::BIT_STRING, open.content))
            }
            _ => None,
        };
        Content { depth: self.depth(), events: self, segment, pending: 0, unused: 0, scan, done: false }
    }
}

impl<R: Read> NamedEvents<'_, R> {
    /// Returns a reader for the content of the innermost open element. The element must be a string, and its content must not
    /// have been read yet. A BIT STRING is recognized by its type, or by its tag if the type is unknown.
    #[must_use]
    pub fn into_content(self) -> Content<R> {
        if self.is_bits() { self.into_events().into_bits() } else { self.into_events().into_content() }
    }
}

impl<R: Read> Content<R> {
    /// Returns the number of unused bits in the last byte of a BIT STRING. Valid once the content has been read.
    #[must_use]
    pub const fn unused_bits(&self) -> u8 {
        self.unused
    }

    /// Returns the event reader, which continues after the bytes already read.
    pub fn into_events(mut self) -> Events<R> {
        self.events.source.take(self.pending);
        self.events
    }

    /// Advances to the next bytes that can be returned. Returns whether there are any.
    fn advance(&mut self) -> Result<bool, Error> {
        while self.pending == 0 && !self.done {
            if self.depth == 0 {
                self.done = true;
                break;
            }
            match self.events.step()? {
                Some(Step::Chunk { count, left }) => {
                    let open = self.events.innermost();
                    let bits = self.segment == Tag::BIT_STRING;
                    let begins = open.is_some_and(|open| open.content == self.events.source.offset());
                    let mut given = count;
                    self.check_bits(count, begins && left == 0)?;
                    if bits && begins {
                        self.unused = self.events.source.take(1).first().copied().unwrap_or_default();
                        given -= 1;
                    }
                    self.pending = given;
                }
                Some(Step::Start(start)) if !start.tag.same(self.segment) => {
                    let flaw = Flaw::new(FaultKind::UnexpectedTag, start.offset);
                    return Err(self.events.malformed(Flaw { detail: self.segment.first_octet(), ..flaw }));
                }
                // X.690 §8.6.4.1: only the last segment may have unused bits.
                Some(Step::Start(start)) if self.unused != 0 => {
                    return Err(self.events.malformed(Flaw::new(FaultKind::BitStringUnused, start.offset)));
                }
                Some(Step::Start(_)) => {}
                Some(Step::End(_)) => {
                    self.done = self.events.depth() < self.depth;
                    self.end_bits()?;
                }
                None => self.done = true,
            }
        }
        Ok(self.pending > 0)
    }

    /// Checks the next bytes of an unsegmented BIT STRING, or all of its content.
    fn check_bits(&mut self, count: usize, all: bool) -> Result<(), Error> {
        let Some(scan) = &mut self.scan else { return Ok(()) };
        let (at, rules) = (self.events.source.offset(), self.events.settings().rules());
        let octets = self.events.source.ahead().get(..count).unwrap_or_default();
        let checked = if all { whole(Tag::BIT_STRING, octets, at, rules) } else { scan.feed(octets, at) };
        if all {
            self.scan = None;
        }
        checked.map_err(|flaw| self.events.malformed(flaw))
    }

    /// Checks the end of an unsegmented BIT STRING.
    fn end_bits(&mut self) -> Result<(), Error> {
        let Some(mut scan) = self.scan.take_if(|_| self.done) else { return Ok(()) };
        let (at, rules) = (self.events.source.offset(), self.events.settings().rules());
        let checked =
            if scan.is_empty() { Err(Flaw::new(FaultKind::BitStringEmpty, at)) } else { scan.finish(at, rules) };
        checked.map_err(|flaw| self.events.malformed(flaw))
    }
}

impl<R: Read> Read for Content<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || !self.advance()? {
            return Ok(0);
        }
        let count = self.pending.min(buffer.len());
        let octets = self.events.source.take(count);
        let Some(target) = buffer.get_mut(..octets.len()) else { return Ok(0) };
        target.copy_from_slice(octets);
        self.pending -= count;
        Ok(count)
    }
}

//! Decodes the items of a SEQUENCE OF or SET OF one by one, inside a value of any size.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use std::io::Read;

use super::error::{Error, Flaw};
use super::event::Event;
use super::events::Events;
use super::names::NamedEvents;
use super::open::Open;
use super::{Rules, Settings};
use crate::decode::Decode;
use crate::head::{self, Parsed};
use crate::kind::FaultKind;
use crate::options::{Budget, Options};
use crate::rule::{Deviation, RuleSet};
use crate::table::Type;

/// Reads the items of the list at `path` in a DER value of type `ty`, with the default settings: see [`Items`].
///
/// # Errors
/// Returns the same errors as [`Items::find`].
pub fn items<R: Read>(input: R, ty: &Type, path: &str) -> Result<Items<R>, Error> {
    Items::find(NamedEvents::with(input, Settings::der(), ty), path)
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamItem<'b, T> {
    /// The decoded item. Offsets that it stores are relative to its own first byte.
    pub value: T,
    /// The item's absolute offset in the stream.
    pub offset: u64,
    /// The item's encoding.
    pub octets: &'b [u8],
    /// Tolerated BER deviations. Their offsets are relative to the item's first byte.
    pub deviations: Vec<Deviation>,
}

/// Decodes the items of a SEQUENCE OF or SET OF from a stream, one by one. The enclosing value may be larger than
/// memory.
///
/// Items are decoded strictly from a buffer, which they borrow until the next call. The buffer grows to the longest
/// item, up to [`Settings::item`]. Under [`Rules::Ber`], items may use BER forms of definite length, but an item of
/// indefinite length is an error. [`Items::next_octets`] returns items of indefinite length, and items under [`Rules::Cer`],
/// as bytes for [`ber::to_der`](crate::ber::to_der) and similar functions.
///
/// The part before the list is checked as by [`Events`] when the list is found. [`Items::finish`] checks the part after
/// the list. The order in a SET OF is not checked.
///
/// ```
/// use tagwise_codec::{SeqOf, Typed, stream};
/// let input = [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07];
/// let mut items = stream::items(&input[..], SeqOf::<u8>::ty(), "")?;
/// let mut seen = Vec::new();
/// while let Some(item) = items.next::<u8>()? {
///     seen.push((item.offset, item.value));
/// }
/// items.finish()?;
/// assert_eq!(seen, [(2, 5), (5, 7)]);
/// # Ok::<(), stream::Error>(())
/// ```
#[derive(Debug)]
pub struct Items<R> {
    events: Events<R>,
    /// The number of open elements while the list is the innermost one.
    depth: usize,
    path: String,
    index: u64,
    ended: bool,
}

impl<R: Read> Items<R> {
    /// Reads up to the first list at `path`, which has the syntax of error paths.
    ///
    /// # Errors
    /// Returns any error before the list. If the list is absent, returns [`FaultKind::Missing`] at the end of the value,
    /// with the path.
    pub fn find(mut events: NamedEvents<'_, R>, path: &str) -> Result<Self, Error> {
        loop {
            match events.next()? {
                Some((Event::Start(_), place)) if place.list && (place.path == path || place.inner == path) => break,
                Some(_) => {}
                None => {
                    let flaw = Flaw::new(FaultKind::Missing, events.events().offset());
                    return Err(flaw.error(events.events().settings().rules).below(path));
                }
            }
        }
        let events = events.into_events();
        Ok(Self { depth: events.depth(), events, path: String::from(path), index: 0, ended: false })
    }

    /// Returns the start of the list's content and, if its length is definite, its end. Valid before the first item is read.
    pub(super) fn extent(&self) -> (u64, Option<u64>) {
        self.events.innermost().map_or((0, None), |open| (open.content, open.end))
    }

    /// Returns the number of items returned so far.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.index
    }

    /// Returns the next item, or `None` after the last one.
    ///
    /// # Errors
    /// Returns an error in the item, with its path and absolute offset. The item is then skipped, and the next call
    /// returns the one after it. An error in the list itself ends the iteration.
    pub fn next<'b, T: Decode<'b>>(&'b mut self) -> Result<Option<StreamItem<'b, T>>, Error> {
        let Some(size) = self.ahead()? else { return Ok(None) };
        let settings = *self.events.settings();
        self.index = self.index.saturating_add(1);
        let offset = self.events.source.offset();
        let octets = self.events.source.take(size);
        let plain = settings.rules != Rules::Ber && settings.budget == Budget::DEFAULT;
        let read = if plain {
            T::from_der(octets).map(|value| (value, Vec::new()))
        } else {
            let rules = if settings.rules == Rules::Ber { RuleSet::BER_DEFINITE } else { RuleSet::NONE };
            let options = Options::der().rules(rules).budget(settings.budget);
            options.decode::<T>(octets).map(|read| (read.value, read.deviations))
        };
        match read {
            Ok((value, deviations)) => Ok(Some(StreamItem { value, offset, octets, deviations })),
            Err(error) => Err(Error::item(error, offset).below(&path_of(&self.path, self.index - 1))),
        }
    }

    /// Returns the encoding of the next item without decoding it, and its offset, or `None` after the last one.
    ///
    /// # Errors
    /// Returns an error in the list itself, or an error if the item's end cannot be found.
    pub fn next_octets(&mut self) -> Result<Option<(u64, &[u8])>, Error> {
        let Some(size) = self.ahead()? else { return Ok(None) };
        self.index = self.index.saturating_add(1);
        let offset = self.events.source.offset();
        Ok(Some((offset, self.events.source.take(size))))
    }

    /// Reads to the end of the value, and of the input unless several values are allowed. The rest is checked as by
    /// [`Events`].
    ///
    /// # Errors
    /// Returns any error in the rest of the input.
    pub fn finish(mut self) -> Result<(), Error> {
        while self.events.next()?.is_some() {}
        Ok(())
    }

    /// Returns the event reader, which continues after the items already read.
    pub fn into_events(self) -> Events<R> {
        self.events
    }

    /// Buffers the next item and returns its length. Returns `None` after the last item, once the list's end has been read.
    #[inline]
    fn ahead(&mut self) -> Result<Option<usize>, Error> {
        if self.ended {
            return Ok(None);
        }
        let measured = self.events.measure();
        match measured {
            Ok(Some(size)) => Ok(Some(size)),
            Ok(None) => {
                // The end of the list.
                self.events.step()?;
                self.ended = self.events.depth() < self.depth;
                Ok(None)
            }
            Err(error) => Err(error.below(&path_of(&self.path, self.index))),
        }
    }
}

fn path_of(list: &str, index: u64) -> String {
    let mut path = String::from(list);
    // Writing to a String does not fail.
    let _ = write!(path, "[{index}]");
    path
}

impl<R: Read> Events<R> {
    /// Buffers the next element inside the innermost open constructed element, without decoding it. Returns its
    /// encoding and offset, or `None` at the end of the innermost element, whose end is the next event.
    ///
    /// ```
    /// use tagwise_codec::stream::{Event, Events};
    /// let mut events = Events::new(&b"\x30\x08\x30\x03\x02\x01\x05\x04\x01\xAA"[..]);
    /// events.next()?;
    /// assert_eq!(events.next_element()?, Some((2, &b"\x30\x03\x02\x01\x05"[..])));
    /// assert_eq!(events.next_element()?, Some((7, &b"\x04\x01\xAA"[..])));
    /// assert_eq!(events.next_element()?, None);
    /// assert!(matches!(events.next()?, Some(Event::End(_))));
    /// # Ok::<(), tagwise_codec::stream::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the element's end cannot be found, or if it is longer than [`Settings::item`].
    pub fn next_element(&mut self) -> Result<Option<(u64, &[u8])>, Error> {
        if self.innermost().is_none_or(|open| open.primitive) {
            return Ok(None);
        }
        let Some(size) = self.measure()? else { return Ok(None) };
        let offset = self.source.offset();
        Ok(Some((offset, self.source.take(size))))
    }

    /// Buffers the next of several concatenated values ([`Settings::concatenated`]) without decoding it. Returns its
    /// encoding and offset, or `None` at the end of the input or if an element is open.
    ///
    /// Errors inside a value are left to its decoder, and do not affect the following values.
    ///
    /// ```
    /// use tagwise_codec::stream::{Events, Rules, Settings};
    /// let input = [0x02, 0x01, 0x05, 0x30, 0x80, 0x05, 0x00, 0x00, 0x00];
    /// let mut events = Events::with(&input[..], Settings::new(Rules::Ber).concatenated());
    /// assert_eq!(events.next_value()?, Some((0, &input[..3])));
    /// assert_eq!(events.next_value()?, Some((3, &input[3..])));
    /// assert_eq!(events.next_value()?, None);
    /// # Ok::<(), tagwise_codec::stream::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the value's end cannot be found, or if it is longer than [`Settings::item`].
    pub fn next_value(&mut self) -> Result<Option<(u64, &[u8])>, Error> {
        if let Some(flaw) = self.flaw() {
            return Err(flaw.error(self.settings().rules));
        }
        if self.depth() > 0 || !self.another()? {
            return Ok(None);
        }
        let Some(size) = self.whole(None)? else { return Ok(None) };
        let offset = self.source.offset();
        Ok(Some((offset, self.take_value(size))))
    }

    /// Buffers the next element of the innermost open one and returns its length. Returns `None` if there is none.
    #[inline]
    fn measure(&mut self) -> Result<Option<usize>, Error> {
        if let Some(flaw) = self.flaw() {
            return Err(flaw.error(self.settings().rules));
        }
        let Some(outer) = self.innermost() else { return Ok(None) };
        if outer.end == Some(self.source.offset()) {
            return Ok(None);
        }
        self.whole(Some(outer))
    }

    /// Buffers the element at the current position and returns its length. Returns `None` if end-of-contents bytes end the
    /// enclosing element.
    #[inline]
    fn whole(&mut self, outer: Option<Open>) -> Result<Option<usize>, Error> {
        let at = self.source.offset();
        let indefinite = outer.is_some_and(|outer| outer.end.is_none());
        let Some((size, len)) = self.header_at(0, indefinite)? else { return Ok(None) };
        // Both positions are in the buffer or refused.
        let length = match len {
            Some(len) => len.saturating_add(size as u64),
            None => self.indefinite(size)? as u64,
        };
        if outer.and_then(|outer| outer.bound).is_some_and(|bound| at.saturating_add(length) > bound) {
            let tag = head::parse(self.source.ahead(), self.settings().rules.lengths(), false);
            let tag_len = if let Ok(Parsed::Header { tag, .. }) = tag { tag.encoded_len() } else { 1 };
            return Err(self.malformed(Flaw::new(FaultKind::LengthOverrun, at.saturating_add(tag_len as u64))));
        }
        let Some(length) = usize::try_from(length).ok().filter(|length| *length <= self.settings().item) else {
            return Err(self.malformed(Flaw::new(FaultKind::TooLongToHold, at)));
        };
        self.hold(length)?;
        self.order_item(length)?;
        Ok(Some(length))
    }

    /// Checks the order of a fully buffered element in its SET OF.
    fn order_item(&mut self, length: usize) -> Result<(), Error> {
        let at = self.source.offset();
        if self.order.is_idle() || self.order.has_begun(at) {
            return Ok(());
        }
        let (depth, rules) = (self.depth(), self.settings().rules());
        let octets = self.source.ahead().get(..length).unwrap_or_default();
        if let Ok(Parsed::Header { tag, .. }) = head::parse(octets, rules.lengths(), false) {
            self.order.begin(depth, tag, at);
            self.order.feed(octets);
            if let Err(flaw) = self.order.end(depth, rules) {
                return Err(self.malformed(flaw));
            }
        }
        Ok(())
    }

    /// Buffers `count` bytes.
    #[inline]
    fn hold(&mut self, count: usize) -> Result<(), Error> {
        self.source.grow(count);
        match self.source.fill(count) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.malformed(Flaw::new(FaultKind::Truncated, self.source.reached()))),
            Err(error) => Err(Error::io(error, self.source.reached())),
        }
    }

    /// Parses the header that starts `skip` bytes ahead. Returns its size and the length in it, or `None` for end-of-contents
    /// bytes, if they are allowed there.
    #[inline]
    fn header_at(&mut self, skip: usize, indefinite: bool) -> Result<Option<(usize, Option<u64>)>, Error> {
        loop {
            let octets = self.source.ahead().get(skip..).unwrap_or_default();
            match head::parse(octets, self.settings().rules.lengths(), indefinite) {
                Ok(Parsed::Header { len, size, .. }) => return Ok(Some((size, len))),
                Ok(Parsed::EndOfContents) => return Ok(None),
                Ok(Parsed::More(count)) => self.hold(skip + count)?,
                Err((kind, index)) => {
                    let at = self.source.offset().saturating_add((skip + index) as u64);
                    return Err(self.malformed(Flaw::new(kind, at)));
                }
            }
        }
    }

    /// Measures an element of indefinite length whose header took `size` bytes.
    fn indefinite(&mut self, size: usize) -> Result<usize, Error> {
        let (start, limit) = (self.source.offset(), self.settings().item);
        let (mut at, mut open) = (size, 1usize);
        // The ends of the definite elements that are gone into: none, they are stepped over whole.
        while open > 0 {
            match self.header_at(at, true)? {
                None => {
                    open -= 1;
                    at += 2;
                }
                Some((size, None)) => {
                    open += 1;
                    at += size;
                }
                Some((size, Some(len))) => {
                    at = usize::try_from(len).unwrap_or(usize::MAX).saturating_add(at.saturating_add(size));
                }
            }
            if open > usize::from(self.settings().depth_in_force()) {
                let at = start.saturating_add(at as u64);
                return Err(self.malformed(Flaw::new(FaultKind::DepthExceeded, at)));
            }
            if at > limit {
                return Err(self.malformed(Flaw::new(FaultKind::TooLongToHold, start)));
            }
            self.hold(at)?;
        }
        Ok(at)
    }
}

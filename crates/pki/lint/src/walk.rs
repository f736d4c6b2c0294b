//! Decodes values and lists for the lints: strictly first, then tolerating everything, so that one malformed part
//! does not hide others.

use tagwise_codec::{Decode, Options, Reader, Rule, RuleSet, Session};

use super::sink::Sink;
use tagwise_x509::profile;

/// An element: its bytes and their offset.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) offset: usize,
}

impl Element<'_> {
    /// Returns the offset of the first component with this identifier byte, or of the element itself if there is none.
    #[cold]
    pub(super) fn component(&self, identifier: u8) -> usize {
        let session = tolerant();
        let find = || {
            let mut reader = Reader::with_session(self.bytes, &session).ok()?.at_base(self.offset).outlined();
            reader.header().ok()?;
            while reader.peek_octet()? != identifier {
                reader.skip().ok()?;
            }
            Some(reader.offset())
        };
        find().unwrap_or(self.offset)
    }
}

/// Creates a session that tolerates every deviation.
pub(super) fn tolerant() -> Session<'static> {
    let rules = Rule::ALL.iter().chain(profile::ALL).fold(RuleSet::NONE, RuleSet::with);
    Session::new(Options::der().rules(rules.without(&Rule::OPEN_TYPE)))
}

/// Decodes a value, except for the content of its lists.
#[inline]
pub(super) fn value<'a, T: Decode<'a>>(sink: &mut Sink, element: Element<'a>) -> Option<T> {
    let read = || {
        let mut reader = Reader::new(element.bytes)?.at_base(element.offset).outlined();
        let value = T::decode(&mut reader)?;
        reader.finish()?;
        Ok(value)
    };
    match read() {
        Ok(value) => Some(value),
        Err(fault) => {
            sink.fault(fault);
            again(element.bytes, element.offset).map(|(value, _)| value)
        }
    }
}

/// Decodes the value at the start of some bytes while tolerating every deviation. Returns the value and its length.
#[cold]
#[inline(never)]
fn again<'a, T: Decode<'a>>(octets: &'a [u8], offset: usize) -> Option<(T, usize)> {
    let session = tolerant();
    let mut reader = Reader::with_session(octets, &session).ok()?.at_base(offset).outlined();
    let value = T::decode(&mut reader).ok()?;
    Some((value, reader.position()))
}

/// Returns the length of the element at the start of some bytes.
#[cold]
#[inline(never)]
fn skip(octets: &[u8]) -> Option<usize> {
    let session = tolerant();
    let mut reader = Reader::with_session(octets, &session).ok()?;
    reader.skip().ok()?;
    Some(reader.position())
}

/// Iterates over the items of a list, each with its bytes. `offset` is the offset of the list's content. Unreadable
/// elements are skipped.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn each<'a, T: Decode<'a>>(
    sink: &mut Sink,
    content: Option<&'a [u8]>,
    offset: usize,
    mut visit: impl FnMut(&mut Sink, T, Element<'a>),
) {
    let content = content.unwrap_or_default();
    let Some(mut reader) = resume(content, offset, 0) else { return };
    while !reader.is_empty() {
        let (at, from) = (reader.offset(), reader.position());
        match T::decode(&mut reader) {
            Ok(item) => visit(sink, item, Element { bytes: reader.since(from), offset: at }),
            Err(fault) => {
                sink.fault(fault);
                let tail = content.get(from..).unwrap_or_default();
                let len = match again::<T>(tail, at) {
                    Some((item, len)) => {
                        visit(sink, item, Element { bytes: tail.get(..len).unwrap_or_default(), offset: at });
                        Some(len)
                    }
                    None => skip(tail),
                };
                // Where the next item begins cannot be known if this one cannot be stepped over.
                let next = len.filter(|len| *len > 0).and_then(|len| resume(content, offset, from + len));
                let Some(next) = next else { return };
                reader = next;
            }
        }
    }
}

/// Creates a reader of a list's content that starts at a position.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn resume(content: &[u8], offset: usize, position: usize) -> Option<Reader<'_, 'static>> {
    let mut reader = Reader::new(content).ok()?.at_base(offset).outlined();
    reader.take(position).ok()?;
    Some(reader)
}

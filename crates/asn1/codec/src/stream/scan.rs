//! Content checks for universal types whose content arrives in chunks.
//!
//! Content in one chunk is checked by the slice decoder's functions ([`whole`]). Longer content and segmented strings
//! are checked by a [`Scan`], which retains a few bytes. Only types with short values are buffered, up to a limit.

use alloc::vec::Vec;

use super::Rules;
use super::error::Flaw;
use crate::kind::FaultKind;
use crate::options::{Options, Session};
use crate::reader::Reader;
use crate::tag::{Class, Tag};
use crate::types::{self, Bmp, Ia5, Int, Numeric, Printable, Universal, Visible};

/// The maximum number of bytes buffered for a time, a REAL or a similar type.
pub(super) const COLLECTED: usize = 4096;

/// Checks complete content that starts at offset `at`.
#[inline]
pub(super) fn whole(tag: Tag, octets: &[u8], at: u64, rules: Rules) -> Result<(), Flaw> {
    if tag.class() != Class::Universal || tag == Tag::OCTET_STRING {
        return Ok(());
    }
    let checked = if rules == Rules::Ber {
        let session = Session::new(Options::ber_definite());
        Reader::with_session(octets, &session).and_then(|mut reader| universal(&mut reader, tag, octets.len()))
    } else {
        Reader::new(octets).and_then(|mut reader| universal(&mut reader, tag, octets.len()))
    };
    checked.map_err(|fault| Flaw::lift(fault, at))
}

fn universal(reader: &mut Reader<'_, '_>, tag: Tag, len: usize) -> Result<(), crate::Fault> {
    types::check_universal(reader, tag, len)
}

/// The kind of check for content that arrives in pieces.
#[derive(Debug)]
enum What {
    /// Content that is not checked: bytes and opaque strings.
    Free,
    /// INTEGER and ENUMERATED: checks the first two bytes, which are in the first piece.
    Number,
    /// Object identifiers. `fresh` is true if the next byte begins an arc.
    Arcs { fresh: bool },
    /// BIT STRING: the number of unused bits, once known, and the last byte with its offset.
    Bits { unused: Option<u8>, last: u8, last_at: u64 },
    /// Characters of fixed width or in UTF-8. Keeps the bytes of an incomplete character.
    Characters(Tag),
    /// Characters from a subset of ASCII.
    Ascii(Tag),
    /// Buffered content with the offset of each piece, for types that are checked as a whole.
    Collected { octets: Vec<u8>, pieces: Vec<(usize, u64)> },
}

/// The content check of one value.
#[derive(Debug)]
pub(super) struct Scan {
    tag: Tag,
    what: What,
    /// The start of the content.
    start: u64,
    empty: bool,
    carry: [u8; 4],
    carried: usize,
    carried_at: u64,
}

impl Scan {
    /// Creates the check for a value of a universal type whose content begins at `start`.
    pub(super) fn new(tag: Tag, start: u64) -> Self {
        let what = match tag.number() {
            2 | 10 => What::Number,
            3 => What::Bits { unused: None, last: 0, last_at: start },
            6 | 13 => What::Arcs { fresh: true },
            12 | 28 | 30 => What::Characters(tag),
            18 | 19 | 22 | 26 => What::Ascii(tag),
            1 | 5 | 9 | 14 | 23 | 24 | 31..=36 => What::Collected { octets: Vec::new(), pieces: Vec::new() },
            _ => What::Free,
        };
        Self { tag, what, start, empty: true, carry: [0; 4], carried: 0, carried_at: start }
    }

    /// Returns whether there was no content yet.
    pub(super) const fn is_empty(&self) -> bool {
        self.empty
    }

    /// Checks a piece of content at offset `at`.
    pub(super) fn feed(&mut self, octets: &[u8], at: u64) -> Result<(), Flaw> {
        if octets.is_empty() {
            return Ok(());
        }
        let first = core::mem::replace(&mut self.empty, false);
        let fault = |fault: crate::Fault| Flaw::lift(fault, at);
        match &mut self.what {
            What::Free => Ok(()),
            What::Number if !first => Ok(()),
            What::Number => {
                let front = octets.get(..2).unwrap_or(octets);
                let mut reader = Reader::new(front).map_err(fault)?;
                <Int<'_> as crate::DecodeValue<'_>>::decode_value(&mut reader, front.len()).map(|_| ()).map_err(fault)
            }
            What::Bits { unused, last, last_at } => {
                if let (None, Some(count)) = (*unused, octets.first()) {
                    if *count > 7 {
                        return Err(Flaw::new(FaultKind::BitStringUnused, at));
                    }
                    *unused = Some(*count);
                }
                if let Some(octet) = octets.last() {
                    (*last, *last_at) = (*octet, at.saturating_add(octets.len() as u64 - 1));
                }
                Ok(())
            }
            What::Arcs { fresh } => {
                for (index, octet) in octets.iter().enumerate() {
                    let here = at.saturating_add(index as u64);
                    if *fresh && *octet == 0x80 {
                        return Err(Flaw::new(FaultKind::OidPadded, here));
                    }
                    *fresh = *octet < 0x80;
                }
                Ok(())
            }
            What::Ascii(tag) => ascii(*tag, octets).map_err(fault),
            What::Characters(_) => self.characters(octets, at),
            What::Collected { octets: collected, pieces } => {
                if collected.len().saturating_add(octets.len()) > COLLECTED {
                    return Err(Flaw::new(FaultKind::TooLongToHold, self.start));
                }
                pieces.push((collected.len(), at));
                collected.extend_from_slice(octets);
                Ok(())
            }
        }
    }

    /// Checks the end of the content, at offset `at`.
    pub(super) fn finish(&mut self, at: u64, rules: Rules) -> Result<(), Flaw> {
        match &self.what {
            // A segmented string has no octets of its own that could be wrong.
            What::Free | What::Number | What::Ascii(_) => Ok(()),
            What::Bits { unused, last, last_at } => {
                let padding = last & !(0xFF << (unused.unwrap_or(0) & 7));
                // X.690 §11.2.1; in BER they may be anything (§8.6.2.4).
                if padding != 0 && rules != Rules::Ber {
                    return Err(Flaw::new(FaultKind::BitStringPadding, *last_at));
                }
                Ok(())
            }
            What::Arcs { fresh } => {
                if *fresh {
                    Ok(())
                } else {
                    Err(Flaw::new(FaultKind::OidTruncated, at))
                }
            }
            What::Characters(tag) => match self.carried {
                0 => Ok(()),
                _ if tag.same(Tag::UTF8_STRING) => Err(Flaw::new(FaultKind::Utf8Invalid, self.carried_at)),
                _ => Err(Flaw::new(FaultKind::StringLength, self.carried_at)),
            },
            What::Collected { octets, pieces } => whole(self.tag, octets, 0, rules).map_err(|flaw| {
                // From an offset in what was collected back to where that octet stood.
                let at = usize::try_from(flaw.offset).unwrap_or(usize::MAX);
                let piece = pieces.iter().rev().find(|(start, _)| *start <= at).copied();
                let (start, stood) = piece.unwrap_or((0, self.start));
                Flaw { offset: stood.saturating_add(at.saturating_sub(start) as u64), ..flaw }
            }),
        }
    }

    fn characters(&mut self, octets: &[u8], at: u64) -> Result<(), Flaw> {
        let (mut rest, mut rest_at) = (octets, at);
        // A character that began in an earlier piece.
        while self.carried > 0 {
            let Some((octet, after)) = rest.split_first() else { return Ok(()) };
            if let Some(slot) = self.carry.get_mut(self.carried) {
                *slot = *octet;
            }
            self.carried += 1;
            (rest, rest_at) = (after, rest_at.saturating_add(1));
            let begun = self.carry.get(..self.carried).unwrap_or_default();
            if complete(self.tag, begun).map_err(|(kind, _)| Flaw::new(kind, self.carried_at))? == begun.len() {
                self.carried = 0;
            }
        }
        let done =
            complete(self.tag, rest).map_err(|(kind, index)| Flaw::new(kind, rest_at.saturating_add(index as u64)))?;
        let tail = rest.get(done..).unwrap_or_default();
        for (slot, octet) in self.carry.iter_mut().zip(tail) {
            *slot = *octet;
        }
        (self.carried, self.carried_at) = (tail.len(), rest_at.saturating_add(done as u64));
        Ok(())
    }
}

/// Number of bytes at the front that are whole characters; the rest may become one.
fn complete(tag: Tag, octets: &[u8]) -> Result<usize, (FaultKind, usize)> {
    let wide = match tag.number() {
        30 => 2,
        28 => 4,
        _ => {
            return match core::str::from_utf8(octets) {
                Ok(_) => Ok(octets.len()),
                Err(error) if error.error_len().is_none() => Ok(error.valid_up_to()),
                Err(error) => Err((FaultKind::Utf8Invalid, error.valid_up_to())),
            };
        }
    };
    let done = octets.len() - octets.len() % wide;
    let front = octets.get(..done).unwrap_or_default();
    let checked =
        if wide == 2 { Bmp::from_content(front).map(|_| ()) } else { Universal::from_content(front).map(|_| ()) };
    checked.map(|()| done).map_err(|fault| (fault.kind(), fault.offset()))
}

fn ascii(tag: Tag, octets: &[u8]) -> Result<(), crate::Fault> {
    match tag.number() {
        18 => Numeric::from_content(octets).map(|_| ()),
        19 => Printable::from_content(octets).map(|_| ()),
        22 => Ia5::from_content(octets).map(|_| ()),
        _ => Visible::from_content(octets).map(|_| ()),
    }
}

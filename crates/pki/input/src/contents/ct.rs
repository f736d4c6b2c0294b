//! Entries of certificate transparency logs: the answer to `get-entries` (RFC 6962 §4.6), and data tiles of static logs
//! (static-ct-api). Each entry has one certificate or precertificate. The chains that RFC 6962 repeats with each entry are
//! ignored, and tiles have none.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2, memchr3};
use tagwise_codec::text::base64;

use super::der::along;
use super::{ContentsKind, Found, Gather, Spot};
use crate::ct_entry::{json_leaf, tile_leaf};

/// A JSON object with the two members of an entry, in base64.
struct Entry<'t> {
    start: usize,
    line: u32,
    leaf: Option<Cow<'t, [u8]>>,
    extra: Option<Cow<'t, [u8]>>,
}

/// The entries of a JSON text, however they are nested. Only strings and braces are read.
struct Entries<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
    /// The start and line of the innermost object, and its members.
    open: Option<Entry<'t>>,
}

impl<'t> Entries<'t> {
    /// Moves to a position, and counts the lines up to it.
    fn go(&mut self, to: usize) {
        let between = self.text.get(self.at..to).unwrap_or_default();
        self.line = self.line.saturating_add(memchr_iter(b'\n', between).count() as u32);
        self.at = to;
    }

    /// Reads the string that begins at the position, without its quotation marks.
    fn string(&mut self) -> Option<&'t [u8]> {
        let start = self.at + 1;
        let mut end = start;
        loop {
            end += memchr2(b'"', b'\\', self.text.get(end..)?)?;
            if self.text.get(end) == Some(&b'"') {
                break;
            }
            end += 2;
        }
        self.go(end + 1);
        self.text.get(start..end)
    }

    /// Moves over white space, and over this byte if it follows.
    fn is_next(&mut self, byte: u8) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_ascii_start().len();
        self.go(self.at + blanks);
        self.text.get(self.at) == Some(&byte)
    }
}

impl<'t> Iterator for Entries<'t> {
    type Item = Result<Entry<'t>, (usize, u32)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(step) = memchr3(b'{', b'}', b'"', rest) else {
                let open = self.open.take().filter(|entry| entry.leaf.is_some());
                self.at = self.text.len();
                return open.map(|entry| Err((entry.start, entry.line)));
            };
            self.go(self.at + step);
            match self.text.get(self.at) {
                Some(b'{') => {
                    self.open = Some(Entry { start: self.at, line: self.line, leaf: None, extra: None });
                    self.at += 1;
                }
                Some(b'}') => {
                    self.at += 1;
                    if let Some(entry) = self.open.take().filter(|entry| entry.leaf.is_some()) {
                        return Some(Ok(entry));
                    }
                }
                _ => {
                    let place = (self.at, self.line);
                    let Some(name) = self.string() else {
                        let place = self.open.take().map_or(place, |entry| (entry.start, entry.line));
                        self.at = self.text.len();
                        return Some(Err(place));
                    };
                    if !matches!(name, b"leaf_input" | b"extra_data") || !self.is_next(b':') {
                        continue;
                    }
                    self.at += 1;
                    if !self.is_next(b'"') {
                        continue;
                    }
                    let Some(value) = self.string() else { continue };
                    if let Some(entry) = &mut self.open {
                        let member = if name == b"leaf_input" { &mut entry.leaf } else { &mut entry.extra };
                        *member = Some(unescaped(value));
                    }
                }
            }
        }
    }
}

/// Returns a string of base64 without the escapes of `/`, `+` and `=` that some writers use (RFC 8259 §7).
fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\\') {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        let (byte, len) = match rest {
            [b'\\', b'/', ..] => (b'/', 2),
            [b'\\', b'u', b'0', b'0', b'2', b'B' | b'b', ..] => (b'+', 6),
            [b'\\', b'u', b'0', b'0', b'2', b'F' | b'f', ..] => (b'/', 6),
            [b'\\', b'u', b'0', b'0', b'3', b'D' | b'd', ..] => (b'=', 6),
            _ => (*first, 1),
        };
        out.push(byte);
        rest = after.get(len - 1..).unwrap_or_default();
    }
    Cow::Owned(out)
}

impl<'a> Gather<'a, '_> {
    /// Adds the certificates and precertificates of entries in JSON. Returns whether there are entries.
    pub(super) fn ct_entries(&mut self, text: &[u8], spot: Spot) -> bool {
        let mut out = Vec::new();
        let mut found = Vec::new();
        let failures = self.contents.failures.len();
        for entry in (Entries { text, at: 0, line: spot.line.max(1), open: None }) {
            let at = |offset: usize, line| Spot { line, offset: spot.offset.saturating_add(offset as u32), ..spot };
            let entry = match entry {
                Ok(entry) => entry,
                Err((start, line)) => {
                    self.fail(at(start, line), "truncated", "truncated JSON: an entry of a CT log has no end");
                    continue;
                }
            };
            let here = at(entry.start, entry.line);
            let decoded = |text: &Option<Cow<'_, [u8]>>| {
                text.as_ref().map(|text| base64::decode_wrapped(text).map_err(|fault| fault.kind())).transpose()
            };
            let (leaf, extra) = match (decoded(&entry.leaf), decoded(&entry.extra)) {
                (Ok(leaf), Ok(extra)) => (leaf, extra),
                (Err(kind), _) | (_, Err(kind)) => {
                    self.fail(here, kind.code(), kind.text());
                    continue;
                }
            };
            match json_leaf(&leaf.unwrap_or_default(), extra.as_deref()) {
                Ok(der) => {
                    let (kind, start) = (ContentsKind::Certificate, out.len());
                    out.extend_from_slice(der);
                    found.push(Found { kind, start, len: der.len(), spot: here, settings: 0 });
                }
                Err(message) => self.fail(here, "ct", message),
            }
        }
        let any = !found.is_empty();
        if any {
            self.keep(Cow::Owned(out), found);
        }
        any || self.contents.failures.len() > failures
    }

    /// Adds the certificates and precertificates of a data tile.
    pub(super) fn ct_tile(&mut self, octets: Cow<'a, [u8]>, spot: Spot) {
        let mut found = Vec::new();
        let mut rest = &*octets;
        while !rest.is_empty() {
            let at = octets.len() - rest.len();
            match tile_leaf(&mut rest) {
                Ok(der) => {
                    let start = offset_in(&octets, der);
                    let (kind, len) = (ContentsKind::Certificate, der.len());
                    found.push(Found { kind, start, len, spot: along(spot, start), settings: 0 });
                }
                Err(message) => {
                    self.fail(along(spot, at), "ct", message);
                    break;
                }
            }
        }
        self.keep(octets, found);
    }
}

/// Returns the offset of a part in the bytes that contain it.
fn offset_in(whole: &[u8], part: &[u8]) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}

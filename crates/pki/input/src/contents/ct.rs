//! Entries of certificate transparency logs: the answer to `get-entries` (RFC 6962 §4.6), and data tiles of static logs
//! (static-ct-api). Each entry has one certificate or precertificate. The chains that RFC 6962 repeats with each entry are
//! ignored, and tiles have none.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2, memchr3, memmem};
use tagwise_codec::text::base64;

use super::der::along;
use super::{ContentsKind, Found, Gather, Spot};

/// The member of a JSON entry that names it.
const LEAF: &[u8] = b"\"leaf_input\"";
/// The first part of a JSON text, which contains an entry's name. A chain may be before it.
const START: usize = 1 << 20;

/// Returns whether a text is JSON with entries of a log.
pub(crate) fn is_entries(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).trim_ascii_start();
    let is_json = matches!(text.first(), Some(b'{' | b'['));
    is_json && memmem::find(text.get(..text.len().min(START)).unwrap_or_default(), LEAF).is_some()
}

/// Returns whether an input begins with an entry of a data tile, which has a plausible time and a certificate.
pub(crate) fn is_tile(octets: &[u8]) -> bool {
    let mut rest = octets;
    octets.starts_with(&[0, 0]) && tile_leaf(&mut rest).is_ok_and(|leaf| leaf.first() == Some(&0x30))
}

/// Splits the first bytes off.
fn take<'e>(rest: &mut &'e [u8], len: usize) -> Result<&'e [u8], String> {
    let (first, after) = rest.split_at_checked(len).ok_or("truncated entry of a CT log")?;
    *rest = after;
    Ok(first)
}

/// Splits a vector off, whose length has so many bytes (RFC 8446 §3.4).
fn vector<'e>(rest: &mut &'e [u8], width: usize) -> Result<&'e [u8], String> {
    let len = take(rest, width)?.iter().fold(0, |len, byte| (len << 8) | usize::from(*byte));
    take(rest, len)
}

/// Splits a `TimestampedEntry` off (RFC 6962 §3.4), and returns its certificate, or `None` for a precertificate.
fn timestamped<'e>(rest: &mut &'e [u8]) -> Result<Option<&'e [u8]>, String> {
    take(rest, 8)?;
    let kind = take(rest, 2)?;
    let certificate = match kind {
        [0, 0] => Some(vector(rest, 3)?),
        [0, 1] => {
            // The hash of the issuer's key, and the to-be-signed part.
            take(rest, 32)?;
            vector(rest, 3)?;
            None
        }
        _ => {
            let number = kind.iter().fold(0, |number, byte| (number << 8) | u32::from(*byte));
            return Err(format!("unknown type of an entry of a CT log: {number}, expected 0 or 1 (RFC 6962 §3.1)"));
        }
    };
    vector(rest, 2)?;
    Ok(certificate)
}

/// Returns the certificate or precertificate of an entry in JSON.
fn json_leaf<'e>(leaf: &'e [u8], extra: Option<&'e [u8]>) -> Result<&'e [u8], String> {
    let mut rest = leaf;
    let [version, kind] = *take(&mut rest, 2)? else { return Err("truncated entry of a CT log".to_owned()) };
    if (version, kind) != (0, 0) {
        return Err(format!(
            "unknown entry of a CT log: version {version}, type {kind}, expected 0, 0 (RFC 6962 §3.4)"
        ));
    }
    let certificate = timestamped(&mut rest)?;
    if !rest.is_empty() {
        return Err("data after an entry of a CT log".to_owned());
    }
    match (certificate, extra) {
        (Some(certificate), _) => Ok(certificate),
        (None, Some(mut extra)) => vector(&mut extra, 3),
        (None, None) => Err("missing extra_data, expected the precertificate (RFC 6962 §4.6)".to_owned()),
    }
}

/// Splits an entry of a tile off (`TileLeaf`), and returns its certificate or precertificate.
fn tile_leaf<'e>(rest: &mut &'e [u8]) -> Result<&'e [u8], String> {
    let certificate = match timestamped(rest)? {
        Some(certificate) => certificate,
        None => vector(rest, 3)?,
    };
    let chain = vector(rest, 2)?;
    if chain.len().is_multiple_of(32) {
        Ok(certificate)
    } else {
        Err(format!("wrong size of the chain in an entry of a CT log: {} bytes, expected fingerprints", chain.len()))
    }
}

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

//! Base64 values inside other text: Kubernetes manifests, LDIF (RFC 2849), JSON, XML. The text is not parsed: a value
//! is any run of base64 that decodes to a certificate container.

use std::borrow::Cow;

use memchr::memmem;
use tagwise_codec::text::base64;

use super::der::{is_element, is_start, kind_of};
use super::{Gather, Spot};

/// The minimum length of a run that may contain a certificate or CRL. Shorter runs are skipped.
const SHORT: usize = 80;

impl Gather<'_, '_> {
    /// Adds the values embedded in a text, and returns whether there are any. `beside` skips runs that fill a whole line,
    /// because they may be the body of a malformed PEM block.
    pub(super) fn embedded(&mut self, text: &[u8], beside: bool, spot: Spot, depth: u8) -> bool {
        let text = match unescaped(text) {
            // PEM in a string of JSON or YAML.
            Some(plain) if !beside => {
                self.gather_at(plain, Spot { line: spot.line.max(1), ..spot }, depth);
                return true;
            }
            _ => text,
        };
        let mut any = false;
        for run in (Runs { beside, ..Runs::new(text) }) {
            let Ok(octets) = base64::decode_wrapped(&run.digits) else { continue };
            if !is_value(&octets) {
                continue;
            }
            let line = spot.line.max(1).saturating_add(run.line as u32);
            let here = Spot { line, offset: spot.offset.saturating_add(run.offset as u32), ..spot };
            self.gather_at(octets, here, depth);
            any = true;
        }
        any
    }

    /// Adds the contents of a value. They get the value's position, because lines inside base64 do not exist in the file.
    fn gather_at(&mut self, octets: Vec<u8>, spot: Spot, depth: u8) {
        let (slots, failures) = (self.contents.slots.len(), self.contents.failures.len());
        let parts = self.parts.as_ref().map_or(0, Vec::len);
        self.gather(Cow::Owned(octets), spot, depth);
        let place = |inner: &mut Spot| *inner = Spot { entry: inner.entry, ..spot };
        self.contents.slots.iter_mut().skip(slots).for_each(|slot| place(&mut slot.spot));
        self.contents.failures.iter_mut().skip(failures).for_each(|flaw| place(&mut flaw.spot));
        self.parts.iter_mut().flatten().skip(parts).for_each(|part| place(&mut part.spot));
    }
}

/// Returns whether decoded bytes are a certificate container. An element must not have trailing data.
fn is_value(octets: &[u8]) -> bool {
    if !is_start(octets) {
        // PEM may have text before it.
        return memmem::find(octets, b"-----BEGIN ").is_some();
    }
    match octets.first() {
        Some(0x30 | 0x77) => {
            // Keys and requests in the text are values as well; a damaged certificate has a frame.
            is_element(octets) || kind_of(octets).is_some()
        }
        _ => true,
    }
}

/// Unescapes the line breaks of a text, if it contains PEM with escaped line breaks.
fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let begin = memmem::find(text, b"-----BEGIN ")?;
    let line = text.get(begin..)?.split(|octet| *octet == b'\n').next()?;
    memmem::find(line, b"-----\\n").or_else(|| memmem::find(line, b"-----\\r\\n"))?;
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (before, escape) = rest.split_at_checked(at)?;
        out.extend_from_slice(before);
        match escape.get(1) {
            Some(b'n') => out.push(b'\n'),
            Some(b'r') => {}
            Some(other) => out.push(*other),
            None => {}
        }
        rest = escape.get(2..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    // A string ends where the next one begins: no quotation mark stays in a line with a boundary.
    out.iter_mut().filter(|octet| **octet == b'"').for_each(|octet| *octet = b'\n');
    Some(out)
}

/// A run of base64, on one or more lines.
struct Run {
    digits: Vec<u8>,
    offset: usize,
    /// The number of lines before the run.
    line: usize,
}

/// An iterator over the runs of a text that are long enough.
struct Runs<'t> {
    text: &'t [u8],
    /// True if runs at the start of a line are skipped.
    beside: bool,
    at: usize,
    line: usize,
    /// The start of the line that contains `at`.
    start: usize,
}

impl<'t> Runs<'t> {
    const fn new(text: &'t [u8]) -> Self {
        Self { text, beside: false, at: 0, line: 0, start: 0 }
    }

    /// Returns the end of the base64 digits and padding that start at a position.
    fn end(&self, from: usize) -> usize {
        let count = |from: usize, is: fn(u8) -> bool| {
            self.text.get(from..).unwrap_or_default().iter().take_while(|octet| is(**octet)).count()
        };
        let end = from + count(from, is_digit);
        end + if end > from { count(end, |octet| octet == b'=').min(2) } else { 0 }
    }

    /// Returns the end of the spaces and tabs that start at a position.
    fn blanks(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count()
    }

    /// Returns the start of the next line, if a line break is at the position.
    fn next_line(&self, at: usize) -> Option<usize> {
        match self.text.get(at..)? {
            [b'\n', ..] => Some(at + 1),
            [b'\r', b'\n', ..] => Some(at + 2),
            _ => None,
        }
    }
}

const fn is_digit(octet: u8) -> bool {
    matches!(octet, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/')
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        loop {
            let octet = *self.text.get(self.at)?;
            if octet == b'\n' {
                self.at += 1;
                self.line += 1;
                self.start = self.at;
                continue;
            }
            if !is_digit(octet) {
                self.at += 1;
                continue;
            }
            let (from, line, start) = (self.at, self.line, self.start);
            let mut end = self.end(from);
            let indent = self.blanks(start);
            let has_key = indent != from;
            if self.beside && !has_key {
                let rest = self.text.get(end..).unwrap_or_default();
                self.at = end + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                continue;
            }
            // In a tag or between quotation marks, lines need no indentation.
            let is_enclosed = from
                .checked_sub(1)
                .and_then(|before| self.text.get(before))
                .is_some_and(|octet| matches!(octet, b'>' | b'"' | b'\''));
            // A word, as most of a text is.
            if end - from < SHORT && self.next_line(end).is_none() {
                self.at = end;
                continue;
            }
            let mut digits = self.text.get(from..end).unwrap_or_default().to_vec();
            while let Some(next) = self.next_line(end) {
                let first = self.blanks(next);
                let fits = if has_key { is_enclosed || first > next } else { first - next == indent - start };
                let last = self.end(first);
                let closed =
                    self.next_line(last).is_some() || matches!(self.text.get(last), None | Some(b'<' | b'"' | b'\''));
                if !fits || last == first || !closed {
                    break;
                }
                digits.extend_from_slice(self.text.get(first..last).unwrap_or_default());
                (self.line, self.start, end) = (self.line + 1, next, last);
            }
            self.at = end;
            if digits.len() >= SHORT {
                return Some(Run { digits, offset: from, line });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn runs(text: &str) -> Vec<(usize, usize)> {
        Runs::new(text.as_bytes()).map(|run| (run.line, run.digits.len())).collect()
    }

    #[test]
    fn runs_over_lines() {
        let digits = "M".repeat(60);
        for (text, expected) in [
            // LDIF: lines that go on begin with a blank.
            (format!("dn: x\ncert:: {digits}\n {digits}\n MM==\nuid: y\n"), vec![(1, 124)]),
            // A key in YAML, and a block below it.
            (format!("data:\n  tls.crt: {digits}{digits}\n  other: {digits}\n"), vec![(1, 120)]),
            (format!("data: |\n  {digits}\n  {digits}\n  MM\nnext: 1\n"), vec![(1, 122)]),
            // Lines with another indentation are something else.
            (format!("  {digits}\n    {digits}\n"), vec![]),
            // XML, whose lines need no indentation.
            (format!("<X509Certificate>{digits}\n{digits}</X509Certificate>"), vec![(0, 120)]),
            (format!("{{\"x5c\": [\"{digits}{digits}\", \"{digits}{digits}\"]}}"), vec![(0, 120), (0, 120)]),
            // A word at the start of a line does not belong to the value before it.
            (format!("k: {digits}{digits}\nword\n"), vec![(0, 120)]),
        ] {
            assert_eq!(runs(&text), expected, "{text}");
        }
    }

    #[test]
    fn only_escaped_pem_is_unescaped() {
        let json = br#"{"tls.crt":"-----BEGIN X-----\nMAA=\n-----END X-----\n"}"#;
        let plain = String::from_utf8(unescaped(json).unwrap()).unwrap();
        assert!(plain.contains("\n-----BEGIN X-----\nMAA=\n-----END X-----\n\n"), "{plain}");
        assert_eq!(unescaped(b"-----BEGIN X-----\nMAA=\n-----END X-----\n"), None);
        assert_eq!(unescaped(b"a\\nb"), None);
    }
}

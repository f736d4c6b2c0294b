//! Finds blocks in one pass over the input.

use super::boundary::{Boundary, Found, at, find, is_blank, line_end};
use super::error::Error;
use super::{Block, Policy};
use crate::kind::FaultKind;
use crate::rule::{Rule, RuleSet};

/// An iterator over the blocks of an input: see [`blocks`](super::blocks).
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    input: &'a [u8],
    /// The position at which the scan continues.
    pos: usize,
    /// The end of the last block or error.
    done: usize,
    /// Position up to which lines were counted, and the line number there.
    counted: (usize, usize),
    policy: Policy<'a>,
}

/// A run of base64 digits of this length is not a word of prose.
const WORD: usize = 24;

/// The extent of a block and of its parts.
#[derive(Clone, Copy, Debug)]
struct Extent<'a> {
    /// The end of the base64.
    body: usize,
    /// The boundary that ends the block. `None` if another block begins first, or the input ends.
    end: Option<Boundary<'a>>,
    /// The offset of the fault in the END line.
    broken: Option<usize>,
    /// The start of the line after the block.
    next: usize,
}

/// The state of one block's checks: the recorded deviations, and the position to continue at after a failure.
#[derive(Debug)]
struct Check<'n> {
    next: usize,
    noted: &'n mut RuleSet,
}

impl<'a> Blocks<'a> {
    pub(super) const fn new(input: &'a [u8], policy: Policy<'a>) -> Self {
        // A byte order mark, which editors leave before text in UTF-8, is no part of the first line.
        let pos = if let [0xEF, 0xBB, 0xBF, ..] = input { 3 } else { 0 };
        Self { input, pos, done: 0, counted: (0, 1), policy }
    }

    /// Returns the input after the last block found, or the whole input if no block was found yet.
    ///
    /// ```
    /// use tagwise_codec::pem;
    /// let mut blocks = pem::blocks(b"-----BEGIN A-----\nAgEF\n-----END A-----\nbye\n");
    /// assert!(blocks.by_ref().all(|block| block.is_ok()));
    /// assert_eq!(blocks.rest(), b"bye\n");
    /// ```
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.input.get(self.done..).unwrap_or_default()
    }

    /// Returns the line number of an offset. Offsets must not decrease between calls.
    fn line(&mut self, offset: usize) -> usize {
        let (from, line) = self.counted;
        if offset <= from {
            return line;
        }
        self.counted = (offset, line + line_breaks(self.input, from, offset));
        self.counted.1
    }

    /// Ends an item at `next` with an error.
    fn fail(&mut self, kind: FaultKind, offset: usize, rule: Option<&'static Rule>, next: usize) -> Error {
        let line = self.line(offset);
        (self.pos, self.done) = (next, next);
        Error::new(kind, offset, line, rule)
    }

    /// Finds the extent of a block whose BEGIN line ends at `from`.
    fn extent(&self, from: usize) -> Extent<'a> {
        let mut pos = from;
        loop {
            while let Some(next) = self.full_line(pos) {
                pos = next;
            }
            let none = Extent { body: pos, end: None, broken: None, next: pos };
            if pos >= self.input.len() {
                return none;
            }
            match at(self.input, pos) {
                Found::Boundary(found) if found.begin => return none,
                Found::Boundary(found) => return Extent { end: Some(found), next: found.next, ..none },
                Found::Broken { begin: true, .. } => return none,
                Found::Broken { at, .. } => {
                    return Extent { broken: Some(at), next: line_end(self.input, pos).1, ..none };
                }
                Found::Text => {}
            }
            let (next, extent) = self.rest_of_line(pos);
            if let Some(extent) = extent {
                return extent;
            }
            pos = next;
        }
    }

    /// Skips a line of 64 characters without dashes or blanks: the fast path for most lines.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn full_line(&self, pos: usize) -> Option<usize> {
        let (line, rest) = self.input.get(pos..)?.split_first_chunk::<64>()?;
        // Everything above the blank is no line break, and beginnings of other dashes are above 7F.
        let odd = |octet: u8| u8::from(octet.wrapping_sub(b'!') > b'~' - b'!') | u8::from(octet == b'-');
        if line.iter().fold(0, |any, octet| any | odd(*octet)) != 0 {
            return None;
        }
        match rest {
            [b'\n', ..] => Some(pos + 65),
            [b'\r', b'\n', ..] => Some(pos + 66),
            _ => None,
        }
    }

    /// Finds the start of the next line. If a boundary is on the same line as base64, the block ends there.
    fn rest_of_line(&self, start: usize) -> (usize, Option<Extent<'a>>) {
        let mut pos = start;
        loop {
            let rest = self.input.get(pos..).unwrap_or_default();
            // No further than the next dash: the line may be long and have many.
            let Some(len) = find(rest, |octet| matches!(octet, b'-' | b'\n' | b'\r')) else {
                return (self.input.len(), None);
            };
            pos += len;
            match rest.get(len..) {
                Some([b'-', ..]) => {}
                _ => return (line_end(self.input, pos).1, None),
            }
            let rest = rest.get(len..).unwrap_or_default();
            if (rest.starts_with(b"-----BEGIN ") || rest.starts_with(b"-----END "))
                && let Found::Boundary(found) = at(self.input, pos)
            {
                let none = Extent { body: pos, end: None, broken: None, next: pos };
                let found = Boundary { shared: Some(pos), ..found };
                let extent = if found.begin { none } else { Extent { end: Some(found), next: found.next, ..none } };
                return (extent.next, Some(extent));
            }
            pos += 1;
        }
    }

    /// Finds a BEGIN boundary after other text on its line, such as `cert: -----BEGIN A-----`, which RFC 7468 §3 does not permit. Without
    /// an error, its block would be lost. Text that only mentions a boundary is permitted (RFC 7468 §2): base64 must follow.
    fn within_line(&self, start: usize) -> Option<Boundary<'a>> {
        let (end, _) = line_end(self.input, start);
        let mut pos = start;
        loop {
            pos += find(self.input.get(pos..end)?, |octet| octet == b'-')?;
            if self.input.get(pos..).is_some_and(|rest| rest.starts_with(b"-----BEGIN "))
                && let Found::Boundary(found) = at(self.input, pos)
                && self.is_followed_by_base64(found.next)
            {
                return Some(Boundary { shared: Some(pos), ..found });
            }
            pos += 1;
        }
    }

    /// Returns whether base64 follows: a run that is longer than a word, or one that ends at an END boundary. In quoted mail, lines begin
    /// with `>`.
    fn is_followed_by_base64(&self, from: usize) -> bool {
        let skip = |from: usize| {
            let rest = self.input.get(from..).unwrap_or_default();
            let is_quote = |octet: u8| octet == b'>' || octet.is_ascii_whitespace();
            from + rest.iter().position(|octet| !is_quote(*octet)).unwrap_or(rest.len())
        };
        let start = skip(from);
        let rest = self.input.get(start..).unwrap_or_default();
        let is_digit = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/' | b'=');
        let len = rest.iter().take(WORD).position(|octet| !is_digit(*octet)).unwrap_or(rest.len().min(WORD));
        let (end, next) = (start + len, skip(start + len));
        let is_alone = next == end || line_end(self.input, end).0 == end;
        let ends = self.input.get(next..).is_some_and(|rest| rest.starts_with(b"-----END "));
        len == WORD || len > 0 && len.is_multiple_of(4) && is_alone && ends
    }

    /// Checks a block, and returns it or the first error in it.
    fn block(&mut self, begin: Boundary<'a>) -> Result<Block<'a>, Error> {
        let extent = self.extent(begin.next);
        let preamble = self.done;
        let line = self.line(begin.at);
        let mut noted = RuleSet::NONE;
        let mut check = Check { next: extent.next, noted: &mut noted };
        // In the order of their offsets.
        self.boundary(&mut check, &begin)?;
        let missing = (extent.end.is_none() && extent.broken.is_none()).then_some(begin.at);
        self.deviate(&mut check, &Rule::PEM_MISSING_END, FaultKind::PemUnterminated, missing)?;
        let (headers, body) = self.headers(begin.next, extent.body);
        let headers_at = (headers.0 < headers.1).then_some(headers.0);
        self.deviate(&mut check, &Rule::PEM_HEADERS, FaultKind::PemHeaders, headers_at)?;
        let text = match core::str::from_utf8(self.input.get(headers.0..headers.1).unwrap_or_default()) {
            Ok(text) => text,
            Err(error) => {
                return Err(self.fail(FaultKind::PemHeaders, headers.0 + error.valid_up_to(), None, extent.next));
            }
        };
        if let Some(at) = extent.broken {
            return Err(self.fail(FaultKind::PemBoundary, at, None, extent.next));
        }
        if let Some(end) = &extent.end {
            self.boundary(&mut check, end)?;
            let mismatch = (end.label != begin.label).then_some(end.label_at);
            self.deviate(&mut check, &Rule::PEM_LABEL_MISMATCH, FaultKind::PemLabel, mismatch)?;
        }
        (self.pos, self.done) = (extent.next, extent.next);
        Ok(Block {
            input: self.input,
            label: begin.label,
            headers: text,
            preamble,
            begin: begin.at,
            body: (body, extent.body),
            end: extent.end.map_or(extent.body, |end| end.end),
            line,
            policy: self.policy,
        })
    }

    fn boundary(&mut self, check: &mut Check<'_>, found: &Boundary<'_>) -> Result<(), Error> {
        self.deviate(check, &Rule::PEM_LEADING_SPACE, FaultKind::PemBoundary, found.leading)?;
        self.deviate(check, &Rule::PEM_DASHES, FaultKind::PemBoundary, found.dashes)?;
        self.deviate(check, &Rule::PEM_MISSING_NEWLINE, FaultKind::PemBoundary, found.shared)?;
        self.deviate(check, &Rule::PEM_TRAILING_SPACE, FaultKind::PemLayout, found.trailing)
    }

    /// Reports a deviation, if there is one, as an error unless it is tolerated.
    fn deviate(
        &mut self,
        check: &mut Check<'_>,
        rule: &'static Rule,
        kind: FaultKind,
        at: Option<usize>,
    ) -> Result<(), Error> {
        match at {
            Some(at) if !self.policy.tolerates(rule, at, check.noted) => {
                Err(self.fail(kind, at, Some(rule), check.next))
            }
            _ => Ok(()),
        }
    }

    /// Finds the range of the headers between two positions, and the start of the base64. An empty line ends the headers (RFC
    /// 1421 §4.4).
    fn headers(&self, from: usize, to: usize) -> ((usize, usize), usize) {
        let mut start = from;
        loop {
            let (line, next) = self.line_until(start, to);
            if !line.iter().all(|octet| is_blank(*octet)) {
                break;
            }
            if next >= to {
                return ((from, from), from);
            }
            start = next;
        }
        let mut pos = start;
        while pos < to {
            let (line, next) = self.line_until(pos, to);
            if line.iter().all(|octet| is_blank(*octet)) {
                return ((start, pos), next);
            }
            let continues = pos > start && line.first().is_some_and(|octet| is_blank(*octet));
            if !continues && !is_header(line) {
                break;
            }
            pos = next;
        }
        if pos == start { ((from, from), from) } else { ((start, pos), pos) }
    }

    /// Returns the line at `from`, which ends at or before `to`, and the start of the next line.
    fn line_until(&self, from: usize, to: usize) -> (&'a [u8], usize) {
        let (end, next) = line_end(self.input.get(..to).unwrap_or_default(), from);
        (self.input.get(from..end).unwrap_or_default(), next)
    }
}

/// Returns whether a line begins with a header name (letters, digits and hyphens) and a colon.
fn is_header(line: &[u8]) -> bool {
    let name = line.iter().position(|octet| !octet.is_ascii_alphanumeric() && *octet != b'-');
    name.is_some_and(|len| len > 0 && line.get(len) == Some(&b':'))
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<Block<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.pos < self.input.len() {
            match at(self.input, self.pos) {
                Found::Text => match self.within_line(self.pos) {
                    Some(found) => return Some(self.block(found)),
                    None => self.pos = line_end(self.input, self.pos).1,
                },
                Found::Broken { at, begin } => {
                    let mut next = line_end(self.input, self.pos).1;
                    if begin {
                        // Its END line, if there is one, is not blamed too.
                        next = self.extent(next).next;
                    }
                    return Some(Err(self.fail(FaultKind::PemBoundary, at, None, next)));
                }
                Found::Boundary(found) if found.begin => return Some(self.block(found)),
                // RFC 7468 §2: data before a block must not make parsers malfunction.
                Found::Boundary(found)
                    if found.dashes.is_none()
                        && !self.policy.tolerates(&Rule::PEM_STRAY_END, found.at, &mut RuleSet::default()) =>
                {
                    let rule = Some(&Rule::PEM_STRAY_END);
                    return Some(Err(self.fail(FaultKind::PemUnopened, found.at, rule, found.next)));
                }
                // Dashes around something that ends in prose.
                Found::Boundary(found) => self.pos = found.next,
            }
        }
        None
    }
}

/// Counts the line breaks between two positions.
pub(super) fn line_breaks(input: &[u8], from: usize, to: usize) -> usize {
    let part = input.get(from..to).unwrap_or_default();
    let returns = count(part, b'\r');
    if returns == 0 {
        return count(part, b'\n');
    }
    // CRLF is one line break.
    let pairs = part.windows(2).filter(|pair| pair == b"\r\n").count();
    let split = usize::from(part.ends_with(b"\r") && input.get(to) == Some(&b'\n'));
    (count(part, b'\n') + returns).saturating_sub(pairs + split)
}

/// Counts the occurrences of a byte. One-byte counters cannot overflow in 128 steps, and let the compiler compare many bytes at
/// once.
fn count(octets: &[u8], wanted: u8) -> usize {
    let few = |octets: &[u8]| usize::from(octets.iter().fold(0u8, |count, octet| count + u8::from(*octet == wanted)));
    let (blocks, rest) = octets.as_chunks::<128>();
    blocks.iter().map(|block| few(block)).sum::<usize>() + few(rest)
}

/// The headers of a block.
#[derive(Clone, Debug)]
pub(super) struct Headers<'a> {
    rest: &'a str,
}

impl<'a> Headers<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Headers<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, mut rest) = self.rest.split_once(':')?;
        let text = rest;
        let mut len = 0;
        // The value goes on while lines begin with a blank.
        loop {
            let (end, next) = line_end(text.as_bytes(), len);
            (len, rest) = (next, text.get(next..).unwrap_or_default());
            if end == next || !rest.starts_with(|c: char| c.is_ascii() && is_blank(c as u8)) {
                break;
            }
        }
        self.rest = rest;
        Some((name, text.get(..len).unwrap_or_default().trim()))
    }
}

//! Boundary lines: `-----BEGIN label-----` and its common variants.

/// The content found at a position in the input, usually at the start of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found<'a> {
    /// A boundary.
    Boundary(Boundary<'a>),
    /// A malformed boundary.
    Broken {
        /// The offset of the fault.
        at: usize,
        /// True for BEGIN, false for END.
        begin: bool,
    },
    /// Anything else.
    Text,
}

/// A boundary and its deviations from the grammar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary<'a> {
    /// True for BEGIN, false for END.
    pub(super) begin: bool,
    /// The position of the first dash.
    pub(super) at: usize,
    pub(super) label: &'a str,
    pub(super) label_at: usize,
    /// Position after the last dash.
    pub(super) end: usize,
    /// The start of the next line, or of further content on the same line.
    pub(super) next: usize,
    /// The start of the blanks before the boundary.
    pub(super) leading: Option<usize>,
    /// The position of dashes, if they are not exactly five hyphens.
    pub(super) dashes: Option<usize>,
    /// The start of other content on the same line.
    pub(super) shared: Option<usize>,
    /// The start of the blanks after the boundary.
    pub(super) trailing: Option<usize>,
}

/// Finds the end of a line and the start of the next one: CRLF, CR or LF (RFC 7468 §3, `eol`).
pub(super) fn line_end(input: &[u8], from: usize) -> (usize, usize) {
    let rest = input.get(from..).unwrap_or_default();
    let len = find(rest, |octet| octet == b'\n' || octet == b'\r').unwrap_or(rest.len());
    let end = from + len;
    match rest.get(len..) {
        Some([b'\r', b'\n', ..]) => (end, end + 2),
        Some([_, ..]) => (end, end + 1),
        _ => (end, end),
    }
}

/// Finds the first byte for which `is` returns `true`. The compiler vectorizes the fixed-size blocks.
pub(super) fn find(octets: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
    let (blocks, rest) = octets.as_chunks::<32>();
    for (index, block) in blocks.iter().enumerate() {
        if block.iter().fold(0, |any, octet| any | u8::from(is(*octet))) != 0 {
            return Some(index * 32 + block.iter().position(|octet| is(*octet))?);
        }
    }
    Some(blocks.len() * 32 + rest.iter().position(|octet| is(*octet))?)
}

/// Returns whether a byte is a blank within a line.
pub(super) const fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | 0x0B | 0x0C)
}

/// Returns the number of leading blanks.
fn blanks(octets: &[u8]) -> usize {
    octets.iter().position(|octet| !is_blank(*octet)).unwrap_or(octets.len())
}

/// A run of dashes: its length in bytes, the number of dashes, and whether all are hyphens.
#[derive(Clone, Copy, Debug)]
struct Run {
    len: usize,
    count: usize,
    hyphens: bool,
}

impl Run {
    fn of(octets: &[u8]) -> Self {
        let mut run = Self { len: 0, count: 0, hyphens: true };
        loop {
            let len = match octets.get(run.len..).unwrap_or_default() {
                [b'-', ..] => 1,
                // U+2010 to U+2015, the hyphens and dashes of General Punctuation.
                [0xE2, 0x80, 0x90..=0x95, ..] => 3,
                // U+2212, the minus sign.
                [0xE2, 0x88, 0x92, ..] => 3,
                // U+FE58, U+FE63 and U+FF0D, the small and full-width forms.
                [0xEF, 0xB9, 0x98 | 0xA3, ..] | [0xEF, 0xBC, 0x8D, ..] => 3,
                _ => return run,
            };
            run.hyphens &= len == 1;
            run.len += len;
            run.count += 1;
        }
    }

    const fn is_exact(&self) -> bool {
        self.hyphens && self.count == 5
    }
}

/// Returns whether a byte is a `labelchar` of RFC 7468 §3.
const fn is_label(octet: u8) -> bool {
    matches!(octet, 0x21..=0x2C | 0x2E..=0x7E)
}

/// Parses the boundary or text at `start`.
pub(super) fn at(input: &[u8], start: usize) -> Found<'_> {
    let indent = blanks(input.get(start..).unwrap_or_default());
    let at = start + indent;
    let opening = Run::of(input.get(at..).unwrap_or_default());
    if opening.count == 0 {
        return Found::Text;
    }
    let rest = input.get(at + opening.len..).unwrap_or_default();
    let (begin, keyword) = if rest.starts_with(b"BEGIN") {
        (true, 5)
    } else if rest.starts_with(b"END") {
        (false, 3)
    } else {
        return Found::Text;
    };
    let space_at = at + opening.len + keyword;
    // Five hyphens and the word are meant as a boundary, unless the word goes on.
    let broken = |at| if opening.is_exact() { Found::Broken { at, begin } } else { Found::Text };
    match rest.get(keyword) {
        Some(b' ') => {}
        Some(octet) if octet.is_ascii_alphanumeric() => return Found::Text,
        _ => return broken(space_at),
    }
    let label_at = space_at + 1;
    let Some(label_end) = label_end(input, label_at) else {
        return broken(label_at);
    };
    let (label, after) = match label_end {
        Ok(end) => (input.get(label_at..end).and_then(|label| core::str::from_utf8(label).ok()), end),
        Err(at) => return broken(at),
    };
    let mut closing = Run::of(input.get(after..).unwrap_or_default());
    let beyond = input.get(after + closing.len..).unwrap_or_default();
    if closing.hyphens && closing.count > 5 && (beyond.starts_with(b"BEGIN ") || beyond.starts_with(b"END ")) {
        // Two boundaries without a line break between them.
        closing = Run { len: 5, count: 5, hyphens: true };
    }
    let (Some(label), true) = (label, closing.count > 0) else {
        return broken(after);
    };
    let end = after + closing.len;
    let space = blanks(input.get(end..).unwrap_or_default());
    let (line, next) = match input.get(end + space) {
        None | Some(b'\n' | b'\r') => line_end(input, end + space),
        Some(_) => (end, end),
    };
    let alone = line == end + space && (space > 0 || next > end || end == input.len());
    if !alone && !closing.is_exact() {
        // Dashes inside what is no label: `A--B`.
        return broken(after);
    }
    Found::Boundary(Boundary {
        begin,
        at,
        label,
        label_at,
        end,
        next,
        leading: (indent > 0).then_some(start),
        dashes: match (opening.is_exact(), closing.is_exact()) {
            (false, _) => Some(at),
            (true, false) => Some(after),
            (true, true) => None,
        },
        shared: (!alone).then_some(end),
        trailing: (alone && space > 0).then_some(end),
    })
}

/// Finds the end of a label, which is followed by dashes. Returns `Err` with the offset of a byte that is invalid in labels, or
/// `None` if the input ends first.
fn label_end(input: &[u8], start: usize) -> Option<Result<usize, usize>> {
    let mut at = start;
    // Whether a label character came last: after a hyphen or a space one must follow.
    let mut whole = false;
    loop {
        let rest = input.get(at..)?;
        match rest {
            [octet, ..] if is_label(*octet) => whole = true,
            [b'-' | b' ', next, ..] if whole && is_label(*next) => whole = false,
            [b'-' | 0xE2 | 0xEF, ..] => return Some(Ok(at)),
            _ => return Some(Err(at)),
        }
        at += 1;
    }
}

//! Skips BER elements without a schema, as needed for bundles (X.690 §8.1).

/// One element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// The first identifier byte.
    pub(super) tag: u8,
    /// Start of its content.
    pub(super) start: usize,
    /// End of its content.
    pub(super) content_end: usize,
    /// Start of the next element.
    pub(super) end: usize,
    pub(super) indefinite: bool,
}

/// `1.2.840.113549.1.7.2`, RFC 5652 §5.1.
const SIGNED_DATA: &[u8] = &[0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02];

/// Returns whether bytes begin as a `ContentInfo` with signed data does (RFC 5652 §3).
pub(super) fn is_signed_data(octets: &[u8]) -> bool {
    octets.first() == Some(&0x30)
        && header(octets, 0)
            .and_then(|header| octets.get(header.start..))
            .is_some_and(|content| content.starts_with(SIGNED_DATA))
}

/// The signed data in an EF.SOD of a passport, which has it under `[APPLICATION 23]` (ICAO Doc 9303-10 §4.6.2).
pub(super) fn wrapped_signed_data(octets: &[u8]) -> Option<Element> {
    let outer = element(octets, 0, octets.len()).filter(|outer| outer.tag == 0x77)?;
    let content = octets.get(outer.start..outer.content_end)?;
    is_signed_data(content).then_some(outer)
}

struct Header {
    tag: u8,
    start: usize,
    /// None for the indefinite form.
    len: Option<usize>,
}

fn header(octets: &[u8], at: usize) -> Option<Header> {
    let tag = *octets.get(at)?;
    let mut start = at + 1;
    if tag & 0x1F == 0x1F {
        // A tag number of more octets; five are more than any that is in use.
        while octets.get(start)? & 0x80 != 0 {
            start += 1;
            if start > at + 6 {
                return None;
            }
        }
        start += 1;
    }
    let first = *octets.get(start)?;
    start += 1;
    let len = match first {
        0x80 => None,
        0xFF => return None,
        0x81..=0xFE => {
            let count = usize::from(first & 0x7F);
            let digits = octets.get(start..start.checked_add(count)?)?;
            start += count;
            let mut len = 0usize;
            for digit in digits {
                len = len.checked_mul(256)?.checked_add(usize::from(*digit))?;
            }
            Some(len)
        }
        short => Some(usize::from(short)),
    };
    Some(Header { tag, start, len })
}

/// The element at a place, which ends at `limit` at the latest.
pub(super) fn element(octets: &[u8], at: usize, limit: usize) -> Option<Element> {
    let octets = octets.get(..limit)?;
    let Header { tag, start, len } = header(octets, at)?;
    if let Some(len) = len {
        let end = start.checked_add(len).filter(|end| *end <= limit)?;
        return Some(Element { tag, start, content_end: end, end, indefinite: false });
    }
    if tag & 0x20 == 0 {
        return None;
    }
    // One octet pair ends one indefinite length; what has a definite one is passed as a whole.
    let mut open = 1u32;
    let mut at = start;
    loop {
        if octets.get(at..)?.starts_with(&[0, 0]) {
            open -= 1;
            if open == 0 {
                return Some(Element { tag, start, content_end: at, end: at + 2, indefinite: true });
            }
            at += 2;
            continue;
        }
        let inner = header(octets, at)?;
        match inner.len {
            Some(len) => at = inner.start.checked_add(len).filter(|end| *end <= limit)?,
            None if inner.tag & 0x20 == 0 => return None,
            None => {
                open = open.checked_add(1)?;
                at = inner.start;
            }
        }
    }
}

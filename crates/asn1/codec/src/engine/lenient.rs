//! Lenient parsing of identifier and length bytes in malformed input.
//!
//! Nothing is rejected. Impossible lengths are truncated to the enclosing element, so that elements next to an error are
//! still found.

use crate::head::{Identifier, Length, identifier, length};
use crate::tag::Tag;

/// One element, as far as it can be determined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    /// The start of the identifier.
    pub(crate) start: usize,
    /// The tag. `None` if the identifier is truncated.
    pub(crate) tag: Option<Tag>,
    /// The start of the content.
    pub(crate) content: usize,
    /// The end of the content.
    pub(crate) content_end: usize,
    /// The end of the element, including any end-of-contents bytes.
    pub(crate) end: usize,
    /// True if the identifier and length are cut off by the end of the enclosing element.
    pub(crate) cut: bool,
}

/// Reads elements from one input, with a limit on the total work.
#[derive(Debug)]
pub(crate) struct Lenient<'i> {
    input: &'i [u8],
    /// Remaining number of headers to read. The limit prevents quadratic time on nested indefinite lengths.
    fuel: usize,
}

/// A length. Lengths that no input can have are replaced by the maximum.
enum Extent {
    Definite(usize),
    Indefinite,
}

impl<'i> Lenient<'i> {
    /// The number of headers to read per input byte. Finding the end of an indefinite-length element requires a walk over it, once
    /// for each enclosing indefinite length. Real input has only a handful of these.
    const FUEL_PER_OCTET: usize = 16;

    pub(crate) fn new(input: &'i [u8]) -> Self {
        Self { input, fuel: input.len().saturating_mul(Self::FUEL_PER_OCTET).saturating_add(64) }
    }

    pub(crate) fn octets(&self, start: usize, end: usize) -> &'i [u8] {
        self.input.get(start..end).unwrap_or_default()
    }

    /// Reads the element at `start` in a container that ends at `end`. Returns `None` if there is none, or if the work
    /// limit is reached. An indefinite-length element that extends beyond `reach` is not followed further.
    pub(crate) fn element(&mut self, start: usize, end: usize, reach: usize) -> Option<Element> {
        let (tag, content, length) = self.header(start, end)?;
        let Some(length) = length else {
            return Some(Element { start, tag, content: end, content_end: end, end, cut: true });
        };
        let (content_end, end) = match length {
            Extent::Definite(len) => {
                let end = content.saturating_add(len).min(end);
                (end, end)
            }
            Extent::Indefinite => self.end_of_contents(content, end, reach),
        };
        Some(Element { start, tag, content, content_end, end, cut: false })
    }

    /// Reads a header: the tag, the start of the content, and the length. The length is `None` if the header is cut off.
    fn header(&mut self, start: usize, end: usize) -> Option<(Option<Tag>, usize, Option<Extent>)> {
        let octets = self.octets(start, end);
        let Identifier { tag, size, .. } = identifier(octets)?;
        self.fuel = self.fuel.checked_sub(1)?;
        let Some(size) = size else { return Some((None, end, None)) };
        let at = start + size;
        let (size, length) = match length(self.octets(at, end)) {
            Length::Definite { len, size, .. } => (size, Extent::Definite(usize::try_from(len).unwrap_or(usize::MAX))),
            Length::Indefinite => (1, Extent::Indefinite),
            // Whatever it was meant to be, nothing after it can be made out.
            Length::Reserved => (1, Extent::Definite(usize::MAX)),
            Length::Cut(_) => return Some((Some(tag), end, None)),
        };
        Some((Some(tag), at + size, Some(length)))
    }

    /// Finds the end of an indefinite-length element's content, and the end of the element.
    fn end_of_contents(&mut self, content: usize, end: usize, reach: usize) -> (usize, usize) {
        let mut open = 1usize;
        let mut pos = content;
        while pos <= reach {
            if self.octets(pos, end).starts_with(&[0, 0]) {
                open -= 1;
                if open == 0 {
                    return (pos, pos + 2);
                }
                pos += 2;
                continue;
            }
            match self.header(pos, end) {
                Some((_, content, Some(Extent::Indefinite))) => {
                    open += 1;
                    pos = content;
                }
                Some((_, content, Some(Extent::Definite(len)))) => pos = content.saturating_add(len).min(end),
                _ => break,
            }
        }
        (end, end)
    }
}

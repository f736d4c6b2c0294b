//! Source texts, and positions in them.

use std::sync::{Arc, OnceLock};

/// A source text with its name.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    /// The offsets of all lines except the first, computed on first use.
    lines: Arc<OnceLock<Vec<usize>>>,
}

impl Source {
    /// Creates a source from text.
    ///
    /// ```
    /// use tagwise_schema::Source;
    /// let source = Source::new("m.asn1", "M DEFINITIONS ::= BEGIN\nEND\n");
    /// assert_eq!((source.name(), source.position(24)), ("m.asn1", (2, 1)));
    /// ```
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.into(), text: text.into(), lines: Arc::default() }
    }

    /// Creates a source from bytes: UTF-8, or ISO 8859-1 as in some old modules.
    #[must_use]
    pub fn from_bytes(name: &str, octets: &[u8]) -> Self {
        let text: Arc<str> = match std::str::from_utf8(octets) {
            Ok(text) => text.into(),
            Err(_) => octets.iter().map(|octet| char::from(*octet)).collect::<String>().into(),
        };
        Self { name: name.into(), text, lines: Arc::default() }
    }

    /// Returns the name, usually a path.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the source text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the line and column (in characters) of a byte offset, both from 1.
    #[must_use]
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        let lines = self.lines.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, octet)| *octet == b'\n');
            breaks.map(|(at, _)| at + 1).collect()
        });
        let line = lines.partition_point(|start| *start <= before.len());
        let start = line.checked_sub(1).and_then(|line| lines.get(line)).copied().unwrap_or(0);
        (line + 1, before.get(start..).unwrap_or_default().chars().count() + 1)
    }

    /// Returns the line that contains a byte offset, without its line break, and the offset at which the line starts.
    #[must_use]
    pub fn line_at(&self, offset: usize) -> (usize, &str) {
        let offset = offset.min(self.text.len());
        let start = self.text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let line = self.text.get(start..).unwrap_or_default();
        (start, line.split(['\n', '\r']).next().unwrap_or_default())
    }

    /// Returns the text of a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// A source span: a file, and the byte range `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The index of the file among the sources.
    pub file: u32,
    /// The offset of the first byte.
    pub start: u32,
    /// The end of the range, exclusive.
    pub end: u32,
}

impl Span {
    /// Returns the span from the start of this one to the end of another in the same file.
    #[must_use]
    pub const fn to(self, end: Self) -> Self {
        let last = if end.end > self.start { end.end } else { self.end };
        Self { file: self.file, start: self.start, end: last }
    }
}

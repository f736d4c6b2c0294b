//! Positions: byte offsets here, and lines with columns in UTF-8 or UTF-16 units in the protocol.

use serde_json::{Value, json};
use tagwise_schema::{Source, Span};

/// The unit of columns, which client and server agree on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, the protocol's default.
    #[default]
    Utf16,
}

impl Encoding {
    /// Returns the encoding's name in the protocol.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }

    fn width(self, char: char) -> usize {
        match self {
            Self::Utf8 => char.len_utf8(),
            Self::Utf16 => char.len_utf16(),
        }
    }
}

/// The start of each line of a text.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    pub(crate) fn new(text: &str, encoding: Encoding) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        // A line ends with LF, CR LF or CR.
        starts.extend((1..=bytes.len()).filter(|end| match bytes.get(end - 1) {
            Some(b'\n') => true,
            Some(b'\r') => bytes.get(*end) != Some(&b'\n'),
            _ => false,
        }));
        Self { starts, encoding }
    }

    /// Returns the line and column of a byte offset, both from 0.
    pub(crate) fn position(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = text.get(start..offset).unwrap_or_default();
        (line, before.chars().map(|char| self.encoding.width(char)).sum())
    }

    /// Returns the byte offset of a line and column. A column beyond the line's end is its end.
    pub(crate) fn offset(&self, text: &str, line: usize, column: usize) -> usize {
        let Some(start) = self.starts.get(line).copied() else { return text.len() };
        let rest = text.get(start..).unwrap_or_default();
        let mut units = 0;
        for (at, char) in rest.char_indices() {
            if units >= column || matches!(char, '\n' | '\r') {
                return start + at;
            }
            units += self.encoding.width(char);
        }
        text.len()
    }

    /// Returns a span as the protocol's range.
    pub(crate) fn range(&self, source: &Source, span: Span) -> Value {
        let end = |offset: u32| {
            let (line, character) = self.position(source.text(), offset as usize);
            json!({ "line": line, "character": character })
        };
        json!({ "start": end(span.start), "end": end(span.end) })
    }

    /// Returns the byte offset of a position of the protocol.
    pub(crate) fn of(&self, text: &str, position: &Value) -> Option<usize> {
        let number = |name: &str| position.get(name)?.as_u64().and_then(|number| usize::try_from(number).ok());
        Some(self.offset(text, number("line")?, number("character")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_the_agreed_units() {
        let text = "a\u{e4}\u{1F600}b\r\nc\rd";
        for (encoding, columns) in [(Encoding::Utf8, [0, 1, 3, 7]), (Encoding::Utf16, [0, 1, 2, 4])] {
            let lines = Lines::new(text, encoding);
            for ((offset, _), column) in text.char_indices().zip(columns) {
                assert_eq!(lines.position(text, offset), (0, column), "{encoding:?}");
                assert_eq!(lines.offset(text, 0, column), offset, "{encoding:?}");
            }
            assert_eq!(lines.offset(text, 0, 99), text.find('\r').unwrap());
            assert_eq!(lines.position(text, text.find('c').unwrap()), (1, 0));
            assert_eq!(lines.position(text, text.find('d').unwrap()), (2, 0));
            assert_eq!(lines.offset(text, 9, 0), text.len());
        }
    }
}

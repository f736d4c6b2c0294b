//! Text errors with their position.

use core::fmt;

use alloc::string::String;

/// The kind of error in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A character or word that does not begin a token.
    Token,
    /// A word that is not part of the language.
    Word,
    /// No `{` after `indefinite` or `long-form:N`.
    Brace,
    /// An unclosed `{`. Position: the `{`.
    UnclosedBrace,
    /// An unmatched `}`.
    UnopenedBrace,
    /// An unterminated literal. Position: its start.
    UnclosedLiteral,
    /// An unknown escape in a string.
    Escape,
    /// Too few hexadecimal digits in an escape.
    EscapeDigit,
    /// An invalid character in a hexadecimal literal.
    HexDigit,
    /// An odd number of hexadecimal digits.
    HexPair,
    /// A character other than 0, 1 and a single bar in a bit literal.
    Bit,
    /// Unused bits beyond the last used byte.
    UnusedBits,
    /// Invalid UTF-8 in a UTF-16 or UTF-32 literal.
    Utf8,
    /// A code point above U+10FFFF in a UTF-16 literal.
    CodePoint,
    /// A malformed number.
    Number,
    /// A number with too many digits.
    LongNumber,
    /// An object identifier with invalid first arcs.
    Arcs,
    /// A malformed tag: it must consist of a class, a number or type, and a form.
    Tag,
    /// An unclosed `[` of a tag. Position: the `[`.
    UnclosedTag,
    /// A byte count after `long-form:` that is not 1 to 126.
    LongForm,
    /// A number or length that does not fit in the bytes of `long-form:`.
    LongFormTooShort,
    /// The output exceeds the budget.
    Output,
}

impl Reason {
    /// A short description of the error, or of what was expected.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Token => "expected a type, a tag, a literal, a number or a brace",
            Self::Word => "expected the name of a type, TRUE, FALSE, indefinite or long-form:N",
            Self::Brace => "expected a '{'",
            Self::UnclosedBrace => "unterminated '{'",
            Self::UnopenedBrace => "unexpected '}'",
            Self::UnclosedLiteral => "unterminated literal",
            Self::Escape => r#"expected one of the escapes \\ \" \n \x00 (in u"…" and U"…" also \u0000 \U00000000)"#,
            Self::EscapeDigit => "expected a hexadecimal digit of an escape",
            Self::HexDigit => "expected a hexadecimal digit or '`'",
            Self::HexPair => "expected a second hexadecimal digit: each byte requires two",
            Self::Bit => "expected 0, 1, one '|' or '`'",
            Self::UnusedBits => "too many bits after '|': they must fit into the last byte",
            Self::Utf8 => "expected UTF-8: only \"…\" can contain other bytes",
            Self::CodePoint => "expected a code point of at most 10ffff",
            Self::Number => "expected an integer such as -129, or an object identifier such as 2.5.4.3",
            Self::LongNumber => "expected a number of at most 4096 digits; hexadecimal can be longer",
            Self::Arcs => "expected an object identifier that begins with 0.0 to 0.39, 1.0 to 1.39, or 2.0 or higher",
            Self::Tag => "expected a tag such as [0], [0 PRIMITIVE], [APPLICATION 1] or [long-form:2 INTEGER]",
            Self::UnclosedTag => "unterminated '['",
            Self::LongForm => "expected a number of bytes from 1 to 126 after 'long-form:'",
            Self::LongFormTooShort => "expected a larger number after 'long-form:': the length does not fit",
            Self::Output => "the number of bytes exceeds the budget",
        }
    }
}

/// An error in a text, with its line and column.
///
/// ```
/// use tagwise_notation::{Reason, parse};
/// let error = parse("SEQUENCE {\n  INTEGRE { 5 }\n}\n").unwrap_err();
/// assert_eq!((error.reason(), error.line(), error.column()), (Reason::Word, 2, 3));
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 3: expected the name of a type, TRUE, FALSE, indefinite or long-form:N; \
///      found 'INTEGRE' (did you mean INTEGER?)"
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    pub(crate) reason: Reason,
    pub(crate) offset: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) found: String,
    pub(crate) nearest: Option<&'static str>,
}

impl Error {
    /// Returns the kind of error, such as an unclosed brace.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the byte offset of the error in the text.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the line number, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Returns the text at that position, shortened and with invisible characters escaped. Empty at the end of the text, or if
    /// the reason already includes the text.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason.text())?;
        if !self.found.is_empty() {
            write!(f, "; found '{}'", self.found)?;
        }
        if let Some(nearest) = self.nearest {
            write!(f, " (did you mean {nearest}?)")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl core::error::Error for Error {}

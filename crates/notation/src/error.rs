//! Errors in a text, with their places.

use core::fmt;

use alloc::string::String;

/// Reason of an error: what was expected, or what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A character or word that begins no token.
    Token,
    /// A word that is no type and nothing else.
    Word,
    /// A `{` has to follow `indefinite` or `long-form:N`.
    Brace,
    /// A `{` without its `}`; the position is that of the `{`.
    UnclosedBrace,
    /// A `}` without its `{`.
    UnopenedBrace,
    /// A literal without its end; the position is where it begins.
    UnclosedLiteral,
    /// Another escape than a string has.
    Escape,
    /// Fewer hexadecimal digits than the escape has.
    EscapeDigit,
    /// Something else than a hexadecimal digit in a literal in hexadecimal.
    HexDigit,
    /// A hexadecimal digit without a second one.
    HexPair,
    /// Something else than 0, 1 and one bar in a bit literal.
    Bit,
    /// Unused bits beyond the octet of the last bit that is used.
    UnusedBits,
    /// Something else than UTF-8 in a literal of UTF-16 or UTF-32.
    Utf8,
    /// A code above 10FFFF in a literal of UTF-16.
    CodePoint,
    /// A number that is malformed.
    Number,
    /// A number of more digits than are read.
    LongNumber,
    /// Arcs that no object identifier begins with.
    Arcs,
    /// Something else than class, number or type, and form in a tag.
    Tag,
    /// A tag without its `]`; the position is that of the `[`.
    UnclosedTag,
    /// A count of octets in `long-form:` that is no number from 1 to 126.
    LongForm,
    /// A number or length that needs more octets than `long-form:` says.
    LongFormTooShort,
    /// The octets are more than the budget allows.
    Output,
}

impl Reason {
    /// Description of what would have been right, or of the fault, as a clause.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Token => "expected a type, a tag, a literal, a number or a brace",
            Self::Word => "expected the name of a type, TRUE, FALSE, indefinite or long-form:N",
            Self::Brace => "expected a '{'",
            Self::UnclosedBrace => "this '{' has no '}'",
            Self::UnopenedBrace => "this '}' has no '{'",
            Self::UnclosedLiteral => "this literal has no end",
            Self::Escape => r#"expected one of the escapes \\ \" \n \x00 (in u"…" and U"…" also \u0000 \U00000000)"#,
            Self::EscapeDigit => "expected a hexadecimal digit of an escape",
            Self::HexDigit => "expected a hexadecimal digit or '`'",
            Self::HexPair => "expected a second hexadecimal digit: two make a byte",
            Self::Bit => "expected 0, 1, one '|' or '`'",
            Self::UnusedBits => "the bits behind '|' go beyond the byte of the last bit before it",
            Self::Utf8 => "expected UTF-8: only \"…\" holds other bytes",
            Self::CodePoint => "expected a code of at most 10ffff",
            Self::Number => "expected an integer such as -129, or an object identifier such as 2.5.4.3",
            Self::LongNumber => "expected a number of at most 4096 digits; hexadecimal can be longer",
            Self::Arcs => "expected an object identifier that begins with 0.0 to 0.39, 1.0 to 1.39 or 2.0 and up",
            Self::Tag => "expected a tag such as [0], [0 PRIMITIVE], [APPLICATION 1] or [long-form:2 INTEGER]",
            Self::UnclosedTag => "this '[' has no ']'",
            Self::LongForm => "expected a number of bytes from 1 to 126 behind 'long-form:'",
            Self::LongFormTooShort => "expected a larger number behind 'long-form:': so many bytes are too few",
            Self::Output => "there are more bytes than the budget allows",
        }
    }
}

/// Reason why a text could not be read, with line and column.
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
    /// Reason of the error.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Byte offset in the text.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Line, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Column in characters, from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Text at that place, shortened, with invisible characters escaped; empty at the end of the text and where the
    /// reason has it.
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

//! Errors with path, offset and clause.

use std::fmt;

/// An error in an encoding, or in a value to encode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The path of the component. Empty for the outermost value.
    pub path: String,
    /// The offset in the input, in bytes. `None` for errors in values to encode.
    pub offset: Option<usize>,
    /// The error.
    pub kind: Kind,
}

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The input ends within a value.
    Truncated,
    /// Data follows the value, or the value in an open type or string.
    TrailingData,
    /// A form that CANONICAL-OER does not allow, with its clause in X.696.
    NotCanonical(&'static str),
    /// Unused bits are not zero, or their number is invalid.
    UnusedBits,
    /// A length or count exceeds 64 bits, or is invalid.
    Length,
    /// A tag that no alternative of a CHOICE has.
    NoAlternative,
    /// The extension bit of a SEQUENCE is set, but no addition is present, or its presence bitmap is empty.
    Additions,
    /// The content of a value is invalid, with the codec's message.
    Content(String),
    /// The value violates a constraint, or does not match its type, with the codec's message.
    Value(String),
    /// The type is not supported, with its name.
    Unsupported(&'static str),
    /// Nesting exceeds the budget.
    Depth,
    /// The number of elements exceeds the budget.
    Elements,
    /// The output exceeds the budget.
    Output,
    /// The schema does not define a type that it refers to.
    Schema,
}

impl Kind {
    /// The clause of X.696, if the error is a violation of one.
    #[must_use]
    pub const fn clause(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotCanonical(clause) => clause,
            Self::UnusedBits => "13",
            Self::Length => "8.6",
            Self::NoAlternative => "20",
            Self::Additions => "16.4",
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the input ends within a value",
            Self::TrailingData => "data follows the value",
            Self::NotCanonical(_) => "the encoding is not canonical",
            Self::UnusedBits => "unused bits are not zero, or their number is invalid",
            Self::Length => "invalid length",
            Self::NoAlternative => "the CHOICE has no alternative with this tag",
            Self::Additions => "no extension addition is present after the extension bit",
            Self::Content(message) | Self::Value(message) => message,
            Self::Unsupported(what) => return write!(f, "the Octet Encoding Rules are not supported for {what}"),
            Self::Depth => "nesting depth exceeds the budget",
            Self::Elements => "the number of elements exceeds the budget",
            Self::Output => "the output exceeds the budget",
            Self::Schema => "the schema does not define a type",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{}", self.kind)?;
        if let Some(offset) = self.offset {
            write!(f, ", at byte {offset}")?;
        }
        match self.kind.clause() {
            Some(clause) => write!(f, " (X.696 §{clause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

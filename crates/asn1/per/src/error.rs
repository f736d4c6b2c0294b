//! Errors with path, bit and clause.

use std::fmt;

use crate::rules::Rule;

/// An error in an encoding, or in a value to encode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The path of the component: `criticalExtensions.c1[2]`. Empty for the outermost value.
    pub path: String,
    /// The offset in the input, in bits. `None` for errors in values to encode.
    pub bit: Option<u64>,
    /// The error.
    pub kind: Kind,
}

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The input ends within a value.
    Truncated,
    /// A rule is violated that can be tolerated.
    Rule(Rule),
    /// A number or an index is outside the range that its bits could express (§11.5).
    Range,
    /// A length exceeds the effective size constraint.
    Size,
    /// A length determinant has an invalid form (§11.9).
    Length,
    /// A character is outside the effective permitted alphabet (§30.5).
    Alphabet,
    /// The content of a value is invalid, with the codec's message.
    Content(String),
    /// The value violates a constraint, or does not match its type, with the codec's message.
    Value(String),
    /// The type is not supported, with its name.
    Unsupported(&'static str),
    /// An extension is unknown where none can be preserved.
    UnknownItem,
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
    /// The clause of X.691, if the error is a violation of one.
    #[must_use]
    pub const fn clause(&self) -> Option<&'static str> {
        Some(match self {
            Self::Rule(rule) => rule.clause(),
            Self::Range => "11.5",
            Self::Size | Self::Length => "11.9",
            Self::Alphabet => "30.5",
            Self::UnknownItem => "14",
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the input ends within a value",
            Self::Rule(rule) => rule.text(),
            Self::Range => "a number or index is outside its range",
            Self::Size => "the size is outside the size constraint",
            Self::Length => "invalid length determinant",
            Self::Alphabet => "a character is outside the permitted alphabet",
            Self::Content(message) | Self::Value(message) => message,
            Self::Unsupported(what) => return write!(f, "encoding rules without tags are not supported for {what}"),
            Self::UnknownItem => "the ENUMERATED has no item with this number",
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
        match (self.bit, self.kind.clause()) {
            (Some(bit), Some(clause)) => write!(f, ", at bit {bit} (X.691 §{clause})"),
            (Some(bit), None) => write!(f, ", at bit {bit}"),
            (None, Some(clause)) => write!(f, " (X.691 §{clause})"),
            (None, None) => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub enum Step<'s> {
    /// A component or an alternative.
    Name(&'s str),
    /// An element of a list.
    Item(usize),
}

/// Formats a path.
#[must_use]
pub fn path(steps: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Name(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Step::Item(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

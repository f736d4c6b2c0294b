//! Errors with path, position and clause, for all encoding rules without tags.

use std::fmt;

use tagwise_codec::FaultKind;

use crate::rules::Rule;

/// A standard of encoding rules without tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standard {
    /// The Packed Encoding Rules, X.691.
    Per,
    /// The Octet Encoding Rules, X.696.
    Oer,
}

/// An error in an encoding, or in a value to encode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The standard of the encoding rules.
    pub standard: Standard,
    /// The path of the component: `criticalExtensions.c1[2]`. Empty for the outermost value.
    pub path: String,
    /// The offset in the input, in bits. `None` for errors in values to encode.
    pub bit: Option<u64>,
    /// The error.
    pub kind: Kind,
    /// The value or size that was found and what is allowed, such as `the value is 300; allowed 0..255`, where this is known. Generated
    /// code does not set it.
    pub limit: Option<String>,
    /// The rule of the constraint, if [`Options`](tagwise_codec::Options) that allow it accept the value.
    pub allowance: Option<&'static tagwise_codec::Rule>,
}

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The input ends within a value.
    Truncated,
    /// A rule is violated that can be tolerated.
    Rule(Rule),
    /// The number of unused bits is invalid (OER).
    UnusedBits,
    /// A tag that no alternative of a CHOICE has (OER).
    NoAlternative,
    /// The presence bitmap of extension additions has no bits, or an invalid number of unused bits (OER).
    Additions,
    /// A number or an index is outside the range that its bits could express.
    Range,
    /// A length exceeds the effective size constraint.
    Size,
    /// A length determinant has an invalid form.
    Length,
    /// An open type field has no contents, although each encoding has at least one byte (PER).
    EmptyOpenType,
    /// A character is outside the effective permitted alphabet.
    Alphabet,
    /// The content of a value is invalid, or the value violates a constraint.
    Value(FaultKind),
    /// A value to encode does not match its type, with the reason.
    Mismatch(&'static str),
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
    /// Returns whether a budget or an implementation limit was exceeded. The input may be valid.
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        match self {
            Self::Depth | Self::Elements | Self::Output => true,
            Self::Value(fault) => fault.is_limit(),
            _ => false,
        }
    }

    /// The stable code, in kebab case. Those of [`FaultKind`] are the same as for the other encoding rules.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Rule(rule) => rule.name(),
            Self::UnusedBits => "unused-bits",
            Self::NoAlternative => "no-alternative",
            Self::Additions => "additions",
            Self::Range => "range",
            Self::Size => "size",
            Self::Length => "length",
            Self::EmptyOpenType => "open-type-empty",
            Self::Alphabet => "alphabet",
            Self::Value(fault) => fault.code(),
            Self::Mismatch(_) => "mismatch",
            Self::Unsupported(_) => "unsupported",
            Self::UnknownItem => "enumerated-unknown",
            Self::Depth => "depth-exceeded",
            Self::Elements => "elements-exceeded",
            Self::Output => "output-exceeded",
            Self::Schema => "schema",
        }
    }

    /// The clause of a standard, if the error is a violation of one.
    #[must_use]
    pub const fn clause(&self, standard: Standard) -> Option<&'static str> {
        Some(match (self, standard) {
            (Self::Rule(rule), _) => rule.clause(),
            (Self::Value(fault), _) => fault.clause(),
            (Self::Range, Standard::Per) => "X.691 §11.5",
            (Self::Size, _) => FaultKind::Size.clause(),
            (Self::Length, Standard::Per) => "X.691 §11.9",
            (Self::EmptyOpenType, Standard::Per) => "X.691 §11.2.1",
            (Self::Alphabet, Standard::Per) => "X.691 §30.5",
            (Self::UnknownItem, Standard::Per) => "X.691 §14",
            (Self::UnusedBits, _) => "X.696 §13",
            (Self::Length, Standard::Oer) => "X.696 §8.6",
            (Self::NoAlternative, _) => "X.696 §20",
            (Self::Additions, _) => "X.696 §16.4",
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the input ends within a value",
            Self::Rule(rule) => rule.text(),
            Self::UnusedBits => "the number of unused bits is invalid",
            Self::NoAlternative => "the CHOICE has no alternative with this tag",
            Self::Additions => "the presence bitmap of extension additions is invalid",
            Self::Range => "a number or index is outside its range",
            Self::Size => "the size is outside the size constraint",
            Self::Length => "invalid length determinant",
            Self::EmptyOpenType => "an open type is empty, expected at least one byte",
            Self::Alphabet => "a character is outside the permitted alphabet",
            Self::Value(fault) => fault.text(),
            Self::Mismatch(reason) => reason,
            Self::Unsupported(what) => return write!(f, "encoding rules without tags are not supported for {what}"),
            Self::UnknownItem => "the ENUMERATED has no item with this number",
            Self::Depth => "nesting depth exceeds the budget",
            Self::Elements => "the number of elements exceeds the budget",
            Self::Output => "the output exceeds the budget",
            Self::Schema => "the schema does not define a type",
        })
    }
}

impl Error {
    /// The message, without path, offset and clause.
    #[must_use]
    pub fn message(&self) -> String {
        self.limit.clone().unwrap_or_else(|| self.kind.to_string())
    }

    /// The clause of the standard, if the error is a violation of one.
    #[must_use]
    pub const fn clause(&self) -> Option<&'static str> {
        self.kind.clause(self.standard)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message())?;
        match (self.bit, self.standard) {
            (Some(bit), Standard::Per) => write!(f, ", at bit {bit}")?,
            (Some(bit), Standard::Oer) => write!(f, ", at byte {}", bit / 8)?,
            (None, _) => {}
        }
        match self.clause() {
            Some(clause) => write!(f, " ({clause})"),
            None => Ok(()),
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

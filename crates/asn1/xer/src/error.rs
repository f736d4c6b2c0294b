//! Errors with path, offset and clause.

use std::fmt;

use tagwise_codec::FaultKind;

use crate::rules::Rule;

/// An error in an encoding, or in a value to encode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The path of the component. Empty for the outermost value.
    pub path: String,
    /// The offset in the input, in bytes. `None` for errors in values to encode.
    pub offset: Option<usize>,
    /// The error.
    pub kind: Kind,
    /// The value or size that violates a constraint and what is allowed, such as `the value is 300; allowed 0..255`, where this is
    /// known.
    pub limit: Option<String>,
}

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The input is not well-formed XML, or not in UTF-8.
    Xml(String),
    /// A rule is violated that can be tolerated.
    Rule(Rule),
    /// An element or text is unexpected, or missing.
    Structure(String),
    /// The content of a value is invalid.
    Content(String),
    /// The value violates a constraint, or does not match its type.
    Value(FaultKind),
    /// A value or an encoding instruction that is not supported.
    Unsupported(String),
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
            Self::Xml(_) => "xml",
            Self::Rule(rule) => rule.name(),
            Self::Structure(_) => "structure",
            Self::Content(_) => "content",
            Self::Value(fault) => fault.code(),
            Self::Unsupported(_) => "unsupported",
            Self::Depth => "depth-exceeded",
            Self::Elements => "elements-exceeded",
            Self::Output => "output-exceeded",
            Self::Schema => "schema",
        }
    }

    /// The clause of a standard, if the error is a violation of one.
    #[must_use]
    pub const fn clause(&self) -> Option<&'static str> {
        match self {
            Self::Rule(rule) => Some(rule.clause()),
            Self::Value(fault) => Some(fault.clause()),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Xml(message) => return write!(f, "not well-formed XML: {message}"),
            Self::Rule(rule) => rule.text(),
            Self::Structure(message) | Self::Content(message) => message,
            Self::Value(fault) => fault.text(),
            Self::Unsupported(what) => return write!(f, "not supported under these encoding rules: {what}"),
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
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message())?;
        if let Some(offset) = self.offset {
            write!(f, ", at byte {offset}")?;
        }
        match self.kind {
            Kind::Rule(rule) => write!(f, " ({})", rule.clause()),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

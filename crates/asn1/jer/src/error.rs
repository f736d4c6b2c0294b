//! Errors in JSON input.

use std::fmt;

use tagwise_codec::text::visible;
use tagwise_codec::{EncodeError, Fault, FaultKind};

/// An error in JSON input, with the path at which it occurred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The path in the JSON: `$.tbsCertificate.extensions[2]`.
    pub path: String,
    /// The error message.
    pub message: String,
    /// True if a budget was exceeded. The input may be valid.
    pub is_limit: bool,
}

impl Error {
    pub(crate) fn new(path: &Path<'_>, message: impl Into<String>) -> Self {
        Self { path: path.to_string(), message: message.into(), is_limit: false }
    }

    pub(crate) fn fault(path: &Path<'_>, kind: FaultKind) -> Self {
        Self { is_limit: kind.is_limit(), ..Self::new(path, kind.text()) }
    }

    pub(crate) fn content(path: &Path<'_>, fault: Fault) -> Self {
        Self::fault(path, fault.kind())
    }

    pub(crate) fn encoding(error: &EncodeError) -> Self {
        let path = error.path();
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        let path = format!("${dot}{path}");
        let message = error.limit().unwrap_or(error.kind().text()).to_owned();
        Self { path, message, is_limit: error.kind().is_limit() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", visible(&self.path), visible(&self.message))
    }
}

impl std::error::Error for Error {}

/// The path of the reader's position, as steps on its stack.
#[derive(Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Member(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The steps from the inside out; their number is bounded by the depth budget.
        let mut steps = Vec::new();
        let mut next = self;
        loop {
            match next {
                Self::Root => break,
                Self::Member(outer, name) => {
                    steps.push(format!(".{name}"));
                    next = outer;
                }
                Self::Item(outer, index) => {
                    steps.push(format!("[{index}]"));
                    next = outer;
                }
            }
        }
        f.write_str("$")?;
        steps.iter().rev().try_for_each(|step| f.write_str(step))
    }
}

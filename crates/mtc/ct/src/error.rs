//! Errors. A log without an answer differs from a log with violated guarantees.

use core::fmt;

/// The reason why a log could not be read, or its answer cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The log did not answer, with the reason from the callback.
    Unreachable(String),
    /// The answer or a saved state is malformed.
    Malformed(String),
    /// The log violates its guarantees: a signature, proof, leaf or tree head is wrong.
    Violation(String),
    /// The backend does not support the log's key.
    Unsupported(String),
    /// A saved state belongs to another log, or an entry does not exist.
    State(String),
    /// The tree does not contain the entry, perhaps not yet.
    Missing(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(text)
            | Self::Malformed(text)
            | Self::Violation(text)
            | Self::Unsupported(text)
            | Self::State(text)
            | Self::Missing(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    pub(crate) fn malformed(what: &str) -> impl Fn(&dyn fmt::Display) -> Self {
        move |why| Self::Malformed(format!("{what}: {why}"))
    }
}

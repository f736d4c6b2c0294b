//! The error type of the PEM reader.

use core::fmt;

use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::rule::Rule;

/// A PEM error: its kind, offset, line, and the rule that would tolerate it.
///
/// ```
/// use tagwise_codec::pem;
/// let text = b"-----BEGIN A-----\nAgEF\n-----END B-----\n";
/// let error = pem::blocks(text).next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "the labels of the PEM boundary lines differ, at byte 32, line 3 (RFC 7468 §2)");
/// assert_eq!(error.rule().unwrap().name, "pem-label-mismatch");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    fault: Fault,
    line: usize,
    rule: Option<&'static Rule>,
}

impl Error {
    pub(super) const fn new(kind: FaultKind, offset: usize, line: usize, rule: Option<&'static Rule>) -> Self {
        Self { fault: Fault::new(kind, offset), line, rule }
    }

    /// Returns the kind of PEM error.
    #[must_use]
    pub const fn kind(&self) -> FaultKind {
        self.fault.kind()
    }

    /// Returns the byte offset of the error in the input.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.fault.offset()
    }

    /// Returns the line number, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the stable code of the kind.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.kind().code()
    }

    /// Returns the rule that would tolerate this error, if any.
    #[must_use]
    pub const fn rule(&self) -> Option<&'static Rule> {
        self.rule
    }

    /// Returns the kind and offset in one word.
    #[must_use]
    pub const fn fault(&self) -> Fault {
        self.fault
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        write!(f, "{}, at byte {}, line {} ({})", kind.text(), self.offset(), self.line, kind.clause())
    }
}

impl core::error::Error for Error {}

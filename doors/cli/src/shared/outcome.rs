//! The outcome of a command that reads many files.

use std::io;

use crate::shared::output::reason;
use crate::shared::trust::Answer;

/// The result of processing files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// True if an input was malformed, or contained nothing to show.
    pub negative: bool,
    /// True if a file could not be read.
    pub unreadable: bool,
    /// True if no verdict was possible, because a limit was exceeded or revocation evidence was missing.
    pub undecided: bool,
}

impl Outcome {
    /// Records the verdict on a server.
    pub(crate) fn add(&mut self, answer: Answer) {
        match answer {
            Answer::Valid => {}
            Answer::Undecided => self.undecided = true,
            Answer::Invalid => self.negative = true,
        }
    }

    /// Returns the exit code.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self { unreadable: true, .. } => 3,
            Self { negative: true, .. } => 1,
            Self { undecided: true, .. } => 4,
            _ => 0,
        }
    }
}

/// Returns the reason why a file could not be read.
pub(crate) fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {}", reason(error))
}

//! Errors.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::policy::PolicyError;

/// A setup error.
#[derive(Debug)]
#[non_exhaustive]
pub enum SetupError {
    /// Files exist that a setup did not create, or that were modified.
    Conflict(Vec<PathBuf>),
    /// A file could not be read or written.
    Io(PathBuf, io::Error),
    /// A program is not installed. Contains its name and the package that provides it.
    Missing(&'static str, &'static str),
    /// A program failed. Contains its name and output.
    Program(&'static str, String),
    /// The policy is invalid.
    Policy(PolicyError),
    /// Another error.
    Other(String),
}

impl SetupError {
    /// Converts an I/O error for a file, for use with `map_err`.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |error| Self::Io(path.to_owned(), error)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(paths) => {
                f.write_str("these files already exist and would be lost; nothing was changed:")?;
                paths.iter().try_for_each(|path| write!(f, "\n  {}", path.display()))
            }
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Missing(program, package) => {
                write!(f, "{program} is not installed (Debian: apt-get install {package})")
            }
            Self::Program(program, said) => write!(f, "{program} failed: {}", said.trim_end()),
            Self::Policy(error) => error.fmt(f),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for SetupError {}

impl From<PolicyError> for SetupError {
    fn from(error: PolicyError) -> Self {
        Self::Policy(error)
    }
}

//! Build errors.

use core::fmt;

use tagwise_codec::{EncodeError, Error};

use super::SigningError;
use tagwise_lint::Finding;

/// The reason why a value cannot be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// A value cannot be encoded in DER.
    Encode(EncodeError),
    /// The encoding violates a rule. The error's path identifies the component, and its offset refers to the unsigned encoding.
    Decode(Error),
    /// The encoding has error-level lint findings.
    Lints(Vec<Finding>),
    /// A duplicate extension (RFC 5280 §4.2). Contains its OID in dotted-decimal form.
    Twice(String),
    /// A duplicate attribute (RFC 5652 §5.3). Contains the attribute type as a dotted-decimal OID.
    TwiceAttribute(String),
    /// The input is invalid. Contains the reason and the violated clause.
    Invalid {
        /// The reason why the input is invalid.
        what: &'static str,
        /// The violated standard and section.
        clause: &'static str,
    },
    /// The key failed to sign. Contains its error.
    Signing(SigningError),
    /// The system's random number generator failed.
    Random(getrandom::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encode(error) => error.fmt(f),
            Self::Decode(error) => error.fmt(f),
            Self::Lints(findings) => {
                for (index, finding) in findings.iter().enumerate() {
                    let comma = if index > 0 { "; " } else { "" };
                    write!(f, "{comma}{} ({}, {})", finding.lint.title, finding.lint.clause, finding.lint.id)?;
                }
                Ok(())
            }
            Self::Twice(id) => write!(f, "duplicate extension {id} (RFC 5280 §4.2)"),
            Self::TwiceAttribute(id) => write!(f, "duplicate attribute {id} (RFC 5652 §5.3)"),
            Self::Invalid { what, clause } => write!(f, "{what} ({clause})"),
            Self::Signing(error) => error.fmt(f),
            Self::Random(error) => write!(f, "the system's random number generator failed: {error}"),
        }
    }
}

impl core::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Signing(error) => error.source(),
            _ => None,
        }
    }
}

/// Returns [`BuildError::Invalid`] unless a condition holds.
pub(super) const fn demand(holds: bool, what: &'static str, clause: &'static str) -> Result<(), BuildError> {
    if holds { Ok(()) } else { Err(BuildError::Invalid { what, clause }) }
}

impl From<EncodeError> for BuildError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl From<Error> for BuildError {
    fn from(error: Error) -> Self {
        Self::Decode(error)
    }
}

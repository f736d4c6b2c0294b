//! Errors of rows, which the `error` column contains, and errors of whole calls.

use core::fmt;

use arrow_schema::{ArrowError, DataType};
use tagwise_codec::pem::PemError;
use tagwise_codec::{Error, Fault};

/// The error of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    pub(crate) path: String,
    pub(crate) offset: Option<usize>,
    pub(crate) clause: &'static str,
    pub(crate) rule: Option<&'static str>,
    pub(crate) message: String,
}

impl Failure {
    /// The error of a text with more than one PEM block of the kind.
    pub(crate) fn second_block() -> Self {
        Self {
            code: "trailing-data",
            path: String::new(),
            offset: None,
            clause: "RFC 7468 §2",
            rule: None,
            message: "several PEM blocks, expected one".to_owned(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            code: error.code(),
            path: error.path().to_owned(),
            offset: Some(error.offset()),
            clause: error.clause(),
            rule: error.rule().map(|rule| rule.name),
            message: error.to_string(),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self {
            code: fault.kind().code(),
            path: String::new(),
            offset: Some(fault.offset()),
            clause: fault.kind().clause(),
            rule: None,
            message: fault.to_string(),
        }
    }
}

impl From<PemError> for Failure {
    fn from(error: PemError) -> Self {
        let message = error.to_string();
        match error {
            PemError::Value(error) => error.into(),
            PemError::Pem(error) => Self {
                code: error.code(),
                path: String::new(),
                offset: Some(error.offset()),
                clause: error.kind().clause(),
                rule: error.rule().map(|rule| rule.name),
                message,
            },
            _ => Self { code: "label", path: String::new(), offset: None, clause: "RFC 7468 §4", rule: None, message },
        }
    }
}

/// An error that concerns a whole call. Malformed rows are not errors of the call: the `error` column describes them.
#[derive(Debug)]
#[non_exhaustive]
pub enum ColumnsError {
    /// There is no column with this name.
    UnknownColumn {
        /// The requested name.
        name: String,
        /// The names of all columns.
        known: Vec<&'static str>,
    },
    /// The same column was requested more than once.
    Duplicate(String),
    /// The input column has a type other than binary or text.
    InputType(DataType),
    /// The output column does not fit its 32-bit offsets.
    TooLarge(&'static str),
    /// Arrow reported an error.
    Arrow(ArrowError),
}

impl fmt::Display for ColumnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownColumn { name, known } => {
                write!(f, "unknown column {name:?}, expected one of {}", known.join(", "))
            }
            Self::Duplicate(name) => write!(f, "duplicate column {name:?}"),
            Self::InputType(found) => {
                write!(f, "unsupported type of the input column: {found}, expected binary or text")
            }
            Self::TooLarge(name) => {
                write!(f, "column {name} is too large: more than 2 GiB in one batch, expected smaller batches")
            }
            Self::Arrow(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ColumnsError {}

impl From<ArrowError> for ColumnsError {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

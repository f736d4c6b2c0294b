//! Conversion of message errors to Python exceptions.

use std::error::Error as Cause;
use std::io;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use tagwise::crypto::cms::CmsError;
use tagwise::crypto::tsp::TspError;
use tagwise::crypto::{Error, ErrorKind};
use tagwise::pkix::build::{BuildError, ProtectError};
use tagwise::pkix::cms::ReadError;
use tagwise::pkix::pkcs12::OpenError;

use crate::errors;

static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Creates a `MessageError` with a code, a text and a clause.
fn message(py: Python<'_>, code: &str, text: String, clause: &str) -> PyErr {
    placed(py, code, text, clause, ("", None))
}

/// Creates the exception for malformed data other than ASN.1: a keytab or a credential cache.
pub(crate) fn malformed(py: Python<'_>, text: String, offset: Option<usize>) -> PyErr {
    placed(py, "malformed", text, "", ("", offset.map(|offset| offset as u64)))
}

/// Creates a `MessageError` with the path and byte offset of the error.
fn placed(py: Python<'_>, code: &str, text: String, clause: &str, (path, offset): (&str, Option<u64>)) -> PyErr {
    let class = CLASS
        .get_or_try_init(py, || PyResult::Ok(py.import("tagwise._errors")?.getattr("MessageError")?.unbind()))
        .and_then(|class| class.bind(py).call1((text.clone(), code, path, offset, clause, text)));
    match class {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Returns the stable code of a cryptographic error.
pub(crate) const fn code(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::NotOffered => "not-offered",
        ErrorKind::Legacy => "legacy",
        ErrorKind::Parameters => "parameters",
        ErrorKind::WrongKey => "wrong-key",
        ErrorKind::MalformedKey => "malformed-key",
        ErrorKind::Inconsistent => "inconsistent",
        ErrorKind::KeySize => "key-size",
        ErrorKind::PasswordNeeded => "password-needed",
        ErrorKind::Signature => "signature",
        ErrorKind::Integrity => "integrity",
        ErrorKind::Length => "length",
        ErrorKind::Limit => "limit",
        ErrorKind::Mismatch => "mismatch",
        _ => "failed",
    }
}

/// Returns the exception that a Python file object raised, or creates one for another I/O error.
fn of_io(error: io::Error) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(error) => error,
        Err(error) => error.into(),
    }
}

pub(crate) fn crypto(py: Python<'_>, error: &Error) -> PyErr {
    caused(py, message(py, code(error.kind()), error.to_string(), ""), error)
}

/// Sets an exception's cause to the one that a Python function raised. An exception that ends the program, such as KeyboardInterrupt, is
/// returned itself.
fn caused(py: Python<'_>, made: PyErr, error: &(dyn Cause + 'static)) -> PyErr {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(raised) = error.downcast_ref::<PyErr>() {
            if !raised.is_instance_of::<PyException>(py) {
                return raised.clone_ref(py);
            }
            made.set_cause(py, Some(raised.clone_ref(py)));
            break;
        }
        next = error.source();
    }
    made
}

/// Returns the clause of the standard that does not permit building something.
fn clause_of(error: &BuildError) -> &'static str {
    match error {
        BuildError::Encode(error) => error.kind().clause(),
        BuildError::Decode(error) => error.clause(),
        BuildError::Invalid { clause, .. } => clause,
        BuildError::Twice(_) => "RFC 5280 §4.2",
        BuildError::TwiceAttribute(_) => "RFC 5652 §5.3",
        _ => "",
    }
}

/// Returns the code and the clause of an error.
pub(super) fn kind(error: &CmsError) -> (&'static str, &'static str) {
    match error {
        CmsError::Read(ReadError::Part { error, .. }) | CmsError::Malformed { error, .. } => {
            (error.code(), error.clause())
        }
        CmsError::Read(ReadError::TooLarge { .. }) | CmsError::Limit { .. } => ("limit", ""),
        CmsError::Read(ReadError::Stream(error)) => (error.code(), error.clause()),
        CmsError::Read(_) => ("malformed", "RFC 5652"),
        CmsError::Invalid { clause, .. } => ("invalid", clause),
        CmsError::Ambiguous => ("invalid", "RFC 5652 §6.2.1"),
        CmsError::Build(error) => ("build", clause_of(error)),
        CmsError::Io(_) => ("io", ""),
        CmsError::Crypto(error) => (code(error.kind()), ""),
        CmsError::Digest => ("digest", "RFC 5652 §5.6"),
        CmsError::NotDer => ("signature", "RFC 5652 §5.4"),
        CmsError::NoCertificate => ("no-certificate", "RFC 5652 §5.3"),
        CmsError::NoRecipient => ("no-recipient", "RFC 5652 §6.2"),
        CmsError::NoContent => ("no-content", "RFC 5652 §5.2"),
        _ => ("failed", ""),
    }
}

/// The names of parts that denote the entire input.
const WHOLE: [&str; 4] = ["PFX", "the message", "the response", "the request"];

/// The exception for a part that is malformed. The byte offset is included only if it refers to the given input, not to a part of it.
fn malformed_part(py: Python<'_>, part: &str, error: &tagwise::codec::Error) -> PyErr {
    match WHOLE.contains(&part) {
        true => errors::decoding(py, error),
        false => {
            let text = format!("{part}: {}", in_part(error));
            placed(py, error.code(), text, error.clause(), (error.path(), None))
        }
    }
}

/// Returns an error's text without its location.
fn in_part(error: &tagwise::codec::Error) -> String {
    let (path, colon) = (error.path(), if error.path().is_empty() { "" } else { ": " });
    format!("{path}{colon}{} ({})", error.message(), error.clause())
}

/// Returns the path and byte offset in the message to which an error refers.
fn place(error: &CmsError) -> (&str, Option<u64>) {
    match error {
        CmsError::Read(ReadError::Part { error, offset }) => {
            (error.path(), Some(offset.saturating_add(error.offset() as u64)))
        }
        CmsError::Read(ReadError::Stream(error)) => (error.path(), Some(error.offset())),
        CmsError::Read(ReadError::Unexpected { offset, .. } | ReadError::TooLarge { offset }) => ("", Some(*offset)),
        _ => ("", None),
    }
}

pub(super) fn cms(py: Python<'_>, error: CmsError) -> PyErr {
    match error {
        CmsError::Io(error) | CmsError::Read(ReadError::Io(error)) => of_io(error),
        CmsError::Malformed { part, error } => malformed_part(py, part, &error),
        CmsError::Read(ReadError::Stream(error)) if error.as_io().is_some() => of_io(error.into()),
        other => {
            let (code, clause) = kind(&other);
            caused(py, placed(py, code, other.to_string(), clause, place(&other)), &other)
        }
    }
}

pub(super) fn tsp(py: Python<'_>, error: TspError) -> PyErr {
    let text = error.to_string();
    match error {
        TspError::Cms(error) => cms(py, error),
        TspError::Refused { .. } => message(py, "refused", text, "RFC 3161 §2.4.2"),
        TspError::Imprint => message(py, "imprint", text, "RFC 3161 §2.2"),
        TspError::Answer(_) => message(py, "answer", text, "RFC 3161 §2.2"),
        _ => message(py, "failed", text, ""),
    }
}

pub(super) fn store(py: Python<'_>, error: &OpenError<Error>) -> PyErr {
    let text = error.to_string();
    match error {
        OpenError::Malformed { part, error } => malformed_part(py, part, error),
        OpenError::Mac | OpenError::Plaintext { .. } => message(py, "integrity", text, "RFC 7292 §5.2"),
        OpenError::Cost(_) => message(py, "limit", text, ""),
        OpenError::Protection { error, .. } => message(py, code(error.kind()), text, ""),
        _ => message(py, "failed", text, ""),
    }
}

/// Creates the exception for a message or file that cannot be built.
pub(super) fn build(py: Python<'_>, error: &BuildError) -> PyErr {
    message(py, "build", error.to_string(), clause_of(error))
}

/// Creates the exception for a file that cannot be built or protected.
pub(super) fn protect(py: Python<'_>, error: &ProtectError<Error>) -> PyErr {
    match error {
        ProtectError::Build(error) => build(py, error),
        ProtectError::Protection(error) => crypto(py, error),
        other => message(py, "build", other.to_string(), ""),
    }
}

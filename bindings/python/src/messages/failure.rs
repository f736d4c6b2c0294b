//! Errors of messages as Python's exceptions.

use std::io;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use tagwise::crypto::cms::CmsError;
use tagwise::crypto::tsp::TspError;
use tagwise::crypto::{Error, ErrorKind};
use tagwise::pkix::cms::ReadError;
use tagwise::pkix::pkcs12::OpenError;

use crate::errors;

static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// A `MessageError`: code, text, clause.
fn message(py: Python<'_>, code: &str, text: String, clause: &str) -> PyErr {
    placed(py, code, text, clause, None)
}

/// The exception for something malformed that is not ASN.1: a keytab, a credential cache.
pub(crate) fn malformed(py: Python<'_>, text: String, offset: Option<usize>) -> PyErr {
    placed(py, "malformed", text, "", offset)
}

fn placed(py: Python<'_>, code: &str, text: String, clause: &str, offset: Option<usize>) -> PyErr {
    let class = CLASS
        .get_or_try_init(py, || PyResult::Ok(py.import("tagwise._errors")?.getattr("MessageError")?.unbind()))
        .and_then(|class| class.bind(py).call1((text.clone(), code, "", offset, clause, text)));
    match class {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The stable code of an error of cryptography.
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
        ErrorKind::Signature => "signature",
        ErrorKind::Integrity => "integrity",
        ErrorKind::Length => "length",
        ErrorKind::Limit => "limit",
        ErrorKind::Mismatch => "mismatch",
        _ => "failed",
    }
}

/// The exception that a file object of Python's raised, or one for another error of input and output.
fn of_io(error: io::Error) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(error) => error,
        Err(error) => error.into(),
    }
}

pub(crate) fn crypto(py: Python<'_>, error: &Error) -> PyErr {
    message(py, code(error.kind()), error.to_string(), "")
}

/// The code and the clause of an error.
pub(super) fn kind(error: &CmsError) -> (&'static str, &'static str) {
    match error {
        CmsError::Read(ReadError::Part { error, .. }) | CmsError::Malformed { error, .. } => {
            (error.code(), error.clause())
        }
        CmsError::Read(ReadError::TooLarge { .. }) | CmsError::Limit { .. } => ("limit", ""),
        CmsError::Read(ReadError::Stream(error)) => (error.code(), error.clause()),
        CmsError::Read(_) => ("malformed", "RFC 5652"),
        CmsError::Invalid { clause, .. } => ("invalid", clause),
        CmsError::Build(_) => ("build", ""),
        CmsError::Io(_) => ("io", ""),
        CmsError::Crypto(error) => (code(error.kind()), ""),
        CmsError::Digest => ("digest", "RFC 5652 §5.6"),
        CmsError::NoCertificate => ("no-certificate", "RFC 5652 §5.3"),
        CmsError::NoRecipient => ("no-recipient", "RFC 5652 §6.2"),
        CmsError::NoContent => ("no-content", "RFC 5652 §5.2"),
        _ => ("failed", ""),
    }
}

pub(super) fn cms(py: Python<'_>, error: CmsError) -> PyErr {
    match error {
        CmsError::Io(error) | CmsError::Read(ReadError::Io(error)) => of_io(error),
        CmsError::Malformed { error, .. } => errors::decoding(py, &error),
        CmsError::Read(ReadError::Stream(error)) if error.as_io().is_some() => of_io(error.into()),
        other => {
            let (code, clause) = kind(&other);
            message(py, code, other.to_string(), clause)
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
        OpenError::Malformed { error, .. } => errors::decoding(py, error),
        OpenError::Mac | OpenError::Plaintext { .. } => message(py, "integrity", text, "RFC 7292 §5.2"),
        OpenError::Cost(_) => message(py, "limit", text, ""),
        OpenError::Protection { error, .. } => message(py, code(error.kind()), text, ""),
        _ => message(py, "failed", text, ""),
    }
}

/// Something that cannot be built.
pub(super) fn build(py: Python<'_>, text: String) -> PyErr {
    message(py, "build", text, "")
}

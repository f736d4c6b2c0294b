//! Errors of the codec as Python's exceptions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use tagwise::codec::table::Type;
use tagwise::codec::{EncodeError, Error, path_at, pem};

static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    let class =
        CLASS.get_or_try_init(py, || PyResult::Ok(py.import("tagwise._errors")?.getattr("Asn1Error")?.unbind()))?;
    Ok(class.bind(py))
}

/// The exception for an error in an input, with its path and place.
pub(crate) fn decoding(py: Python<'_>, error: &Error) -> PyErr {
    made(
        py,
        (error.to_string(), error.code(), error.path(), error.offset(), error.clause(), error.message().to_string()),
    )
}

/// The exception for an error in a part of an input, which starts at `base` of the whole: the whole's type and bytes.
pub(crate) fn moved(py: Python<'_>, error: &Error, base: usize, whole: (&'static Type, &[u8])) -> PyErr {
    let offset = base.saturating_add(error.offset());
    let path = path_at(whole.0, whole.1, offset);
    let reason = error.message().to_string();
    let text = format!("{path}: {reason}, at byte {offset} ({})", error.clause());
    made(py, (text, error.code(), path, offset, error.clause(), reason))
}

/// The exception for an error in a text of PEM, whose path is its line.
pub(crate) fn text(py: Python<'_>, error: &pem::Error) -> PyErr {
    let (fault, path) = (error.fault(), format!("line {}", error.line()));
    let clause = fault.kind().clause();
    made(py, (error.to_string(), error.code(), path, error.offset(), clause, fault.kind().text()))
}

/// The exception for a value that cannot be encoded.
pub(crate) fn encoding(py: Python<'_>, error: &EncodeError) -> PyErr {
    made(
        py,
        (
            error.to_string(),
            error.kind().code(),
            error.path(),
            None::<usize>,
            error.kind().clause(),
            error.kind().text(),
        ),
    )
}

fn made<'py>(py: Python<'py>, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    match class(py).and_then(|class| class.call1(arguments)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The exception for a version that something does not have.
pub(crate) fn version(py: Python<'_>, message: &str, number: u8) -> PyErr {
    let class = py.import("tagwise.x509.base").and_then(|base| base.getattr("InvalidVersion"));
    match class.and_then(|class| class.call1((message, number))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// An argument that cannot be used.
pub(crate) fn argument(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

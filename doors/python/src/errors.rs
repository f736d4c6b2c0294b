//! Conversion of codec errors to Python exceptions.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use tagwise::codec::stream::{Event, NamedEvents, Rules, Settings};
use tagwise::codec::table::{Type, Typed};
use tagwise::codec::value::Dynamic;
use tagwise::codec::{Decode, EncodeError, Error, FaultKind, Options, path_at, pem, stream};
use tagwise::tables::untagged;

use crate::part::part;

static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    let class =
        CLASS.get_or_try_init(py, || PyResult::Ok(py.import("tagwise._errors")?.getattr("Asn1Error")?.unbind()))?;
    Ok(class.bind(py))
}

/// Creates the exception for an error in an input, with its path and offset.
pub(crate) fn decoding(py: Python<'_>, error: &Error) -> PyErr {
    made(
        py,
        (error.to_string(), error.code(), error.path(), error.offset(), error.clause(), error.message().to_string()),
    )
}

/// Like `decoding`, with the name of the type at the error's path.
pub(crate) fn decoding_as(py: Python<'_>, error: &Error, dynamic: &Dynamic<'_>, input: &[u8]) -> PyErr {
    let path = error.path();
    let ty = match part(dynamic.types(), dynamic.ty(), path) {
        Some(part) => part.ty.name.to_string(),
        None => met(dynamic, input, error).unwrap_or_default(),
    };
    let place = (error.to_string(), error.code(), path, error.offset());
    made(py, (place.0, place.1, place.2, place.3, error.clause(), error.message().to_string(), ty))
}

/// Creates the exception for an unknown name.
pub(crate) fn unknown(error: impl std::fmt::Display) -> PyErr {
    pyo3::exceptions::PyKeyError::new_err(error.to_string())
}

/// Creates the exception for an error under encoding rules without tags. Its offset is that of the byte with the faulty bit.
pub(crate) fn untagged(py: Python<'_>, error: &untagged::Error, dynamic: Option<&Dynamic<'_>>) -> PyErr {
    let ty = dynamic.and_then(|dynamic| part(dynamic.types(), dynamic.ty(), error.path()));
    let ty = ty.map(|part| part.ty.name.to_string()).unwrap_or_default();
    let (text, path, reason) = (error.to_string(), error.path(), error.message());
    let offset = error.bit().map(|bit| bit / 8);
    made(py, (text, error.code(), path, offset, error.clause().unwrap_or_default(), reason, ty, error.bit()))
}

/// Returns the name of the type at an error's location in an input, for paths through open types.
fn met(dynamic: &Dynamic<'_>, input: &[u8], error: &Error) -> Option<String> {
    let settings = Settings::new(Rules::Ber).order(0);
    let mut events = NamedEvents::with(input, settings, dynamic.ty());
    if let Some(schema) = dynamic.types().schema() {
        events = events.schema(schema);
    }
    let mut found = None;
    while let Ok(Some((event, place))) = events.next() {
        let Event::Start(start) = event else { continue };
        if start.offset > error.offset() as u64 {
            break;
        }
        if place.path == error.path() {
            found = place.ty.map(|ty| ty.name.to_string()).or(found);
        }
    }
    found
}

/// Creates the exception for an error in a stream, or returns the one that a Python file object raised.
pub(crate) fn streaming(py: Python<'_>, error: &stream::Error) -> PyErr {
    if let Some(error) = error.as_io() {
        let raised = error.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>());
        return match raised {
            Some(raised) => raised.clone_ref(py),
            None => pyo3::exceptions::PyOSError::new_err(error.to_string()),
        };
    }
    let reason = error.message().to_string();
    made(py, (error.to_string(), error.code(), error.path(), error.offset(), error.clause(), reason))
}

/// Creates the exception for an error in an item of a stream, with the item's offset and path.
pub(crate) fn inside(py: Python<'_>, error: &Error, base: u64, path: &str) -> PyErr {
    let offset = base.saturating_add(error.offset() as u64);
    let inner = error.path();
    let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
    let (path, reason) = ([path, dot, inner].concat(), error.message().to_string());
    let text = format!("{path}: {reason}, at byte {offset} ({})", error.clause());
    made(py, (text, error.code(), path, offset, error.clause(), reason))
}

/// Creates the exception for the content of a primitive value in a stream, at an absolute offset.
pub(crate) fn leaf(py: Python<'_>, kind: FaultKind, offset: u64, path: &str) -> PyErr {
    let colon = if path.is_empty() { "" } else { ": " };
    let text = format!("{path}{colon}{}, at byte {offset} ({})", kind.text(), kind.clause());
    made(py, (text, kind.code(), path, offset, kind.clause(), kind.text()))
}

/// Adds the location to an exception for a primitive value in a stream. Other exceptions are unchanged.
pub(crate) fn placed(py: Python<'_>, error: PyErr, offset: u64, path: &str) -> PyErr {
    let value = error.value(py);
    let known = class(py).and_then(|class| value.is_instance(class)).unwrap_or(false);
    let text = |name: &str| value.getattr(name).and_then(|text| text.extract::<String>()).unwrap_or_default();
    let (code, clause) = (text("code"), text("clause"));
    let reason = if known { text("reason") } else { value.to_string() };
    made(py, (format!("{path}: {reason}, at byte {offset}"), code, path, offset, clause, reason))
}

/// Creates the exception for an error in a part that was decoded separately. Its offset is relative to the enclosing value.
/// If decoding that value reports the same error, the path of that error is used. Otherwise, the path is determined from
/// the offset, which is imprecise at the end of a part: the next byte belongs to the following element.
pub(crate) fn in_whole<'a, T: Decode<'a> + Typed>(
    py: Python<'_>,
    error: &Error,
    whole: &'a [u8],
    options: &Options<'_>,
) -> PyErr {
    match options.decode::<T>(whole) {
        Err(full) if full.offset() == error.offset() && full.code() == error.code() => decoding(py, &full),
        _ => at(py, error, error.offset(), path_at(T::ty(), whole, error.offset())),
    }
}

/// Creates the exception for an error in a part that was decoded separately and starts at `base` in the enclosing value.
/// The path is the part's path, followed by the error's own path. The offset alone does not determine the path: if
/// something is missing at the end of an element, the next byte belongs to the following element.
pub(crate) fn moved_part(py: Python<'_>, error: &Error, base: usize, whole: (&'static Type, &[u8])) -> PyErr {
    let (outer, inner) = (path_at(whole.0, whole.1, base), error.path());
    let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
    at(py, error, base.saturating_add(error.offset()), [&outer, dot, inner].concat())
}

fn at(py: Python<'_>, error: &Error, offset: usize, path: String) -> PyErr {
    let reason = error.message().to_string();
    let text = format!("{path}: {reason}, at byte {offset} ({})", error.clause());
    made(py, (text, error.code(), path, offset, error.clause(), reason))
}

/// Creates the exception for an error in a PEM text. Its path is the line number.
pub(crate) fn text(py: Python<'_>, error: &pem::Error) -> PyErr {
    let (fault, path) = (error.fault(), format!("line {}", error.line()));
    let clause = fault.kind().clause();
    made(py, (error.to_string(), error.code(), path, error.offset(), clause, fault.kind().text()))
}

/// Creates the exception for text that is not valid JSON for a type (X.697), with the path in the JSON.
pub(crate) fn json(py: Python<'_>, error: &tagwise::jer::Error) -> PyErr {
    made(py, (error.to_string(), "json", error.path.as_str(), None::<u64>, "X.697", error.message.as_str()))
}

/// Creates the exception for a value that cannot be encoded.
pub(crate) fn encoding(py: Python<'_>, error: &EncodeError) -> PyErr {
    made(
        py,
        (
            error.to_string(),
            error.kind().code(),
            error.path(),
            None::<usize>,
            error.kind().clause(),
            error.limit().unwrap_or(error.kind().text()),
        ),
    )
}

fn made<'py>(py: Python<'py>, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    match class(py).and_then(|class| class.call1(arguments)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Adds the path of a part to an exception from encoding that part. Other exceptions are unchanged.
pub(crate) fn within(py: Python<'_>, error: PyErr, path: &str) -> PyErr {
    let value = error.value(py);
    if path.is_empty() {
        let is_plain = value.get_type().is(py.get_type::<PyValueError>());
        let reason = value.to_string();
        return if is_plain { made(py, (reason.clone(), "value", path, None::<u64>, "", reason)) } else { error };
    }
    let text = |name: &str| value.getattr(name).and_then(|text| text.extract::<String>()).unwrap_or_default();
    if value.get_type().is(py.get_type::<PyTypeError>()) {
        let error = PyTypeError::new_err(format!("{path}: {value}"));
        return match error.value(py).setattr("path", path) {
            Ok(()) => error,
            Err(failed) => failed,
        };
    }
    if class(py).is_ok_and(|class| value.get_type().is(class)) {
        let (inner, clause) = (text("path"), text("clause"));
        let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
        let offset = value.getattr("offset").and_then(|offset| offset.extract::<Option<u64>>()).unwrap_or_default();
        let (path, reason) = ([path, dot, &inner].concat(), text("reason"));
        let place = offset.map(|offset| format!(", at byte {offset} of it")).unwrap_or_default();
        return made(py, (format!("{path}: {reason}{place} ({clause})"), text("code"), path, offset, clause, reason));
    }
    if error.is_instance_of::<PyValueError>(py) {
        let reason = value.to_string();
        return made(py, (format!("{path}: {reason}"), "value", path, None::<u64>, "", reason));
    }
    error
}

/// Returns whether an exception is an error in an input.
pub(crate) fn is_decoding(py: Python<'_>, error: &PyErr) -> PyResult<bool> {
    error.value(py).is_instance(class(py)?)
}

/// Returns whether an exception means that a budget is exhausted.
pub(crate) fn is_exceeded(py: Python<'_>, error: &PyErr) -> bool {
    let code = error.value(py).getattr("code").and_then(|code| code.extract::<String>());
    is_decoding(py, error).unwrap_or(false) && code.is_ok_and(|code| code.ends_with("-exceeded"))
}

/// Creates the exception for an invalid version.
pub(crate) fn version(py: Python<'_>, message: &str, number: u8) -> PyErr {
    let class = py.import("tagwise.x509.base").and_then(|base| base.getattr("InvalidVersion"));
    match class.and_then(|class| class.call1((message, number))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Creates the exception for an invalid argument.
pub(crate) fn argument(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

//! Conversion of Kerberos errors to Python exceptions.

use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use tagwise::krb5::cache::CacheError;
use tagwise::krb5::client::ClientError;
use tagwise::krb5::{EnvironmentError, FileError};

use crate::errors;
use crate::messages::failure;

pub(super) use crate::messages::failure::crypto;

/// Creates the exception for malformed data other than ASN.1, with its offset.
pub(super) fn file(py: Python<'_>, error: &FileError) -> PyErr {
    failure::malformed(py, error.to_string(), Some(error.offset()))
}

/// Creates the exception for an unusable credential cache.
pub(super) fn cache(py: Python<'_>, error: CacheError) -> PyErr {
    let text = error.to_string();
    match error {
        CacheError::Missing(_) => PyFileNotFoundError::new_err(text),
        CacheError::Malformed(_, error) => failure::malformed(py, text, Some(error.offset())),
        CacheError::Name(_) | CacheError::NotCache(_) => errors::argument(text),
        CacheError::System(_, error) => match error.raw_os_error() {
            Some(number) => PyOSError::new_err((number, text)),
            None => PyOSError::new_err(text),
        },
        _ => PyOSError::new_err(text),
    }
}

static REFUSED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static UNREACHED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn made<'py>(
    py: Python<'py>,
    class: &PyOnceLock<Py<PyAny>>,
    name: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    let class = class.get_or_try_init(py, || PyResult::Ok(py.import("tagwise._errors")?.getattr(name)?.unbind()));
    match class.and_then(|class| class.bind(py).call1(arguments)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Creates a `KerberosError` from a message, a KDC or server error code, its name and the server's e-text.
pub(super) fn kerberos(py: Python<'_>, text: String, code: Option<i32>, name: &str, e_text: Option<&str>) -> PyErr {
    made(py, &REFUSED, "KerberosError", (text, code, name, e_text))
}

/// Creates the exception for a failed exchange: a KDC's rejection with its code, or another failure with its own name.
pub(super) fn client(py: Python<'_>, error: ClientError) -> PyErr {
    let text = error.to_string();
    let name = match &error {
        ClientError::Kdc(said) => return kerberos(py, text, Some(said.code), said.name(), said.text.as_deref()),
        ClientError::Network(_) => {
            return made(py, &UNREACHED, "KerberosConnectionError", (text, None::<i32>, "network", None::<&str>));
        }
        // The path and the byte are those of the cause.
        ClientError::Decode(error) => {
            let made = kerberos(py, text, None, "malformed", None);
            made.set_cause(py, Some(errors::decoding(py, error)));
            return made;
        }
        ClientError::Login(_) | ClientError::Time => return errors::argument(text),
        ClientError::Crypto(error) => failure::code(error.kind()),
        ClientError::KdcCertificate(_) | ClientError::KdcValue(_) | ClientError::Cms(_) => "kdc-certificate",
        ClientError::NoPreauth(_) => "no-preauthentication",
        ClientError::Reply(..) => "reply",
        ClientError::TooManySteps => "too-many-steps",
        _ => "failed",
    };
    kerberos(py, text, None, name, None)
}

/// Creates the exception for an unusable configuration.
pub(super) fn environment(error: EnvironmentError) -> PyErr {
    let text = error.to_string();
    match error {
        EnvironmentError::File(_, error) => match error.raw_os_error() {
            Some(number) => PyOSError::new_err((number, text)),
            None => PyOSError::new_err(text),
        },
        _ => errors::argument(text),
    }
}

//! Principals.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use tagwise::krb5::Principal as Inner;

use crate::errors;

/// A name in a realm: `alice@KRB.TEST`, `host/www.test@KRB.TEST`.
///
/// Components are separated by slashes. A backslash escapes the next character. Names are equal regardless of their type.
///
/// >>> from tagwise.krb5 import Principal
/// >>> web = Principal("HTTP/www.test@KRB.TEST")
/// >>> web.components, web.realm
/// (['HTTP', 'www.test'], 'KRB.TEST')
/// >>> str(Principal("alice", realm="KRB.TEST"))
/// 'alice@KRB.TEST'
#[pyclass(frozen, eq, module = "tagwise.krb5")]
#[derive(PartialEq, Eq)]
pub(super) struct Principal(pub(super) Inner);

/// Converts an argument to a principal: a principal, or its text. If the text names no realm, `realm` is used.
pub(super) fn principal(value: &Bound<'_, PyAny>, realm: Option<&str>) -> PyResult<Inner> {
    if let Ok(principal) = value.cast::<Principal>() {
        return Ok(principal.get().0.clone());
    }
    let text = value.cast::<PyString>()?.to_string();
    Inner::parse(&text, realm).map_err(|error| errors::argument(format!("{text}: {error}")))
}

#[pymethods]
impl Principal {
    #[new]
    #[pyo3(signature = (name, *, realm = None, enterprise = false))]
    fn new(name: &str, realm: Option<&str>, enterprise: bool) -> PyResult<Self> {
        let parsed = match enterprise {
            true => Inner::parse_enterprise(name, realm),
            false => Inner::parse(name, realm),
        };
        parsed.map(Self).map_err(|error| errors::argument(format!("{name}: {error}")))
    }

    /// The components of the name. Bytes that are not UTF-8 are replaced.
    #[getter]
    fn components(&self) -> Vec<String> {
        self.0.components().iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect()
    }

    /// The realm. Bytes that are not UTF-8 are replaced.
    #[getter]
    fn realm(&self) -> String {
        String::from_utf8_lossy(self.0.realm()).into_owned()
    }

    /// The number of the name type (RFC 4120 §6.2).
    #[getter]
    fn name_type(&self) -> i32 {
        self.0.name_type()
    }

    /// The default salt of the principal's keys (RFC 4120 §4), which a KDC can override.
    #[getter]
    fn salt<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.salt())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Principal({})", PyString::new(py, &self.0.to_string()).repr()?))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.realm(), self.0.components()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let bytes = |octets: &[u8]| PyBytes::new(py, octets);
        let components = self.0.components().into_iter().map(bytes).collect();
        let made = py.import("tagwise._native")?.getattr("krb5_principal")?;
        Ok((made, (self.0.name_type(), bytes(self.0.realm()), components)))
    }
}

/// The parts of a principal: name type number, realm, and components.
type Parts<'py> = (i32, Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>);

/// Creates a principal from its parts, for unpickling.
#[pyfunction]
fn krb5_principal(name_type: i32, realm: Vec<u8>, components: Vec<Vec<u8>>) -> Principal {
    Principal(Inner::new(name_type, realm, components))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Principal>()?;
    module.add_function(wrap_pyfunction!(krb5_principal, module)?)
}

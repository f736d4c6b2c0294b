//! Names: native objects, whose attributes the package creates on first access.
//!
//! A name is checked completely when it is read. Only a name in strict DER without unusual content defers its attributes.
//! Other names are created immediately by the general code, which reports errors.

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use tagwise::codec::{Decode as _, Tag};
use tagwise::pkix::Name as Parsed;

use crate::fields::Later;
use crate::{attribute, budget, text};

/// A name: its encoding if it was decoded, and its RDNs, created on demand.
#[pyclass(frozen, subclass, weakref, module = "tagwise.x509.name")]
pub(crate) struct Name {
    /// The encoding, which has been checked.
    der: Option<Box<[u8]>>,
    attributes: Later,
}

/// The universal tag numbers of the string types in attributes.
const TEXT: [u32; 8] = [12, 18, 19, 20, 22, 26, 28, 30];

/// Returns whether each RDN has a single attribute that is a string, with a length for which the package does not warn.
fn is_plain(name: &Parsed<'_>) -> bool {
    name.0.iter().all(|step| {
        let Ok(step) = step else { return false };
        let mut attributes = step.0.iter();
        let (Some(Ok(attribute)), None) = (attributes.next(), attributes.next()) else { return false };
        let tag = attribute.value.tag();
        let Some(text) = attribute.text() else { return false };
        attribute::is_in_bounds(attribute.attr_type, &text) && !tag.is_constructed() && TEXT.contains(&tag.number())
    })
}

impl Name {
    /// Converts a decoded name to a Python object, or returns `None` if the general code must create it. The attributes of a plain name
    /// are created on first access. The RDNs of other names are checked immediately.
    pub(crate) fn usual<'py>(py: Python<'py>, name: &Parsed<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Self::of_der(py, &crate::value::element(py, Tag::SEQUENCE, name.0.content().unwrap_or_default())?)
    }

    /// Like `usual`, but decodes the name first.
    pub(crate) fn of_der<'py>(py: Python<'py>, der: &[u8]) -> PyResult<Option<Bound<'py, PyAny>>> {
        if budget::is_limited() {
            return Ok(None);
        }
        if Parsed::from_der(der).is_ok_and(|name| is_plain(&name)) {
            let made = Self { der: Some(der.into()), attributes: Later::new() };
            return Ok(Some(Bound::new(py, made)?.into_any()));
        }
        let Some(steps) = attribute::steps(py, der)? else { return Ok(None) };
        Ok(Some(Bound::new(py, Self { der: None, attributes: Later::of(steps.into_any()) })?.into_any()))
    }
}

#[pymethods]
impl Name {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self { der: None, attributes: Later::new() }
    }

    /// The RDNs.
    #[getter]
    fn _attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.attributes.get_or_make(py, || {
            let Some(der) = &self.der else { return Err(PyAttributeError::new_err("_attributes")) };
            let steps = attribute::steps(py, der)?;
            Ok(steps.unwrap_or_else(|| PyList::empty(py)).into_any())
        })
    }

    #[setter(_attributes)]
    fn set_attributes(&self, value: Bound<'_, PyAny>) -> PyResult<()> {
        self.attributes.set(value, "the attributes of a name can only be set once")
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.attributes.traverse(&visit)
    }

    /// Returns the original encoding, unless the RDNs were accessed and may therefore have changed.
    #[getter]
    fn _untouched<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        match self.attributes.get() {
            None => self.der.as_deref().map(|der| PyBytes::new(py, der)),
            Some(_) => None,
        }
    }

    /// Returns the name in DER, or None if the general code must encode it.
    fn _encoded<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        match self.attributes.get() {
            None => Ok(self.der.as_deref().map(|der| PyBytes::new(py, der))),
            Some(steps) => attribute::encoded(steps.bind(py)),
        }
    }

    /// Returns the name as RFC 4514 text, or None if the general code must format it.
    fn _text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match self.attributes.get() {
            None => Ok(self.der.as_deref().and_then(text::of_der)),
            Some(steps) => text::of_steps(steps.bind(py)),
        }
    }
}

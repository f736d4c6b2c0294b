//! Lists of extensions: native objects, whose items are made when something looks at them for the first time.
//!
//! Every value is checked when the list is read, by the code that makes the objects later.

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::fields::{Later, record};
use crate::quick;

record! {
    /// An extension: its identifier, whether it is critical, and its value.
    Extension, "tagwise.x509.extensions", _oid set_oid as oid, _critical set_critical as critical, _value set_value as value
}

/// The values that were made while a list was checked, one for each item.
type Made = Vec<Option<Py<PyAny>>>;

/// The extensions of a certificate, a list, an entry, a request or a response.
#[pyclass(frozen, subclass, weakref, module = "tagwise.x509.extensions")]
pub(crate) struct Extensions {
    /// The content of the list, which was checked, and the values that were made while it was.
    read: Option<(Box<[u8]>, Made)>,
    items: Later,
}

impl Extensions {
    /// A list of items that were made.
    pub(crate) fn of(items: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
        let py = items.py();
        Ok(Bound::new(py, Self { read: None, items: Later::of(items) })?.into_any())
    }

    /// A list whose values were checked; some of them were made.
    pub(crate) fn read<'py>(py: Python<'py>, content: &[u8], made: Made) -> PyResult<Bound<'py, PyAny>> {
        let list = Self { read: Some((content.into(), made)), items: Later::new() };
        Ok(Bound::new(py, list)?.into_any())
    }
}

#[pymethods]
impl Extensions {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self { read: None, items: Later::new() }
    }

    /// The items.
    #[getter]
    fn _extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.items.get_or_make(py, || match &self.read {
            Some((content, made)) => quick::items(py, content, made),
            None => Err(PyAttributeError::new_err("_extensions")),
        })
    }

    #[setter(_extensions)]
    fn set_extensions(&self, value: Bound<'_, PyAny>) -> PyResult<()> {
        self.items.set(value, "the items of a list of extensions are set once")
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.read.iter().flat_map(|(_, made)| made).try_for_each(|value| visit.call(value))?;
        self.items.traverse(&visit)
    }
}

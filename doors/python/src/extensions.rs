//! Lists of extensions: native objects, whose items are made when something looks at them for the first time.
//!
//! Every value is checked when the list is read, by the code that makes the objects later.

use pyo3::exceptions::PyAttributeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::fields::{Later, record};
use crate::quick;

record! {
    /// An extension: its identifier, whether it is critical, and its value.
    Extension, "tagwise.x509.extensions", _oid set_oid as oid, _critical set_critical as critical, _value set_value;

    /// The value; raises the reason if it cannot be read.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.wrong(py)? {
            Some(error) => Err(raised(&error)?),
            None => self._value.get(py, "value"),
        }
    }

    /// The reason why the value cannot be read, or None.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.wrong(py)
    }

    /// The same with the bytes of the value.
    #[getter]
    fn _error<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyTuple>> {
        self._value.peek(py).and_then(|value| value.cast_into_exact::<Unread>().ok()).map(|unread| unread.get().0.bind(py).clone())
    }

    #[setter(_error)]
    fn set_error(&self, error: &Bound<'_, PyTuple>) -> PyResult<()> {
        let unread = Bound::new(error.py(), Unread(error.clone().unbind()))?;
        self._value.set(unread.into_any(), "_error")
    }
}

/// Placeholder of an unreadable value: the exception and the bytes.
#[pyclass(frozen, module = "tagwise._native")]
struct Unread(Py<PyTuple>);

#[pymethods]
impl Unread {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }
}

impl Extension {
    fn wrong<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self._error(py).map(|error| error.get_item(0)).transpose()
    }
}

/// An exception that may have been raised before, without the frames of that time.
fn raised(error: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = error.py();
    Ok(PyErr::from_value(error.call_method1(intern!(py, "with_traceback"), (py.None(),))?))
}

fn is_same(oid: &Bound<'_, PyAny>, extension: &Bound<'_, Extension>) -> bool {
    extension.get()._oid.get(oid.py(), "oid").and_then(|own| own.eq(oid)).unwrap_or(false)
}

/// An extension of its fields, which were checked.
#[pyfunction]
fn extension_of<'py>(
    py: Python<'py>,
    oid: Bound<'py, PyAny>,
    critical: Bound<'py, PyAny>,
    value: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    Extension::of(py, oid, critical, value)
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(extension_of, module)?)
}

/// The values that were made while a list was checked, one for each item.
type Made = Vec<Option<Py<PyAny>>>;

/// The extensions of a certificate, a list, an entry, a request or a response.
#[pyclass(frozen, subclass, weakref, module = "tagwise.x509.extensions")]
pub(crate) struct Extensions {
    /// The checked content of the list, and the values created during the check.
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

    /// The first item whose value is of a class; objects of the `known` classes are of no other one of them.
    fn _of_class<'py>(
        &self,
        py: Python<'py>,
        class: &Bound<'py, PyAny>,
        known: &Bound<'py, PyFrozenSet>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let is_known = known.contains(class)?;
        for item in self._extensions(py)?.try_iter()? {
            let item = item?;
            let value = match item.cast_exact::<Extension>() {
                Ok(extension) => match extension.get().wrong(py)? {
                    // It is the one if its identifier is that of the class.
                    Some(error)
                        if class.getattr_opt(intern!(py, "oid"))?.is_some_and(|oid| is_same(&oid, extension)) =>
                    {
                        return Err(raised(&error)?);
                    }
                    Some(_) => continue,
                    None => extension.get()._value.get(py, "value")?,
                },
                Err(_) => item.getattr(intern!(py, "value"))?,
            };
            let kind = value.get_type();
            // An abstract class takes longer to say so.
            if !kind.is(class) && is_known && known.contains(kind)? {
                continue;
            }
            if value.is_instance(class)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    #[setter(_extensions)]
    fn set_extensions(&self, value: Bound<'_, PyAny>) -> PyResult<()> {
        self.items.set(value, "the items of a list of extensions can only be set once")
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.read.iter().flat_map(|(_, made)| made).try_for_each(|value| visit.call(value))?;
        self.items.traverse(&visit)
    }
}

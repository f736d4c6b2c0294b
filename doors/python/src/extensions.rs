//! Lists of extensions: native objects, whose values are read when something looks at them for the first time.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFrozenSet, PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use tagwise::codec::Options;

use crate::extension::Frame;
use crate::fields::{Field, Later};
use crate::rows::{Row, Rows};
use crate::{budget, errors, input, objects};

/// What the extensions of a list have in common.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Context {
    place: u8,
    allow: Vec<String>,
    /// Tells the path of a byte of the whole that the list is in.
    path_at: Option<Py<PyAny>>,
}

#[pymethods]
impl Context {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.path_at)
    }
}

impl Context {
    pub(crate) fn new(place: u8, allow: Vec<String>, path_at: Option<Bound<'_, PyAny>>) -> Self {
        Self { place, allow, path_at: path_at.filter(|path_at| !path_at.is_none()).map(Bound::unbind) }
    }

    fn options(&self) -> PyResult<Options<'static>> {
        if self.allow.is_empty() { budget::under(Options::der()) } else { input::allowed(&self.allow) }
    }
}

/// The encoding of a value that is still to be read.
struct Unread {
    row: Option<&'static Row>,
    der: Py<PyBytes>,
    /// The place of the encoding in the whole.
    offset: usize,
    context: Py<Context>,
}

/// An extension: its identifier, whether it is critical, and its value.
#[pyclass(frozen, subclass, weakref, module = "tagwise.x509.extensions")]
#[derive(Default)]
pub(crate) struct Extension {
    oid: Field,
    critical: Field,
    value: Field,
    unread: Option<Unread>,
    /// The exception that the value raises, and the bytes of the value.
    failure: OnceLock<Py<PyTuple>>,
}

#[pymethods]
impl Extension {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self::default()
    }

    #[getter]
    fn oid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.oid.get(py, "oid")
    }

    #[getter]
    fn _oid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.oid.get(py, "_oid")
    }

    #[setter(_oid)]
    fn set_oid(&self, value: Bound<'_, PyAny>) -> PyResult<()> {
        self.oid.set(value, "_oid")
    }

    #[getter]
    fn critical<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.critical.get(py, "critical")
    }

    #[getter]
    fn _critical<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.critical.get(py, "_critical")
    }

    #[setter(_critical)]
    fn set_critical(&self, value: Bound<'_, PyAny>) -> PyResult<()> {
        self.critical.set(value, "_critical")
    }

    /// The value; raises the reason if it cannot be read.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.error(py)? {
            Some(error) => Err(raised(&error)?),
            None => self.value.get(py, "value"),
        }
    }

    #[getter]
    fn _value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py)
    }

    #[setter(_value)]
    fn set_value(&self, value: Bound<'_, PyAny>) -> PyResult<()> {
        self.value.set(value, "_value")
    }

    /// The reason why the value cannot be read, or None.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self._error(py)?.map(|failure| failure.get_item(0)).transpose()
    }

    /// The same with the bytes of the value.
    #[getter]
    fn _error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        if self.value.peek(py).is_none() && self.failure.get().is_none() {
            self.read(py)?;
        }
        Ok(self.failure.get().map(|failure| failure.bind(py).clone()))
    }

    #[setter(_error)]
    fn set_error(&self, failure: Bound<'_, PyTuple>) {
        // Of two threads that read the value, both have what the first read.
        let _ = self.failure.set(failure.unbind());
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        [&self.oid, &self.critical, &self.value].iter().try_for_each(|field| field.traverse(&visit))?;
        visit.call(self.unread.as_ref().map(|unread| &unread.context))?;
        visit.call(self.failure.get())
    }
}

impl Extension {
    /// Reads the value, or notes why it cannot be read. What only this moment explains is raised, and not noted: an exhausted budget, an
    /// interrupt.
    fn read(&self, py: Python<'_>) -> PyResult<()> {
        let Some(Unread { row, der, offset, context }) = &self.unread else { return Ok(()) };
        let (der, context) = (der.bind(py), context.get());
        match objects::extension(*row, &self.oid.get(py, "oid")?, der, context.options()?) {
            Ok(value) => {
                // As above.
                let _ = self.value.set(value, "value");
            }
            Err(error) if !error.is_instance_of::<PyException>(py) || errors::is_exceeded(py, &error) => {
                return Err(error);
            }
            Err(error) => {
                let is_placed = errors::is_decoding(py, &error)?;
                let mut error = error.into_value(py).into_bound(py).into_any();
                if let (true, Some(path_at)) = (is_placed, &context.path_at) {
                    error = error.call_method1(intern!(py, "moved"), (*offset, path_at, der.as_bytes().len()))?;
                }
                self.set_error((raised(&error)?.into_value(py), der).into_pyobject(py)?);
            }
        }
        Ok(())
    }
}

/// An exception that may have been raised before, without the frames of that time.
fn raised(error: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = error.py();
    Ok(PyErr::from_value(error.call_method1(intern!(py, "with_traceback"), (py.None(),))?))
}

/// One extension of a list as it was read.
pub(crate) struct Item<'py, 'a> {
    pub(crate) content: Cow<'a, [u8]>,
    pub(crate) oid: Bound<'py, PyAny>,
    pub(crate) critical: bool,
    /// The encoding, or the exception in its place.
    pub(crate) value: Bound<'py, PyAny>,
    pub(crate) offset: usize,
}

/// The extensions of a list as it was read. Without a budget of the caller's, their values are read later.
pub(crate) fn made<'py, 'a>(
    py: Python<'py>,
    items: impl Iterator<Item = PyResult<Item<'py, 'a>>>,
    context: Context,
) -> PyResult<Bound<'py, PyAny>> {
    let (rows, place, list) = (Rows::get(py)?, context.place, PyList::empty(py));
    let context = Bound::new(py, context)?;
    let mut seen = HashSet::new();
    for item in items {
        let Item { content, oid, critical, value, offset } = item?;
        let row = rows.of_extension(place, &content);
        if !seen.insert(content) {
            let error = py.import("tagwise.x509._extension")?.getattr("DuplicateExtension")?;
            let text = format!("Duplicate {} extension found", oid.getattr(intern!(py, "_dotted"))?);
            return Err(PyErr::from_value(error.call1((text, oid))?));
        }
        let mut extension = Extension {
            oid: oid.into(),
            critical: PyBool::new(py, critical).to_owned().into_any().into(),
            ..Extension::default()
        };
        match value.cast_into::<PyBytes>() {
            Ok(der) => {
                let context = context.clone().unbind();
                extension.unread = Some(Unread { row, der: der.unbind(), offset, context });
            }
            Err(error) => extension.set_error((error.into_inner(), PyBytes::new(py, &[])).into_pyobject(py)?),
        }
        let extension = Bound::new(py, extension)?;
        if budget::is_limited() {
            extension.get()._error(py)?;
        }
        list.append(extension)?;
    }
    Ok(Bound::new(py, Extensions { items: Later::of(list.into_any()) })?.into_any())
}

/// The extensions of the frames of a list.
pub(crate) fn of_frames<'py>(py: Python<'py>, frames: Vec<Frame<'_>>, context: Context) -> PyResult<Bound<'py, PyAny>> {
    let items = frames.into_iter().map(|frame| {
        let (content, critical, offset) = (Cow::Borrowed(frame.oid.as_bytes()), frame.critical, frame.offset);
        Ok(Item { content, oid: objects::identifier(py, frame.oid)?, critical, value: frame.into_value(py), offset })
    });
    made(py, items, context)
}

/// The extensions of rows as `read_extensions` has them, in a place; `path_at` tells the path of a byte of the whole that they are in.
#[pyfunction]
#[pyo3(signature = (listed, place, path_at, allow))]
fn extensions_of<'py>(
    py: Python<'py>,
    listed: Vec<(String, bool, Bound<'py, PyAny>, usize)>,
    place: u8,
    path_at: Option<Bound<'py, PyAny>>,
    allow: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let items = listed.into_iter().map(|(dotted, critical, value, offset)| {
        let oid = objects::identifier_of(py, &dotted)?;
        // One with an arc of thousands of bits has another form than dotted, and no class.
        let content = input::oid(&dotted).unwrap_or_else(|_| dotted.into_bytes());
        Ok(Item { content: content.into(), oid, critical, value, offset })
    });
    made(py, items, Context::new(place, allow, path_at))
}

/// An extension of its fields, which were checked.
#[pyfunction]
fn extension_of<'py>(
    oid: Bound<'py, PyAny>,
    critical: Bound<'py, PyAny>,
    value: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, Extension>> {
    let py = oid.py();
    let fields = Extension { oid: oid.into(), critical: critical.into(), value: value.into(), ..Extension::default() };
    Bound::new(py, fields)
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(extension_of, module)?)?;
    module.add_function(wrap_pyfunction!(extensions_of, module)?)
}

/// The extensions of a certificate, a list, an entry, a request or a response.
#[pyclass(frozen, subclass, weakref, module = "tagwise.x509.extensions")]
pub(crate) struct Extensions {
    items: Later,
}

#[pymethods]
impl Extensions {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self { items: Later::new() }
    }

    /// The items.
    #[getter]
    fn _extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.items.get_or_make(py, || Err(pyo3::exceptions::PyAttributeError::new_err("_extensions")))
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
                Ok(extension) => {
                    let own = extension.get();
                    // What the value would be is known before it is read.
                    if let (true, Some(Unread { row, .. })) = (is_known, &own.unread)
                        && !row.is_some_and(|row| row.class.bind(py).is(class))
                    {
                        continue;
                    }
                    match own.error(py)? {
                        Some(error) => match class.getattr_opt(intern!(py, "oid"))? {
                            // It is the one if its identifier is that of the class.
                            Some(oid) if own.oid.get(py, "oid")?.eq(&oid)? => return Err(raised(&error)?),
                            _ => continue,
                        },
                        None => own.value.get(py, "value")?,
                    }
                }
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
        self.items.traverse(&visit)
    }
}

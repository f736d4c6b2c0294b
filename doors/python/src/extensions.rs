//! Lists of extensions: native objects, whose values are decoded on first access.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyAttributeError, PyException};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFrozenSet, PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use tagwise::codec::table::Type;
use tagwise::codec::{Error, Options, path_at};
use tagwise::pkix::{Extension as Single, Extensions as List};

use crate::fields::{Field, Later};
use crate::rows::{Row, Rows};
use crate::{budget, errors, extension, input, lenient, objects, select};

/// The value that contains a list of extensions: its type and its encoding.
pub(crate) type Whole = (&'static Type, PyBackedBytes);

/// The shared data of a list's extensions. It does not refer to the list's owner, because the owner refers to the list.
pub(crate) struct Context {
    place: u8,
    allow: Vec<String>,
    whole: Option<Whole>,
    /// The content of the list, or the concatenated values.
    content: Box<[u8]>,
}

impl Context {
    pub(crate) fn new(place: u8, allow: Vec<String>, whole: Option<Whole>) -> Self {
        Self { place, allow, whole, content: Box::default() }
    }

    /// Returns the options for decoding values, or `None` for strict DER with the default budget.
    fn options(&self) -> PyResult<Option<Options<'static>>> {
        let is_strict = self.allow.is_empty() && !budget::is_limited();
        if is_strict { Ok(None) } else { input::allowed(&self.allow).map(Some) }
    }
}

/// The encoding of a value that has not been decoded yet.
struct Unread {
    row: Option<&'static Row>,
    /// The offset of the encoding in the context's content. The other fields are its length and its offset in the enclosing value.
    start: usize,
    len: usize,
    offset: usize,
    context: Arc<Context>,
}

/// An extension: its identifier, criticality, and value.
#[pyclass(frozen, subclass, weakref, module = "tagwise.x509.extensions")]
#[derive(Default)]
pub(crate) struct Extension {
    oid: Field,
    critical: Field,
    value: Field,
    unread: Option<Unread>,
    /// The exception that accessing the value raises, and the bytes of the value.
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

    /// The decoded value. Raises an exception if it cannot be decoded.
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

    /// The reason why the value cannot be decoded, or None.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self._error(py)?.map(|failure| failure.get_item(0)).transpose()
    }

    /// The reason why the value cannot be decoded, with the bytes of the value, or None.
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
        visit.call(self.failure.get())
    }
}

impl Extension {
    /// Decodes the value, or stores the reason why it cannot be decoded. Temporary failures, such as an exhausted budget or an interrupt,
    /// are raised but not stored.
    fn read(&self, py: Python<'_>) -> PyResult<()> {
        let Some(Unread { row, start, len, offset, context }) = &self.unread else { return Ok(()) };
        let der = context.content.get(*start..start.saturating_add(*len)).unwrap_or_default();
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
                if let (true, Some((ty, whole))) = (is_placed, &context.whole) {
                    // Behind an empty value is something else.
                    let place = offset.saturating_sub(usize::from(der.is_empty()));
                    error = error.call_method1(intern!(py, "_at"), (*offset, path_at(ty, whole, place)))?;
                }
                self.set_error((raised(&error)?.into_value(py), PyBytes::new(py, der)).into_pyobject(py)?);
            }
        }
        Ok(())
    }
}

/// Returns an exception, which may have been raised before, without its earlier traceback.
fn raised(error: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = error.py();
    Ok(PyErr::from_value(error.call_method1(intern!(py, "with_traceback"), (py.None(),))?))
}

fn bool(py: Python<'_>, value: bool) -> Field {
    PyBool::new(py, value).to_owned().into_any().into()
}

/// Returns the index of the first extension whose identifier is duplicated.
fn duplicate<'a>(oids: impl Iterator<Item = &'a [u8]>) -> Option<usize> {
    let mut seen = HashSet::new();
    oids.enumerate().find(|(_, oid)| !seen.insert(*oid)).map(|(number, _)| number)
}

fn duplicated(py: Python<'_>, oid: Bound<'_, PyAny>) -> PyErr {
    let made = || {
        let text = format!("Duplicate {} extension found", oid.getattr(intern!(py, "_dotted"))?);
        py.import("tagwise.x509._extension")?.getattr("DuplicateExtension")?.call1((text, oid))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// Returns the extensions of a list, decoded on demand. If an extension's outer structure is malformed, the items come from
/// `extension::listed`.
pub(crate) fn of_list<'py>(
    py: Python<'py>,
    list: Option<&List<'_>>,
    base: usize,
    options: &Options<'static>,
    context: Context,
    located: impl Fn(&Error) -> PyErr,
) -> PyResult<Bound<'py, PyAny>> {
    let sequence = list.map(List::as_seq_of);
    let content = sequence.and_then(|list| list.content()).unwrap_or_default();
    let base_of_list = sequence.map_or(0, |list| list.offset().saturating_add(base));
    let Ok(read) = lenient::items::<Single<'_>>(Some(content), base_of_list, options) else {
        return of_rows(py, extension::rows(py, extension::listed(list, base, options, located)?), context);
    };
    if let Some(number) = duplicate(read.iter().map(|one| one.extn_id.as_bytes()))
        && let Some(one) = read.get(number)
    {
        return Err(duplicated(py, objects::identifier(py, one.extn_id)?));
    }
    let context = Arc::new(Context { content: content.into(), ..context });
    let made = Extensions { list: Some((context, base_of_list, *options)), items: Later::new() };
    if budget::is_limited() {
        // It is the budget of this moment that limits the values.
        for item in made._extensions(py)?.cast::<PyList>()? {
            item.cast::<Extension>()?.get()._error(py)?;
        }
    }
    Ok(Bound::new(py, made)?.into_any())
}

/// Creates the items of a list that was read.
fn items<'py>(
    py: Python<'py>,
    (context, base, options): &(Arc<Context>, usize, Options<'static>),
) -> PyResult<Bound<'py, PyAny>> {
    let (rows, list) = (Rows::get(py)?, PyList::empty(py));
    let (content, place) = (&context.content, context.place);
    let read = lenient::items::<Single<'_>>(Some(content), *base, options);
    for one in read.map_err(|error| errors::decoding(py, &error))? {
        let (offset, len) = (one.extn_value.offset(), one.extn_value.as_bytes().len());
        let row = rows.of_extension(place, one.extn_id.as_bytes());
        let unread = Unread { row, start: offset.saturating_sub(*base), len, offset, context: context.clone() };
        let (oid, critical) = (objects::identifier(py, one.extn_id)?.into(), bool(py, one.critical));
        list.append(Bound::new(py, Extension { oid, critical, unread: Some(unread), ..Extension::default() })?)?;
    }
    Ok(list.into_any())
}

/// Creates extensions from rows: the dotted identifier, the criticality, the value (or the exception that replaces it), and the offset.
fn of_rows<'py>(
    py: Python<'py>,
    listed: Vec<(String, bool, Bound<'py, PyAny>, usize)>,
    context: Context,
) -> PyResult<Bound<'py, PyAny>> {
    let (rows, list) = (Rows::get(py)?, PyList::empty(py));
    if let Some(number) = duplicate(listed.iter().map(|(dotted, ..)| dotted.as_bytes()))
        && let Some((dotted, ..)) = listed.get(number)
    {
        return Err(duplicated(py, objects::identifier_of(py, dotted)?));
    }
    let ders = listed.iter().filter_map(|(_, _, value, _)| value.cast::<PyBytes>().ok());
    let content = ders.fold(Vec::new(), |content, der| [&content, der.as_bytes()].concat());
    let context = Arc::new(Context { content: content.into(), ..context });
    let mut start: usize = 0;
    for (dotted, critical, value, offset) in listed {
        let (oid, critical) = (objects::identifier_of(py, &dotted)?.into(), bool(py, critical));
        let mut extension = Extension { oid, critical, ..Extension::default() };
        match value.cast_into::<PyBytes>() {
            Ok(der) => {
                let len = der.as_bytes().len();
                // One with an arc of thousands of bits has another form than dotted, and no class.
                let row = input::oid(&dotted).ok().and_then(|oid| rows.of_extension(context.place, &oid));
                extension.unread = Some(Unread { row, start, len, offset, context: context.clone() });
                start = start.saturating_add(len);
            }
            Err(error) => extension.set_error((error.into_inner(), PyBytes::new(py, &[])).into_pyobject(py)?),
        }
        let extension = Bound::new(py, extension)?;
        if budget::is_limited() {
            extension.get()._error(py)?;
        }
        list.append(extension)?;
    }
    Ok(Bound::new(py, Extensions { list: None, items: Later::of(list.into_any()) })?.into_any())
}

/// Creates extensions from rows of `read_extensions` for the given context. `whole` is the kind and the encoding of the enclosing value.
#[pyfunction]
#[pyo3(signature = (listed, place, whole, allow))]
fn extensions_of<'py>(
    py: Python<'py>,
    listed: Vec<(String, bool, Bound<'py, PyAny>, usize)>,
    place: u8,
    whole: Option<(String, PyBackedBytes)>,
    allow: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let whole = whole.map(|(kind, der)| Ok::<_, PyErr>((select::whole(&kind)?, der))).transpose()?;
    of_rows(py, listed, Context::new(place, allow, whole))
}

/// Creates an extension from checked fields.
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

/// The extensions of a certificate, a CRL, a CRL entry, a request or a response.
#[pyclass(frozen, subclass, weakref, module = "tagwise.x509.extensions")]
pub(crate) struct Extensions {
    /// The context with the content of the list, the offset of the list, and the options with which it was read.
    list: Option<(Arc<Context>, usize, Options<'static>)>,
    items: Later,
}

#[pymethods]
impl Extensions {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self { list: None, items: Later::new() }
    }

    /// Returns the items.
    #[getter]
    fn _extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.items.get_or_make(py, || match &self.list {
            Some(list) => items(py, list),
            None => Err(PyAttributeError::new_err("_extensions")),
        })
    }

    /// Returns the first item whose value has the given class. Objects of the `known` classes have no other of these classes.
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
        self.items.set(value, "the items of an extension list can only be set once")
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.items.traverse(&visit)
    }
}

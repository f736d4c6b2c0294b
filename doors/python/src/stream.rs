//! Values of any size, from files and buffers: events, the items of a list, and the content of a string.

use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use self_cell::self_cell;
use tagwise::codec::stream::{self, Event, Header, Items, NamedEvents, Rules, Settings, StreamPlace};
use tagwise::codec::table::{self, Shape, Type, TypeRef};
use tagwise::codec::value::{Dynamic, Types, Value};
use tagwise::codec::{Options, ber, cer};
use tagwise::tables::Schema as Compiled;

use crate::messages::Source;
use crate::part::part;
use crate::value::{View, element, leaf, to_py};
use crate::{budget, errors, input, untagged};

/// Returns the encoding rules with the given name.
pub(crate) fn rules(name: &str) -> PyResult<Rules> {
    match name {
        "DER" => Ok(Rules::Der),
        "BER" => Ok(Rules::Ber),
        "CER" => Ok(Rules::Cer),
        _ => Err(untagged::no_rules(name)),
    }
}

/// Rejects encoding rules whose encodings have no elements.
#[pyfunction]
pub(crate) fn check_rules(name: &str) -> PyResult<()> {
    rules(name).map(|_| ())
}

/// Creates settings with the current budget.
pub(crate) fn settings(rules: Rules) -> PyResult<Settings> {
    Ok(Settings::new(rules).budget(budget::in_force()?))
}

type Named<'s> = NamedEvents<'s, Source>;

self_cell!(
    struct Cell {
        owner: Arc<Compiled>,
        #[not_covariant]
        dependent: Named,
    }
);

/// Locks the state for one thread at a time. A file object that reads from its own events is rejected, because it would
/// deadlock.
pub(crate) fn free<T>(shared: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    match shared.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(errors::argument("the stream is already being read by another call")),
    }
}

/// An iterator over the events of a value.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Events {
    state: Mutex<(Cell, Open)>,
    file: Source,
    chunk: u64,
    rules: Rules,
    moments: bool,
}

/// The open primitive element, and whether its value is reported as a whole.
type Open = Option<(Header, bool)>;

/// The value of an event, to be converted to Python.
enum Told<'b> {
    Nothing,
    Start(Header),
    Value(Header, &'b [u8]),
    Chunk(u64, &'b [u8]),
    End(u64, u64),
}

impl Events {
    pub(crate) fn new(
        (schema, moments): (&Arc<Compiled>, bool),
        name: &str,
        file: &Bound<'_, PyAny>,
        rules: Rules,
        chunk: usize,
    ) -> PyResult<Self> {
        let (chunk, file) = (chunk.clamp(266, 1 << 24), Source::new(file));
        let settings = settings(rules)?.chunk(chunk);
        let cell = Cell::try_new(Arc::clone(schema), |schema| {
            let dynamic = schema.ty(name).map_err(errors::unknown)?;
            PyResult::Ok(NamedEvents::with(file.clone(), settings, dynamic.ty()).schema(schema.tables()))
        })?;
        Ok(Self { state: Mutex::new((cell, None)), file, chunk: chunk as u64, rules, moments })
    }

    fn told<'b>(&self, event: Event<'b>, open: &mut Open) -> Told<'b> {
        match event {
            Event::Start(start) => {
                let plain = start.len.is_some_and(|len| len <= self.chunk);
                *open = (!start.tag.is_constructed()).then_some((start, plain));
                match (start.len, &open) {
                    // Segments are parts of the string that they are in.
                    _ if start.segment => Told::Nothing,
                    (Some(0), Some(_)) => Told::Value(start, &[]),
                    (_, Some((_, true))) => Told::Nothing,
                    _ => Told::Start(start),
                }
            }
            Event::Chunk(chunk) => match open {
                Some((start, true)) if !start.segment => Told::Value(*start, chunk.octets),
                _ => Told::Chunk(chunk.offset, chunk.octets),
            },
            Event::End(end) => match open.take() {
                Some((start, _)) if start.segment => Told::Nothing,
                _ => Told::End(end.offset, end.end),
            },
        }
    }
}

type Parts<'a, 'py> = (&'a str, &'a StreamPlace<'a>, u64, Option<Header>, Option<u64>, Bound<'py, PyAny>);

/// Builds an event's row: kind, path, name and type, offset, header, end, value, and the kind of string that may contain another type's
/// encoding (`open`, `octets` or `bits`).
fn row<'py>(py: Python<'py>, types: Types<'_>, parts: Parts<'_, 'py>) -> PyResult<Bound<'py, PyTuple>> {
    let (kind, place, offset, header, end, value) = parts;
    let header = header.map(|header| {
        let tag = (header.tag.class() as u8, header.tag.number(), header.tag.is_constructed());
        let tag_len = header.tag.encoded_len();
        (tag, tag_len, usize::from(header.header_len).saturating_sub(tag_len), header.len)
    });
    let (name, ty) = chosen(place);
    let holds = match ty.map(|ty| &types.base(ty).shape) {
        Some(Shape::Open { .. }) => "open",
        Some(Shape::OctetString) => "octets",
        Some(Shape::BitString(_)) => "bits",
        _ => "",
    };
    let ty = ty.map(|ty| &*ty.name);
    (kind, place.inner, name, ty, offset, header, end, value, holds).into_pyobject(py)
}

/// The name and the type of what stands in a place: of a CHOICE, those of the alternative.
fn chosen<'a>(place: &StreamPlace<'a>) -> (Option<&'a str>, Option<&'a Type>) {
    place.alternative.map_or((place.name, place.ty), |(name, ty)| (Some(name), ty))
}

/// Converts the content of a primitive value to Python. If its type is unknown, returns the bytes.
fn plain<'py>(
    py: Python<'py>,
    view @ View { types, moments }: View<'_>,
    (place, start): (&StreamPlace<'_>, &Header),
    content: &[u8],
    rules: Rules,
) -> PyResult<Bound<'py, PyAny>> {
    let ty = chosen(place).1;
    let bytes = || Ok(PyBytes::new(py, content).into_any());
    let Some(ty) = ty else { return bytes() };
    let base = types.base(ty);
    let has_parts = matches!(
        base.shape,
        Shape::Sequence(_)
            | Shape::Set(_)
            | Shape::SequenceOf(_)
            | Shape::SetOf(_)
            | Shape::Choice { .. }
            | Shape::Presentation(_)
            | Shape::Open { .. }
    );
    if has_parts {
        return bytes();
    }
    match (Value::leaf(types, base, content.into()), rules, base.tag) {
        (Ok(value), ..) => leaf(py, &value, moments),
        (Err(_), Rules::Ber, Some(tag)) => {
            // In BER a value has more forms than one, which the tables know.
            let octets = element(py, tag, content)?;
            let canonical = ber::to_der_as(base, types.schema(), &octets, &budget::under(Options::ber_definite())?);
            let placed = |error| errors::placed(py, errors::decoding(py, &error), start.offset, place.inner);
            let canonical = canonical.map_err(placed)?;
            let dynamic = Dynamic::new(base).options(input::after_ber(budget::under(Options::der())?));
            let dynamic = types.schema().map_or(dynamic, |schema| dynamic.schema(schema));
            let read = dynamic.decode(&canonical.bytes).map_err(placed)?;
            to_py(py, View { types: dynamic.types(), ..view }, &read.value)
        }
        (Err(fault), ..) => {
            let offset = start.content().saturating_add(fault.offset() as u64);
            Err(errors::leaf(py, fault.kind(), offset, place.inner))
        }
    }
}

#[pymethods]
impl Events {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.file.traverse(&visit)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let mut guard = free(&self.state)?;
        let (cell, open) = &mut *guard;
        cell.with_dependent_mut(|schema, events| {
            let types = Types::of(schema.tables());
            let none = py.None().into_bound(py);
            loop {
                let Some((event, place)) = events.next().map_err(|error| errors::streaming(py, &error))? else {
                    return Ok(None);
                };
                let row = match self.told(event, open) {
                    Told::Nothing => continue,
                    Told::Start(start) => row(py, types, ("start", &place, start.offset, Some(start), None, none)),
                    Told::End(offset, end) => row(py, types, ("end", &place, offset, None, Some(end), none)),
                    Told::Chunk(offset, octets) => {
                        let octets = PyBytes::new(py, octets).into_any();
                        row(py, types, ("chunk", &place, offset, None, None, octets))
                    }
                    Told::Value(start, content) => {
                        let value =
                            plain(py, View { types, moments: self.moments }, (&place, &start), content, self.rules)?;
                        let row = row(py, types, ("value", &place, start.offset, Some(start), None, value))?;
                        // The end of an element whose value was told is no event of its own.
                        *open = None;
                        events.next().map_err(|error| errors::streaming(py, &error))?;
                        Ok(row)
                    }
                };
                return row.map(Some);
            }
        })
    }

    /// Returns the remaining bytes of the innermost open constructed element. The next event is its end.
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut guard = free(&self.state)?;
        let octets = guard.0.with_dependent_mut(|_, events| events.rest());
        Ok(PyBytes::new(py, &octets.map_err(|error| errors::streaming(py, &error))?))
    }

    /// Skips the rest of the innermost open element.
    fn skip(&self, py: Python<'_>) -> PyResult<()> {
        let mut guard = free(&self.state)?;
        let (cell, open) = &mut *guard;
        *open = None;
        cell.with_dependent_mut(|_, events| events.skip().map_err(|error| errors::streaming(py, &error)))
    }
}

/// An iterator over the items of a list, each with its offset.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct ItemsOf {
    schema: Arc<Compiled>,
    moments: bool,
    item: TypeRef,
    path: String,
    rules: Rules,
    items: Mutex<Option<Items<Source>>>,
    file: Source,
}

impl ItemsOf {
    pub(crate) fn new(
        py: Python<'_>,
        (schema, moments): (&Arc<Compiled>, bool),
        name: &str,
        file: &Bound<'_, PyAny>,
        path: &str,
        settings: Settings,
    ) -> PyResult<Self> {
        let dynamic = schema.ty(name).map_err(errors::unknown)?;
        let types = dynamic.types();
        let list = part(types, dynamic.ty(), path).and_then(|part| part.items(types));
        let (item, _) = list.ok_or_else(|| errors::argument(format!("`{path}` is not a list of {name}")))?;
        let file = Source::new(file);
        let events = NamedEvents::with(file.clone(), settings, dynamic.ty()).schema(schema.tables());
        let items = Items::find(events, path).map_err(|error| errors::streaming(py, &error))?;
        let (path, items) = (path.to_owned(), Mutex::new(Some(items)));
        Ok(Self { schema: Arc::clone(schema), moments, item, path, rules: settings.rules(), items, file })
    }
}

#[pymethods]
impl ItemsOf {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.file.traverse(&visit)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(u64, Bound<'py, PyAny>)>> {
        let mut guard = free(&self.items)?;
        let Some(items) = &mut *guard else { return Ok(None) };
        let index = items.count();
        let tables = self.schema.tables();
        let item = self.item.get(Some(tables)).ok_or_else(|| errors::argument("an unknown type"))?;
        let Some((offset, octets)) = items.next_octets().map_err(|error| errors::streaming(py, &error))? else {
            // What follows the list is held to the rules, too.
            let finished = guard.take().map_or(Ok(()), Items::finish);
            return finished.map(|()| None).map_err(|error| errors::streaming(py, &error));
        };
        let path = format!("{}[{index}]", self.path);
        Ok(Some((offset, decoded(py, (tables, self.moments), item, self.rules, octets, (offset, &path))?)))
    }
}

/// Decodes a delimited item or record, given its offset and path.
pub(crate) fn decoded<'py>(
    py: Python<'py>,
    (tables, moments): (&table::Schema, bool),
    ty: &Type,
    rules: Rules,
    octets: &[u8],
    (offset, path): (u64, &str),
) -> PyResult<Bound<'py, PyAny>> {
    let placed = |error| errors::inside(py, &error, offset, path);
    let options = budget::under(Options::der())?;
    let canonical = match rules {
        Rules::Der => None,
        Rules::Ber => Some(ber::to_der_as(ty, Some(tables), octets, &budget::under(Options::ber_definite())?)),
        Rules::Cer => Some(cer::to_der_as(ty, Some(tables), octets, &options)),
    };
    let canonical = canonical.transpose().map_err(placed)?;
    let options = if rules == Rules::Ber { input::after_ber(options) } else { options };
    let dynamic = Dynamic::new(ty).schema(tables).options(options);
    let octets = canonical.as_ref().map_or(octets, |canonical| &canonical.bytes);
    let read = dynamic.decode(octets).map_err(|error| match &canonical {
        Some(canonical) => placed(canonical.original(error)),
        None => placed(error),
    })?;
    to_py(py, View { types: dynamic.types(), moments }, &read.value)
}

/// The content of a string, with its segments joined. The type determines the kind of string, regardless of its tag.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Content {
    state: Mutex<Option<stream::Content<Source>>>,
    file: Source,
}

impl Content {
    pub(crate) fn new(
        py: Python<'_>,
        schema: &Arc<Compiled>,
        name: &str,
        file: &Bound<'_, PyAny>,
        path: &str,
        rules: Rules,
    ) -> PyResult<Self> {
        let dynamic = schema.ty(name).map_err(errors::unknown)?;
        let types = dynamic.types();
        let file = Source::new(file);
        let mut events = NamedEvents::with(file.clone(), settings(rules)?, dynamic.ty()).schema(schema.tables());
        loop {
            let Some((event, place)) = events.next().map_err(|error| errors::streaming(py, &error))? else {
                return Err(pyo3::exceptions::PyLookupError::new_err(format!("`{path}` not found")));
            };
            // The explicit tag around a component has its path, too, and no type.
            let ty = if place.path == path { place.ty } else { None };
            let ty = if place.inner == path { chosen(&place).1.or(ty) } else { ty };
            let (Event::Start(_), Some(ty)) = (event, ty) else { continue };
            let is_string = matches!(types.base(ty).shape, Shape::OctetString | Shape::BitString(_));
            match (is_string, events.is_wrapped()) {
                // An explicit tag of the type's own is around the string.
                (true, true) => {}
                (true, false) => return Ok(Self { state: Mutex::new(Some(events.into_content())), file }),
                _ => return Err(errors::argument(format!("`{path}` is not an OCTET STRING or BIT STRING of {name}"))),
            }
        }
    }
}

#[pymethods]
impl Content {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.file.traverse(&visit)
    }

    /// Returns at most `size` bytes, or none at the end. The data after the string is also checked against the rules.
    fn read<'py>(&self, py: Python<'py>, size: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut content = free(&self.state)?;
        let mut octets = vec![0; size.min(Settings::CHUNK)];
        let mut count = 0;
        if let Some(string) = content.as_mut().filter(|_| size > 0) {
            count = string.read(&mut octets).map_err(|error| reading(py, error))?;
            if count == 0
                && let Some(string) = content.take()
            {
                let mut events = string.into_events();
                while events.next().map_err(|error| errors::streaming(py, &error))?.is_some() {}
            }
        }
        Ok(PyBytes::new(py, octets.get(..count).unwrap_or_default()))
    }
}

/// Creates the exception for an error from a stream's reader.
fn reading(py: Python<'_>, error: std::io::Error) -> PyErr {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<stream::Error>()) {
        Some(error) => errors::streaming(py, error),
        None => match error.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>()) {
            Some(raised) => raised.clone_ref(py),
            None => pyo3::exceptions::PyOSError::new_err(error.to_string()),
        },
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Events>()?;
    module.add_class::<ItemsOf>()?;
    module.add_class::<Content>()?;
    module.add_function(wrap_pyfunction!(check_rules, module)?)
}

//! Extension values as objects of the package's classes, created from the table rows that describe the classes.
//!
//! Objects are created without their constructors, because the decoder has already checked the types. A class with further
//! checks (`_check`) runs them when its fields are set.

use pyo3::exceptions::{PyException, PyNotImplementedError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFrozenSet, PyList, PyString};
use tagwise::codec::table::{NamedNumber, Shape, StringKind, Type};
use tagwise::codec::value::Dynamic;
use tagwise::codec::{Arena, Oid, Options};
use tagwise::pkix::oids;

use crate::name::Name;
use crate::nodes::{Der, Node, bytes, is_right, types};
use crate::rows::{Checks, Part, QUALIFIER, Row, Rows, SUBTREE};
use crate::value::Making;
use crate::{errors, input, written};

/// Returns the Python object for an object identifier.
pub(crate) fn identifier<'py>(py: Python<'py>, oid: Oid<'_>) -> PyResult<Bound<'py, PyAny>> {
    static KNOWN: PyOnceLock<(Py<PyDict>, Py<PyAny>)> = PyOnceLock::new();
    let (known, of_content) = KNOWN.get_or_try_init(py, || {
        let module = py.import("tagwise.x509.oid")?;
        let known = module.getattr("_BY_CONTENT")?.cast_into::<PyDict>()?.unbind();
        PyResult::Ok((known, module.getattr("ObjectIdentifier")?.getattr("_of_content")?.unbind()))
    })?;
    let content = PyBytes::new(py, oid.as_bytes());
    match known.bind(py).get_item(&content)? {
        Some(identifier) => Ok(identifier),
        None => of_content.bind(py).call1((content,)),
    }
}

/// Returns the Python object for a decoded object identifier in dotted form.
pub(crate) fn identifier_of<'py>(py: Python<'py>, dotted: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("tagwise.x509.oid")?.getattr("ObjectIdentifier")?.call_method1("_of", (dotted,))
}

/// Returns the value of an extension as an object if the package describes a class for it, otherwise as bytes. Without
/// options, it is read as strict DER.
pub(crate) fn extension<'py>(
    row: Option<&Row>,
    oid: &Bound<'py, PyAny>,
    der: &[u8],
    options: Option<Options<'_>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, rows) = (oid.py(), Rows::get(oid.py())?);
    let Some((row, ty)) = row.and_then(|row| Some((row, row.ty?))) else {
        let made = rows.new.bind(py).call1((&rows.unrecognized,))?;
        made.setattr(intern!(py, "_oid"), oid)?;
        made.setattr(intern!(py, "_value"), PyBytes::new(py, der))?;
        return Ok(made);
    };
    let maker = Maker { py, rows };
    if let (None, Some(node)) = (options, Der::checked(&row.oid, ty, der)) {
        match maker.object(row, node) {
            // The table engine tells what is wrong.
            Err(error) if error.is_instance_of::<PyException>(py) => {}
            made => return made,
        }
    }
    let read = Dynamic::new(ty).options(options.unwrap_or_default()).decode(der);
    maker.object(row, &read.map_err(|error| errors::decoding(py, &error))?.value)
}

/// Encodes an object of an extension class.
#[pyfunction]
fn encode_value<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let (py, rows) = (object.py(), Rows::get(object.py())?);
    let (oid, ty) = rows.of_object(object).and_then(|row| Some((&row.oid, row.ty?))).ok_or_else(|| {
        let class = object.get_type();
        PyNotImplementedError::new_err(format!(
            "unsupported extension class {class}; expected one of `extensions.DESCRIBED`"
        ))
    })?;
    match written::value(rows, ty, None, object) {
        Ok(Some(der)) if is_right(oid, &der) => return Ok(PyBytes::new(py, &der)),
        Err(error) if !error.is_instance_of::<PyException>(py) => return Err(error),
        _ => {}
    }
    let (arena, dynamic) = (Arena::new(), Dynamic::new(ty));
    let value = Making::new(dynamic.types(), &arena).with_rows(rows).value(ty, object)?;
    let der = dynamic.encode(&value).map_err(|error| errors::encoding(py, &error))?;
    Ok(PyBytes::new(py, &der))
}

/// Returns the object for an absent component of a type.
pub(crate) fn default<'py>(
    py: Python<'py>,
    rows: &'static Rows,
    part: &Part,
    ty: &Type,
) -> PyResult<Bound<'py, PyAny>> {
    let (_, field) = part.field(ty)?;
    part.default(py, || types().with_default(field, |value| Maker { py, rows }.value(value)))
}

struct Maker<'py> {
    py: Python<'py>,
    rows: &'static Rows,
}

/// Creates the internal error for a value whose parts do not match its type. The value is then read in another way.
fn unknown() -> PyErr {
    PyValueError::new_err("the number of arguments does not match the type's components")
}

impl<'py> Maker<'py> {
    fn none(&self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }

    fn bool(&self, value: bool) -> Bound<'py, PyAny> {
        PyBool::new(self.py, value).to_owned().into_any()
    }

    /// Creates an object of a row's class.
    fn object<'n>(&self, row: &Row, node: impl Node<'n>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        if row.converts {
            return row.class.bind(py).call_method1(intern!(py, "_of_plain"), (node.plain(py)?,));
        }
        let made = self.rows.new.bind(py).call1((&row.class,))?;
        let mut checks = row.checks == Checks::Always;
        let mut set = |part: &Part, field: Bound<'py, PyAny>| {
            checks |= part.is_checked && !field.is_none() && !field.is(self.bool(false));
            made.setattr(part.attribute.bind(py), field)
        };
        match (row.parts.as_slice(), &node.base().shape) {
            ([], _) => {}
            ([part], _) if part.component.is_empty() => set(part, self.value(node)?)?,
            (parts, Shape::BitString(names)) => {
                for part in parts {
                    let is_set = names.iter().any(|one| *one.name == *part.component && is_set(node.content(), one));
                    set(part, self.bool(is_set))?;
                }
            }
            (parts, _) => {
                let components = node.components().ok_or_else(unknown)?;
                for part in parts {
                    set(part, self.component(part, node, &components)?)?;
                }
            }
        }
        if checks {
            made.call_method0(intern!(py, "_check"))?;
        }
        Ok(made)
    }

    /// Returns a component, or None if it is absent or another alternative is chosen.
    fn component<'n, N: Node<'n>>(&self, part: &Part, node: N, found: &[Option<N>]) -> PyResult<Bound<'py, PyAny>> {
        let (index, _) = part.field(node.base())?;
        match (found.get(index).copied().flatten(), &part.alternative) {
            (Some(value), None) => self.value(value),
            (Some(value), Some(name)) => match value.alternative() {
                Some((chosen, value)) if *chosen == **name => self.value(value),
                _ => Ok(self.none()),
            },
            (None, _) => default(self.py, self.rows, part, node.base()),
        }
    }

    fn value<'n, N: Node<'n>>(&self, node: N) -> PyResult<Bound<'py, PyAny>> {
        let (py, base) = (self.py, node.base());
        match &base.shape {
            Shape::Sequence(_) | Shape::Set(_) => match &*base.name {
                SUBTREE => match node.components().ok_or_else(unknown)?.first() {
                    Some(Some(name)) => self.general_name(*name),
                    _ => Err(unknown()),
                },
                QUALIFIER => self.qualifier(node),
                name => match self.rows.of_name(name) {
                    Some(row) => self.object(row, node),
                    None => node.plain(py),
                },
            },
            // Types that are others with a new name have theirs.
            Shape::SequenceOf(_) | Shape::SetOf(_) => match &*node.ty().name {
                "Name" => match Name::of_der(py, node.whole())? {
                    Some(name) => Ok(name),
                    None => self.rows.name_of.bind(py).call1((node.plain(py)?,)),
                },
                "RelativeDistinguishedName" => self.rows.step_of.bind(py).call1((node.plain(py)?,)),
                _ => {
                    let list = PyList::empty(py);
                    for item in node.items().ok_or_else(unknown)? {
                        list.append(self.value(item)?)?;
                    }
                    Ok(list.into_any())
                }
            },
            Shape::Choice { .. } if &*base.name == "GeneralName" => {
                let name = self.general_name(node)?;
                // A rule may tolerate addresses of any length.
                match node.alternative() {
                    Some(("iPAddress", address)) if matches!(address.content().len(), 8 | 32) => {
                        self.rows.reject_network.bind(py).call1((name,))
                    }
                    _ => Ok(name),
                }
            }
            // One of several types of strings: which it is, does not matter.
            Shape::Choice { .. } => self.value(node.alternative().ok_or_else(unknown)?.1),
            Shape::Open { .. } => Ok(bytes(py, node)),
            _ => self.leaf(node),
        }
    }

    fn general_name<'n>(&self, node: impl Node<'n>) -> PyResult<Bound<'py, PyAny>> {
        let (name, value) = node.alternative().ok_or_else(unknown)?;
        match self.rows.of_name(name) {
            Some(row) => self.object(row, value),
            None => {
                let error = self.rows.unsupported.bind(self.py).call1((format!("{name} is not a supported type"),))?;
                Err(PyErr::from_value(error))
            }
        }
    }

    fn leaf<'n>(&self, node: impl Node<'n>) -> PyResult<Bound<'py, PyAny>> {
        let (py, content) = (self.py, node.content());
        match &node.base().shape {
            Shape::OctetString => Ok(PyBytes::new(py, content).into_any()),
            Shape::Boolean => Ok(self.bool(*content != [0])),
            Shape::Integer(_) => input::number(py, content),
            Shape::String(StringKind::Ia5 | StringKind::Utf8) => match std::str::from_utf8(content) {
                Ok(text) => Ok(PyString::new(py, text).into_any()),
                Err(_) => node.plain(py),
            },
            Shape::ObjectIdentifier => match Oid::from_content(content) {
                Ok(oid) => identifier(py, oid),
                // Its arcs are padded, which a rule tolerated.
                Err(_) => identifier_of(py, &node.plain(py)?.extract::<String>()?),
            },
            Shape::Time(_) => self.rows.naive.bind(py).call1((node.plain(py)?,)),
            Shape::BitString(names) => {
                let Some(members) = self.rows.members(node.base()) else { return node.plain(py) };
                let mut set = Vec::new();
                for one in names.iter().filter(|one| is_set(content, one)) {
                    set.extend(members.bind(py).get_item(&*one.name)?);
                }
                Ok(PyFrozenSet::new(py, set)?.into_any())
            }
            Shape::Enumerated { items, .. } => {
                let Some(members) = self.rows.members(node.base()) else { return node.plain(py) };
                let number: i64 = input::number(py, content)?.extract()?;
                let item = items.iter().find(|item| item.number == number).map(|item| &*item.name);
                let member = item.map(|name| members.bind(py).get_item(name)).transpose()?.flatten();
                member.ok_or_else(|| PyValueError::new_err(format!("{} {number} has no name", &*node.base().name)))
            }
            _ => node.plain(py),
        }
    }

    /// Converts a policy qualifier to a URI or a notice.
    fn qualifier<'n, N: Node<'n>>(&self, node: N) -> PyResult<Bound<'py, PyAny>> {
        let components = node.components().ok_or_else(unknown)?;
        let [Some(id), Some(value)] = components.as_slice() else { return Err(unknown()) };
        match Oid::from_content(id.content()) {
            Ok(oids::QT_CPS | oids::QT_UNOTICE) => self.value(value.selected(id.content()).ok_or_else(unknown)?),
            _ => {
                let id = id.plain(self.py)?;
                Err(PyValueError::new_err(format!("unknown policy qualifier {id}")))
            }
        }
    }
}

/// Returns whether a bit of a BIT STRING is set.
fn is_set(content: &[u8], bit: &NamedNumber) -> bool {
    let number = usize::try_from(bit.number).unwrap_or(usize::MAX);
    content.get(1 + number / 8).is_some_and(|octet| octet & 0x80 >> (number % 8) != 0)
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(encode_value, module)?)
}

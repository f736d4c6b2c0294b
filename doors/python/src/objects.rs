//! Values of extensions as objects of the package's classes, by the rows of the classes.
//!
//! Objects are made without their constructors, whose checks of types the decoder has made. A class that checks more (`_check`) does so
//! when its fields are set.

use pyo3::exceptions::{PyNotImplementedError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyList};
use tagwise::codec::table::{NamedNumber, Shape};
use tagwise::codec::value::{Alternative, Components, Data, Dynamic, Types, Value};
use tagwise::codec::{Arena, BitStr, Decode as _, Oid, Options};
use tagwise::pkix::{Name as Parsed, oids};

use crate::errors;
use crate::name::Name;
use crate::rows::{QUALIFIER, Row, Rows, SUBTREE};
use crate::value::{Making, View, leaf, to_py, whole};

/// The object of an identifier.
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

/// The object of an identifier in dotted form, which was read.
pub(crate) fn identifier_of<'py>(py: Python<'py>, dotted: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("tagwise.x509.oid")?.getattr("ObjectIdentifier")?.call_method1("_of", (dotted,))
}

/// The value of an extension whose class has a row; the bytes of others.
pub(crate) fn extension<'py>(
    row: Option<&Row>,
    oid: &Bound<'py, PyAny>,
    der: &Bound<'py, PyBytes>,
    options: Options<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, rows) = (oid.py(), Rows::get(oid.py())?);
    let Some((row, ty)) = row.and_then(|row| Some((row, row.ty?))) else {
        let made = rows.new.bind(py).call1((&rows.unrecognized,))?;
        made.setattr(intern!(py, "_oid"), oid)?;
        made.setattr(intern!(py, "_value"), der)?;
        return Ok(made);
    };
    let dynamic = Dynamic::new(ty).options(options);
    let read = dynamic.decode(der.as_bytes()).map_err(|error| errors::decoding(py, &error))?;
    Maker { py, rows, types: dynamic.types() }.object(row, &read.value)
}

/// The encoding of an object whose class is that of an extension.
#[pyfunction]
fn encode_value<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let (py, rows) = (object.py(), Rows::get(object.py())?);
    let ty = rows.of_object(object).and_then(|row| row.ty).ok_or_else(|| {
        let class = object.get_type();
        PyNotImplementedError::new_err(format!("the class has no row: {class}, expected one of `extensions.DESCRIBED`"))
    })?;
    let (arena, dynamic) = (Arena::new(), Dynamic::new(ty));
    let value = Making::new(dynamic.types(), &arena).with_rows(rows).value(ty, object)?;
    let der = dynamic.encode(&value).map_err(|error| errors::encoding(py, &error))?;
    Ok(PyBytes::new(py, &der))
}

struct Maker<'py, 't> {
    py: Python<'py>,
    rows: &'static Rows,
    types: Types<'t>,
}

impl<'py> Maker<'py, '_> {
    fn plain(&self, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        to_py(self.py, View::plain(self.types), value)
    }

    fn none(&self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }

    /// An object of a row's class.
    fn object(&self, row: &Row, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        if row.converts {
            return row.class.bind(py).call_method1(intern!(py, "_of_plain"), (self.plain(value)?,));
        }
        let made = self.rows.new.bind(py).call1((&row.class,))?;
        match (row.parts.as_slice(), value.data()) {
            ([], _) => {}
            ([part], _) if part.component.is_empty() => made.setattr(part.attribute.bind(py), self.value(value)?)?,
            (parts, Data::Components(components)) => {
                for part in parts {
                    let field = self.component(components, &part.component, part.alternative.as_deref())?;
                    made.setattr(part.attribute.bind(py), field)?;
                }
            }
            (parts, _) => {
                let (bits, names) = named_bits(value);
                for part in parts {
                    let is_set = names.iter().any(|one| *one.name == *part.component && is_set(bits, one.number));
                    made.setattr(part.attribute.bind(py), is_set)?;
                }
            }
        }
        if row.checks {
            made.call_method0(intern!(py, "_check"))?;
        }
        Ok(made)
    }

    /// A component, or None if it is absent or has another alternative.
    fn component(
        &self,
        components: &Components<'_>,
        name: &str,
        alternative: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = components.iter().find(|(field, _)| *field.name == *name);
        let (field, value) = found.ok_or_else(|| errors::argument(format!("there is no component `{name}`")))?;
        match (value, alternative) {
            // The value of a name of another kind is its encoding, whether its type is known or not.
            (Some(value), _) if self.types.get(&field.ty).is_some_and(|ty| matches!(ty.shape, Shape::Open { .. })) => {
                Ok(PyBytes::new(self.py, whole(value)).into_any())
            }
            (Some(value), None) => self.value(value),
            (Some(value), Some(name)) => match value.data() {
                Data::Alternative(chosen) if *chosen.field().name == *name => self.value(chosen.value()),
                _ => Ok(self.none()),
            },
            (None, _) => self.types.with_default(field, |value| self.value(value)).unwrap_or_else(|| Ok(self.none())),
        }
    }

    fn value(&self, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        let (py, ty) = (self.py, value.base());
        match value.data() {
            Data::Leaf(_) => self.leaf(value),
            Data::Components(components) => match &*ty.name {
                SUBTREE => match components.get("base").map(Value::data) {
                    Some(Data::Alternative(base)) => self.general_name(base),
                    _ => Ok(self.none()),
                },
                QUALIFIER => self.qualifier(components),
                name => match self.rows.of_name(name) {
                    Some(row) => self.object(row, value),
                    None => self.plain(value),
                },
            },
            // Types that are others with a new name have theirs.
            Data::Items(items) => match &*value.ty().name {
                "Name" => self.name(value),
                "RelativeDistinguishedName" => self.rows.step_of.bind(py).call1((self.plain(value)?,)),
                _ => {
                    let list = PyList::empty(py);
                    for item in items {
                        list.append(self.value(item)?)?;
                    }
                    Ok(list.into_any())
                }
            },
            Data::Alternative(chosen) if &*ty.name == "GeneralName" => {
                let name = self.general_name(chosen)?;
                // A rule may tolerate addresses of any length.
                match (&chosen.value().base().shape, chosen.value().content().map(<[u8]>::len)) {
                    (Shape::OctetString, Some(8 | 32)) => self.rows.reject_network.bind(py).call1((name,)),
                    _ => Ok(name),
                }
            }
            // One of several types of strings: which it is, does not matter.
            Data::Alternative(chosen) => self.value(chosen.value()),
            _ => Ok(PyBytes::new(py, whole(value)).into_any()),
        }
    }

    fn general_name(&self, chosen: &Alternative<'_>) -> PyResult<Bound<'py, PyAny>> {
        let name = &*chosen.field().name;
        match self.rows.of_name(name) {
            Some(row) => self.object(row, chosen.value()),
            None => {
                let error = self.rows.unsupported.bind(self.py).call1((format!("{name} is not a supported type"),))?;
                Err(PyErr::from_value(error))
            }
        }
    }

    fn leaf(&self, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        match &value.base().shape {
            Shape::ObjectIdentifier => match Oid::from_content(value.content().unwrap_or_default()) {
                Ok(oid) => identifier(py, oid),
                // Its arcs are padded, which a rule tolerated.
                Err(_) => identifier_of(py, &self.plain(value)?.extract::<String>()?),
            },
            Shape::Time(_) => self.rows.naive.bind(py).call1((leaf(py, value, false)?,)),
            shape @ (Shape::BitString(_) | Shape::Enumerated { .. }) => {
                let Some(members) = self.rows.members(value.base()) else { return self.plain(value) };
                let (members, plain) = (members.bind(py), self.plain(value)?);
                if let Shape::Enumerated { items, .. } = shape {
                    let number: i64 = plain.extract()?;
                    let item = items.iter().find(|item| item.number == number).map(|item| &*item.name);
                    let member = item.map(|name| members.get_item(name)).transpose()?.flatten();
                    return member
                        .ok_or_else(|| PyValueError::new_err(format!("{} {number} has no name", &*value.base().name)));
                }
                let (bits, names) = named_bits(value);
                let mut set = Vec::new();
                for one in names.iter().filter(|one| is_set(bits, one.number)) {
                    set.extend(members.get_item(&*one.name)?);
                }
                Ok(PyFrozenSet::new(py, set)?.into_any())
            }
            _ => self.plain(value),
        }
    }

    /// A name: one that has nothing unusual waits for its attributes.
    fn name(&self, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        let read = value.as_bytes().and_then(|der| Parsed::from_der(der).ok());
        match read.map(|name| Name::usual(self.py, &name)).transpose()?.flatten() {
            Some(name) => Ok(name),
            None => self.rows.name_of.bind(self.py).call1((self.plain(value)?,)),
        }
    }

    /// The URI of a statement, or a notice.
    fn qualifier(&self, components: &Components<'_>) -> PyResult<Bound<'py, PyAny>> {
        let id = components.get("policyQualifierId").and_then(|value| value.view::<Oid<'_>>());
        match (id, components.get("qualifier")) {
            (Some(oids::QT_CPS | oids::QT_UNOTICE), Some(value)) => self.value(value),
            (id, _) => {
                let id = id.map(|oid| oid.to_string()).unwrap_or_default();
                Err(PyValueError::new_err(format!("policy qualifier {id} is not known")))
            }
        }
    }
}

/// The bits of a BIT STRING, and their names.
fn named_bits<'v>(value: &'v Value<'_>) -> (BitStr<'v>, &'v [NamedNumber]) {
    let names: &[NamedNumber] = match &value.base().shape {
        Shape::BitString(names) => names,
        _ => &[],
    };
    (value.view::<BitStr<'_>>().unwrap_or(BitStr::EMPTY), names)
}

fn is_set(bits: BitStr<'_>, number: i64) -> bool {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    bits.as_bytes().get(number / 8).is_some_and(|octet| octet & 0x80 >> (number % 8) != 0)
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(encode_value, module)?)
}

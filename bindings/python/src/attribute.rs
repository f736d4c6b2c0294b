//! The attributes of names and their steps: native objects.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};
use tagwise::codec::{Decode as _, Oid};
use tagwise::pkix::{Name, oids};

use crate::fields::record;
use crate::quick;

record! {
    /// A type and a value.
    NameAttribute, "tagwise.x509.name", _oid set_oid as oid, _value set_value as value, _type set_type
}

record! {
    /// One step of a name.
    RelativeDistinguishedName, "tagwise.x509.name", _attributes set_attributes
}

/// The kinds of strings by their tags, and what makes the objects that are not made here.
struct Classes {
    kinds: Py<PyDict>,
    attribute: Py<PyAny>,
    step: Py<PyAny>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

impl Classes {
    fn get(py: Python<'_>) -> PyResult<&'static Self> {
        CLASSES.get_or_try_init(py, || {
            let module = py.import(intern!(py, "tagwise.x509.name"))?;
            Ok(Self {
                kinds: module.getattr("_TYPES")?.cast_into::<PyDict>()?.unbind(),
                attribute: module.getattr("attribute_of")?.unbind(),
                step: module.getattr("RelativeDistinguishedName")?.unbind(),
            })
        })
    }
}

/// Returns whether a text has a length that the package does not warn of (RFC 5280 §A.1; its constructor has the same bounds).
pub(crate) fn is_in_bounds(oid: Oid<'_>, text: &str) -> bool {
    match oid {
        oids::COUNTRY_NAME | oids::JURISDICTION_COUNTRY_NAME => text.len() == 2,
        oids::COMMON_NAME => (1..=64).contains(&text.len()),
        _ => true,
    }
}

/// The steps of a name in strict DER that has nothing but text; others are read in the general way, which tells what is wrong.
pub(crate) fn steps<'py>(py: Python<'py>, der: &[u8]) -> PyResult<Option<Bound<'py, PyList>>> {
    let Ok(name) = Name::from_der(der) else { return Ok(None) };
    let (classes, steps) = (Classes::get(py)?, PyList::empty(py));
    for step in name.0.iter() {
        let Ok(step) = step else { return Ok(None) };
        let attributes = PyList::empty(py);
        for attribute in step.0.iter() {
            let Ok(attribute) = attribute else { return Ok(None) };
            let (oid, tag) = (attribute.attr_type, attribute.value.tag());
            let (Some(text), false) = (attribute.text(), tag.is_constructed()) else { return Ok(None) };
            let kind = classes.kinds.bind(py).get_item(tag.number())?;
            let value = PyString::new(py, &text);
            attributes.append(match kind {
                Some(kind) if is_in_bounds(oid, &text) => {
                    NameAttribute::of(py, quick::identifier(py, oid)?, value.into_any(), kind)?
                }
                // It warns of the length, or tells what is wrong.
                _ => classes.attribute.bind(py).call1(((oid.to_string(), tag.number(), value),))?,
            })?;
        }
        steps.append(if attributes.len() == 1 {
            RelativeDistinguishedName::of(py, attributes.into_any())?
        } else {
            // It looks for duplicates.
            classes.step.bind(py).call1((attributes,))?
        })?;
    }
    Ok(Some(steps))
}

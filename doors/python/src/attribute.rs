//! Native objects for RDNs and their attributes.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use tagwise::codec::{Decode as _, Oid, Tag, Writer};
use tagwise::pkix::{Name, oids};

use crate::fields::record;
use crate::value::string;
use crate::{errors, input, objects};

record! {
    /// An attribute: a type and a value.
    NameAttribute, "tagwise.x509.name", _oid set_oid as oid, _value set_value as value, _type set_type
}

record! {
    /// A relative distinguished name (RDN).
    RelativeDistinguishedName, "tagwise.x509.name", _attributes set_attributes
}

impl NameAttribute {
    /// Returns the attribute's type, its value, and the string type of the value.
    pub(crate) fn parts<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        Ok((self._oid.get(py, "_oid")?, self._value.get(py, "_value")?, self._type.get(py, "_type")?))
    }
}

impl RelativeDistinguishedName {
    /// Returns the RDN's attributes.
    pub(crate) fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self._attributes.get(py, "_attributes")
    }
}

/// The string types by tag, and the constructors of objects that are not created in this module.
pub(crate) struct Classes {
    kinds: Py<PyDict>,
    /// The default string types, by the content bytes of the attribute type, for attribute types that require a particular one.
    own: Vec<(Vec<u8>, Py<PyAny>)>,
    usual: Py<PyAny>,
    pub(crate) attribute: Py<PyAny>,
    step: Py<PyAny>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

impl Classes {
    pub(crate) fn get(py: Python<'_>) -> PyResult<&'static Self> {
        CLASSES.get_or_try_init(py, || {
            let module = py.import(intern!(py, "tagwise.x509.name"))?;
            let own = module.getattr("_OWN_TYPE")?.cast_into::<PyDict>()?;
            let own = own.iter().map(|(dotted, kind)| Ok((input::oid(dotted.extract()?)?, kind.unbind())));
            Ok(Self {
                own: own.collect::<PyResult<_>>()?,
                usual: module.getattr("_USUAL_TYPE")?.unbind(),
                kinds: module.getattr("_TYPES")?.cast_into::<PyDict>()?.unbind(),
                attribute: module.getattr("attribute_of")?.unbind(),
                step: module.getattr("RelativeDistinguishedName")?.unbind(),
            })
        })
    }

    /// Returns the default string type for an attribute type, as in the constructor.
    pub(crate) fn usual_kind<'py>(&self, py: Python<'py>, oid: Oid<'_>) -> Bound<'py, PyAny> {
        let own = self.own.iter().find(|(content, _)| content == oid.as_bytes());
        own.map_or(&self.usual, |(_, kind)| kind).bind(py).clone()
    }
}

/// Returns the content bytes of an identifier.
pub(crate) fn content(oid: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let dotted = oid.getattr(intern!(oid.py(), "_dotted"))?;
    input::oid(dotted.cast::<PyString>()?.to_str()?)
}

/// Creates an RDN from attributes.
pub(crate) fn step(attributes: Bound<'_, PyList>) -> PyResult<Bound<'_, PyAny>> {
    let py = attributes.py();
    if attributes.len() == 1 {
        return RelativeDistinguishedName::of(py, attributes.into_any());
    }
    // It looks for duplicates.
    Classes::get(py)?.step.bind(py).call1((attributes,))
}

/// Creates an RDN for each attribute. Returns `None` if one of the items is not an attribute.
#[pyfunction]
fn steps_of<'py>(items: &Bound<'py, PyList>) -> PyResult<Option<Bound<'py, PyList>>> {
    let py = items.py();
    if !items.iter().all(|item| item.is_instance_of::<NameAttribute>()) {
        return Ok(None);
    }
    let steps = PyList::empty(py);
    for item in items {
        steps.append(RelativeDistinguishedName::of(py, PyList::new(py, [item])?.into_any())?)?;
    }
    Ok(Some(steps))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(steps_of, module)?)
}

/// The maximum length of a header, in bytes.
const HEADER: usize = 8;

/// Encodes a name in DER. Returns `None` if an RDN has several attributes, or the name is invalid.
pub(crate) fn encoded<'py>(steps: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let py = steps.py();
    let Ok(steps) = steps.cast::<PyList>() else { return Ok(None) };
    let (mut attributes, mut len) = (Vec::with_capacity(steps.len()), HEADER);
    for step in steps {
        let Ok(step) = step.cast::<RelativeDistinguishedName>() else { return Ok(None) };
        let step = step.get().attributes(py)?;
        let Some(attribute) = step.cast::<PyList>().ok().filter(|step| step.len() == 1) else { return Ok(None) };
        let attribute = attribute.get_item(0)?;
        let Ok(attribute) = attribute.cast::<NameAttribute>() else { return Ok(None) };
        let (oid, text, kind) = attribute.get().parts(py)?;
        let tag = kind.getattr(intern!(py, "_value_"))?.extract()?;
        // What is wrong with a text is told with its place by the tables.
        let (Ok(oid), Ok(value)) = (content(&oid), string(tag, &text)) else { return Ok(None) };
        let attribute = (oid, value);
        len = len.saturating_add(attribute.0.len()).saturating_add(attribute.1.len()).saturating_add(3 * HEADER);
        attributes.push(attribute);
    }
    let mut octets = vec![0; len];
    let mut writer = Writer::new(&mut octets);
    let written = attributes.iter().rev().try_for_each(|(oid, value)| {
        let end = writer.free();
        writer.bytes(value)?;
        writer.bytes(oid)?;
        writer.header(Tag::OBJECT_IDENTIFIER, oid.len())?;
        writer.header(Tag::SEQUENCE, end.saturating_sub(writer.free()))?;
        writer.header(Tag::SET, end.saturating_sub(writer.free()))
    });
    let written = written.and_then(|()| writer.header(Tag::SEQUENCE, len.saturating_sub(writer.free())));
    written.map_err(|error| errors::encoding(py, &error))?;
    let free = writer.free();
    let der = octets.get(free..).unwrap_or_default();
    // The characters of each type are checked by reading.
    Ok(Name::from_der(der).is_ok().then(|| PyBytes::new(py, der)))
}

/// Returns whether a text's length is within the bounds of its attribute type (RFC 5280 §A.1). If not, the package's constructor warns.
pub(crate) fn is_in_bounds(oid: Oid<'_>, text: &str) -> bool {
    match oid {
        oids::COUNTRY_NAME | oids::JURISDICTION_COUNTRY_NAME => text.len() == 2,
        oids::COMMON_NAME => (1..=64).contains(&text.len()),
        _ => true,
    }
}

/// Fast path: decodes the RDNs of a strictly DER-encoded name whose values are all strings. Returns `None` for other names, which the
/// general decoder decodes or rejects.
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
                    NameAttribute::of(py, objects::identifier(py, oid)?, value.into_any(), kind)?
                }
                // It warns of the length, or tells what is wrong.
                _ => classes.attribute.bind(py).call1(((oid.to_string(), tag.number(), value),))?,
            })?;
        }
        steps.append(self::step(attributes)?)?;
    }
    Ok(Some(steps))
}

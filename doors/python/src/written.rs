//! The usual values of extensions, and names, as they are written: element by element, without the tables of their types.
//!
//! Only what is as usual is written here; the tables write the rest, and tests hold both to each other.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tagwise::codec::{Decode, Tag, Writer};
use tagwise::pkix::Name;

use crate::attribute::{self, NameAttribute, RelativeDistinguishedName};
use crate::value::{element, named_bits, string};
use crate::{errors, input};

fn told<'py>(py: Python<'py>, tag: Tag, content: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &element(py, tag, content)?))
}

/// A SubjectKeyIdentifier: an OCTET STRING.
#[pyfunction]
fn write_subject_key<'py>(py: Python<'py>, key: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    told(py, Tag::OCTET_STRING, key)
}

/// An AuthorityKeyIdentifier that has nothing but the key's identifier, or nothing at all.
#[pyfunction]
fn write_authority_key<'py>(py: Python<'py>, key: Option<&[u8]>) -> PyResult<Bound<'py, PyBytes>> {
    let key = key.map(|key| element(py, Tag::context(0), key)).transpose()?;
    told(py, Tag::SEQUENCE, &key.unwrap_or_default())
}

/// BasicConstraints; cA is FALSE by DEFAULT.
#[pyfunction]
fn write_basic_constraints<'py>(
    py: Python<'py>,
    ca: bool,
    path_length: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut content = if ca { element(py, Tag::BOOLEAN, &[0xFF])? } else { Vec::new() };
    if let Some(number) = path_length {
        content.extend(element(py, Tag::INTEGER, &input::integer(number)?)?);
    }
    told(py, Tag::SEQUENCE, &content)
}

/// KeyUsage from its nine bits, the first of them the highest of sixteen.
#[pyfunction]
fn write_key_usage(py: Python<'_>, bits: u16) -> PyResult<Bound<'_, PyBytes>> {
    told(py, Tag::BIT_STRING, &named_bits(&bits.to_be_bytes()))
}

/// A list of object identifiers, as ExtendedKeyUsage is; there is at least one.
#[pyfunction]
fn write_identifiers<'py>(py: Python<'py>, identifiers: Vec<String>) -> PyResult<Bound<'py, PyBytes>> {
    let mut content = Vec::new();
    for dotted in &identifiers {
        content.extend(element(py, Tag::OBJECT_IDENTIFIER, &input::oid(dotted)?)?);
    }
    told(py, Tag::SEQUENCE, &content)
}

/// General names that are text: the number of the alternative, and the characters, which are ASCII; there is at least one.
#[pyfunction]
fn write_text_names<'py>(py: Python<'py>, names: Vec<(u32, String)>) -> PyResult<Bound<'py, PyBytes>> {
    let mut content = Vec::new();
    for (number, text) in &names {
        if !text.is_ascii() {
            return Err(errors::argument("the text has characters that its type does not allow"));
        }
        content.extend(element(py, Tag::context(*number), text.as_bytes())?);
    }
    told(py, Tag::SEQUENCE, &content)
}

/// A name in DER; nothing of one whose steps have several attributes, or of one that is wrong.
pub(crate) fn name<'py>(steps: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
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
        let (Ok(oid), Ok(value)) = (attribute::content(&oid), string(tag, &text)) else { return Ok(None) };
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

/// The most octets of a header.
const HEADER: usize = 8;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(write_subject_key, module)?)?;
    module.add_function(wrap_pyfunction!(write_authority_key, module)?)?;
    module.add_function(wrap_pyfunction!(write_basic_constraints, module)?)?;
    module.add_function(wrap_pyfunction!(write_key_usage, module)?)?;
    module.add_function(wrap_pyfunction!(write_identifiers, module)?)?;
    module.add_function(wrap_pyfunction!(write_text_names, module)?)
}

//! The usual values of extensions, and names, as they are written: element by element, without the tables of their types.
//!
//! Only what is as usual is written here; the tables write the rest, and tests hold both to each other.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::{Decode, Tag};
use tagwise::pkix::Name;

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
            return Err(errors::argument("the text has characters that its type does not have"));
        }
        content.extend(element(py, Tag::context(*number), text.as_bytes())?);
    }
    told(py, Tag::SEQUENCE, &content)
}

/// An attribute of a name: its type, the tag of its value, its text.
type Attribute<'py> = (String, u32, Bound<'py, PyAny>);

/// A name whose steps have one attribute each; nothing of another one, or of one that is wrong.
#[pyfunction]
fn write_name<'py>(py: Python<'py>, steps: Vec<Vec<Attribute<'py>>>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut content = Vec::new();
    for step in &steps {
        let [(oid, tag, text)] = step.as_slice() else { return Ok(None) };
        let mut attribute = element(py, Tag::OBJECT_IDENTIFIER, &input::oid(oid)?)?;
        // What is wrong with a text is told with its place by the tables.
        let Ok(value) = string(*tag, text) else { return Ok(None) };
        attribute.extend(value);
        content.extend(element(py, Tag::SET, &element(py, Tag::SEQUENCE, &attribute)?)?);
    }
    let der = element(py, Tag::SEQUENCE, &content)?;
    // The characters of each type are checked by reading.
    Ok(Name::from_der(&der).is_ok().then(|| PyBytes::new(py, &der)))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(write_subject_key, module)?)?;
    module.add_function(wrap_pyfunction!(write_authority_key, module)?)?;
    module.add_function(wrap_pyfunction!(write_basic_constraints, module)?)?;
    module.add_function(wrap_pyfunction!(write_key_usage, module)?)?;
    module.add_function(wrap_pyfunction!(write_identifiers, module)?)?;
    module.add_function(wrap_pyfunction!(write_text_names, module)?)?;
    module.add_function(wrap_pyfunction!(write_name, module)?)
}

//! Conversion between name objects and RFC 4514 text, in both directions.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use tagwise::codec::table::Typed as _;
use tagwise::codec::{Any, Decode as _, Fault, Oid, Options, SeqOf, SetOf};
use tagwise::pkix::Name;
use tagwise::pkix::name::{AttributeTypeAndValue, NameBuf, Parsed, RelativeDistinguishedName as Step, write_text};

use crate::attribute::{self, Classes, NameAttribute, RelativeDistinguishedName};
use crate::{errors, input, named, objects};

/// Returns the text of a DER-encoded name if all its values are strings, otherwise `None`.
pub(crate) fn of_der(der: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(der.len());
    let steps = Name::from_der(der).ok()?.0.iter().collect::<Result<Vec<_>, _>>().ok()?;
    for (number, step) in steps.iter().rev().enumerate() {
        separated(&mut text, number, ',');
        for (number, attribute) in step.0.iter().enumerate() {
            separated(&mut text, number, '+');
            let attribute = attribute.ok()?;
            write_text(attribute.attr_type, &attribute.text()?, &mut text).ok()?;
        }
    }
    Some(text)
}

fn separated(text: &mut String, number: usize, separator: char) {
    if number > 0 {
        text.push(separator);
    }
}

/// Returns the text of RDNs, or `None` if they include an object of a user-defined class or a value that is not a string.
pub(crate) fn of_steps(steps: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let py = steps.py();
    let Ok(steps) = steps.cast_exact::<PyList>() else { return Ok(None) };
    let mut text = String::new();
    for (number, step) in steps.iter().rev().enumerate() {
        separated(&mut text, number, ',');
        let Ok(step) = step.cast_exact::<RelativeDistinguishedName>() else { return Ok(None) };
        let attributes = step.get().attributes(py)?;
        let Ok(attributes) = attributes.cast_exact::<PyList>() else { return Ok(None) };
        for (number, attribute) in attributes.iter().enumerate() {
            separated(&mut text, number, '+');
            let Ok(attribute) = attribute.cast_exact::<NameAttribute>() else { return Ok(None) };
            let (oid, value, _) = attribute.get().parts(py)?;
            // Surrogates have no UTF-8.
            let Some(value) = value.cast_exact::<PyString>().ok().and_then(|value| value.to_str().ok()) else {
                return Ok(None);
            };
            // The text of a huge identifier may be none that can be read.
            let Ok(octets) = attribute::content(&oid) else { return Ok(None) };
            let Ok(oid) = Oid::from_content(&octets) else { return Ok(None) };
            if write_text(oid, value, &mut text).is_err() {
                return Ok(None);
            }
        }
    }
    Ok(Some(text))
}

/// Parses a name's text and returns its RDNs. `types` adds names for attribute types.
#[pyfunction]
fn parse_name<'py>(py: Python<'py>, text: &str, types: Vec<(String, String)>) -> PyResult<Bound<'py, PyList>> {
    let types = types.iter().map(|(name, oid)| Ok((name.as_str(), input::oid(oid)?))).collect::<PyResult<Vec<_>>>()?;
    let named = |wanted: &str| types.iter().find(|(name, _)| *name == wanted).map(|(_, oid)| oid.clone());
    let parsed = Parsed::steps(text, &named).map_err(|error| errors::argument(error.to_string()))?;
    let steps = PyList::empty(py);
    for step in &parsed {
        let attributes = PyList::empty(py);
        for attribute in step {
            attributes.append(read(py, attribute)?)?;
        }
        steps.append(attribute::step(attributes)?)?;
    }
    Ok(steps)
}

/// Creates an attribute from text. It has the default string type of its attribute type, unless the text contains an encoding.
fn read<'py>(py: Python<'py>, parsed: &Parsed) -> PyResult<Bound<'py, PyAny>> {
    let wrong = |fault: Fault| errors::argument(fault.kind().text());
    let (classes, oid) = (Classes::get(py)?, Oid::from_content(&parsed.attr_type).map_err(wrong)?);
    let Some(text) = &parsed.text else {
        let value = Any::from_der(&parsed.value).map_err(|error| errors::decoding(py, &error))?;
        let attributes = [AttributeTypeAndValue { attr_type: oid, value }];
        let name = NameBuf::new(&Name(SeqOf::from_slice(&[Step(SetOf::from_slice(&attributes))])));
        let der = name.map_err(|error| errors::encoding(py, &error))?.into_der();
        let der = PyBytes::new(py, &der).into_any();
        let plain = named::read(py, Name::ty(), &der, Options::der())?;
        return classes.attribute.bind(py).call1((plain.get_item(0)?.get_item(0)?,));
    };
    let (identifier, value) = (objects::identifier(py, oid)?, PyString::new(py, text).into_any());
    if attribute::is_in_bounds(oid, text) {
        return NameAttribute::of(py, identifier, value, classes.usual_kind(py, oid));
    }
    // Its constructor tells what is wrong.
    py.get_type::<NameAttribute>().call1((identifier, value))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_name, module)?)
}

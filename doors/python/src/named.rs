//! Types by name: decoding and encoding with their schema tables.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::table::{Shape, Type, Typed};
use tagwise::codec::value::Dynamic;
use tagwise::codec::{Arena, Oid, Options};
use tagwise::pkix::pss::RsassaPssParams;
use tagwise::pkix::{AlgorithmIdentifier, Name, SubjectPublicKeyInfo, ext};

use crate::value::{Making, View, to_py};
use crate::{errors, input};

/// Returns one of the types that the package accesses by name.
fn named(name: &str) -> PyResult<&'static Type> {
    Ok(match name {
        "Name" => Name::ty(),
        "AlgorithmIdentifier" => AlgorithmIdentifier::ty(),
        "SubjectPublicKeyInfo" => SubjectPublicKeyInfo::ty(),
        "RSASSA-PSS-params" => RsassaPssParams::ty(),
        "CRLReason" => ext::CrlReason::ty(),
        _ => return Err(PyKeyError::new_err(name.to_owned())),
    })
}

/// Decodes a value of the given type.
pub(crate) fn read<'py>(
    py: Python<'py>,
    ty: &'static Type,
    der: &Bound<'py, PyAny>,
    options: Options<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let der = input::bytes(der)?;
    let dynamic = Dynamic::new(ty).options(options);
    let read = dynamic.decode(der.as_bytes()).map_err(|error| errors::decoding(py, &error))?;
    to_py(py, View::plain(dynamic.types()), &read.value)
}

/// Encodes a Python value as the given type.
pub(crate) fn write<'py>(
    py: Python<'py>,
    ty: &'static Type,
    object: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let arena = Arena::new();
    let dynamic = Dynamic::new(ty);
    let value = Making::new(dynamic.types(), &arena).value(ty, object)?;
    let der = dynamic.encode(&value).map_err(|error| errors::encoding(py, &error))?;
    Ok(PyBytes::new(py, &der))
}

#[pyfunction]
#[pyo3(signature = (name, der, allow = Vec::new()))]
fn decode<'py>(
    py: Python<'py>,
    name: &str,
    der: &Bound<'py, PyAny>,
    allow: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    read(py, named(name)?, der, input::allowed(&allow)?)
}

#[pyfunction]
fn encode<'py>(py: Python<'py>, name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    write(py, named(name)?, value)
}

/// Returns the name of an object identifier, and its short name.
#[pyfunction]
fn oid_names(dotted: &str) -> PyResult<Option<(&'static str, Option<&'static str>)>> {
    let octets = input::oid(dotted)?;
    let oid = Oid::from_content(&octets).map_err(|fault| errors::argument(fault.kind().text()))?;
    Ok(tagwise::pkix::oids::lookup(oid).map(|info| (info.name, info.short)))
}

/// Returns the object identifier with the given name, in dotted form.
#[pyfunction]
fn oid_by_name(name: &str) -> PyResult<String> {
    let info = tagwise::pkix::oids::by_name(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    Ok(info.oid.to_string())
}

/// Converts the content bytes of an object identifier to dotted form.
#[pyfunction]
fn oid_of_content(content: &[u8]) -> PyResult<String> {
    let oid = Oid::from_content(content).map_err(|fault| errors::argument(fault.kind().text()))?;
    Ok(oid.to_string())
}

/// Returns the named numbers of an ENUMERATED.
#[pyfunction]
fn named_numbers(name: &str) -> PyResult<Vec<(&'static str, i64)>> {
    let Shape::Enumerated { items, .. } = &named(name)?.shape else { return Err(PyKeyError::new_err(name.to_owned())) };
    Ok(items.iter().map(|one| (&*one.name, one.number)).collect())
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(oid_names, module)?)?;
    module.add_function(wrap_pyfunction!(oid_by_name, module)?)?;
    module.add_function(wrap_pyfunction!(named_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(oid_of_content, module)?)?;
    module.add_function(wrap_pyfunction!(decode, module)?)?;
    module.add_function(wrap_pyfunction!(encode, module)?)
}

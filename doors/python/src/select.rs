//! Selects parts of a value by path, and converts a value to JSON.

use pyo3::prelude::*;
use pyo3::types::PyList;
use tagwise::codec::table::{Type, Typed};
use tagwise::codec::value::{Dynamic, from_dotted};
use tagwise::codec::{OpenType, UnixTime};
use tagwise::input::{ValueKind, find};
use tagwise::pkix::csr::CertificationRequest;
use tagwise::pkix::ext::ExtensionValue;
use tagwise::pkix::ocsp::{OcspRequest, OcspResponse};
use tagwise::pkix::{Certificate, CertificateList, oids};
use tagwise::show::named::{self, Named};
use tagwise::show::tree::Value;
use tagwise::show::{Lens, Scene, report};

use crate::value::{View, to_py};
use crate::{errors, input};

/// Returns the type of the values that a package class represents.
pub(crate) fn whole(kind: &str) -> PyResult<&'static Type> {
    Ok(match kind {
        "Certificate" => Certificate::ty(),
        "CertificateList" => CertificateList::ty(),
        "CertificationRequest" => CertificationRequest::ty(),
        "OCSPRequest" => OcspRequest::ty(),
        "OCSPResponse" => OcspResponse::ty(),
        _ => return Err(errors::argument(format!("unknown type `{kind}`"))),
    })
}

/// Finds an identifier by its name, its short name, the name of its extension's type, or its dotted form.
fn identifier(text: &str) -> Option<Vec<u8>> {
    let by_name = || oids::by_name(text).map(|info| info.oid.as_bytes().to_vec());
    let by_type = || {
        let objects = &ExtensionValue::set().objects;
        objects.iter().find(|object| object.name.eq_ignore_ascii_case(text)).map(|object| object.key.to_vec())
    };
    from_dotted(text).or_else(by_name).or_else(by_type)
}

/// The values that a path or a customary name leads to, each with its own path.
#[pyfunction]
fn select<'py>(
    py: Python<'py>,
    kind: &str,
    der: &[u8],
    path: &str,
    allow: Vec<String>,
) -> PyResult<Bound<'py, PyList>> {
    let ty = whole(kind)?;
    let dynamic = Dynamic::new(ty).options(input::options(&allow)?);
    let selected = found(py, &dynamic, der, path, false);
    // Components come first: signatureAlgorithm is also a customary name.
    let (Some(field), Some(kind), true) = (named::field(path), ValueKind::of_type(ty), selected.is_err()) else {
        return selected;
    };
    let value = Named::read(kind, der, input::rules(&allow)?).map_err(|error| errors::decoding(py, &error))?;
    let Some(value) = value else { return selected };
    let lines = field.texts(&value).map_err(|error| errors::decoding(py, &error))?;
    PyList::new(py, lines.iter().map(|line| (path, line)))
}

/// Returns the values at a path in the encoding of a type.
pub(crate) fn found<'py>(
    py: Python<'py>,
    dynamic: &Dynamic<'_>,
    der: &[u8],
    path: &str,
    moments: bool,
) -> PyResult<Bound<'py, PyList>> {
    let read = dynamic.decode(der).map_err(|error| errors::decoding(py, &error))?;
    let (types, view) = (dynamic.types(), View { types: dynamic.types(), moments });
    let found = read.value.select(types, path, &identifier).map_err(|error| errors::argument(error.to_string()))?;
    let list = PyList::empty(py);
    for found in &found {
        let value = match (found.value, found.default) {
            (Some(value), _) => Some(to_py(py, view, value)?),
            (None, Some(field)) => types.with_default(field, |value| to_py(py, view, value)).transpose()?,
            (None, None) => None,
        };
        list.append((found.path.as_str(), value))?;
    }
    Ok(list)
}

/// Returns a value in the JSON form of `tagwise show`. `now` is the time for its validity.
#[pyfunction]
#[pyo3(signature = (der, now, allow = Vec::new(), entries = None))]
fn to_json(der: &[u8], now: i64, allow: Vec<String>, entries: Option<usize>) -> PyResult<String> {
    let rules = input::rules(&allow)?;
    let found = find(der, rules);
    let item = found.items.first().ok_or_else(|| errors::argument("nothing to show"))?;
    let scene = Scene {
        lens: Lens::new(rules),
        now: UnixTime(now),
        entries,
        depth: 0,
        proof: Some(tagwise::mtc::show::proof),
        verify: Some(tagwise::show::verify),
    };
    let report = report(item, (1, 1), "", rules, &scene);
    serde_json::to_string(&Value::Record(report.record)).map_err(|error| errors::argument(error.to_string()))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(select, module)?)?;
    module.add_function(wrap_pyfunction!(to_json, module)?)
}

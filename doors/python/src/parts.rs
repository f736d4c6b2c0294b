//! Requests and OCSP messages as dictionaries of their parts. Constructed parts are represented by their encodings.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use tagwise::codec::table::Typed;
use tagwise::codec::{Any, Decode, Error, Options};
use tagwise::pkix::Extensions;
use tagwise::pkix::csr::CertificationRequest;
use tagwise::pkix::ext::Attribute;
use tagwise::pkix::ocsp::{CertId, OcspRequest, OcspResponse, Request};

use crate::certificate::{placed, told};
use crate::{errors, extension, input, lenient};

#[pyfunction]
#[pyo3(signature = (der, allow = Vec::new()))]
fn request_parts<'py>(py: Python<'py>, der: &Bound<'py, PyAny>, allow: Vec<String>) -> PyResult<Bound<'py, PyDict>> {
    let der = input::bytes(der)?;
    let options = input::options(&allow)?;
    let located = |error: Error| errors::in_whole::<CertificationRequest<'_>>(py, &error, der.as_bytes(), &options);
    let read = options.outline::<CertificationRequest<'_>>(der.as_bytes());
    let read = read.map_err(|error| errors::decoding(py, &error))?;
    let deviations = lenient::deviations::<CertificationRequest<'_>>(read.deviations, der.as_bytes(), &options, &allow);
    let request = read.value;
    let info = request.certification_request_info;
    let attributes = PyList::empty(py);
    let listed = lenient::items::<Attribute<'_>>(info.attributes.content(), info.attributes.offset(), &options);
    for attribute in listed.map_err(located)? {
        let values = PyList::empty(py);
        let listed = lenient::items::<Any<'_>>(attribute.values.content(), attribute.values.offset(), &options);
        for value in listed.map_err(located)? {
            let content = PyBytes::new(py, value.content());
            values.append((value.tag().number(), content, PyBytes::new(py, value.as_bytes()), value.offset()))?;
        }
        attributes.append((attribute.attr_type.to_string(), values))?;
    }
    let parts = PyDict::new(py);
    parts.set_item(intern!(py, "deviations"), told(py, &deviations)?)?;
    parts.set_item(intern!(py, "tbs"), PyBytes::new(py, info.as_bytes()))?;
    parts.set_item(intern!(py, "version"), info.version.0)?;
    parts.set_item(intern!(py, "subject"), placed(py, &info.subject)?)?;
    parts.set_item(intern!(py, "public_key_info"), lenient::key(py, &info.subject_pk_info, &options)?)?;
    parts.set_item(intern!(py, "attributes"), attributes)?;
    parts.set_item(intern!(py, "algorithm"), lenient::algorithm(py, &request.signature_algorithm, &options)?)?;
    parts.set_item(intern!(py, "signature"), PyBytes::new(py, request.signature.as_bytes()))?;
    Ok(parts)
}

pub(crate) fn cert_id<'py>(py: Python<'py>, parts: &Bound<'py, PyDict>, id: &CertId<'_>) -> PyResult<()> {
    parts.set_item(intern!(py, "hash_algorithm"), id.hash_algorithm.algorithm.to_string())?;
    parts.set_item(intern!(py, "issuer_name_hash"), PyBytes::new(py, id.issuer_name_hash.as_bytes()))?;
    parts.set_item(intern!(py, "issuer_key_hash"), PyBytes::new(py, id.issuer_key_hash.as_bytes()))?;
    parts.set_item(intern!(py, "serial_number"), input::number(py, id.serial_number.as_bytes())?)
}

/// Reads the extensions in a message's list.
pub(crate) fn extensions<'py, 'a, T: Decode<'a> + Typed>(
    py: Python<'py>,
    extensions: Option<&Extensions<'_>>,
    options: &Options<'_>,
    whole: &'a [u8],
) -> PyResult<Bound<'py, PyList>> {
    let frames = extension::listed(extensions, 0, options, |error| errors::in_whole::<T>(py, error, whole, options));
    extension::told(py, frames?)
}

#[pyfunction]
#[pyo3(signature = (der, allow = Vec::new()))]
fn ocsp_request_parts<'py>(
    py: Python<'py>,
    der: &Bound<'py, PyAny>,
    allow: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let der = input::bytes(der)?;
    let options = input::options(&allow)?;
    let whole = der.as_bytes();
    let read = options.outline::<OcspRequest<'_>>(der.as_bytes());
    let read = read.map_err(|error| errors::decoding(py, &error))?;
    let deviations = lenient::deviations::<OcspRequest<'_>>(read.deviations, der.as_bytes(), &options, &allow);
    let request = read.value;
    let tbs = request.tbs_request;
    let requests = PyList::empty(py);
    let listed = lenient::items::<Request<'_>>(tbs.request_list.content(), tbs.request_list.offset(), &options);
    for request in listed.map_err(|error| errors::in_whole::<OcspRequest<'_>>(py, &error, whole, &options))? {
        let parts = PyDict::new(py);
        cert_id(py, &parts, &request.req_cert)?;
        requests.append(parts)?;
    }
    let parts = PyDict::new(py);
    parts.set_item(intern!(py, "version"), tbs.version.0)?;
    parts.set_item(intern!(py, "deviations"), told(py, &deviations)?)?;
    parts.set_item(intern!(py, "requests"), requests)?;
    parts.set_item(
        intern!(py, "extensions"),
        extensions::<OcspRequest<'_>>(py, tbs.request_extensions.as_ref(), &options, whole)?,
    )?;
    Ok(parts)
}

/// Checks all bytes of a request or OCSP message, with the rules with which it was read.
#[pyfunction]
#[pyo3(signature = (kind, der, allow = Vec::new()))]
fn check(py: Python<'_>, kind: &str, der: &Bound<'_, PyAny>, allow: Vec<String>) -> PyResult<()> {
    let der = input::bytes(der)?;
    let (octets, options) = (der.as_bytes(), input::options(&allow)?);
    let checked = match kind {
        "CertificationRequest" => options.decode::<CertificationRequest<'_>>(octets).map(|_| ()),
        "OCSPRequest" => options.decode::<OcspRequest<'_>>(octets).map(|_| ()),
        "OCSPResponse" => options.decode::<OcspResponse<'_>>(octets).map(|_| ()),
        _ => return Err(errors::argument(format!("unknown type `{kind}`"))),
    };
    checked.map_err(|error| errors::decoding(py, &error))
}

/// Returns the path of the component of a request or OCSP message to which a byte belongs.
#[pyfunction]
fn path_at(kind: &str, der: &[u8], offset: usize) -> PyResult<String> {
    let ty = crate::select::whole(kind)?;
    Ok(tagwise::codec::path_at(ty, der, offset))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(path_at, module)?)?;
    module.add_function(wrap_pyfunction!(request_parts, module)?)?;
    module.add_function(wrap_pyfunction!(ocsp_request_parts, module)?)
}

//! Requests and OCSP messages as dictionaries of their parts: what has parts of its own is its encoding.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use tagwise::pkix::csr::CertificationRequest;
use tagwise::pkix::ocsp::{CertId, CertStatus, OcspRequest, OcspResponse, ResponderId, Response, SingleResponse};

use crate::certificate::{encoded, name};
use crate::{errors, extension, input};

#[pyfunction]
#[pyo3(signature = (der, allow = Vec::new()))]
fn request_parts<'py>(py: Python<'py>, der: &Bound<'py, PyAny>, allow: Vec<String>) -> PyResult<Bound<'py, PyDict>> {
    let der = input::bytes(der)?;
    let read = input::options(&allow)?.outline::<CertificationRequest<'_>>(der.as_bytes());
    let request = read.map_err(|error| errors::decoding(py, &error))?.value;
    let info = request.certification_request_info;
    let attributes = PyList::empty(py);
    for attribute in info.attributes.iter() {
        let attribute = attribute.map_err(|error| errors::decoding(py, &error))?;
        let values = PyList::empty(py);
        for value in attribute.values.iter() {
            let value = value.map_err(|error| errors::decoding(py, &error))?;
            let content = PyBytes::new(py, value.content());
            values.append((value.tag().number(), content, PyBytes::new(py, value.as_bytes()), value.offset()))?;
        }
        attributes.append((attribute.attr_type.to_string(), values))?;
    }
    let parts = PyDict::new(py);
    parts.set_item("tbs", PyBytes::new(py, info.as_bytes()))?;
    parts.set_item("version", info.version.0)?;
    parts.set_item("subject", name(py, &info.subject)?)?;
    parts.set_item("public_key_info", encoded(py, &info.subject_pk_info)?)?;
    parts.set_item("attributes", attributes)?;
    parts.set_item("algorithm", encoded(py, &request.signature_algorithm)?)?;
    parts.set_item("signature", PyBytes::new(py, request.signature.as_bytes()))?;
    Ok(parts)
}

fn cert_id<'py>(py: Python<'py>, parts: &Bound<'py, PyDict>, id: &CertId<'_>) -> PyResult<()> {
    parts.set_item("hash_algorithm", id.hash_algorithm.algorithm.to_string())?;
    parts.set_item("issuer_name_hash", PyBytes::new(py, id.issuer_name_hash.as_bytes()))?;
    parts.set_item("issuer_key_hash", PyBytes::new(py, id.issuer_key_hash.as_bytes()))?;
    parts.set_item("serial_number", input::number(py, id.serial_number.as_bytes())?)
}

#[pyfunction]
fn ocsp_request_parts<'py>(py: Python<'py>, der: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let der = input::bytes(der)?;
    let read = input::options(&[])?.outline::<OcspRequest<'_>>(der.as_bytes());
    let request = read.map_err(|error| errors::decoding(py, &error))?.value;
    let tbs = request.tbs_request;
    let requests = PyList::empty(py);
    for request in tbs.request_list.iter() {
        let request = request.map_err(|error| errors::decoding(py, &error))?;
        let parts = PyDict::new(py);
        cert_id(py, &parts, &request.req_cert)?;
        requests.append(parts)?;
    }
    let parts = PyDict::new(py);
    parts.set_item("version", tbs.version.0)?;
    parts.set_item("requests", requests)?;
    parts.set_item("extensions", extension::listed(py, tbs.request_extensions.as_ref())?)?;
    Ok(parts)
}

fn single<'py>(py: Python<'py>, response: &SingleResponse<'_>) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    cert_id(py, &parts, &response.cert_id)?;
    let (status, since, reason) = match response.cert_status {
        CertStatus::Good => (0, None, None),
        CertStatus::Revoked(revoked) => {
            (1, Some(revoked.revocation_time.unix().0), revoked.revocation_reason.map(|reason| reason as u8))
        }
        CertStatus::Unknown(_) => (2, None, None),
    };
    parts.set_item("status", status)?;
    parts.set_item("revocation_time", since)?;
    parts.set_item("revocation_reason", reason)?;
    parts.set_item("this_update", response.this_update.unix().0)?;
    parts.set_item("next_update", response.next_update.map(|time| time.unix().0))?;
    parts.set_item("extensions", extension::listed(py, response.single_extensions.as_ref())?)?;
    Ok(parts)
}

/// A response: its status, and if it was successful, what is in it.
#[pyfunction]
fn ocsp_response_parts<'py>(py: Python<'py>, der: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let der = input::bytes(der)?;
    let options = input::options(&[])?;
    let read = options.outline::<OcspResponse<'_>>(der.as_bytes());
    let response = read.map_err(|error| errors::decoding(py, &error))?.value;
    let parts = PyDict::new(py);
    parts.set_item("status", response.response_status as u8)?;
    let Some(bytes) = response.response_bytes else { return Ok(parts) };
    parts.set_item("type", bytes.response_type.to_string())?;
    let Response::Response(basic) = bytes.response.get().map_err(|error| errors::decoding(py, &error))? else {
        return Ok(parts);
    };
    let data = basic.tbs_response_data;
    let responses = PyList::empty(py);
    for response in data.responses.iter() {
        responses.append(single(py, &response.map_err(|error| errors::decoding(py, &error))?)?)?;
    }
    let certificates = PyList::empty(py);
    for certificate in basic.certs.into_iter().flat_map(|list| list.iter()) {
        certificates.append(encoded(py, &certificate.map_err(|error| errors::decoding(py, &error))?)?)?;
    }
    let (by_name, by_key) = match data.responder_id {
        ResponderId::ByName(by_name) => (Some(name(py, &by_name)?), None),
        ResponderId::ByKey(key) => (None, Some(PyBytes::new(py, key.as_bytes()))),
    };
    parts.set_item("version", data.version.0)?;
    parts.set_item("tbs", PyBytes::new(py, data.as_bytes()))?;
    parts.set_item("algorithm", encoded(py, &basic.signature_algorithm)?)?;
    parts.set_item("signature", PyBytes::new(py, basic.signature.as_bytes()))?;
    parts.set_item("certificates", certificates)?;
    parts.set_item("responder_name", by_name)?;
    parts.set_item("responder_key", by_key)?;
    parts.set_item("produced_at", data.produced_at.unix().0)?;
    parts.set_item("responses", responses)?;
    parts.set_item("extensions", extension::listed(py, data.response_extensions.as_ref())?)?;
    Ok(parts)
}

/// The path of the component that a byte of a request or of an OCSP message belongs to.
#[pyfunction]
fn path_at(kind: &str, der: &[u8], offset: usize) -> PyResult<String> {
    let ty = crate::select::whole(kind)?;
    Ok(tagwise::codec::path_at(ty, der, offset))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(path_at, module)?)?;
    module.add_function(wrap_pyfunction!(request_parts, module)?)?;
    module.add_function(wrap_pyfunction!(ocsp_request_parts, module)?)?;
    module.add_function(wrap_pyfunction!(ocsp_response_parts, module)?)
}

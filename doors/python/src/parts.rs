//! Requests and OCSP messages as dictionaries of their parts. Constructed parts are represented by their encodings.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use tagwise::codec::table::Typed;
use tagwise::codec::{Any, Decode, Error, Options};
use tagwise::pkix::Extensions;
use tagwise::pkix::csr::CertificationRequest;
use tagwise::pkix::ext::Attribute;
use tagwise::pkix::ocsp::{
    BasicOcspResponse, CertId, CertStatus, ID_PKIX_OCSP_BASIC, OcspRequest, OcspResponse, Request, ResponderId,
    SingleResponse,
};

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

fn cert_id<'py>(py: Python<'py>, parts: &Bound<'py, PyDict>, id: &CertId<'_>) -> PyResult<()> {
    parts.set_item(intern!(py, "hash_algorithm"), id.hash_algorithm.algorithm.to_string())?;
    parts.set_item(intern!(py, "issuer_name_hash"), PyBytes::new(py, id.issuer_name_hash.as_bytes()))?;
    parts.set_item(intern!(py, "issuer_key_hash"), PyBytes::new(py, id.issuer_key_hash.as_bytes()))?;
    parts.set_item(intern!(py, "serial_number"), input::number(py, id.serial_number.as_bytes())?)
}

/// Reads the extensions in a message's list.
fn extensions<'py, 'a, T: Decode<'a> + Typed>(
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

fn single<'py>(
    py: Python<'py>,
    response: &SingleResponse<'_>,
    options: &Options<'_>,
    whole: &[u8],
) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    cert_id(py, &parts, &response.cert_id)?;
    let (status, since, reason) = match response.cert_status {
        CertStatus::Good => (0, None, None),
        CertStatus::Revoked(revoked) => {
            (1, Some(revoked.revocation_time.unix().0), revoked.revocation_reason.map(|reason| reason as u8))
        }
        CertStatus::Unknown(_) => (2, None, None),
    };
    parts.set_item(intern!(py, "status"), status)?;
    parts.set_item(intern!(py, "revocation_time"), since)?;
    parts.set_item(intern!(py, "revocation_reason"), reason)?;
    parts.set_item(intern!(py, "this_update"), response.this_update.unix().0)?;
    parts.set_item(intern!(py, "next_update"), response.next_update.map(|time| time.unix().0))?;
    parts.set_item(
        intern!(py, "extensions"),
        extensions::<OcspResponse<'_>>(py, response.single_extensions.as_ref(), options, whole)?,
    )?;
    Ok(parts)
}

/// Reads a response: its status and, if it was successful, its content.
#[pyfunction]
#[pyo3(signature = (der, allow = Vec::new()))]
fn ocsp_response_parts<'py>(
    py: Python<'py>,
    der: &Bound<'py, PyAny>,
    allow: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let der = input::bytes(der)?;
    let options = input::options(&allow)?;
    let whole = der.as_bytes();
    let located = |error: Error| errors::in_whole::<OcspResponse<'_>>(py, &error, whole, &options);
    let read = options.outline::<OcspResponse<'_>>(der.as_bytes());
    let read = read.map_err(|error| errors::decoding(py, &error))?;
    let deviations = lenient::deviations::<OcspResponse<'_>>(read.deviations, der.as_bytes(), &options, &allow);
    let response = read.value;
    let parts = PyDict::new(py);
    parts.set_item(intern!(py, "deviations"), told(py, &deviations)?)?;
    parts.set_item(intern!(py, "status"), response.response_status as u8)?;
    let Some(bytes) = response.response_bytes else { return Ok(parts) };
    parts.set_item(intern!(py, "type"), bytes.response_type.to_string())?;
    if bytes.response_type != ID_PKIX_OCSP_BASIC {
        return Ok(parts);
    }
    let (content, base) = (bytes.response.as_bytes(), bytes.response.offset());
    let basic = lenient::with_reader(content, base, &options, |reader| reader.read::<BasicOcspResponse<'_>>());
    let basic = basic.map_err(|fault| located(Error::locate_at(fault, BasicOcspResponse::ty(), content, base)))?;
    let data = basic.tbs_response_data;
    let responses = PyList::empty(py);
    let listed = lenient::items::<SingleResponse<'_>>(data.responses.content(), data.responses.offset(), &options);
    for response in listed.map_err(located)? {
        responses.append(single(py, &response, &options, whole)?)?;
    }
    let certificates = PyList::empty(py);
    if let Some(certs) = basic.certs {
        // They are certificates by themselves, and read by the rules that they are asked for with.
        for certificate in lenient::items::<Any<'_>>(certs.content(), certs.offset(), &options).map_err(located)? {
            certificates.append(PyBytes::new(py, certificate.as_bytes()))?;
        }
    }
    let (by_name, by_key) = match data.responder_id {
        ResponderId::ByName(by_name) => (Some(placed(py, &by_name)?), None),
        ResponderId::ByKey(key) => (None, Some(PyBytes::new(py, key.as_bytes()))),
    };
    parts.set_item(intern!(py, "version"), data.version.0)?;
    parts.set_item(intern!(py, "tbs"), PyBytes::new(py, data.as_bytes()))?;
    parts.set_item(intern!(py, "algorithm"), lenient::algorithm(py, &basic.signature_algorithm, &options)?)?;
    parts.set_item(intern!(py, "signature"), PyBytes::new(py, basic.signature.as_bytes()))?;
    parts.set_item(intern!(py, "certificates"), certificates)?;
    parts.set_item(intern!(py, "responder_name"), by_name)?;
    parts.set_item(intern!(py, "responder_key"), by_key)?;
    parts.set_item(intern!(py, "produced_at"), data.produced_at.unix().0)?;
    parts.set_item(intern!(py, "responses"), responses)?;
    parts.set_item(
        intern!(py, "extensions"),
        extensions::<OcspResponse<'_>>(py, data.response_extensions.as_ref(), &options, whole)?,
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
    module.add_function(wrap_pyfunction!(ocsp_request_parts, module)?)?;
    module.add_function(wrap_pyfunction!(ocsp_response_parts, module)?)
}

//! Time stamps (RFC 3161, RFC 5816).

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::crypto::backends::AwsLc;
use tagwise::crypto::cms::VerifyOptions;
use tagwise::crypto::tsp::{Expected, Stamping, reply, request, verify};
use tagwise::pkix::UnixTime;
use tagwise::pkix::build::SerialNumber;
use tagwise::pkix::cms::Limits;

use super::{certificate, digest, failure, oid, signer};
use crate::{errors, input};

/// Creates a time-stamp request for a digest.
#[pyfunction]
fn tsp_request<'py>(
    py: Python<'py>,
    algorithm: &str,
    hash: &[u8],
    policy: Option<String>,
    with_certificate: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let policy = policy.as_deref().map(input::oid).transpose()?;
    let policy = policy.as_deref().map(oid).transpose()?;
    let made = request(&AwsLc::new(), digest(algorithm)?, hash, policy, with_certificate);
    Ok(PyBytes::new(py, &made.map_err(|error| failure::tsp(py, error))?))
}

/// Creates the response to a time-stamp request.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the parts of an authority")]
fn tsp_reply<'py>(
    py: Python<'py>,
    message: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    public_key_info: &[u8],
    algorithm: &[u8],
    authority: &[u8],
    certificates: Vec<Vec<u8>>,
    policy: &str,
    time: i64,
    accuracy: Option<u32>,
    allow_validity: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let message = input::bytes(message)?;
    let message = message.as_bytes();
    let signer = signer::made(key, public_key_info, algorithm)?;
    let certificate = certificate(py, authority)?;
    let certificates: Vec<&[u8]> = certificates.iter().map(Vec::as_slice).collect();
    let policy = input::oid(policy)?;
    let stamping = Stamping {
        signer: &*signer,
        certificate: &certificate,
        certificates: &certificates,
        policy: oid(&policy)?,
        serial: SerialNumber::generate().map_err(|error| failure::build(py, &error))?,
        time: UnixTime(time),
        accuracy,
        allow_validity,
    };
    let response = py.detach(|| reply(&AwsLc::new(), message, &stamping));
    Ok(PyBytes::new(py, &response.map_err(|error| failure::tsp(py, error))?))
}

/// A verified time stamp: time, nanoseconds, serial number, policy, certificate, objections, certificates, all stamped digests, CRLs,
/// OCSP responses, and the time with the accuracy.
type Stamped<'py> = (
    i64,
    u32,
    Bound<'py, PyAny>,
    String,
    Bound<'py, PyBytes>,
    Vec<String>,
    Vec<Bound<'py, PyBytes>>,
    Bound<'py, PyBytes>,
    Vec<Bound<'py, PyBytes>>,
    Vec<Bound<'py, PyBytes>>,
    i64,
);

/// Verifies a time stamp against a request, against data, or against a digest with the named algorithm.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the inputs of verification")]
fn tsp_verify<'py>(
    py: Python<'py>,
    response: &Bound<'py, PyAny>,
    kind: &str,
    expected: &Bound<'py, PyAny>,
    algorithm: Option<String>,
    certificates: Vec<Vec<u8>>,
    at: Option<i64>,
    legacy: bool,
    limits: (usize, usize),
) -> PyResult<Stamped<'py>> {
    let (response, expected) = (input::bytes(response)?, input::bytes(expected)?);
    let (response, octets) = (response.as_bytes(), expected.as_bytes());
    let expected = match (kind, &algorithm) {
        ("request", _) => Expected::Request(octets),
        ("data", _) => Expected::Data(octets),
        ("digest", Some(algorithm)) => Expected::Digest(digest(algorithm)?, octets),
        _ => return Err(errors::argument("give exactly one of a request, data and a digest")),
    };
    let certificates: Vec<&[u8]> = certificates.iter().map(Vec::as_slice).collect();
    let limits = Limits { element: limits.0, total: limits.1 };
    let options =
        VerifyOptions { certificates: &certificates, at: at.map(UnixTime), legacy, limits, ..VerifyOptions::DEFAULT };
    let stamp = py.detach(|| verify(&AwsLc::new(), response, &expected, &options));
    let stamp = stamp.map_err(|error| failure::tsp(py, error))?;
    let info = stamp.tst_info().map_err(|error| errors::decoding(py, &error))?;
    let bytes = |list: &[Vec<u8>]| list.iter().map(|der| PyBytes::new(py, der)).collect();
    Ok((
        stamp.time.0,
        info.gen_time.nanosecond(),
        input::number(py, &stamp.serial)?,
        info.policy.to_string(),
        PyBytes::new(py, &stamp.certificate),
        stamp.objections.iter().map(ToString::to_string).collect(),
        bytes(&stamp.certificates),
        PyBytes::new(py, &stamp.info),
        bytes(&stamp.crls),
        bytes(&stamp.ocsp_responses),
        stamp.latest().0,
    ))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tsp_request, module)?)?;
    module.add_function(wrap_pyfunction!(tsp_reply, module)?)?;
    module.add_function(wrap_pyfunction!(tsp_verify, module)?)
}

//! Encodes to-be-signed parts and signed messages from plain values.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use tagwise::codec::{
    Any, BitStr, Captured, Decode, EncodeError, GeneralizedTime, Int, Null, OctetStr, Oid, Open, SeqOf, SetOf, encode,
};
use tagwise::pkix::csr::{CertificationRequestInfo, Version as RequestVersion};
use tagwise::pkix::ext::{Attribute, CrlReason};
use tagwise::pkix::ocsp::{
    BasicOcspResponse, CertId, CertStatus, ID_PKIX_OCSP_BASIC, OcspRequest, OcspResponse, OcspResponseStatus, Request,
    ResponderId, ResponseBytes, ResponseData, RevokedInfo, SingleResponse, TbsRequest, Version as OcspVersion,
};
use tagwise::pkix::{
    AlgorithmIdentifier, Certificate, CertificateSerialNumber, Extensions, Name, RevokedCertificate,
    SubjectPublicKeyInfo, TbsCertList, Time, Validity, Version,
};

use crate::extension::{Given, written};
use crate::{errors, input};

/// Decodes a part that the caller passes in DER.
fn part<'a, T: Decode<'a>>(py: Python<'_>, der: &'a [u8]) -> PyResult<T> {
    T::outline(der).map_err(|error| errors::decoding(py, &error))
}

fn made<'py, T: tagwise::codec::Encode>(py: Python<'py>, value: &T) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &encode(value).map_err(|error: EncodeError| errors::encoding(py, &error))?))
}

/// Encodes extensions, and sets a variable to `None` if there are none. The values are arbitrary bytes and are not checked,
/// because a caller may want malformed values.
macro_rules! extensions {
    ($py:expr, $given:expr, $list:ident) => {
        let der = written($py, $given)?;
        let $list = der.as_deref().map(|der| part::<Extensions<'_>>($py, der)).transpose()?;
    };
}

/// The to-be-signed part of a certificate, like `TbsCertificate`, with undecoded extensions.
#[derive(tagwise::Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TBSCertificate")]
struct Tbs<'a> {
    #[asn1(explicit = 0, default = Version::V1)]
    version: Version,
    serial_number: CertificateSerialNumber<'a>,
    signature: AlgorithmIdentifier<'a>,
    issuer: Name<'a>,
    validity: Validity<'a>,
    subject: Name<'a>,
    subject_public_key_info: SubjectPublicKeyInfo<'a>,
    #[asn1(explicit = 3)]
    extensions: Option<Any<'a>>,
}

#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the fields of a certificate, in their order")]
fn write_tbs_certificate<'py>(
    py: Python<'py>,
    serial: &Bound<'py, PyAny>,
    algorithm: &[u8],
    issuer: &[u8],
    not_before: i64,
    not_after: i64,
    subject: &[u8],
    public_key_info: &[u8],
    given: Vec<Given>,
) -> PyResult<Bound<'py, PyBytes>> {
    let serial = input::integer(serial)?;
    let extensions = written(py, &given)?;
    let tbs = Tbs {
        version: Version::V3,
        serial_number: CertificateSerialNumber(Int::from_signed(&serial)),
        signature: part(py, algorithm)?,
        issuer: part(py, issuer)?,
        validity: Validity {
            not_before: Time::new(input::civil(not_before)?),
            not_after: Time::new(input::civil(not_after)?),
        },
        subject: part(py, subject)?,
        subject_public_key_info: part(py, public_key_info)?,
        extensions: extensions.as_deref().map(|der| part(py, der)).transpose()?,
    };
    made(py, &tbs)
}

type GivenEntry = (Vec<u8>, i64, Vec<Given>);

#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the fields of a list, in their order")]
fn write_tbs_list<'py>(
    py: Python<'py>,
    algorithm: &[u8],
    issuer: &[u8],
    this_update: i64,
    next_update: Option<i64>,
    entries: Vec<PyBackedBytes>,
    given: Vec<Given>,
) -> PyResult<Bound<'py, PyBytes>> {
    extensions!(py, &given, extensions);
    let entries = entries.iter().map(|der| part(py, der)).collect::<PyResult<Vec<RevokedCertificate<'_>>>>()?;
    let next_update = next_update.map(input::civil).transpose()?.map(Time::new);
    let tbs = TbsCertList {
        version: Some(Version::V2),
        signature: part(py, algorithm)?,
        issuer: part(py, issuer)?,
        this_update: Time::new(input::civil(this_update)?),
        next_update,
        revoked_certificates: (!entries.is_empty()).then(|| SeqOf::from_slice(&entries)),
        crl_extensions: extensions,
    };
    made(py, &tbs)
}

#[pyfunction]
fn write_entry<'py>(
    py: Python<'py>,
    serial: &Bound<'py, PyAny>,
    date: i64,
    given: Vec<Given>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (serial, date, given): GivenEntry = (input::integer(serial)?, date, given);
    extensions!(py, &given, extensions);
    let entry = RevokedCertificate {
        user_certificate: CertificateSerialNumber(Int::from_signed(&serial)),
        revocation_date: Time::new(input::civil(date)?),
        crl_entry_extensions: extensions,
    };
    made(py, &entry)
}

/// Encodes CRL entries without extensions, from serial numbers and Unix times.
#[pyfunction]
fn write_entries<'py>(py: Python<'py>, given: Vec<(Bound<'py, PyAny>, i64)>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let entry = |(serial, date): &(Bound<'py, PyAny>, i64)| {
        made(
            py,
            &RevokedCertificate {
                user_certificate: CertificateSerialNumber(Int::from_signed(&input::integer(serial)?)),
                revocation_date: Time::new(input::civil(*date)?),
                crl_entry_extensions: None,
            },
        )
    };
    given.iter().map(entry).collect()
}

#[pyfunction]
fn write_request_info<'py>(
    py: Python<'py>,
    subject: &[u8],
    public_key_info: &[u8],
    attributes: Vec<(String, Vec<u8>)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let oids = attributes.iter().map(|(oid, _)| input::oid(oid)).collect::<PyResult<Vec<_>>>()?;
    let values = attributes.iter().map(|(_, value)| Ok([part(py, value)?])).collect::<PyResult<Vec<[Any<'_>; 1]>>>()?;
    let mut list = Vec::new();
    for (oid, value) in oids.iter().zip(&values) {
        let attr_type = Oid::from_content(oid).map_err(|fault| errors::argument(fault.kind().text()))?;
        list.push(Attribute { attr_type, values: SetOf::from_slice(value) });
    }
    let info = CertificationRequestInfo {
        version: RequestVersion::V1,
        subject: part(py, subject)?,
        subject_pk_info: part(py, public_key_info)?,
        attributes: SetOf::from_slice(&list),
    };
    made(py, &info)
}

/// Encodes an element of a universal string type, as used in request attributes.
#[pyfunction]
fn write_element<'py>(py: Python<'py>, tag: u32, content: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    use tagwise::codec::{Class, Tag};
    // A SEQUENCE and a SET are constructed.
    let tag = Tag::new(Class::Universal, tag, tag == 16 || tag == 17);
    let der = crate::value::element(py, tag, content)?;
    Any::from_der(&der).map_err(|error| errors::encoding(py, &EncodeError::new(error.kind())))?;
    Ok(PyBytes::new(py, &der))
}

/// A to-be-signed part with its signature algorithm and signature: a certificate, CRL or request.
#[derive(tagwise::Asn1, Clone, Copy, Debug, PartialEq)]
struct Signed<'a> {
    tbs: Any<'a>,
    algorithm: AlgorithmIdentifier<'a>,
    signature: BitStr<'a>,
}

#[pyfunction]
fn write_signed<'py>(py: Python<'py>, tbs: &[u8], algorithm: &[u8], signature: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let (tbs, algorithm) = (part(py, tbs)?, part(py, algorithm)?);
    made(py, &Signed { tbs, algorithm, signature: BitStr::from_octets(signature) })
}

/// An OCSP CertID: hash algorithm, two hashes, and serial number.
type GivenId<'py> = (Vec<u8>, Vec<u8>, Vec<u8>, Bound<'py, PyAny>);

fn cert_id<'a>(py: Python<'_>, given: &'a GivenId<'_>, serial: &'a [u8]) -> PyResult<CertId<'a>> {
    Ok(CertId {
        hash_algorithm: part(py, &given.0)?,
        issuer_name_hash: OctetStr::new(&given.1),
        issuer_key_hash: OctetStr::new(&given.2),
        serial_number: Int::from_signed(serial),
    })
}

#[pyfunction]
fn write_ocsp_request<'py>(py: Python<'py>, id: GivenId<'py>, given: Vec<Given>) -> PyResult<Bound<'py, PyBytes>> {
    let serial = input::integer(&id.3)?;
    extensions!(py, &given, request_extensions);
    let requests = [Request { req_cert: cert_id(py, &id, &serial)?, single_request_extensions: None }];
    let tbs = TbsRequest {
        version: OcspVersion::V1,
        requestor_name: None,
        request_list: SeqOf::from_slice(&requests),
        request_extensions,
    };
    let der = encode(&tbs).map_err(|error| errors::encoding(py, &error))?;
    let tbs_request = Captured::from_octets(&der).map_err(|error| errors::decoding(py, &error))?;
    made(py, &OcspRequest { tbs_request, optional_signature: None })
}

/// The status in a single response (good, revoked with time and reason, or unknown), with thisUpdate and nextUpdate.
type GivenStatus = (u8, Option<i64>, Option<u8>, i64, Option<i64>);

fn generalized(unix: i64) -> PyResult<GeneralizedTime<'static>> {
    Ok(GeneralizedTime::new(input::civil(unix)?))
}

fn reason(code: u8) -> PyResult<CrlReason> {
    let reason = CrlReason::from_der(&[0x0A, 0x01, code]);
    reason.map_err(|error| errors::argument(format!("unknown reason code {code}: {}", error.message())))
}

/// Encodes the to-be-signed part of a response. The responder is identified by name (an encoded name) or by key (a hash).
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the fields of a response, in their order")]
fn write_response_data<'py>(
    py: Python<'py>,
    responder_name: Option<Vec<u8>>,
    responder_key: Option<Vec<u8>>,
    produced_at: i64,
    id: GivenId<'py>,
    status: GivenStatus,
    given: Vec<Given>,
) -> PyResult<Bound<'py, PyBytes>> {
    let serial = input::integer(&id.3)?;
    extensions!(py, &given, response_extensions);
    let cert_status = match status {
        (0, ..) => CertStatus::Good,
        (1, Some(since), why, ..) => CertStatus::Revoked(RevokedInfo {
            revocation_time: generalized(since)?,
            revocation_reason: why.map(reason).transpose()?,
        }),
        _ => CertStatus::Unknown(Null),
    };
    let responses = [SingleResponse {
        cert_id: cert_id(py, &id, &serial)?,
        cert_status,
        this_update: generalized(status.3)?,
        next_update: status.4.map(generalized).transpose()?,
        single_extensions: None,
    }];
    let responder_id = match (&responder_name, &responder_key) {
        (Some(name), _) => ResponderId::ByName(part::<Name<'_>>(py, name)?),
        (None, Some(key)) => ResponderId::ByKey(OctetStr::new(key)),
        (None, None) => return Err(errors::argument("the response has no responder")),
    };
    let data = ResponseData {
        version: OcspVersion::V1,
        responder_id,
        produced_at: generalized(produced_at)?,
        responses: SeqOf::from_slice(&responses),
        response_extensions,
    };
    made(py, &data)
}

/// Encodes a successful response from its to-be-signed part.
#[pyfunction]
fn write_ocsp_response<'py>(
    py: Python<'py>,
    data: &[u8],
    algorithm: &[u8],
    signature: &[u8],
    certificates: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let tbs_response_data =
        Captured::<ResponseData<'_>>::outline(data).map_err(|error| errors::decoding(py, &error))?;
    let certificates = certificates.iter().map(|der| part(py, der)).collect::<PyResult<Vec<Certificate<'_>>>>()?;
    let basic = BasicOcspResponse {
        tbs_response_data,
        signature_algorithm: part(py, algorithm)?,
        signature: BitStr::from_octets(signature),
        certs: (!certificates.is_empty()).then(|| SeqOf::from_slice(&certificates)),
    };
    let basic = encode(&basic).map_err(|error| errors::encoding(py, &error))?;
    let response = Open::new(ID_PKIX_OCSP_BASIC.as_bytes(), &basic);
    made(
        py,
        &OcspResponse {
            response_status: OcspResponseStatus::Successful,
            response_bytes: Some(ResponseBytes { response_type: ID_PKIX_OCSP_BASIC, response }),
        },
    )
}

/// Encodes a response with an error status.
#[pyfunction]
fn write_ocsp_failure<'py>(py: Python<'py>, status: u8) -> PyResult<Bound<'py, PyBytes>> {
    let response_status = OcspResponseStatus::from_der(&[0x0A, 0x01, status]);
    let response_status = response_status.map_err(|error| errors::decoding(py, &error))?;
    made(py, &OcspResponse { response_status, response_bytes: None })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(write_tbs_certificate, module)?)?;
    module.add_function(wrap_pyfunction!(write_tbs_list, module)?)?;
    module.add_function(wrap_pyfunction!(write_entry, module)?)?;
    module.add_function(wrap_pyfunction!(write_entries, module)?)?;
    module.add_function(wrap_pyfunction!(write_request_info, module)?)?;
    module.add_function(wrap_pyfunction!(write_element, module)?)?;
    module.add_function(wrap_pyfunction!(write_signed, module)?)?;
    module.add_function(wrap_pyfunction!(write_ocsp_request, module)?)?;
    module.add_function(wrap_pyfunction!(write_response_data, module)?)?;
    module.add_function(wrap_pyfunction!(write_ocsp_response, module)?)?;
    module.add_function(wrap_pyfunction!(write_ocsp_failure, module)?)
}

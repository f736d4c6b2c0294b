//! Signed data (RFC 5652 §5): creation and verification, in memory or streamed.

use std::io::Read;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::crypto::Signer;
use tagwise::crypto::backends::AwsLc;
use tagwise::crypto::cms::{
    Identifier, SignedOptions, Signing, Verification, VerifyOptions, sign, sign_stream, verify, verify_stream,
};
use tagwise::pkix::build::AttributeList;
use tagwise::pkix::cms::Limits;
use tagwise::pkix::{Bundle, Certificate, Time, UnixTime};

use super::pipe::{Source, Target};
use super::{certificate, content_type, digest, failure, oid, signer};
use crate::{errors, input};

/// A signer: the key or signing function, its public key, the algorithm, the certificate, true to identify the certificate by its key
/// identifier, the digest, and the signing time.
pub(super) type Given<'py> = (Bound<'py, PyAny>, Vec<u8>, Vec<u8>, Vec<u8>, bool, Option<String>, Option<i64>);

/// The owned parts of a signer, which other structures borrow.
struct Prepared {
    signer: Box<dyn Signer>,
    attributes: AttributeList,
}

fn prepared(py: Python<'_>, given: &Given<'_>) -> PyResult<Prepared> {
    let mut attributes = AttributeList::new();
    if let Some(time) = given.6 {
        let time = Time::new(input::civil(time)?);
        attributes.signing_time(time).map_err(|error| failure::build(py, &error))?;
    }
    Ok(Prepared { signer: signer::made(&given.0, &given.1, &given.2)?, attributes })
}

/// Signs content, which is either bytes or a file object that is read to its end. If `target` is given, the message is written there and
/// not returned.
#[pyfunction]
#[pyo3(signature = (content, signers, content_kind, detached, certificates, crls, target = None))]
#[allow(clippy::too_many_arguments, reason = "the parts of signed data")]
fn cms_sign<'py>(
    py: Python<'py>,
    content: &Bound<'py, PyAny>,
    signers: Vec<Given<'py>>,
    content_kind: &str,
    detached: bool,
    certificates: Vec<Vec<u8>>,
    crls: Vec<Vec<u8>>,
    target: Option<Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let prepared = signers.iter().map(|given| prepared(py, given)).collect::<PyResult<Vec<_>>>()?;
    let read = signers.iter().map(|given| certificate(py, &given.3)).collect::<PyResult<Vec<Certificate<'_>>>>()?;
    let attributes: Vec<_> = prepared.iter().map(|one| one.attributes.attributes()).collect();
    let mut signings = Vec::new();
    for (((given, prepared), certificate), attributes) in signers.iter().zip(&prepared).zip(&read).zip(&attributes) {
        let mut signing = Signing::new(&*prepared.signer, certificate);
        if given.4 {
            signing.identifier = Identifier::SubjectKeyIdentifier;
        }
        signing.digest = given.5.as_deref().map(digest).transpose()?;
        signing.attributes = Some(attributes);
        signings.push(signing);
    }
    let certificates: Vec<&[u8]> = certificates.iter().map(Vec::as_slice).collect();
    let crls: Vec<&[u8]> = crls.iter().map(Vec::as_slice).collect();
    let kind = content_type(content_kind)?;
    let options = SignedOptions {
        content_type: oid(&kind)?,
        detached,
        certificates: &certificates,
        crls: &crls,
        ..SignedOptions::DEFAULT
    };
    let backend = AwsLc::new();
    if let Some(target) = target {
        let (mut source, target) = (Source::new(content), Target::new(&target));
        let done = py.detach(|| sign_stream(&backend, &mut source, target, &signings, &options).map(|_| ()));
        return done.map(|()| None).map_err(|error| failure::cms(py, error));
    }
    let content = input::bytes(content)?;
    let content = content.as_bytes();
    let message = py.detach(|| sign(&backend, content, &signings, &options));
    Ok(Some(PyBytes::new(py, &message.map_err(|error| failure::cms(py, error))?)))
}

/// A verified signer: SignerInfo, certificate, scheme, digest, signing time, the error's code, text and clause, the time at which the
/// certificate is checked, the source of that time, and objections.
type Seen<'py> = (
    Bound<'py, PyBytes>,
    Option<Bound<'py, PyBytes>>,
    Option<String>,
    Option<String>,
    Option<i64>,
    Option<(&'static str, String, &'static str)>,
    i64,
    &'static str,
    Vec<String>,
);

/// A verified message: its content type, content, certificates, CRLs, OCSP responses, formats that are not read, and signers.
type Verified<'py> = (
    String,
    Bound<'py, PyBytes>,
    Vec<Bound<'py, PyBytes>>,
    Vec<Bound<'py, PyBytes>>,
    Vec<Bound<'py, PyBytes>>,
    Vec<String>,
    Vec<Seen<'py>>,
);

fn told<'py>(py: Python<'py>, verified: &Verification) -> Verified<'py> {
    let bytes = |list: &[Vec<u8>]| list.iter().map(|one| PyBytes::new(py, one)).collect();
    let signers = verified.signers.iter().map(|signer| {
        let wrong = signer.outcome.as_ref().err().map(|error| {
            let (code, clause) = failure::kind(error);
            (code, error.to_string(), clause)
        });
        (
            PyBytes::new(py, &signer.info),
            signer.certificate.as_ref().map(|der| PyBytes::new(py, der)),
            signer.scheme.map(|scheme| scheme.to_string()),
            signer.digest.map(|digest| digest.name().to_owned()),
            signer.signing_time.map(|time| time.0),
            wrong,
            signer.at.0,
            signer.at_from.name(),
            signer.objections.iter().map(ToString::to_string).collect(),
        )
    });
    let content = PyBytes::new(py, &verified.content);
    let kind = verified.content_type().to_string();
    let (crls, responses) = (bytes(&verified.crls), bytes(&verified.ocsp_responses));
    let unused = verified.unused_revocation.clone();
    (kind, content, bytes(&verified.certificates), crls, responses, unused, signers.collect())
}

/// Verifies signed data within limits on the number of signatures, the content size in memory, the size of an element, and the size of
/// all elements. If `target` is given, the message and content are file objects, and the content is written to `target` while it is read.
#[pyfunction]
#[pyo3(signature = (message, content, certificates, at, purpose, legacy, limits, target = None))]
#[allow(clippy::too_many_arguments, reason = "the inputs of verification, and its limits")]
fn cms_verify<'py>(
    py: Python<'py>,
    message: &Bound<'py, PyAny>,
    content: Option<Bound<'py, PyAny>>,
    certificates: Vec<Vec<u8>>,
    at: Option<i64>,
    purpose: Option<String>,
    legacy: bool,
    limits: (usize, usize, usize, usize),
    target: Option<Bound<'py, PyAny>>,
) -> PyResult<Verified<'py>> {
    let certificates: Vec<&[u8]> = certificates.iter().map(Vec::as_slice).collect();
    let purpose = purpose.as_deref().map(input::oid).transpose()?;
    let options = VerifyOptions {
        certificates: &certificates,
        legacy,
        at: at.map(UnixTime),
        purpose: purpose.as_deref().map(oid).transpose()?,
        max_signatures: limits.0,
        max_held: limits.1,
        limits: Limits { element: limits.2, total: limits.3 },
        ..VerifyOptions::DEFAULT
    };
    let backend = AwsLc::new();
    let verified = if let Some(target) = target {
        let (source, mut target) = (Source::new(message), Target::new(&target));
        let mut content = content.as_ref().map(Source::new);
        py.detach(|| {
            let content = content.as_mut().map(|content| content as &mut dyn Read);
            verify_stream(&backend, source, content, &mut target, &options)
        })
    } else {
        let message = input::bytes(message)?;
        let content = content.as_ref().map(input::bytes).transpose()?;
        let (message, content) = (message.as_bytes(), content.as_ref().map(|content| content.as_bytes()));
        py.detach(|| verify(&backend, message, content, &options))
    };
    Ok(told(py, &verified.map_err(|error| failure::cms(py, error))?))
}

/// Returns the certificates in a signed message (BER or DER) with their original bytes. Nothing is verified.
#[pyfunction]
fn cms_certificates<'py>(py: Python<'py>, message: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let message = input::bytes(message)?;
    let bundle = Bundle::read(message.as_bytes()).map_err(|error| errors::decoding(py, &error))?;
    Ok(bundle.certificates().map(|der| PyBytes::new(py, der)).collect())
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cms_certificates, module)?)?;
    module.add_function(wrap_pyfunction!(cms_sign, module)?)?;
    module.add_function(wrap_pyfunction!(cms_verify, module)?)
}

//! OCSP requests and responses (RFC 6960), signed or unsigned. This module does not perform network requests or lookups.

use tagwise_codec::{Decode, Encode, EncodeError, GeneralizedTime, OctetStr, SeqOf, Tag, Writer, encode, explicit_len};

use super::digest;
use super::error::demand;
use super::unsigned::{Encoded, Frame};
use super::{BuildError, Digest, Unsigned};
use tagwise_messages::ocsp::{
    CertId, CertStatus, OcspRequest, OcspResponse, OcspResponseStatus, ResponderId, ResponseData, TbsRequest, Version,
};
use tagwise_x509::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use tagwise_x509::cert::{Certificate, CertificateSerialNumber};
use tagwise_x509::name::Name;

/// The hashes that identify an issuer in OCSP, computed once for all its certificates.
///
/// ```
/// use tagwise_codec::{BitStr, Int, oid};
/// use tagwise_build::{self as build, Digest, IssuerHashes};
/// use tagwise_x509::name::NameBuf;
/// use tagwise_messages::ocsp::{Request, TbsRequest, Version};
/// use tagwise_x509::{AlgorithmIdentifier, CertificateSerialNumber, SubjectPublicKeyInfo};
/// let issuer = NameBuf::parse("CN=Example CA")?;
/// let algorithm = AlgorithmIdentifier { algorithm: oid!("1.3.101.112"), parameters: None };
/// let key = SubjectPublicKeyInfo { algorithm, subject_public_key: BitStr::from_octets(&[7; 32]) };
/// let hashes = IssuerHashes::new(Digest::Sha1, issuer.name(), &key)?;
/// let serial = CertificateSerialNumber(Int::from_signed(&[0x2A]));
/// let list = [Request { req_cert: hashes.cert_id(serial), single_request_extensions: None }];
/// let der = build::ocsp_request(&TbsRequest {
///     version: Version::V1,
///     requestor_name: None,
///     request_list: list.as_slice().into(),
///     request_extensions: None,
/// })?;
/// assert_eq!(der[..2], [0x30, 0x42]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerHashes {
    digest: Digest,
    name: Vec<u8>,
    key: Vec<u8>,
}

impl IssuerHashes {
    /// Hashes an issuer's DER name and the contents of its key's BIT STRING (RFC 6960 §4.1.1).
    ///
    /// # Errors
    /// Returns an error if the name cannot be encoded.
    pub fn new(digest: Digest, name: Name<'_>, key: &SubjectPublicKeyInfo<'_>) -> Result<Self, BuildError> {
        let key = digest.of(key.subject_public_key.as_bytes());
        Ok(Self { digest, name: digest.of(&encode(&name)?), key })
    }

    /// Hashes the subject name and key of an issuer's certificate.
    ///
    /// # Errors
    /// Returns any error from [`IssuerHashes::new`].
    pub fn of(digest: Digest, issuer: &Certificate<'_>) -> Result<Self, BuildError> {
        let tbs = &issuer.tbs_certificate;
        Self::new(digest, tbs.subject, &tbs.subject_public_key_info)
    }

    /// Creates the `CertID` of the certificate that this issuer issued with the given serial number.
    #[must_use]
    pub fn cert_id<'a>(&'a self, serial_number: CertificateSerialNumber<'a>) -> CertId<'a> {
        CertId {
            hash_algorithm: self.digest.algorithm(),
            issuer_name_hash: OctetStr::new(&self.name),
            issuer_key_hash: OctetStr::new(&self.key),
            serial_number: serial_number.0,
        }
    }

    /// Returns the responder ID `byKey` for this key: the SHA-1 hash of its public key (RFC 6960 §4.2.1).
    ///
    /// # Errors
    /// Returns an error if the hashes were not computed with SHA-1.
    pub fn responder(&self) -> Result<ResponderId<'_>, BuildError> {
        demand(self.digest == Digest::Sha1, "a responder's key hash must be SHA-1", "RFC 6960 §4.2.1")?;
        Ok(ResponderId::ByKey(OctetStr::new(&self.key)))
    }
}

/// Builds a request without a signature. For a nonce, add a [`Nonce`](tagwise_messages::ocsp::Nonce) to an
/// [`ExtensionList`](super::ExtensionList).
///
/// # Errors
/// Returns an error if the request cannot be encoded or is empty, or a hash does not have its algorithm's length.
pub fn ocsp_request(tbs: &TbsRequest<'_>) -> Result<Vec<u8>, BuildError> {
    check_request(tbs)?;
    let request = encode(&Inside(tbs))?;
    OcspRequest::from_der(&request)?;
    Ok(request)
}

/// Builds an unsigned request for signing, with certificates for verifying the signature.
///
/// # Errors
/// Returns any error from [`ocsp_request`]. Also fails if there is no requestor name, which is required in a signed request
/// (RFC 6960 §4.1.2).
pub fn signed_ocsp_request(
    tbs: &TbsRequest<'_>,
    signature_algorithm: &AlgorithmIdentifier<'_>,
    certs: &[Certificate<'_>],
) -> Result<Unsigned, BuildError> {
    check_request(tbs)?;
    demand(tbs.requestor_name.is_some(), "a signed request must have a requestor name", "RFC 6960 §4.1.2")?;
    let unsigned = Unsigned::framed(tbs, signature_algorithm, &behind(certs)?, Frame::OcspRequest)?;
    OcspRequest::from_der(&unsigned.attach(&[])?)?;
    Ok(unsigned)
}

/// Builds an unsigned response with the status *successful*, and with certificates for verifying the signature.
///
/// # Errors
/// Returns an error if the response cannot be encoded, or [`OcspResponse`] does not accept it. Also fails if a time has
/// fractional seconds, `nextUpdate` precedes `thisUpdate`, or a hash does not have its algorithm's length.
pub fn ocsp_response(
    tbs: &ResponseData<'_>,
    signature_algorithm: &AlgorithmIdentifier<'_>,
    certs: &[Certificate<'_>],
) -> Result<Unsigned, BuildError> {
    ResponseForm::new(signature_algorithm, certs)?.fill(tbs)
}

/// A template with the common parts of a responder's successful responses: the signature algorithm, and certificates for
/// verifying the signatures. They are encoded and checked only once.
///
/// ```
/// use tagwise_codec::oid;
/// use tagwise_x509::AlgorithmIdentifier;
/// use tagwise_build::ResponseForm;
/// let algorithm = AlgorithmIdentifier { algorithm: oid!("1.3.101.112"), parameters: None };
/// let form = ResponseForm::new(&algorithm, &[])?;
/// # Ok::<(), tagwise_build::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseForm {
    algorithm: Vec<u8>,
    behind: Vec<u8>,
}

impl ResponseForm {
    /// Creates a template for responses with the given signature algorithm and certificates.
    ///
    /// # Errors
    /// Returns an error if a part cannot be encoded, or [`OcspResponse`] does not accept it.
    pub fn new(signature_algorithm: &AlgorithmIdentifier<'_>, certs: &[Certificate<'_>]) -> Result<Self, BuildError> {
        let form = Self { algorithm: encode(signature_algorithm)?, behind: behind(certs)? };
        AlgorithmIdentifier::from_der(&form.algorithm)?;
        for certificate in certs {
            Certificate::from_der(&encode(certificate)?)?;
        }
        Ok(form)
    }

    /// Builds an unsigned response from the template.
    ///
    /// # Errors
    /// Returns any error from [`ocsp_response`].
    pub fn fill(&self, tbs: &ResponseData<'_>) -> Result<Unsigned, BuildError> {
        check_response(tbs)?;
        let unsigned = Unsigned::framed(tbs, &Encoded(&self.algorithm), &self.behind, Frame::OcspResponse)?;
        // The rest consists of headers and parts that were already checked. If the data is invalid, checking the complete response finds
        // the error and its location.
        if ResponseData::from_der(unsigned.tbs()).is_err() {
            OcspResponse::from_der(&unsigned.attach(&[])?)?;
        }
        Ok(unsigned)
    }
}

/// Builds an error response, which has no body and no signature (RFC 6960 §2.3).
///
/// ```
/// use tagwise_build as build;
/// use tagwise_messages::ocsp::OcspResponseStatus;
/// assert_eq!(build::ocsp_error(OcspResponseStatus::TryLater)?, [0x30, 0x03, 0x0A, 0x01, 0x03]);
/// assert!(build::ocsp_error(OcspResponseStatus::Successful).is_err());
/// # Ok::<(), build::BuildError>(())
/// ```
///
/// # Errors
/// Returns an error if the status is not an error.
pub fn ocsp_error(status: OcspResponseStatus) -> Result<Vec<u8>, BuildError> {
    demand(status != OcspResponseStatus::Successful, "a successful response must have a body", "RFC 6960 §4.2.1")?;
    Ok(encode(&OcspResponse { response_status: status, response_bytes: None })?)
}

fn check_request(tbs: &TbsRequest<'_>) -> Result<(), BuildError> {
    demand(tbs.version == Version::V1, "the version is not v1", "RFC 6960 §4.1.2")?;
    demand(!tbs.request_list.is_empty(), "the request is empty", "RFC 6960 §4.1.1")?;
    tbs.request_list.iter().try_for_each(|request| check_id(&request?.req_cert))
}

fn check_id(id: &CertId<'_>) -> Result<(), BuildError> {
    digest::check(&id.hash_algorithm, &id.issuer_name_hash, "RFC 6960 §4.1.1")?;
    digest::check(&id.hash_algorithm, &id.issuer_key_hash, "RFC 6960 §4.1.1")
}

fn check_response(tbs: &ResponseData<'_>) -> Result<(), BuildError> {
    demand(tbs.version == Version::V1, "the version is not v1", "RFC 6960 §4.2.2.3")?;
    demand(!tbs.responses.is_empty(), "the response has no single responses", "RFC 6960 §2.2")?;
    if let ResponderId::ByKey(key) = &tbs.responder_id {
        demand(key.len() == 20, "a responder's key hash must be SHA-1", "RFC 6960 §4.2.1")?;
    }
    check_time(&tbs.produced_at)?;
    for response in tbs.responses.iter() {
        let response = response?;
        check_id(&response.cert_id)?;
        check_time(&response.this_update)?;
        if let Some(next) = &response.next_update {
            check_time(next)?;
            let later = next.unix() >= response.this_update.unix();
            demand(later, "nextUpdate is before thisUpdate", "RFC 6960 §2.4")?;
        }
        if let CertStatus::Revoked(revoked) = &response.cert_status {
            check_time(&revoked.revocation_time)?;
        }
    }
    Ok(())
}

/// Checks that a time has the format of RFC 5280 §4.1.2.5.2, as RFC 6960 §4.2.1 requires.
pub(super) fn check_time(time: &GeneralizedTime<'_>) -> Result<(), BuildError> {
    demand(
        time.fraction_digits() == 0 && !time.is_local(),
        "times must be in UTC without fractional seconds",
        "RFC 5280 §4.1.2.5.2",
    )
}

/// Encodes `certs [0] EXPLICIT SEQUENCE OF Certificate OPTIONAL`.
fn behind(certs: &[Certificate<'_>]) -> Result<Vec<u8>, BuildError> {
    if certs.is_empty() { Ok(Vec::new()) } else { Ok(encode(&Certs(SeqOf::from_slice(certs)))?) }
}

struct Certs<'a>(SeqOf<'a, Certificate<'a>>);

impl Encode for Certs<'_> {
    fn encoded_len(&self) -> usize {
        explicit_len(Tag::context(0).constructed(), &self.0)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.write_explicit(Tag::context(0), &self.0)
    }
}

/// An unsigned OCSPRequest: `SEQUENCE { tbs }`.
struct Inside<'a>(&'a TbsRequest<'a>);

impl Encode for Inside<'_> {
    fn encoded_len(&self) -> usize {
        explicit_len(Tag::SEQUENCE, self.0)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.write_explicit(Tag::SEQUENCE, self.0)
    }
}

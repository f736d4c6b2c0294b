//! Verifies a time stamp against the expected data.

use core::time::Duration;

use tagwise_codec::ber;
use tagwise_codec::{Decode, Oid, Tag};
use tagwise_pkix::cms::SignerInfo;
use tagwise_pkix::ess::{ID_AA_SIGNING_CERTIFICATE, ID_AA_SIGNING_CERTIFICATE_V2};
use tagwise_pkix::ext::{GeneralName, SubjectAltName};
use tagwise_pkix::tsp::{ID_AA_TIME_STAMP_TOKEN, ID_CT_TST_INFO, PkiStatus, TimeStampReq, TimeStampResp, TstInfo};
use tagwise_pkix::{Certificate, Extensions, UnixTime, oids};

use super::TspError;
use super::reply::is_for_stamping;
use crate::cms::{CmsError, Objection, TimeSource, VerifyOptions, children, now, objections, verify as verify_cms};
use crate::primitives::is_same;
use crate::{Backend, Digest};

/// The data that a time stamp is expected to cover.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Expected<'a> {
    /// A request in DER, whose digest, nonce and (if given) policy must match.
    Request(&'a [u8]),
    /// The time-stamped data.
    Data(&'a [u8]),
    /// The digest of the time-stamped data.
    Digest(Digest, &'a [u8]),
}

/// A valid time stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// The time in whole seconds. Fractions are in [`info`](Self::info).
    pub time: UnixTime,
    /// The serial number of the time stamp, as INTEGER content bytes.
    pub serial: Vec<u8>,
    /// The authority's certificate in DER. Trust in it has not been checked.
    pub certificate: Vec<u8>,
    /// The time at which the certificate was checked: [`VerifyOptions::at`] if given, otherwise [`time`](Self::time).
    pub at: UnixTime,
    /// The source of that time.
    pub at_from: TimeSource,
    /// The faults of the certificate: not valid at that time, or a key usage that does not allow signatures. A time stamp from the
    /// future has the objection [`Objection::Future`], which is the first.
    pub objections: Vec<Objection>,
    /// The stated accuracy, rounded up to seconds; zero if there is none. The data existed at the latest at [`Self::latest`].
    pub accuracy: Duration,
    /// The certificates in the time stamp, unchanged.
    pub certificates: Vec<Vec<u8>>,
    /// The CRLs in the time stamp, as in [`Verification::crls`](crate::cms::Verification::crls).
    pub crls: Vec<Vec<u8>>,
    /// The OCSP responses in the time stamp, as in [`Verification::ocsp_responses`](crate::cms::Verification::ocsp_responses).
    pub ocsp_responses: Vec<Vec<u8>>,
    /// The time stamp's content: a TSTInfo in DER.
    pub info: Vec<u8>,
}

impl Stamp {
    /// Returns the upper limit of the time at which the time stamp was created: its time and its accuracy (RFC 3161 §2.4.2). The
    /// stamped data existed by then, but not necessarily at [`Self::time`].
    #[must_use]
    pub fn latest(&self) -> UnixTime {
        self.time.saturating_add(self.accuracy)
    }

    /// Decodes the time stamp's content, such as its policy.
    ///
    /// # Errors
    /// Never fails for a verified time stamp, because its content was already decoded.
    pub fn tst_info(&self) -> Result<TstInfo<'_>, tagwise_codec::Error> {
        TstInfo::from_der(&self.info)
    }
}

/// Verifies a response, or its time stamp, against a request or data.
///
/// There must be exactly one signature, which must be valid. The signed attributes must identify the signer's certificate
/// (RFC 5816 §2.2.1). The certificate must be only for time stamping, and belong to the authority named in the time stamp,
/// if any. The digest and, for a request, the nonce and policy must match. Objections to the certificate's validity and key
/// usage, and to a time in the future, are returned in [`Stamp::objections`], for the caller to evaluate.
///
/// # Errors
/// Returns a [`TspError`] if any of these checks fails.
pub fn verify(
    backend: &dyn Backend,
    response: &[u8],
    expected: &Expected<'_>,
    options: &VerifyOptions<'_>,
) -> Result<Stamp, TspError> {
    let token = token(response)?;
    // The purpose is time stamping, which is checked below.
    let mut verified = verify_cms(backend, token, None, &VerifyOptions { purpose: None, ..*options })?;
    TspError::demand(verified.content_type() == ID_CT_TST_INFO, "expected a time-stamp token", "RFC 3161 §2.4.2")?;
    TspError::demand(verified.signers.len() == 1, "the time stamp must have exactly one signature", "RFC 3161 §2.4.2")?;
    let Some(signer) = verified.signers.pop() else { return Err(CmsError::NoCertificate.into()) };
    signer.outcome?;
    let certificate = signer.certificate.ok_or(CmsError::NoCertificate)?;
    let info: SignerInfo<'_> = crate::cms::part(&signer.info).map_err(TspError::malformed("the signer"))?;
    let named = info.signed_attrs.is_some_and(|attributes| {
        let has = |id: Oid<'_>| attributes.find(id).is_ok_and(|found| found.is_some());
        has(ID_AA_SIGNING_CERTIFICATE_V2) || has(ID_AA_SIGNING_CERTIFICATE)
    });
    TspError::demand(named, "the time stamp does not identify its signer's certificate", "RFC 5816 §2.2.1")?;
    let read =
        crate::cms::read_certificate(&certificate, options.tolerate).map_err(TspError::malformed("the certificate"))?;
    is_for_stamping(&read)?;

    // RFC 3161 §2.4.2: in DER; a TSTInfo as its authority signed it, whatever profile the authority keeps to.
    let info =
        TstInfo::from_der(&verified.content).map_err(TspError::malformed("the TSTInfo (in DER, RFC 3161 §2.4.2)"))?;
    TspError::demand(info.version.0 == 1, "the version of the time stamp must be 1", "RFC 3161 §2.4.2")?;
    let named = info.tsa.is_none_or(|tsa| is_name_of(&tsa, &read));
    TspError::demand(named, "the TSA name in the token is not a name of the certificate", "RFC 3161 §2.4.2")?;
    // No extensions are known here, and critical ones must be.
    let is_critical = |extensions: Extensions<'_>| {
        extensions.iter().any(|extension| extension.map_or(true, |extension| extension.critical))
    };
    let critical = info.extensions.is_some_and(is_critical);
    TspError::demand(!critical, "the time stamp has an unknown critical extension", "RFC 3161 §2.4.2")?;
    compare(backend, &info, expected, options.legacy)?;
    let time = info.gen_time.unix();
    let (at, at_from) = options.at.map_or((time, TimeSource::GenTime), |at| (at, TimeSource::Given));
    let latest = options.at.unwrap_or_else(now);
    let accuracy = accuracy(&info);
    let future = Objection::future(time, accuracy, latest);
    let objections = future.into_iter().chain(objections(&read, at, None)).collect();
    Ok(Stamp {
        time,
        serial: info.serial_number.as_bytes().to_vec(),
        certificate,
        at,
        at_from,
        objections,
        accuracy,
        certificates: verified.certificates,
        crls: verified.crls,
        ocsp_responses: verified.ocsp_responses,
        info: verified.content,
    })
}

/// The accuracy of a time stamp, in seconds rounded up; none if it is not stated (RFC 3161 §2.4.2).
fn accuracy(info: &TstInfo<'_>) -> Duration {
    let Some(accuracy) = info.accuracy else { return Duration::ZERO };
    let seconds = accuracy.seconds.and_then(|seconds| u64::try_from(seconds).ok()).unwrap_or_default();
    let is_more = accuracy.millis.is_some() || accuracy.micros.is_some();
    Duration::from_secs(seconds.saturating_add(u64::from(is_more)))
}

/// The maximum number of signature time stamps per signer.
const MAX_STAMPS: usize = 16;

/// Verifies the time stamps over a signer's signature: the unsigned attribute id-aa-timeStampToken (RFC 3161 appendix
/// A) of a SignerInfo in DER, as in [`VerifiedSigner::info`](crate::cms::VerifiedSigner::info).
///
/// A valid time stamp proves that the signature existed at its time, if the authority is trusted. Validate the path of
/// [`Stamp::certificate`] before relying on it.
///
/// # Errors
/// Returns an error if the attributes are malformed, or there are more than 16 time stamps. Each time stamp has its own
/// result.
pub fn signature_time_stamps(
    backend: &dyn Backend,
    signer_info: &[u8],
    options: &VerifyOptions<'_>,
) -> Result<Vec<Result<Stamp, TspError>>, TspError> {
    let malformed = TspError::malformed("the unsigned attributes");
    let info: SignerInfo<'_> = crate::cms::part(signer_info).map_err(TspError::malformed("the signer"))?;
    let attributes = info.unsigned_attrs.iter().flat_map(|attributes| attributes.0.iter());
    let mut stamps = Vec::new();
    for attribute in attributes {
        let attribute = attribute.map_err(malformed)?;
        // Authenticode has the same token under an identifier of Microsoft.
        if attribute.attr_type != ID_AA_TIME_STAMP_TOKEN && attribute.attr_type != oids::SPC_RFC3161_COUNTERSIGNATURE {
            continue;
        }
        for token in attribute.attr_values.iter() {
            if stamps.len() == MAX_STAMPS {
                return Err(CmsError::Limit { what: "time stamps of a signature" }.into());
            }
            let token = token.map_err(malformed)?;
            // RFC 3161 appendix A: the imprint is of the value of the signature field.
            stamps.push(verify(backend, token.as_bytes(), &Expected::Data(&info.signature), options));
        }
    }
    Ok(stamps)
}

/// Returns whether a name is the subject of a certificate, or one of its alternative names.
fn is_name_of(name: &GeneralName<'_>, certificate: &Certificate<'_>) -> bool {
    let tbs = &certificate.tbs_certificate;
    let same = |other: &GeneralName<'_>| match (name, other) {
        (GeneralName::DirectoryName(one), GeneralName::DirectoryName(other)) => one.matches(other),
        _ => name == other,
    };
    let others = tbs.extensions.and_then(|list| list.get::<SubjectAltName<'_>>().ok().flatten());
    same(&GeneralName::DirectoryName(tbs.subject))
        || others.is_some_and(|others| others.0.iter().map_while(Result::ok).any(|other| same(&other)))
}

/// Extracts the time stamp from a response. A time stamp without a response is also accepted. It is returned unchanged: converted to
/// DER, content that is not DER would no longer have the signed digest.
fn token(response: &[u8]) -> Result<&[u8], TspError> {
    let malformed = TspError::malformed("the response");
    let response = ber::unpadded(response);
    let parts = children(response);
    // A ContentInfo begins with an OBJECT IDENTIFIER, a response with a SEQUENCE.
    let is_token = parts.first().and_then(|first| ber::Element::read(first, 0, first.len()).ok());
    if is_token.is_some_and(|first| first.tag == Tag::OBJECT_IDENTIFIER) {
        return Ok(response);
    }
    let der = ber::to_der::<TimeStampResp<'_>>(response).map_err(malformed)?;
    let read = TimeStampResp::outline(&der.bytes).map_err(malformed)?;
    let status = read.status;
    match read.time_stamp_token {
        Some(_) if matches!(status.status, PkiStatus::GRANTED | PkiStatus::GRANTED_WITH_MODS) => {
            Ok(parts.get(1).copied().unwrap_or_default())
        }
        _ => {
            let text = status.status_string.iter().flat_map(|text| text.0.iter());
            let text = text.filter_map(Result::ok).map(|text| text.as_str().to_owned()).collect();
            let mask = status.fail_info.and_then(|info| info.0.to_mask()).unwrap_or_default();
            let failures = (0..u64::BITS).filter(|bit| mask >> bit & 1 == 1).collect();
            Err(TspError::Refused { status: status.status, text, failures })
        }
    }
}

fn compare(backend: &dyn Backend, info: &TstInfo<'_>, expected: &Expected<'_>, legacy: bool) -> Result<(), TspError> {
    let imprint = &info.message_imprint;
    let digest = Digest::from_identifier(&imprint.hash_algorithm)?;
    if digest == Digest::Sha1 && !legacy {
        return Err(crate::Error::new(crate::ErrorKind::Legacy, "a time stamp with SHA-1").into());
    }
    let hash = match *expected {
        Expected::Data(data) => backend.digest(digest, data)?,
        Expected::Digest(other, hash) => {
            if other != digest {
                return Err(TspError::Imprint);
            }
            hash.to_vec()
        }
        Expected::Request(der) => {
            let request = TimeStampReq::from_der(der).map_err(TspError::malformed("the request"))?;
            if request.message_imprint.hash_algorithm.algorithm != imprint.hash_algorithm.algorithm {
                return Err(TspError::Imprint);
            }
            // RFC 3161 §2.4.2: where the request has a nonce, the stamp has it too.
            if request.nonce.is_some() && request.nonce != info.nonce {
                return Err(TspError::Answer("nonce"));
            }
            if request.req_policy.is_some_and(|policy| policy != info.policy) {
                return Err(TspError::Answer("policy"));
            }
            request.message_imprint.hashed_message.to_vec()
        }
    };
    if is_same(&hash, &imprint.hashed_message) { Ok(()) } else { Err(TspError::Imprint) }
}

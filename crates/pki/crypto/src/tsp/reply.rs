//! Creates responses to requests: a time stamp, or a rejection.

use tagwise_codec::{Decode, GeneralizedTime, Int, NamedBits, Oid, SeqOf, Utf8};
use tagwise_pkix::build::{AttributeList, Digest as BuildDigest, SerialNumber, timestamp_response, tst_info};
use tagwise_pkix::ext::{ExtKeyUsage, GeneralName};
use tagwise_pkix::tsp::{
    Accuracy, ID_CT_TST_INFO, PkiFailureInfo, PkiFreeText, PkiStatus, PkiStatusInfo, TimeStampReq, TstInfo,
    TstInfoVersion,
};
use tagwise_pkix::{Certificate, UnixTime, oids};

use super::TspError;
use crate::cms::{SignedOptions, Signing, sign};
use crate::{Backend, Digest, Signer};

/// A time stamping authority's key, certificate and policy.
#[derive(Clone, Copy)]
pub struct Stamping<'a> {
    /// The authority's signing key.
    pub signer: &'a dyn Signer,
    /// The key's certificate, which must be only for time stamping (RFC 3161 §2.3).
    pub certificate: &'a Certificate<'a>,
    /// Certificates in DER to include if requested, including the authority's own.
    pub certificates: &'a [&'a [u8]],
    /// The policy of the time stamp. If the request names a policy, it must be this one.
    pub policy: Oid<'a>,
    /// The serial number of the time stamp, which must be unique for this authority.
    pub serial: SerialNumber,
    /// The time to certify.
    pub time: UnixTime,
    /// The accuracy of the time in seconds, if stated.
    pub accuracy: Option<u32>,
    /// True to certify a time outside of the certificate's validity. Verifiers reject such a time stamp (RFC 5280 §6.1.3).
    pub allow_validity: bool,
}

impl core::fmt::Debug for Stamping<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Stamping").field("serial", &self.serial).field("time", &self.time).finish_non_exhaustive()
    }
}

/// Checks that a certificate has a critical extended key usage that allows only time stamping (RFC 3161 §2.3).
pub(super) fn is_for_stamping(certificate: &Certificate<'_>) -> Result<(), TspError> {
    let malformed = TspError::malformed("the certificate of the authority");
    let extensions = certificate.tbs_certificate.extensions;
    let usage = extensions.map(|list| list.find(oids::EXT_KEY_USAGE)).transpose().map_err(malformed)?.flatten();
    let critical = usage.is_some_and(|usage| usage.critical);
    let purposes = extensions.map(|list| list.get::<ExtKeyUsage<'_>>()).transpose().map_err(malformed)?.flatten();
    let mut purposes = purposes.map(|purposes| purposes.0).unwrap_or_default().iter();
    let only = matches!((purposes.next(), purposes.next()), (Some(Ok(first)), None) if first == oids::KP_TIME_STAMPING);
    TspError::demand(
        only && critical,
        "the certificate must have a critical extended key usage with timeStamping only",
        "RFC 3161 §2.3",
    )
}

/// Answers a request with a response in DER. A response to an invalid request states the reason for its rejection.
///
/// # Errors
/// Returns an error if the certificate is not for time stamping or not valid at the time to certify, or signing fails.
pub fn reply(backend: &dyn Backend, request: &[u8], stamping: &Stamping<'_>) -> Result<Vec<u8>, TspError> {
    is_for_stamping(stamping.certificate)?;
    TspError::demand(
        stamping.allow_validity || stamping.certificate.tbs_certificate.validity.contains(stamping.time),
        "the time to certify is outside of the validity of the authority's certificate",
        "RFC 3161 §2.3, RFC 5280 §6.1.3",
    )?;
    let request = match TimeStampReq::from_der(request) {
        Ok(request) => request,
        Err(_) => return refuse(5, "the request is malformed"),
    };
    let imprint = request.message_imprint;
    let Ok(digest) = Digest::from_identifier(&imprint.hash_algorithm) else {
        return refuse(0, "unknown digest algorithm");
    };
    // An attacker who can create another document with the same digest would have a time stamp for it.
    if digest == Digest::Sha1 {
        return refuse(0, "SHA-1 is not accepted");
    }
    if imprint.hashed_message.len() != digest.output_len() {
        return refuse(5, "the digest's length does not match its algorithm");
    }
    if request.version.0 != 1 {
        return refuse(2, "the version of the request must be 1");
    }
    if request.req_policy.is_some_and(|policy| policy != stamping.policy) {
        return refuse(15, "the requested policy is not supported");
    }
    if request.extensions.is_some() {
        return refuse(16, "extensions are not supported");
    }

    let beyond = |error: tagwise_codec::TimeOutOfRange| {
        let error = crate::Error::new(crate::ErrorKind::Parameters, "the time").because(error.to_string());
        TspError::from(error)
    };
    let time = GeneralizedTime::from_unix(stamping.time).map_err(beyond)?;
    let seconds = stamping.accuracy.map(|seconds| u64::from(seconds).to_be_bytes());
    let serial = stamping.serial.number();
    let info = tst_info(&TstInfo {
        version: TstInfoVersion::V1,
        policy: stamping.policy,
        message_imprint: imprint,
        serial_number: serial.0,
        gen_time: time,
        accuracy: seconds.as_ref().map(|seconds| Accuracy {
            seconds: Some(Int::from_signed(seconds)),
            millis: None,
            micros: None,
        }),
        ordering: false,
        nonce: request.nonce,
        tsa: Some(GeneralName::DirectoryName(stamping.certificate.tbs_certificate.subject)),
        extensions: None,
    })?;
    let mut attributes = AttributeList::new();
    attributes.signing_certificate(stamping.certificate, BuildDigest::Sha256)?;
    let attributes = attributes.attributes();
    let signing = Signing { attributes: Some(&attributes), ..Signing::new(stamping.signer, stamping.certificate) };
    let certificates = if request.cert_req { stamping.certificates } else { &[] };
    let options = SignedOptions { content_type: ID_CT_TST_INFO, certificates, ..SignedOptions::DEFAULT };
    let token = sign(backend, &info, &[signing], &options)?;
    let granted = PkiStatusInfo { status: PkiStatus::GRANTED, status_string: None, fail_info: None };
    Ok(timestamp_response(&granted, Some(&token))?)
}

/// Creates a response that rejects the request.
fn refuse(failure: u32, why: &str) -> Result<Vec<u8>, TspError> {
    let text = [Utf8::new(why)];
    let status = PkiStatusInfo {
        status: PkiStatus::REJECTION,
        status_string: Some(PkiFreeText(SeqOf::from_slice(&text))),
        fail_info: Some(PkiFailureInfo(NamedBits::from_mask(1 << failure))),
    };
    Ok(timestamp_response(&status, None)?)
}

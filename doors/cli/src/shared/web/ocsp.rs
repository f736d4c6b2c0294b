//! OCSP over HTTP (RFC 6960 Appendix A): requests, and what their answers state.

use tagwise_codec::{Decode, Options, RuleSet};
use tagwise_pkix::build::{self, Digest, ExtensionList, IssuerHashes};
use tagwise_pkix::ocsp::{
    BasicOcspResponse, Nonce, OcspResponse, OcspResponseStatus, Request, Response, SingleResponse, TbsRequest, Version,
};
use tagwise_pkix::{Certificate, Extensions, UnixTime, oids};

use super::issuers::locations;

/// The media type of requests.
pub(super) const MEDIA: &str = "application/ocsp-request";

/// The digest that identifies the issuer. Responders for many clients know only SHA-1 (RFC 5019 §2.1.1), and nothing depends on
/// its strength.
const ISSUER_DIGEST: Digest = Digest::Sha1;

/// The URLs of a certificate's responders.
pub(crate) fn responders(certificate: &Certificate<'_>) -> Vec<String> {
    locations(certificate, oids::AD_OCSP)
}

/// Builds a request about a certificate.
///
/// # Errors
/// Returns an error if a name cannot be encoded.
pub(crate) fn request(
    certificate: &Certificate<'_>,
    issuer: &Certificate<'_>,
    nonce: Option<&[u8]>,
) -> Result<Vec<u8>, String> {
    let said = |error: build::BuildError| error.to_string();
    let hashes = IssuerHashes::of(ISSUER_DIGEST, issuer).map_err(said)?;
    let req_cert = hashes.cert_id(certificate.tbs_certificate.serial_number);
    let requests = [Request { req_cert, single_request_extensions: None }];
    let mut list = ExtensionList::new();
    if let Some(nonce) = nonce {
        list.add(false, &Nonce(nonce.into())).map_err(said)?;
    }
    let extensions = list.extensions();
    build::ocsp_request(&TbsRequest {
        version: Version::V1,
        requestor_name: None,
        request_list: requests.as_slice().into(),
        request_extensions: Extensions::new(&extensions),
    })
    .map_err(said)
}

/// A response's statement about a certificate, before verification.
pub(crate) struct Asked<'a> {
    pub(crate) basic: BasicOcspResponse<'a>,
    pub(crate) single: SingleResponse<'a>,
}

impl<'a> Asked<'a> {
    /// Reads a response.
    ///
    /// # Errors
    /// Returns an error if it is malformed or an error response, or does not mention the serial number.
    pub(crate) fn read(der: &'a [u8], certificate: &Certificate<'_>) -> Result<Self, String> {
        let basic = basic(der)?;
        let wanted = certificate.tbs_certificate.serial_number.0;
        let mut responses = basic.tbs_response_data.responses.iter().map_while(Result::ok);
        let single = responses.find(|single| single.cert_id.serial_number == wanted);
        let single = single.ok_or("the response does not mention the certificate")?;
        Ok(Self { basic, single })
    }
}

/// Reads a successful response.
pub(super) fn basic(der: &[u8]) -> Result<BasicOcspResponse<'_>, String> {
    let lax = Options::der().rules(RuleSet::ALL);
    let response =
        lax.outline::<OcspResponse<'_>>(der).map_err(|error| format!("not an OCSP response: {error}"))?.value;
    if response.response_status != OcspResponseStatus::Successful {
        return Err(format!("the responder answered {:?}", response.response_status));
    }
    let bytes = response.response_bytes.ok_or("a successful response without a body (RFC 6960 §4.2.1)")?;
    match bytes.response.get() {
        Ok(Response::Response(basic)) => Ok(basic),
        Ok(_) => Err("unknown type of OCSP response".to_owned()),
        Err(error) => {
            // Its faults are reported when it is used.
            BasicOcspResponse::outline(bytes.response.as_bytes()).map_err(|_| format!("not an OCSP response: {error}"))
        }
    }
}

/// Returns whether a response's answers are current at a time.
pub(super) fn is_current(der: &[u8], time: UnixTime) -> bool {
    let Ok(basic) = basic(der) else { return false };
    basic.tbs_response_data.responses.iter().all(|single| {
        single.is_ok_and(|single| {
            single.this_update.unix() <= time && single.next_update.is_some_and(|next| time < next.unix())
        })
    })
}

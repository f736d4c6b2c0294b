//! OCSP: responses with their single responses, and requests (RFC 6960).

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::{OctetStr, SeqOf, Session, Tag, encode};
use tagwise::pkix::build::{Digest as BuildDigest, ExtensionList, IssuerHashes, ocsp_request};
use tagwise::pkix::ocsp::{
    BasicOcspResponse, CertStatus, OcspResponse, Request, ResponderId, Response, SingleResponse, TbsRequest, Version,
};
use tagwise::pkix::{Extensions, oids};

use crate::bytes::{given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::certificate::tagwise_certificate;
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::extension::list_of;
use crate::held::Held;
use crate::options::tagwise_options;
use crate::slices::{self, after, part};

/// An OCSP response with a copy of its encoding. Values returned by its functions are borrowed from it, except for buffers.
/// Immutable: threads may share it. tagwise_path_find() checks whether its signer is authorized.
#[cfg_attr(all(), repr(transparent))]
pub struct tagwise_ocsp_response(pub(crate) Held<OcspFamily>);

held!(tagwise_ocsp_response, OcspFamily, OcspResponse);

/// The encoding of the responder's name, or the hash of its key.
type NameOrHash<'a> = (Option<&'a [u8]>, Option<&'a [u8]>);

impl tagwise_ocsp_response {
    /// Returns the signed basic response.
    ///
    /// # Errors
    /// Returns an error if there is no response, or it has a different type.
    pub(crate) fn basic(&self) -> Result<BasicOcspResponse<'_>, Problem> {
        let none =
            || Problem::new(tagwise_error_kind::Input, "no-response", "the response contains only an error status");
        match self.0.parsed().response_bytes.as_ref().ok_or_else(none)?.response.get()? {
            Response::Response(basic) => Ok(basic),
            Response::Unknown(_) => Err(Problem::new(
                tagwise_error_kind::Unsupported,
                "unsupported",
                "the response is not a basic response",
            )),
        }
    }

    pub(crate) fn signature_algorithm(&self) -> Result<Option<&[u8]>, Problem> {
        Ok(after(self.0.der(), self.basic()?.tbs_response_data.as_bytes()))
    }

    /// Returns the encoding of the responder's name, or the hash of its key.
    pub(crate) fn responder(&self) -> Result<NameOrHash<'_>, Problem> {
        let basic = self.basic()?;
        // responderID ResponderID, after version [0] EXPLICIT Version DEFAULT v1; byName [1] Name is EXPLICIT.
        let responder = part(basic.tbs_response_data.as_bytes(), Some(Tag::context(0)), 0);
        Ok(match basic.tbs_response_data.responder_id {
            ResponderId::ByName(_) => (responder.and_then(|responder| part(responder, None, 0)), None),
            ResponderId::ByKey(hash) => (None, Some(hash.as_bytes())),
        })
    }
}

/// The status of a certificate in a response.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_ocsp_status {
    /// Not revoked, according to the responder.
    Good = 0,
    /// Revoked.
    Revoked = 1,
    /// The responder does not recognize the certificate.
    Unknown = 2,
}

/// A response's statement about one certificate, borrowed from the response.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_ocsp_single {
    /// The hash algorithm, as OBJECT IDENTIFIER content bytes.
    hash_algorithm: tagwise_bytes,
    /// The hash of the issuer's name.
    issuer_name_hash: tagwise_bytes,
    /// The hash of the issuer's key.
    issuer_key_hash: tagwise_bytes,
    /// The certificate's serial number, as INTEGER content bytes.
    serial: tagwise_bytes,
    /// The certificate's status.
    status: tagwise_ocsp_status,
    /// The revocation time, in seconds since 1970; 0 if the certificate is not revoked.
    revoked_at: i64,
    /// The reason code (RFC 5280 section 5.3.1); -1 if there is none.
    reason: i32,
    /// The time at which the status was known to be correct (thisUpdate), in seconds since 1970.
    this_update: i64,
    /// The time by which newer information will be available (nextUpdate), in seconds since 1970; INT64_MAX if there is none.
    next_update: i64,
    /// The single response's extensions, concatenated, for tagwise_extension_next().
    extensions: tagwise_bytes,
}

/// Gets the next single response and advances `rest` past it. Returns false, without setting an error, after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_single_next(
    rest: Option<&mut tagwise_bytes>,
    options: Option<&tagwise_options>,
    single: Option<&mut MaybeUninit<tagwise_ocsp_single>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let session = Session::new(tagwise_options::of(options)?);
        let Some(whole) = slices::next(rest, &session)? else { return Ok(false) };
        let read = tagwise_options::of(options)?.outline::<SingleResponse<'_>>(whole)?.value;
        let (status, revoked_at, reason) = match &read.cert_status {
            CertStatus::Good => (tagwise_ocsp_status::Good, 0, -1),
            CertStatus::Revoked(info) => {
                let reason = info.revocation_reason.map_or(-1, |reason| reason as i32);
                (tagwise_ocsp_status::Revoked, info.revocation_time.unix().0, reason)
            }
            CertStatus::Unknown(_) => (tagwise_ocsp_status::Unknown, 0, -1),
        };
        let of_bytes = tagwise_bytes::of;
        put(
            single,
            tagwise_ocsp_single {
                hash_algorithm: of_bytes(read.cert_id.hash_algorithm.algorithm.as_bytes()),
                issuer_name_hash: of_bytes(read.cert_id.issuer_name_hash.as_bytes()),
                issuer_key_hash: of_bytes(read.cert_id.issuer_key_hash.as_bytes()),
                serial: of_bytes(read.cert_id.serial_number.as_bytes()),
                status,
                revoked_at,
                reason,
                this_update: read.this_update.unix().0,
                next_update: read.next_update.map_or(i64::MAX, |time| time.unix().0),
                extensions: list_of(read.single_extensions),
            },
        );
        Ok(true)
    })
}

/// Creates a request about one certificate, in DER. `digest` is the name of the hash algorithm; NULL means SHA-1. `nonce`
/// may be absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_request_build(
    certificate: Option<&tagwise_certificate>,
    issuer: Option<&tagwise_certificate>,
    digest: *const c_char,
    nonce: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let (certificate, issuer) = (given(certificate, "certificate")?.value(), given(issuer, "issuer")?.value());
        let name = if digest.is_null() { "SHA-1" } else { terminated(digest, "digest")? };
        let digest = match name.to_ascii_uppercase().as_str() {
            "SHA-1" => BuildDigest::Sha1,
            "SHA-256" => BuildDigest::Sha256,
            _ => return Err(Problem::argument(format!("unsupported certificate identifier `{name}`"))),
        };
        let hashes = IssuerHashes::of(digest, issuer)?;
        let requests =
            [Request { req_cert: hashes.cert_id(certificate.serial_number()), single_request_extensions: None }];
        let mut extensions = ExtensionList::new();
        if let Some(nonce) = nonce.optional()? {
            extensions.add_der(oids::OCSP_NONCE, false, encode(&OctetStr::new(nonce))?)?;
        }
        let extensions = extensions.extensions();
        let tbs = TbsRequest {
            version: Version::V1,
            requestor_name: None,
            request_list: SeqOf::from_slice(&requests),
            request_extensions: Extensions::new(&extensions),
        };
        Ok(tagwise_buffer::new(ocsp_request(&tbs)?))
    })
}

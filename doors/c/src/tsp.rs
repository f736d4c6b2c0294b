//! Time stamps (RFC 3161).

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::UnixTime;
use tagwise::crypto::cms::{Objection, VerifyOptions};
use tagwise::crypto::tsp::{self, Expected, Stamp};

use crate::bytes::{tagwise_buffer, tagwise_bytes};
use crate::cms::slices;
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::key::{digest, tagwise_backend};
use crate::options::tagwise_options;

/// Creates a time-stamp request for data, in DER, with a nonce. `name` is the digest's name, such as `SHA-256`. If
/// `certificates` is true, the request asks the TSA to include its certificates.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_request(
    backend: Option<&tagwise_backend>,
    name: *const c_char,
    data: tagwise_bytes,
    certificates: bool,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let backend = tagwise_backend::of(backend)?;
        let digest = digest(name)?;
        let imprint = backend.digest(digest, data.get()?)?;
        Ok(tagwise_buffer::new(tsp::request(backend, digest, &imprint, None, certificates)?))
    })
}

/// A verified time stamp. Values returned by its functions are borrowed from it. Immutable: threads may share it.
pub struct tagwise_timestamp {
    pub(crate) stamp: Stamp,
    pub(crate) faults: String,
}

/// Verifies a time-stamp response or a bare token: its signature, and that it covers `data` or, if `request` is present,
/// answers that request. Certificates are taken from the token and from `certificates`, an array of `count` certificates in
/// DER. `at` is the time at which the TSA certificate is checked; NULL means the stamped time. A time stamp later than `at`, or
/// without it than the current time, is an error. The TSA certificate may
/// violate the rules that `options` tolerate. Trust in the TSA is not checked: pass tagwise_timestamp_certificate() to
/// tagwise_path_find().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_verify(
    backend: Option<&tagwise_backend>,
    response: tagwise_bytes,
    data: tagwise_bytes,
    request: tagwise_bytes,
    certificates: *const tagwise_bytes,
    count: usize,
    at: Option<&i64>,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_timestamp>> {
    guard!(error, {
        let certificates = slices(certificates, count)?;
        let at = at.map(|at| UnixTime(*at));
        let tolerate = tagwise_options::of(options)?.tolerated();
        let options = VerifyOptions { certificates: &certificates, at, tolerate, ..VerifyOptions::DEFAULT };
        let expected = match request.optional()? {
            Some(request) => Expected::Request(request),
            None => Expected::Data(data.get()?),
        };
        let stamp = tsp::verify(tagwise_backend::of(backend)?, response.der()?, &expected, &options)?;
        if let Some(objection) = stamp.objections.iter().find(|one| matches!(one, Objection::Future { .. })) {
            return Err(Problem::new(tagwise_error_kind::Signature, "future", objection.to_string()));
        }
        let faults = stamp.objections.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Ok(Some(Box::new(tagwise_timestamp { stamp, faults })))
    })
}

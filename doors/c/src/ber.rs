//! Conversion of BER to DER.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::ber::{self, Canonical};
use tagwise::codec::table::Typed;
#[cfg(feature = "full")]
use tagwise::pkix::cms::ContentInfo;
use tagwise::pkix::csr::CertificationRequest;
#[cfg(feature = "full")]
use tagwise::pkix::ocsp::{OcspRequest, OcspResponse};
use tagwise::pkix::{Certificate, CertificateList};

use crate::bytes::{put, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error};
use crate::options::tagwise_options;

pub(crate) fn converted(
    canonical: &Canonical<'_>,
    residue: Option<&mut MaybeUninit<usize>>,
) -> Option<Box<tagwise_buffer>> {
    put(residue, canonical.residue.len());
    tagwise_buffer::new(&*canonical.bytes)
}

/// Converts BER in any form to DER, including indefinite lengths, segmented strings and unordered SETs. `type` is the value's
/// type: `Certificate`, `CertificateList`, `CertificationRequest`, `ContentInfo` (CMS), `OCSPRequest` or `OCSPResponse`. NULL
/// means an element of unknown type; its strings with implicit tags are not converted. `residue` is set to the number of
/// elements whose conversion is uncertain. If it is 0, the result is DER. Signed parts keep their original bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ber_to_der(
    input: tagwise_bytes,
    r#type: *const c_char,
    options: Option<&tagwise_options>,
    residue: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let (input, options) = (input.der()?, tagwise_options::ber(options)?);
        if r#type.is_null() {
            return Ok(converted(&ber::to_der_untyped_with(input, &options)?, residue));
        }
        let name = terminated(r#type, "type")?;
        let ty = match name {
            "Certificate" => Certificate::ty(),
            "CertificateList" => CertificateList::ty(),
            "CertificationRequest" => CertificationRequest::ty(),
            #[cfg(feature = "full")]
            "ContentInfo" => ContentInfo::ty(),
            #[cfg(feature = "full")]
            "OCSPRequest" => OcspRequest::ty(),
            #[cfg(feature = "full")]
            "OCSPResponse" => OcspResponse::ty(),
            _ => {
                let known = [
                    "Certificate",
                    "CertificateList",
                    "CertificationRequest",
                    #[cfg(feature = "full")]
                    "ContentInfo",
                    #[cfg(feature = "full")]
                    "OCSPRequest",
                    #[cfg(feature = "full")]
                    "OCSPResponse",
                ];
                return Err(Problem::unknown("type", name, known));
            }
        };
        Ok(converted(&ber::to_der_as(ty, None, input, &options)?, residue))
    })
}

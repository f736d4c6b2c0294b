//! Certification requests (PKCS #10).

use std::mem::MaybeUninit;

use tagwise::codec::Tag;
use tagwise::pkix::csr::CertificationRequest;
use tagwise::pkix::ext::SubjectAltName;
use tagwise::pkix::oids::files;

use crate::bytes::{given, put, tagwise_bytes};
use crate::error::tagwise_error;
use crate::extension::{content, list};
use crate::held::{Extent, Held};
use crate::options::{deviation, tagwise_deviation, tagwise_options};
use crate::parts::part;

/// A certification request (RFC 2986) with a copy of its encoding. Values returned by its functions are borrowed from it,
/// except for buffers. Immutable: threads may share it.
#[cfg_attr(all(), repr(transparent))]
pub struct tagwise_request(pub(crate) Held<RequestFamily>);

held!(tagwise_request, RequestFamily, CertificationRequest);

impl tagwise_request {
    pub(crate) fn value(&self) -> &CertificationRequest<'_> {
        self.0.parsed()
    }

    fn part(&self, index: usize) -> tagwise_bytes {
        tagwise_bytes::of_option(part(self.value().certification_request_info.as_bytes(), None, index))
    }
}

/// Reads a request in DER and checks every byte.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_read(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_request {
    guard!(error, tagwise_request::read(der, Extent::Whole, options))
}

/// Reads the first request in a PEM text and checks every byte.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_from_pem(
    text: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_request {
    guard!(error, {
        let der = crate::pem::labelled(text, &files::CERTIFICATION_REQUEST, options)?;
        tagwise_request::read(tagwise_bytes::of(&der), Extent::Whole, options)
    })
}

/// Frees a request; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_free(request: *mut tagwise_request) {
    guard!(tagwise_request::release(request))
}

/// Returns the complete request in DER.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_der(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(request.map(|request| request.0.der())))
}

/// Returns the to-be-signed bytes, unchanged from the encoding.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_tbs(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(request.map(|request| request.value().certification_request_info.as_bytes())))
}

/// Returns the subject: an encoded name.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_subject(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| request.part(1)))
}

/// Returns the public key with its algorithm: an encoded SubjectPublicKeyInfo.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_public_key(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| request.part(2)))
}

/// Returns the signature algorithm: an encoded AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_signature_algorithm(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(request.and_then(|request| part(request.0.der(), None, 1))))
}

/// Returns the signature, without the BIT STRING's count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_signature(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::of(request.value().signature.as_bytes())))
}

/// Returns the attributes, concatenated, for tagwise_element_next(). Each is an encoded Attribute.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_attributes(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| {
        let whole = part(request.value().certification_request_info.as_bytes(), None, 3);
        let content = whole.and_then(|whole| {
            let mut reader = tagwise::codec::Reader::new(whole).ok()?;
            let len = reader.expect(Tag::context(0).constructed()).ok()?;
            reader.take(len).ok()
        });
        tagwise_bytes::of_option(content)
    }))
}

/// Reads the requested extensions, concatenated, for tagwise_extension_next(). Empty if there are none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_extensions(
    request: Option<&tagwise_request>,
    extensions: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(extensions, list(&given(request, "request")?.value().extensions()?));
        Ok(true)
    })
}

/// Reads the requested subject alternative names, concatenated, for tagwise_general_name_next(). Returns false, without
/// setting an error, if there are none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_names(
    request: Option<&tagwise_request>,
    names: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let Some(found) = given(request, "request")?.value().extension::<SubjectAltName<'_>>()? else {
            return Ok(false);
        };
        put(names, content(&found.0.0));
        Ok(true)
    })
}

/// Gets the tolerated deviation at the given index, counted from 0. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_deviation(
    request: Option<&tagwise_request>,
    index: usize,
    found: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    guard!(request.is_some_and(|request| deviation(request.0.deviations(), index, found)))
}

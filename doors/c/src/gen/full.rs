//! Functions of messages and builders, and of values shown as text.
//!
//! Written by `./x c header` from `functions.tsv`: change the table, not this file.

#![allow(unused_imports, reason = "every file imports the same types")]
#![allow(clippy::useless_conversion, clippy::needless_question_mark, reason = "expressions have several types")]

use std::ffi::c_char;
use std::mem::MaybeUninit;

use crate::builder::{
    general_name, length_of, revoke, serial_of, subject_text, tagwise_certificate_builder, tagwise_crl_builder,
    tagwise_request_builder, tagwise_unsigned, unsigned, usage_of,
};
use crate::bytes::{given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::certificate::tagwise_certificate;
use crate::cms::tagwise_cms;
use crate::crl::tagwise_crl;
use crate::error::tagwise_error;
use crate::extension::{content, find, list_of, tagwise_extension};
use crate::held::Extent;
use crate::key::{tagwise_backend, tagwise_key};
use crate::ocsp::tagwise_ocsp_response;
use crate::options::{deviation, tagwise_deviation, tagwise_options};
use crate::path::ip;
use crate::request::tagwise_request;
use crate::show::{json, named, text};
use crate::tsp::tagwise_timestamp;
use tagwise::codec::Decode as _;
use tagwise::codec::UnixTime;
use tagwise::pkix::text::openssl;

/// Reads an OCSP response in DER and checks every byte of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_read(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_ocsp_response {
    guard!(error, tagwise_ocsp_response::read(der, Extent::Whole, options))
}

/// Reads the outer structure of an OCSP response. The parts inside are checked on access: a malformed one does not prevent reading
/// the rest.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_outline(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_ocsp_response {
    guard!(error, tagwise_ocsp_response::read(der, Extent::Outline, options))
}

/// Reads the first OCSP response of a text in PEM and checks every byte of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_from_pem(
    text: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_ocsp_response {
    guard!(error, {
        let der = crate::pem::labelled(text, &tagwise::pkix::oids::files::OCSP_RESPONSE, options)?;
        tagwise_ocsp_response::read(tagwise_bytes::of(&der), Extent::Whole, options)
    })
}

/// Returns an OCSP response again, for another owner. Each owner frees it once; the last one frees its memory.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_retain(response: Option<&tagwise_ocsp_response>) -> *mut tagwise_ocsp_response {
    guard!(tagwise_ocsp_response::retain(response))
}

/// Frees an OCSP response; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_free(response: *mut tagwise_ocsp_response) {
    guard!(tagwise_ocsp_response::release(response))
}

/// The whole encoding.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_der(response: Option<&tagwise_ocsp_response>) -> tagwise_bytes {
    guard!(tagwise_bytes::from(response.map(|response| response.0.der())))
}

/// Gives the tolerated deviation with this index, counted from 0; false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_deviation(
    response: Option<&tagwise_ocsp_response>,
    index: usize,
    found: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    guard!(response.is_some_and(|response| deviation(response.0.deviations(), index, found)))
}

/// The value as `tagwise show` prints it below the heading. `time`, in seconds since 1970, is the moment for which it tells whether
/// something has expired.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_show(
    certificate: Option<&tagwise_certificate>,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        Ok(tagwise_buffer::new(text(&certificate.0, time)?))
    })
}

/// The value as `tagwise show` prints it below the heading. `time`, in seconds since 1970, is the moment for which it tells whether
/// something has expired.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_show(
    crl: Option<&tagwise_crl>,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let crl = given(crl, "crl")?;
        Ok(tagwise_buffer::new(text(&crl.0, time)?))
    })
}

/// The value as `tagwise show` prints it below the heading. `time`, in seconds since 1970, is the moment for which it tells whether
/// something has expired.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_show(
    request: Option<&tagwise_request>,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let request = given(request, "request")?;
        Ok(tagwise_buffer::new(text(&request.0, time)?))
    })
}

/// The value as `tagwise show` prints it below the heading. `time`, in seconds since 1970, is the moment for which it tells whether
/// something has expired.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_show(
    response: Option<&tagwise_ocsp_response>,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let response = given(response, "response")?;
        Ok(tagwise_buffer::new(text(&response.0, time)?))
    })
}

/// The value as `tagwise show --json` prints it, with the same `time` as the function for text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_json(
    certificate: Option<&tagwise_certificate>,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        Ok(tagwise_buffer::new(json(&certificate.0, time)?))
    })
}

/// The value as `tagwise show --json` prints it, with the same `time` as the function for text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_json(
    crl: Option<&tagwise_crl>,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let crl = given(crl, "crl")?;
        Ok(tagwise_buffer::new(json(&crl.0, time)?))
    })
}

/// The value as `tagwise show --json` prints it, with the same `time` as the function for text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_json(
    request: Option<&tagwise_request>,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let request = given(request, "request")?;
        Ok(tagwise_buffer::new(json(&request.0, time)?))
    })
}

/// The value as `tagwise show --json` prints it, with the same `time` as the function for text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_json(
    response: Option<&tagwise_ocsp_response>,
    time: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let response = given(response, "response")?;
        Ok(tagwise_buffer::new(json(&response.0, time)?))
    })
}

/// The field with a customary name, such as `notAfter`, `subject`, `san` or `fingerprint`, as `tagwise get` prints it. Several
/// values are separated by newlines; the buffer is empty if the value does not have the field.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_get(
    certificate: Option<&tagwise_certificate>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let name = terminated(name, "name")?;
        Ok(tagwise_buffer::new(named(&certificate.0, name)?))
    })
}

/// The field with a customary name, such as `notAfter`, `subject`, `san` or `fingerprint`, as `tagwise get` prints it. Several
/// values are separated by newlines; the buffer is empty if the value does not have the field.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_get(
    crl: Option<&tagwise_crl>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let crl = given(crl, "crl")?;
        let name = terminated(name, "name")?;
        Ok(tagwise_buffer::new(named(&crl.0, name)?))
    })
}

/// The field with a customary name, such as `notAfter`, `subject`, `san` or `fingerprint`, as `tagwise get` prints it. Several
/// values are separated by newlines; the buffer is empty if the value does not have the field.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_get(
    request: Option<&tagwise_request>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let request = given(request, "request")?;
        let name = terminated(name, "name")?;
        Ok(tagwise_buffer::new(named(&request.0, name)?))
    })
}

/// The certificate as OpenSSL prints it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_text(
    certificate: Option<&tagwise_certificate>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        Ok(tagwise_buffer::new(crate::show::written(|out| openssl::certificate(certificate.value(), out))?))
    })
}

/// The CRL as OpenSSL prints it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_text(
    crl: Option<&tagwise_crl>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let crl = given(crl, "crl")?;
        Ok(tagwise_buffer::new(crate::show::written(|out| openssl::list(crl.value(), out))?))
    })
}

/// Verifies the signature of a certificate with its issuer's key, and that the value names that issuer. Nothing else is checked:
/// use tagwise_path_find() to decide whether a certificate is trusted.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_verify_signature(
    certificate: Option<&tagwise_certificate>,
    issuer: Option<&tagwise_certificate>,
    backend: Option<&tagwise_backend>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let issuer = given(issuer, "issuer")?;
        let backend = tagwise_backend::of(backend)?;
        Ok(tagwise::crypto::VerifySigned::verify_signed_by(certificate.value(), issuer.value(), backend)
            .map(|()| true)?)
    })
}

/// Verifies the signature of a CRL with its issuer's key, and that the value names that issuer. Nothing else is checked: use
/// tagwise_path_find() to decide whether a certificate is trusted.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_verify_signature(
    crl: Option<&tagwise_crl>,
    issuer: Option<&tagwise_certificate>,
    backend: Option<&tagwise_backend>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let crl = given(crl, "crl")?;
        let issuer = given(issuer, "issuer")?;
        let backend = tagwise_backend::of(backend)?;
        Ok(tagwise::crypto::VerifySigned::verify_signed_by(crl.value(), issuer.value(), backend).map(|()| true)?)
    })
}

/// Verifies the signature of a request with the key inside it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_verify_signature(
    request: Option<&tagwise_request>,
    backend: Option<&tagwise_backend>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let request = given(request, "request")?;
        let backend = tagwise_backend::of(backend)?;
        Ok(tagwise::crypto::VerifySelfSigned::verify(request.value(), backend).map(|()| true)?)
    })
}

/// The response status by its number in RFC 6960 section 4.2.1: 0 for a successful response, otherwise the reason for the failure;
/// 255 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_status(response: Option<&tagwise_ocsp_response>) -> u8 {
    guard!(response.map_or(255, |response| response.0.parsed().response_status as u8))
}

/// Gives the signed part, unchanged.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_tbs(
    response: Option<&tagwise_ocsp_response>,
    tbs: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        let found_tbs = response.basic()?.tbs_response_data.as_bytes();
        put(tbs, tagwise_bytes::from(found_tbs));
        Ok(true)
    })
}

/// Gives the algorithm of the signature: the encoding of an AlgorithmIdentifier.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_signature_algorithm(
    response: Option<&tagwise_ocsp_response>,
    algorithm: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        let found_algorithm = response.signature_algorithm()?;
        put(algorithm, tagwise_bytes::from(found_algorithm));
        Ok(true)
    })
}

/// Gives the signature, without its count of unused bits.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_signature(
    response: Option<&tagwise_ocsp_response>,
    signature: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        let found_signature = response.basic()?.signature.as_bytes();
        put(signature, tagwise_bytes::from(found_signature));
        Ok(true)
    })
}

/// Gives the time of signing (producedAt), in seconds since 1970.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_produced_at(
    response: Option<&tagwise_ocsp_response>,
    seconds: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        let found_seconds = response.basic()?.tbs_response_data.produced_at.unix().0;
        put(seconds, found_seconds);
        Ok(true)
    })
}

/// Gives the responder: `name` is the encoding of a name, or `key_hash` the SHA-1 of its key; the other one is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_responder(
    response: Option<&tagwise_ocsp_response>,
    name: Option<&mut MaybeUninit<tagwise_bytes>>,
    key_hash: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        let (found_name, found_key_hash) = response.responder()?;
        put(name, tagwise_bytes::from(found_name));
        put(key_hash, tagwise_bytes::from(found_key_hash));
        Ok(true)
    })
}

/// Gives the included certificates, concatenated, for tagwise_element_next(). Empty if there are none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_certificates(
    response: Option<&tagwise_ocsp_response>,
    certificates: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        let found_certificates = content(&response.basic()?.certs.unwrap_or_default());
        put(certificates, tagwise_bytes::from(found_certificates));
        Ok(true)
    })
}

/// Gives the extensions, concatenated, for tagwise_extension_next(). Empty if there are none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_extensions(
    response: Option<&tagwise_ocsp_response>,
    extensions: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        let found_extensions = list_of(response.basic()?.tbs_response_data.response_extensions);
        put(extensions, tagwise_bytes::from(found_extensions));
        Ok(true)
    })
}

/// Gives the extension with that identifier; false with no error if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_extension(
    response: Option<&tagwise_ocsp_response>,
    oid: tagwise_bytes,
    extension: Option<&mut MaybeUninit<tagwise_extension>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        Ok(find(&response.basic()?.tbs_response_data.response_extensions.unwrap_or_default(), oid, extension)?)
    })
}

/// Gives the single responses, concatenated, for tagwise_ocsp_single_next().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_ocsp_response_singles(
    response: Option<&tagwise_ocsp_response>,
    singles: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let response = given(response, "response")?;
        let found_singles = content(&response.basic()?.tbs_response_data.responses);
        put(singles, tagwise_bytes::from(found_singles));
        Ok(true)
    })
}

/// Sets the subject from text as RFC 4514 has it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_subject(
    builder: Option<&mut tagwise_certificate_builder>,
    subject: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let subject = terminated(subject, "subject")?;
        Ok(builder.subject(subject).map_err(subject_text)?)
    })
}

/// Sets the subject from text as RFC 4514 has it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_subject(
    builder: Option<&mut tagwise_request_builder>,
    subject: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let subject = terminated(subject, "subject")?;
        Ok(builder.subject(subject).map_err(subject_text)?)
    })
}

/// Sets the subject from the encoding of a name.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_subject_name(
    builder: Option<&mut tagwise_certificate_builder>,
    subject: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let subject = tagwise::pkix::Name::from_der(subject.der()?)?;
        Ok(builder.subject_name(&subject)?)
    })
}

/// Sets the subject from the encoding of a name.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_subject_name(
    builder: Option<&mut tagwise_request_builder>,
    subject: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let subject = tagwise::pkix::Name::from_der(subject.der()?)?;
        Ok(builder.subject_name(&subject)?)
    })
}

/// Sets the issuer from its certificate: name and key identifier.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_issuer(
    builder: Option<&mut tagwise_certificate_builder>,
    issuer: Option<&tagwise_certificate>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let issuer = given(issuer, "issuer")?;
        Ok(builder.issuer(issuer.value())?)
    })
}

/// Sets the issuer from the encoding of its name, and from its key identifier unless that is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_issuer_name(
    builder: Option<&mut tagwise_certificate_builder>,
    issuer: tagwise_bytes,
    identifier: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let issuer = tagwise::pkix::Name::from_der(issuer.der()?)?;
        let identifier = identifier.optional()?;
        Ok(builder.issuer_name(&issuer, identifier)?)
    })
}

/// Sets the subject's public key: the encoding of a SubjectPublicKeyInfo.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_public_key(
    builder: Option<&mut tagwise_certificate_builder>,
    public_key: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let public_key = public_key.der()?;
        Ok(builder.public_key(public_key)?)
    })
}

/// Sets the serial number, the content of an INTEGER; without it, it is random.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_serial(
    builder: Option<&mut tagwise_certificate_builder>,
    serial: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| { Ok(builder.serial(serial_of(serial)?)) })
}

/// Sets the validity period, in seconds since 1970.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_validity(
    builder: Option<&mut tagwise_certificate_builder>,
    not_before: i64,
    not_after: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        Ok(builder.not_before(UnixTime(not_before)).not_after(UnixTime(not_after)))
    })
}

/// Makes the subject a CA. `path_length` is the maximum number of CA certificates below it; a negative number means no limit.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_ca(
    builder: Option<&mut tagwise_certificate_builder>,
    path_length: i32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| { Ok(builder.ca(length_of(path_length)?)) })
}

/// Sets the key usage, a combination of bits such as TAGWISE_KEY_USAGE_DIGITAL_SIGNATURE.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_key_usage(
    builder: Option<&mut tagwise_certificate_builder>,
    usage: u16,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| { Ok(builder.key_usage(usage_of(usage)?)) })
}

/// Adds a purpose (OBJECT IDENTIFIER content bytes) to the extended key usage.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_purpose(
    builder: Option<&mut tagwise_certificate_builder>,
    purpose: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let purpose = tagwise::codec::Oid::from_content(purpose.get()?)?;
        Ok(builder.purpose(purpose))
    })
}

/// Adds a DNS name to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_dns(
    builder: Option<&mut tagwise_certificate_builder>,
    host: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let host = terminated(host, "host")?;
        Ok(builder.dns(host))
    })
}

/// Adds a DNS name to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_dns(
    builder: Option<&mut tagwise_request_builder>,
    host: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let host = terminated(host, "host")?;
        Ok(builder.dns(host))
    })
}

/// Adds an IP address of 4 or 16 bytes to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_ip(
    builder: Option<&mut tagwise_certificate_builder>,
    address: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| { Ok(builder.ip(ip(address)?)) })
}

/// Adds an IP address of 4 or 16 bytes to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_ip(
    builder: Option<&mut tagwise_request_builder>,
    address: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| { Ok(builder.ip(ip(address)?)) })
}

/// Adds an email address to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_email(
    builder: Option<&mut tagwise_certificate_builder>,
    mailbox: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let mailbox = terminated(mailbox, "mailbox")?;
        Ok(builder.email(mailbox))
    })
}

/// Adds an email address to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_email(
    builder: Option<&mut tagwise_request_builder>,
    mailbox: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let mailbox = terminated(mailbox, "mailbox")?;
        Ok(builder.email(mailbox))
    })
}

/// Adds a URI to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_uri(
    builder: Option<&mut tagwise_certificate_builder>,
    uri: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let uri = terminated(uri, "uri")?;
        Ok(builder.uri(uri))
    })
}

/// Adds a URI to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_uri(
    builder: Option<&mut tagwise_request_builder>,
    uri: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let uri = terminated(uri, "uri")?;
        Ok(builder.uri(uri))
    })
}

/// Adds an encoded GeneralName of any kind to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_name(
    builder: Option<&mut tagwise_certificate_builder>,
    name: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let name = name.der()?;
        Ok(builder.name(&general_name(name)?)?)
    })
}

/// Adds an encoded GeneralName of any kind to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_name(
    builder: Option<&mut tagwise_request_builder>,
    name: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let name = name.der()?;
        Ok(builder.name(&general_name(name)?)?)
    })
}

/// Sets the issue time (thisUpdate) and the time by which the next CRL is due (nextUpdate), in seconds since 1970.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_updates(
    builder: Option<&mut tagwise_crl_builder>,
    this_update: i64,
    next_update: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        Ok(builder.this_update(UnixTime(this_update)).next_update(UnixTime(next_update)))
    })
}

/// Adds an entry: the revoked certificate's serial number (INTEGER content bytes), the revocation time in seconds since 1970, and
/// the reason's number in RFC 5280 section 5.3.1, or a negative number for no reason.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_revoke(
    builder: Option<&mut tagwise_crl_builder>,
    serial: tagwise_bytes,
    date: i64,
    reason: i32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| { Ok(revoke(builder, serial_of(serial)?, UnixTime(date), reason)?) })
}

/// Adds an extension with the given identifier and encoded value, for example from tagwise_extension_encode().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_extension(
    builder: Option<&mut tagwise_certificate_builder>,
    oid: tagwise_bytes,
    critical: bool,
    value: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let oid = tagwise::codec::Oid::from_content(oid.get()?)?;
        let value = value.get()?;
        Ok(builder.extension_der(oid, critical, value)?)
    })
}

/// Adds an extension with the given identifier and encoded value, for example from tagwise_extension_encode().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_extension(
    builder: Option<&mut tagwise_request_builder>,
    oid: tagwise_bytes,
    critical: bool,
    value: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let oid = tagwise::codec::Oid::from_content(oid.get()?)?;
        let value = value.get()?;
        Ok(builder.extension_der(oid, critical, value)?)
    })
}

/// Adds an extension with the given identifier and encoded value, for example from tagwise_extension_encode().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_extension(
    builder: Option<&mut tagwise_crl_builder>,
    oid: tagwise_bytes,
    critical: bool,
    value: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let oid = tagwise::codec::Oid::from_content(oid.get()?)?;
        let value = value.get()?;
        Ok(builder.extension_der(oid, critical, value)?)
    })
}

/// Signs the value, and returns it in DER. `key` is the issuer's for a certificate or CRL, and the subject's for a request.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_sign(
    builder: Option<&tagwise_certificate_builder>,
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let builder = given(builder, "builder")?;
        let key = given(key, "key")?;
        Ok(tagwise_buffer::new(builder.0.get()?.sign(key.signer()?)?.as_der()))
    })
}

/// Signs the value, and returns it in DER. `key` is the issuer's for a certificate or CRL, and the subject's for a request.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_sign(
    builder: Option<&tagwise_request_builder>,
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let builder = given(builder, "builder")?;
        let key = given(key, "key")?;
        Ok(tagwise_buffer::new(builder.0.get()?.sign(key.signer()?)?.as_der()))
    })
}

/// Signs the value, and returns it in DER. `key` is the issuer's for a certificate or CRL, and the subject's for a request.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_sign(
    builder: Option<&tagwise_crl_builder>,
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let builder = given(builder, "builder")?;
        let key = given(key, "key")?;
        Ok(tagwise_buffer::new(builder.0.get()?.sign(key.signer()?)?.as_der()))
    })
}

/// Signs a certificate for `key` with that key, and returns it in DER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_self_sign(
    builder: Option<&tagwise_certificate_builder>,
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let builder = given(builder, "builder")?;
        let key = given(key, "key")?;
        Ok(tagwise_buffer::new(builder.0.get()?.self_signed(key.signer()?)?.as_der()))
    })
}

/// Creates the to-be-signed part for a signature algorithm (an encoded AlgorithmIdentifier), to be signed elsewhere.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_tbs(
    builder: Option<&tagwise_certificate_builder>,
    algorithm: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_unsigned>> {
    guard!(error, {
        let builder = given(builder, "builder")?;
        let algorithm = tagwise::pkix::AlgorithmIdentifier::from_der(algorithm.der()?)?;
        unsigned(builder.0.get()?.tbs(&algorithm))
    })
}

/// Creates the to-be-signed part for a signature algorithm (an encoded AlgorithmIdentifier), to be signed elsewhere.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_tbs(
    builder: Option<&tagwise_crl_builder>,
    algorithm: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_unsigned>> {
    guard!(error, {
        let builder = given(builder, "builder")?;
        let algorithm = tagwise::pkix::AlgorithmIdentifier::from_der(algorithm.der()?)?;
        unsigned(builder.0.get()?.tbs(&algorithm))
    })
}

/// Creates a request's to-be-signed part for a public key (an encoded SubjectPublicKeyInfo) and a signature algorithm (an encoded
/// AlgorithmIdentifier), to be signed elsewhere.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_tbs(
    builder: Option<&tagwise_request_builder>,
    public_key: tagwise_bytes,
    algorithm: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_unsigned>> {
    guard!(error, {
        let builder = given(builder, "builder")?;
        let public_key = public_key.der()?;
        let algorithm = tagwise::pkix::AlgorithmIdentifier::from_der(algorithm.der()?)?;
        unsigned(builder.0.get()?.tbs(public_key, &algorithm))
    })
}

/// Frees the object; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_free(builder: Option<Box<tagwise_certificate_builder>>) {
    guard!(drop(builder))
}

/// Frees the object; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_free(builder: Option<Box<tagwise_request_builder>>) {
    guard!(drop(builder))
}

/// Frees the object; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_free(builder: Option<Box<tagwise_crl_builder>>) {
    guard!(drop(builder))
}

/// Frees the object; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_unsigned_free(unsigned: Option<Box<tagwise_unsigned>>) {
    guard!(drop(unsigned))
}

/// Frees the object; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_free(timestamp: Option<Box<tagwise_timestamp>>) {
    guard!(drop(timestamp))
}

/// Returns the to-be-signed bytes, borrowed from the object.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_unsigned_tbs(unsigned: Option<&tagwise_unsigned>) -> tagwise_bytes {
    guard!(unsigned.map_or(tagwise_bytes::NONE, |unsigned| tagwise_bytes::from(unsigned.0.tbs())))
}

/// Adds the signature, and returns the signed structure in DER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_unsigned_attach(
    unsigned: Option<&tagwise_unsigned>,
    signature: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let unsigned = given(unsigned, "unsigned")?;
        let signature = signature.get()?;
        Ok(tagwise_buffer::new(unsigned.0.attach(signature)?))
    })
}

/// Frees a message; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_free(cms: Option<Box<tagwise_cms>>) {
    guard!(drop(cms))
}

/// Returns whether the message has a signature, all signatures are valid, and there are no objections to the signers' certificates
/// (validity at the checked time, key usage). Trust in them is not checked.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_is_valid(cms: Option<&tagwise_cms>) -> bool {
    guard!(cms.is_some_and(|cms| cms.verification.is_signed() && cms.verification.is_acceptable()))
}

/// Returns the signed content if the message contains it; otherwise empty.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_content(cms: Option<&tagwise_cms>) -> tagwise_bytes {
    guard!(cms.map_or(tagwise_bytes::NONE, |cms| tagwise_bytes::from(cms.verification.content.as_slice())))
}

/// Returns the content type as OBJECT IDENTIFIER content bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_content_type(cms: Option<&tagwise_cms>) -> tagwise_bytes {
    guard!(cms.map_or(tagwise_bytes::NONE, |cms| tagwise_bytes::from(cms.verification.content_type().as_bytes())))
}

/// Gets the included certificate at the given index, in DER. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_certificate_get(
    cms: Option<&tagwise_cms>,
    index: usize,
    certificate: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> bool {
    guard!(cms.and_then(|cms| cms.verification.certificates.get(index).map(Vec::as_slice)).is_some_and(
        |found_certificate| {
            put(certificate, tagwise_bytes::from(found_certificate));
            true
        }
    ))
}

/// Gets the included certificate at the given index, in DER. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_certificate_get(
    timestamp: Option<&tagwise_timestamp>,
    index: usize,
    certificate: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> bool {
    guard!(timestamp.and_then(|timestamp| timestamp.stamp.certificates.get(index).map(Vec::as_slice)).is_some_and(
        |found_certificate| {
            put(certificate, tagwise_bytes::from(found_certificate));
            true
        }
    ))
}

/// Gets the included CRL at the given index, in DER. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_crl_get(
    cms: Option<&tagwise_cms>,
    index: usize,
    crl: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> bool {
    guard!(cms.and_then(|cms| cms.verification.crls.get(index).map(Vec::as_slice)).is_some_and(|found_crl| {
        put(crl, tagwise_bytes::from(found_crl));
        true
    }))
}

/// Gets the included CRL at the given index, in DER. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_crl_get(
    timestamp: Option<&tagwise_timestamp>,
    index: usize,
    crl: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> bool {
    guard!(timestamp.and_then(|timestamp| timestamp.stamp.crls.get(index).map(Vec::as_slice)).is_some_and(
        |found_crl| {
            put(crl, tagwise_bytes::from(found_crl));
            true
        }
    ))
}

/// Gets the included OCSP response at the given index, in DER: from the field crls (RFC 5940), or from an attribute of a signer.
/// Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_ocsp_get(
    cms: Option<&tagwise_cms>,
    index: usize,
    response: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> bool {
    guard!(cms.and_then(|cms| cms.verification.ocsp_responses.get(index).map(Vec::as_slice)).is_some_and(
        |found_response| {
            put(response, tagwise_bytes::from(found_response));
            true
        }
    ))
}

/// Gets the included OCSP response at the given index, in DER: from the field crls (RFC 5940), or from an attribute of a signer.
/// Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_ocsp_get(
    timestamp: Option<&tagwise_timestamp>,
    index: usize,
    response: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> bool {
    guard!(timestamp.and_then(|timestamp| timestamp.stamp.ocsp_responses.get(index).map(Vec::as_slice)).is_some_and(
        |found_response| {
            put(response, tagwise_bytes::from(found_response));
            true
        }
    ))
}

/// Returns the name of the format of included revocation information that is not read, such as `id-ri-scvp`, at the given index;
/// absent after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_unused_revocation(cms: Option<&tagwise_cms>, index: usize) -> tagwise_bytes {
    guard!(cms.map_or(tagwise_bytes::NONE, |cms| tagwise_bytes::from(
        cms.verification.unused_revocation.get(index).map(String::as_str)
    )))
}

/// Returns the time that the timestamp attests (genTime), in seconds since 1970; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_time(timestamp: Option<&tagwise_timestamp>) -> i64 {
    guard!(timestamp.map_or(0, |timestamp| timestamp.stamp.time.0))
}

/// Returns the timestamp's serial number as INTEGER content bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_serial(timestamp: Option<&tagwise_timestamp>) -> tagwise_bytes {
    guard!(timestamp.map_or(tagwise_bytes::NONE, |timestamp| tagwise_bytes::from(timestamp.stamp.serial.as_slice())))
}

/// Returns the timestamp authority's certificate, in DER.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_certificate(timestamp: Option<&tagwise_timestamp>) -> tagwise_bytes {
    guard!(
        timestamp.map_or(tagwise_bytes::NONE, |timestamp| tagwise_bytes::from(timestamp.stamp.certificate.as_slice()))
    )
}

/// Returns the signed TSTInfo, in DER.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_info(timestamp: Option<&tagwise_timestamp>) -> tagwise_bytes {
    guard!(timestamp.map_or(tagwise_bytes::NONE, |timestamp| tagwise_bytes::from(timestamp.stamp.info.as_slice())))
}

/// Returns the objections to the timestamp authority's certificate (its validity at the checked time and its key usage) as text;
/// empty if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_timestamp_objections(timestamp: Option<&tagwise_timestamp>) -> tagwise_bytes {
    guard!(timestamp.map_or(tagwise_bytes::NONE, |timestamp| tagwise_bytes::from(timestamp.faults.as_bytes())))
}

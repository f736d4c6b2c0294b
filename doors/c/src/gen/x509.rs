//! Functions of certificates, CRLs, requests, cursors, elements and writers.
//!
//! Written by `./x c header` from `functions.tsv`: change the table, not this file.

#![allow(unused_imports, reason = "every file imports the same types")]
#![allow(clippy::useless_conversion, clippy::needless_question_mark, reason = "expressions have several types")]

use std::ffi::c_char;
use std::mem::MaybeUninit;

use crate::bytes::{given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::certificate::tagwise_certificate;
use crate::crl::tagwise_crl;
use crate::cursor::tagwise_cursor;
use crate::element::{as_type, tagwise_element};
use crate::error::tagwise_error;
use crate::extension::{content, find, key_usage, list, tagwise_extension};
use crate::held::Extent;
use crate::options::{deviation, tagwise_deviation, tagwise_options};
use crate::request::tagwise_request;
use crate::slices::part;
use crate::tag::unpack_or;
use crate::writer::{element, tagwise_writer};
use crate::writer_values::{bits, civil, generalized, integer, string, utc};
use tagwise::codec::Decode as _;
use tagwise::codec::{BitStr, GeneralizedTime, Int, Null, OctetStr, Oid, Real, RelativeOid, Tag, UtcTime};
use tagwise::pkix::ext::{AuthorityKeyIdentifier, BasicConstraints, ExtKeyUsage, SubjectAltName, SubjectKeyIdentifier};

/// Reads a certificate in DER and checks every byte of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_read(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_certificate {
    guard!(error, tagwise_certificate::read(der, Extent::Whole, options))
}

/// Reads the outer structure of a certificate. The parts inside are checked on access: a malformed one does not prevent reading the
/// rest.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_outline(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_certificate {
    guard!(error, tagwise_certificate::read(der, Extent::Outline, options))
}

/// Reads the first certificate of a text in PEM and checks every byte of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_from_pem(
    text: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_certificate {
    guard!(error, {
        let der = crate::pem::labelled(text, &tagwise::pkix::oids::files::CERTIFICATE, options)?;
        tagwise_certificate::read(tagwise_bytes::of(&der), Extent::Whole, options)
    })
}

/// Returns a certificate again, for another owner. Each owner frees it once; the last one frees its memory.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_retain(certificate: Option<&tagwise_certificate>) -> *mut tagwise_certificate {
    guard!(tagwise_certificate::retain(certificate))
}

/// Frees a certificate; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_free(certificate: *mut tagwise_certificate) {
    guard!(tagwise_certificate::release(certificate))
}

/// The whole encoding.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_der(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(tagwise_bytes::from(certificate.map(|certificate| certificate.0.der())))
}

/// Gives the tolerated deviation with this index, counted from 0; false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_deviation(
    certificate: Option<&tagwise_certificate>,
    index: usize,
    found: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    guard!(certificate.is_some_and(|certificate| deviation(certificate.0.deviations(), index, found)))
}

/// Reads a CRL in DER and checks every byte of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_read(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_crl {
    guard!(error, tagwise_crl::read(der, Extent::Whole, options))
}

/// Reads the outer structure of a CRL. The parts inside are checked on access: a malformed one does not prevent reading the rest.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_outline(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_crl {
    guard!(error, tagwise_crl::read(der, Extent::Outline, options))
}

/// Reads the first CRL of a text in PEM and checks every byte of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_from_pem(
    text: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_crl {
    guard!(error, {
        let der = crate::pem::labelled(text, &tagwise::pkix::oids::files::CRL, options)?;
        tagwise_crl::read(tagwise_bytes::of(&der), Extent::Whole, options)
    })
}

/// Returns a CRL again, for another owner. Each owner frees it once; the last one frees its memory.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_retain(crl: Option<&tagwise_crl>) -> *mut tagwise_crl {
    guard!(tagwise_crl::retain(crl))
}

/// Frees a CRL; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_free(crl: *mut tagwise_crl) {
    guard!(tagwise_crl::release(crl))
}

/// The whole encoding.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_der(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(tagwise_bytes::from(crl.map(|crl| crl.0.der())))
}

/// Gives the tolerated deviation with this index, counted from 0; false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_deviation(
    crl: Option<&tagwise_crl>,
    index: usize,
    found: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    guard!(crl.is_some_and(|crl| deviation(crl.0.deviations(), index, found)))
}

/// Reads a request in DER and checks every byte of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_read(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_request {
    guard!(error, tagwise_request::read(der, Extent::Whole, options))
}

/// Reads the outer structure of a request. The parts inside are checked on access: a malformed one does not prevent reading the
/// rest.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_outline(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_request {
    guard!(error, tagwise_request::read(der, Extent::Outline, options))
}

/// Reads the first request of a text in PEM and checks every byte of it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_from_pem(
    text: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_request {
    guard!(error, {
        let der = crate::pem::labelled(text, &tagwise::pkix::oids::files::CERTIFICATION_REQUEST, options)?;
        tagwise_request::read(tagwise_bytes::of(&der), Extent::Whole, options)
    })
}

/// Returns a request again, for another owner. Each owner frees it once; the last one frees its memory.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_retain(request: Option<&tagwise_request>) -> *mut tagwise_request {
    guard!(tagwise_request::retain(request))
}

/// Frees a request; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_free(request: *mut tagwise_request) {
    guard!(tagwise_request::release(request))
}

/// The whole encoding.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_der(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(tagwise_bytes::from(request.map(|request| request.0.der())))
}

/// Gives the tolerated deviation with this index, counted from 0; false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_deviation(
    request: Option<&tagwise_request>,
    index: usize,
    found: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    guard!(request.is_some_and(|request| deviation(request.0.deviations(), index, found)))
}

/// Returns the to-be-signed part, with its original bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_tbs(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
            certificate.value().tbs_certificate.as_bytes()
        ))
    )
}

/// Returns the to-be-signed part, with its original bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_tbs(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(crl.value().tbs_cert_list.as_bytes())))
}

/// Returns the to-be-signed part, with its original bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_tbs(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(
        request.value().certification_request_info.as_bytes()
    )))
}

/// Returns the version, counted from 1 (3 for X.509 v3); 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_version(certificate: Option<&tagwise_certificate>) -> u32 {
    guard!(certificate.map_or(0, |certificate| u32::from(certificate.value().version().0).saturating_add(1)))
}

/// Returns the serial number as INTEGER content bytes (two's complement, big-endian).
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_serial(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
            certificate.value().serial_number().as_bytes()
        ))
    )
}

/// Returns the signature algorithm, an encoded AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_signature_algorithm(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(certificate.signature_algorithm()))
    )
}

/// Returns the signature algorithm, an encoded AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_signature_algorithm(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(crl.signature_algorithm())))
}

/// Returns the signature algorithm, an encoded AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_signature_algorithm(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.signature_algorithm())))
}

/// Returns the signature's bytes, without the BIT STRING's count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_signature(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
            certificate.value().signature_value.as_bytes()
        ))
    )
}

/// Returns the signature's bytes, without the BIT STRING's count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_signature(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(crl.value().signature_value.as_bytes())))
}

/// Returns the signature's bytes, without the BIT STRING's count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_signature(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.value().signature.as_bytes())))
}

/// Returns the issuer, an encoded Name for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_issuer(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
        certificate.name(certificate.value().issuer(), 2)
    )))
}

/// Returns the issuer, an encoded Name for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_issuer(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(part(
        crl.value().tbs_cert_list.as_bytes(),
        Some(Tag::INTEGER),
        1
    ))))
}

/// Returns the subject, an encoded Name for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_subject(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
        certificate.name(certificate.value().subject(), 4)
    )))
}

/// Returns the subject, an encoded Name for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_subject(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.part(1))))
}

/// Returns the subject's public key, an encoded SubjectPublicKeyInfo.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_public_key(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(certificate.public_key())))
}

/// Returns the subject's public key, an encoded SubjectPublicKeyInfo.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_public_key(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.part(2))))
}

/// Returns the start of the validity period (notBefore), in seconds since 1970; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_not_before(certificate: Option<&tagwise_certificate>) -> i64 {
    guard!(certificate.map_or(0, |certificate| certificate.value().not_before().unix().0))
}

/// Returns the end of the validity period (notAfter), in seconds since 1970; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_not_after(certificate: Option<&tagwise_certificate>) -> i64 {
    guard!(certificate.map_or(0, |certificate| certificate.value().not_after().unix().0))
}

/// Returns whether the subject and issuer names match.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_is_self_issued(certificate: Option<&tagwise_certificate>) -> bool {
    guard!(certificate.is_some_and(|certificate| certificate.value().is_self_issued()))
}

/// Returns the concatenated extensions, for tagwise_extension_next(). Empty if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_extensions(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate
            .map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(list(&certificate.value().extensions())))
    )
}

/// Returns the concatenated extensions, for tagwise_extension_next(). Empty if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_extensions(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(list(&crl.value().extensions()))))
}

/// Gets the concatenated requested extensions, for tagwise_extension_next(). Empty if there are none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_extensions(
    request: Option<&tagwise_request>,
    extensions: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let request = given(request, "request")?;
        let found_extensions = list(&request.value().extensions()?);
        put(extensions, tagwise_bytes::from(found_extensions));
        Ok(true)
    })
}

/// Finds the extension with the given identifier. Returns false, without setting an error, if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_extension(
    certificate: Option<&tagwise_certificate>,
    oid: tagwise_bytes,
    extension: Option<&mut MaybeUninit<tagwise_extension>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        Ok(find(&certificate.value().extensions(), oid, extension)?)
    })
}

/// Finds the extension with the given identifier. Returns false, without setting an error, if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_extension(
    crl: Option<&tagwise_crl>,
    oid: tagwise_bytes,
    extension: Option<&mut MaybeUninit<tagwise_extension>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let crl = given(crl, "crl")?;
        Ok(find(&crl.value().extensions(), oid, extension)?)
    })
}

/// Finds the requested extension with the given identifier. Returns false, without setting an error, if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_extension(
    request: Option<&tagwise_request>,
    oid: tagwise_bytes,
    extension: Option<&mut MaybeUninit<tagwise_extension>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let request = given(request, "request")?;
        Ok(find(&request.value().extensions()?, oid, extension)?)
    })
}

/// Gets the key usage as a bit mask: 1 << n for bit n of KeyUsage (digitalSignature is bit 0). Returns false, without setting an
/// error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_key_usage(
    certificate: Option<&tagwise_certificate>,
    usage: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let Some(found_usage) = key_usage(&certificate.value().extensions())? else { return Ok(false) };
        put(usage, found_usage);
        Ok(true)
    })
}

/// Gets the key usage as a bit mask: 1 << n for bit n of KeyUsage (digitalSignature is bit 0). Returns false, without setting an
/// error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_key_usage(
    request: Option<&tagwise_request>,
    usage: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let request = given(request, "request")?;
        let Some(found_usage) = key_usage(&request.value().extensions()?)? else { return Ok(false) };
        put(usage, found_usage);
        Ok(true)
    })
}

/// Gets the basic constraints: whether the subject is a CA, and the path length constraint (UINT64_MAX if there is none). Returns
/// false, without setting an error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_basic_constraints(
    certificate: Option<&tagwise_certificate>,
    ca: Option<&mut MaybeUninit<bool>>,
    path_length: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let Some((found_ca, found_path_length)) = certificate
            .value()
            .extension::<BasicConstraints<'_>>()?
            .map(|found| (found.ca, found.path_len_constraint.map_or(u64::MAX, |count| count.get())))
        else {
            return Ok(false);
        };
        put(ca, found_ca);
        put(path_length, found_path_length);
        Ok(true)
    })
}

/// Gets the basic constraints: whether the subject is a CA, and the path length constraint (UINT64_MAX if there is none). Returns
/// false, without setting an error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_basic_constraints(
    request: Option<&tagwise_request>,
    ca: Option<&mut MaybeUninit<bool>>,
    path_length: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let request = given(request, "request")?;
        let Some((found_ca, found_path_length)) = request
            .value()
            .extension::<BasicConstraints<'_>>()?
            .map(|found| (found.ca, found.path_len_constraint.map_or(u64::MAX, |count| count.get())))
        else {
            return Ok(false);
        };
        put(ca, found_ca);
        put(path_length, found_path_length);
        Ok(true)
    })
}

/// Returns whether the extended key usage contains the given purpose, or is absent. Returns false and sets an error if the
/// extension is malformed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_allows_purpose(
    certificate: Option<&tagwise_certificate>,
    purpose: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let purpose = tagwise::codec::Oid::from_content(purpose.get()?)?;
        Ok(certificate.value().extension::<ExtKeyUsage<'_>>()?.is_none_or(|usage| usage.contains(purpose)))
    })
}

/// Returns whether the extended key usage contains the given purpose, or is absent. Returns false and sets an error if the
/// extension is malformed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_allows_purpose(
    request: Option<&tagwise_request>,
    purpose: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let request = given(request, "request")?;
        let purpose = tagwise::codec::Oid::from_content(purpose.get()?)?;
        Ok(request.value().extension::<ExtKeyUsage<'_>>()?.is_none_or(|usage| usage.contains(purpose)))
    })
}

/// Gets the subject key identifier. Returns false, without setting an error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_key_identifier(
    certificate: Option<&tagwise_certificate>,
    identifier: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let Some(found_identifier) =
            certificate.value().extension::<SubjectKeyIdentifier<'_>>()?.map(|found| found.0.as_bytes())
        else {
            return Ok(false);
        };
        put(identifier, tagwise_bytes::from(found_identifier));
        Ok(true)
    })
}

/// Gets the subject key identifier. Returns false, without setting an error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_key_identifier(
    request: Option<&tagwise_request>,
    identifier: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let request = given(request, "request")?;
        let Some(found_identifier) =
            request.value().extension::<SubjectKeyIdentifier<'_>>()?.map(|found| found.0.as_bytes())
        else {
            return Ok(false);
        };
        put(identifier, tagwise_bytes::from(found_identifier));
        Ok(true)
    })
}

/// Gets the key identifier in the authority key identifier extension. Returns false, without setting an error, if it is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_authority_key_identifier(
    certificate: Option<&tagwise_certificate>,
    identifier: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let Some(found_identifier) = certificate
            .value()
            .extension::<AuthorityKeyIdentifier<'_>>()?
            .and_then(|found| found.key_identifier)
            .map(|found| found.as_bytes())
        else {
            return Ok(false);
        };
        put(identifier, tagwise_bytes::from(found_identifier));
        Ok(true)
    })
}

/// Gets the concatenated subject alternative names, for tagwise_general_name_next(). Returns false, without setting an error, if
/// the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_names(
    certificate: Option<&tagwise_certificate>,
    names: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let Some(found_names) = certificate.value().extension::<SubjectAltName<'_>>()?.map(|found| content(&found.0.0))
        else {
            return Ok(false);
        };
        put(names, tagwise_bytes::from(found_names));
        Ok(true)
    })
}

/// Gets the concatenated subject alternative names, for tagwise_general_name_next(). Returns false, without setting an error, if
/// the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_names(
    request: Option<&tagwise_request>,
    names: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let request = given(request, "request")?;
        let Some(found_names) = request.value().extension::<SubjectAltName<'_>>()?.map(|found| content(&found.0.0))
        else {
            return Ok(false);
        };
        put(names, tagwise_bytes::from(found_names));
        Ok(true)
    })
}

/// Returns the CRL's issue time (thisUpdate), in seconds since 1970; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_this_update(crl: Option<&tagwise_crl>) -> i64 {
    guard!(crl.map_or(0, |crl| crl.value().this_update().unix().0))
}

/// Gets the time by which the next CRL is due (nextUpdate), in seconds since 1970. Returns false if the CRL has none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_next_update(crl: Option<&tagwise_crl>, seconds: Option<&mut MaybeUninit<i64>>) -> bool {
    guard!(crl.and_then(|crl| crl.value().next_update().map(|time| time.unix().0)).is_some_and(|found_seconds| {
        put(seconds, found_seconds);
        true
    }))
}

/// Gets the CRL number as INTEGER content bytes. Returns false, without setting an error, if it is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_number(
    crl: Option<&tagwise_crl>,
    number: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let crl = given(crl, "crl")?;
        let Some(found_number) = crl.value().number()?.map(|found| tagwise_bytes::of(found.0.int().as_bytes())) else {
            return Ok(false);
        };
        put(number, tagwise_bytes::from(found_number));
        Ok(true)
    })
}

/// Gets the base CRL number of a delta CRL as INTEGER content bytes. Returns false, without setting an error, if the CRL is not a
/// delta CRL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_delta_base(
    crl: Option<&tagwise_crl>,
    number: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let crl = given(crl, "crl")?;
        let Some(found_number) =
            crl.value().tbs_cert_list.delta_base()?.map(|found| tagwise_bytes::of(found.0.0.int().as_bytes()))
        else {
            return Ok(false);
        };
        put(number, tagwise_bytes::from(found_number));
        Ok(true)
    })
}

/// Tells whether the CRL is indirect: it may list certificates from other issuers (RFC 5280 section 5.2.5).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_is_indirect(
    crl: Option<&tagwise_crl>,
    indirect: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let crl = given(crl, "crl")?;
        let found_indirect = crl.value().tbs_cert_list.is_indirect()?;
        put(indirect, found_indirect);
        Ok(true)
    })
}

/// Returns the concatenated CRL entries, for tagwise_crl_entry_next().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_entries(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(content(
        &crl.value().tbs_cert_list.revoked_certificates.unwrap_or_default()
    ))))
}

/// Returns the number of revoked certificates in the CRL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_count(crl: Option<&tagwise_crl>) -> usize {
    guard!(crl.map_or(0, |crl| crl.value().tbs_cert_list.revoked_certificates.map_or(0, |entries| entries.len())))
}

/// Returns the request's concatenated attributes, each an encoded Attribute, for tagwise_element_next().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_attributes(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.attributes())))
}

/// Reads an element's content as a BOOLEAN. Like all tagwise_element functions, it does not check the tag, so that elements with
/// IMPLICIT tags can be read.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_boolean(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let found_out = as_type::<bool>(element, options)?;
        put(out, found_out);
        Ok(true)
    })
}

/// Reads an element's content as an INTEGER or ENUMERATED that fits in a signed 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_int64(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let found_out = as_type::<i64>(element, options)?;
        put(out, found_out);
        Ok(true)
    })
}

/// Reads an element's content as an INTEGER or ENUMERATED that fits in an unsigned 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_uint64(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let found_out = as_type::<u64>(element, options)?;
        put(out, found_out);
        Ok(true)
    })
}

/// Reads an element's content as an INTEGER of any size, and gets its content bytes (two's complement, big-endian).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_integer(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let found_out = as_type::<Int<'_>>(element, options)?.as_bytes();
        put(out, tagwise_bytes::from(found_out));
        Ok(true)
    })
}

/// Checks that an element's content is that of a NULL: empty.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_null(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        as_type::<Null>(element, options)?;
        Ok(true)
    })
}

/// Reads an element's content as an OBJECT IDENTIFIER, and gets its content bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_oid(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let found_out = as_type::<Oid<'_>>(element, options)?.as_bytes();
        put(out, tagwise_bytes::from(found_out));
        Ok(true)
    })
}

/// Reads an element's content as a RELATIVE-OID, and gets its content bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_relative_oid(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let found_out = as_type::<RelativeOid<'_>>(element, options)?.as_bytes();
        put(out, tagwise_bytes::from(found_out));
        Ok(true)
    })
}

/// Reads an element's content as an OCTET STRING, and gets its bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_octets(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let found_out = as_type::<OctetStr<'_>>(element, options)?.as_bytes();
        put(out, tagwise_bytes::from(found_out));
        Ok(true)
    })
}

/// Reads an element's content as a BIT STRING: its bytes, and the number of unused bits in the last byte.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_bits(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<tagwise_bytes>>,
    unused: Option<&mut MaybeUninit<u8>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let (found_out, found_unused) =
            as_type::<BitStr<'_>>(element, options).map(|bits| (bits.as_bytes(), bits.unused_bits()))?;
        put(out, tagwise_bytes::from(found_out));
        put(unused, found_unused);
        Ok(true)
    })
}

/// Reads an element's content as a REAL, rounded to the nearest double; a value out of range becomes infinite.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_real(
    element: Option<&tagwise_element>,
    options: Option<&tagwise_options>,
    out: Option<&mut MaybeUninit<f64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let found_out = as_type::<Real<'_>>(element, options)?.to_f64();
        put(out, found_out);
        Ok(true)
    })
}

/// Reads an element's content as a time: seconds since 1970, and nanoseconds. `universal` is TAGWISE_UTC_TIME,
/// TAGWISE_GENERALIZED_TIME, or 0 for the type given by the element's own tag.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_time(
    element: Option<&tagwise_element>,
    universal: u32,
    options: Option<&tagwise_options>,
    seconds: Option<&mut MaybeUninit<i64>>,
    nanoseconds: Option<&mut MaybeUninit<u32>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let element = given(element, "element")?;
        let (found_seconds, found_nanoseconds) = element.time(universal, options)?;
        put(seconds, found_seconds);
        put(nanoseconds, found_nanoseconds);
        Ok(true)
    })
}

/// Reads an element's content as a character string, and returns it as UTF-8. `universal` is the string type, such as
/// TAGWISE_BMP_STRING, or 0 for the type given by the element's own tag.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_element_text(
    element: Option<&tagwise_element>,
    universal: u32,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let element = given(element, "element")?;
        Ok(tagwise_buffer::new(element.text(universal, options)?))
    })
}

/// Reads a BOOLEAN.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_boolean(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.value::<bool>()?;
        put(value, found_value);
        Ok(true)
    })
}

/// Reads an INTEGER that fits in a signed 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_int64(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.value::<i64>()?;
        put(value, found_value);
        Ok(true)
    })
}

/// Reads an INTEGER that fits in an unsigned 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_uint64(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.value::<u64>()?;
        put(value, found_value);
        Ok(true)
    })
}

/// Reads an INTEGER of any size as its content bytes (two's complement, big-endian), borrowed from the input.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_integer(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.value::<Int<'_>>()?.as_bytes();
        put(value, tagwise_bytes::from(found_value));
        Ok(true)
    })
}

/// Reads an ENUMERATED that fits in a signed 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_enumerated(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.read(|reader| reader.read_implicit::<i64>(Tag::ENUMERATED))?;
        put(value, found_value);
        Ok(true)
    })
}

/// Reads a NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_null(
    cursor: Option<&mut tagwise_cursor>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        cursor.value::<Null>()?;
        Ok(true)
    })
}

/// Reads an OBJECT IDENTIFIER as its content bytes, borrowed from the input, for tagwise_oid_text().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_oid(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.value::<Oid<'_>>()?.as_bytes();
        put(value, tagwise_bytes::from(found_value));
        Ok(true)
    })
}

/// Reads a RELATIVE-OID as its content bytes, borrowed from the input, for tagwise_relative_oid_text().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_relative_oid(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.value::<RelativeOid<'_>>()?.as_bytes();
        put(value, tagwise_bytes::from(found_value));
        Ok(true)
    })
}

/// Reads an OCTET STRING as its bytes, borrowed from the input.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_octets(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.value::<OctetStr<'_>>()?.as_bytes();
        put(value, tagwise_bytes::from(found_value));
        Ok(true)
    })
}

/// Reads a BIT STRING: its bytes, borrowed from the input, and the number of unused bits in the last byte.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_bits(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<tagwise_bytes>>,
    unused: Option<&mut MaybeUninit<u8>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let (found_value, found_unused) =
            cursor.value::<BitStr<'_>>().map(|bits| (bits.as_bytes(), bits.unused_bits()))?;
        put(value, tagwise_bytes::from(found_value));
        put(unused, found_unused);
        Ok(true)
    })
}

/// Reads a REAL, rounded to the nearest double; a value out of range becomes infinite.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_real(
    cursor: Option<&mut tagwise_cursor>,
    value: Option<&mut MaybeUninit<f64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let found_value = cursor.value::<Real<'_>>()?.to_f64();
        put(value, found_value);
        Ok(true)
    })
}

/// Reads a string of any character string type, and returns it as UTF-8.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_text(
    cursor: Option<&mut tagwise_cursor>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        Ok(tagwise_buffer::new(cursor.text()?))
    })
}

/// Reads a UTCTime or GeneralizedTime: seconds since 1970, and nanoseconds.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cursor_time(
    cursor: Option<&mut tagwise_cursor>,
    seconds: Option<&mut MaybeUninit<i64>>,
    nanoseconds: Option<&mut MaybeUninit<u32>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let cursor = given(cursor, "cursor")?;
        let (found_seconds, found_nanoseconds) = cursor.time()?;
        put(seconds, found_seconds);
        put(nanoseconds, found_nanoseconds);
        Ok(true)
    })
}

/// Writes a BOOLEAN. As in all tagwise_writer functions for a type, `tag` is an IMPLICIT tag, such as TAGWISE_CONTEXT(0), or 0 for
/// the type's own tag.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_boolean(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: bool,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| { writer.value(tag, &value) })
}

/// Writes an INTEGER from a signed 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_int64(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| { writer.value(tag, &value) })
}

/// Writes an INTEGER from an unsigned 64-bit integer.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_uint64(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: u64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| { writer.value(tag, &value) })
}

/// Writes an INTEGER of any size from its two's complement, big-endian; redundant leading bytes are omitted.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_integer(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let value = value.get()?;
        writer.value(tag, &integer(value)?)
    })
}

/// Writes an ENUMERATED.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_enumerated(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        writer.append(&element(unpack_or(tag, Tag::ENUMERATED)?, Int::from_signed(&value.to_be_bytes()).as_bytes())?)
    })
}

/// Writes a NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_null(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| { writer.value(tag, &Null) })
}

/// Writes an OBJECT IDENTIFIER from its content bytes, such as tagwise_oid_from_text() returns.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_oid(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    oid: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let oid = tagwise::codec::Oid::from_content(oid.get()?)?;
        writer.value(tag, &oid)
    })
}

/// Writes a RELATIVE-OID from its content bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_relative_oid(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    oid: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let oid = oid.get()?;
        writer.value(tag, &RelativeOid::from_content(oid)?)
    })
}

/// Writes an OCTET STRING.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_octets(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let value = value.get()?;
        writer.value(tag, &OctetStr::new(value))
    })
}

/// Writes a BIT STRING. The lowest `unused` bits of the last byte are not part of it, and are written as zero.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_bits(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: tagwise_bytes,
    unused: u8,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let value = value.get()?;
        writer.value(tag, &bits(value, unused)?)
    })
}

/// Writes a character string, given as UTF-8, as the type `universal`, such as TAGWISE_UTF8_STRING.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_text(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    universal: u32,
    text: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let text = text.text()?;
        string(writer, tag, universal, text)
    })
}

/// Writes a UTCTime, whose year must be from 1950 to 2049.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_utc_time(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    seconds: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| { writer.value(tag, &utc(seconds)?) })
}

/// Writes a GeneralizedTime, whose year must be from 0 to 9999, with up to nine decimals of a second.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_generalized_time(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    seconds: i64,
    nanoseconds: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| { writer.value(tag, &generalized(seconds, nanoseconds)?) })
}

/// Writes a certificate's Time: UTCTime up to 2049, GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_time(
    writer: Option<&mut tagwise_writer>,
    seconds: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        writer.append(&tagwise::codec::encode(&tagwise::pkix::Time::new(civil(seconds)?))?)
    })
}

/// Writes a REAL from a double.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_real(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: f64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| { writer.value(tag, &Real::from_f64(value)) })
}

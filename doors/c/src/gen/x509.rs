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

/// The signed part, unchanged.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_tbs(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
            certificate.value().tbs_certificate.as_bytes()
        ))
    )
}

/// The signed part, unchanged.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_tbs(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(crl.value().tbs_cert_list.as_bytes())))
}

/// The signed part, unchanged.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_tbs(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(
        request.value().certification_request_info.as_bytes()
    )))
}

/// The version, counted from 1; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_version(certificate: Option<&tagwise_certificate>) -> u32 {
    guard!(certificate.map_or(0, |certificate| u32::from(certificate.value().version().0).saturating_add(1)))
}

/// The serial number as the content of its INTEGER: two's complement, highest byte first.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_serial(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
            certificate.value().serial_number().as_bytes()
        ))
    )
}

/// The algorithm of the signature: the encoding of an AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_signature_algorithm(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(certificate.signature_algorithm()))
    )
}

/// The algorithm of the signature: the encoding of an AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_signature_algorithm(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(crl.signature_algorithm())))
}

/// The algorithm of the signature: the encoding of an AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_signature_algorithm(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.signature_algorithm())))
}

/// The signature, without its count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_signature(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
            certificate.value().signature_value.as_bytes()
        ))
    )
}

/// The signature, without its count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_signature(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(crl.value().signature_value.as_bytes())))
}

/// The signature, without its count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_signature(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.value().signature.as_bytes())))
}

/// The issuer: the encoding of a name, for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_issuer(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
        certificate.name(certificate.value().issuer(), 2)
    )))
}

/// The issuer: the encoding of a name, for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_issuer(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(part(
        crl.value().tbs_cert_list.as_bytes(),
        Some(Tag::INTEGER),
        1
    ))))
}

/// The subject: the encoding of a name, for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_subject(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(
        certificate.name(certificate.value().subject(), 4)
    )))
}

/// The subject: the encoding of a name, for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_subject(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.part(1))))
}

/// The public key with its algorithm: the encoding of a SubjectPublicKeyInfo.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_public_key(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(certificate.public_key())))
}

/// The public key with its algorithm: the encoding of a SubjectPublicKeyInfo.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_public_key(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.part(2))))
}

/// The first moment of the validity period, in seconds since 1970; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_not_before(certificate: Option<&tagwise_certificate>) -> i64 {
    guard!(certificate.map_or(0, |certificate| certificate.value().not_before().unix().0))
}

/// The last moment of the validity period, in seconds since 1970; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_not_after(certificate: Option<&tagwise_certificate>) -> i64 {
    guard!(certificate.map_or(0, |certificate| certificate.value().not_after().unix().0))
}

/// Returns whether subject and issuer match.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_is_self_issued(certificate: Option<&tagwise_certificate>) -> bool {
    guard!(certificate.is_some_and(|certificate| certificate.value().is_self_issued()))
}

/// The extensions, concatenated, for tagwise_extension_next(). Empty if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_extensions(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(
        certificate
            .map_or(tagwise_bytes::NONE, |certificate| tagwise_bytes::from(list(&certificate.value().extensions())))
    )
}

/// The extensions, concatenated, for tagwise_extension_next(). Empty if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_extensions(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(list(&crl.value().extensions()))))
}

/// Gives the requested extensions, concatenated, for tagwise_extension_next(). Empty if there are none.
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

/// Gives the extension with that identifier; false with no error if there is none.
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

/// Gives the extension with that identifier; false with no error if there is none.
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

/// Gives the requested extension with that identifier; false with no error if there is none.
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

/// Gives the key usage: bit n is bit n of KeyUsage, digitalSignature being bit 0. Returns false with no error if the extension is
/// absent.
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

/// Gives the key usage: bit n is bit n of KeyUsage, digitalSignature being bit 0. Returns false with no error if the extension is
/// absent.
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

/// Gives the basic constraints: whether the subject is a CA, and how many certificates of CAs may follow (UINT64_MAX: any number).
/// Returns false with no error if the extension is absent.
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

/// Gives the basic constraints: whether the subject is a CA, and how many certificates of CAs may follow (UINT64_MAX: any number).
/// Returns false with no error if the extension is absent.
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

/// Returns whether the extended key usage has that purpose, or is absent. Returns false with an error if it cannot be read.
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

/// Returns whether the extended key usage has that purpose, or is absent. Returns false with an error if it cannot be read.
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

/// Gives the subject's key identifier; false with no error if the extension is absent.
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

/// Gives the subject's key identifier; false with no error if the extension is absent.
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

/// Gives the issuer's key identifier; false with no error if it is absent.
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

/// Gives the subject's alternative names, concatenated, for tagwise_general_name_next(). Returns false with no error if the
/// extension is absent.
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

/// Gives the subject's alternative names, concatenated, for tagwise_general_name_next(). Returns false with no error if the
/// extension is absent.
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

/// The time of issue (thisUpdate), in seconds since 1970; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_this_update(crl: Option<&tagwise_crl>) -> i64 {
    guard!(crl.map_or(0, |crl| crl.value().this_update().unix().0))
}

/// Gives the time at which the next CRL is due (nextUpdate), in seconds since 1970; false if the CRL has none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_next_update(crl: Option<&tagwise_crl>, seconds: Option<&mut MaybeUninit<i64>>) -> bool {
    guard!(crl.and_then(|crl| crl.value().next_update().map(|time| time.unix().0)).is_some_and(|found_seconds| {
        put(seconds, found_seconds);
        true
    }))
}

/// Gives the number of the CRL as the content of an INTEGER; false with no error if it has none.
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

/// Gives the number of the base CRL of a delta CRL; false with no error if it is not a delta CRL.
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

/// Gives whether the CRL may have certificates of other issuers (RFC 5280 section 5.2.5).
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

/// The entries, concatenated, for tagwise_crl_entry_next().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_entries(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::from(content(
        &crl.value().tbs_cert_list.revoked_certificates.unwrap_or_default()
    ))))
}

/// The number of entries.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_count(crl: Option<&tagwise_crl>) -> usize {
    guard!(crl.map_or(0, |crl| crl.value().tbs_cert_list.revoked_certificates.map_or(0, |entries| entries.len())))
}

/// The attributes, concatenated, for tagwise_element_next(), each the encoding of an Attribute.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_attributes(request: Option<&tagwise_request>) -> tagwise_bytes {
    guard!(request.map_or(tagwise_bytes::NONE, |request| tagwise_bytes::from(request.attributes())))
}

/// Reads the content of an element as a BOOLEAN. Like all tagwise_element functions it leaves the tag to the caller, so that
/// elements under IMPLICIT tags can be read.
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

/// Reads the content of an element as an INTEGER or ENUMERATED that fits a signed 64-bit integer.
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

/// Reads the content of an element as an INTEGER or ENUMERATED that fits an unsigned 64-bit integer.
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

/// Checks that the content of an element is an INTEGER of any size, and returns it: two's complement, highest byte first.
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

/// Checks that the content of an element is a NULL.
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

/// Checks that the content of an element is an OBJECT IDENTIFIER, and returns it.
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

/// Checks that the content of an element is a RELATIVE-OID, and returns it.
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

/// Checks that the content of an element is an OCTET STRING, and returns it.
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

/// Reads the content of an element as a BIT STRING: bytes, and the number of unused bits in the last one.
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

/// Reads the content of an element as a REAL. A value that does not fit a double is rounded, or becomes infinite.
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

/// Reads the content of an element as a UTCTime if `universal` is TAGWISE_UTC_TIME, as a GeneralizedTime if it is
/// TAGWISE_GENERALIZED_TIME, and by the element's own tag if it is 0: seconds since 1970 and nanoseconds.
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

/// Reads the content of an element as a string of the type `universal`, such as TAGWISE_BMP_STRING, or by the element's own tag if
/// that is 0. The text is UTF-8, in a buffer.
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

/// Reads an INTEGER that fits a signed 64-bit integer.
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

/// Reads an INTEGER that fits an unsigned 64-bit integer.
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

/// Reads an INTEGER of any size as its content: two's complement, highest byte first; borrowed from the input.
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

/// Reads an ENUMERATED that fits into 64 bits.
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

/// Reads an OBJECT IDENTIFIER as its content, for tagwise_oid_text(); borrowed from the input.
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

/// Reads a RELATIVE-OID as its content, for tagwise_relative_oid_text(); borrowed from the input.
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

/// Reads an OCTET STRING; borrowed from the input.
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

/// Reads a BIT STRING: its bytes, borrowed from the input, and the number of unused bits in the last one.
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

/// Reads a REAL. A value that does not fit a double is rounded, or becomes infinite.
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

/// Reads a string of any character string type as UTF-8, in a buffer.
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

/// Reads a UTCTime or GeneralizedTime: seconds since 1970 and nanoseconds.
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

/// Writes a BOOLEAN, under its own tag if `tag` is 0. All functions for a type accept such a tag: an IMPLICIT one, such as
/// TAGWISE_CONTEXT(0).
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

/// Writes an INTEGER.
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

/// Writes an unsigned INTEGER.
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

/// Writes an INTEGER of any size from its two's complement, highest byte first; redundant leading bytes are omitted.
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

/// Writes an OBJECT IDENTIFIER from its content, as tagwise_oid_from_text() returns it.
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

/// Writes a RELATIVE-OID from its content.
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

/// Writes a BIT STRING, of whose last byte the lowest `unused` bits are not part; they are written as zero.
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

/// Writes a string of the type `universal`, such as TAGWISE_UTF8_STRING, from UTF-8.
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

/// Writes a UTCTime, for the years 1950 to 2049.
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

/// Writes a GeneralizedTime of the years 0 to 9999, with up to nine decimals.
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

/// Writes a Time as certificates have it: UTCTime up to 2049, GeneralizedTime from then on (RFC 5280 section 4.1.2.5).
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

/// Writes a REAL.
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

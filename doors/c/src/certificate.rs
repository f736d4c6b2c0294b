//! Certificates. Reading a certificate requires one allocation, and accessing its fields none.

use std::mem::MaybeUninit;

use tagwise::codec::{BitStr, Decode, Oid, Tag};
use tagwise::pkix::ext::KnownExtension;
use tagwise::pkix::ext::{
    AuthorityKeyIdentifier, BasicConstraints, ExtKeyUsage, KeyUsage, SubjectAltName, SubjectKeyIdentifier,
};
use tagwise::pkix::oids::files;
use tagwise::pkix::{Certificate, Name};

#[cfg(feature = "full")]
use crate::bytes::tagwise_buffer;
use crate::bytes::{given, put, tagwise_bytes};
use crate::error::{Problem, tagwise_error};
use crate::extension::{content, find, list, tagwise_extension};
use crate::held::{Extent, Held};
use crate::options::{deviation, tagwise_deviation, tagwise_options};
use crate::parts::{after, around, part};

/// A certificate (RFC 5280 section 4.1) with a copy of its encoding. Values returned by its functions are borrowed from it,
/// except for buffers. Immutable: threads may share it.
#[cfg_attr(all(), repr(transparent))]
pub struct tagwise_certificate(pub(crate) Held<CertificateFamily>);

held!(tagwise_certificate, CertificateFamily, Certificate);

impl tagwise_certificate {
    pub(crate) fn value(&self) -> &Certificate<'_> {
        self.0.parsed()
    }

    pub(crate) fn tbs(&self, index: usize) -> tagwise_bytes {
        let tbs = self.value().tbs_certificate.as_bytes();
        tagwise_bytes::of_option(part(tbs, Some(Tag::context(0)), index))
    }

    /// A name, as it stands.
    fn name(&self, name: Name<'_>, index: usize) -> tagwise_bytes {
        let found = name.0.content().and_then(|content| around(self.0.der(), content));
        found.map_or_else(|| self.tbs(index), tagwise_bytes::of)
    }
}

/// Reads a certificate in DER and checks every byte, including extension values and keys.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_read(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_certificate {
    guard!(error, tagwise_certificate::read(der, Extent::Whole, options))
}

/// Reads a certificate's outer structure. Names, extension values and the key are checked on access, so a malformed one
/// does not prevent reading the rest.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_outline(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_certificate {
    guard!(error, tagwise_certificate::read(der, Extent::Outline, options))
}

/// Reads the first certificate in a PEM text and checks every byte.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_from_pem(
    text: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_certificate {
    guard!(error, {
        let der = crate::pem::labelled(text, &files::CERTIFICATE, options)?;
        tagwise_certificate::read(tagwise_bytes::of(&der), Extent::Whole, options)
    })
}

/// Frees a certificate; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_free(certificate: *mut tagwise_certificate) {
    guard!(tagwise_certificate::release(certificate))
}

/// Returns the complete certificate in DER.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_der(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(certificate.map(|certificate| certificate.0.der())))
}

/// Returns the to-be-signed bytes, unchanged from the encoding.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_tbs(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(certificate.map(|certificate| certificate.value().tbs_certificate.as_bytes())))
}

/// Returns the version, counted from 1, or 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_version(certificate: Option<&tagwise_certificate>) -> u32 {
    guard!(certificate.map_or(0, |certificate| u32::from(certificate.value().version().0).saturating_add(1)))
}

/// Returns the serial number as INTEGER content bytes: two's complement, most significant byte first.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_serial(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| {
        tagwise_bytes::of(certificate.value().serial_number().as_bytes())
    }))
}

/// Returns the signature algorithm: an encoded AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_signature_algorithm(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(
        certificate
            .and_then(|certificate| { after(certificate.0.der(), certificate.value().tbs_certificate.as_bytes()) })
    ))
}

/// Returns the signature, without the BIT STRING's count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_signature(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| {
        tagwise_bytes::of(certificate.value().signature_value.as_bytes())
    }))
}

/// Returns the issuer: an encoded name, for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_issuer(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| certificate.name(certificate.value().issuer(), 2)))
}

/// Returns the subject: an encoded name, for the tagwise_name functions.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_subject(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| certificate.name(certificate.value().subject(), 4)))
}

/// Returns the public key with its algorithm: an encoded SubjectPublicKeyInfo.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_public_key(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| {
        let subject = certificate.value().subject();
        let found = subject.0.content().and_then(|subject| after(certificate.0.der(), subject));
        found.map_or_else(|| certificate.tbs(5), tagwise_bytes::of)
    }))
}

/// Returns the start of the validity period (inclusive), in seconds since 1970, or 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_not_before(certificate: Option<&tagwise_certificate>) -> i64 {
    guard!(certificate.map_or(0, |certificate| certificate.value().not_before().unix().0))
}

/// Returns the end of the validity period (inclusive), in seconds since 1970, or 0 for NULL.
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

/// Returns the extensions, concatenated, for tagwise_extension_next(). Empty if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_extensions(certificate: Option<&tagwise_certificate>) -> tagwise_bytes {
    guard!(certificate.map_or(tagwise_bytes::NONE, |certificate| list(&certificate.value().extensions())))
}

/// Looks up an extension by its identifier. Returns false, without setting an error, if it is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_extension(
    certificate: Option<&tagwise_certificate>,
    oid: tagwise_bytes,
    extension: Option<&mut MaybeUninit<tagwise_extension>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, find(&given(certificate, "certificate")?.value().extensions(), oid, extension))
}

/// The value of an extension, decoded.
fn value<'a, T: KnownExtension + Decode<'a>>(
    certificate: Option<&'a tagwise_certificate>,
) -> Result<Option<T>, Problem> {
    Ok(given(certificate, "certificate")?.value().extension::<T>()?)
}

/// Reads the key usage. Bit n is bit n of KeyUsage, where digitalSignature is bit 0. Returns false, without setting an
/// error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_key_usage(
    certificate: Option<&tagwise_certificate>,
    usage: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let found = given(certificate, "certificate")?.value().extensions().find(KeyUsage::ID)?;
        let Some(found) = found else { return Ok(false) };
        let bits = found.extn_value.decode_as::<BitStr<'_>>()?;
        let set = |bit: &u16| bits.bit(u64::from(*bit)) == Some(true);
        put(usage, (0..16).filter(set).fold(0, |usage, bit| usage | 1 << bit));
        Ok(true)
    })
}

/// Reads the basic constraints: whether the subject is a CA, and how many CA certificates may follow (UINT64_MAX: any
/// number). Returns false, without setting an error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_basic_constraints(
    certificate: Option<&tagwise_certificate>,
    ca: Option<&mut MaybeUninit<bool>>,
    path_length: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let Some(constraints) = value::<BasicConstraints<'_>>(certificate)? else { return Ok(false) };
        put(ca, constraints.ca);
        put(path_length, constraints.path_len_constraint.map_or(u64::MAX, |count| count.get()));
        Ok(true)
    })
}

/// Returns whether the extended key usage contains the given purpose, or is absent. Returns false and sets an error if the
/// extension cannot be read.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_allows_purpose(
    certificate: Option<&tagwise_certificate>,
    purpose: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let purpose = Oid::from_content(purpose.get()?)?;
        Ok(value::<ExtKeyUsage<'_>>(certificate)?.is_none_or(|usage| usage.contains(purpose)))
    })
}

/// Reads the subject key identifier. Returns false, without setting an error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_key_identifier(
    certificate: Option<&tagwise_certificate>,
    identifier: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let Some(found) = value::<SubjectKeyIdentifier<'_>>(certificate)? else { return Ok(false) };
        put(identifier, tagwise_bytes::of(found.0.as_bytes()));
        Ok(true)
    })
}

/// Reads the authority key identifier. Returns false, without setting an error, if it is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_authority_key_identifier(
    certificate: Option<&tagwise_certificate>,
    identifier: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let Some(found) = value::<AuthorityKeyIdentifier<'_>>(certificate)? else { return Ok(false) };
        let Some(found) = found.key_identifier else { return Ok(false) };
        put(identifier, tagwise_bytes::of(found.as_bytes()));
        Ok(true)
    })
}

/// Reads the subject alternative names, concatenated, for tagwise_general_name_next(). Returns false, without setting an
/// error, if the extension is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_names(
    certificate: Option<&tagwise_certificate>,
    names: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let Some(found) = value::<SubjectAltName<'_>>(certificate)? else { return Ok(false) };
        put(names, content(&found.0.0));
        Ok(true)
    })
}

/// Gets the tolerated deviation at the given index, counted from 0. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_deviation(
    certificate: Option<&tagwise_certificate>,
    index: usize,
    found: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    guard!(certificate.is_some_and(|certificate| deviation(certificate.0.deviations(), index, found)))
}

/// Returns the certificate as text, as OpenSSL prints it.
#[cfg(feature = "full")]
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_text(
    certificate: Option<&tagwise_certificate>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let mut text = String::new();
        let written = tagwise::pkix::text::openssl::certificate(given(certificate, "certificate")?.value(), &mut text);
        written?;
        Ok(tagwise_buffer::new(text))
    })
}

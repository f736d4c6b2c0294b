//! The certificate builder, and code that all builders share.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::{Decode as _, Flags, IntBuf, Oid, UnixTime};
use tagwise::pkix::build::{BuildError, CertificateBuilder, Unsigned};
use tagwise::pkix::ext::KeyUsage;
use tagwise::pkix::{AlgorithmIdentifier, CsrBuf, Name};

use crate::bytes::{given, tagwise_buffer, tagwise_bytes, terminated};
use crate::certificate::tagwise_certificate;
use crate::error::{Problem, tagwise_error};
use crate::key::tagwise_key;
use crate::path::ip;
use crate::request::tagwise_request;
use crate::settings::Settings;

/// A certificate under construction: the subject's key and names, the issuer, and the extensions. Not thread-safe. After a
/// failed call, every later call fails with the same error.
pub struct tagwise_certificate_builder(Settings<CertificateBuilder>);

pub(crate) fn name_of<'a>(name: tagwise_bytes) -> Result<Name<'a>, Problem> {
    Ok(Name::from_der(name.der()?)?)
}

pub(crate) fn subject_text(error: impl ToString) -> Problem {
    Problem::argument(error.to_string())
}

/// Parses a serial number from INTEGER content bytes.
pub(crate) fn serial_of(serial: tagwise_bytes) -> Result<IntBuf, Problem> {
    match serial.get()? {
        [] => Err(Problem::argument("the serial number must have at least one byte")),
        bytes => Ok(IntBuf::from_signed(bytes)),
    }
}

/// Creates a certificate builder with defaults for everything except the subject's key. tagwise_certificate_builder_sign()
/// also requires a public key and an issuer; tagwise_certificate_builder_self_sign() requires neither. Free it with
/// tagwise_certificate_builder_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_new() -> Option<Box<tagwise_certificate_builder>> {
    guard!(Some(Box::new(tagwise_certificate_builder(Settings::new(CertificateBuilder::new())))))
}

/// Creates a certificate builder with the public key, subject and subject alternative names of a certification request. The
/// request's signature is not verified.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_for_request(
    request: Option<&tagwise_request>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_certificate_builder>> {
    guard!(error, {
        let request = CsrBuf::from_der(given(request, "request")?.0.der())?;
        Ok(Some(Box::new(tagwise_certificate_builder(Settings::new(CertificateBuilder::for_request(&request)?)))))
    })
}

/// Frees a builder; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_free(builder: Option<Box<tagwise_certificate_builder>>) {
    guard!(drop(builder))
}

/// Sets the subject from its RFC 4514 text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_subject(
    builder: Option<&mut tagwise_certificate_builder>,
    subject: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let text = terminated(subject, "subject")?;
        builder.subject(text).map_err(subject_text)
    })
}

/// Sets the subject from an encoded name.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_subject_name(
    builder: Option<&mut tagwise_certificate_builder>,
    subject: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let name = name_of(subject)?;
        Ok(builder.subject_name(&name)?)
    })
}

/// Sets the issuer's name and key identifier from the issuer's certificate.
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

/// Sets the subject's public key from an encoded SubjectPublicKeyInfo.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_public_key(
    builder: Option<&mut tagwise_certificate_builder>,
    public_key: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let key = public_key.der()?;
        Ok(builder.public_key(key)?)
    })
}

/// Sets the serial number, as INTEGER content bytes. The default is a random serial number.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_serial(
    builder: Option<&mut tagwise_certificate_builder>,
    serial: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let serial = serial_of(serial)?;
        Ok(builder.serial(serial))
    })
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

/// Marks the subject as a CA. `path_length` is the maximum number of CA certificates below it; a negative number means no
/// limit.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_ca(
    builder: Option<&mut tagwise_certificate_builder>,
    path_length: i32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let length = if path_length < 0 { None } else { Some(u8::try_from(path_length)) };
        let length = length.transpose().map_err(|error| {
            Problem::argument(format!("the path length is {path_length}, expected at most 255: {error}"))
        })?;
        Ok(builder.ca(length))
    })
}

/// Sets the key usage: a combination of bits such as TAGWISE_KEY_USAGE_DIGITAL_SIGNATURE.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_key_usage(
    builder: Option<&mut tagwise_certificate_builder>,
    usage: u16,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let known = [
            KeyUsage::DIGITAL_SIGNATURE,
            KeyUsage::NON_REPUDIATION,
            KeyUsage::KEY_ENCIPHERMENT,
            KeyUsage::DATA_ENCIPHERMENT,
            KeyUsage::KEY_AGREEMENT,
            KeyUsage::KEY_CERT_SIGN,
            KeyUsage::CRL_SIGN,
            KeyUsage::ENCIPHER_ONLY,
            KeyUsage::DECIPHER_ONLY,
        ];
        if usage >> known.len() != 0 {
            return Err(Problem::argument("a bit does not denote a key usage"));
        }
        let set = known.iter().enumerate().filter(|(bit, _)| usage >> bit & 1 == 1);
        let flags = set.fold(None, |flags: Option<Flags<KeyUsage<'static>>>, (_, flag)| {
            Some(flags.map_or(*flag, |flags| flags | *flag))
        });
        let flags = flags.ok_or_else(|| Problem::argument("the key usage has no bits"))?;
        Ok(builder.key_usage(flags))
    })
}

/// Adds a purpose to the extended key usage, as OBJECT IDENTIFIER content bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_purpose(
    builder: Option<&mut tagwise_certificate_builder>,
    purpose: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let purpose = Oid::from_content(purpose.get()?)?;
        Ok(builder.purpose(purpose))
    })
}

/// Adds a host name to the subject alternative names.
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

/// Adds an IP address of 4 or 16 bytes to the subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_ip(
    builder: Option<&mut tagwise_certificate_builder>,
    address: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let address = ip(address)?;
        Ok(builder.ip(address))
    })
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

/// Adds an extension with the given identifier and encoded value.
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
        let (oid, value) = (Oid::from_content(oid.get()?)?, value.get()?);
        Ok(builder.extension_der(oid, critical, value)?)
    })
}

/// Builds the certificate in DER, signed with the issuer's key.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_sign(
    builder: Option<&tagwise_certificate_builder>,
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let (builder, key) = (given(builder, "builder")?.0.get()?, given(key, "key")?);
        Ok(tagwise_buffer::new(builder.sign(key.signer()?)?.as_der()))
    })
}

/// Builds a self-signed certificate in DER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_self_sign(
    builder: Option<&tagwise_certificate_builder>,
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let (builder, key) = (given(builder, "builder")?.0.get()?, given(key, "key")?);
        Ok(tagwise_buffer::new(builder.self_signed(key.signer()?)?.as_der()))
    })
}

/// To-be-signed bytes and their algorithm, for signing with an external key. Immutable: threads may share it.
pub struct tagwise_unsigned(pub(crate) Unsigned);

pub(crate) fn unsigned(made: Result<Unsigned, BuildError>) -> Result<Option<Box<tagwise_unsigned>>, Problem> {
    Ok(Some(Box::new(tagwise_unsigned(made?))))
}

/// Builds the to-be-signed bytes of a certificate, for the given signature algorithm (an encoded AlgorithmIdentifier).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_certificate_builder_tbs(
    builder: Option<&tagwise_certificate_builder>,
    algorithm: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_unsigned>> {
    guard!(error, {
        let algorithm = AlgorithmIdentifier::from_der(algorithm.der()?)?;
        unsigned(given(builder, "builder")?.0.get()?.tbs(&algorithm))
    })
}

/// Frees to-be-signed bytes; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_unsigned_free(unsigned: Option<Box<tagwise_unsigned>>) {
    guard!(drop(unsigned))
}

/// Returns the bytes to sign, borrowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_unsigned_tbs(unsigned: Option<&tagwise_unsigned>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(unsigned.map(|unsigned| unsigned.0.tbs())))
}

/// Returns the signed structure in DER, with the given signature.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_unsigned_attach(
    unsigned: Option<&tagwise_unsigned>,
    signature: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(given(unsigned, "unsigned")?.0.attach(signature.get()?)?)))
}

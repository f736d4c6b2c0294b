//! Builders of certificates, CRLs and requests.

use std::mem::MaybeUninit;

use tagwise::codec::{Decode as _, Flags, IntBuf, UnixTime};
use tagwise::pkix::CsrBuf;
use tagwise::pkix::build::{BuildError, CertificateBuilder, CrlBuilder, CsrBuilder, Unsigned};
use tagwise::pkix::ext::{CrlReason, GeneralName, KeyUsage};

use crate::bytes::{given, tagwise_bytes};
use crate::certificate::tagwise_certificate;
use crate::error::{Problem, tagwise_error};
use crate::request::tagwise_request;
use crate::settings::Settings;

/// A certificate under construction: the subject's key and names, the issuer, and the extensions. Not thread-safe. After a
/// failed call, every later call fails with the same error.
pub struct tagwise_certificate_builder(pub(crate) Settings<CertificateBuilder>);

/// A CRL under construction. Not thread-safe. If a call fails, every later call fails with the same error.
pub struct tagwise_crl_builder(pub(crate) Settings<CrlBuilder>);

/// A certification request under construction. Not thread-safe. If a call fails, every later call fails with the same error.
pub struct tagwise_request_builder(pub(crate) Settings<CsrBuilder>);

/// To-be-signed bytes and their algorithm, for signing with an external key. Immutable: threads may share it.
pub struct tagwise_unsigned(pub(crate) Unsigned);

pub(crate) fn unsigned(made: Result<Unsigned, BuildError>) -> Result<Option<Box<tagwise_unsigned>>, Problem> {
    Ok(Some(Box::new(tagwise_unsigned(made?))))
}

pub(crate) fn subject_text(error: impl ToString) -> Problem {
    Problem::argument(error.to_string())
}

/// Parses an encoded general name.
pub(crate) fn general_name(name: &[u8]) -> Result<GeneralName<'_>, Problem> {
    Ok(GeneralName::from_der(name)?)
}

/// Parses a serial number from INTEGER content bytes.
pub(crate) fn serial_of(serial: tagwise_bytes) -> Result<IntBuf, Problem> {
    match serial.get()? {
        [] => Err(Problem::argument("the serial number must have at least one byte")),
        bytes => Ok(IntBuf::from_signed(bytes)),
    }
}

/// Converts a path length, the maximum number of intermediate CA certificates below a CA. A negative value means no limit.
pub(crate) fn length_of(path_length: i32) -> Result<Option<u8>, Problem> {
    let length = if path_length < 0 { None } else { Some(u8::try_from(path_length)) };
    length
        .transpose()
        .map_err(|error| Problem::argument(format!("the path length is {path_length}, expected at most 255: {error}")))
}

/// Converts bits to a key usage. Returns an error if a bit is unknown.
pub(crate) fn usage_of(usage: u16) -> Result<Flags<KeyUsage<'static>>, Problem> {
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
        return Err(Problem::argument("the key usage has undefined bits"));
    }
    let set = known.iter().enumerate().filter(|(bit, _)| usage >> bit & 1 == 1).map(|(_, flag)| *flag);
    set.reduce(|flags, flag| flags | flag)
        .ok_or_else(|| Problem::argument("the key usage must have at least one bit set"))
}

/// Adds an entry to a CRL. A negative `reason` means no reason.
pub(crate) fn revoke(builder: CrlBuilder, serial: IntBuf, since: UnixTime, reason: i32) -> Result<CrlBuilder, Problem> {
    let none = || Problem::argument(format!("unknown reason {reason}; expected 0 to 6, 8, 9 or 10"));
    match u8::try_from(reason) {
        Ok(number) => {
            let reason = CrlReason::from_der(&[0x0A, 0x01, number]).map_err(|error| none().because(&error))?;
            Ok(builder.revoke_for(serial, since, reason))
        }
        Err(_) if reason < 0 => Ok(builder.revoke(serial, since)),
        Err(_) => Err(none()),
    }
}

/// Creates a certificate builder with defaults for everything except the subject's key. tagwise_certificate_builder_sign() also
/// requires a public key and an issuer. tagwise_certificate_builder_self_sign() requires neither. Free it with
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

/// Creates a CRL builder for an issuer, with a CRL number (INTEGER content bytes). Free it with tagwise_crl_builder_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_new(
    issuer: Option<&tagwise_certificate>,
    number: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_crl_builder>> {
    guard!(error, {
        let (issuer, number) = (given(issuer, "issuer")?, serial_of(number)?);
        Ok(Some(Box::new(tagwise_crl_builder(Settings::new(CrlBuilder::new(issuer.value(), number)?)))))
    })
}

/// Creates a builder for an empty certification request. Free it with tagwise_request_builder_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_new() -> Option<Box<tagwise_request_builder>> {
    guard!(Some(Box::new(tagwise_request_builder(Settings::new(CsrBuilder::new())))))
}

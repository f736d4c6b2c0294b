//! Builders for CRLs and certification requests.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::{Decode as _, Oid, UnixTime};
use tagwise::pkix::AlgorithmIdentifier;
use tagwise::pkix::build::{CrlBuilder, CsrBuilder};
use tagwise::pkix::ext::CrlReason;

use crate::builder::{name_of, serial_of, subject_text, tagwise_unsigned, unsigned};
use crate::bytes::{given, tagwise_buffer, tagwise_bytes, terminated};
use crate::certificate::tagwise_certificate;
use crate::error::{Problem, tagwise_error};
use crate::key::tagwise_key;
use crate::path::ip;
use crate::settings::Settings;

/// A CRL under construction. Not thread-safe. After a failed call, every later call fails with the same error.
pub struct tagwise_crl_builder(Settings<CrlBuilder>);

/// Creates a CRL builder for the given issuer and CRL number (INTEGER content bytes). Free it with
/// tagwise_crl_builder_free().
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

/// Frees a builder; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_free(builder: Option<Box<tagwise_crl_builder>>) {
    guard!(drop(builder))
}

/// Sets the issue time (thisUpdate) and the time when the next CRL is due (nextUpdate), in seconds since 1970.
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

/// Adds an entry: serial number, revocation time, and reason. The reason is its number in RFC 5280 section 5.3.1; a
/// negative number means none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_revoke(
    builder: Option<&mut tagwise_crl_builder>,
    serial: tagwise_bytes,
    date: i64,
    reason: i32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let serial = serial_of(serial)?;
        let none = || Problem::argument(format!("unknown reason {reason}; expected 0 to 6, 8, 9 or 10"));
        let reason = match u8::try_from(reason) {
            Ok(number) => Some(CrlReason::from_der(&[0x0A, 0x01, number]).map_err(|error| none().because(&error))?),
            Err(_) if reason < 0 => None,
            Err(_) => return Err(none()),
        };
        Ok(match reason {
            Some(reason) => builder.revoke_for(serial, UnixTime(date), reason),
            None => builder.revoke(serial, UnixTime(date)),
        })
    })
}

/// Adds an extension with the given identifier and encoded value.
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
        let (oid, value) = (Oid::from_content(oid.get()?)?, value.get()?);
        Ok(builder.extension_der(oid, critical, value)?)
    })
}

/// Builds the CRL in DER, signed with the issuer's key.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_sign(
    builder: Option<&tagwise_crl_builder>,
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let (builder, key) = (given(builder, "builder")?.0.get()?, given(key, "key")?);
        Ok(tagwise_buffer::new(builder.sign(key.signer()?)?.as_der()))
    })
}

/// Builds the to-be-signed bytes of a CRL, for the given signature algorithm (an encoded AlgorithmIdentifier).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_builder_tbs(
    builder: Option<&tagwise_crl_builder>,
    algorithm: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_unsigned>> {
    guard!(error, {
        let algorithm = AlgorithmIdentifier::from_der(algorithm.der()?)?;
        unsigned(given(builder, "builder")?.0.get()?.tbs(&algorithm))
    })
}

/// A certification request under construction. Not thread-safe. After a failed call, every later call fails with the same
/// error.
pub struct tagwise_request_builder(Settings<CsrBuilder>);

/// Creates a builder for an empty request. Free it with tagwise_request_builder_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_new() -> Option<Box<tagwise_request_builder>> {
    guard!(Some(Box::new(tagwise_request_builder(Settings::new(CsrBuilder::new())))))
}

/// Frees a builder; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_free(builder: Option<Box<tagwise_request_builder>>) {
    guard!(drop(builder))
}

/// Sets the subject from its RFC 4514 text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_subject(
    builder: Option<&mut tagwise_request_builder>,
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
pub extern "C" fn tagwise_request_builder_subject_name(
    builder: Option<&mut tagwise_request_builder>,
    subject: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let name = name_of(subject)?;
        Ok(builder.subject_name(&name)?)
    })
}

/// Adds a host name to the requested subject alternative names.
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

/// Adds an IP address of 4 or 16 bytes to the requested subject alternative names.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_ip(
    builder: Option<&mut tagwise_request_builder>,
    address: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, builder, move |builder| {
        let address = ip(address)?;
        Ok(builder.ip(address))
    })
}

/// Adds an email address to the requested subject alternative names.
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

/// Adds a requested extension with the given identifier and encoded value.
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
        let (oid, value) = (Oid::from_content(oid.get()?)?, value.get()?);
        Ok(builder.extension_der(oid, critical, value)?)
    })
}

/// Builds the request in DER, signed with the subject's key.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_sign(
    builder: Option<&tagwise_request_builder>,
    key: Option<&tagwise_key>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let (builder, key) = (given(builder, "builder")?.0.get()?, given(key, "key")?);
        Ok(tagwise_buffer::new(builder.sign(key.signer()?)?.as_der()))
    })
}

/// Builds the to-be-signed bytes of a request, for the given public key (an encoded SubjectPublicKeyInfo) and signature
/// algorithm (an encoded AlgorithmIdentifier).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_request_builder_tbs(
    builder: Option<&tagwise_request_builder>,
    public_key: tagwise_bytes,
    algorithm: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_unsigned>> {
    guard!(error, {
        let algorithm = AlgorithmIdentifier::from_der(algorithm.der()?)?;
        unsigned(given(builder, "builder")?.0.get()?.tbs(public_key.der()?, &algorithm))
    })
}

//! Database columns and derived values, shared by all databases.

use tagwise_crypto::Secret;
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::{CertificateView, UnixTime};

use super::digests::{self, Fixed};
use super::{AuthorityId, CertificateRecord, CrlDraft, Elsewhere, NewCertificate, NewCrl, Past, Revocation, StoredKey};
use crate::{Error, Serial, crl};

pub(super) fn failed<E: Into<Box<dyn std::error::Error + Send + Sync>>>(doing: &'static str) -> impl Fn(E) -> Error {
    move |error| Error::Store { doing, source: error.into() }
}

/// The content of id-kp-OCSPSigning (RFC 6960 §4.2.2.2). A certificate that contains these bytes may be a responder's: if its status
/// changes, the CA's OCSP responses are deleted, and signed again.
pub(super) const OCSP_SIGNING: &[u8] = &[0x2B, 6, 1, 5, 5, 7, 3, 9];

/// Checks that the number of the last CRL is not lower than the highest number of a series.
///
/// # Errors
/// Returns a finding for an audit.
pub(super) fn check_last_number(last: i64, highest: i64) -> Result<(), String> {
    if last >= highest {
        return Ok(());
    }
    Err(format!(
        "the number of the last CRL: {last}, expected at least {highest}, which a series has (RFC 5280 §5.2.3)"
    ))
}

/// Checks that a document's content is a JSON object.
///
/// # Errors
/// Returns a finding for an audit.
pub(super) fn check_document(kind: &str, id: &str, content: &[u8]) -> Result<(), String> {
    let read = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(content);
    // The text of the error may quote a secret.
    read.map(drop).map_err(|_| format!("the document `{id}` of kind `{kind}`: its content is not a JSON object"))
}

/// Replaces `text` with a certificate's subject in RFC 4514 form.
pub(super) fn write_subject(der: &[u8], text: &mut String) -> Result<(), Error> {
    let outline = CertificateView::outline(der).map_err(Error::malformed("the certificate"))?;
    text.clear();
    // Writing to a String does not fail.
    let _ = outline.subject().write_rfc4514(text);
    Ok(())
}

/// Returns the digest and state digest of a new certificate's row.
pub(super) fn seals(of: AuthorityId, new: &NewCertificate, subject: &str) -> (Vec<u8>, Vec<u8>) {
    let row = Fixed {
        authority: of.0,
        serial: new.serial.as_bytes(),
        subject,
        profile: &new.profile,
        not_before: new.not_before.0,
        not_after: new.not_after.0,
        issued: new.issued.0,
        der: &new.der,
    };
    (row.digest(), row.fresh().digest())
}

/// Checks that a certificate's row is unchanged, if rows have digests, and that it contains the certificate with its
/// serial number.
///
/// # Errors
/// Returns [`Error::Damaged`] if either check fails.
pub(super) fn check_certificate(
    of: AuthorityId,
    record: &CertificateRecord,
    stored: Option<&[u8]>,
) -> Result<(), Error> {
    let row = Fixed {
        authority: of.0,
        serial: record.serial.as_bytes(),
        subject: &record.subject,
        profile: &record.profile,
        not_before: record.not_before.0,
        not_after: record.not_after.0,
        issued: record.issued.0,
        der: &record.der,
    };
    let what = || format!("the row of the certificate {}", record.serial);
    match stored {
        None if !row.agrees() => Err(Error::Damaged { what: what() }),
        stored => digests::check(stored, || row.digest(), what),
    }
}

/// Converts an unsigned number to a database column.
pub(super) fn count(number: u64) -> Result<i64, Error> {
    i64::try_from(number).map_err(failed("storing a number"))
}

pub(super) fn number(number: i64) -> Result<u64, Error> {
    u64::try_from(number).map_err(failed("reading a number"))
}

/// Returns the columns for a key: its encoding and its bytes.
pub(super) fn key_columns(key: &StoredKey) -> (&'static str, Option<&[u8]>) {
    match key {
        StoredKey::Encrypted(der) => ("encrypted", Some(der)),
        StoredKey::Plain(pkcs8) => ("plain", Some(pkcs8.expose())),
        StoredKey::Elsewhere => ("elsewhere", None),
    }
}

/// Creates a key from its columns: the encoding and the bytes.
pub(super) fn key(form: &str, octets: Option<Vec<u8>>) -> Result<StoredKey, Error> {
    match (form, octets) {
        ("encrypted", Some(der)) => Ok(StoredKey::Encrypted(der)),
        ("plain", Some(pkcs8)) => Ok(StoredKey::Plain(Secret::from(pkcs8))),
        ("elsewhere", None) => Ok(StoredKey::Elsewhere),
        (other, _) => Err(Error::inconsistent(format!("a key is stored as `{}`", other.escape_debug()))),
    }
}

/// Creates a revocation from its columns, which are all NULL if there is none.
pub(super) fn revocation(
    at: Option<i64>,
    code: Option<i64>,
    invalid_since: Option<i64>,
) -> Result<Option<Revocation>, Error> {
    let (Some(at), Some(code)) = (at, code) else { return Ok(None) };
    let code = u8::try_from(code).map_err(failed("reading a revocation"))?;
    let invalid_since = invalid_since.map(UnixTime);
    Ok(Some(Revocation { at: UnixTime(at), reason: crl::reason(code)?, invalid_since }))
}

/// Returns the revocation to record for a certificate that is revoked now. If it was on hold, it is revoked since the hold began.
///
/// The reason of a revocation can become keyCompromise later, and its date can move to an earlier invalidity date (CA/Browser Forum
/// BR §7.2.2).
///
/// # Errors
/// Returns [`Error::AlreadyRevoked`] if the certificate is already revoked, or if it is on hold and the new revocation is
/// also a hold.
pub(super) fn effective(serial: &Serial, before: Option<&Revocation>, now: &Revocation) -> Result<Revocation, Error> {
    match before {
        None => Ok(*now),
        Some(hold) if hold.reason == CrlReason::CertificateHold && now.reason != CrlReason::CertificateHold => {
            Ok(Revocation { at: hold.at, ..*now })
        }
        Some(before) if now.reason == CrlReason::KeyCompromise && !before.is_compromise() => {
            let at = now.invalid_since.map_or(before.at, |since| since.min(before.at));
            Ok(Revocation { at, invalid_since: now.invalid_since.or(before.invalid_since), ..*now })
        }
        Some(before) => Err(Error::AlreadyRevoked { serial: serial.clone(), at: before.at, reason: before.reason }),
    }
}

/// Returns the column value that states what is known about a CA's earlier revocations.
pub(super) const fn past(past: &Past) -> &'static str {
    match past {
        Past::Nothing => "nothing",
        Past::Unknown => "unknown",
        Past::TakenOver(_) => "taken-over",
    }
}

/// Checks, based on the column value, that a CA's earlier revocations are known.
///
/// # Errors
/// Returns [`Error::PastUnknown`] if they are not.
pub(super) fn is_known(past: &str) -> Result<(), Error> {
    if past == "unknown" { Err(Error::PastUnknown) } else { Ok(()) }
}

/// Creates the error for a delta CRL without a complete CRL.
pub(super) fn no_base() -> Error {
    Error::refused("a delta CRL requires a complete CRL, and none has been issued", "RFC 5280 §5.2.4")
}

/// Returns the validity of an external certificate as database columns.
pub(super) fn validity(certificate: &Elsewhere) -> (i64, i64) {
    let (from, to) = certificate.validity.unwrap_or((UnixTime::MIN, UnixTime::MAX));
    (from.0, to.0)
}

/// Checks that a CRL has the issue time of its draft.
///
/// # Errors
/// Returns [`Error::Store`] if the times differ.
pub(super) fn is_of(draft: &CrlDraft, made: &NewCrl) -> Result<(), Error> {
    if made.this_update == draft.this_update {
        Ok(())
    } else {
        Err(Error::inconsistent("the CRL's time differs from its draft's"))
    }
}

/// Corrects a revocation by setting dates that are later than now to now.
pub(super) fn righted(revocation: &Revocation, now: UnixTime) -> Revocation {
    Revocation {
        at: revocation.at.min(now),
        reason: revocation.reason,
        invalid_since: revocation.invalid_since.map(|since| since.min(now)),
    }
}

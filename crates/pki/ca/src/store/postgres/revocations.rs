//! Adds, lifts and imports revocations. They are never changed or deleted.

use postgres::Row;
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use super::statements::Transaction;
use super::{Failed, crls, revocation, said, seals};
use crate::store::digests::Fixed;
use crate::store::{
    AuthorityId, CertificateId, CertificateRecord, Elsewhere, History, Past, Revocation, Status, values,
};
use crate::{Error, Serial};

/// Prevents CRLs of the CA from being created until the transaction ends, so that revocations in it are numbered after
/// those on existing CRLs. Other transactions may add revocations meanwhile.
pub(super) fn lock(transaction: &mut Transaction<'_>, of: AuthorityId) -> Result<(), Failed> {
    transaction.query_opt("SELECT 1 FROM authority WHERE id = $1 FOR SHARE", &[&of.0])?;
    Ok(())
}

/// Reads a status from its columns: serial number, row number, revision, revocation (three columns), state (five columns).
pub(super) fn status(row: &Row) -> Result<Status, Error> {
    let read = || -> Result<_, Failed> {
        let (serial, certificate) = (Serial::from_content(row.try_get(0)?), CertificateId(row.try_get(1)?));
        let revocation = revocation(row, 3)?;
        seals::check_state(row, 6, revocation.as_ref())?;
        Ok(Status { serial, certificate, revision: row.try_get(2)?, revocation })
    };
    read().map_err(|error| said("reading a status", error))
}

/// Revokes a certificate in the store. The CA must already be locked.
pub(super) fn revoke(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    serial: &Serial,
    revocation: &Revocation,
) -> Result<(), Failed> {
    let (certificate, before) = found(transaction, of, serial)?;
    let effective = values::effective(serial, before.as_ref(), revocation)?;
    if before.is_some() {
        lift(transaction, certificate, revocation.at)?;
    }
    add(transaction, certificate, &effective)?;
    changed(transaction, of, certificate)
}

/// Releases a certificate from hold.
pub(super) fn release(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    serial: &Serial,
    at: UnixTime,
) -> Result<(), Failed> {
    let (certificate, before) = found(transaction, of, serial)?;
    if before.is_none_or(|before| before.reason != CrlReason::CertificateHold) {
        return Err(Error::NotOnHold(serial.clone()).into());
    }
    lift(transaction, certificate, at)?;
    changed(transaction, of, certificate)
}

/// Adds a certificate that was not issued with this store, unless its serial number is already in the store.
pub(super) fn add_elsewhere(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    certificate: &Elsewhere,
    at: UnixTime,
) -> Result<(), Failed> {
    let mut subject = String::new();
    let der = certificate.der.as_deref();
    der.map_or(Ok(()), |der| values::write_subject(der, &mut subject))?;
    let (from, to) = values::validity(certificate);
    let (serial, der) = (certificate.serial.as_bytes(), der.unwrap_or_default());
    let row = Fixed {
        authority: of.0,
        serial,
        subject: &subject,
        profile: CertificateRecord::ELSEWHERE,
        not_before: from,
        not_after: to,
        issued: at.0,
        der,
    };
    transaction.execute(
        "INSERT INTO certificate (authority, serial, subject, profile, not_before, not_after, issued, der, digest, state) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (authority, serial) DO NOTHING",
        &[
            &of.0,
            &serial,
            &subject,
            &CertificateRecord::ELSEWHERE,
            &from,
            &to,
            &at.0,
            &der,
            &row.digest(),
            &row.fresh().digest(),
        ],
    )?;
    Ok(())
}

/// Imports the CA's earlier revocations, if they are not yet known.
pub(super) fn know(transaction: &mut Transaction<'_>, of: AuthorityId, past: &Past) -> Result<(), Failed> {
    let sql = "UPDATE authority SET past = $2 WHERE id = $1 AND past = 'unknown'";
    let known = transaction.execute(sql, &[&of.0, &values::past(past)])?;
    seals::authority(transaction, of)?;
    match past {
        _ if known == 0 => Err(Error::PastKnown.into()),
        Past::TakenOver(history) => take_over(transaction, of, history),
        Past::Nothing | Past::Unknown => Ok(()),
    }
}

/// Adds the CA's earlier certificates and revocations. Also adds its last CRL, if the CRL's number is higher than that of the last
/// CRL in the store. The CA must already be locked.
pub(super) fn take_over(transaction: &mut Transaction<'_>, of: AuthorityId, history: &History) -> Result<(), Failed> {
    let made = history.crl.as_ref().map_or(UnixTime::EPOCH, |(_, crl)| crl.this_update);
    for certificate in &history.issued {
        add_elsewhere(transaction, of, certificate, made)?;
    }
    for (serial, revocation) in &history.revoked {
        let unknown = Elsewhere { serial: serial.clone(), der: None, validity: None };
        add_elsewhere(transaction, of, &unknown, made)?;
        match revoke(transaction, of, serial, revocation) {
            // Revoked here in the meantime.
            Err(Failed::Said(Error::AlreadyRevoked { .. })) => {}
            done => done?,
        }
    }
    history.crl.as_ref().map_or(Ok(()), |(number, crl)| crls::add_earlier(transaction, of, *number, crl))?;
    let number = values::count(history.last_number)?;
    transaction
        .execute("UPDATE authority SET crl_number = greatest(crl_number, $2) WHERE id = $1", &[&of.0, &number])?;
    Ok(())
}

/// Changes revocation dates that are later than now to now. The incorrect revocation is lifted, but remains on record. OCSP
/// responses dated later than now are deleted.
pub(super) fn put_clock_right(transaction: &mut Transaction<'_>, of: AuthorityId, now: UnixTime) -> Result<(), Failed> {
    lock(transaction, of)?;
    let rows = transaction.query(
        "SELECT c.id, r.revoked, r.reason, r.invalid_since FROM revocation r JOIN certificate c ON c.id = r.certificate \
         WHERE r.lifted IS NULL AND c.authority = $1 AND (r.revoked > $2 OR r.invalid_since > $2) \
         ORDER BY r.id FOR UPDATE OF c",
        &[&of.0, &now.0],
    )?;
    for row in &rows {
        let Some(revocation) = revocation(row, 1)? else { continue };
        let certificate = row.try_get(0)?;
        lift(transaction, certificate, now)?;
        add(transaction, certificate, &values::righted(&revocation, now))?;
        changed(transaction, of, certificate)?;
    }
    transaction.execute(
        "DELETE FROM ocsp_response o USING certificate c \
         WHERE c.id = o.certificate AND c.authority = $1 AND o.this_update > $2",
        &[&of.0, &now.0],
    )?;
    Ok(())
}

fn add(transaction: &mut Transaction<'_>, certificate: i64, revocation: &Revocation) -> Result<(), Failed> {
    transaction.execute(
        "INSERT INTO revocation (certificate, revoked, reason, invalid_since) VALUES ($1, $2, $3, $4)",
        &[
            &certificate,
            &revocation.at.0,
            &i16::from(revocation.reason as u8),
            &revocation.invalid_since.map(|since| since.0),
        ],
    )?;
    Ok(())
}

/// Finds and locks a certificate. Returns its row number and its revocation, if any.
fn found(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    serial: &Serial,
) -> Result<(i64, Option<Revocation>), Failed> {
    let row = transaction.query_opt(
        "SELECT id FROM certificate WHERE authority = $1 AND serial = $2 FOR UPDATE",
        &[&of.0, &serial.as_bytes()],
    )?;
    let id: i64 = row.ok_or_else(|| Error::NoSuchSerial(serial.clone()))?.try_get(0)?;
    // Read after acquiring the lock, so that changes made meanwhile are seen.
    let before = transaction.query_opt(
        "SELECT revoked, reason, invalid_since FROM revocation WHERE certificate = $1 AND lifted IS NULL",
        &[&id],
    )?;
    let before = before.map(|row| revocation(&row, 0)).transpose()?.flatten();
    Ok((id, before))
}

fn lift(transaction: &mut Transaction<'_>, certificate: i64, at: UnixTime) -> Result<(), Failed> {
    let update = "UPDATE revocation SET lifted = $2 WHERE certificate = $1 AND lifted IS NULL";
    transaction.execute(update, &[&certificate, &at.0])?;
    Ok(())
}

/// Increments the revision of a certificate whose status has changed, and deletes the responses about it. If it may be a responder's,
/// all of the CA's responses are deleted, because it may have signed them.
fn changed(transaction: &mut Transaction<'_>, of: AuthorityId, certificate: i64) -> Result<(), Failed> {
    transaction.execute("UPDATE certificate SET revision = revision + 1 WHERE id = $1", &[&certificate])?;
    seals::state(transaction, certificate)?;
    transaction.execute(
        "DELETE FROM ocsp_response WHERE certificate = $1 OR certificate IN (SELECT id FROM certificate WHERE authority = $2 \
         AND (SELECT position($3 IN der) > 0 FROM certificate WHERE id = $1))",
        &[&certificate, &of.0, &values::OCSP_SIGNING],
    )?;
    Ok(())
}

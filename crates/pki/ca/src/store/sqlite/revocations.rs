//! Adds, lifts and imports revocations. They are never changed or deleted.

use rusqlite::{Connection, OptionalExtension, params};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use super::{crls, failed, responses, rows, seals};
use crate::store::digests::Fixed;
use crate::store::{AuthorityId, CertificateRecord, Elsewhere, History, Past, Revocation, values};
use crate::{Error, Serial};

pub(super) const DOING: &str = "revoking a certificate";

/// Revokes a certificate in the store.
pub(super) fn revoke(
    transaction: &Connection,
    of: AuthorityId,
    serial: &Serial,
    revocation: &Revocation,
) -> Result<(), Error> {
    let (certificate, before) = found(transaction, DOING, of, serial)?;
    let effective = values::effective(serial, before.as_ref(), revocation)?;
    if before.is_some() {
        lift(transaction, certificate, revocation.at).map_err(failed(DOING))?;
    }
    add(transaction, certificate, &effective).map_err(failed(DOING))?;
    changed(transaction, of, certificate)
}

/// Releases a certificate from hold.
pub(super) fn release(transaction: &Connection, of: AuthorityId, serial: &Serial, at: UnixTime) -> Result<(), Error> {
    const DOING: &str = "releasing a certificate from hold";
    let (certificate, before) = found(transaction, DOING, of, serial)?;
    if before.is_none_or(|before| before.reason != CrlReason::CertificateHold) {
        return Err(Error::NotOnHold(serial.clone()));
    }
    lift(transaction, certificate, at).map_err(failed(DOING))?;
    changed(transaction, of, certificate)
}

/// Adds a certificate that was not issued with this store, unless its serial number is already in the store.
pub(super) fn add_elsewhere(
    transaction: &Connection,
    of: AuthorityId,
    certificate: &Elsewhere,
    at: UnixTime,
) -> Result<(), Error> {
    let mut subject = String::new();
    let der = certificate.der.as_deref();
    der.map_or(Ok(()), |der| values::write_subject(der, &mut subject))?;
    let (from, to) = values::validity(certificate);
    let add = || {
        let mut statement = transaction.prepare_cached(
            "INSERT INTO certificate (authority, serial, subject, profile, not_before, not_after, issued, der, digest, state) \
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 \
             WHERE NOT EXISTS (SELECT 1 FROM certificate WHERE authority = ?1 AND serial = ?2)",
        )?;
        let profile = CertificateRecord::ELSEWHERE;
        let serial = certificate.serial.as_bytes();
        let der = der.unwrap_or_default();
        let row = Fixed {
            authority: of.0,
            serial,
            subject: &subject,
            profile,
            not_before: from,
            not_after: to,
            issued: at.0,
            der,
        };
        let (digest, state) = (row.digest(), row.fresh().digest());
        statement.execute(params![of.0, serial, subject, profile, from, to, at.0, der, digest, state])
    };
    add().map(drop).map_err(failed(DOING))
}

/// Imports the CA's earlier revocations, if they are not yet known.
pub(super) fn know(transaction: &Connection, of: AuthorityId, past: &Past) -> Result<(), Error> {
    const DOING: &str = "importing a CA's history";
    let sql = "UPDATE authority SET past = ?2 WHERE id = ?1 AND past = 'unknown'";
    let known = transaction.execute(sql, params![of.0, values::past(past)]).map_err(failed(DOING))?;
    seals::authority(transaction, of)?;
    match past {
        _ if known == 0 => Err(Error::PastKnown),
        Past::TakenOver(history) => take_over(transaction, of, history),
        Past::Nothing | Past::Unknown => Ok(()),
    }
}

/// Adds the CA's earlier certificates and revocations. Also adds its last CRL, if the CRL's number is higher than that of the last
/// CRL in the store.
pub(super) fn take_over(transaction: &Connection, of: AuthorityId, history: &History) -> Result<(), Error> {
    let made = history.crl.as_ref().map_or(UnixTime::EPOCH, |(_, crl)| crl.this_update);
    for certificate in &history.issued {
        add_elsewhere(transaction, of, certificate, made)?;
    }
    for (serial, revocation) in &history.revoked {
        let unknown = Elsewhere { serial: serial.clone(), der: None, validity: None };
        add_elsewhere(transaction, of, &unknown, made)?;
        match revoke(transaction, of, serial, revocation) {
            // Revoked here in the meantime.
            Err(Error::AlreadyRevoked { .. }) => {}
            done => done?,
        }
    }
    history.crl.as_ref().map_or(Ok(()), |(number, crl)| crls::add_earlier(transaction, of, *number, crl))?;
    let sql = "UPDATE authority SET crl_number = max(crl_number, ?2) WHERE id = ?1";
    let number = values::count(history.last_number)?;
    transaction.execute(sql, [of.0, number]).map(drop).map_err(failed(crls::DOING))
}

/// Changes revocation dates that are later than now to now. The incorrect revocation is lifted, but remains on record.
pub(super) fn put_clock_right(transaction: &Connection, of: AuthorityId, now: UnixTime) -> Result<(), Error> {
    const DOING: &str = "correcting the clock";
    let find = || {
        let mut statement = transaction.prepare_cached(
            "SELECT c.id, r.revoked, r.reason, r.invalid_since FROM revocation r JOIN certificate c ON c.id = r.certificate \
             WHERE r.lifted IS NULL AND c.authority = ?1 AND (r.revoked > ?2 OR r.invalid_since > ?2) ORDER BY r.id",
        )?;
        let rows = statement.query_map([of.0, now.0], |row| Ok((row.get::<_, i64>(0)?, rows::revocation(row, 1))))?;
        rows.collect::<rusqlite::Result<Vec<_>>>()
    };
    for (certificate, revocation) in find().map_err(failed(DOING))? {
        let Some(revocation) = revocation?.map(|revocation| values::righted(&revocation, now)) else { continue };
        lift(transaction, certificate, now).map_err(failed(DOING))?;
        add(transaction, certificate, &revocation).map_err(failed(DOING))?;
        changed(transaction, of, certificate)?;
    }
    Ok(())
}

fn add(transaction: &Connection, certificate: i64, revocation: &Revocation) -> rusqlite::Result<()> {
    let sql = "INSERT INTO revocation (certificate, revoked, reason, invalid_since) VALUES (?1, ?2, ?3, ?4)";
    let mut statement = transaction.prepare_cached(sql)?;
    let row =
        params![certificate, revocation.at.0, revocation.reason as u8, revocation.invalid_since.map(|since| since.0)];
    statement.execute(row)?;
    let count = "UPDATE authority SET revocation_rows = revocation_rows + 1 \
                 WHERE id = (SELECT authority FROM certificate WHERE id = ?1)";
    transaction.prepare_cached(count)?.execute([certificate]).map(drop)
}

/// Finds a certificate. Returns its row number and its revocation, if any.
fn found(
    transaction: &Connection,
    doing: &'static str,
    of: AuthorityId,
    serial: &Serial,
) -> Result<(i64, Option<Revocation>), Error> {
    let find = || {
        let mut statement = transaction.prepare_cached(
            "SELECT c.id, r.revoked, r.reason, r.invalid_since FROM certificate c \
             LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
             WHERE c.authority = ?1 AND c.serial = ?2",
        )?;
        let wanted = params![of.0, serial.as_bytes()];
        statement.query_row(wanted, |row| Ok((row.get(0)?, rows::revocation(row, 1)))).optional()
    };
    let found = find();
    let (id, revocation) = found.map_err(failed(doing))?.ok_or_else(|| Error::NoSuchSerial(serial.clone()))?;
    Ok((id, revocation?))
}

fn lift(transaction: &Connection, certificate: i64, at: UnixTime) -> rusqlite::Result<()> {
    let update = "UPDATE revocation SET lifted = ?2 WHERE certificate = ?1 AND lifted IS NULL";
    transaction.execute(update, [certificate, at.0]).map(drop)
}

/// Increments the revision of a certificate whose status has changed, and deletes the responses about it. If it may be a responder's,
/// all of the CA's responses are deleted, because it may have signed them.
fn changed(transaction: &Connection, of: AuthorityId, certificate: i64) -> Result<(), Error> {
    let count = || {
        let sql = "UPDATE certificate SET revision = revision + 1 WHERE id = ?1";
        transaction.prepare_cached(sql)?.execute([certificate])
    };
    count().map_err(failed("counting changes of a status"))?;
    seals::state(transaction, certificate)?;
    let is_responder = || {
        let mut statement = transaction.prepare_cached("SELECT instr(der, ?2) > 0 FROM certificate WHERE id = ?1")?;
        statement.query_row(params![certificate, values::OCSP_SIGNING], |row| row.get(0))
    };
    if is_responder().map_err(failed("reading a certificate"))? {
        return responses::forget_later(transaction, of, UnixTime::MIN);
    }
    responses::forget(transaction, of, certificate)
}

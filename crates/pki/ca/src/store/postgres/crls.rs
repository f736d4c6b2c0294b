//! Creates and stores CRLs.

use postgres::Transaction;
use tagwise_pkix::UnixTime;

use super::{Failed, revocation, seals};
use crate::store::{AuthorityId, CrlDraft, CrlRecord, MakeCrl, NewCrl, Revocation, listed, values};
use crate::{Error, Now, Serial};

/// Creates and stores the next CRL.
pub(super) fn add(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    now: Now,
    make: &mut MakeCrl<'_>,
) -> Result<CrlRecord, Failed> {
    let (before, past) = authority(transaction, of)?;
    values::is_known(&past)?;
    let last = transaction.query_opt(seals::LAST, &[&of.0])?.map(|row| seals::last(&row)).transpose()?;
    let this_update = now.not_before(last.map(|(moment, _)| moment), || "the last CRL was issued".to_owned())?;
    let number = before.checked_add(1).ok_or_else(|| Error::inconsistent("no CRL numbers are left"))?;
    let revoked = revoked(transaction, of, last.unwrap_or((UnixTime::MIN, 0)), this_update)?;
    let draft = CrlDraft { number: values::number(number)?, this_update, base: None, revoked };
    let made = make(&draft)?;
    values::is_of(&draft, &made)?;
    insert(transaction, of, number, &made)?;
    Ok(CrlRecord { number: draft.number, this_update, next_update: made.next_update, der: made.der })
}

/// Creates a delta CRL, which gets the next CRL number and is not stored.
pub(super) fn add_delta(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    now: Now,
    make: &mut MakeCrl<'_>,
) -> Result<CrlRecord, Failed> {
    let (before, past) = authority(transaction, of)?;
    values::is_known(&past)?;
    let row = transaction.query_opt(seals::LAST, &[&of.0])?.ok_or_else(values::no_base)?;
    let (moment, revocation) = seals::last(&row)?;
    let base: i64 = row.try_get(1)?;
    let this_update = now.not_before(Some(moment), || "the last CRL was issued".to_owned())?;
    let number = before.checked_add(1).ok_or_else(|| Error::inconsistent("no CRL numbers are left"))?;
    transaction.execute("UPDATE authority SET crl_number = $2 WHERE id = $1", &[&of.0, &number])?;
    seals::check_changed(transaction, of)?;
    let mut revoked = Vec::new();
    for row in &transaction.query(listed::CHANGED_POSTGRES, &[&of.0, &revocation, &moment.0])? {
        let serial = Serial::from_content(row.try_get(0)?);
        revoked.extend(self::revocation(row, 1)?.map(|revocation| (serial, revocation)));
    }
    let (base, number) = (Some(values::number(base)?), values::number(number)?);
    let made = make(&CrlDraft { number, this_update, base, revoked })?;
    Ok(CrlRecord { number, this_update, next_update: made.next_update, der: made.der })
}

/// Adds a CRL that the CA issued before its import, if its number is higher than that of the last CRL in the store.
pub(super) fn add_earlier(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    number: u64,
    crl: &NewCrl,
) -> Result<(), Failed> {
    let number = values::count(number)?;
    let (before, _) = authority(transaction, of)?;
    if number <= before { Ok(()) } else { insert(transaction, of, number, crl) }
}

/// Returns the last CRL number, and the state of the CA's earlier revocations. Locks the CA's row, so that transactions that issue
/// a CRL or revoke a certificate wait until this one ends. Transactions that issue certificates do not wait.
fn authority(transaction: &mut Transaction<'_>, of: AuthorityId) -> Result<(i64, String), Failed> {
    let sql = "SELECT crl_number, past FROM authority WHERE id = $1 FOR NO KEY UPDATE";
    let row = transaction.query_one(sql, &[&of.0])?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

fn insert(transaction: &mut Transaction<'_>, of: AuthorityId, number: i64, crl: &NewCrl) -> Result<(), Failed> {
    let row = transaction.query_one(
        "INSERT INTO crl (authority, number, this_update, next_update, der, revocations) \
         VALUES ($1, $2, $3, $4, $5, (SELECT coalesce(max(id), 0) FROM revocation)) RETURNING id",
        &[&of.0, &number, &crl.this_update.0, &crl.next_update.0, &crl.der],
    )?;
    seals::crl(transaction, row.try_get(0)?)?;
    transaction.execute("UPDATE authority SET crl_number = $2 WHERE id = $1", &[&of.0, &number])?;
    Ok(())
}

/// Reads the entries of the next CRL.
fn revoked(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    (last, last_revocation): (UnixTime, i64),
    this_update: UnixTime,
) -> Result<Vec<(Serial, Revocation)>, Failed> {
    seals::check_changed(transaction, of)?;
    let sql = format!(
        "SELECT c.serial, r.revoked, r.reason, r.invalid_since, c.authority, c.serial, c.not_after, c.revision, c.state \
         FROM revocation r \
         JOIN certificate c ON c.id = r.certificate \
         WHERE r.lifted IS NULL AND c.authority = $1 AND {} ORDER BY r.id",
        listed::is_listed("$2", "$3", "$4")
    );
    let rows = transaction.query(&sql, &[&of.0, &last_revocation, &last.0, &this_update.0])?;
    let mut list = Vec::with_capacity(rows.len());
    for row in &rows {
        let serial = Serial::from_content(row.try_get(0)?);
        let revocation = revocation(row, 1)?;
        seals::check_state(row, 4, revocation.as_ref())?;
        list.extend(revocation.map(|revocation| (serial, revocation)));
    }
    Ok(list)
}

//! Creates and stores CRLs, and reads the newest of each series.

use postgres::Row;
use tagwise_pkix::UnixTime;

use super::statements::Transaction;
use super::{Failed, revocation, seals};
use crate::store::{
    AuthorityId, CrlDraft, CrlRecord, MakeCrl, NewCrl, Revocation, Series, SeriesCrl, digests, listed, values,
};
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
    let (since, revocation) = last.unwrap_or((UnixTime::MIN, 0));
    let revoked = revoked(transaction, of, &listed::is_listed("$2", "$3", "$4"), [revocation, since.0, this_update.0])?;
    let draft = CrlDraft { number: values::number(number)?, this_update, base: None, previous: None, revoked };
    let made = make(&draft)?;
    values::is_of(&draft, &made)?;
    insert(transaction, of, number, &made)?;
    put_beside(transaction, of, &draft, &made)?;
    Ok(CrlRecord { number: draft.number, this_update, next_update: made.next_update, der: made.der })
}

/// Creates and stores the next delta CRL.
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
    take(transaction, of, number)?;
    seals::check_changed(transaction, of)?;
    let mut revoked = Vec::new();
    for row in &transaction.query(listed::CHANGED_POSTGRES, &[&of.0, &revocation, &moment.0])? {
        let serial = Serial::from_content(row.try_get(0)?);
        revoked.extend(self::revocation(row, 1)?.map(|revocation| (serial, revocation)));
    }
    let draft = CrlDraft {
        number: values::number(number)?,
        this_update,
        base: Some(values::number(base)?),
        previous: None,
        revoked,
    };
    store(transaction, of, Series::Delta, draft, make)
}

/// Creates and stores the next indirect CRL. Its draft has the entries of the CA itself.
pub(super) fn add_indirect(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    now: Now,
    make: &mut MakeCrl<'_>,
) -> Result<CrlRecord, Failed> {
    let (before, past) = authority(transaction, of)?;
    values::is_known(&past)?;
    let row = transaction.query_opt(NEWEST, &[&of.0, &Series::Indirect.to_string()])?;
    let last = row.map(|row| newest(&row, of, Series::Indirect)).transpose()?;
    let (previous, last) = (last.as_ref().map(|last| last.crl.number), last.map(|last| last.crl.this_update));
    let this_update = now.not_before(last, || "the last indirect CRL was issued".to_owned())?;
    let number = before.checked_add(1).ok_or_else(|| Error::inconsistent("no CRL numbers are left"))?;
    take(transaction, of, number)?;
    let revoked = current(transaction, of, last, this_update)?;
    let draft = CrlDraft { number: values::number(number)?, this_update, base: None, previous, revoked };
    store(transaction, of, Series::Indirect, draft, make)
}

/// Records that a CRL number is used.
fn take(transaction: &mut Transaction<'_>, of: AuthorityId, number: i64) -> Result<(), Failed> {
    transaction.execute("UPDATE authority SET crl_number = $2 WHERE id = $1", &[&of.0, &number])?;
    Ok(())
}

/// Creates a CRL and stores it as the newest one of its series.
fn store(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    series: Series,
    draft: CrlDraft,
    make: &mut MakeCrl<'_>,
) -> Result<CrlRecord, Failed> {
    let made = make(&draft)?;
    values::is_of(&draft, &made)?;
    put(transaction, of, (series, &made.der), &draft, &made)?;
    put_beside(transaction, of, &draft, &made)?;
    Ok(CrlRecord { number: draft.number, this_update: draft.this_update, next_update: made.next_update, der: made.der })
}

fn put_beside(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    draft: &CrlDraft,
    made: &NewCrl,
) -> Result<(), Failed> {
    made.beside.iter().try_for_each(|(series, der)| put(transaction, of, (*series, der), draft, made))
}

/// Replaces the newest CRL of a series.
fn put(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    (series, der): (Series, &[u8]),
    draft: &CrlDraft,
    made: &NewCrl,
) -> Result<(), Failed> {
    let name = series.to_string();
    let (number, base) = (values::count(draft.number)?, draft.base.map(values::count).transpose()?);
    let times = (made.this_update.0, made.next_update.0);
    let digest = digests::series(of.0, &name, (number, base), times);
    transaction.execute(
        "INSERT INTO series (authority, name, number, base, this_update, next_update, der, digest) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (authority, name) DO UPDATE SET number = EXCLUDED.number, \
         base = EXCLUDED.base, this_update = EXCLUDED.this_update, next_update = EXCLUDED.next_update, \
         der = EXCLUDED.der, digest = EXCLUDED.digest",
        &[&of.0, &name, &number, &base, &times.0, &times.1, &der, &digest],
    )?;
    Ok(())
}

/// The SQL query for the newest CRL of a series.
pub(super) const NEWEST: &str =
    "SELECT number, base, this_update, next_update, der, digest FROM series WHERE authority = $1 AND name = $2";

/// Returns the newest CRL of a series, after checking its row.
pub(super) fn newest(row: &Row, of: AuthorityId, series: Series) -> Result<SeriesCrl, Failed> {
    let (number, base): (i64, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
    let (times, stored): ((i64, i64), &[u8]) = ((row.try_get(2)?, row.try_get(3)?), row.try_get(5)?);
    let digest = || digests::series(of.0, &series.to_string(), (number, base), times);
    digests::check(Some(stored), digest, || format!("the row of the CRL {series}"))?;
    let (this_update, next_update) = (UnixTime(times.0), UnixTime(times.1));
    let crl = CrlRecord { number: values::number(number)?, this_update, next_update, der: row.try_get(4)? };
    Ok(SeriesCrl { series, base: base.map(values::number).transpose()?, crl })
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

/// Returns the highest CRL number, and the state of the CA's earlier revocations. Locks the CA's row, so that transactions that issue
/// a CRL or revoke a certificate wait until this one ends. Transactions that issue certificates do not wait.
fn authority(transaction: &mut Transaction<'_>, of: AuthorityId) -> Result<(i64, String), Failed> {
    let sql = "SELECT crl_number, past FROM authority WHERE id = $1 FOR NO KEY UPDATE";
    let row = transaction.query_one(sql, &[&of.0])?;
    let (number, past): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
    // Stored numbers count even if the CA's row was damaged: all series share one sequence (RFC 5280 §5.2.3). A separate query,
    // so that it sees what others stored while this transaction waited for the lock.
    let stored: i64 = transaction.query_one(seals::HIGHEST, &[&of.0])?.try_get(0)?;
    Ok((number.max(stored), past))
}

fn insert(transaction: &mut Transaction<'_>, of: AuthorityId, number: i64, crl: &NewCrl) -> Result<(), Failed> {
    let row = transaction.query_one(
        "INSERT INTO crl (authority, number, this_update, next_update, der, revocations, revoked_rows, issued_rows, last_issued) \
         VALUES ($1, $2, $3, $4, $5, (SELECT coalesce(max(id), 0) FROM revocation), \
         (SELECT count(*) FROM revocation r JOIN certificate c ON c.id = r.certificate WHERE c.authority = $1), \
         (SELECT count(*) FROM certificate WHERE authority = $1), \
         (SELECT coalesce(max(id), 0) FROM certificate WHERE authority = $1)) RETURNING id",
        &[&of.0, &number, &crl.this_update.0, &crl.next_update.0, &crl.der],
    )?;
    seals::crl(transaction, row.try_get(0)?)?;
    transaction.execute("UPDATE authority SET crl_number = $2 WHERE id = $1", &[&of.0, &number])?;
    Ok(())
}

/// Reads the entries of an indirect CRL, after checking that all revocations are known.
pub(super) fn current(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    last: Option<UnixTime>,
    now: UnixTime,
) -> Result<Vec<(Serial, Revocation)>, Failed> {
    let row = transaction.query_one("SELECT past FROM authority WHERE id = $1", &[&of.0])?;
    values::is_known(row.try_get(0)?)?;
    let last = last.unwrap_or(UnixTime::MIN).0;
    revoked(transaction, of, &listed::is_current("$2", "$3", "$4"), [last, last, now.0])
}

/// Reads the entries of the next CRL, with a condition and its parameters.
fn revoked(
    transaction: &mut Transaction<'_>,
    of: AuthorityId,
    condition: &str,
    [first, second, third]: [i64; 3],
) -> Result<Vec<(Serial, Revocation)>, Failed> {
    seals::check_changed(transaction, of)?;
    let sql = format!(
        "SELECT c.serial, r.revoked, r.reason, r.invalid_since, c.authority, c.serial, c.not_after, c.revision, c.state \
         FROM revocation r \
         JOIN certificate c ON c.id = r.certificate \
         WHERE r.lifted IS NULL AND c.authority = $1 AND {condition} ORDER BY r.id"
    );
    let rows = transaction.query(&sql, &[&of.0, &first, &second, &third])?;
    let mut list = Vec::with_capacity(rows.len());
    for row in &rows {
        let serial = Serial::from_content(row.try_get(0)?);
        let revocation = revocation(row, 1)?;
        seals::check_state(row, 4, revocation.as_ref())?;
        list.extend(revocation.map(|revocation| (serial, revocation)));
    }
    Ok(list)
}

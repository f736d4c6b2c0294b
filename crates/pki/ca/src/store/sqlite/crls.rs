//! Creates and stores CRLs, and reads the newest of each series.

use rusqlite::{Connection, OptionalExtension, params};
use tagwise_pkix::UnixTime;

use super::{failed, rows, seals};
use crate::store::{
    AuthorityId, CrlDraft, CrlRecord, MakeCrl, NewCrl, Revocation, Series, SeriesCrl, digests, listed, series, values,
};
use crate::{Error, Now, Serial};

pub(super) const DOING: &str = "storing a CRL";

/// The properties of the last CRL that are needed to create the next one.
#[derive(Clone, Copy)]
pub(super) struct Last {
    number: i64,
    pub(super) this_update: UnixTime,
    /// The highest revocation number at the time of the CRL.
    revocation: i64,
}

/// Returns the last CRL, after checking its row if the rows have digests.
pub(super) fn last(
    connection: &Connection,
    of: AuthorityId,
    sealed: bool,
) -> rusqlite::Result<Option<Result<Last, Error>>> {
    let columns = if sealed {
        "number, this_update, revocations, next_update, digest"
    } else {
        "number, this_update, revocations"
    };
    let sql = format!("SELECT {columns} FROM crl WHERE authority = ?1 ORDER BY number DESC LIMIT 1");
    let read = |row: &rusqlite::Row<'_>| {
        let last = Last { number: row.get(0)?, this_update: UnixTime(row.get(1)?), revocation: row.get(2)? };
        if !sealed {
            return Ok(Ok(last));
        }
        let (next_update, stored) = (row.get(3)?, row.get::<_, Vec<u8>>(4)?);
        let digest = || digests::crl(of.0, last.number, last.this_update.0, next_update, last.revocation);
        Ok(digests::check(Some(&stored), digest, || format!("the row of CRL {}", last.number)).map(|()| last))
    };
    connection.prepare_cached(&sql)?.query_row([of.0], read).optional()
}

/// Returns the last CRL like [`last`], inside a write transaction.
fn last_one(transaction: &Connection, of: AuthorityId) -> Result<Option<Last>, Error> {
    last(transaction, of, true).map_err(failed(DOING))?.transpose()
}

/// Creates and stores the next CRL.
pub(super) fn add(
    transaction: &Connection,
    of: AuthorityId,
    now: Now,
    make: &mut MakeCrl<'_>,
) -> Result<CrlRecord, Error> {
    let wrong = failed(DOING);
    let (before, past) = authority(transaction, of).map_err(&wrong)?;
    values::is_known(&past)?;
    let last = last_one(transaction, of)?;
    let this_update = now.not_before(last.map(|last| last.this_update), || "the last CRL was issued".to_owned())?;
    let number = last.map_or(before, |last| last.number.max(before)).checked_add(1);
    let number = number.ok_or_else(|| Error::inconsistent("no CRL numbers are left"))?;
    let (revocation, since) = last.map_or((0, UnixTime::MIN), |last| (last.revocation, last.this_update));
    let revoked = revoked(transaction, of, &listed::is_listed("?2", "?3", "?4"), [revocation, since.0, this_update.0])?;
    let draft = CrlDraft { number: values::number(number)?, this_update, base: None, previous: None, revoked };
    let made = make(&draft)?;
    values::is_of(&draft, &made)?;
    insert(transaction, of, number, &made).map_err(&wrong)?;
    put_beside(transaction, of, &draft, &made)?;
    Ok(CrlRecord { number: draft.number, this_update, next_update: made.next_update, der: made.der })
}

/// Creates and stores the next delta CRL.
pub(super) fn add_delta(
    transaction: &Connection,
    of: AuthorityId,
    now: Now,
    make: &mut MakeCrl<'_>,
) -> Result<CrlRecord, Error> {
    let wrong = failed(DOING);
    let (before, past) = authority(transaction, of).map_err(&wrong)?;
    values::is_known(&past)?;
    let base = last_one(transaction, of)?.ok_or_else(values::no_base)?;
    let this_update = now.not_before(Some(base.this_update), || "the last CRL was issued".to_owned())?;
    let number = base.number.max(before).checked_add(1);
    let number = number.ok_or_else(|| Error::inconsistent("no CRL numbers are left"))?;
    take(transaction, of, number)?;
    let revoked = changed(transaction, of, base)?;
    let base = Some(values::number(base.number)?);
    let draft = CrlDraft { number: values::number(number)?, this_update, base, previous: None, revoked };
    store(transaction, of, Series::Delta, draft, make)
}

/// Creates and stores the next indirect CRL. Its draft has the entries of the CA itself.
pub(super) fn add_indirect(
    transaction: &Connection,
    of: AuthorityId,
    now: Now,
    make: &mut MakeCrl<'_>,
) -> Result<CrlRecord, Error> {
    let (before, past) = authority(transaction, of).map_err(failed(DOING))?;
    values::is_known(&past)?;
    let before = last_one(transaction, of)?.map_or(before, |last| last.number.max(before));
    let last = newest(transaction, of, Series::Indirect)?;
    let (previous, last) = (last.as_ref().map(|last| last.crl.number), last.map(|last| last.crl.this_update));
    let this_update = now.not_before(last, || "the last indirect CRL was issued".to_owned())?;
    let number = before.checked_add(1).ok_or_else(|| Error::inconsistent("no CRL numbers are left"))?;
    take(transaction, of, number)?;
    let revoked = current(transaction, of, last, this_update)?;
    let draft = CrlDraft { number: values::number(number)?, this_update, base: None, previous, revoked };
    store(transaction, of, Series::Indirect, draft, make)
}

/// Records that a CRL number is used.
fn take(transaction: &Connection, of: AuthorityId, number: i64) -> Result<(), Error> {
    let sql = "UPDATE authority SET crl_number = ?2 WHERE id = ?1";
    transaction.execute(sql, [of.0, number]).map(drop).map_err(failed(DOING))
}

/// Creates a CRL and stores it as the newest one of its series.
fn store(
    transaction: &Connection,
    of: AuthorityId,
    series: Series,
    draft: CrlDraft,
    make: &mut MakeCrl<'_>,
) -> Result<CrlRecord, Error> {
    let made = make(&draft)?;
    values::is_of(&draft, &made)?;
    put(transaction, of, (series, &made.der), &draft, &made)?;
    put_beside(transaction, of, &draft, &made)?;
    Ok(CrlRecord { number: draft.number, this_update: draft.this_update, next_update: made.next_update, der: made.der })
}

fn put_beside(transaction: &Connection, of: AuthorityId, draft: &CrlDraft, made: &NewCrl) -> Result<(), Error> {
    made.beside.iter().try_for_each(|(series, der)| put(transaction, of, (*series, der), draft, made))
}

/// Replaces the newest CRL of a series.
fn put(
    transaction: &Connection,
    of: AuthorityId,
    (series, der): (Series, &[u8]),
    draft: &CrlDraft,
    made: &NewCrl,
) -> Result<(), Error> {
    let name = series.to_string();
    let (number, base) = (values::count(draft.number)?, draft.base.map(values::count).transpose()?);
    let times = (made.this_update.0, made.next_update.0);
    let digest = digests::series(of.0, &name, (number, base), times);
    let put = || {
        let mut statement = transaction.prepare_cached(
            "INSERT INTO series (authority, name, number, base, this_update, next_update, der, digest) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (authority, name) DO UPDATE SET number = excluded.number, \
             base = excluded.base, this_update = excluded.this_update, next_update = excluded.next_update, \
             der = excluded.der, digest = excluded.digest",
        )?;
        statement.execute(params![of.0, name, number, base, times.0, times.1, der, digest])
    };
    put().map(drop).map_err(failed(DOING))
}

/// Returns the newest CRL of a series, after checking its row.
pub(super) fn newest(connection: &Connection, of: AuthorityId, series: Series) -> Result<Option<SeriesCrl>, Error> {
    let name = series.to_string();
    let read = |row: &rusqlite::Row<'_>| {
        let (number, base): (i64, Option<i64>) = (row.get(0)?, row.get(1)?);
        let times: (i64, i64) = (row.get(2)?, row.get(3)?);
        Ok((number, base, times, row.get::<_, Vec<u8>>(4)?, row.get::<_, Vec<u8>>(5)?))
    };
    let find = || {
        let sql =
            "SELECT number, base, this_update, next_update, der, digest FROM series WHERE authority = ?1 AND name = ?2";
        connection.prepare_cached(sql)?.query_row(params![of.0, name], read).optional()
    };
    let Some((number, base, times, der, stored)) = find().map_err(failed("reading a CRL"))? else { return Ok(None) };
    let digest = || digests::series(of.0, &name, (number, base), times);
    digests::check(Some(&stored), digest, || format!("the row of the CRL {name}"))?;
    let (this_update, next_update) = (UnixTime(times.0), UnixTime(times.1));
    let crl = CrlRecord { number: values::number(number)?, this_update, next_update, der };
    Ok(Some(SeriesCrl { series, base: base.map(values::number).transpose()?, crl }))
}

/// Returns the series that have a CRL.
pub(super) fn list(connection: &Connection, of: AuthorityId) -> Result<Vec<Series>, Error> {
    let read = || {
        let mut statement = connection.prepare_cached("SELECT name FROM series WHERE authority = ?1 ORDER BY name")?;
        statement.query_map([of.0], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()
    };
    read().map_err(failed("reading CRLs"))?.iter().map(|name| series::named(name)).collect()
}

/// Returns whether there is an entry for a delta CRL.
pub(super) fn has_changed(
    connection: &Connection,
    of: AuthorityId,
    sealed: bool,
) -> rusqlite::Result<Result<bool, Error>> {
    let base = match last(connection, of, sealed)? {
        None => return Ok(Ok(false)),
        Some(Err(error)) => return Ok(Err(error)),
        Some(Ok(base)) => base,
    };
    let sql = format!("SELECT EXISTS ({})", listed::CHANGED_SQLITE);
    let wanted = [of.0, base.revocation, base.this_update.0];
    connection.prepare_cached(&sql)?.query_row(wanted, |row| row.get(0)).map(Ok)
}

/// Reads the entries of a delta CRL.
fn changed(transaction: &Connection, of: AuthorityId, base: Last) -> Result<Vec<(Serial, Revocation)>, Error> {
    const DOING: &str = "reading revocations";
    seals::check_changed(transaction, of)?;
    let mut statement = transaction.prepare_cached(listed::CHANGED_SQLITE).map_err(failed(DOING))?;
    let mut rows = statement.query([of.0, base.revocation, base.this_update.0]).map_err(failed(DOING))?;
    let mut list = Vec::new();
    while let Some(row) = rows.next().map_err(failed(DOING))? {
        let serial = row.get_ref(0).map_err(failed(DOING))?.as_blob().map(Serial::from_content);
        let serial = serial.map_err(|error| failed(DOING)(error.into()))?;
        list.extend(rows::revocation(row, 1)?.map(|revocation| (serial, revocation)));
    }
    Ok(list)
}

/// Adds a CRL that the CA issued before its import, if its number is higher than that of the last CRL in the store.
pub(super) fn add_earlier(transaction: &Connection, of: AuthorityId, number: u64, crl: &NewCrl) -> Result<(), Error> {
    let number = values::count(number)?;
    let (before, _) = authority(transaction, of).map_err(failed(DOING))?;
    let last = last_one(transaction, of)?;
    if number <= last.map_or(before, |last| last.number.max(before)) {
        return Ok(());
    }
    insert(transaction, of, number, crl).map_err(failed(DOING))
}

fn insert(transaction: &Connection, of: AuthorityId, number: i64, crl: &NewCrl) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO crl (authority, number, this_update, next_update, der, revocations) \
         VALUES (?1, ?2, ?3, ?4, ?5, (SELECT coalesce(max(id), 0) FROM revocation))",
    )?;
    statement.execute(params![of.0, number, crl.this_update.0, crl.next_update.0, crl.der])?;
    seals::crl(transaction, transaction.last_insert_rowid())
}

/// Returns the highest CRL number in the CA's row and its series, and the state of its revocations from before it was added to the
/// store.
fn authority(connection: &Connection, of: AuthorityId) -> rusqlite::Result<(i64, String)> {
    // Numbers of series count even if the CA's row was damaged: all series share one sequence (RFC 5280 §5.2.3).
    let sql = "SELECT max(crl_number, (SELECT coalesce(max(number), 0) FROM series WHERE authority = ?1)), past \
               FROM authority WHERE id = ?1";
    connection.prepare_cached(sql)?.query_row([of.0], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Reads the entries of an indirect CRL, after checking that all revocations are known.
pub(super) fn current(
    connection: &Connection,
    of: AuthorityId,
    last: Option<UnixTime>,
    now: UnixTime,
) -> Result<Vec<(Serial, Revocation)>, Error> {
    let sql = "SELECT past FROM authority WHERE id = ?1";
    let past = || connection.prepare_cached(sql)?.query_row([of.0], |row| row.get::<_, String>(0));
    values::is_known(&past().map_err(failed(DOING))?)?;
    let last = last.unwrap_or(UnixTime::MIN).0;
    revoked(connection, of, &listed::is_current("?2", "?3", "?4"), [last, last, now.0])
}

/// Reads the entries of the next CRL, with a condition and its parameters.
fn revoked(
    connection: &Connection,
    of: AuthorityId,
    condition: &str,
    [first, second, third]: [i64; 3],
) -> Result<Vec<(Serial, Revocation)>, Error> {
    const DOING: &str = "reading revocations";
    seals::check_changed(connection, of)?;
    let sql = format!(
        "SELECT c.serial, r.revoked, r.reason, r.invalid_since, c.authority, c.serial, c.not_after, c.revision, c.state \
         FROM revocation r \
         JOIN certificate c ON c.id = r.certificate \
         WHERE r.lifted IS NULL AND +c.authority = ?1 AND {condition} ORDER BY r.id"
    );
    let mut statement = connection.prepare_cached(&sql).map_err(failed(DOING))?;
    let mut rows = statement.query([of.0, first, second, third]).map_err(failed(DOING))?;
    let mut list = Vec::new();
    while let Some(row) = rows.next().map_err(failed(DOING))? {
        let serial = || row.get_ref(0)?.as_blob().map(Serial::from_content).map_err(rusqlite::Error::from);
        if let Some(revocation) = rows::revocation(row, 1)? {
            seals::check_state(row, 4, Some(&revocation))?;
            list.push((serial().map_err(failed(DOING))?, revocation));
        }
    }
    Ok(list)
}

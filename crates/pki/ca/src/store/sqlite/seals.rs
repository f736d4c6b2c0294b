//! Writes and checks row digests in SQLite.

use rusqlite::{Connection, OptionalExtension, params};

use super::{documents, failed, rows, schema, structure};
use crate::Error;
use crate::store::digests::{self, Authority, Fixed, State};
use crate::store::{AuthorityId, Revocation};

const SEALING: &str = "computing digests of rows";
const LOOKING: &str = "checking digests of rows";

/// The SQL query for a CA's row, with its digest.
fn select_authority(has_series: bool) -> String {
    let crl_issuer = crl_issuer(has_series);
    format!(
        "SELECT label, certificate, key_form, private_key, ocsp_url, crl_url, issuer_url, created, past, digest, {crl_issuer} \
         FROM authority WHERE id = ?1"
    )
}

/// Returns the name of the column for the issuer of an indirect CRL, or `NULL` in an earlier version.
pub(super) const fn crl_issuer(has_series: bool) -> &'static str {
    if has_series { "crl_issuer" } else { "NULL" }
}

/// Returns the computed and the stored digest of a CA's row.
fn of_authority(connection: &Connection, id: i64, has_series: bool) -> rusqlite::Result<Option<(Vec<u8>, Vec<u8>)>> {
    let read = |row: &rusqlite::Row<'_>| {
        let text = |at: usize| row.get::<_, Option<String>>(at);
        let (label, form, past) = (row.get::<_, String>(0)?, row.get::<_, String>(2)?, row.get::<_, String>(8)?);
        let (certificate, key) = (row.get::<_, Vec<u8>>(1)?, row.get::<_, Option<Vec<u8>>>(3)?);
        let urls = [text(4)?, text(5)?, text(6)?];
        let crl_issuer = row.get::<_, Option<Vec<u8>>>(10)?;
        let row_of = Authority {
            label: &label,
            certificate: &certificate,
            key_form: &form,
            private_key: key.as_deref(),
            urls: [urls[0].as_deref(), urls[1].as_deref(), urls[2].as_deref()],
            crl_issuer: crl_issuer.as_deref(),
            created: row.get(7)?,
            past: &past,
        };
        Ok((row_of.digest(), row.get(9)?))
    };
    connection.prepare_cached(&select_authority(has_series))?.query_row([id], read).optional()
}

/// Updates the digest in a CA's row.
pub(super) fn authority(transaction: &Connection, of: AuthorityId) -> Result<(), Error> {
    let seal = || {
        let Some((digest, _)) = of_authority(transaction, of.0, true)? else { return Ok(()) };
        transaction.execute("UPDATE authority SET digest = ?2 WHERE id = ?1", params![of.0, digest]).map(drop)
    };
    seal().map_err(failed(SEALING))
}

/// Checks the digest of a CA's row.
pub(super) fn check_authority(
    connection: &Connection,
    of: AuthorityId,
    has_series: bool,
) -> rusqlite::Result<Result<(), Error>> {
    let found = of_authority(connection, of.0, has_series)?;
    Ok(found
        .map_or(Ok(()), |(digest, stored)| digests::check(Some(&stored), || digest, || "the row of the CA".to_owned())))
}

/// Updates the state digest in a certificate's row after a change.
pub(super) fn state(transaction: &Connection, certificate: i64) -> Result<(), Error> {
    let find = || {
        let mut statement = transaction.prepare_cached(
            "SELECT c.authority, c.serial, c.not_after, c.revision, r.revoked, r.reason, r.invalid_since FROM certificate c \
             LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL WHERE c.id = ?1",
        )?;
        statement.query_row([certificate], |row| {
            let fields =
                (row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, i64>(2)?, row.get::<_, i64>(3)?);
            Ok((fields, rows::revocation(row, 4)))
        })
    };
    let ((authority, serial, not_after, revision), revocation) = find().map_err(failed(SEALING))?;
    let revocation = revocation?;
    let state = State { authority, serial: &serial, not_after, revision, revocation: revocation.as_ref() };
    let sql = "UPDATE certificate SET state = ?2 WHERE id = ?1";
    let put = || transaction.prepare_cached(sql)?.execute(params![certificate, state.digest()]);
    put().map(drop).map_err(failed(SEALING))
}

/// A certificate's row with its current revocation.
struct Row {
    id: i64,
    authority: i64,
    serial: Vec<u8>,
    subject: String,
    profile: String,
    /// The start and end of the validity period, and the time of issue.
    times: [i64; 3],
    revision: i64,
    der: Vec<u8>,
    /// The stored digest and state digest.
    stored: [Vec<u8>; 2],
    revocation: Option<Revocation>,
}

impl Row {
    const fn fixed(&self) -> Fixed<'_> {
        let [not_before, not_after, issued] = self.times;
        Fixed {
            authority: self.authority,
            serial: self.serial.as_slice(),
            subject: self.subject.as_str(),
            profile: self.profile.as_str(),
            not_before,
            not_after,
            issued,
            der: self.der.as_slice(),
        }
    }

    const fn state(&self) -> State<'_> {
        let [_, not_after, _] = self.times;
        State {
            authority: self.authority,
            serial: self.serial.as_slice(),
            not_after,
            revision: self.revision,
            revocation: self.revocation.as_ref(),
        }
    }
}

/// Reads a page of rows after a row number.
fn page(connection: &Connection, behind: i64) -> Result<Vec<Row>, Error> {
    let read = || {
        let mut statement = connection.prepare_cached(
            "SELECT c.id, c.authority, c.serial, c.subject, c.profile, c.not_before, c.not_after, c.issued, c.revision, c.der, \
             c.digest, c.state, r.revoked, r.reason, r.invalid_since FROM certificate c \
             LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
             WHERE c.id > ?1 ORDER BY c.id LIMIT 256",
        )?;
        let rows = statement.query_map([behind], |row| {
            let revocation = rows::revocation(row, 12);
            let found = Row {
                id: row.get(0)?,
                authority: row.get(1)?,
                serial: row.get(2)?,
                subject: row.get(3)?,
                profile: row.get(4)?,
                times: [row.get(5)?, row.get(6)?, row.get(7)?],
                revision: row.get(8)?,
                der: row.get(9)?,
                stored: [row.get(10)?, row.get(11)?],
                revocation: None,
            };
            Ok(revocation.map(|revocation| Row { revocation, ..found }))
        })?;
        rows.collect::<rusqlite::Result<Result<Vec<Row>, Error>>>()
    };
    read().map_err(failed(LOOKING))?
}

/// Adds digests to all rows, except for certificate rows that contradict their certificate.
pub(super) fn all(transaction: &Connection) -> Result<(), Error> {
    let ids = |sql: &str| {
        let mut statement = transaction.prepare(sql)?;
        statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()
    };
    for id in ids("SELECT id FROM authority").map_err(failed(SEALING))? {
        authority(transaction, AuthorityId(id))?;
    }
    let mut behind = 0;
    loop {
        let found = page(transaction, behind)?;
        let Some(last) = found.last() else { break };
        behind = last.id;
        for row in found.iter().filter(|row| row.fixed().agrees()) {
            let sql = "UPDATE certificate SET digest = ?2, state = ?3 WHERE id = ?1";
            let seal = || {
                let seals = params![row.id, row.fixed().digest(), row.state().digest()];
                transaction.prepare_cached(sql)?.execute(seals)
            };
            seal().map_err(failed(SEALING))?;
        }
    }
    for id in ids("SELECT id FROM crl").map_err(failed(SEALING))? {
        crl(transaction, id).map_err(failed(SEALING))?;
    }
    Ok(())
}

/// Updates the digest in a CRL's row.
pub(super) fn crl(transaction: &Connection, id: i64) -> rusqlite::Result<()> {
    let sql = "SELECT authority, number, this_update, next_update, revocations FROM crl WHERE id = ?1";
    let mut select = transaction.prepare_cached(sql)?;
    let digest = select
        .query_row([id], |row| Ok(digests::crl(row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
    transaction.execute("UPDATE crl SET digest = ?2 WHERE id = ?1", params![id, digest]).map(drop)
}

/// Checks the state digests of all certificates whose status has changed, and that no certificate and no revocation is missing. This
/// detects a lost revocation, even if the certificate's row no longer says that its status has changed.
pub(super) fn check_changed(connection: &Connection, of: AuthorityId) -> Result<(), Error> {
    let mut statement = connection
        .prepare_cached(
            "SELECT c.authority, c.serial, c.not_after, c.revision, c.state, r.revoked, r.reason, r.invalid_since \
             FROM certificate c LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
             WHERE c.authority = ?1 AND c.revision > 0",
        )
        .map_err(failed(LOOKING))?;
    let mut rows = statement.query([of.0]).map_err(failed(LOOKING))?;
    while let Some(row) = rows.next().map_err(failed(LOOKING))? {
        check_state(row, 0, rows::revocation(row, 5)?.as_ref())?;
    }
    // Certificates have consecutive row numbers, and each revocation has its certificate. Rows are never deleted.
    let sql = "SELECT coalesce(max(id), 0) <> count(*) OR EXISTS (SELECT 1 FROM revocation r \
               WHERE NOT EXISTS (SELECT 1 FROM certificate c WHERE c.id = r.certificate)) FROM certificate";
    if connection.query_row(sql, [], |row| row.get(0)).map_err(failed(LOOKING))? {
        return Err(Error::Damaged { what: "the number of certificates".to_owned() });
    }
    let version = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed(LOOKING))?;
    match structure::revocations(connection, of, version).map_err(failed(LOOKING))? {
        Some(_) => Err(Error::Damaged { what: "the number of revocations".to_owned() }),
        None => Ok(()),
    }
}

/// Checks the state digest in a row. The five columns are the CA, the serial number, the end of validity, the revision
/// and the digest.
pub(super) fn check_state(row: &rusqlite::Row<'_>, at: usize, revocation: Option<&Revocation>) -> Result<(), Error> {
    let read = || -> rusqlite::Result<_> {
        let serial = row.get_ref(at + 1)?.as_blob()?;
        let stored = row.get_ref(at + 4)?.as_blob_or_null()?;
        Ok((
            State {
                authority: row.get(at)?,
                serial,
                not_after: row.get(at + 2)?,
                revision: row.get(at + 3)?,
                revocation,
            },
            stored,
        ))
    };
    let (state, stored) = read().map_err(failed(LOOKING))?;
    state.check(stored)
}

/// Checks all rows of a CA, and reports damaged ones to `tell`.
pub(super) fn damages(
    connection: &Connection,
    of: AuthorityId,
    version: i64,
    tell: &mut dyn FnMut(String),
) -> Result<(), Error> {
    let has_series = version >= schema::SERIES;
    let mut integrity = connection.prepare("PRAGMA integrity_check(20)").map_err(failed(LOOKING))?;
    let lines = integrity.query_map([], |row| row.get::<_, String>(0)).map_err(failed(LOOKING))?;
    for line in lines {
        let line = line.map_err(failed(LOOKING))?;
        if line != "ok" {
            tell(format!("SQLite: {line}"));
        }
    }
    if let Err(Error::Damaged { what }) = check_authority(connection, of, has_series).map_err(failed(LOOKING))? {
        tell(what);
    }
    let mut behind = 0;
    loop {
        let found = page(connection, behind)?;
        let Some(last) = found.last() else { break };
        behind = last.id;
        for row in found.iter().filter(|row| row.authority == of.0) {
            let (fixed, state) = (row.fixed(), row.state());
            let serial = crate::Serial::from_content(&row.serial);
            let [digest, stored] = &row.stored;
            if !fixed.agrees() {
                tell(digests::other_certificate(&serial));
            } else if *digest != fixed.digest() {
                tell(format!("the row of the certificate {serial}"));
            } else if *stored != state.digest() {
                tell(format!("the status of the certificate {serial}"));
            }
        }
    }
    structure::check(connection, version, tell).map_err(failed(LOOKING))?;
    if let Some(what) = structure::revocations(connection, of, version).map_err(failed(LOOKING))? {
        tell(what);
    }
    let sql = "SELECT authority, number, this_update, next_update, revocations, digest FROM crl WHERE authority = ?1";
    let mut crls = connection.prepare(sql).map_err(failed(LOOKING))?;
    let mut rows = crls.query([of.0]).map_err(failed(LOOKING))?;
    while let Some(row) = rows.next().map_err(failed(LOOKING))? {
        let read = || -> rusqlite::Result<_> {
            let number = row.get(1)?;
            let digest = digests::crl(row.get(0)?, number, row.get(2)?, row.get(3)?, row.get(4)?);
            Ok((number, digest == row.get_ref(5)?.as_blob()?))
        };
        let (number, is_good): (i64, bool) = read().map_err(failed(LOOKING))?;
        if !is_good {
            tell(format!("the row of CRL {number}"));
        }
    }
    if has_series {
        structure::check_numbers(connection, of, tell).map_err(failed(LOOKING))?;
        documents::check(connection, of, version >= schema::SEALED_DOCUMENTS, tell)?;
    }
    Ok(())
}

//! Backups of a database in use, and their restoration, each as one transaction.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, params};

use super::{SqliteStore, failed, patiently, seals};
use crate::Error;
use crate::store::{AuthorityId, values};

const BACKING_UP: &str = "writing a backup";
const RESTORING: &str = "restoring a backup";

/// The treatment of data that is newer than a restored backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restoring {
    /// True to discard certificates, revocations, CRLs and documents that the backup does not contain.
    pub discard_newer: bool,
    /// The number of the last published CRL, if the database that contains it is lost. The next CRL gets a higher number.
    pub last_crl_number: u64,
}

/// The tables that a backup restores, each after the tables that it references.
const TABLES: [&str; 6] = ["authority", "certificate", "revocation", "crl", "series", "document"];

/// The table that is emptied instead: responses are signed again.
const EMPTIED: &str = "ocsp_response";

impl SqliteStore {
    /// Copies a consistent snapshot of the database into an empty file. Others may use the database meanwhile.
    ///
    /// # Errors
    /// Returns any error from SQLite, or [`Error::Locked`] if waiting for a lock timed out.
    pub fn back_up(&self, to: &Path) -> Result<(), Error> {
        let wrong = failed(BACKING_UP);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Connection::open_with_flags(to, flags).map_err(&wrong)?;
        let done = patiently(self.patience, BACKING_UP, || {
            let backup = Backup::new(&self.connection, &mut copy)?;
            // Copying all pages in one step yields a consistent snapshot.
            match backup.step(-1)? {
                StepResult::Done => Ok(()),
                _ => Err(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY), None)),
            }
        });
        done?;
        // A single file without a log.
        copy.query_row("PRAGMA journal_mode = DELETE", [], |_row| Ok(())).map_err(&wrong)?;
        copy.close().map_err(|(_connection, error)| wrong(error))
    }

    /// Replaces the content of this database with that of a backup, which must have the same version. Others may use
    /// the database meanwhile. OCSP responses are deleted, and CRL numbers continue from the highest known one. The CA's key
    /// keeps the protection that it has in this database, so that an old passphrase does not become valid again.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if this database contains another CA, or data that the backup does not contain and that must not be
    /// discarded. Also returns any error from SQLite.
    pub fn restore(&mut self, from: &Path, how: Restoring) -> Result<(), Error> {
        let path = from.to_str().ok_or_else(|| Error::inconsistent("the name of the backup is not UTF-8"))?;
        self.connection.execute("ATTACH DATABASE ?1 AS backup", [path]).map_err(failed(RESTORING))?;
        let done = self.write(RESTORING, |transaction| {
            compare(transaction, how)?;
            replace(transaction, how)
        });
        let detached = self.connection.execute_batch("DETACH DATABASE backup").map_err(failed(RESTORING));
        done.and(detached)
    }
}

/// Compares the database with the backup, and rejects the backup if newer data would be lost.
fn compare(transaction: &Connection, how: Restoring) -> Result<(), Error> {
    let count = |sql: &str| transaction.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(failed(RESTORING));
    let version = |schema: &str| count(&format!("PRAGMA {schema}.user_version"));
    if version("main")? != version("backup")? {
        return Err(Error::inconsistent("the backup's schema version differs from the database's"));
    }
    if count("SELECT count(*) FROM backup.authority")? == 0 {
        return Err(Error::refused("the backup has no CA", None));
    }
    // A renewed CA has another certificate, but its identity is that of its row.
    let strangers = count(
        "SELECT count(*) FROM main.authority a WHERE NOT EXISTS (SELECT 1 FROM backup.authority b WHERE b.id = a.id \
         AND b.label = a.label AND b.created = a.created)",
    )?;
    if strangers > 0 {
        return Err(Error::refused("the backup belongs to a different CA", None));
    }
    if how.discard_newer {
        return Ok(());
    }
    let certificates = count(
        "SELECT count(*) FROM main.certificate c WHERE NOT EXISTS (SELECT 1 FROM backup.certificate b \
         WHERE b.id = c.id AND b.authority = c.authority AND b.serial = c.serial AND b.der = c.der)",
    )?;
    let revocations = count(
        "SELECT count(*) FROM main.revocation r WHERE NOT EXISTS (SELECT 1 FROM backup.revocation b \
         WHERE b.id = r.id AND b.certificate = r.certificate AND b.revoked = r.revoked AND b.reason = r.reason \
         AND b.lifted IS r.lifted)",
    )?;
    let crls = count(
        "SELECT count(*) FROM main.crl l WHERE NOT EXISTS (SELECT 1 FROM backup.crl b \
         WHERE b.authority = l.authority AND b.number = l.number AND b.der = l.der)",
    )?;
    let series = count(
        "SELECT count(*) FROM main.series s WHERE NOT EXISTS (SELECT 1 FROM backup.series b \
         WHERE b.authority = s.authority AND b.name = s.name AND b.number = s.number AND b.der = s.der)",
    )?;
    let documents = count(
        "SELECT count(*) FROM main.document d WHERE NOT EXISTS (SELECT 1 FROM backup.document b \
         WHERE b.authority = d.authority AND b.kind = d.kind AND b.id = d.id AND b.owner = d.owner AND b.expires = d.expires \
         AND b.version = d.version AND b.content = d.content)",
    )?;
    let renewed = count(
        "SELECT count(*) FROM main.authority a JOIN backup.authority b ON b.id = a.id WHERE a.certificate <> b.certificate",
    )?;
    let lost: Vec<String> = [
        (certificates, "certificate"),
        (revocations, "change of a status"),
        (crls.saturating_add(series), "CRL"),
        (documents, "document"),
        (renewed, "renewal of the CA"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{what}: {count}"))
    .collect();
    if lost.is_empty() {
        return Ok(());
    }
    Err(Error::refused(format!("the database is newer than the backup, which lacks: {}", lost.join(", ")), None))
}

/// The stored form of a CA's key, and the number of the CA's row.
type Key = (i64, String, Option<Vec<u8>>);

/// Returns the keys in undamaged rows.
fn keys(transaction: &Connection) -> Result<Vec<Key>, Error> {
    let wrong = failed(RESTORING);
    let sql = "SELECT id, key_form, private_key FROM main.authority";
    let mut statement = transaction.prepare(sql).map_err(&wrong)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).map_err(&wrong)?;
    let rows = rows.collect::<rusqlite::Result<Vec<Key>>>().map_err(&wrong)?;
    let is_undamaged = |key: &Key| matches!(seals::check_authority(transaction, AuthorityId(key.0), true), Ok(Ok(())));
    Ok(rows.into_iter().filter(is_undamaged).collect())
}

fn replace(transaction: &Connection, how: Restoring) -> Result<(), Error> {
    let wrong = failed(RESTORING);
    let keys = keys(transaction)?;
    let mut numbers = Vec::new();
    {
        let mut statement = transaction
            .prepare(
                "SELECT id, max(crl_number, (SELECT coalesce(max(number), 0) FROM main.crl WHERE authority = a.id), \
                 (SELECT coalesce(max(number), 0) FROM main.series WHERE authority = a.id)) \
                 FROM main.authority a",
            )
            .map_err(&wrong)?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))).map_err(&wrong)?;
        for row in rows {
            numbers.push(row.map_err(&wrong)?);
        }
    }
    // The triggers prevent the deletion of the last rows. They are dropped and re-created in this transaction.
    let triggers = {
        let sql = "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'";
        let mut statement = transaction.prepare(sql).map_err(&wrong)?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
        rows.map_err(&wrong)?.collect::<rusqlite::Result<Vec<_>>>().map_err(&wrong)?
    };
    let run = |sql: &str| transaction.execute_batch(sql).map_err(failed(RESTORING));
    run("PRAGMA defer_foreign_keys = ON")?;
    for (name, _) in &triggers {
        run(&format!("DROP TRIGGER main.{name}"))?;
    }
    run(&format!("DELETE FROM main.{EMPTIED}"))?;
    for table in TABLES.iter().rev() {
        run(&format!("DELETE FROM main.{table}"))?;
    }
    for table in TABLES {
        run(&format!("INSERT INTO main.{table} SELECT * FROM backup.{table}"))?;
    }
    for (_, sql) in &triggers {
        run(sql)?;
    }
    let raise = "UPDATE main.authority SET crl_number = max(crl_number, ?2) WHERE id = ?1";
    for (id, number) in numbers {
        transaction.execute(raise, params![id, number]).map_err(&wrong)?;
    }
    let last = values::count(how.last_crl_number)?;
    transaction.execute("UPDATE main.authority SET crl_number = max(crl_number, ?1)", [last]).map_err(&wrong)?;
    let ids = {
        let mut statement = transaction.prepare("SELECT id FROM main.authority").map_err(&wrong)?;
        let rows = statement.query_map([], |row| row.get(0)).map_err(&wrong)?;
        rows.collect::<rusqlite::Result<Vec<i64>>>().map_err(&wrong)?
    };
    ids.into_iter()
        .try_for_each(|id| seals::check_authority(transaction, AuthorityId(id), true).map_err(failed(RESTORING))?)?;
    for (id, form, key) in keys {
        let sql = "UPDATE main.authority SET key_form = ?2, private_key = ?3 WHERE id = ?1";
        transaction.execute(sql, params![id, form, key]).map_err(&wrong)?;
        seals::authority(transaction, AuthorityId(id))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new table is restored, or emptied deliberately.
    #[test]
    fn every_table_is_restored() {
        let store = SqliteStore::in_memory().unwrap();
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let mut statement = store.connection.prepare(sql).unwrap();
        let tables: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let mut known: Vec<&str> = TABLES.into_iter().chain([EMPTIED]).collect();
        known.sort_unstable();
        assert_eq!(tables, known);
    }
}

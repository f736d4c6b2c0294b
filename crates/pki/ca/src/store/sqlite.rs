//! A store in a SQLite file, the embedded default.
//!
//! It uses a write-ahead log and foreign keys. Write transactions wait for their lock at the start, and are synced to
//! disk on commit. `schema` defines the tables and their versions, and `rows` their content.

mod backup;
mod batch;
mod crls;
mod documents;
mod migrate;
mod open;
mod responses;
mod revocations;
mod rows;
mod schema;
mod seals;
mod seen;
mod structure;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior, params};
use tagwise_pkix::UnixTime;

pub use self::backup::Restoring;
use self::batch::Batch;
use self::seen::Seen;
use super::group::CommitGroup;
use super::{
    AuthorityId, AuthorityRecord, CertificateRecord, CrlRecord, Cursor, Elsewhere, MakeCrl, NewCertificate,
    NewOcspResponse, OcspRecord, Past, Revocation, Series, SeriesCrl, Status, Store, StoredKey, Unanswered, Visit,
    listed, values,
};
use crate::{Error, Now, Serial};

/// The size of the page cache, in KiB.
const CACHE_KIB: i64 = 16 * 1024;

/// The page size of a new file, in bytes. With RSA certificates, pages of 4,096 bytes are up to a third empty. Larger pages than
/// this are slower in large stores, where each serial number is on a different page.
const PAGE: u32 = 8192;

/// The size of the write-ahead log that triggers a checkpoint, in bytes: the same as SQLite's default of 1,000 pages of 4,096 bytes.
const LOG: u32 = 4000 * 1024;

/// The size to which the log is cut when SQLite begins anew at its start, in bytes: the size at which a server's connections copy it.
const LOG_KEPT: u32 = 32 * 1024 * 1024;

/// The times at which SQLite syncs to disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Synchronous {
    /// Syncs on each transaction, so a power failure loses no committed transaction.
    #[default]
    Full,
    /// Syncs only on checkpoints. Nothing is lost if the process ends, but a power failure may lose the last transactions.
    /// Not suitable for CAs.
    Normal,
}

/// Options of a SQLite file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqliteOptions {
    /// The maximum wait for locks held by others.
    pub patience: Duration,
    /// The times at which SQLite syncs to disk.
    pub synchronous: Synchronous,
}

impl SqliteOptions {
    /// The default options: wait for locks for up to one minute, and sync on each transaction.
    pub const DEFAULT: Self = Self { patience: Duration::from_secs(60), synchronous: Synchronous::Full };
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A store in a SQLite file, or in memory.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    patience: Duration,
    seen: Option<Seen>,
    /// The version of the tables, which is an earlier one if they were opened for reading.
    version: i64,
    /// The connections whose commits are synced together, if this is one of them.
    group: Option<Arc<CommitGroup>>,
    batch: Batch,
}

impl SqliteStore {
    /// Returns whether rows have digests.
    const fn is_sealed(&self) -> bool {
        self.version >= schema::SEALED
    }

    /// Returns whether there are series of CRLs.
    const fn has_series(&self) -> bool {
        self.version >= schema::SERIES
    }

    /// Returns the name of a digest column, or `NULL` if rows have no digests.
    const fn seal(&self, column: &'static str) -> &'static str {
        if self.is_sealed() { column } else { "NULL" }
    }

    /// Checks that rows have digests.
    fn check_version(&self) -> Result<(), Error> {
        match self.is_sealed() {
            true => Ok(()),
            false => Err(Error::inconsistent("its tables have an earlier version: any other command updates them")),
        }
    }

    /// Runs a write transaction, or a step of a batch. A transaction acquires the write lock at the start, to avoid conflicts with other writers. If a conflict occurs
    /// nevertheless, the transaction is retried.
    fn write<T>(
        &mut self,
        doing: &'static str,
        mut run: impl FnMut(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.seen = None;
        if matches!(self.batch, Batch::Pending) {
            self.open_batch()?;
        }
        if matches!(self.batch, Batch::Open(_)) {
            return self.step(doing, &mut run);
        }
        let _turn = self.group.as_ref().map(CommitGroup::turn);
        let start = Instant::now();
        loop {
            match self.attempt(doing, &mut run) {
                Err(error) if is_locked(&error) && start.elapsed() < self.patience => std::thread::sleep(PAUSE),
                Err(error) if is_locked(&error) => return Err(Error::Locked(self.patience.as_secs())),
                done => {
                    self.shorten_log();
                    return done;
                }
            }
        }
    }

    fn attempt<T>(
        &mut self,
        doing: &'static str,
        run: &mut impl FnMut(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(failed(doing))?;
        let value = run(&transaction)?;
        // A busy error means that nothing was written; other errors may occur after the data has reached the disk.
        transaction.commit().map_err(|error| match is_busy(&error) {
            true => failed(doing)(error),
            false => Error::Unconfirmed { doing, source: error.into() },
        })?;
        Ok(value)
    }

    fn read<T>(&self, doing: &'static str, run: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let mut run = run;
        patiently(self.patience, doing, || run(&self.connection))
    }
}

/// The pause between attempts while other processes lock the database.
const PAUSE: Duration = Duration::from_millis(5);

/// Retries an operation while other processes lock the database, until `patience` has passed.
fn patiently<T>(
    patience: Duration,
    doing: &'static str,
    mut run: impl FnMut() -> rusqlite::Result<T>,
) -> Result<T, Error> {
    let start = Instant::now();
    loop {
        match run() {
            // Some locks fail immediately.
            Err(error) if is_busy(&error) && start.elapsed() < patience => std::thread::sleep(PAUSE),
            done => return done.map_err(|error| told(doing, patience, error)),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Returns whether an error from [`failed`] means that another process locks the database.
fn is_locked(error: &Error) -> bool {
    matches!(error, Error::Store { source, .. } if source.downcast_ref().is_some_and(is_busy))
}

/// Creates the error to report after `patience` has passed.
fn told(doing: &'static str, patience: Duration, error: rusqlite::Error) -> Error {
    if is_busy(&error) { Error::Locked(patience.as_secs()) } else { failed(doing)(error) }
}

pub(super) fn failed(doing: &'static str) -> impl Fn(rusqlite::Error) -> Error {
    move |error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::ForeignDatabase("not a SQLite file".to_owned()),
        Some(_) if is_full(&error) => Error::Store { doing, source: Full(error).into() },
        _ => Error::Store { doing, source: error.into() },
    }
}

/// Returns whether no space is left. SQLite reports an I/O error if it cannot allocate the index of its log.
fn is_full(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    matches!(code, Some(rusqlite::ffi::SQLITE_FULL | rusqlite::ffi::SQLITE_IOERR_SHMSIZE))
}

/// The error for a full disk.
#[derive(Debug)]
struct Full(rusqlite::Error);

impl std::fmt::Display for Full {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the disk is full")
    }
}

impl std::error::Error for Full {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Returns whether a row could not be added because one with the same key exists.
fn is_taken(error: &rusqlite::Error) -> bool {
    const UNIQUE: i32 = rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE;
    error.sqlite_error().is_some_and(|error| error.extended_code == UNIQUE)
}

// `+c.authority` keeps SQLite from finding rows by CA where they are wanted by number and in order: it would sort all of a CA's
// certificates for each page of them.
const CERTIFICATE: &str = "SELECT c.serial, c.subject, c.profile, c.not_before, c.not_after, c.issued, c.der, \
     r.revoked, r.reason, r.invalid_since, c.id FROM certificate c \
     LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL WHERE ";

impl Store for SqliteStore {
    fn combine(&mut self) {
        self.undo_batch();
        self.batch = Batch::Pending;
    }

    fn commit(&mut self) -> Result<(), Error> {
        self.commit_batch()
    }

    fn roll_back(&mut self) {
        self.undo_batch();
    }

    fn commit_group(&self) -> Option<Arc<CommitGroup>> {
        self.group.clone()
    }

    fn add_authority(
        &mut self,
        authority: &AuthorityRecord,
        own: Option<&NewCertificate>,
        past: &Past,
    ) -> Result<AuthorityId, Error> {
        const DOING: &str = "adding a CA";
        self.write(DOING, |transaction| {
            let (form, key) = values::key_columns(&authority.key);
            let number = values::count(authority.crl_number)?;
            let urls = &authority.urls;
            let added = transaction.execute(
                "INSERT INTO authority (label, certificate, key_form, private_key, crl_number, ocsp_url, crl_url, issuer_url, \
                 created, past, crl_issuer) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                params![
                    authority.label,
                    authority.certificate,
                    form,
                    key,
                    number,
                    urls.ocsp,
                    urls.crl,
                    urls.issuer,
                    authority.created.0,
                    values::past(past),
                    urls.crl_issuer
                ],
            );
            added.map_err(|error| match is_taken(&error) {
                true => Error::AuthorityExists(authority.label.clone()),
                false => failed(DOING)(error),
            })?;
            let id = AuthorityId(transaction.last_insert_rowid());
            seals::authority(transaction, id)?;
            own.map_or(Ok(()), |own| insert(transaction, id, std::slice::from_ref(own)))?;
            if let Past::TakenOver(history) = past {
                revocations::take_over(transaction, id, history)?;
            }
            Ok(id)
        })
    }

    fn renew(&mut self, of: AuthorityId, certificate: &[u8], own: Option<&NewCertificate>) -> Result<(), Error> {
        const DOING: &str = "renewing a CA";
        self.write(DOING, |transaction| {
            let sql = "UPDATE authority SET certificate = ?2 WHERE id = ?1";
            transaction.execute(sql, params![of.0, certificate]).map_err(failed(DOING))?;
            seals::authority(transaction, of)?;
            own.map_or(Ok(()), |own| insert(transaction, of, std::slice::from_ref(own)))
        })
    }

    fn set_key(&mut self, of: AuthorityId, key: &StoredKey) -> Result<(), Error> {
        const DOING: &str = "replacing the CA's key";
        // The bytes of the old key are overwritten in the file.
        self.connection.pragma_update(None, "secure_delete", true).map_err(failed(DOING))?;
        self.write(DOING, |transaction| {
            let (form, octets) = values::key_columns(key);
            let sql = "UPDATE authority SET key_form = ?2, private_key = ?3 WHERE id = ?1";
            transaction.execute(sql, params![of.0, form, octets]).map_err(failed(DOING))?;
            seals::authority(transaction, of)
        })?;
        // The log may still have them. Others that read from it keep it; it is then emptied later.
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_row| Ok(()));
        Ok(())
    }

    fn take_over(&mut self, of: AuthorityId, past: &Past) -> Result<(), Error> {
        self.write("importing a CA's history", |transaction| revocations::know(transaction, of, past))
    }

    fn knows_past(&mut self, of: AuthorityId) -> Result<bool, Error> {
        let sql = "SELECT past != 'unknown' FROM authority WHERE id = ?1";
        self.read("reading a CA", |connection| connection.prepare_cached(sql)?.query_row([of.0], |row| row.get(0)))
    }

    fn authority(&mut self, label: &str) -> Result<Option<(AuthorityId, AuthorityRecord)>, Error> {
        let (sealed, has_series) = (self.is_sealed(), self.has_series());
        let found = self.read("reading the CA", |connection| {
            let found = find_authority(connection, label, has_series)?;
            let id = found.as_ref().and_then(|found| found.as_ref().ok()).map(|(id, _)| *id).filter(|_| sealed);
            let checked = id.map_or(Ok(Ok(())), |id| seals::check_authority(connection, id, has_series))?;
            Ok((found, checked))
        })?;
        let (found, checked) = found;
        checked?;
        found.transpose()
    }

    fn unchecked_authority(&mut self, label: &str) -> Result<Option<(AuthorityId, AuthorityRecord)>, Error> {
        let has_series = self.has_series();
        self.read("reading the CA", |connection| find_authority(connection, label, has_series))?.transpose()
    }

    fn add_certificates(&mut self, of: AuthorityId, certificates: &[NewCertificate]) -> Result<(), Error> {
        self.write("storing certificates", |transaction| insert(transaction, of, certificates))
    }

    fn complete(&mut self, of: AuthorityId, before: &[u8], new: &NewCertificate) -> Result<(), Error> {
        const DOING: &str = "storing a certificate";
        self.write(DOING, |transaction| {
            let mut subject = String::new();
            values::write_subject(&new.der, &mut subject)?;
            let (digest, _) = values::seals(of, new, &subject);
            let sql = "UPDATE certificate SET der = ?4, digest = ?5 WHERE authority = ?1 AND serial = ?2 AND der = ?3";
            let values = params![of.0, new.serial.as_bytes(), before, new.der, digest];
            match transaction.execute(sql, values).map_err(failed(DOING))? {
                1 => Ok(()),
                _ => Err(Error::NoSuchSerial(new.serial.clone())),
            }
        })
    }

    fn certificate(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<CertificateRecord>, Error> {
        let sql = format!("{CERTIFICATE} c.authority = ?1 AND c.serial = ?2")
            .replace("c.id FROM", &format!("c.id, {} FROM", self.seal("c.digest")));
        let found = self.read("reading a certificate", |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let read = |row: &rusqlite::Row<'_>| Ok((rows::certificate(row), row.get::<_, Option<Vec<u8>>>(11)?));
            statement.query_row(params![of.0, serial.as_bytes()], read).optional()
        })?;
        let Some((record, stored)) = found else { return Ok(None) };
        let record = record?;
        values::check_certificate(of, &record, stored.as_deref())?;
        Ok(Some(record))
    }

    fn certificates(
        &mut self,
        of: AuthorityId,
        visit: &mut dyn FnMut(CertificateRecord) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // In batches, because a long walk prevents the log from being truncated.
        let mut behind = 0;
        loop {
            let batch = self.read("reading certificates", |connection| {
                let sql = format!("{CERTIFICATE} +c.authority = ?1 AND c.id > ?2 ORDER BY c.id LIMIT 256");
                let mut statement = connection.prepare_cached(&sql)?;
                let rows = statement.query_map([of.0, behind], |row| Ok((row.get(10)?, rows::certificate(row))))?;
                rows.collect::<rusqlite::Result<Vec<(i64, _)>>>()
            })?;
            let Some((last, _)) = batch.last() else { return Ok(()) };
            behind = *last;
            batch.into_iter().try_for_each(|(_, record)| visit(record?))?;
        }
    }

    fn compromised(
        &mut self,
        of: AuthorityId,
        visit: &mut dyn FnMut(Serial, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut behind = 0;
        loop {
            let batch = self.read("reading certificates", |connection| {
                let mut statement = connection.prepare_cached(listed::COMPROMISED_SQLITE)?;
                let rows = statement.query_map([of.0, behind], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                rows.collect::<rusqlite::Result<Vec<(i64, Vec<u8>, Vec<u8>)>>>()
            })?;
            let Some((last, _, _)) = batch.last() else { return Ok(()) };
            behind = *last;
            batch.iter().try_for_each(|(_, serial, der)| visit(Serial::from_content(serial), der))?;
        }
    }

    fn certificate_octets(&mut self, of: AuthorityId, behind: Cursor, visit: &mut Visit<'_>) -> Result<Cursor, Error> {
        walk::certificates(self, of, behind, visit)
    }

    fn revoke_all(&mut self, of: AuthorityId, list: &[(Serial, Revocation)]) -> Result<(), Error> {
        self.write(revocations::DOING, |transaction| {
            list.iter().try_for_each(|(serial, revocation)| revocations::revoke(transaction, of, serial, revocation))
        })
    }

    fn revoke_elsewhere(
        &mut self,
        of: AuthorityId,
        certificate: &Elsewhere,
        revocation: &Revocation,
    ) -> Result<(), Error> {
        self.write(revocations::DOING, |transaction| {
            revocations::add_elsewhere(transaction, of, certificate, revocation.at)?;
            revocations::revoke(transaction, of, &certificate.serial, revocation)
        })
    }

    fn release(&mut self, of: AuthorityId, serial: &Serial, at: UnixTime) -> Result<(), Error> {
        self.write("releasing a certificate from hold", |transaction| revocations::release(transaction, of, serial, at))
    }

    fn put_clock_right(&mut self, of: AuthorityId, now: UnixTime) -> Result<(), Error> {
        self.write("correcting the clock", |transaction| {
            revocations::put_clock_right(transaction, of, now)?;
            responses::forget_later(transaction, of, now)
        })
    }

    fn add_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error> {
        self.write(crls::DOING, |transaction| crls::add(transaction, of, now, make))
    }

    fn add_delta_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error> {
        self.write(crls::DOING, |transaction| crls::add_delta(transaction, of, now, make))
    }

    fn add_indirect_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error> {
        self.write(crls::DOING, |transaction| crls::add_indirect(transaction, of, now, make))
    }

    fn revoked(
        &mut self,
        of: AuthorityId,
        last: Option<UnixTime>,
        now: UnixTime,
    ) -> Result<Vec<(Serial, Revocation)>, Error> {
        self.check_version()?;
        self.read("reading revocations", |connection| {
            // One snapshot for several queries, which a batch already has.
            let _snapshot = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
            Ok(crls::current(connection, of, last, now))
        })?
    }

    fn series(&mut self, of: AuthorityId) -> Result<Vec<Series>, Error> {
        if !self.has_series() {
            return Ok(Vec::new());
        }
        self.read("reading CRLs", |connection| Ok(crls::list(connection, of)))?
    }

    fn series_crl(&mut self, of: AuthorityId, series: Series) -> Result<Option<SeriesCrl>, Error> {
        if !self.has_series() {
            return Ok(None);
        }
        self.read("reading a CRL", |connection| Ok(crls::newest(connection, of, series)))?
    }

    fn last_update(&mut self, of: AuthorityId) -> Result<Option<UnixTime>, Error> {
        let sealed = self.is_sealed();
        let last = self.read("reading the time of the last CRL", |connection| crls::last(connection, of, sealed))?;
        last.map(|last| last.map(|last| last.this_update)).transpose()
    }

    fn has_changed(&mut self, of: AuthorityId) -> Result<bool, Error> {
        let sealed = self.is_sealed();
        self.read("reading revocations", |connection| crls::has_changed(connection, of, sealed))?
    }

    fn crl(&mut self, of: AuthorityId, number: Option<u64>) -> Result<Option<CrlRecord>, Error> {
        let number = number.map(values::count).transpose()?;
        let found = self.read("reading a CRL", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT number, this_update, next_update, der FROM crl \
                 WHERE authority = ?1 AND (?2 IS NULL OR number = ?2) ORDER BY number DESC LIMIT 1",
            )?;
            statement.query_row(params![of.0, number], |row| Ok(rows::crl(row))).optional()
        })?;
        found.transpose()
    }

    fn crl_after(&mut self, of: AuthorityId, number: u64) -> Result<Option<CrlRecord>, Error> {
        let number = values::count(number)?;
        let found = self.read("reading a CRL", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT number, this_update, next_update, der FROM crl \
                 WHERE authority = ?1 AND number > ?2 ORDER BY number LIMIT 1",
            )?;
            statement.query_row(params![of.0, number], |row| Ok(rows::crl(row))).optional()
        })?;
        found.transpose()
    }

    fn status(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<Status>, Error> {
        let sql = format!(
            "SELECT c.serial, c.id, c.revision, r.revoked, r.reason, r.invalid_since, \
             c.authority, c.serial, c.not_after, c.revision, {} FROM certificate c \
             LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
             WHERE c.authority = ?1 AND c.serial = ?2",
            self.seal("c.state")
        );
        let found = self.read("reading a status", |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_row(params![of.0, serial.as_bytes()], |row| Ok(rows::status(row))).optional()
        })?;
        found.transpose()
    }

    fn ocsp_response(
        &mut self,
        of: AuthorityId,
        serial: &Serial,
        digest: &str,
        after: UnixTime,
    ) -> Result<Option<OcspRecord>, Error> {
        let range = responses::digest(digest).and_then(|digest| responses::range(of, digest));
        let Some((start, _)) = range else { return Ok(None) };
        self.read("reading an OCSP response", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT o.this_update, o.next_update, o.der FROM certificate c \
                 JOIN ocsp_response o ON o.id = ?3 + c.id \
                 WHERE c.authority = ?1 AND c.serial = ?2 AND o.next_update > ?4",
            )?;
            let wanted = params![of.0, serial.as_bytes(), start, after.0];
            let record = |row: &rusqlite::Row<'_>| {
                Ok(OcspRecord {
                    this_update: UnixTime(row.get(0)?),
                    next_update: UnixTime(row.get(1)?),
                    der: row.get(2)?,
                })
            };
            statement.query_row(wanted, record).optional()
        })
    }

    fn add_ocsp_responses(&mut self, of: AuthorityId, responses: &[NewOcspResponse]) -> Result<(), Error> {
        if responses.is_empty() {
            return Ok(());
        }
        let seen = self.seen.take();
        self.write("storing OCSP responses", |transaction| responses::add(transaction, of, responses, seen.as_ref()))
    }

    fn ocsp_octets(
        &mut self,
        of: AuthorityId,
        digest: &str,
        after: UnixTime,
        behind: Cursor,
        visit: &mut Visit<'_>,
    ) -> Result<Cursor, Error> {
        let Some(digest) = responses::digest(digest) else { return Ok(behind) };
        walk::ocsp_responses(self, (of, digest, after), behind, visit)
    }

    fn damages(&mut self, of: AuthorityId, tell: &mut dyn FnMut(String)) -> Result<(), Error> {
        self.check_version()?;
        seals::damages(&self.connection, of, self.version, tell)
    }

    fn unanswered(
        &mut self,
        of: AuthorityId,
        digest: &str,
        now: UnixTime,
        good_after: UnixTime,
        (behind, limit): (Cursor, u32),
    ) -> Result<Unanswered, Error> {
        // An unknown digest has no responses, because no row has the number NULL.
        let start = responses::digest(digest).and_then(|digest| responses::range(of, digest)).map(|(start, _)| start);
        let state = self.seal("c.state");
        let (version, found) = self.read("reading certificates", |connection| {
            let version = seen::version(connection)?;
            let mut statement = connection.prepare_cached(&format!(
                "SELECT c.serial, c.id, c.revision, r.revoked, r.reason, r.invalid_since, \
                 c.authority, c.serial, c.not_after, c.revision, {state} FROM certificate c \
                 LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
                 WHERE +c.authority = ?1 AND c.id > ?2 AND c.not_after >= ?3 AND c.profile <> 'root' AND NOT EXISTS \
                 (SELECT 1 FROM ocsp_response o WHERE o.id = ?4 + c.id AND o.next_update > ?5) \
                 ORDER BY c.id LIMIT ?6",
            ))?;
            let wanted = params![of.0, behind.0, now.0, start, good_after.0, limit];
            let found = statement.query_map(wanted, |row| Ok(rows::status(row)))?;
            Ok((version, found.collect::<rusqlite::Result<Vec<_>>>()?))
        })?;
        let list = found.into_iter().collect::<Result<Vec<_>, Error>>()?;
        self.seen = Some(Seen::new(of, version, &list));
        Ok(Unanswered::page(list, limit))
    }
}

/// Reads the row of the CA with the given label.
fn find_authority(
    connection: &Connection,
    label: &str,
    has_series: bool,
) -> rusqlite::Result<Option<Result<(AuthorityId, AuthorityRecord), Error>>> {
    let crl_issuer = seals::crl_issuer(has_series);
    let series = if has_series {
        ", (SELECT coalesce(max(number), 0) FROM series WHERE series.authority = authority.id)"
    } else {
        ""
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT id, label, certificate, key_form, private_key, \
         max(crl_number, (SELECT coalesce(max(number), 0) FROM crl WHERE crl.authority = authority.id){series}), ocsp_url, crl_url, \
         issuer_url, created, {crl_issuer} FROM authority WHERE label = ?1",
    ))?;
    statement.query_row([label], |row| Ok(rows::authority(row))).optional()
}

fn insert(transaction: &Connection, of: AuthorityId, certificates: &[NewCertificate]) -> Result<(), Error> {
    let wrong = failed("storing certificates");
    let sql = "INSERT INTO certificate (authority, serial, subject, profile, not_before, not_after, issued, der, digest, state) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    // One row at a time: for a statement that can fail at a later row, SQLite copies every page before changing it.
    let mut statement = transaction.prepare_cached(sql).map_err(&wrong)?;
    let (mut subject, mut bound) = (String::new(), None);
    certificates.iter().try_for_each(|new| {
        values::write_subject(&new.der, &mut subject)?;
        let (digest, state) = values::seals(of, new, &subject);
        let mut add = || {
            // What the certificates of a batch have in common stays bound from one to the next: a twentieth of what a row takes.
            let common = (&*new.profile, new.not_before, new.not_after, new.issued);
            if bound != Some(common) {
                statement.raw_bind_parameter(1, of.0)?;
                statement.raw_bind_parameter(4, &*new.profile)?;
                statement.raw_bind_parameter(5, new.not_before.0)?;
                statement.raw_bind_parameter(6, new.not_after.0)?;
                statement.raw_bind_parameter(7, new.issued.0)?;
                bound = Some(common);
            }
            statement.raw_bind_parameter(2, new.serial.as_bytes())?;
            statement.raw_bind_parameter(3, &subject)?;
            statement.raw_bind_parameter(8, &new.der)?;
            statement.raw_bind_parameter(9, &digest)?;
            statement.raw_bind_parameter(10, &state)?;
            statement.raw_execute()
        };
        add().map_or_else(
            |error| Err(if is_taken(&error) { Error::SerialTaken(new.serial.clone()) } else { wrong(error) }),
            |_count| Ok(()),
        )
    })
}

//! A store in a SQLite file: the embedded default.
//!
//! Write-ahead log, foreign keys on, transactions that write begin with the lock they need and wait for it, each synced to the disk
//! before it counts. `schema` has the tables and their versions, `rows` what stands in them.

mod responses;
mod rows;
mod schema;
mod seen;
mod walk;

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params};
use tagwise_pkix::ext::CrlReason;

use self::seen::Seen;
use super::{
    AuthorityId, AuthorityRecord, CertificateRecord, CrlDraft, CrlRecord, Cursor, MakeCrl, NewCertificate,
    NewOcspResponse, OcspRecord, Revocation, Status, Store, Unanswered, Visit, values,
};
use crate::{Error, Serial};

/// How much of a file is kept in memory, in KiB.
const CACHE_KIB: i64 = 16 * 1024;

/// Octets of a page of a new file. Of certificates with RSA keys, pages of 4,096 are up to a third empty; in large stores, whose serial
/// numbers each lie on another page, larger ones than this take longer.
const PAGE: u32 = 8192;

/// Octets of the log, from which on it is brought into the file: as many as SQLite's thousand pages of 4,096 are.
const LOG: u32 = 4000 * 1024;

/// How much is synced to the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Synchronous {
    /// Each transaction: nothing is lost when the machine loses power.
    #[default]
    Full,
    /// Checkpoints alone: nothing is lost when the process ends in any way, and the last transactions may be when the machine does.
    /// Not for a CA.
    Normal,
}

/// How a SQLite file is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How long others may hold the file before it is an error.
    pub patience: Duration,
    /// How much is synced to the disk.
    pub synchronous: Synchronous,
}

impl SqliteOptions {
    /// A minute of patience; everything is synced.
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
}

impl SqliteStore {
    /// Opens a file, and brings its tables to the version that is known here.
    ///
    /// # Errors
    /// [`Error::NewerDatabase`], [`Error::ForeignDatabase`], [`Error::Locked`]; what SQLite says: the file is not there.
    pub fn open(path: &Path, options: &SqliteOptions) -> Result<Self, Error> {
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options)
    }

    /// The same; a file that is not there is made, for its owner alone.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn create(path: &Path, options: &SqliteOptions) -> Result<Self, Error> {
        let mut file = std::fs::OpenOptions::new();
        file.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
        // What SQLite puts beside it has the same permissions.
        file.open(path).map_err(|source| Error::Store { doing: "making the file", source: source.into() })?;
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options)
    }

    /// A store in memory, which is gone with this value.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn in_memory() -> Result<Self, Error> {
        let connection = Connection::open_in_memory().map_err(failed("opening"))?;
        Self::ready(connection, &SqliteOptions::DEFAULT)
    }

    fn connect(path: &Path, flags: OpenFlags, options: &SqliteOptions) -> Result<Self, Error> {
        // Each has its own thread; a path that looks like a URI is a path.
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed("opening"))?;
        Self::ready(connection, options)
    }

    fn ready(connection: Connection, options: &SqliteOptions) -> Result<Self, Error> {
        let mut store = Self { connection, patience: options.patience, seen: None };
        // More than there are here: they are gone through in turn, and a smaller cache would drop each before it comes again.
        store.connection.set_prepared_statement_cache_capacity(64);
        store.connection.busy_timeout(Duration::from_millis(500)).map_err(failed("opening"))?;
        let synchronous = match options.synchronous {
            Synchronous::Full => "FULL",
            Synchronous::Normal => "NORMAL",
        };
        patiently(options.patience, "opening", || {
            let connection = &store.connection;
            // Before anything else, and of no effect where there are pages already.
            connection.pragma_update(None, "page_size", PAGE)?;
            let page: u32 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
            connection.pragma_update(None, "wal_autocheckpoint", LOG / page.max(512))?;
            connection.pragma_update(None, "trusted_schema", false)?;
            // Octets for pages, where the default is 2 MiB: those of some ten thousand certificates, which are read again when they
            // are revoked, answered for and listed on a CRL.
            connection.pragma_update(None, "cache_size", CACHE_KIB.saturating_neg())?;
            connection.pragma_update(None, "synchronous", synchronous)
        })?;
        // Looked at before anything is changed: it may be somebody else's. In one transaction, for others may be making it.
        let version = patiently(options.patience, "opening", || {
            let transaction = store.connection.unchecked_transaction()?;
            schema::version(&transaction)
        })??;
        let journal = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let mode =
            patiently(options.patience, "opening", || store.connection.query_row("PRAGMA journal_mode", [], journal))?;
        if mode != "wal" && mode != "memory" {
            let change = || store.connection.query_row("PRAGMA journal_mode = WAL", [], journal);
            patiently(options.patience, "opening", change)?;
        }
        // The library enforces foreign keys unless it is told not to, and a table that goes would delete what refers to it.
        let settings = |connection: &Connection, migrating: bool| {
            connection.pragma_update(None, "foreign_keys", !migrating)?;
            connection.pragma_update(None, "legacy_alter_table", migrating)
        };
        if version < schema::VERSION {
            settings(&store.connection, true).map_err(failed("opening"))?;
            store.write("bringing the tables up to date", schema::migrate)?;
        }
        settings(&store.connection, false).map_err(failed("opening"))?;
        Ok(store)
    }

    /// Runs a transaction that writes. It begins with the lock, so that nothing in it meets another writer.
    fn write<T>(
        &mut self,
        doing: &'static str,
        mut run: impl FnMut(&Transaction<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let start = Instant::now();
        self.seen = None;
        loop {
            let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = match begun {
                Ok(transaction) => transaction,
                Err(error) if is_busy(&error) && start.elapsed() < self.patience => continue,
                Err(error) => return Err(told(doing, self.patience, error)),
            };
            let value = run(&transaction)?;
            transaction.commit().map_err(failed(doing))?;
            return Ok(value);
        }
    }

    fn read<T>(&self, doing: &'static str, run: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let mut run = run;
        patiently(self.patience, doing, || run(&self.connection))
    }
}

/// Does something again while others hold the database.
fn patiently<T>(
    patience: Duration,
    doing: &'static str,
    mut run: impl FnMut() -> rusqlite::Result<T>,
) -> Result<T, Error> {
    let start = Instant::now();
    loop {
        match run() {
            // Some locks are refused at once.
            Err(error) if is_busy(&error) && start.elapsed() < patience => std::thread::sleep(Duration::from_millis(5)),
            done => return done.map_err(|error| told(doing, patience, error)),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn told(doing: &'static str, patience: Duration, error: rusqlite::Error) -> Error {
    if is_busy(&error) {
        return Error::Locked(patience.as_secs());
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::ForeignDatabase("it is no SQLite file".to_owned()),
        _ => Error::Store { doing, source: error.into() },
    }
}

pub(super) fn failed(doing: &'static str) -> impl Fn(rusqlite::Error) -> Error {
    move |error| told(doing, Duration::ZERO, error)
}

/// Whether a row could not be added because there is one with the same key.
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
    fn add_authority(
        &mut self,
        authority: &AuthorityRecord,
        own: Option<&NewCertificate>,
    ) -> Result<AuthorityId, Error> {
        const DOING: &str = "adding a CA";
        self.write(DOING, |transaction| {
            let (form, key) = values::key_columns(&authority.key);
            let number = values::count(authority.crl_number)?;
            let urls = &authority.urls;
            let added = transaction.execute(
                "INSERT INTO authority (label, certificate, key_form, private_key, crl_number, ocsp_url, crl_url, issuer_url, \
                 created) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![
                    authority.label,
                    authority.certificate,
                    form,
                    key,
                    number,
                    urls.ocsp,
                    urls.crl,
                    urls.issuer,
                    authority.created
                ],
            );
            added.map_err(|error| match is_taken(&error) {
                true => Error::AuthorityExists(authority.label.clone()),
                false => failed(DOING)(error),
            })?;
            let id = AuthorityId(transaction.last_insert_rowid());
            own.map_or(Ok(()), |own| insert(transaction, id, std::slice::from_ref(own)))?;
            Ok(id)
        })
    }

    fn authority(&mut self, label: &str) -> Result<Option<(AuthorityId, AuthorityRecord)>, Error> {
        let found = self.read("reading the CA", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, label, certificate, key_form, private_key, \
                 max(crl_number, (SELECT coalesce(max(number), 0) FROM crl WHERE authority = id)), ocsp_url, crl_url, issuer_url, \
                 created FROM authority WHERE label = ?1",
            )?;
            statement.query_row([label], |row| Ok(rows::authority(row))).optional()
        })?;
        found.transpose()
    }

    fn add_certificates(&mut self, of: AuthorityId, certificates: &[NewCertificate]) -> Result<(), Error> {
        self.write("storing certificates", |transaction| insert(transaction, of, certificates))
    }

    fn certificate(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<CertificateRecord>, Error> {
        let found = self.read("reading a certificate", |connection| {
            let mut statement =
                connection.prepare_cached(&format!("{CERTIFICATE} c.authority = ?1 AND c.serial = ?2"))?;
            statement.query_row(params![of.0, serial.as_bytes()], |row| Ok(rows::certificate(row))).optional()
        })?;
        found.transpose()
    }

    fn certificates(
        &mut self,
        of: AuthorityId,
        visit: &mut dyn FnMut(CertificateRecord) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // In batches: a long walk keeps the log from being cut.
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

    fn certificate_octets(&mut self, of: AuthorityId, behind: Cursor, visit: &mut Visit<'_>) -> Result<Cursor, Error> {
        walk::certificates(self, of, behind, visit)
    }

    fn revoke_all(&mut self, of: AuthorityId, revocations: &[(Serial, Revocation)]) -> Result<(), Error> {
        self.write("revoking a certificate", |transaction| {
            revocations.iter().try_for_each(|(serial, revocation)| revoke(transaction, of, serial, revocation))
        })
    }

    fn release(&mut self, of: AuthorityId, serial: &Serial, at: i64) -> Result<(), Error> {
        const DOING: &str = "taking a certificate off hold";
        self.write(DOING, |transaction| {
            let (certificate, before) = found(transaction, DOING, of, serial)?;
            if before.is_none_or(|before| before.reason != CrlReason::CertificateHold) {
                return Err(Error::NotOnHold(serial.clone()));
            }
            lift(transaction, certificate, at).map_err(failed(DOING))?;
            changed(transaction, of, certificate)
        })
    }

    fn add_crl(&mut self, of: AuthorityId, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error> {
        const DOING: &str = "storing a CRL";
        self.write(DOING, |transaction| {
            let wrong = failed(DOING);
            let (last, before) = last_crl(transaction, of).map_err(&wrong)?;
            let number = last.checked_add(1).ok_or_else(|| Error::inconsistent("the numbers of CRLs are used up"))?;
            let revoked = revoked(transaction, of, before.unwrap_or(i64::MIN))?;
            let draft = CrlDraft { number: values::number(number)?, revoked };
            let made = make(&draft)?;
            let store = || {
                let mut insert = transaction.prepare_cached(
                    "INSERT INTO crl (authority, number, this_update, next_update, der) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?;
                insert.execute(params![of.0, number, made.this_update, made.next_update, made.der])
            };
            store().map_err(&wrong)?;
            let (this_update, next_update) = (made.this_update, made.next_update);
            Ok(CrlRecord { number: draft.number, this_update, next_update, der: made.der })
        })
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

    fn status(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<Status>, Error> {
        let found = self.read("reading a status", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT c.serial, c.id, c.revision, r.revoked, r.reason, r.invalid_since FROM certificate c \
                 LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
                 WHERE c.authority = ?1 AND c.serial = ?2",
            )?;
            statement.query_row(params![of.0, serial.as_bytes()], |row| Ok(rows::status(row))).optional()
        })?;
        found.transpose()
    }

    fn ocsp_response(
        &mut self,
        of: AuthorityId,
        serial: &Serial,
        digest: &str,
        after: i64,
    ) -> Result<Option<OcspRecord>, Error> {
        let range = responses::digest(digest).and_then(|digest| responses::range(of, digest));
        let Some((start, _)) = range else { return Ok(None) };
        self.read("reading an OCSP response", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT o.this_update, o.next_update, o.der FROM certificate c \
                 JOIN ocsp_response o ON o.id = ?3 + c.id \
                 WHERE c.authority = ?1 AND c.serial = ?2 AND o.next_update > ?4",
            )?;
            let wanted = params![of.0, serial.as_bytes(), start, after];
            let record = |row: &rusqlite::Row<'_>| {
                Ok(OcspRecord { this_update: row.get(0)?, next_update: row.get(1)?, der: row.get(2)? })
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
        after: i64,
        behind: Cursor,
        visit: &mut Visit<'_>,
    ) -> Result<Cursor, Error> {
        let Some(digest) = responses::digest(digest) else { return Ok(behind) };
        walk::ocsp_responses(self, (of, digest, after), behind, visit)
    }

    fn unanswered(
        &mut self,
        of: AuthorityId,
        digest: &str,
        now: i64,
        good_after: i64,
        (behind, limit): (Cursor, u32),
    ) -> Result<Unanswered, Error> {
        // A digest that is not known has no responses: no row has the number NULL.
        let start = responses::digest(digest).and_then(|digest| responses::range(of, digest)).map(|(start, _)| start);
        let (version, found) = self.read("reading certificates", |connection| {
            let version = seen::version(connection)?;
            let mut statement = connection.prepare_cached(
                "SELECT c.serial, c.id, c.revision, r.revoked, r.reason, r.invalid_since FROM certificate c \
                 LEFT JOIN revocation r ON r.certificate = c.id AND r.lifted IS NULL \
                 WHERE +c.authority = ?1 AND c.id > ?2 AND c.not_after >= ?3 AND c.profile <> 'root' AND NOT EXISTS \
                 (SELECT 1 FROM ocsp_response o WHERE o.id = ?4 + c.id AND o.next_update > ?5) \
                 ORDER BY c.id LIMIT ?6",
            )?;
            let wanted = params![of.0, behind.0, now, start, good_after, limit];
            let found = statement.query_map(wanted, |row| Ok(rows::status(row)))?;
            Ok((version, found.collect::<rusqlite::Result<Vec<_>>>()?))
        })?;
        let list = found.into_iter().collect::<Result<Vec<_>, Error>>()?;
        self.seen = Some(Seen::new(of, version, &list));
        Ok(Unanswered::page(list, limit))
    }
}

fn insert(transaction: &Transaction<'_>, of: AuthorityId, certificates: &[NewCertificate]) -> Result<(), Error> {
    let wrong = failed("storing certificates");
    let sql = "INSERT INTO certificate (authority, serial, subject, profile, not_before, not_after, issued, der) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    // A row at a time: of a statement that can fail at a later row, SQLite copies every page before it changes it.
    let mut statement = transaction.prepare_cached(sql).map_err(&wrong)?;
    let (mut subject, mut bound) = (String::new(), None);
    certificates.iter().try_for_each(|new| {
        values::write_subject(&new.der, &mut subject)?;
        let mut add = || {
            // What the certificates of a batch have in common stays bound from one to the next: a twentieth of what a row takes.
            let common = (new.profile, new.not_before, new.not_after, new.issued);
            if bound != Some(common) {
                statement.raw_bind_parameter(1, of.0)?;
                statement.raw_bind_parameter(4, new.profile)?;
                statement.raw_bind_parameter(5, new.not_before)?;
                statement.raw_bind_parameter(6, new.not_after)?;
                statement.raw_bind_parameter(7, new.issued)?;
                bound = Some(common);
            }
            statement.raw_bind_parameter(2, new.serial.as_bytes())?;
            statement.raw_bind_parameter(3, &subject)?;
            statement.raw_bind_parameter(8, &new.der)?;
            statement.raw_execute()
        };
        add().map_or_else(
            |error| Err(if is_taken(&error) { Error::SerialTaken(new.serial.clone()) } else { wrong(error) }),
            |_count| Ok(()),
        )
    })
}

fn revoke(
    transaction: &Transaction<'_>,
    of: AuthorityId,
    serial: &Serial,
    revocation: &Revocation,
) -> Result<(), Error> {
    const DOING: &str = "revoking a certificate";
    let (certificate, before) = found(transaction, DOING, of, serial)?;
    let at = values::revoked_since(serial, before.as_ref(), revocation)?;
    if before.is_some() {
        lift(transaction, certificate, revocation.at).map_err(failed(DOING))?;
    }
    let add = || {
        let mut statement = transaction.prepare_cached(
            "INSERT INTO revocation (certificate, revoked, reason, invalid_since) VALUES (?1, ?2, ?3, ?4)",
        )?;
        statement.execute(params![certificate, at, revocation.reason as u8, revocation.invalid_since])
    };
    add().map_err(failed(DOING))?;
    changed(transaction, of, certificate)
}

/// A certificate's number in the store, and whether it is revoked.
fn found(
    transaction: &Transaction<'_>,
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

fn lift(transaction: &Transaction<'_>, certificate: i64, at: i64) -> rusqlite::Result<()> {
    let update = "UPDATE revocation SET lifted = ?2 WHERE certificate = ?1 AND lifted IS NULL";
    transaction.execute(update, [certificate, at]).map(drop)
}

/// The status of a certificate is another one: responses about it are no longer true.
fn changed(transaction: &Transaction<'_>, of: AuthorityId, certificate: i64) -> Result<(), Error> {
    let count = || {
        let sql = "UPDATE certificate SET revision = revision + 1 WHERE id = ?1";
        transaction.prepare_cached(sql)?.execute([certificate])
    };
    count().map_err(failed("counting changes of a status"))?;
    responses::forget(transaction, of, certificate)
}

/// The number of the last CRL, which may be one of before the CA came here, and when the last one here was made.
fn last_crl(transaction: &Transaction<'_>, of: AuthorityId) -> rusqlite::Result<(i64, Option<i64>)> {
    let sql = "SELECT crl_number FROM authority WHERE id = ?1";
    let before: i64 = transaction.prepare_cached(sql)?.query_row([of.0], |row| row.get(0))?;
    let sql = "SELECT number, this_update FROM crl WHERE authority = ?1 ORDER BY number DESC LIMIT 1";
    let here = transaction.prepare_cached(sql)?.query_row([of.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    Ok(here.map_or((before, None), |(number, made): (i64, i64)| (number.max(before), Some(made))))
}

/// What the next CRL lists: what is revoked, but for certificates that had expired when the last one was made and were on it.
fn revoked(transaction: &Transaction<'_>, of: AuthorityId, before: i64) -> Result<Vec<(Serial, Revocation)>, Error> {
    const DOING: &str = "reading revocations";
    let mut statement = transaction
        .prepare_cached(
            "SELECT c.serial, r.revoked, r.reason, r.invalid_since FROM revocation r \
             JOIN certificate c ON c.id = r.certificate \
             WHERE r.lifted IS NULL AND +c.authority = ?1 AND (c.not_after >= ?2 OR r.revoked >= ?2) ORDER BY r.id",
        )
        .map_err(failed(DOING))?;
    let mut rows = statement.query([of.0, before]).map_err(failed(DOING))?;
    let mut list = Vec::new();
    while let Some(row) = rows.next().map_err(failed(DOING))? {
        let serial = || row.get_ref(0)?.as_blob().map(Serial::from_content).map_err(rusqlite::Error::from);
        if let Some(revocation) = rows::revocation(row, 1)? {
            list.push((serial().map_err(failed(DOING))?, revocation));
        }
    }
    Ok(list)
}

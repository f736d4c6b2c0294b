//! Opens files for writing, which upgrades their tables, or for reading, which does not change them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tagwise_crypto::Secret;

use super::batch::Batch;
use super::{
    CACHE_KIB, Full, LOG, LOG_KEPT, PAGE, SqliteOptions, SqliteStore, Synchronous, failed, migrate, patiently, schema,
};
use crate::Error;
use crate::store::values;

const OPENING: &str = "opening";

impl SqliteStore {
    /// Opens a file, and upgrades its tables.
    ///
    /// # Errors
    /// Returns [`Error::NewerDatabase`] if the tables are from a newer version, [`Error::ForeignDatabase`] if the file is not a
    /// CA database, such as an empty file, or [`Error::Locked`] if waiting for a lock timed out. Otherwise returns the error from SQLite,
    /// for example if the file is missing.
    pub fn open(path: &Path, options: &SqliteOptions) -> Result<Self, Error> {
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options)?;
        match store.version()? {
            0 => Err(empty()),
            _ => store.ready(options),
        }
    }

    /// Opens a file like [`open`](Self::open), but creates it if it is missing, accessible only by its owner.
    ///
    /// # Errors
    /// Returns any error from [`open`](Self::open).
    pub fn create(path: &Path, options: &SqliteOptions) -> Result<Self, Error> {
        let mut file = std::fs::OpenOptions::new();
        file.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
        // SQLite's additional files have the same permissions.
        file.open(path).map_err(|source| Error::Store { doing: "creating the file", source: source.into() })?;
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options)?.ready(options)
    }

    /// Opens a store in memory, which is lost when this value is dropped.
    ///
    /// # Errors
    /// Returns any error from SQLite.
    pub fn in_memory() -> Result<Self, Error> {
        let connection = Connection::open_in_memory().map_err(failed(OPENING))?;
        Self::set_up(connection, &SqliteOptions::DEFAULT)?.ready(&SqliteOptions::DEFAULT)
    }

    /// Opens a file for reading without changing it. The file may be read-only or on a full disk, and its tables may be
    /// from an older version. Writing fails.
    ///
    /// # Errors
    /// Returns [`Error::NewerDatabase`] if the tables are from a newer version, [`Error::ForeignDatabase`] if the file is not a
    /// CA database, or [`Error::Locked`] if waiting for a lock timed out. Otherwise returns the error from SQLite, for example if the
    /// file is missing or its log cannot be read in place.
    pub fn open_to_read(path: &Path, options: &SqliteOptions) -> Result<Self, Error> {
        match Self::read_by(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options) {
            // If no file can be created beside the database, other writers cannot be locked out. But if there is no log, either no other
            // process uses the database or none has written to it, and the file itself is complete.
            Err(Error::Store { source, .. }) if !has_log(path) && is_barred(&*source) => {
                let uri = immutable(path)?;
                Self::read_by(&uri, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI, options)
            }
            Err(Error::Store { doing, source }) if has_log(path) && is_barred(&*source) => {
                let text = "its write-ahead log (-wal) has changes that are not yet in the file, and reading it requires creating another file";
                Err(Error::Store { doing, source: format!("{source}: {text}").into() })
            }
            done => done,
        }
    }

    /// Serializes an in-memory store to the contents of a database file, including the CA's key.
    ///
    /// # Errors
    /// Returns any error from SQLite.
    pub fn to_octets(&self) -> Result<Secret, Error> {
        let data = self.connection.serialize(rusqlite::MAIN_DB).map_err(failed("writing"))?;
        Ok(Secret::from(data.to_vec()))
    }

    /// Closes the file. Its log is merged into the database unless another process uses it.
    ///
    /// # Errors
    /// Returns any error from SQLite.
    pub fn close(self) -> Result<(), Error> {
        self.connection.close().map_err(|(_connection, error)| failed("closing")(error))
    }

    fn read_by(path: &Path, flags: OpenFlags, options: &SqliteOptions) -> Result<Self, Error> {
        let store = Self::connect(path, flags, options)?;
        store.connection.pragma_update(None, "query_only", true).map_err(failed(OPENING))?;
        match store.version()? {
            0 => Err(empty()),
            version => Ok(Self { version, ..store }),
        }
    }

    fn connect(path: &Path, flags: OpenFlags, options: &SqliteOptions) -> Result<Self, Error> {
        // Each connection is used by one thread. URI processing is off, so a path that looks like a URI is a path.
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed(OPENING))?;
        Self::set_up(connection, options)
    }

    /// Applies settings that do not change the file.
    fn set_up(connection: Connection, options: &SqliteOptions) -> Result<Self, Error> {
        let store = Self {
            connection,
            patience: options.patience,
            seen: None,
            version: schema::VERSION,
            group: None,
            batch: Batch::Each,
        };
        // More than the number of statements here. They are used in turn, so a smaller cache would evict each before its next use.
        store.connection.set_prepared_statement_cache_capacity(64);
        store.connection.busy_timeout(Duration::from_millis(500)).map_err(failed(OPENING))?;
        let settings = || {
            store.connection.pragma_update(None, "trusted_schema", false)?;
            // The page cache, 2 MiB by default, should hold the pages of some ten thousand certificates, which are read again when they are
            // revoked, queried by OCSP or listed on a CRL.
            store.connection.pragma_update(None, "cache_size", CACHE_KIB.saturating_neg())
        };
        settings().map_err(failed(OPENING))?;
        Ok(store)
    }

    /// Returns the version of the tables. Reads it in one transaction, because another process may be creating the tables.
    fn version(&self) -> Result<i64, Error> {
        patiently(self.patience, OPENING, || {
            let transaction = self.connection.unchecked_transaction()?;
            schema::version(&transaction)
        })?
    }

    /// Prepares a connection for writing, and upgrades the tables.
    fn ready(mut self, options: &SqliteOptions) -> Result<Self, Error> {
        let synchronous = match options.synchronous {
            Synchronous::Full => "FULL",
            Synchronous::Normal => "NORMAL",
        };
        patiently(options.patience, OPENING, || {
            let connection = &self.connection;
            // Must come first, and has no effect on a database that already has pages.
            connection.pragma_update(None, "page_size", PAGE)?;
            let page: u32 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
            connection.pragma_update(None, "wal_autocheckpoint", LOG / page.max(512))?;
            connection.pragma_update(None, "journal_size_limit", LOG_KEPT)?;
            connection.pragma_update(None, "synchronous", synchronous)
        })?;
        // Checked before anything is changed, because the file may belong to another program.
        let version = self.version()?;
        let journal = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let mode =
            patiently(options.patience, OPENING, || self.connection.query_row("PRAGMA journal_mode", [], journal))?;
        if mode != "wal" && mode != "memory" {
            let change = || self.connection.query_row("PRAGMA journal_mode = WAL", [], journal);
            patiently(options.patience, OPENING, change)?;
        }
        // The library enforces foreign keys by default, and dropping a table would delete the rows that refer to it.
        let settings = |connection: &Connection, migrating: bool| {
            connection.pragma_update(None, "foreign_keys", !migrating)?;
            connection.pragma_update(None, "legacy_alter_table", migrating)
        };
        if version < schema::VERSION {
            settings(&self.connection, true).map_err(failed(OPENING))?;
            self.write("updating the tables", migrate::migrate)?;
        }
        settings(&self.connection, false).map_err(failed(OPENING))?;
        Ok(self)
    }
}

/// Creates the error for a file without tables, to which only [`SqliteStore::create`] adds them.
fn empty() -> Error {
    Error::ForeignDatabase("it is empty".to_owned())
}

/// Returns whether a file cannot be opened for shared reading, because SQLite cannot create its auxiliary files beside it.
fn is_barred(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    if error.is::<Full>() {
        return true;
    }
    let code = error.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code);
    matches!(
        code,
        Some(
            ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::PermissionDenied
        )
    )
}

/// Returns whether a file has a write-ahead log with changes that are not yet in the database.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

/// Returns the URI for opening a file as unchanging (SQLite's `immutable`).
fn immutable(path: &Path) -> Result<PathBuf, Error> {
    let path = std::path::absolute(path).map_err(values::failed(OPENING))?;
    let text = path.to_str().ok_or_else(|| Error::inconsistent("the file name is not UTF-8"))?;
    let plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-._~/".contains(&octet);
    let escaped = text.bytes().fold(String::from("file:"), |uri, octet| match octet {
        octet if plain(octet) => uri + char::from(octet).encode_utf8(&mut [0; 4]),
        octet => uri + &format!("%{octet:02X}"),
    });
    Ok(PathBuf::from(escaped + "?immutable=1"))
}

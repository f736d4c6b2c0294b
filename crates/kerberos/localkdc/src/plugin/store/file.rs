//! Functions that open, create, load and destroy the file.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tagwise_krb5_plugin::kdb::Settings;
use tagwise_krb5_plugin::view::Context;
use tagwise_krb5_plugin::{Error, Result, codes};

use super::error::{Doing, failed, file};
use super::{Keep, PATIENCE, Store};

/// The SQLite application identifier of the file: `TWKD`.
const APPLICATION: i64 = 0x5457_4b44;
/// The version of the table layout.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE principal (name BLOB NOT NULL PRIMARY KEY, entry BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE policy (name BLOB NOT NULL PRIMARY KEY, policy BLOB NOT NULL) STRICT, WITHOUT ROWID;
";

/// The configuration relation that names the file.
pub(crate) const DATABASE_NAME: &str = "database_name";
/// The argument with which `kdb5_util load` requests a temporary database alongside the live one.
const TEMPORARY: &std::ffi::CStr = c"temporary";

/// A file's device and inode numbers, which reveal whether it has been replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

impl Identity {
    pub(super) fn of(path: &Path) -> Result<Self> {
        let data = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let text = format!("{}: no such database; `kdb5_util create` creates one", path.display());
                Error::new(nix::libc::ENOENT, text)
            }
            _ => file(path, &error),
        })?;
        Ok(Self(data.dev(), data.ino()))
    }
}

/// Returns a path with an ending appended.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file(path, &error)),
        _ => Ok(()),
    }
}

/// Removes a database. Its log is removed first, because it must never be applied to another database.
fn remove_database(path: &Path) -> Result<()> {
    ["-journal", "-wal", "-shm", ""].into_iter().try_for_each(|ending| remove(&beside(path, ending)))
}

/// Creates a database with empty tables, atomically.
fn make(path: &Path) -> Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(file(path, &io::Error::from_raw_os_error(nix::libc::EEXIST)));
    }
    let new = beside(path, ".new");
    remove_database(&new)?;
    let mut options = fs::OpenOptions::new();
    // SQLite's additional files have the same permissions.
    options.write(true).create_new(true).mode(0o600).open(&new).map_err(|error| file(&new, &error))?;
    let made = || {
        let connection = Connection::open_with_flags(&new, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.execute_batch(&format!(
            "BEGIN; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
        ))?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.close().map_err(|(_, error)| error)
    };
    made().map_err(|error| failed(&new, Doing::Creating, &error))?;
    // Not over one that somebody else makes at this moment.
    let placed = fs::hard_link(&new, path).and_then(|()| match path.parent() {
        Some(folder) => fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    });
    remove_database(&new)?;
    placed.map_err(|error| file(path, &error))
}

impl Store {
    fn new(path: PathBuf, keep: Keep) -> Self {
        Self { path, live: None, keep, kept: std::cell::RefCell::default() }
    }

    /// Returns the configured file or, for a load, the temporary file next to it together with the live file.
    fn named(context: &Context<'_>, settings: &Settings<'_>) -> Result<(PathBuf, Option<PathBuf>)> {
        let path = PathBuf::from(settings.required(context, DATABASE_NAME)?);
        if let Some(other) = settings.db_args().iter().find(|argument| **argument != TEMPORARY) {
            let message = format!("{other:?}: the only argument of the database is `temporary`");
            return Err(Error::new(nix::libc::EINVAL, message));
        }
        Ok(match settings.db_args().is_empty() {
            true => (path, None),
            false => (beside(&path, ".loading"), Some(path)),
        })
    }

    /// Opens a database.
    pub(crate) fn open(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        let (path, live) = Self::named(context, settings)?;
        let store = Self { live, ..Self::new(path, settings.server().into()) };
        // What is wrong is said before a server starts.
        Identity::of(&store.path)?;
        drop(store.connect(Doing::Reading)?);
        Ok(store)
    }

    /// Creates and opens a database. A temporary database replaces any leftovers of an earlier load.
    pub(crate) fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        let (path, live) = Self::named(context, settings)?;
        if live.is_some() {
            remove_database(&path)?;
        }
        make(&path)?;
        Ok(Self { live, ..Self::new(path, Keep::Always) })
    }

    /// Removes a database.
    pub(crate) fn destroy(context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        let (path, _) = Self::named(context, settings)?;
        Identity::of(&path)?;
        remove_database(&path)
    }

    /// Replaces the live database's content with that of a temporary database, in a single transaction. Servers see either the
    /// old or the new content, and continue to use the same file.
    pub(crate) fn promote(&self) -> Result<()> {
        let Some(live) = &self.live else {
            return Err(Error::new(codes::KRB5_KDB_INTERNAL_ERROR, "the database is already the live one"));
        };
        self.kept.take();
        if !live.exists() {
            make(live)?;
        }
        let target = Self::new(live.clone(), Keep::Never);
        let connection = target.connect(Doing::Writing)?;
        let said = |error: rusqlite::Error| failed(live, Doing::Writing, &error);
        let loaded = self.path.to_str().ok_or_else(|| Error::new(nix::libc::EINVAL, "the path must be UTF-8"))?;
        connection.execute("ATTACH DATABASE ?1 AS loaded", [loaded]).map_err(said)?;
        let copy = "BEGIN IMMEDIATE;
            DELETE FROM main.principal; INSERT INTO main.principal SELECT name, entry FROM loaded.principal;
            DELETE FROM main.policy; INSERT INTO main.policy SELECT name, policy FROM loaded.policy;
            COMMIT;";
        // Without the commit, everything is rolled back.
        connection.execute_batch(copy).map_err(said)?;
        drop(connection);
        remove_database(&self.path)
    }

    /// Opens a connection.
    pub(super) fn connect(&self, doing: Doing) -> Result<Connection> {
        let path = self.path.as_path();
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match self.prepared(path, flags) {
            // Where nothing can be put beside the file nobody writes, and without a log all is in the file itself.
            Err(error) if doing == Doing::Reading && is_barred(&error) && !has_log(path) => {
                let flags =
                    OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
                self.prepared(&immutable(path)?, flags)
            }
            done => done,
        }
        .map_err(|error| failed(path, doing, &error))
        .and_then(|connection| self.known(connection))
    }

    /// Opens a connection and reads the file once.
    fn prepared(&self, path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        // A database being loaded takes effect when it is promoted, and promotion writes all of it to disk.
        let synchronous = if self.live.is_some() { "OFF" } else { "FULL" };
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update(None, "secure_delete", true)?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    }

    /// Checks that the file belongs to this program and has a supported version.
    fn known(&self, connection: Connection) -> Result<Connection> {
        let number = |name: &str| {
            let read = connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
            read.map_err(|error| failed(&self.path, Doing::Reading, &error))
        };
        let (application, version) = (number("application_id")?, number("user_version")?);
        let say = |text: String| Error::new(codes::KRB5_KDB_DB_CORRUPT, format!("{}: {text}", self.path.display()));
        match (application, version) {
            (APPLICATION, VERSION) => Ok(connection),
            (APPLICATION, version) => {
                Err(say(format!("database version {version} is not supported: expected {VERSION}")))
            }
            _ => Err(say("not a principal database".to_owned())),
        }
    }
}

/// Returns whether an error means that SQLite cannot create its files next to the database.
fn is_barred(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::PermissionDenied
        )
    )
}

/// Returns whether a log with changes that are not yet in the database file exists.
fn has_log(path: &Path) -> bool {
    fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

/// Returns the URI of a file that does not change (SQLite's `immutable`).
fn immutable(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path).map_err(|error| file(path, &error))?;
    let text = path.to_str().ok_or_else(|| Error::new(nix::libc::EINVAL, "the path must be UTF-8"))?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escaped = text.bytes().fold(String::from("file:"), |uri, byte| match byte {
        byte if plain(byte) => uri + char::from(byte).encode_utf8(&mut [0; 4]),
        byte => uri + &format!("%{byte:02X}"),
    });
    Ok(PathBuf::from(escaped + "?immutable=1"))
}

//! The database tables. Triggers protect sizes, roots and entries against invalid changes.

use rusqlite::Connection;

use crate::error::{Error, failed};

/// The application identifier in the file: `TWML`.
const APPLICATION: i64 = 0x5457_4D4C;
/// The current schema version.
const VERSION: i64 = 2;

const TABLES: &str = "
CREATE TABLE identity (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    kind TEXT NOT NULL CHECK (kind IN ('log', 'mirror', 'witness')),
    name TEXT NOT NULL,
    ca BLOB,
    number INTEGER,
    draft TEXT,
    created INTEGER NOT NULL
) STRICT;
CREATE TABLE tree (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL CHECK (size >= 0),
    root BLOB NOT NULL CHECK (length(root) = 32)
) STRICT;
CREATE TRIGGER tree_grows BEFORE UPDATE ON tree
WHEN NEW.size < OLD.size OR (NEW.size = OLD.size AND NEW.root <> OLD.root)
BEGIN SELECT RAISE (ABORT, 'a tree only grows'); END;
CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    entry BLOB NOT NULL,
    key BLOB
) STRICT;
CREATE TRIGGER entries_stay BEFORE UPDATE OF id, entry ON entry
BEGIN SELECT RAISE (ABORT, 'entries do not change'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entry
BEGIN SELECT RAISE (ABORT, 'entries are not deleted'); END;
CREATE TABLE tile (
    -- The level in the upper 16 bits, the index in the lower 48.
    id INTEGER PRIMARY KEY,
    hashes BLOB NOT NULL
) STRICT;
-- A size has one root, whoever signed it when.
CREATE TABLE checkpoint (
    origin TEXT NOT NULL,
    size INTEGER NOT NULL,
    root BLOB NOT NULL CHECK (length(root) = 32),
    time INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (origin, size)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER checkpoints_grow BEFORE INSERT ON checkpoint
WHEN NEW.size < (SELECT max(size) FROM checkpoint WHERE origin = NEW.origin)
BEGIN SELECT RAISE (ABORT, 'checkpoints only grow'); END;
CREATE TRIGGER roots_stay BEFORE UPDATE ON checkpoint
WHEN NEW.root <> OLD.root OR NEW.size <> OLD.size OR NEW.origin <> OLD.origin
BEGIN SELECT RAISE (ABORT, 'a size has one root'); END;
CREATE TRIGGER checkpoints_remain BEFORE DELETE ON checkpoint
BEGIN SELECT RAISE (ABORT, 'checkpoints are not deleted'); END;
CREATE TABLE pending (
    origin TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    root BLOB NOT NULL CHECK (length(root) = 32),
    note TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE signature (
    first INTEGER NOT NULL,
    beyond INTEGER NOT NULL,
    cosigner BLOB NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY (first, beyond, cosigner)
) STRICT, WITHOUT ROWID;
CREATE TABLE landmark (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    size INTEGER NOT NULL UNIQUE,
    expiry INTEGER NOT NULL,
    allocated INTEGER NOT NULL
) STRICT;
CREATE TRIGGER landmarks_grow BEFORE INSERT ON landmark
WHEN NEW.number <> coalesce((SELECT max(number) FROM landmark), 0) + 1
    OR NEW.size <= coalesce((SELECT max(size) FROM landmark), 0)
    OR NEW.expiry < coalesce((SELECT max(expiry) FROM landmark), 0)
BEGIN SELECT RAISE (ABORT, 'landmarks only grow'); END;
";

/// The tables of version 2: the objects of another store for which entries stand.
const SOURCES: &str = "
CREATE TABLE source (
    entry INTEGER PRIMARY KEY,
    source BLOB NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER sources_stay BEFORE UPDATE ON source
BEGIN SELECT RAISE (ABORT, 'sources do not change'); END;
CREATE TRIGGER sources_remain BEFORE DELETE ON source
BEGIN SELECT RAISE (ABORT, 'sources are not deleted'); END;
";

fn pragma(connection: &Connection, name: &str) -> Result<i64, Error> {
    connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).map_err(failed("reading the database"))
}

/// Rejects a file that is not a database of this crate, or was created by a newer version.
pub(super) fn check(connection: &Connection) -> Result<(), Error> {
    let (application, version) = (pragma(connection, "application_id")?, pragma(connection, "user_version")?);
    match (application, version) {
        (APPLICATION, 1..=VERSION) => Ok(()),
        (APPLICATION, version) if version > VERSION => Err(Error::Newer(version)),
        (0, 0) => {
            let count = "SELECT count(*) FROM sqlite_schema";
            let tables: i64 =
                connection.query_row(count, [], |row| row.get(0)).map_err(failed("reading the database"))?;
            if tables == 0 { Ok(()) } else { Err(Error::Foreign("it has unexpected tables".to_owned())) }
        }
        _ => Err(Error::Foreign("it belongs to another application".to_owned())),
    }
}

/// Creates missing tables atomically.
pub(super) fn migrate(connection: &Connection) -> Result<(), Error> {
    if pragma(connection, "user_version")? == VERSION {
        return Ok(());
    }
    let make = || {
        let transaction = rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
        }
        if version < VERSION {
            transaction.execute_batch(SOURCES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()
    };
    make().map_err(failed("creating the tables"))
}

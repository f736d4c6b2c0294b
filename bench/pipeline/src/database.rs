//! The floor of the database: the same octets and the keys that find them, in the same transactions under the same pragmas, by
//! prepared statements of the same library, in a file of its own beside the store's.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior, params};

use crate::Failure;
use crate::measure::{Clocks, Took};

/// The database of the floors.
pub(crate) struct Floor {
    connection: Connection,
    path: PathBuf,
    /// The store's file, to cut its log.
    store: Connection,
}

/// As the store's tables, but for all that is not the octets or how they are found: no foreign keys, no names, no times.
const TABLES: &str = "
CREATE TABLE certificate (id INTEGER PRIMARY KEY, authority INTEGER NOT NULL, serial BLOB NOT NULL, der BLOB NOT NULL,
    UNIQUE (authority, serial)) STRICT;
CREATE TABLE crl (id INTEGER PRIMARY KEY, der BLOB NOT NULL) STRICT;
CREATE TABLE ocsp_response (certificate INTEGER PRIMARY KEY, der BLOB NOT NULL) STRICT;
";

impl Floor {
    /// Beside a store's file, from nothing.
    pub(crate) fn beside(store: &Path) -> Result<Self, Failure> {
        let mut path = store.as_os_str().to_owned();
        path.push(".floor");
        let path = PathBuf::from(path);
        remove(&path);
        let connection = Connection::open(&path)?;
        // What the store sets.
        connection.pragma_update(None, "page_size", 8192)?;
        connection.pragma_update(None, "wal_autocheckpoint", 4000 / 8)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update(None, "cache_size", -16 * 1024)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.execute_batch(TABLES)?;
        let store = Connection::open(store)?;
        Ok(Self {
            connection,
            path,
            store,
        })
    }

    /// Brings the logs of both into their files, so that what is timed next pays for itself alone: which transaction it is that finds
    /// its log long enough is a matter of sizes and rounds.
    pub(crate) fn cut_logs(&self) -> Result<(), Failure> {
        for connection in [&self.store, &self.connection] {
            connection.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()))?;
        }
        Ok(())
    }

    /// Stores certificates; gives the number of the first.
    pub(crate) fn insert_certificates<'o>(
        &mut self,
        authority: i64,
        rows: impl Iterator<Item = (&'o [u8], &'o [u8])>,
    ) -> Result<(Took, i64), Failure> {
        let first = self.next("SELECT coalesce(max(id), 0) + 1 FROM certificate")?;
        let clocks = Clocks::start();
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut statement =
                transaction.prepare_cached("INSERT INTO certificate (authority, serial, der) VALUES (?1, ?2, ?3)")?;
            for (serial, der) in rows {
                statement.execute(params![authority, serial, der])?;
            }
        }
        transaction.commit()?;
        Ok((clocks.took(), first))
    }

    /// Stores a CRL; what is before the statement is not timed, as in the store, where a CRL is made meanwhile.
    pub(crate) fn insert_crl(&mut self, der: &[u8]) -> Result<(Took, i64), Failure> {
        let number = self.next("SELECT coalesce(max(id), 0) + 1 FROM crl")?;
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let clocks = Clocks::start();
        transaction
            .prepare_cached("INSERT INTO crl (id, der) VALUES (?1, ?2)")?
            .execute(params![number, der])?;
        transaction.commit()?;
        Ok((clocks.took(), number))
    }

    /// Stores responses about certificates from this number on.
    pub(crate) fn insert_ocsp<'o>(
        &mut self,
        first: i64,
        rows: impl Iterator<Item = &'o [u8]>,
    ) -> Result<Took, Failure> {
        let clocks = Clocks::start();
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut statement =
                transaction.prepare_cached("INSERT INTO ocsp_response (certificate, der) VALUES (?1, ?2)")?;
            for (number, der) in (first..).zip(rows) {
                statement.execute(params![number, der])?;
            }
        }
        transaction.commit()?;
        Ok(clocks.took())
    }

    /// Reads certificates from this number on.
    pub(crate) fn read_certificates(&self, first: i64) -> Result<(Took, Vec<Vec<u8>>), Failure> {
        self.read("SELECT der FROM certificate WHERE id >= ?1 ORDER BY id", first)
    }

    /// Reads the CRL of a number.
    pub(crate) fn read_crl(&self, number: i64) -> Result<(Took, Vec<Vec<u8>>), Failure> {
        self.read("SELECT der FROM crl WHERE id = ?1", number)
    }

    /// Reads responses from this number on.
    pub(crate) fn read_ocsp(&self, first: i64) -> Result<(Took, Vec<Vec<u8>>), Failure> {
        self.read(
            "SELECT der FROM ocsp_response WHERE certificate >= ?1 ORDER BY certificate",
            first,
        )
    }

    fn read(&self, sql: &str, from: i64) -> Result<(Took, Vec<Vec<u8>>), Failure> {
        let clocks = Clocks::start();
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([from])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push(row.get_ref(0)?.as_blob()?.to_vec());
        }
        drop(rows);
        Ok((clocks.took(), list))
    }

    fn next(&self, sql: &str) -> Result<i64, Failure> {
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// A database and what is beside it, as far as it is there.
fn remove(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut path = path.as_os_str().to_owned();
        path.push(end);
        // What is not there need not go; what cannot go is told when the file is opened.
        let _ = std::fs::remove_file(path);
    }
}

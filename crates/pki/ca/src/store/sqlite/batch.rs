//! Several writes in one transaction.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use super::{SqliteOptions, SqliteStore, failed, patiently};
use crate::Error;
use crate::store::group::{CommitGroup, Turn};

const DOING: &str = "storing several changes";

/// The size of the write-ahead log that triggers a checkpoint in a group, in bytes. A checkpoint takes some milliseconds for syncs, during
/// which no connection of the group writes.
const LOG: u32 = super::LOG_KEPT;

/// The size of the page cache of each connection in a group, in KiB. SQLite empties it after each commit of another connection, so a
/// large one helps little. The memory is allocated by many threads, and glibc keeps much of what each has freed.
const CACHE_KIB: i64 = 2 * 1024;

/// The combination of writes into transactions.
#[derive(Debug, Default)]
pub(super) enum Batch {
    /// Each write is a transaction.
    #[default]
    Each,
    /// The next write begins a transaction.
    Pending,
    /// A transaction has begun, in the turn of a group.
    Open(Option<Turn>),
}

impl SqliteStore {
    /// Opens a file like [`open`](Self::open), as one of a group of connections. Commits are not durable until
    /// [`CommitGroup::settle`] returns.
    ///
    /// # Errors
    /// Returns any error from [`open`](Self::open).
    pub fn open_in(group: &Arc<CommitGroup>, path: &Path, options: &SqliteOptions) -> Result<Self, Error> {
        let mut store = Self::open(path, options)?;
        let set = |connection: &Connection| {
            let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
            // Without a write-ahead log, each transaction is synced by itself.
            if mode != "wal" {
                return Ok(false);
            }
            let page: u32 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
            connection.pragma_update(None, "wal_autocheckpoint", LOG / page.max(512))?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.pragma_update(None, "cache_size", CACHE_KIB.saturating_neg())?;
            Ok(true)
        };
        if set(&store.connection).map_err(failed("opening"))? {
            store.group = Some(Arc::clone(group));
        }
        Ok(store)
    }

    /// Begins the transaction of a batch.
    pub(super) fn open_batch(&mut self) -> Result<(), Error> {
        let turn = self.group.as_ref().map(CommitGroup::turn);
        patiently(self.patience, DOING, || self.perform("BEGIN IMMEDIATE"))?;
        self.batch = Batch::Open(turn);
        Ok(())
    }

    /// Runs one write of a batch. If it fails, it alone is undone.
    pub(super) fn step<T>(
        &mut self,
        doing: &'static str,
        run: &mut impl FnMut(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.check_batch()?;
        self.perform("SAVEPOINT step").map_err(failed(doing))?;
        let done = run(&self.connection);
        // SQLite has undone the whole transaction if, for example, the disk is full.
        if self.connection.is_autocommit() {
            return done;
        }
        let undone = if done.is_ok() { Ok(()) } else { self.perform("ROLLBACK TO step") };
        if let Err(error) = undone.and_then(|()| self.perform("RELEASE step")) {
            let _ = self.perform("ROLLBACK");
            return Err(failed(doing)(error));
        }
        done
    }

    /// Runs a statement about transactions, which is prepared once.
    fn perform(&self, sql: &str) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.execute([]).map(drop)
    }

    /// Empties the write-ahead log of a group if it is long. It waits at most half a second for readers, and does nothing if one of them still
    /// needs the log. The transactions in the log are durable, and a later attempt may succeed, so errors are ignored.
    pub(super) fn shorten_log(&self) {
        if self.group.as_ref().is_some_and(|group| group.has_long_log()) {
            let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
    }

    /// Checks that the transaction has not been undone.
    fn check_batch(&self) -> Result<(), Error> {
        match self.connection.is_autocommit() {
            true => Err(Error::Store { doing: DOING, source: "an earlier change failed".into() }),
            false => Ok(()),
        }
    }

    /// Commits the transaction of a batch, if one has begun.
    pub(super) fn commit_batch(&mut self) -> Result<(), Error> {
        let Batch::Open(turn) = std::mem::take(&mut self.batch) else { return Ok(()) };
        self.check_batch()?;
        let done = self.perform("COMMIT");
        match done {
            Ok(()) => self.shorten_log(),
            Err(_) => drop(self.perform("ROLLBACK")),
        }
        drop(turn);
        done.map_err(|error| Error::Unconfirmed { doing: DOING, source: error.into() })
    }

    /// Undoes the transaction of a batch, if one has begun.
    pub(super) fn undo_batch(&mut self) {
        if let Batch::Open(turn) = std::mem::take(&mut self.batch) {
            // Fails only if SQLite has done so already.
            let _ = self.perform("ROLLBACK");
            drop(turn);
        }
    }
}

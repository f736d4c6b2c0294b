//! Commits of several connections to one SQLite file that are synced to disk together.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::Error;

/// The size of the log, in bytes, at which it is emptied. SQLite begins anew at its start only at a moment without readers, which may never
/// occur under load. If a reader prevents that, it is tried again after the same growth.
const MOST: u64 = 64 * 1024 * 1024;

/// The connections of one process to a SQLite file, which write in turns and sync their commits together.
///
/// A commit is only appended to the file's write-ahead log. [`settle`](Self::settle) returns once all earlier commits are on disk.
/// One sync serves all waiting commits. [`Pool`](crate::serve::Pool) calls it before each answer, also after operations that only
/// read. So a power failure cannot undo the state behind an answer.
#[derive(Debug)]
pub struct CommitGroup {
    /// The write-ahead log.
    log: PathBuf,
    /// The size at which the log is emptied, in bytes.
    most: u64,
    state: Mutex<State>,
    /// Notified when a turn ends.
    free: Condvar,
    /// Notified when a sync ends.
    synced: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// True during a turn.
    is_writing: bool,
    /// The number of turns that ended, and how many of them had ended when the last successful sync began.
    written: u64,
    durable: u64,
    /// The number of syncs that began and that ended.
    begun: u64,
    ended: u64,
    /// True once the folder has been synced. It contains the log's own entry.
    has_folder: bool,
    /// The reason why a sync failed. The system may have dropped the unwritten data, so later syncs prove nothing.
    failure: Option<String>,
    /// The size of the log at which it is emptied, after a reader has prevented that.
    next: u64,
}

/// A connection's turn to write, which ends when it is dropped.
#[derive(Debug)]
pub(super) struct Turn(Arc<CommitGroup>);

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_writing = false;
        state.written = state.written.saturating_add(1);
        drop(state);
        self.0.free.notify_one();
    }
}

impl CommitGroup {
    /// Creates a group for the connections of this process to a file.
    #[must_use]
    pub fn new(file: &Path) -> Arc<Self> {
        Self::with_limit(file, MOST)
    }

    /// Creates a group whose log is emptied at another size.
    pub(super) fn with_limit(file: &Path, most: u64) -> Arc<Self> {
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        let (state, free, synced) = (Mutex::default(), Condvar::new(), Condvar::new());
        Arc::new(Self { log: log.into(), most, state, free, synced })
    }

    /// Returns whether the log should be emptied now. Call it during a turn.
    pub(super) fn has_long_log(&self) -> bool {
        let Ok(found) = std::fs::metadata(&self.log) else { return false };
        let mut state = self.lock();
        let is_long = found.len() >= state.next.max(self.most);
        if is_long || found.len() < self.most {
            state.next = if is_long { found.len().saturating_add(self.most) } else { 0 };
        }
        is_long
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn to write. Without it, connections would wait for each other's locks with SQLite's pauses.
    pub(super) fn turn(self: &Arc<Self>) -> Turn {
        let mut state = self.lock();
        while state.is_writing {
            state = self.free.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.is_writing = true;
        Turn(Arc::clone(self))
    }

    /// Returns once everything that was committed before the call is on disk.
    ///
    /// # Errors
    /// [`Error::Unconfirmed`] if this or an earlier sync failed.
    pub fn settle(&self) -> Result<(), Error> {
        let mut state = self.lock();
        // A turn that has not ended may have committed already, and the caller may have read that.
        if !state.is_writing && state.durable == state.written && state.failure.is_none() {
            return Ok(());
        }
        // A sync that has begun may have missed the last commits, so wait for one that begins from now on.
        let wanted = state.begun.saturating_add(1);
        while state.ended < wanted && state.failure.is_none() {
            if state.begun > state.ended {
                state = self.synced.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.begun = state.begun.saturating_add(1);
            let (written, has_folder) = (state.written, state.has_folder);
            drop(state);
            let done = self.sync(has_folder);
            state = self.lock();
            state.ended = state.begun;
            match done {
                Ok(()) => (state.durable, state.has_folder) = (written, true),
                Err(error) => state.failure = Some(error.to_string()),
            }
            self.synced.notify_all();
        }
        let unconfirmed =
            |what: &String| Error::Unconfirmed { doing: "syncing the database", source: what.clone().into() };
        state.failure.as_ref().map_or(Ok(()), |what| Err(unconfirmed(what)))
    }

    /// Syncs the log. SQLite syncs the database itself, when a checkpoint copies the log's content to it.
    fn sync(&self, has_folder: bool) -> std::io::Result<()> {
        OpenOptions::new().write(true).open(&self.log)?.sync_data()?;
        match self.log.parent() {
            Some(folder) if cfg!(unix) && !has_folder => {
                let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                File::open(folder)?.sync_all()
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_sync_fails_all_later_ones() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.db");
        let group = CommitGroup::new(&file);
        // Nothing was written, so nothing is synced.
        group.settle().unwrap();
        drop(group.turn());
        let error = group.settle().unwrap_err();
        assert!(matches!(error, Error::Unconfirmed { doing: "syncing the database", .. }), "{error}");
        std::fs::write(folder.path().join("ca.db-wal"), "").unwrap();
        assert!(group.settle().is_err());
        drop(group.turn());
        assert!(group.settle().is_err());
    }

    #[test]
    fn syncs_cover_what_was_written_before() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ca.db-wal"), "").unwrap();
        let group = CommitGroup::new(&folder.path().join("ca.db"));
        let turn = group.turn();
        // A reader may have seen what this turn has committed.
        group.settle().unwrap();
        assert_eq!(group.lock().ended, 1);
        drop(turn);
        for _ in 0..2 {
            group.settle().unwrap();
            let state = group.lock();
            assert_eq!((state.ended, state.durable), (2, 1));
        }
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let before = {
                            let turn = group.turn();
                            let before = group.lock().written;
                            drop(turn);
                            before
                        };
                        group.settle().unwrap();
                        assert!(group.lock().durable > before);
                    }
                });
            }
        });
        assert!(group.lock().ended <= 402, "{group:?}");
        assert_eq!(group.lock().written, 401);
    }
}

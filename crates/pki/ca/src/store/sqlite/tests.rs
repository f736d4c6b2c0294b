//! Conditions that callers cannot bring about: others that hold the database in the middle of a transaction. Plans of queries.

use std::time::{Duration, Instant};

use rusqlite::ffi;

use super::{SqliteOptions, SqliteStore, failed};
use crate::Error;
use crate::store::{CommitGroup, listed};

fn busy() -> Error {
    failed("testing")(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None))
}

/// A transaction that meets another writer is retried after a pause; once patience ends, the error states its length.
#[test]
fn what_is_locked_in_the_middle_is_run_again() {
    let mut store = SqliteStore::in_memory().unwrap();
    let mut runs = 0;
    let done = store.write("testing", |_| {
        runs += 1;
        if runs < 4 { Err(busy()) } else { Ok(runs) }
    });
    assert_eq!(done.unwrap(), 4);

    let options = SqliteOptions { patience: Duration::from_secs(1), ..SqliteOptions::DEFAULT };
    store.patience = options.patience;
    let (start, mut runs) = (Instant::now(), 0);
    let error = store
        .write("testing", |_| {
            runs += 1;
            Err::<(), _>(busy())
        })
        .unwrap_err();
    assert_eq!(error.to_string(), "the database was in use by other programs for 1 seconds; nothing was changed");
    assert!(start.elapsed() >= options.patience);
    // It is not asked as fast as the processor can.
    assert!((2..=201).contains(&runs), "{runs} runs in a second");
    // What is wrong in another way is not run again.
    let mut runs = 0;
    let error = store.write("testing", |_| {
        runs += 1;
        Err::<(), _>(Error::NoKey)
    });
    assert!(matches!(error, Err(Error::NoKey)) && runs == 1);
}

/// Each issuance looks for compromised keys, so that must not take longer with the number of certificates.
#[test]
fn compromised_keys_are_found_by_their_index() {
    let store = SqliteStore::in_memory().unwrap();
    let explain = format!("EXPLAIN QUERY PLAN {}", listed::COMPROMISED_SQLITE);
    let mut statement = store.connection.prepare(&explain).unwrap();
    let plan = statement.query_map([1, 1], |row| row.get::<_, String>(3)).unwrap();
    let plan = plan.collect::<rusqlite::Result<Vec<_>>>().unwrap();
    assert!(
        plan[0].starts_with("SEARCH r ") && plan[0].ends_with(" revocation_compromised (certificate>?)"),
        "{plan:?}"
    );
    assert_eq!(plan[1..], ["SEARCH c USING INTEGER PRIMARY KEY (rowid=?)"]);
}

/// Each of several connections would fill its cache, and empty it at once.
#[test]
fn connections_of_a_group_have_small_caches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let cache =
        |store: &SqliteStore| store.connection.query_row("PRAGMA cache_size", [], |row| row.get::<_, i64>(0)).unwrap();
    let alone = SqliteStore::create(&path, &SqliteOptions::DEFAULT).unwrap();
    let grouped = SqliteStore::open_in(&CommitGroup::new(&path), &path, &SqliteOptions::DEFAULT).unwrap();
    assert_eq!((cache(&alone), cache(&grouped)), (-16 * 1024, -2 * 1024));
}

/// A reader that needs the log prevents that it is emptied, but only as long as it reads. Without readers, it is cut to its limit.
#[test]
fn the_log_of_a_group_is_emptied() {
    const LIMIT: u64 = 256 * 1024;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.db");
    let reader = SqliteStore::create(&path, &SqliteOptions::DEFAULT).unwrap();
    let group = CommitGroup::with_limit(&path, LIMIT);
    let mut store = SqliteStore::open_in(&group, &path, &SqliteOptions::DEFAULT).unwrap();
    let limit = store.connection.query_row("PRAGMA journal_size_limit", [], |row| row.get::<_, u32>(0));
    assert_eq!(limit.unwrap(), 33_554_432);
    store.connection.execute_batch("CREATE TABLE filler (content BLOB)").unwrap();
    let mut fill = || {
        for _ in 0..9 {
            let add = |connection: &rusqlite::Connection| {
                let added = connection.execute("INSERT INTO filler VALUES (zeroblob(65536))", []);
                added.map_err(failed("testing"))
            };
            store.write("testing", add).unwrap();
        }
        group.settle().unwrap();
        std::fs::metadata(folder.path().join("ca.db-wal")).unwrap().len()
    };
    reader.connection.execute_batch("BEGIN; SELECT count(*) FROM filler").unwrap();
    let held = fill();
    assert!(held > 2 * LIMIT, "{held}");
    reader.connection.execute_batch("COMMIT").unwrap();
    let after = fill();
    assert!(after < 2 * LIMIT, "{after}");
    let rows = reader.connection.query_row("SELECT count(*) FROM filler", [], |row| row.get::<_, u32>(0));
    assert_eq!(rows.unwrap(), 18);
}

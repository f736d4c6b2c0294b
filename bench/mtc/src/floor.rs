//! Floors: the least that a stage could cost, by the same libraries.

use std::hint::black_box;

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use tagwise_mtc::Hash;

use crate::Failure;

/// Node hashes in a row, each of the one before: none can begin before the last has ended.
pub(crate) fn chained(count: u64) -> Hash {
    let mut message = [1u8; 65];
    let mut last = [0; 32];
    for _ in 0..count {
        if let Some(place) = message.get_mut(33..) {
            place.copy_from_slice(&last);
        }
        last = Sha256::digest(message).into();
    }
    last
}

/// Node hashes of what lies in the cache, one independent of the other.
pub(crate) fn nodes(count: u64) {
    let mut message = [1u8; 65];
    for number in 0..count {
        if let Some(place) = message.get_mut(1..9) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        black_box(Sha256::digest(message));
    }
}

/// The hash of bytes with a byte in front.
pub(crate) fn leaf(bytes: &[u8]) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update([0]);
    hasher.update(bytes);
    hasher.finalize().into()
}

/// A database with the pragmas of the log, and a table of entries and of tiles.
pub(crate) fn database(path: &std::path::Path) -> Result<Connection, Failure> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "page_size", 8192)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch(
        "CREATE TABLE entry (id INTEGER PRIMARY KEY, entry BLOB NOT NULL, key BLOB) STRICT;
         CREATE TABLE tile (id INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT;",
    )?;
    Ok(connection)
}

/// Rows and tiles in one transaction.
pub(crate) fn insert<'a>(
    connection: &mut Connection,
    first: u64,
    rows: impl Iterator<Item = (&'a [u8], Option<&'a [u8]>)>,
    hashes: &[Hash],
) -> Result<(), Failure> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    {
        let mut entry = transaction.prepare_cached("INSERT INTO entry (id, entry, key) VALUES (?1, ?2, ?3)")?;
        for (row, id) in rows.zip(i64::try_from(first)?..) {
            entry.execute(params![id, row.0, row.1])?;
        }
        let mut tile = transaction.prepare_cached("INSERT OR REPLACE INTO tile (id, hashes) VALUES (?1, ?2)")?;
        for (bytes, id) in hashes
            .as_flattened()
            .chunks(256 * 32)
            .zip(i64::try_from(first / 256)?..)
        {
            tile.execute(params![id, bytes])?;
        }
    }
    transaction.commit()?;
    Ok(())
}

/// Entries of a range.
pub(crate) fn read(connection: &Connection, start: u64, end: u64) -> Result<Vec<Vec<u8>>, Failure> {
    let mut select = connection.prepare_cached("SELECT entry FROM entry WHERE id >= ?1 AND id < ?2 ORDER BY id")?;
    let rows = select.query_map(params![i64::try_from(start)?, i64::try_from(end)?], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

//! The SQLite file of a log, mirror or witness: opening, tables, entries and tiles.

mod schema;

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params};
use tagwise_mtc::Hash;
use tagwise_mtc::tile;
use tagwise_mtc::tree::root;

use crate::error::{Error, failed};
use crate::log::Synchronous;
use crate::nodes::{TileNodes, TileSource};

const OPENING: &str = "opening the database";
/// The maximum wait while other processes lock the file.
const PATIENCE: Duration = Duration::from_secs(60);
/// The size of the page cache, in KiB.
const CACHE_KIB: i64 = 16 * 1024;

/// Opens a file. If `create` is set, a missing file is created, accessible only to its owner.
pub(crate) fn open(path: &Path, create: bool, synchronous: Synchronous) -> Result<Connection, Error> {
    if create {
        let mut file = std::fs::OpenOptions::new();
        file.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
        file.open(path).map_err(|error| Error::store("creating the file")(error.into()))?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed(OPENING))?;
    let set_up = || {
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(64);
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update(None, "cache_size", CACHE_KIB.saturating_neg())?;
        connection.pragma_update(None, "page_size", 8192)?;
        connection.pragma_update(None, "synchronous", synchronous.word())
    };
    set_up().map_err(failed(OPENING))?;
    // Checked before anything is changed, because the file may belong to another program.
    schema::check(&connection)?;
    connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)).map_err(failed(OPENING))?;
    schema::migrate(&connection)?;
    Ok(connection)
}

/// Begins a transaction that holds the write lock from its first statement.
pub(crate) fn begin<'c>(connection: &'c mut Connection, doing: &'static str) -> Result<Transaction<'c>, Error> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed(doing))
}

/// Converts a number to the signed integer stored in SQLite. All numbers are below 2⁶³.
pub(crate) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts a number from the signed integer stored in SQLite.
pub(crate) fn number(stored: i64) -> u64 {
    u64::try_from(stored).unwrap_or_default()
}

/// Converts a hash from the bytes stored in SQLite.
pub(crate) fn hash(stored: &[u8]) -> Result<Hash, Error> {
    Hash::try_from(stored).map_err(|error| Error::store("reading a hash")(error.into()))
}

/// Returns the row number of a tile.
fn tile_id(level: u32, index: u64) -> i64 {
    stored(u64::from(level) << 48 | index)
}

impl TileSource for Connection {
    fn tile(&self, level: u32, index: u64) -> Result<Vec<u8>, Error> {
        let doing = failed("reading a tile");
        let mut statement = self.prepare_cached("SELECT hashes FROM tile WHERE id = ?1").map_err(doing)?;
        let found = statement.query_row([tile_id(level, index)], |row| row.get::<_, Vec<u8>>(0)).optional();
        Ok(found.map_err(doing)?.unwrap_or_default())
    }
}

/// The size and root of a tree.
pub(crate) type State = (u64, Hash);

/// Returns the recorded size and root.
pub(crate) fn state(connection: &Connection) -> Result<State, Error> {
    let doing = failed("reading the state");
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?));
    let mut statement = connection.prepare_cached("SELECT size, root FROM tree WHERE id = 1").map_err(doing)?;
    let (size, root) = statement.query_row([], read).map_err(doing)?;
    Ok((number(size), hash(&root)?))
}

/// An entry to be stored: its bytes, and its certificate's public key if known.
pub(crate) struct Row<'a> {
    pub(crate) entry: &'a [u8],
    pub(crate) key: Option<&'a [u8]>,
}

/// Appends entries to the tree in a transaction: rows, tiles, and the new size and root, which are returned.
pub(crate) fn append(
    transaction: &Transaction<'_>,
    before: State,
    rows: &[Row<'_>],
    leaves: Vec<Hash>,
) -> Result<State, Error> {
    let doing = failed("appending entries");
    {
        let insert = "INSERT INTO entry (id, entry, key) VALUES (?1, ?2, ?3)";
        let mut insert = transaction.prepare_cached(insert).map_err(doing)?;
        for (row, index) in rows.iter().zip(before.0..) {
            insert.execute(params![stored(index), row.entry, row.key]).map_err(doing)?;
        }
    }
    let size = before.0.saturating_add(leaves.len() as u64);
    if size > tagwise_mtc::tree::MAX_SIZE {
        return Err(Error::Format(tagwise_mtc::Error::new(tagwise_mtc::ErrorKind::Uint48, 0)));
    }
    append_tiles(transaction, before.0, leaves)?;
    let nodes = TileNodes::new(&**transaction);
    let root = root(&nodes, size)?;
    let update = "UPDATE tree SET size = ?1, root = ?2 WHERE id = 1";
    transaction.execute(update, params![stored(size), root.as_slice()]).map_err(doing)?;
    Ok((size, root))
}

/// Updates the tiles that the new leaves change, level by level.
fn append_tiles(transaction: &Transaction<'_>, before: u64, leaves: Vec<Hash>) -> Result<(), Error> {
    let doing = failed("writing tiles");
    let put = "INSERT INTO tile (id, hashes) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET hashes = excluded.hashes";
    let mut put = transaction.prepare_cached(put).map_err(doing)?;
    let (mut base, mut new, mut level) = (before, leaves, 0);
    while !new.is_empty() {
        let first = base / tile::WIDTH;
        let kept = (base % tile::WIDTH) as usize;
        let mut row = Vec::with_capacity(kept.saturating_add(new.len()).saturating_mul(32));
        if kept != 0 {
            let partial = transaction.tile(level, first)?;
            let partial = partial.get(..kept.saturating_mul(32)).ok_or(Error::Missing("tile of the right edge"))?;
            row.extend_from_slice(partial);
        }
        row.extend_from_slice(new.as_flattened());
        let mut above = Vec::new();
        for (bytes, index) in row.chunks(256 * 32).zip(first..) {
            put.execute(params![tile_id(level, index), bytes]).map_err(doing)?;
            if let (hashes, []) = bytes.as_chunks::<32>()
                && hashes.len() == 256
                && let Some(root) = tile::node_in(hashes, 8, 0)
            {
                above.push(root);
            }
        }
        base = first;
        new = above;
        level = level.saturating_add(1);
    }
    Ok(())
}

/// Returns the entries in a range. All of them must exist.
pub(crate) fn entries(connection: &Connection, start: u64, end: u64) -> Result<Vec<Vec<u8>>, Error> {
    let doing = failed("reading entries");
    let select = "SELECT entry FROM entry WHERE id >= ?1 AND id < ?2 ORDER BY id";
    let mut select = connection.prepare_cached(select).map_err(doing)?;
    let rows = select.query_map([stored(start), stored(end)], |row| row.get(0)).map_err(doing)?;
    let entries: Vec<Vec<u8>> = rows.collect::<Result<_, _>>().map_err(doing)?;
    if entries.len() as u64 == end.saturating_sub(start) { Ok(entries) } else { Err(Error::Missing("entry")) }
}

/// Recomputes the root from the tiles, and compares it with the recorded root.
pub(crate) fn check(connection: &Connection) -> Result<State, Error> {
    let (size, recorded) = state(connection)?;
    let found = root(&TileNodes::new(connection), size)?;
    if found == recorded { Ok((size, recorded)) } else { Err(Error::Fork { size, recorded, found }) }
}

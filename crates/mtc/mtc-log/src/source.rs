//! Entries that stand for objects of another store, such as a CA's certificates. Each object is logged once, however often
//! it is submitted.

use rusqlite::{Connection, OptionalExtension, params};

use crate::error::{Error, failed};
use crate::log::{Log, NewEntry};
use crate::store::{self, Row, number, stored};

impl Log {
    /// Appends an entry for each source that is not yet logged, and returns the index of the entry of each. A source
    /// identifies an object of another store, such as a certificate by its serial number. The entries and their sources
    /// are durable when this method returns.
    ///
    /// # Errors
    /// Returns any error from [`append`](Self::append).
    pub fn append_once(&mut self, entries: &[(&[u8], NewEntry)]) -> Result<Vec<u64>, Error> {
        let mut judged = Vec::with_capacity(entries.len());
        for (source, entry) in entries {
            judged.push((*source, entry, self.judge(entry)?));
        }
        let doing = "appending entries";
        let transaction = store::begin(&mut self.connection, doing)?;
        let before = store::state(&transaction)?;
        let (mut rows, mut leaves, mut indexes) = (Vec::new(), Vec::new(), Vec::with_capacity(entries.len()));
        for (source, entry, leaf) in judged {
            if let Some(index) = index_of(&transaction, source)? {
                indexes.push(index);
                continue;
            }
            let index = before.0.saturating_add(rows.len() as u64);
            rows.push(Row { entry: &entry.entry, key: entry.key.as_deref() });
            leaves.push(leaf);
            let insert = "INSERT INTO source (entry, source) VALUES (?1, ?2)";
            transaction.execute(insert, params![stored(index), source]).map_err(failed(doing))?;
            indexes.push(index);
        }
        if !rows.is_empty() {
            store::append(&transaction, before, &rows, leaves)?;
        }
        transaction.commit().map_err(failed(doing))?;
        Ok(indexes)
    }

    /// Returns the index of a source's entry, if it is logged.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn index_of(&self, source: &[u8]) -> Result<Option<u64>, Error> {
        index_of(&self.connection, source)
    }

    /// Returns the source of an entry, if it has one.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn source_of(&self, index: u64) -> Result<Option<Vec<u8>>, Error> {
        let doing = failed("reading a source");
        let select = "SELECT source FROM source WHERE entry = ?1";
        let mut select = self.connection.prepare_cached(select).map_err(doing)?;
        select.query_row([stored(index)], |row| row.get(0)).optional().map_err(doing)
    }
}

fn index_of(connection: &Connection, source: &[u8]) -> Result<Option<u64>, Error> {
    let doing = failed("reading a source");
    let mut select = connection.prepare_cached("SELECT entry FROM source WHERE source = ?1").map_err(doing)?;
    let found = select.query_row([source], |row| row.get::<_, i64>(0)).optional().map_err(doing)?;
    Ok(found.map(number))
}

//! Documents in SQLite.

use rusqlite::{OptionalExtension, Row, params};
use tagwise_pkix::UnixTime;

use super::{SqliteStore, failed};
use crate::store::AuthorityId;
use crate::{Document, Documents, Error};

const READING: &str = "reading a document";
const WRITING: &str = "storing a document";
const COLUMNS: &str = "kind, id, owner, expires, version, content";

fn document(row: &Row<'_>) -> rusqlite::Result<Document> {
    Ok(Document {
        kind: row.get(0)?,
        id: row.get(1)?,
        owner: row.get(2)?,
        expires: UnixTime(row.get(3)?),
        version: row.get(4)?,
        content: row.get(5)?,
    })
}

impl Documents for SqliteStore {
    fn document(&mut self, of: AuthorityId, kind: &str, id: &str) -> Result<Option<Document>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM document WHERE authority = ?1 AND kind = ?2 AND id = ?3");
        self.read(READING, |connection| {
            connection.prepare_cached(&sql)?.query_row(params![of.0, kind, id], document).optional()
        })
    }

    fn insert_document(&mut self, of: AuthorityId, new: &Document) -> Result<bool, Error> {
        let sql = format!(
            "INSERT INTO document (authority, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING"
        );
        self.write(WRITING, |transaction| {
            let values = params![of.0, new.kind, new.id, new.owner, new.expires.0, new.version, new.content];
            let mut statement = transaction.prepare_cached(&sql).map_err(failed(WRITING))?;
            statement.execute(values).map(|rows| rows == 1).map_err(failed(WRITING))
        })
    }

    fn update_document(&mut self, of: AuthorityId, new: &Document) -> Result<bool, Error> {
        let sql = "UPDATE document SET owner = ?4, expires = ?5, version = version + 1, content = ?7 \
                   WHERE authority = ?1 AND kind = ?2 AND id = ?3 AND version = ?6";
        self.write(WRITING, |transaction| {
            let values = params![of.0, new.kind, new.id, new.owner, new.expires.0, new.version, new.content];
            let mut statement = transaction.prepare_cached(sql).map_err(failed(WRITING))?;
            statement.execute(values).map(|rows| rows == 1).map_err(failed(WRITING))
        })
    }

    fn documents_of(
        &mut self,
        of: AuthorityId,
        kind: &str,
        owner: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Document>, Error> {
        let sql = format!(
            "SELECT {COLUMNS} FROM document WHERE authority = ?1 AND kind = ?2 AND owner = ?3 AND id > ?4 ORDER BY id LIMIT ?5"
        );
        self.read(READING, |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_map(params![of.0, kind, owner, after, limit], document)?.collect()
        })
    }

    fn take_document(&mut self, of: AuthorityId, kind: &str, id: &str) -> Result<Option<Document>, Error> {
        let sql = format!("DELETE FROM document WHERE authority = ?1 AND kind = ?2 AND id = ?3 RETURNING {COLUMNS}");
        self.write(WRITING, |transaction| {
            let mut statement = transaction.prepare_cached(&sql).map_err(failed(WRITING))?;
            // All rows are read: a statement that is reset before its end is undone.
            let rows = statement.query_map(params![of.0, kind, id], document).map_err(failed(WRITING))?;
            let rows = rows.collect::<rusqlite::Result<Vec<_>>>().map_err(failed(WRITING))?;
            Ok(rows.into_iter().next())
        })
    }

    fn purge_documents(&mut self, of: AuthorityId, now: UnixTime, limit: u32) -> Result<u64, Error> {
        let sql = "DELETE FROM document WHERE (authority, kind, id) IN \
                   (SELECT authority, kind, id FROM document WHERE expires < ?2 AND authority = ?1 LIMIT ?3)";
        self.write("deleting expired documents", |transaction| {
            let rows = transaction.execute(sql, params![of.0, now.0, limit]).map_err(failed(WRITING))?;
            Ok(u64::try_from(rows).unwrap_or(u64::MAX))
        })
    }
}

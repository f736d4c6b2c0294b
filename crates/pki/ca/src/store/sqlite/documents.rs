//! Documents in SQLite.

use rusqlite::{Connection, OptionalExtension, Row, params};
use tagwise_pkix::UnixTime;

use super::{SqliteStore, failed, schema};
use crate::store::{AuthorityId, values};
use crate::{Document, Documents, Error};

const READING: &str = "reading a document";
const WRITING: &str = "storing a document";

/// The columns of a document without its digest.
pub(super) const COLUMNS: &str = "kind, id, owner, expires, version, content";

/// Reads a document from the columns that begin at a position.
pub(super) fn document(row: &Row<'_>, at: usize) -> rusqlite::Result<Document> {
    Ok(Document {
        kind: row.get(at)?,
        id: row.get(at + 1)?,
        owner: row.get(at + 2)?,
        expires: UnixTime(row.get(at + 3)?),
        version: row.get(at + 4)?,
        content: row.get(at + 5)?,
    })
}

/// Reads a document like [`document`], and compares it with the digest in the column after it.
pub(super) fn checked(row: &Row<'_>, at: usize, of: AuthorityId) -> rusqlite::Result<Result<Document, Error>> {
    let stored: Option<Vec<u8>> = row.get(at + 6)?;
    Ok(document(row, at)?.checked(of, stored.as_deref()))
}

impl SqliteStore {
    /// The columns of a document and its digest.
    fn document_columns(&self) -> String {
        let digest = if self.version >= schema::SEALED_DOCUMENTS { "digest" } else { "NULL" };
        format!("{COLUMNS}, {digest}")
    }
}

impl Documents for SqliteStore {
    fn document(&mut self, of: AuthorityId, kind: &str, id: &str) -> Result<Option<Document>, Error> {
        if self.version < schema::DOCUMENTS {
            return Ok(None);
        }
        let columns = self.document_columns();
        let sql = format!("SELECT {columns} FROM document WHERE authority = ?1 AND kind = ?2 AND id = ?3");
        let found = self.read(READING, |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_row(params![of.0, kind, id], |row| checked(row, 0, of)).optional()
        })?;
        found.transpose()
    }

    fn insert_document(&mut self, of: AuthorityId, new: &Document) -> Result<bool, Error> {
        let sql = format!(
            "INSERT INTO document (authority, {COLUMNS}, digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
             ON CONFLICT DO NOTHING"
        );
        let digest = new.digest(of);
        self.write(WRITING, |transaction| {
            let values = params![of.0, new.kind, new.id, new.owner, new.expires.0, new.version, new.content, digest];
            let mut statement = transaction.prepare_cached(&sql).map_err(failed(WRITING))?;
            statement.execute(values).map(|rows| rows == 1).map_err(failed(WRITING))
        })
    }

    fn update_document(&mut self, of: AuthorityId, new: &Document) -> Result<bool, Error> {
        let sql = "UPDATE document SET owner = ?4, expires = ?5, version = version + 1, content = ?7, digest = ?8 \
                   WHERE authority = ?1 AND kind = ?2 AND id = ?3 AND version = ?6";
        let digest = new.next_digest(of);
        self.write(WRITING, |transaction| {
            let values = params![of.0, new.kind, new.id, new.owner, new.expires.0, new.version, new.content, digest];
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
        let columns = self.document_columns();
        let sql = format!(
            "SELECT {columns} FROM document WHERE authority = ?1 AND kind = ?2 AND owner = ?3 AND id > ?4 ORDER BY id LIMIT ?5"
        );
        self.read(READING, |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![of.0, kind, owner, after, limit], |row| checked(row, 0, of))?;
            rows.collect::<rusqlite::Result<Result<Vec<_>, Error>>>()
        })?
    }

    fn take_document(&mut self, of: AuthorityId, kind: &str, id: &str) -> Result<Option<Document>, Error> {
        let sql =
            format!("DELETE FROM document WHERE authority = ?1 AND kind = ?2 AND id = ?3 RETURNING {COLUMNS}, digest");
        self.write(WRITING, |transaction| {
            let mut statement = transaction.prepare_cached(&sql).map_err(failed(WRITING))?;
            // All rows are read: a statement that is reset before its end is undone.
            let rows = statement.query_map(params![of.0, kind, id], |row| checked(row, 0, of));
            let rows = rows.map_err(failed(WRITING))?.collect::<rusqlite::Result<Vec<_>>>().map_err(failed(WRITING))?;
            rows.into_iter().next().transpose()
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

/// Adds digests to all documents.
pub(super) fn seal(transaction: &Connection) -> Result<(), Error> {
    let sealed = || {
        let mut select = transaction.prepare(&format!("SELECT authority, {} FROM document", COLUMNS))?;
        let sql = "UPDATE document SET digest = ?4 WHERE authority = ?1 AND kind = ?2 AND id = ?3";
        let mut update = transaction.prepare(sql)?;
        // All are read first, because a query does not see changes of its own rows reliably.
        let list = select.query_map([], |row| Ok((AuthorityId(row.get(0)?), document(row, 1)?)))?;
        for (of, document) in list.collect::<rusqlite::Result<Vec<_>>>()? {
            update.execute(params![of.0, document.kind, document.id, document.digest(of)])?;
        }
        Ok(())
    };
    sealed().map_err(failed("computing digests of documents"))
}

/// Checks that the content of each document is a JSON object, and its digest.
pub(super) fn check(
    connection: &Connection,
    of: AuthorityId,
    is_sealed: bool,
    tell: &mut dyn FnMut(String),
) -> Result<(), Error> {
    let digest = if is_sealed { "digest" } else { "NULL" };
    let sql = format!("SELECT kind, id, content, {}, {digest} FROM document WHERE authority = ?1", COLUMNS);
    let mut documents = connection.prepare(&sql).map_err(failed(READING))?;
    let mut rows = documents.query([of.0]).map_err(failed(READING))?;
    while let Some(row) = rows.next().map_err(failed(READING))? {
        let text = |at: usize| row.get_ref(at)?.as_bytes().map_err(rusqlite::Error::from);
        let read = || Ok((text(0)?, text(1)?, text(2)?));
        let (kind, id, content) = read().map_err(failed(READING))?;
        let (kind, id) = (String::from_utf8_lossy(kind), String::from_utf8_lossy(id));
        if let Err(what) = values::check_document(&kind, &id, content) {
            tell(what);
        } else if !matches!(checked(row, 3, of), Ok(Ok(_))) {
            tell(format!("the document `{id}` of kind `{kind}`"));
        }
    }
    Ok(())
}

//! Documents in PostgreSQL.

use postgres::Row;
use tagwise_pkix::UnixTime;

use super::PostgresStore;
use super::errors::failed_at;
use crate::store::AuthorityId;
use crate::{Document, Documents, Error};

const READING: &str = "reading a document";
const WRITING: &str = "storing a document";

/// The columns of a document and its digest.
pub(super) const COLUMNS: &str = "kind, id, owner, expires, version, content, digest";

/// Reads a document.
pub(super) fn document(row: &Row) -> Result<Document, postgres::Error> {
    Ok(Document {
        kind: row.try_get(0)?,
        id: row.try_get(1)?,
        owner: row.try_get(2)?,
        expires: UnixTime(row.try_get(3)?),
        version: row.try_get(4)?,
        content: row.try_get(5)?,
    })
}

/// Reads a document and compares it with its digest.
fn checked(row: &Row, of: AuthorityId) -> Result<Document, Error> {
    let read = document(row).and_then(|found| Ok((found, row.try_get(6)?)));
    let (found, digest) = read.map_err(failed_at(READING))?;
    found.checked(of, Some(digest))
}

impl Documents for PostgresStore {
    fn document(&mut self, of: AuthorityId, kind: &str, id: &str) -> Result<Option<Document>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM document WHERE authority = $1 AND kind = $2 AND id = $3");
        self.one(READING, &sql, &[&of.0, &kind, &id])?.map(|row| checked(&row, of)).transpose()
    }

    fn insert_document(&mut self, of: AuthorityId, new: &Document) -> Result<bool, Error> {
        let sql = format!(
            "INSERT INTO document (authority, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"
        );
        let digest = new.digest(of);
        self.write(WRITING, &mut |transaction| {
            let rows = transaction.execute(
                sql.as_str(),
                &[&of.0, &new.kind, &new.id, &new.owner, &new.expires.0, &new.version, &new.content, &digest],
            )?;
            Ok(rows == 1)
        })
    }

    fn update_document(&mut self, of: AuthorityId, new: &Document) -> Result<bool, Error> {
        let sql = "UPDATE document SET owner = $4, expires = $5, version = version + 1, content = $7, digest = $8 \
                   WHERE authority = $1 AND kind = $2 AND id = $3 AND version = $6";
        let digest = new.next_digest(of);
        self.write(WRITING, &mut |transaction| {
            let rows = transaction.execute(
                sql,
                &[&of.0, &new.kind, &new.id, &new.owner, &new.expires.0, &new.version, &new.content, &digest],
            )?;
            Ok(rows == 1)
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
        // The order of bytes, as in SQLite, whatever the database's collation.
        let sql = format!(
            "SELECT {COLUMNS} FROM document WHERE authority = $1 AND kind = $2 AND owner = $3 AND id COLLATE \"C\" > $4 \
             ORDER BY id COLLATE \"C\" LIMIT $5"
        );
        let rows = self.all(READING, &sql, &[&of.0, &kind, &owner, &after, &i64::from(limit)])?;
        rows.iter().map(|row| checked(row, of)).collect()
    }

    fn take_document(&mut self, of: AuthorityId, kind: &str, id: &str) -> Result<Option<Document>, Error> {
        let sql = format!("DELETE FROM document WHERE authority = $1 AND kind = $2 AND id = $3 RETURNING {COLUMNS}");
        self.write(WRITING, &mut |transaction| {
            let row = transaction.query_opt(sql.as_str(), &[&of.0, &kind, &id])?;
            Ok(row.map(|row| checked(&row, of)).transpose()?)
        })
    }

    fn purge_documents(&mut self, of: AuthorityId, now: UnixTime, limit: u32) -> Result<u64, Error> {
        let sql = "DELETE FROM document WHERE (authority, kind, id) IN \
                   (SELECT authority, kind, id FROM document WHERE expires < $2 AND authority = $1 LIMIT $3)";
        let limit = i64::from(limit);
        self.write("deleting expired documents", &mut |transaction| {
            Ok(transaction.execute(sql, &[&of.0, &now.0, &limit])?)
        })
    }
}

//! Walks over octets, which are looked at where SQLite has them.
//!
//! They go in pages, each a statement of its own: a reader that stays keeps the log from being cut.

use rusqlite::{ToSql, params_from_iter};

use super::SqliteStore;
use crate::Error;
use crate::store::{AuthorityId, Cursor, Visit};

/// Rows of a page.
const PAGE: u32 = 1024;

/// The certificates of a CA.
pub(super) fn certificates(
    store: &SqliteStore,
    of: AuthorityId,
    behind: Cursor,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    // `+authority`: by number, and not by CA and then sorted.
    let sql = "SELECT id, der FROM certificate WHERE +authority = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
    pages(store, ("reading certificates", sql), &[&of.0], behind, visit)
}

/// The responses of a CA, by the number of a digest, that are good after a moment.
pub(super) fn ocsp_responses(
    store: &SqliteStore,
    (of, digest, after): (AuthorityId, i64, i64),
    behind: Cursor,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let sql = "SELECT id, der FROM ocsp_response WHERE authority = ?1 AND id & 7 = ?2 AND next_update > ?3 AND id > ?4 \
         ORDER BY id LIMIT ?5";
    pages(store, ("reading OCSP responses", sql), &[&of.0, &digest, &after], behind, visit)
}

/// Rows of a place and octets; the last two parameters are where to go on and how many rows there may be.
fn pages(
    store: &SqliteStore,
    (doing, sql): (&'static str, &str),
    wanted: &[&dyn ToSql],
    mut behind: Cursor,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    loop {
        let mut said = Ok(());
        // What is read again, because others held the database, goes on where it was.
        let count = store.read(doing, |connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let from = behind.0;
            let place: [&dyn ToSql; 2] = [&from, &PAGE];
            let mut rows = statement.query(params_from_iter(wanted.iter().chain(&place)))?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                let at = Cursor(row.get(0)?);
                said = visit(at, row.get_ref(1)?.as_blob()?);
                if said.is_err() {
                    break;
                }
                (behind, count) = (at, count + 1);
            }
            Ok(count)
        })?;
        said?;
        if count < PAGE {
            return Ok(());
        }
    }
}

//! Walks over octets, which are looked at where SQLite has them.
//!
//! They go in pages, each a statement of its own: a reader that stays keeps the log from being cut.

use super::{SqliteStore, responses};
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
    let sql = "SELECT id, der FROM certificate WHERE +authority = ?1 AND id > ?2 ORDER BY id";
    pages(store, ("reading certificates", sql), &of.0, (behind, i64::MAX), visit)
}

/// The responses of a CA, by the number of a digest, that are good after a moment.
pub(super) fn ocsp_responses(
    store: &SqliteStore,
    (of, digest, after): (AuthorityId, i64, i64),
    behind: Cursor,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let sql = "SELECT id, der FROM ocsp_response WHERE next_update > ?1 AND id > ?2 ORDER BY id";
    let (start, end) = responses::range(of, digest)?;
    let behind = Cursor(behind.0.max(start));
    pages(store, ("reading OCSP responses", sql), &after, (behind, end), visit)
}

/// Rows of a place and octets, up to an end; the parameters are what is wanted and where to go on. That the end is looked for here,
/// and the rows of a page are counted here, takes a tenth less than conditions of the statement do.
fn pages(
    store: &SqliteStore,
    (doing, sql): (&'static str, &str),
    wanted: &i64,
    (mut behind, end): (Cursor, i64),
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    loop {
        let mut said = Ok(());
        // What is read again, because others held the database, goes on where it was.
        let count = store.read(doing, |connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([*wanted, behind.0])?;
            let mut count = 0;
            while count < PAGE
                && let Some(row) = rows.next()?
            {
                let at = Cursor(row.get(0)?);
                if at.0 >= end {
                    break;
                }
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

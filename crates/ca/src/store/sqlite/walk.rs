//! Walks over octets, which are looked at where SQLite has them.
//!
//! They go in pages, each a statement of its own: a reader that stays keeps the log from being cut.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension};

use super::{SqliteStore, responses, told};
use crate::Error;
use crate::store::{AuthorityId, Cursor, Visit};

/// Rows of a page.
const PAGE: u32 = 1024;

/// What is walked over.
struct Walk {
    doing: &'static str,
    /// The number of the last one before a number, and behind one.
    last: &'static str,
    /// Octets and numbers, in order, of those behind a number up to another one.
    rows: &'static str,
    /// The third parameter of the latter.
    wanted: i64,
}

/// The certificates of a CA.
pub(super) fn certificates(
    store: &SqliteStore,
    of: AuthorityId,
    behind: Cursor,
    visit: &mut Visit<'_>,
) -> Result<Cursor, Error> {
    let walk = Walk {
        doing: "reading certificates",
        last: "SELECT id FROM certificate WHERE id > ?1 AND id < ?2 ORDER BY id DESC LIMIT 1",
        // `+authority`: by number, and not by CA and then sorted.
        rows: "SELECT der, id FROM certificate WHERE id > ?1 AND id <= ?2 AND +authority = ?3 ORDER BY id",
        wanted: of.0,
    };
    walk.pages(store, (behind.0, i64::MAX), visit)
}

/// The responses of a CA, by the number of a digest, that are good after a moment.
pub(super) fn ocsp_responses(
    store: &SqliteStore,
    (of, digest, after): (AuthorityId, i64, i64),
    behind: Cursor,
    visit: &mut Visit<'_>,
) -> Result<Cursor, Error> {
    let Some((start, end)) = responses::range(of, digest) else { return Ok(behind) };
    let walk = Walk {
        doing: "reading OCSP responses",
        last: "SELECT id FROM ocsp_response WHERE id > ?1 AND id < ?2 ORDER BY id DESC LIMIT 1",
        rows: "SELECT der, id FROM ocsp_response WHERE id > ?1 AND id <= ?2 AND next_update > ?3 ORDER BY id",
        wanted: after,
    };
    walk.pages(store, (behind.0.max(start), end), visit)
}

impl Walk {
    /// Over those between two numbers. A row's number is asked for only where a page ends: that takes as long as a part of its octets.
    fn pages(
        &self,
        store: &SqliteStore,
        (mut behind, end): (i64, i64),
        visit: &mut Visit<'_>,
    ) -> Result<Cursor, Error> {
        let last = store.read(self.doing, |connection| {
            let mut statement = connection.prepare_cached(self.last)?;
            statement.query_row([behind, end], |row| row.get::<_, i64>(0)).optional()
        })?;
        let Some(last) = last else { return Ok(Cursor(behind)) };
        while behind < last {
            let read = |connection: &Connection| self.page(store, connection, (behind, last), visit);
            let (at, said) = store.read(self.doing, read)?;
            behind = at;
            if said?.is_break() {
                break;
            }
        }
        Ok(Cursor(behind))
    }

    /// A page of them: where it ends, and what the visitor said last.
    fn page(
        &self,
        store: &SqliteStore,
        connection: &Connection,
        (behind, last): (i64, i64),
        visit: &mut Visit<'_>,
    ) -> rusqlite::Result<(i64, Result<ControlFlow<()>, Error>)> {
        let mut statement = connection.prepare_cached(self.rows)?;
        let mut rows = statement.query([behind, last, self.wanted])?;
        let mut count = 0;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok((last, Ok(ControlFlow::Continue(())))),
                // While others hold the database, the page is read again; not if some of it was seen.
                Err(error) if count > 0 => return Ok((behind, Err(told(self.doing, store.patience, error)))),
                Err(error) => return Err(error),
            };
            count += 1;
            let said = visit(row.get_ref(0)?.as_blob()?);
            if count == PAGE || !matches!(said, Ok(ControlFlow::Continue(()))) {
                return Ok((row.get(1)?, said));
            }
        }
    }
}

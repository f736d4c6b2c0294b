//! A cache of statuses, valid until another connection writes to the database.

use rusqlite::Connection;

use crate::store::{AuthorityId, NewOcspResponse, Status};

/// The most recently read certificate numbers and status revisions, in order. They are discarded when this connection
/// writes.
#[derive(Debug)]
pub(super) struct Seen {
    of: AuthorityId,
    /// The database's data version before the statuses were read.
    version: i64,
    revisions: Vec<(i64, i64)>,
}

/// Returns the data version, which changes when another connection modifies the database.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

impl Seen {
    /// Creates a cache from statuses that were read. `version` must have been obtained before reading them.
    pub(super) fn new(of: AuthorityId, version: i64, list: &[Status]) -> Self {
        let revisions = list.iter().map(|status| (status.certificate.0, status.revision)).collect();
        Self { of, version, revisions }
    }

    /// Returns whether each response is about a cached status that is still current. `sorted` must be in certificate order.
    pub(super) fn holds(
        &self,
        connection: &Connection,
        of: AuthorityId,
        sorted: &[&NewOcspResponse],
    ) -> rusqlite::Result<bool> {
        if self.of != of || version(connection)? != self.version {
            return Ok(false);
        }
        let mut seen = self.revisions.iter();
        let mut is_seen = |wanted: (i64, i64)| seen.any(|revision| *revision == wanted);
        Ok(sorted.iter().all(|response| is_seen((response.certificate.0, response.revision))))
    }
}

//! Upgrades the SQLite tables.

use rusqlite::{Connection, OptionalExtension};

use super::{documents, failed, schema, seals};
use crate::Error;

/// Upgrades the tables to the current version. Referenced tables are re-created. During the upgrade, foreign keys must
/// therefore not be enforced, and references must not follow a renamed table (`legacy_alter_table`). At the end, all
/// references must be valid.
///
/// # Errors
/// Returns any error from [`schema::version`] or SQLite, or an error if a reference is invalid.
pub(super) fn migrate(transaction: &Connection) -> Result<(), Error> {
    let wrong = failed("updating the tables");
    let from = schema::version(transaction).map_err(&wrong)??;
    // Another process has done it in the meantime.
    if from == schema::VERSION {
        return Ok(());
    }
    let (is_unsealed, has_unsealed_documents) = (from < schema::SEALED, from < schema::SEALED_DOCUMENTS);
    let from =
        usize::try_from(from).map_err(|error| Error::Store { doing: "reading a version", source: error.into() })?;
    for migration in schema::MIGRATIONS.iter().skip(from) {
        transaction.execute_batch(migration).map_err(&wrong)?;
    }
    // Later versions keep the digests, which also show damage from before the upgrade.
    if is_unsealed {
        seals::all(transaction)?;
    }
    if has_unsealed_documents {
        documents::seal(transaction)?;
    }
    for table in schema::REFERRING {
        let stray = "SELECT rowid FROM pragma_foreign_key_check (?)";
        let row = transaction.query_row(stray, [table], |row| row.get::<_, Option<i64>>(0)).optional();
        if let Some(row) = row.map_err(&wrong)? {
            let row = row.map_or_else(String::new, |row| format!(" {row}"));
            return Err(Error::inconsistent(format!("row{row} of table {table} refers to a missing row")));
        }
    }
    transaction.pragma_update(None, "application_id", schema::APPLICATION).map_err(&wrong)?;
    transaction.pragma_update(None, "user_version", schema::VERSION).map_err(&wrong)
}

//! Finds damage that row digests cannot show: missing tables, indexes and triggers, missing rows, and references to them.
//!
//! None of these checks depends on how a database was created. An upgraded database has the same objects as a new one, because both
//! result from the same scripts. Each check is one statement, so it sees one snapshot while others write.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};

use super::schema::{COUNTED, MIGRATIONS, REFERRING};
use crate::store::{AuthorityId, values};

/// The maximum number of invalid references to report for each table.
const REFERENCES: usize = 20;

/// Checks the tables of a version, and the rows that are never deleted.
pub(super) fn check(connection: &Connection, version: i64, tell: &mut dyn FnMut(String)) -> rusqlite::Result<()> {
    check_objects(connection, version, tell)?;
    check_references(connection, tell)?;
    check_ids(connection, "certificate", "certificates", tell)?;
    check_ids(connection, "crl", "CRLs", tell)?;
    check_responses(connection, tell)
}

/// Returns the SQL of each table, index and trigger, by type and name.
fn objects(connection: &Connection) -> rusqlite::Result<BTreeMap<(String, String), String>> {
    // Those of SQLite itself have no SQL.
    let sql =
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let mut statement = connection.prepare(sql)?;
    let read =
        |row: &rusqlite::Row<'_>| Ok(((row.get::<_, String>(0)?, row.get::<_, String>(1)?), row.get::<_, String>(2)?));
    let rows = statement.query_map([], read)?;
    rows.collect()
}

/// Checks that the tables, indexes and triggers of a new database of the same version are present. Others do no harm. A trigger must
/// also have the same SQL. SQLite rewrites that of tables, so these are compared by name.
fn check_objects(connection: &Connection, version: i64, tell: &mut dyn FnMut(String)) -> rusqlite::Result<()> {
    let fresh = Connection::open_in_memory()?;
    fresh.pragma_update(None, "foreign_keys", false)?;
    fresh.pragma_update(None, "legacy_alter_table", true)?;
    for migration in MIGRATIONS.iter().take(usize::try_from(version).unwrap_or(MIGRATIONS.len())) {
        fresh.execute_batch(migration)?;
    }
    let found = objects(connection)?;
    for (object, sql) in objects(&fresh)? {
        let (kind, name) = &object;
        match found.get(&object) {
            None => tell(format!("the {kind} {name} is missing")),
            Some(other) if kind == "trigger" && *other != sql => tell(format!("the {kind} {name} was changed")),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Checks that no row refers to a missing row.
fn check_references(connection: &Connection, tell: &mut dyn FnMut(String)) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT rowid, parent FROM pragma_foreign_key_check (?)")?;
    // Earlier versions have fewer tables.
    let exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
    for table in REFERRING {
        if connection.query_row(exists, [table], |_row| Ok(())).optional()?.is_none() {
            continue;
        }
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, String>(1)?));
        let rows = statement.query_map([table], read)?;
        for found in rows.take(REFERENCES) {
            let (row, parent) = found?;
            let row = row.map_or_else(|| "a row".to_owned(), |row| format!("row {row}"));
            tell(format!("{row} of the table {table} refers to a missing row of the table {parent}"));
        }
    }
    Ok(())
}

/// Checks that the row numbers of a table, which are consecutive, have no gaps. Rows of certificates and CRLs are never deleted.
fn check_ids(
    connection: &Connection,
    table: &str,
    rows_of: &str,
    tell: &mut dyn FnMut(String),
) -> rusqlite::Result<()> {
    let sql = format!("SELECT coalesce(max(id), 0), count(*) FROM {table}");
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
    let (last, count) = connection.query_row(&sql, [], read)?;
    let missing = last.saturating_sub(count);
    if missing > 0 {
        let rows = if missing == 1 { "row was" } else { "rows were" };
        tell(format!("{missing} {rows} deleted from the table of {rows_of}, which has {count} rows of {last}"));
    }
    Ok(())
}

/// Returns what is wrong with the number of a CA's revocations, if anything: some are missing, or the row of a certificate with a
/// revocation says that its status has never changed.
pub(super) fn revocations(connection: &Connection, of: AuthorityId, version: i64) -> rusqlite::Result<Option<String>> {
    let expected =
        if version >= COUNTED { "(SELECT revocation_rows FROM authority WHERE id = ?1)" } else { "count(*)" };
    let sql = format!(
        "SELECT count(*), {expected}, coalesce(sum(c.revision = 0), 0) FROM revocation r \
         JOIN certificate c ON c.id = r.certificate WHERE +c.authority = ?1"
    );
    let read =
        |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, i64>(2)?));
    let (count, expected, unchanged) = connection.prepare_cached(&sql)?.query_row([of.0], read)?;
    let expected = expected.unwrap_or_default();
    Ok(if count != expected {
        Some(format!("the CA has {count} rows of {expected} in the table of revocations"))
    } else if unchanged > 0 {
        Some(format!(
            "the status changes of certificates: {unchanged} rows in the table of revocations are not counted"
        ))
    } else {
        None
    })
}

/// Checks that no OCSP response is about a certificate after the last one. Responses are stored under the numbers of certificates.
fn check_responses(connection: &Connection, tell: &mut dyn FnMut(String)) -> rusqlite::Result<()> {
    let sql = "SELECT (SELECT coalesce(max(id & 0xFFFFFFFFFF), 0) FROM ocsp_response), \
               (SELECT coalesce(max(id), 0) FROM certificate)";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
    let (answered, last) = connection.query_row(sql, [], read)?;
    if answered > last {
        tell(format!(
            "the newest certificates were deleted: an OCSP response is about row {answered}, and the last row is {last}"
        ));
    }
    Ok(())
}

/// Checks that no series has a higher number than the last CRL of all, and that the base of a delta CRL (RFC 5280 §5.2.4) is present.
pub(super) fn check_numbers(
    connection: &Connection,
    of: AuthorityId,
    tell: &mut dyn FnMut(String),
) -> rusqlite::Result<()> {
    let sql = "SELECT max(crl_number, (SELECT coalesce(max(number), 0) FROM crl WHERE authority = ?1)), \
               (SELECT coalesce(max(number), 0) FROM series WHERE authority = ?1) FROM authority WHERE id = ?1";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
    let found = connection.query_row(sql, [of.0], read).optional()?;
    if let Some(Err(what)) = found.map(|(last, highest)| values::check_last_number(last, highest)) {
        tell(what);
    }
    let sql = "SELECT name, base FROM series s WHERE authority = ?1 AND base IS NOT NULL \
               AND NOT EXISTS (SELECT 1 FROM crl WHERE authority = ?1 AND number = s.base)";
    let mut statement = connection.prepare(sql)?;
    for found in statement.query_map([of.0], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))? {
        let (series, base) = found?;
        tell(format!("CRL {base} was deleted, the base of the newest CRL of the series \"{series}\""));
    }
    Ok(())
}

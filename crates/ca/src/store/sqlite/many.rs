//! Many rows by one statement: what a statement does before and after its rows, as keeping the count of an AUTOINCREMENT, it then does
//! once for all of them.

use rusqlite::{CachedStatement, ToSql, Transaction};

use super::is_taken;

/// Rows of a statement.
const ROWS: usize = 16;

/// Takes the values of a row, in the order of the columns.
pub(super) struct Row<'s, 'c> {
    statement: &'s mut CachedStatement<'c>,
    /// How many were taken.
    count: usize,
}

impl Row<'_, '_> {
    pub(super) fn value(&mut self, value: impl ToSql) -> rusqlite::Result<()> {
        self.count += 1;
        self.statement.raw_bind_parameter(self.count, value)
    }
}

/// Adds rows of so many columns: `into` is the statement up to its `VALUES`.
///
/// # Errors
/// What the database says, with the row of which it says it.
pub(super) fn insert<'r, T>(
    transaction: &Transaction<'_>,
    (into, columns): (&str, usize),
    rows: &'r [T],
    mut bind: impl FnMut(&mut Row<'_, '_>, &T) -> rusqlite::Result<()>,
) -> Result<(), (Option<&'r T>, rusqlite::Error)> {
    let of_none = |error| (None, error);
    let row = format!("({})", vec!["?"; columns].join(", "));
    let text = |rows: usize| format!("{into} VALUES {}", vec![row.as_str(); rows].join(", "));
    let mut one = transaction.prepare_cached(&text(1)).map_err(of_none)?;
    let mut singly = |rows: &'r [T], bind: &mut dyn FnMut(&mut Row<'_, '_>, &T) -> rusqlite::Result<()>| {
        rows.iter().try_for_each(|row| {
            bind(&mut Row { statement: &mut one, count: 0 }, row)
                .and_then(|()| one.raw_execute())
                .map_or_else(|error| Err((Some(row), error)), |_count| Ok(()))
        })
    };
    if rows.len() < ROWS {
        return singly(rows, &mut bind);
    }
    let mut all = transaction.prepare_cached(&text(ROWS)).map_err(of_none)?;
    for chunk in rows.chunks(ROWS) {
        let mut together = || {
            let mut values = Row { statement: &mut all, count: 0 };
            chunk.iter().try_for_each(|row| bind(&mut values, row))?;
            all.raw_execute()
        };
        if chunk.len() < ROWS {
            singly(chunk, &mut bind)?;
            continue;
        }
        match together() {
            Ok(_count) => {}
            // Nothing stays of the statement, and all of the transaction: row by row it is seen at which one it is.
            Err(error) if is_taken(&error) => singly(chunk, &mut bind)?,
            Err(error) => return Err((None, error)),
        }
    }
    Ok(())
}

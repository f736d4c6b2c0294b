//! Registers of named deviations: `register/*.tsv`, with one row per item. They are checked in and compared in both
//! directions.
//!
//! `TAGWISE_BLESS=1` rewrites the registers, so that the difference can be reviewed. This can remove rows from a register
//! but not add any. `register/maxima.tsv` contains the maximum number of rows for each register. Rewriting lowers these
//! maxima, and they can only be raised by hand.
//!
//! Rows whose data set is missing are not compared, and remain when the register is rewritten
//! (`tagwise_testing::register`).

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::sets::{Item, What};
use crate::verdict::{Again, Refusal, confirm, hold, judge};
use tagwise_pkix::{Certificate, CertificateList};
use tagwise_testing::register::comparable;

const COLUMNS: &str = "item\ttype\trefused\tpath\toffset\tdeviations\tagain\twhy";

/// Returns the folder that contains the registers.
#[must_use]
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("register")
}

/// Returns whether registers should be rewritten (`TAGWISE_BLESS=1`).
#[must_use]
pub fn blessing() -> bool {
    std::env::var_os("TAGWISE_BLESS").is_some_and(|value| value == "1")
}

/// Returns a table's rows, keyed by the first column, without the header row.
#[must_use]
pub fn rows(name: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder().join(format!("{name}.tsv"))).unwrap_or_default();
    let row = |line: &str| (line.split('\t').next().unwrap().to_owned(), line.to_owned());
    text.lines().skip(1).map(row).collect()
}

/// Writes a table.
pub fn write(name: &str, columns: &str, rows: &BTreeMap<String, String>) {
    let mut text = format!("{columns}\n");
    for row in rows.values() {
        text.push_str(row);
        text.push('\n');
    }
    fs::write(folder().join(format!("{name}.tsv")), text).unwrap();
}

/// Compares a table with its expected content, or rewrites it.
///
/// # Panics
/// Panics if they differ.
pub fn compare(name: &str, columns: &str, found: &BTreeMap<String, String>) {
    let (registered, absent) = comparable(rows(name).into_values());
    let key = |row: String| (row.split('\t').next().unwrap().to_owned(), row);
    let registered: BTreeMap<String, String> = registered.into_iter().map(key).collect();
    if blessing() {
        let absent = absent.into_iter().map(key);
        let found: &BTreeMap<String, String> = &found.clone().into_iter().chain(absent).collect();
        if found.is_empty() {
            // No register is one without rows.
            let _ = fs::remove_file(folder().join(format!("{name}.tsv")));
        } else {
            write(name, columns, found);
        }
        return;
    }
    let mut differences = Vec::new();
    for (key, row) in found {
        if registered.get(key) != Some(row) {
            differences.push(format!("+ {row}"));
        }
    }
    for (key, row) in &registered {
        if found.get(key) != Some(row) {
            differences.push(format!("- {row}"));
        }
    }
    assert!(
        differences.is_empty(),
        "register/{name}.tsv is otherwise (TAGWISE_BLESS=1 rewrites it):\n{}",
        differences.join("\n")
    );
}

/// A refusal as a row.
fn row(item: &Item, refusal: &Refusal) -> String {
    let deviations = match &refusal.deviations {
        None => "none".to_owned(),
        Some(list) => list.iter().map(|(rule, offset)| format!("{rule}@{offset}")).collect::<Vec<_>>().join(" "),
    };
    let again = match refusal.again {
        Again::Same => "same",
        Again::Der => "der",
        Again::Refused => "refused",
        Again::Never => "-",
    };
    let columns = [
        &item.name,
        item.what.name(),
        &refusal.code,
        &refusal.path,
        &refusal.offset.to_string(),
        &deviations,
        again,
        &refusal.why,
    ];
    columns.join("\t")
}

/// Holds one item to everything, and gives its row if strict decoding refuses it.
fn visit(item: &Item) -> Option<String> {
    let refusal = match item.what {
        What::Certificate => {
            hold::<Certificate<'_>>(&item.octets);
            judge::<Certificate<'_>>(&item.octets).err()
        }
        What::CertificateList => {
            hold::<CertificateList<'_>>(&item.octets);
            judge::<CertificateList<'_>>(&item.octets).err()
        }
    }?;
    if let Some(deviations) = &refusal.deviations {
        match item.what {
            What::Certificate => confirm::<Certificate<'_>>(&item.octets, deviations),
            What::CertificateList => confirm::<CertificateList<'_>>(&item.octets, deviations),
        }
    }
    Some(row(item, &refusal))
}

/// Tests every item of a set, and compares the results with the set's register.
///
/// # Panics
/// Panics if an unregistered item is rejected, if a registered item is accepted or rejected in a different way, or if the
/// register is longer than its maximum.
pub fn hold_set(name: &str, items: &[Item]) {
    let mut found = BTreeMap::new();
    for item in items {
        let row = std::panic::catch_unwind(|| visit(item));
        match row {
            Ok(row) => found.extend(row.map(|row| (item.name.clone(), row))),
            Err(cause) => {
                println!("the item at fault: {} of {name}", item.name);
                std::panic::resume_unwind(cause);
            }
        }
    }
    println!("{name}: {} items, {} of them registered", items.len(), found.len());
    keep(name, COLUMNS, &found);
}

/// Compares a table with its expected content, like [`compare`], and with its maximum number of rows.
///
/// # Panics
/// Panics if they differ, or there are more rows.
pub fn keep(name: &str, columns: &str, found: &BTreeMap<String, String>) {
    compare(name, columns, found);
    let mut maxima = rows("maxima");
    let maximum = maxima.get(name).and_then(|row| row.split('\t').nth(1)?.parse().ok()).unwrap_or(0);
    assert!(found.len() <= maximum, "register/maxima.tsv allows {name} {maximum} rows, and there are {}", found.len());
    if blessing() && found.len() < maximum {
        maxima.insert(name.to_owned(), format!("{name}\t{}", found.len()));
        write("maxima", "set\trows", &maxima);
    }
}

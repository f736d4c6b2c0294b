//! The reference of all columns, generated from the table.

use core::fmt::Write;

use arrow_schema::DataType;

use crate::column::{Column, Get};
use crate::errors;
use crate::kind::Kind;
use crate::options::Options;

/// Returns the reference page of all columns, in Markdown.
///
/// ```
/// assert!(tagwise_columns::reference().contains("| `not_after` | timestamp | end of validity, inclusive |"));
/// ```
#[must_use]
pub fn reference() -> String {
    let mut page = String::new();
    for kind in Kind::ALL {
        let _ = writeln!(page, "### {}\n\n| Column | Type | Contents |\n|---|---|---|", title(*kind));
        for column in kind.columns() {
            row(&mut page, "", column);
            if let Get::Rows(columns, _) = &column.get {
                columns.iter().for_each(|inner| row(&mut page, &format!("{}[].", column.name), inner));
            }
        }
        page.push('\n');
    }
    page.push_str("### Errors\n\n| Column | Type | Contents |\n|---|---|---|\n");
    let about = "error of a malformed row, or null";
    let _ = writeln!(page, "| `{}` | structure | {about} |", errors::NAME);
    for (name, about) in errors::FIELDS {
        let kind = if name == "offset" { "integer" } else { "text" };
        let _ = writeln!(page, "| `{}.{name}` | {kind} | {about} |", errors::NAME);
    }
    page
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Certificate => "Certificates",
        Kind::Crl => "CRLs",
        Kind::Request => "Certification requests",
        Kind::Ocsp => "OCSP responses",
        Kind::Cms => "CMS messages",
        Kind::LogEntry => "Entries of Merkle Tree Certificate logs",
    }
}

fn row(page: &mut String, prefix: &str, column: &Column) {
    let name = type_name(&column.data_type(&Options::default().plain(true)));
    let _ = writeln!(page, "| `{prefix}{}` | {name} | {} |", column.name, column.about);
}

fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Boolean => "boolean",
        DataType::Int32 | DataType::Int64 => "integer",
        DataType::Timestamp(..) => "timestamp",
        DataType::Binary => "binary",
        DataType::List(item) if item.data_type() == &DataType::Utf8 => "list of texts",
        DataType::List(_) => "list of structures",
        _ => "text",
    }
}

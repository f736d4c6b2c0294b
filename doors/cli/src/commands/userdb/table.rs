//! Human-readable output of records.

use std::io::{self, Write};

use anstyle::Style;
use serde::Serialize;
use tagwise_pkix::name::visible;
use tagwise_userdb::{Disposition, GroupRecord, UserRecord};

use crate::shared::output::Failure;

/// Writes a user, with one line per field.
pub(super) fn user(record: &UserRecord, color: bool, out: &mut dyn Write) -> io::Result<()> {
    heading("user", &record.user_name, color, out)?;
    field("Name", record.real_name.as_deref(), out)?;
    field("Kind", record.kind().map(kind), out)?;
    field("Number", record.uid, out)?;
    field("Group", record.gid, out)?;
    field("Member of", list(&record.member_of), out)?;
    field("Also called", list(&record.aliases), out)?;
    field("Realm", record.realm.as_deref(), out)?;
    field("Home", record.home_directory.as_deref(), out)?;
    field("Shell", record.shell.as_deref(), out)?;
    field("Mail", record.email_address.as_deref(), out)?;
    field("Locked", record.locked.filter(|locked| *locked).map(|_| "yes"), out)?;
    field("Service", record.service.as_deref(), out)?;
    let hidden = record.privileged.is_some() || record.incomplete;
    field(
        "Privileged",
        hidden.then_some(if record.incomplete { "withheld by the service" } else { "present, not shown" }),
        out,
    )?;
    field("Also has", list(&record.rest.keys().cloned().collect::<Vec<_>>()), out)
}

/// Writes a group, with one line per field.
pub(super) fn group(record: &GroupRecord, color: bool, out: &mut dyn Write) -> io::Result<()> {
    heading("group", &record.group_name, color, out)?;
    field("About", record.description.as_deref(), out)?;
    field("Kind", record.kind().map(kind), out)?;
    field("Number", record.gid, out)?;
    field("Members", list(&record.members), out)?;
    field("Administrators", list(&record.administrators), out)?;
    field("Service", record.service.as_deref(), out)?;
    field("Also has", list(&record.rest.keys().cloned().collect::<Vec<_>>()), out)
}

fn heading(what: &str, name: &str, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let style = if color { Style::new().bold() } else { Style::new() };
    writeln!(out, "{style}{what} {}{style:#}", visible(name))
}

fn field(name: &str, value: Option<impl std::fmt::Display>, out: &mut dyn Write) -> io::Result<()> {
    match value {
        Some(value) => writeln!(out, "  {name:<15} {}", visible(&value)),
        None => Ok(()),
    }
}

fn list(items: &[String]) -> Option<String> {
    (!items.is_empty()).then(|| items.join(", "))
}

/// Returns the name of a kind of user or group.
pub(super) const fn kind(kind: Disposition) -> &'static str {
    match kind {
        Disposition::Intrinsic => "intrinsic",
        Disposition::System => "system",
        Disposition::Dynamic => "dynamic",
        Disposition::Regular => "regular",
        Disposition::Container => "container",
        Disposition::Reserved => "reserved",
        Disposition::Foreign => "foreign",
        _ => "unknown",
    }
}

/// Writes rows in columns. The first row is the heading.
pub(super) fn columns(rows: &[Vec<String>], color: bool, out: &mut dyn Write) -> io::Result<()> {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    for (number, row) in rows.iter().enumerate() {
        let style = if color && number == 0 { Style::new().bold() } else { Style::new() };
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            line += cell;
            let missing = width(column).unwrap_or(0).saturating_sub(cell.chars().count());
            line += &" ".repeat(missing + 2);
        }
        writeln!(out, "{style}{}{style:#}", line.trim_end())?;
    }
    Ok(())
}

/// Formats a table cell: the value in printable form, or an empty cell.
pub(super) fn cell(value: Option<impl std::fmt::Display>) -> String {
    value.map(|value| visible(&value).to_string()).unwrap_or_default()
}

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'static str,
    #[serde(flatten)]
    content: &'a T,
}

/// Writes a JSON document.
pub(super) fn json(schema: &'static str, content: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, &Document { schema, content }).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

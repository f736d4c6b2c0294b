//! Generated files: written to a folder, or compared with the existing files.

use std::io::{self, Write};

use tagwise_codegen::{Error, Output};
use tagwise_pkix::name::visible;

use crate::shared::output::{name_of, reason};

/// Writes files to a folder, or reports which ones would change.
pub(crate) fn deliver(
    output: &Output,
    folder: &std::path::Path,
    check: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    for line in output.errors.lines() {
        writeln!(err, "{}", shown(line))?;
    }
    for note in &output.notes {
        writeln!(err, "note: {}", visible(&note))?;
    }
    let changes = if check { output.changes(folder) } else { output.write(folder) };
    match changes {
        Ok(changes) => {
            for (name, change) in &changes {
                let path = name_of(&folder.join(name));
                match (check, change) {
                    (true, change) => writeln!(out, "{change}: {path}")?,
                    (false, tagwise_codegen::Change::Left) => writeln!(out, "removed: {path}")?,
                    (false, _) => writeln!(out, "written: {path}")?,
                }
            }
            Ok(u8::from((check && !changes.is_empty()) || !output.errors.is_empty()))
        }
        Err(error) => failed(&error, err),
    }
}

/// Makes unprintable characters in a line of an error visible. Tabs are kept in lines of modules, because markers below are aligned with
/// them.
fn shown(line: &str) -> String {
    line.split('\t').map(|part| visible(&part).to_string()).collect::<Vec<_>>().join("\t")
}

/// Reports an error and returns the exit code.
pub(crate) fn failed(error: &Error, err: &mut dyn Write) -> io::Result<u8> {
    match error {
        Error::Io(path, error) => {
            writeln!(err, "tagwise: {}: cannot be read or written: {}", name_of(path), reason(error))?;
            Ok(3)
        }
        _ => {
            // Line by line: modules may hold anything.
            for line in error.to_string().lines() {
                writeln!(err, "{}", shown(line))?;
            }
            Ok(1)
        }
    }
}

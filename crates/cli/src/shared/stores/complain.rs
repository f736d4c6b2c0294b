//! Words for files that could not be read or hold nothing.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use tagwise_pkix::name::visible;
use tagwise_store::{Contents, Form, Place};

use super::sources::{ReadFile, place_text};
use crate::shared::outcome::Outcome;

/// Reason why a file has nothing to look at.
pub(crate) fn nothing(contents: &Contents<'_>) -> String {
    match (contents.form(), contents.foreign()) {
        (Form::Unknown, _) => "no form that certificates come in".to_owned(),
        (_, Some(foreign)) => visible(foreign).to_string(),
        (form, None) => format!("no certificate and no CRL in this {}", form.name()),
    }
}

/// Says what could not be read, and which file that was named holds nothing.
pub(crate) fn complain(files: &[ReadFile<'_>], outcome: &mut Outcome, err: &mut dyn Write) -> io::Result<()> {
    for file in files {
        match &file.contents {
            Ok(contents) => {
                for failure in contents.failures() {
                    outcome.negative = true;
                    let place = place_text(file.name, &failure.place);
                    writeln!(err, "tagwise: {place}: {} ({})", visible(&failure.message), failure.code)?;
                }
                // A file that was named is asked about.
                if file.named && contents.is_empty() && contents.failures().len() == 0 {
                    outcome.negative = true;
                    writeln!(err, "tagwise: {}: {}", file.name, nothing(contents))?;
                }
            }
            Err(message) => {
                outcome.unreadable = true;
                writeln!(err, "tagwise: {}: {message}", file.name)?;
            }
        }
    }
    Ok(())
}

/// The keys that say where something is.
pub(crate) fn place<M: SerializeMap>(map: &mut M, file: &str, place: &Place<'_>) -> Result<(), M::Error> {
    map.serialize_entry("file", file)?;
    map.serialize_entry("entry", &place.entry)?;
    map.serialize_entry("offset", &place.offset)?;
    map.serialize_entry("line", &place.line)
}

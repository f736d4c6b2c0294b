//! Messages about files that could not be read, or that contain no certificate and no CRL.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use tagwise_pkix::name::visible;
use tagwise_store::{Contents, ContentsPlace, Failure, InputForm};

use super::skipped::{Reason, Skipped};
use super::sources::ReadFile;
use crate::shared::outcome::Outcome;
use crate::shared::parts_read::place_text;

/// Returns the reason why a file contains no certificate or CRL, with its description.
fn nothing(contents: &Contents<'_>) -> (Reason, String) {
    let (reason, words) = match contents.form() {
        InputForm::Unknown => (Reason::Unknown, "no certificate, CRL or known container found".to_owned()),
        InputForm::Text => (Reason::Nothing, "no certificate or CRL found in this text".to_owned()),
        form => (Reason::Nothing, format!("no certificate or CRL in this {}", form.name())),
    };
    match contents.foreign() {
        Some(foreign) => (Reason::Nothing, visible(foreign).to_string()),
        None => (reason, words),
    }
}

/// A message about a file.
pub(crate) enum Said<'f> {
    /// A part of the file could not be read.
    Part(Failure<'f>),
    /// The whole file could not be read.
    File(String),
    /// The file was named on the command line, but contains no certificate and no CRL.
    Nothing(String),
}

/// Finds the unreadable parts of a file and counts them as skipped if they have no result. Returns the messages to print.
pub(crate) fn examine<'f>(file: &'f ReadFile<'_>, skipped: &mut Skipped, outcome: &mut Outcome) -> Vec<Said<'f>> {
    let contents = match &file.contents {
        Ok(contents) => contents,
        Err((reason, message)) => {
            let fails = skipped.add(file.name, *reason);
            outcome.unreadable |= fails;
            return if *reason == Reason::Unreadable { vec![Said::File(message.clone())] } else { Vec::new() };
        }
    };
    let mut said = Vec::new();
    let mut closed = None;
    for failure in contents.failures() {
        match failure.code {
            "keystore" => closed = Some(Reason::Keystore),
            "not-opened" => closed = closed.or(Some(Reason::NotOpened)),
            _ => {
                outcome.negative = true;
                skipped.add_malformed(file.name, &failure.place, &failure.message);
            }
        }
        said.push(Said::Part(failure));
    }
    if let Some(reason) = closed {
        outcome.negative |= skipped.add(file.name, reason);
    } else if contents.is_empty() && said.is_empty() {
        let (reason, words) = nothing(contents);
        skipped.add(file.name, reason);
        // A file that was named is asked about.
        if file.named {
            outcome.negative = true;
            said.push(Said::Nothing(words));
        }
    }
    said
}

impl Said<'_> {
    /// Writes the message as one line.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn text(&self, name: &str, err: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Part(failure) => {
                let place = place_text(name, &failure.place);
                writeln!(err, "tagwise: {place}: {} ({})", visible(&failure.message), failure.code)
            }
            Self::File(message) | Self::Nothing(message) => writeln!(err, "tagwise: {name}: {message}"),
        }
    }
}

/// Reports the files and parts that could not be read, and the named files that contain no certificate and no CRL.
pub(crate) fn complain(
    files: &[ReadFile<'_>],
    skipped: &mut Skipped,
    outcome: &mut Outcome,
    err: &mut dyn Write,
) -> io::Result<()> {
    for file in files {
        for said in examine(file, skipped, outcome) {
            said.text(file.name, err)?;
        }
    }
    Ok(())
}

/// Writes the keys of a location to a JSON object.
pub(crate) fn place<M: SerializeMap>(map: &mut M, file: &str, place: &ContentsPlace<'_>) -> Result<(), M::Error> {
    map.serialize_entry("file", file)?;
    map.serialize_entry("entry", &place.entry)?;
    map.serialize_entry("offset", &place.offset)?;
    map.serialize_entry("line", &place.line)
}

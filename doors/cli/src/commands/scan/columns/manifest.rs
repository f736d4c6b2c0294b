//! The manifest of a folder with parts: one JSON value on a line for the command, each complete part, and the end.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tagwise_codec::text::hex;
use tagwise_columns::arrow_schema::SchemaRef;

use crate::shared::columns::part::{Format, Part};
use crate::shared::outcome::Outcome;
use crate::shared::output::{Failure, name_of};
use crate::shared::stores::sources::Source;

/// Readers of datasets ignore files whose names begin with an underscore.
const NAME: &str = "_manifest.ndjson";
/// The file with the fingerprints of all rows, for `--unique`.
const SEEN: &str = "_seen.sha256";
const SCHEMA: &str = "tagwise-scan-parts/1";

/// The command whose result the folder contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) rows: String,
    pub(super) columns: Vec<String>,
    /// The column that is read, if the inputs are tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) column: Option<String>,
    pub(super) unique: bool,
    pub(super) partial: bool,
    pub(super) paths: Vec<String>,
}

/// A position in the input: the number of files before it, and of items before it in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) files: usize,
    pub(super) items: usize,
}

/// True if errors in the inputs were reported, up to a line of the manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Reported {
    /// True if a part of an input was malformed.
    #[serde(default)]
    negative: bool,
    /// True if a file could not be read.
    #[serde(default)]
    unreadable: bool,
}

impl From<Outcome> for Reported {
    fn from(outcome: Outcome) -> Self {
        Self { negative: outcome.negative, unreadable: outcome.unreadable }
    }
}

/// A line of the manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Start {
        schema: String,
        #[serde(flatten)]
        header: Header,
    },
    Part {
        part: String,
        /// The size of the part, in bytes.
        size: u64,
        rows: u64,
        malformed: u64,
        #[serde(flatten)]
        until: Position,
        /// SHA-256 of the names, sizes and times of the files up to the position.
        inputs: String,
        #[serde(flatten)]
        reported: Reported,
    },
    End {
        complete: bool,
        /// The digest of all files.
        inputs: String,
        #[serde(flatten)]
        reported: Reported,
    },
}

pub(super) struct Manifest {
    folder: PathBuf,
    format: Format,
    log: File,
    parts: usize,
    rows: u64,
    malformed: u64,
    position: Position,
    inputs: Option<String>,
    complete: bool,
    reported: Reported,
}

impl Manifest {
    /// Opens the manifest of a folder, or creates both.
    pub(super) fn open(folder: &Path, header: Header) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::file(folder, "written", &error);
        fs::create_dir_all(folder).map_err(failed)?;
        let path = folder.join(NAME);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Failure::file(&path, "read", &error)),
        };
        // A line without its end was being written when the command was killed.
        let end = text.iter().rposition(|octet| *octet == b'\n').map_or(0, |last| last + 1);
        let text = text.get(..end).unwrap_or_default();
        if text.is_empty()
            && fs::read_dir(folder).map_err(failed)?.any(|entry| entry.is_ok_and(|entry| entry.file_name() != NAME))
        {
            let name = name_of(folder);
            return Err(Failure::usage(format!("{name} contains other files, expected a new or empty folder")));
        }
        let log = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let mut log = log.map_err(|error| Failure::file(&path, "written", &error))?;
        let placed = log.set_len(end as u64).and_then(|()| io::Seek::seek(&mut log, io::SeekFrom::End(0)));
        placed.map_err(|error| Failure::file(&path, "written", &error))?;
        let mut manifest = Self {
            folder: folder.to_owned(),
            format: header.format,
            log,
            parts: 0,
            rows: 0,
            malformed: 0,
            position: Position::default(),
            inputs: None,
            complete: false,
            reported: Reported::default(),
        };
        if text.is_empty() {
            manifest.add(&Line::Start { schema: SCHEMA.to_owned(), header })?;
            return Ok(manifest);
        }
        for (number, line) in text.split(|octet| *octet == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            let line = serde_json::from_slice::<Line>(line).map_err(|error| {
                Failure::negative(format!("{}: malformed line {}: {error}", name_of(&path), number + 1))
            })?;
            manifest.take(line, number, &header)?;
        }
        Ok(manifest)
    }

    /// Takes over a line of the existing manifest.
    fn take(&mut self, line: Line, number: usize, header: &Header) -> Result<(), Failure> {
        match line {
            Line::Start { schema, header: found } if number == 0 && schema == SCHEMA && found == *header => Ok(()),
            Line::Part { part, size, rows, malformed, until, inputs, reported } if number > 0 => {
                self.check_part(&part, size)?;
                self.parts += 1;
                self.rows += rows;
                self.malformed += malformed;
                self.position = until;
                self.inputs = Some(inputs);
                self.reported = reported;
                Ok(())
            }
            Line::End { complete, inputs, reported } if number > 0 => {
                self.complete = complete;
                self.inputs = Some(inputs);
                self.reported = reported;
                Ok(())
            }
            _ => {
                let name = name_of(&self.folder);
                Err(Failure::usage(format!(
                    "{name} contains the result of another command, expected the same paths and options, or a new folder"
                )))
            }
        }
    }

    /// Checks that a complete part is still there, with its size.
    fn check_part(&self, name: &str, size: u64) -> Result<(), Failure> {
        let path = self.folder.join(name);
        match fs::metadata(&path) {
            Ok(found) if found.len() == size => Ok(()),
            Ok(found) => Err(Failure::file(
                &path,
                "used",
                &io::Error::other(format!(
                    "it has {} bytes, expected {size}; delete the folder to begin anew",
                    found.len()
                )),
            )),
            Err(error) => Err(Failure::file(&path, "read", &error)),
        }
    }

    fn add(&mut self, line: &Line) -> Result<(), Failure> {
        let mut text = serde_json::to_string(line).map_err(|error| Failure::Output(io::Error::other(error)))?;
        text.push('\n');
        let written = self.log.write_all(text.as_bytes()).and_then(|()| self.log.sync_all());
        written.map_err(|error| Failure::file(&self.folder.join(NAME), "written", &error))
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the position after the last complete part.
    pub(super) const fn position(&self) -> Position {
        self.position
    }

    /// Returns the numbers of rows and of malformed rows.
    pub(super) const fn totals(&self) -> (u64, u64) {
        (self.rows, self.malformed)
    }

    /// Returns the outcome of earlier runs, up to the position after the last complete part.
    pub(super) fn outcome(&self) -> Outcome {
        let Reported { negative, unreadable } = self.reported;
        Outcome { negative, unreadable, ..Outcome::default() }
    }

    /// Returns the number of complete parts.
    pub(super) const fn parts(&self) -> usize {
        self.parts
    }

    /// Checks that the files before the position are the same as before, or all files if the result is complete.
    pub(super) fn check(&self, sources: &[Source]) -> Result<(), Failure> {
        let position = if self.complete { all(sources) } else { self.position };
        match &self.inputs {
            Some(inputs) if *inputs != digest(position, sources) => {
                let name = name_of(&self.folder);
                Err(Failure::usage(format!("the inputs have changed since {name} was begun, expected the same files")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the fingerprints of all rows in complete parts.
    pub(super) fn seen(&self) -> Result<HashSet<[u8; 32]>, Failure> {
        let path = self.folder.join(SEEN);
        let octets = match fs::read(&path) {
            Ok(octets) => octets,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Failure::file(&path, "read", &error)),
        };
        let rows = usize::try_from(self.rows).unwrap_or(usize::MAX);
        let seen: HashSet<[u8; 32]> = octets.as_chunks().0.iter().take(rows).copied().collect();
        if seen.len() == rows {
            return Ok(seen);
        }
        Err(Failure::negative(format!("{}: expected {rows} fingerprints, found {}", name_of(&path), seen.len())))
    }

    /// Creates the next part.
    pub(super) fn part(&self, schema: &SchemaRef, memory: usize) -> Result<Part, Failure> {
        let name = format!("part-{:05}.{}", self.parts, self.format.extension());
        Part::create(self.format, self.folder.join(name), schema, memory)
    }

    /// Ends a part and records it.
    pub(super) fn close(
        &mut self,
        mut part: Part,
        until: Position,
        outcome: Outcome,
        sources: &[Source],
    ) -> Result<(), Failure> {
        let (rows, malformed) = (part.rows() as u64, part.malformed as u64);
        let prints = std::mem::take(&mut part.prints);
        let path = part.finish()?;
        if !prints.is_empty() {
            self.record(prints.as_flattened())?;
        }
        // The directory entry must survive a crash as well.
        if let Ok(folder) = File::open(&self.folder) {
            let _ = folder.sync_all();
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let size = fs::metadata(&path).map_err(|error| Failure::file(&path, "read", &error))?.len();
        let (inputs, reported) = (digest(until, sources), outcome.into());
        self.add(&Line::Part { part: name, size, rows, malformed, until, inputs, reported })?;
        self.parts += 1;
        self.rows += rows;
        self.malformed += malformed;
        self.position = until;
        Ok(())
    }

    /// Adds fingerprints after those of the complete parts.
    fn record(&self, prints: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(SEEN);
        let write = || -> io::Result<()> {
            let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            file.set_len(self.rows.saturating_mul(32))?;
            io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
            file.write_all(prints)?;
            file.sync_all()
        };
        write().map_err(|error| Failure::file(&path, "written", &error))
    }

    pub(super) fn complete(&mut self, outcome: Outcome, sources: &[Source]) -> Result<(), Failure> {
        self.complete = true;
        let (inputs, reported) = (digest(all(sources), sources), outcome.into());
        self.add(&Line::End { complete: true, inputs, reported })
    }
}

/// Returns the position after all files.
const fn all(sources: &[Source]) -> Position {
    Position { files: sources.len(), items: 0 }
}

/// Returns the digest of the files before a position, and of the file that contains it.
fn digest(position: Position, sources: &[Source]) -> String {
    let count = position.files.saturating_add(usize::from(position.items > 0));
    let mut hash = Sha256::new();
    for source in sources.iter().take(count) {
        hash.update(source.stamp());
    }
    hex::encode(&hash.finalize())
}

//! Files without a result, counted by reason. No file is skipped silently.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use tagwise_store::ContentsPlace;

/// The reason why a file has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// A keystore that requires a password or has an unsupported format.
    Keystore,
    /// An archive or compressed file in an unsupported format.
    NotOpened,
    /// A file that this user is not permitted to read.
    Unreadable,
    /// A file that contains no certificate and no CRL.
    Nothing,
    /// A file whose format is not recognized.
    Unknown,
    /// A FIFO, socket or device.
    Special,
    /// A link whose target does not exist.
    BrokenLink,
    /// A link to a folder. Such links are not followed.
    FolderLink,
}

impl Reason {
    /// Returns the name of the reason in JSON.
    const fn name(self) -> &'static str {
        match self {
            Self::Keystore => "keystore",
            Self::NotOpened => "not-opened",
            Self::Unreadable => "unreadable",
            Self::Nothing => "no-certificate",
            Self::Unknown => "unknown-format",
            Self::Special => "special-file",
            Self::BrokenLink => "broken-link",
            Self::FolderLink => "folder-link",
        }
    }

    /// Returns the description of the reason.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Keystore => "keystore not opened",
            Self::NotOpened => "archive not opened",
            Self::Unreadable => "not readable",
            Self::Nothing => "without certificates or CRLs",
            Self::Unknown => "in an unknown format",
            Self::Special => "FIFO, socket or device",
            Self::BrokenLink => "broken link",
            Self::FolderLink => "link to a folder",
        }
    }

    /// Returns whether certificates may have been missed.
    const fn is_loss(self) -> bool {
        matches!(self, Self::Keystore | Self::NotOpened | Self::Unreadable)
    }
}

/// The maximum number of files to list in JSON. All are counted.
const LISTED: usize = 10_000;

/// The files without a result, counted by reason.
#[derive(Debug)]
pub(crate) struct Skipped {
    /// True if keystores, unopened archives and unreadable files may be skipped.
    allowed: bool,
    /// The number of parts of files that are malformed.
    malformed: u64,
    counts: BTreeMap<Reason, u64>,
    files: Vec<(String, Reason)>,
    malformed_files: Vec<Malformed>,
}

/// A malformed part of a file.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Malformed {
    file: String,
    entry: Option<String>,
    offset: usize,
    line: Option<usize>,
    message: String,
}

impl Skipped {
    pub(super) const fn new(allowed: bool) -> Self {
        Self { allowed, malformed: 0, counts: BTreeMap::new(), files: Vec::new(), malformed_files: Vec::new() }
    }

    /// Counts a file. Returns whether the file makes the command fail.
    pub(crate) fn add(&mut self, file: &str, reason: Reason) -> bool {
        *self.counts.entry(reason).or_default() += 1;
        if self.files.len() < LISTED {
            self.files.push((file.to_owned(), reason));
        }
        reason.is_loss() && !self.allowed
    }

    /// Counts a malformed part of a file.
    pub(crate) fn add_malformed(&mut self, file: &str, place: &ContentsPlace<'_>, error: &dyn Display) {
        self.malformed = self.malformed.saturating_add(1);
        if self.malformed_files.len() < LISTED {
            self.malformed_files.push(Malformed {
                file: file.to_owned(),
                entry: place.entry.map(str::to_owned),
                offset: place.offset,
                line: place.line,
                message: error.to_string(),
            });
        }
    }

    /// Returns the number of malformed parts of files.
    pub(crate) const fn malformed(&self) -> u64 {
        self.malformed
    }

    /// Returns the malformed parts of files, at most the first 10,000.
    pub(crate) fn malformed_files(&self) -> &[Malformed] {
        &self.malformed_files
    }

    /// Returns whether certificates may have been missed.
    pub(crate) fn is_loss(&self) -> bool {
        self.malformed > 0 || self.counts.keys().any(|reason| reason.is_loss())
    }

    /// Returns the counts by reason: the reason's name in JSON, and the number of files.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.counts.iter().map(|(reason, count)| (reason.name(), *count))
    }

    /// Writes a line with the counts, if there are any.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let count: u64 = self.counts.values().sum();
        if count == 0 {
            return Ok(());
        }
        let parts: Vec<String> =
            self.counts.iter().map(|(reason, count)| format!("{count} {}", reason.words())).collect();
        writeln!(out, "skipped {count} file{}: {}", if count == 1 { "" } else { "s" }, parts.join(", "))
    }

    /// Adds the counts and the files to a JSON document.
    ///
    /// # Errors
    /// Returns any error of the serializer.
    pub(crate) fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let counts: BTreeMap<&str, u64> = self.counts.iter().map(|(reason, count)| (reason.name(), *count)).collect();
        map.serialize_entry("skipped", &counts)?;
        let files: Vec<File<'_>> = self.files.iter().map(|(file, reason)| File(file, *reason)).collect();
        map.serialize_entry("skipped_files", &files)
    }
}

struct File<'s>(&'s str, Reason);

impl Serialize for File<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("file", self.0)?;
        map.serialize_entry("reason", self.1.name())?;
        map.end()
    }
}

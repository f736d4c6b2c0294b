//! An auditor, which follows a log and rebuilds its tree from the entries. It stores only the tree's right edge.

use core::fmt;
use std::io::Read;

use tagwise_codec::text::{base64, hex};
use tagwise_codec::{Reader, Tag};
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::note::{Checkpoint, Note, NoteKey};
use tagwise_mtc::tile::{self, TileKind, TilePath, WIDTH};
use tagwise_mtc::tree::Frontier;
use tagwise_mtc::{EntryContent, Hash, LogEntry, TbsCertificateLogEntry, TrustAnchorId, hash};
use tagwise_pkix::Extensions;
use tagwise_pkix::ext::{GeneralName, SubjectAltName};

use crate::above::{Above, makes_edge};
use crate::error::Error;
use crate::log::Log;
use crate::publish;

/// A source of a log's resources: HTTP, a directory, or the log itself.
pub trait LogSource {
    /// Returns a resource by its path below the log's prefix, such as `checkpoint` or `tile/0/000`.
    ///
    /// # Errors
    /// Returns any error from the source.
    fn get(&self, path: &str) -> Result<Vec<u8>, Error>;
}

impl LogSource for Log {
    fn get(&self, path: &str) -> Result<Vec<u8>, Error> {
        let last = self.last_checkpoint()?.ok_or(Error::Missing("checkpoint"))?;
        match path {
            "checkpoint" => Ok(last.note.into_bytes()),
            path => publish::tile_bytes(self, &TilePath::parse(path)?, last.size),
        }
    }
}

/// The maximum size of a file, in bytes. A bundle of 256 entries of maximum length has half of this size.
const MAX_FILE: u64 = 32 << 20;

impl LogSource for std::path::Path {
    fn get(&self, path: &str) -> Result<Vec<u8>, Error> {
        let failed = |error: std::io::Error| Error::store("reading a file")(error.into());
        let path = self.join(path);
        // Checked before opening, because opening a FIFO would wait for a writer.
        if !std::fs::metadata(&path).map_err(failed)?.is_file() {
            let what = format!("{}: it is not a regular file", path.display());
            return Err(Error::store("reading a file")(what.into()));
        }
        let mut octets = Vec::new();
        let file = std::fs::File::open(&path).map_err(failed)?;
        file.take(MAX_FILE + 1).read_to_end(&mut octets).map_err(failed)?;
        if octets.len() as u64 > MAX_FILE {
            let what = format!("{}: it is larger than any file in a log can be", path.display());
            return Err(Error::store("reading a file")(what.into()));
        }
        Ok(octets)
    }
}

/// An auditor's state: the log's name and key, and its tree so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auditor {
    key: NoteKey,
    origin: String,
    edge: Frontier,
}

/// An audit failure: the log has violated its guarantees, or does not serve required data.
#[derive(Debug)]
#[non_exhaustive]
pub enum AuditError {
    /// The source failed.
    Source(Error),
    /// The checkpoint is malformed, or from another log.
    Checkpoint(String),
    /// The checkpoint does not have a valid signature by the CA.
    Signature,
    /// The checkpoint's tree is smaller than the previous one.
    Shrunk {
        /// The previous tree size.
        from: u64,
        /// The current tree size.
        to: u64,
    },
    /// The root has changed at the same size, or the entries do not match the checkpoint's root.
    Fork {
        /// The tree size.
        size: u64,
        /// The root in the signed checkpoint.
        signed: Hash,
        /// The root computed from the entries.
        found: Hash,
    },
    /// An entry is malformed, or has an unknown type or a different issuer.
    Entry {
        /// The entry's index.
        index: u64,
        /// The decoding error.
        error: tagwise_mtc::Error,
    },
    /// A tile does not match the entries.
    Tile(TilePath),
    /// The stored state is malformed.
    State,
}

impl From<Error> for AuditError {
    fn from(error: Error) -> Self {
        Self::Source(error)
    }
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Checkpoint(why) => write!(f, "the checkpoint {why}"),
            Self::Signature => f.write_str("the checkpoint has no valid signature of the CA"),
            Self::Shrunk { from, to } => write!(f, "the log had {from} entries and now has only {to}"),
            Self::Fork { size, signed, found } => write!(
                f,
                "the signed root of size {size} is {}, but the root of the entries is {}",
                hex::encode(signed),
                hex::encode(found)
            ),
            Self::Entry { index, error } => write!(f, "entry {index}: {error}"),
            Self::Tile(path) => write!(f, "{path} does not match the entries"),
            Self::State => f.write_str("the saved state is malformed"),
        }
    }
}

impl std::error::Error for AuditError {}

/// The result of an audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// The tree size of the previous checkpoint.
    pub from: u64,
    /// The tree size of the current checkpoint.
    pub to: u64,
    /// The number of new certificate entries.
    pub certificates: u64,
    /// The number of new null entries.
    pub nulls: u64,
    /// The number of hash tiles compared.
    pub tiles: u64,
}

/// An entry passed to an audit's visitor.
#[derive(Clone, Copy, Debug)]
pub struct AuditedEntry<'a> {
    /// The entry's index in the log.
    pub index: u64,
    /// The certificate fields of the entry.
    pub fields: &'a TbsCertificateLogEntry<'a>,
}

impl AuditedEntry<'_> {
    /// Returns the DNS names among the subject alternative names.
    ///
    /// # Errors
    /// Returns any DER error.
    pub fn dns_names(&self) -> Result<Vec<String>, Error> {
        let der = |error: tagwise_codec::Fault| Error::Format(error.into());
        let mut reader = Reader::new(self.fields.rest).map_err(der)?;
        let tag = Tag::context(3).constructed();
        while !reader.is_empty() && !reader.at(tag) {
            reader.skip().map_err(der)?;
        }
        if reader.is_empty() {
            return Ok(Vec::new());
        }
        let len = reader.expect(tag).map_err(der)?;
        let explicit = reader.enter(len).map_err(der)?;
        let list: Extensions<'_> = reader.read().map_err(der)?;
        reader.leave(explicit).map_err(der)?;
        let names = list.get::<SubjectAltName<'_>>();
        let names = names.map_err(|error| Error::store("reading an entry's names")(error.into()))?;
        let names = names.iter().flat_map(|names| names.0.iter()).map_while(Result::ok);
        Ok(names
            .filter_map(|name| match name {
                GeneralName::DnsName(name) => Some(name.to_string()),
                _ => None,
            })
            .collect())
    }
}

impl Auditor {
    /// Creates an auditor that follows a log from its beginning, given the log's name and the key of the CA's cosigner.
    #[must_use]
    pub const fn new(origin: String, key: NoteKey) -> Self {
        Self { key, origin, edge: Frontier::new() }
    }

    /// Returns the number of entries seen.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.edge.size()
    }

    /// Follows the log to its latest checkpoint. All new entries are hashed, passed to `see`, and compared with the hash tiles.
    /// The resulting root must match the signed root. The state changes only on success.
    ///
    /// # Errors
    /// Returns an [`AuditError`] if the source fails or the log violates its guarantees.
    pub fn follow(
        &mut self,
        source: &(impl LogSource + ?Sized),
        check: &BackendCheck<'_>,
        see: &mut dyn FnMut(AuditedEntry<'_>),
    ) -> Result<AuditReport, AuditError> {
        let note = source.get("checkpoint")?;
        let note = String::from_utf8(note).map_err(|error| AuditError::Checkpoint(format!("is not text: {error}")))?;
        let note =
            Note::parse(&note).map_err(|error| AuditError::Checkpoint(format!("is not a signed note: {error}")))?;
        let checkpoint =
            Checkpoint::parse(note.text()).map_err(|error| AuditError::Checkpoint(format!("is malformed: {error}")))?;
        if checkpoint.origin != self.origin {
            let (found, expected) = (checkpoint.origin, &self.origin);
            return Err(AuditError::Checkpoint(format!("belongs to a different log: {found}, expected {expected}")));
        }
        let signed = match self.key.verify(&note, check) {
            Ok(signed) => signed.is_some(),
            // MTC §5.3, C2SP tlog-cosignature: with timestamp 0, the CA has signed the same tree without stating a time.
            Err(_no_time) => self.key.verify_untimed(&note, check).is_ok_and(|signed| signed),
        };
        if !signed {
            return Err(AuditError::Signature);
        }
        let from = self.edge.size();
        let mut report = AuditReport { from, to: checkpoint.size, ..AuditReport::default() };
        if checkpoint.size < from {
            return Err(AuditError::Shrunk { from, to: checkpoint.size });
        }
        let mut edge = self.edge.clone();
        let mut above = Above::new(source, &self.edge, checkpoint.size)?;
        let ca = TrustAnchorId::from_name(self.key.name()).map_err(Error::Format)?;
        for path in tile::changed_bundles(from, checkpoint.size) {
            let bytes = source.get(&path.to_string())?;
            let entries = tile::entries(&bytes, path.width).map_err(Error::Format)?;
            let tile_path = TilePath { kind: TileKind::Hashes(0), ..path };
            let tile_bytes = source.get(&tile_path.to_string())?;
            let hashes = tile::hashes(&tile_bytes, path.width).map_err(Error::Format)?;
            report.tiles = report.tiles.saturating_add(1);
            let first = path.index.saturating_mul(WIDTH);
            // The part of the first bundle that was audited before must be unchanged.
            let kept = usize::try_from(from.saturating_sub(first)).unwrap_or(usize::MAX);
            if kept > 0 && !hashes.get(..kept).is_some_and(|kept| makes_edge(kept, &self.edge, 0)) {
                above.wrong.get_or_insert(tile_path);
            }
            for ((entry, hash_there), index) in entries.iter().zip(hashes).zip(first..) {
                let leaf = hash::leaf(entry);
                if leaf != *hash_there {
                    return Err(AuditError::Tile(tile_path));
                }
                if index < from {
                    continue;
                }
                edge.push(leaf);
                let wrong = |error| AuditError::Entry { index, error };
                let entry = LogEntry::decode(entry).map_err(wrong)?;
                match entry.content {
                    EntryContent::TbsCert(contents) if entry.is_recognised() => {
                        let fields = TbsCertificateLogEntry::from_contents(contents).map_err(wrong)?;
                        let issuer = TrustAnchorId::from_distinguished_name(fields.issuer).map_err(wrong)?;
                        if issuer.0 != ca {
                            let kind = tagwise_mtc::ErrorKind::IdDistinguishedName;
                            return Err(wrong(tagwise_mtc::Error::new(kind, 0)));
                        }
                        report.certificates = report.certificates.saturating_add(1);
                        see(AuditedEntry { index, fields: &fields });
                    }
                    EntryContent::Null if entry.is_recognised() => report.nulls = report.nulls.saturating_add(1),
                    _ => {
                        let kind = tagwise_mtc::ErrorKind::NotACertificate;
                        return Err(wrong(tagwise_mtc::Error::new(kind, 0)));
                    }
                }
            }
            if let Some(root) = tile::node_in(hashes, 8, 0) {
                above.push(root)?;
            }
        }
        above.finish()?;
        report.tiles = report.tiles.saturating_add(above.tiles);
        // A log with a different history also has different tiles. The fork is the finding to report.
        let found = edge.root();
        if found != checkpoint.root {
            return Err(AuditError::Fork { size: checkpoint.size, signed: checkpoint.root, found });
        }
        if let Some(path) = above.wrong {
            return Err(AuditError::Tile(path));
        }
        self.edge = edge;
        Ok(report)
    }

    /// Encodes the state as text: name, key, size, and one hash per line.
    #[must_use]
    pub fn state(&self) -> String {
        let mut out = format!("tagwise-mtc-audit/1\n{}\n{}\n{}\n", self.origin, self.key, self.edge.size());
        for hash in self.edge.peaks() {
            out.push_str(&base64::encode(hash));
            out.push('\n');
        }
        out
    }

    /// Restores an auditor from its state.
    ///
    /// # Errors
    /// Returns [`AuditError::State`] if the text is malformed.
    pub fn from_state(text: &str) -> Result<Self, AuditError> {
        Self::read_state(text).ok_or(AuditError::State)
    }

    fn read_state(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()? != "tagwise-mtc-audit/1" {
            return None;
        }
        let (origin, key, size) = (lines.next()?, NoteKey::parse(lines.next()?).ok()?, lines.next()?.parse().ok()?);
        let peaks = lines.map(|line| Hash::try_from(base64::decode(line.as_bytes()).ok()?.as_slice()).ok());
        let edge = Frontier::from_parts(size, peaks.collect::<Option<Vec<_>>>()?)?;
        Some(Self { key, origin: origin.to_owned(), edge })
    }

    /// Returns the log's name.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the key of the CA's cosigner.
    #[must_use]
    pub const fn key(&self) -> &NoteKey {
        &self.key
    }
}

//! An issuance log, which accepts entries and produces checkpoints, subtree signatures and landmarks.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};
use tagwise_mtc::crypto::{BackendCheck, CosignerKey};
use tagwise_mtc::landmark::{Landmark, LandmarkDocument, LandmarkSchedule};
use tagwise_mtc::note::{Checkpoint, Note, NoteKey, NoteKeyKind};
use tagwise_mtc::relying::{Cosigner, SignatureCheck};
use tagwise_mtc::tile::WIDTH;
use tagwise_mtc::tree::{Subtree, consistency_proof, cover, subtree_hash};
use tagwise_mtc::{
    CosignedSubtree, CosignerAlgorithm, Draft, EntryContent, Hash, LogEntry, TbsCertificateLogEntry, TrustAnchorId,
    hash,
};

use crate::NoteSigner;
use crate::error::{Error, failed};
use crate::nodes::TileNodes;
use crate::store::{self, Row, number, stored};

/// The durability of a commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Synchronous {
    /// Each commit is synced to disk. A power failure loses no committed data.
    #[default]
    Full,
    /// Commits are passed to the operating system. No data is lost if the process is killed, and the file is never corrupted.
    Normal,
}

impl Synchronous {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
        }
    }
}

/// The identifiers of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogInfo {
    /// The CA's ID.
    pub ca: TrustAnchorId,
    /// The number of the log among the CA's logs.
    pub number: u16,
    /// The draft that defines the log's wire format.
    pub draft: Draft,
    /// The log's ID.
    pub id: TrustAnchorId,
    /// The log's name, derived from its ID.
    pub origin: String,
}

impl LogInfo {
    /// Creates the identifiers for a CA's log with the given number.
    ///
    /// # Errors
    /// Returns [`Error::Format`] if the number is 0.
    pub fn new(ca: TrustAnchorId, number: u16, draft: Draft) -> Result<Self, Error> {
        let id = ca.log(number)?;
        Ok(Self { ca, number, draft, id, origin: id.name() })
    }
}

/// An entry to append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The entry's bytes.
    pub entry: Vec<u8>,
    /// The certified public key, stored for creating the certificate later.
    pub key: Option<Vec<u8>>,
}

impl NewEntry {
    /// Creates a null entry, which does not belong to any certificate.
    #[must_use]
    pub fn null() -> Self {
        Self { entry: vec![0; 4], key: None }
    }
}

/// A signed checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointRecord {
    /// The size of the tree.
    pub size: u64,
    /// The root of the tree.
    pub root: Hash,
    /// The signing time, as Unix time.
    pub time: u64,
    /// The note with its signatures.
    pub note: String,
}

/// An issuance log in a SQLite file.
#[derive(Debug)]
pub struct Log {
    pub(crate) connection: Connection,
    pub(crate) info: LogInfo,
    /// True if times recorded in the log must not prevent signing, because the clock was wrong earlier.
    clock_is_right: bool,
}

/// The tolerated clock skew in seconds, the same as for CAs.
const SKEW: u64 = 300;

impl Log {
    /// Creates a log in a file that does not already contain one.
    ///
    /// # Errors
    /// Returns [`Error::Exists`] if the file already contains a log, or any database error.
    pub fn create(path: &Path, info: &LogInfo, synchronous: Synchronous, now: u64) -> Result<Self, Error> {
        let mut connection = store::open(path, true, synchronous)?;
        let doing = "creating the log";
        let transaction = store::begin(&mut connection, doing)?;
        let there: Option<i64> =
            transaction.query_row("SELECT id FROM identity", [], |row| row.get(0)).optional().map_err(failed(doing))?;
        if there.is_some() {
            return Err(Error::Exists);
        }
        let insert =
            "INSERT INTO identity (id, kind, name, ca, number, draft, created) VALUES (1, 'log', ?1, ?2, ?3, ?4, ?5)";
        let row = params![info.origin, info.ca.as_bytes(), info.number, info.draft.number(), stored(now)];
        transaction.execute(insert, row).map_err(failed(doing))?;
        let empty = "INSERT INTO tree (id, size, root) VALUES (1, 0, ?1)";
        transaction.execute(empty, [hash::EMPTY.as_slice()]).map_err(failed(doing))?;
        transaction.commit().map_err(failed(doing))?;
        Ok(Self { connection, info: info.clone(), clock_is_right: false })
    }

    /// Opens a log. Its tree is recomputed from its tiles and compared with the recorded and signed roots.
    ///
    /// # Errors
    /// Returns [`Error::Fork`] if the roots differ, [`Error::Foreign`] if the file is not a log database, [`Error::Newer`] if a
    /// newer version created it, or any database error.
    pub fn open(path: &Path, synchronous: Synchronous) -> Result<Self, Error> {
        let connection = store::open(path, false, synchronous)?;
        let doing = failed("reading the log");
        let select = "SELECT ca, number, draft FROM identity WHERE id = 1 AND kind = 'log'";
        let read =
            |row: &rusqlite::Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, u16>(1)?, row.get::<_, String>(2)?));
        let found = connection.query_row(select, [], read).optional().map_err(doing)?;
        let (ca, number, draft) = found.ok_or_else(|| Error::Foreign("no log found".to_owned()))?;
        let draft = draft.parse().map_err(|_| Error::Foreign(format!("unsupported draft {draft:?}")))?;
        let info = LogInfo::new(TrustAnchorId::from_bytes(&ca)?, number, draft)?;
        let log = Self { connection, info, clock_is_right: false };
        // All from one snapshot, because other processes may append and sign meanwhile.
        let moment = log.connection.unchecked_transaction().map_err(doing)?;
        let (size, root) = store::check(&log.connection)?;
        if let Some(last) = log.last_checkpoint()? {
            let found = if last.size <= size { log.root_at(last.size)? } else { root };
            if last.size > size || found != last.root {
                return Err(Error::Fork { size: last.size, recorded: last.root, found });
            }
        }
        moment.finish().map_err(doing)?;
        Ok(log)
    }

    /// Declares that the clock was ahead earlier and is correct now. Checkpoints and landmarks with later times then no longer
    /// prevent signing.
    pub const fn clock_was_wrong(&mut self) {
        self.clock_is_right = true;
    }

    /// Checks that the last checkpoint is not later than `now`, with a tolerance of five minutes. Otherwise, nothing may be
    /// logged or signed.
    ///
    /// # Errors
    /// Returns [`Error::Clock`] if the last checkpoint is later, or any database error.
    pub fn check_clock(&self, now: u64) -> Result<(), Error> {
        let last = self.last_checkpoint()?;
        last.map_or(Ok(()), |last| self.not_later("the last checkpoint was signed", last.time, now))
    }

    const fn not_later(&self, what: &'static str, at: u64, now: u64) -> Result<(), Error> {
        if at > now.saturating_add(SKEW) && !self.clock_is_right { Err(Error::Clock { what, at, now }) } else { Ok(()) }
    }

    /// Returns the log's identifiers.
    #[must_use]
    pub const fn info(&self) -> &LogInfo {
        &self.info
    }

    /// Returns the number of entries.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn size(&self) -> Result<u64, Error> {
        Ok(store::state(&self.connection)?.0)
    }

    /// Returns the root of the tree at the given size.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn root_at(&self, size: u64) -> Result<Hash, Error> {
        self.subtree_hash(Subtree::whole(size))
    }

    /// Returns the hash of a subtree.
    ///
    /// # Errors
    /// Returns [`Error::Missing`] if the tree does not contain the subtree, or any database error.
    pub fn subtree_hash(&self, subtree: Subtree) -> Result<Hash, Error> {
        subtree_hash(&self.nodes(), subtree)
    }

    /// Computes the proof that the tree of the given size contains a subtree (a consistency proof).
    ///
    /// # Errors
    /// Returns [`Error::Missing`] if the tree does not contain the subtree, or any database error.
    pub fn consistency_proof(&self, subtree: Subtree, size: u64) -> Result<Vec<Hash>, Error> {
        consistency_proof(&self.nodes(), subtree, size)?.ok_or(Error::Missing("subtree of this tree size"))
    }

    /// Returns a reader for the tree's nodes.
    #[must_use]
    pub fn nodes(&self) -> TileNodes<'_, Connection> {
        TileNodes::new(&self.connection)
    }

    /// Appends entries, and returns the index of the first. The entries are durable when this method returns.
    ///
    /// # Errors
    /// Returns [`Error::Format`] if an entry has a different issuer, an unknown type, or a key that does not match, or any database error.
    pub fn append(&mut self, entries: &[NewEntry]) -> Result<u64, Error> {
        let mut leaves = Vec::with_capacity(entries.len());
        for entry in entries {
            leaves.push(self.judge(entry)?);
        }
        let rows: Vec<Row<'_>> = entries.iter().map(|one| Row { entry: &one.entry, key: one.key.as_deref() }).collect();
        let transaction = store::begin(&mut self.connection, "appending entries")?;
        let before = store::state(&transaction)?;
        store::append(&transaction, before, &rows, leaves)?;
        transaction.commit().map_err(failed("appending entries"))?;
        Ok(before.0)
    }

    /// Checks that an entry is valid in this log, and returns its hash.
    pub(crate) fn judge(&self, new: &NewEntry) -> Result<Hash, Error> {
        use tagwise_mtc::{Error as Malformed, ErrorKind};
        let entry = LogEntry::decode(&new.entry)?;
        if !entry.is_recognised() {
            return Err(Malformed::new(ErrorKind::NotACertificate, 0).into());
        }
        if let EntryContent::TbsCert(contents) = entry.content {
            let fields = TbsCertificateLogEntry::from_contents(contents)?;
            if TrustAnchorId::from_distinguished_name(fields.issuer)? != (self.info.ca, self.info.draft) {
                return Err(Malformed::new(ErrorKind::IdDistinguishedName, 0).into());
            }
            fields.validity()?;
            if new.key.as_ref().is_some_and(|key| hash::plain(key) != fields.key_hash) {
                return Err(Malformed::new(ErrorKind::KeyMismatch, 0).into());
            }
        }
        Ok(hash::leaf(&new.entry))
    }

    /// Returns the entries of a range.
    ///
    /// # Errors
    /// Returns [`Error::Missing`] if the log does not contain all of them.
    pub fn entries(&self, start: u64, end: u64) -> Result<Vec<Vec<u8>>, Error> {
        store::entries(&self.connection, start, end)
    }

    /// Returns the last signed checkpoint.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn last_checkpoint(&self) -> Result<Option<CheckpointRecord>, Error> {
        checkpoint_where(&self.connection, &self.info.origin, "ORDER BY size DESC", 0)
    }

    /// Returns the first checkpoint that contains an entry, if any.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn checkpoint_with(&self, index: u64) -> Result<Option<CheckpointRecord>, Error> {
        checkpoint_where(&self.connection, &self.info.origin, "AND size > ?2 ORDER BY size", index)
    }

    /// Returns the size of the last checkpoint that does not contain an entry, or 0 if there is none.
    pub(crate) fn size_before(&self, index: u64) -> Result<u64, Error> {
        let found = checkpoint_where(&self.connection, &self.info.origin, "AND size <= ?2 ORDER BY size DESC", index)?;
        Ok(found.map_or(0, |found| found.size))
    }

    /// Checks that a key is the CA's key, as used in the last checkpoint, and returns it as a note key.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if its ID or algorithm differs, or if it did not sign the last checkpoint.
    pub fn check_key(&self, ca: &CosignerKey) -> Result<NoteKey, Error> {
        if *ca.cosigner().id() != self.info.ca || ca.cosigner().algorithm() != CosignerAlgorithm::MlDsa44 {
            return Err(Error::Key("checkpoints must be signed with the CA's ML-DSA-44 key"));
        }
        let key = NoteKey::from_key_info(&self.info.ca.name(), NoteKeyKind::MlDsa44, ca.cosigner().key_info())?;
        if let Some(last) = self.last_checkpoint()? {
            // MTC §5.3: an ID has one key. Relying parties that know the first key would reject certificates signed with another.
            let note = Note::parse(&last.note)?;
            if !note.signatures().iter().any(|line| line.name == key.name() && line.key_id == key.id()) {
                return Err(Error::Key("the key differs from that of the last checkpoint"));
            }
        }
        Ok(key)
    }

    /// Signs a checkpoint of the current tree, and the subtrees that cover the new entries. All signed data is written to disk
    /// first, and the signatures are on disk when this method returns. Until then, other processes are blocked.
    ///
    /// `others` are additional keys that sign the checkpoint, such as a log's own Ed25519 key.
    ///
    /// # Errors
    /// Returns any error from [`check_key`](Self::check_key), or [`Error::Clock`] if the last checkpoint is later than `now`.
    pub fn checkpoint(&mut self, ca: &CosignerKey, others: &[NoteSigner], now: u64) -> Result<CheckpointRecord, Error> {
        let doing = "recording a checkpoint";
        let key = self.check_key(ca)?;
        let clock_is_right = self.clock_is_right;
        // From here on, no other process appends or signs: a waiting one finds a later tree, or its own entries signed.
        let transaction = store::begin(&mut self.connection, doing)?;
        let (size, root) = store::check(&transaction)?;
        let last = checkpoint_where(&transaction, &self.info.origin, "ORDER BY size DESC", 0)?;
        let is_later = last.as_ref().is_some_and(|last| last.time > now.saturating_add(SKEW));
        match &last {
            Some(last) if is_later && !clock_is_right => {
                return Err(Error::Clock { what: "the last checkpoint was signed", at: last.time, now });
            }
            // A checkpoint from a clock that was ahead is signed again.
            Some(last) if last.size == size && !is_later => return Ok(last.clone()),
            _ => {}
        }
        let before = last.as_ref().map_or(0, |last| last.size);
        let mut note = Note::new(&Checkpoint::new(&self.info.origin, size, root).to_string())?;
        note.add(key.signature(now, &ca.sign(&key.message(note.text(), now)?)?));
        for signer in others {
            note.add(signer.sign(note.text(), now)?);
        }
        let mut signatures = Vec::new();
        for subtree in cover(before, size).into_iter().flatten().filter(|subtree| !subtree.is_empty()) {
            let hash = subtree_hash(&TileNodes::new(&*transaction), subtree)?;
            signatures.push((subtree, ca.sign_subtree(&self.info.origin, subtree, &hash)?));
        }
        let record = CheckpointRecord { size, root, time: now, note: note.to_string() };
        put_checkpoint(&transaction, &self.info.origin, &record)?;
        for (subtree, signature) in &signatures {
            put_signature(&transaction, *subtree, ca.cosigner().id(), signature)?;
        }
        transaction.commit().map_err(failed(doing))?;
        Ok(record)
    }

    /// Adds other keys' signatures, from a note with the same text, to a checkpoint signed by this log.
    ///
    /// # Errors
    /// Returns [`Error::Missing`] if there is no such checkpoint.
    pub fn add_note_signatures(&mut self, size: u64, lines: &[tagwise_mtc::note::NoteSignature]) -> Result<(), Error> {
        let doing = "recording cosignatures";
        let transaction = store::begin(&mut self.connection, doing)?;
        let found = checkpoint_where(&transaction, &self.info.origin, "AND size = ?2", size)?;
        let found = found.ok_or(Error::Missing("checkpoint"))?;
        let mut note = Note::parse(&found.note)?;
        lines.iter().for_each(|line| note.add(line.clone()));
        let update = "UPDATE checkpoint SET note = ?3 WHERE origin = ?1 AND size = ?2";
        let row = params![self.info.origin, stored(size), note.to_string()];
        transaction.execute(update, row).map_err(failed(doing))?;
        transaction.commit().map_err(failed(doing))
    }

    /// Verifies and stores a cosignature of a subtree.
    ///
    /// # Errors
    /// Returns [`Error::Signature`] if the cosignature is invalid, or any database error.
    pub fn add_cosignature(
        &mut self,
        cosigner: &Cosigner,
        subtree: Subtree,
        signature: &[u8],
        check: &BackendCheck<'_>,
    ) -> Result<(), Error> {
        let hash = self.subtree_hash(subtree)?;
        let name = cosigner.id().name();
        let message =
            CosignedSubtree { cosigner: &name, timestamp: 0, origin: &self.info.origin, subtree, hash: &hash };
        let done = check.verify(cosigner.algorithm(), cosigner.key_info(), &message.encode()?, signature);
        done.map_err(Error::Signature)?;
        let transaction = store::begin(&mut self.connection, "recording a cosignature")?;
        put_signature(&transaction, subtree, cosigner.id(), signature)?;
        transaction.commit().map_err(failed("recording a cosignature"))
    }

    /// Returns the cosignatures of a subtree.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn cosignatures(&self, subtree: Subtree) -> Result<Vec<(TrustAnchorId, Vec<u8>)>, Error> {
        let doing = failed("reading cosignatures");
        let select = "SELECT cosigner, signature FROM signature WHERE first = ?1 AND beyond = ?2";
        let mut select = self.connection.prepare_cached(select).map_err(doing)?;
        let range = [stored(subtree.start()), stored(subtree.end())];
        let rows = select.query_map(range, |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?)));
        let mut out = Vec::new();
        for row in rows.map_err(doing)? {
            let (cosigner, signature) = row.map_err(doing)?;
            out.push((TrustAnchorId::from_bytes(&cosigner)?, signature));
        }
        Ok(out)
    }

    /// Creates the next landmark at the size of the last checkpoint, if one is due and the log has grown. It expires on
    /// schedule, but not before the last of its certificates does (MTC §6.4.1).
    ///
    /// # Errors
    /// Returns [`Error::Clock`] if the last landmark is later than `now`, or any database error.
    pub fn add_landmark(&mut self, schedule: &LandmarkSchedule, now: u64) -> Result<Option<Landmark>, Error> {
        let size = self.last_checkpoint()?.map_or(0, |last| last.size);
        let clock_is_right = self.clock_is_right;
        let doing = failed("creating a landmark");
        let transaction = store::begin(&mut self.connection, "creating a landmark")?;
        let (last, at) = landmarks(&transaction)?.into_iter().next().unwrap_or((Landmark::ZERO, 0));
        let at = match at > now.saturating_add(SKEW) {
            true if clock_is_right => now.saturating_sub(schedule.interval),
            true => return Err(Error::Clock { what: "the last landmark was allocated", at, now }),
            false => at,
        };
        let Some(mut next) = schedule.next(&last, at, size, now) else { return Ok(None) };
        // A landmark from a clock that was ahead expires late, and later ones must not expire earlier (MTC §6.4.1).
        next.expiry = next.expiry.max(last.expiry);
        // Entries before the last landmark are covered by that landmark's expiry, which is not later.
        next.expiry = next.expiry.max(last_end(&transaction, last.size, size)?);
        let insert = "INSERT INTO landmark (number, size, expiry, allocated) VALUES (?1, ?2, ?3, ?4)";
        let row = [next.number, next.size, next.expiry, now].map(stored);
        transaction.execute(insert, row).map_err(doing)?;
        transaction.commit().map_err(doing)?;
        Ok(Some(next))
    }

    /// Returns the landmark document at the given time: the active landmarks, and the first expired one.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn landmarks(&self, now: u64) -> Result<LandmarkDocument, Error> {
        let mut all: Vec<Landmark> = landmarks(&self.connection)?.into_iter().map(|(landmark, _)| landmark).collect();
        all.push(Landmark::ZERO);
        let active = all.iter().take_while(|one| one.is_active(now)).count();
        all.truncate(active.saturating_add(1));
        Ok(LandmarkDocument::new(all, now)?)
    }
}

/// Returns the latest notAfter time in a range of entries, as Unix time, or 0 if there are no certificates.
fn last_end(connection: &Connection, start: u64, end: u64) -> Result<u64, Error> {
    let mut latest = 0;
    let mut first = start;
    while first < end {
        let beyond = first.saturating_add(WIDTH).min(end);
        for entry in store::entries(connection, first, beyond)? {
            if let EntryContent::TbsCert(contents) = LogEntry::decode(&entry)?.content {
                let (_, until) = TbsCertificateLogEntry::from_contents(contents)?.validity()?;
                latest = latest.max(u64::try_from(until.0).unwrap_or_default());
            }
        }
        first = beyond;
    }
    Ok(latest)
}

fn landmarks(connection: &Connection) -> Result<Vec<(Landmark, u64)>, Error> {
    let doing = failed("reading landmarks");
    let select = "SELECT number, size, expiry, allocated FROM landmark ORDER BY number DESC";
    let mut select = connection.prepare_cached(select).map_err(doing)?;
    let read = |row: &rusqlite::Row<'_>| -> rusqlite::Result<[i64; 4]> {
        Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
    };
    let rows = select.query_map([], read).map_err(doing)?;
    let mut out = Vec::new();
    for row in rows {
        let [landmark, size, expiry, allocated] = row.map_err(doing)?.map(number);
        out.push((Landmark { number: landmark, size, expiry }, allocated));
    }
    Ok(out)
}

/// Returns the first checkpoint of an origin that matches `which`, an SQL condition with an ORDER BY clause. The condition
/// can refer to `size` as `?2`.
pub(crate) fn checkpoint_where(
    connection: &Connection,
    origin: &str,
    which: &str,
    size: u64,
) -> Result<Option<CheckpointRecord>, Error> {
    let doing = failed("reading a checkpoint");
    let select = format!("SELECT size, root, time, note FROM checkpoint WHERE origin = ?1 AND ?2 = ?2 {which} LIMIT 1");
    let mut select = connection.prepare_cached(&select).map_err(doing)?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, i64>(2)?, row.get::<_, String>(3)?))
    };
    let found = select.query_row(params![origin, stored(size)], read).optional().map_err(doing)?;
    let Some((size, root, time, note)) = found else { return Ok(None) };
    Ok(Some(CheckpointRecord { size: number(size), root: store::hash(&root)?, time: number(time), note }))
}

/// Records a checkpoint. An existing record for the same size keeps its root.
pub(crate) fn put_checkpoint(connection: &Connection, origin: &str, record: &CheckpointRecord) -> Result<(), Error> {
    let insert = "INSERT INTO checkpoint (origin, size, root, time, note) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (origin, size) DO UPDATE SET root = excluded.root, time = excluded.time, note = excluded.note";
    let row = params![origin, stored(record.size), record.root.as_slice(), stored(record.time), record.note];
    connection.execute(insert, row).map(drop).map_err(failed("recording a checkpoint"))
}

fn put_signature(
    connection: &Connection,
    subtree: Subtree,
    cosigner: &TrustAnchorId,
    signature: &[u8],
) -> Result<(), Error> {
    let insert = "INSERT INTO signature (first, beyond, cosigner, signature) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (first, beyond, cosigner) DO UPDATE SET signature = excluded.signature";
    let row = params![stored(subtree.start()), stored(subtree.end()), cosigner.as_bytes(), signature];
    connection.execute(insert, row).map(drop).map_err(failed("recording a signature"))
}

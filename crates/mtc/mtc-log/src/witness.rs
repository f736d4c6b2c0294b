//! A witness, which cosigns consistent checkpoints of known logs (C2SP tlog-witness).

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};
use tagwise_codec::text::hex;
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::hash;
use tagwise_mtc::note::{AddCheckpoint, Checkpoint, Note, NoteKey, NoteKeyKind, SignSubtree};
use tagwise_mtc::tree::{Subtree, verify_consistency};

use crate::NoteSigner;
use crate::error::{Error, failed};
use crate::log::{CheckpointRecord, Synchronous, checkpoint_where, put_checkpoint};
use crate::store::{self, stored};

/// A log known to a witness or mirror. A checkpoint must be signed with one of its keys.
#[derive(Clone, Debug)]
pub struct KnownLog {
    /// The log's name.
    pub origin: String,
    /// The keys that may sign its checkpoints.
    pub keys: Vec<NoteKey>,
}

/// An HTTP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The media type of the body.
    pub media_type: &'static str,
    /// The response body.
    pub body: Vec<u8>,
}

pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
const SIZE: &str = "text/x.tlog.size";

impl Reply {
    pub(crate) fn text(status: u16, text: impl Into<String>) -> Self {
        Self { status, media_type: TEXT, body: text.into().into_bytes() }
    }

    pub(crate) fn refusal(status: u16, why: &dyn std::fmt::Display) -> Self {
        Self::text(status, format!("{why}\n"))
    }
}

/// A witness with its state in a SQLite file.
#[derive(Debug)]
pub struct Witness {
    pub(crate) connection: Connection,
    pub(crate) signer: NoteSigner,
    pub(crate) logs: Vec<KnownLog>,
}

/// A verified `add-checkpoint` request.
pub(crate) struct Judged {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) note: Note,
}

impl Witness {
    /// Opens or creates a witness's file. The file belongs to a single witness, identified by its key name.
    ///
    /// # Errors
    /// Returns [`Error::Foreign`] if the file is not this witness's database, or any database error.
    pub fn open(
        path: &Path,
        signer: NoteSigner,
        logs: Vec<KnownLog>,
        synchronous: Synchronous,
        now: u64,
    ) -> Result<Self, Error> {
        let mut connection = store::open(path, true, synchronous)?;
        identify(&mut connection, "witness", signer.key().name(), now)?;
        Ok(Self { connection, signer, logs })
    }

    /// Returns the witness's key.
    #[must_use]
    pub const fn key(&self) -> &NoteKey {
        self.signer.key()
    }

    /// Returns the logs whose checkpoints the witness cosigns.
    #[must_use]
    pub fn logs(&self) -> &[KnownLog] {
        &self.logs
    }

    /// Returns the last cosigned checkpoint of a log.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn last(&self, origin: &str) -> Result<Option<CheckpointRecord>, Error> {
        checkpoint_where(&self.connection, origin, "ORDER BY size DESC", 0)
    }

    /// Returns the last checkpoint of the log whose name has the given hexadecimal hash. Used by monitors.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn monitored(&self, name: &str) -> Result<Option<CheckpointRecord>, Error> {
        match self.logs.iter().find(|log| hex::encode(&hash::plain(log.origin.as_bytes())) == name) {
            Some(log) => self.last(&log.origin),
            None => Ok(None),
        }
    }

    /// Answers `add-checkpoint`. The state is written to disk before a cosignature is returned.
    ///
    /// # Errors
    /// Returns any database or signing error that prevents an answer.
    pub fn add_checkpoint(&mut self, body: &[u8], now: u64, check: &BackendCheck<'_>) -> Result<Reply, Error> {
        let judged = match judge(&self.logs, body, check) {
            Ok(judged) => judged,
            Err(reply) => return Ok(reply),
        };
        let (request, Judged { checkpoint, mut note }) = judged;
        let origin = checkpoint.origin.clone();
        let doing = "recording a checkpoint";
        let transaction = store::begin(&mut self.connection, doing)?;
        let last = checkpoint_where(&transaction, &origin, "ORDER BY size DESC", 0)?;
        let before = last.as_ref().map(|last| (last.size, last.root)).unwrap_or((0, hash::EMPTY));
        if let Some(reply) = refused(&request, &checkpoint, before) {
            return Ok(reply);
        }
        let line = self.signer.sign(note.text(), now)?;
        note.add(line.clone());
        let record =
            CheckpointRecord { size: checkpoint.size, root: checkpoint.root, time: now, note: note.to_string() };
        put_checkpoint(&transaction, &origin, &record)?;
        transaction.commit().map_err(failed(doing))?;
        Ok(Reply::text(200, format!("{line}\n")))
    }

    /// Answers `sign-subtree`.
    ///
    /// # Errors
    /// Returns an error if signing fails.
    pub fn sign_subtree(&self, body: &[u8], check: &BackendCheck<'_>) -> Result<Reply, Error> {
        sign_subtree(&self.signer, &self.logs, body, check)
    }
}

/// Marks a file as the database of a witness or mirror, or verifies that it already is one.
pub(crate) fn identify(connection: &mut Connection, kind: &str, name: &str, now: u64) -> Result<(), Error> {
    let doing = failed("reading the database");
    let transaction = store::begin(connection, "reading the database")?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    let found = transaction.query_row("SELECT kind, name FROM identity", [], read).optional().map_err(doing)?;
    match found {
        Some((found, of)) if found == kind && of == name => {}
        Some((found, of)) => return Err(Error::Foreign(format!("it is the {found} of {of}"))),
        None => {
            let insert = "INSERT INTO identity (id, kind, name, created) VALUES (1, ?1, ?2, ?3)";
            transaction.execute(insert, params![kind, name, stored(now)]).map_err(doing)?;
            let empty = "INSERT INTO tree (id, size, root) VALUES (1, 0, ?1)";
            transaction.execute(empty, [hash::EMPTY.as_slice()]).map_err(doing)?;
        }
    }
    transaction.commit().map_err(doing)
}

/// Parses a request and verifies its checkpoint's signature, which must be by one of the log's known keys.
pub(crate) fn judge(
    logs: &[KnownLog],
    body: &[u8],
    check: &BackendCheck<'_>,
) -> Result<(AddCheckpoint, Judged), Reply> {
    let text = std::str::from_utf8(body).map_err(|error| Reply::refusal(400, &error))?;
    let request = AddCheckpoint::parse(text).map_err(|error| Reply::refusal(400, &error))?;
    let checkpoint = Checkpoint::parse(request.note.text()).map_err(|error| Reply::refusal(400, &error))?;
    let log = logs.iter().find(|log| log.origin == checkpoint.origin);
    let log = log.ok_or_else(|| Reply::refusal(404, &"unknown log"))?;
    // One valid signature is required, and an invalid one by a known key is an error.
    let mut signed = false;
    for key in &log.keys {
        match key.verify(&request.note, check) {
            Ok(found) => signed |= found.is_some(),
            Err(fault) => return Err(Reply::refusal(403, &fault)),
        }
    }
    if !signed {
        return Err(Reply::refusal(403, &"no signature with a key of the log"));
    }
    // Signatures of others are not stored, because they were not checked.
    let mut note = Note::new(request.note.text()).map_err(|error| Reply::refusal(400, &error))?;
    for line in request.note.signatures() {
        if log.keys.iter().any(|key| key.name() == line.name && key.id() == line.key_id) {
            note.add(line.clone());
        }
    }
    Ok((request, Judged { checkpoint, note }))
}

/// Returns a rejection if a checkpoint is not consistent with the previous one, or `None` if it is.
pub(crate) fn refused(
    request: &AddCheckpoint,
    checkpoint: &Checkpoint,
    before: (u64, tagwise_mtc::Hash),
) -> Option<Reply> {
    let (size, root) = before;
    if request.old_size > checkpoint.size {
        return Some(Reply::refusal(400, &"the old size is larger than the new one"));
    }
    if request.old_size != size {
        return Some(Reply { status: 409, media_type: SIZE, body: format!("{size}\n").into_bytes() });
    }
    let consistent = match size {
        // There is no earlier tree, so no proof is needed, and the empty tree has its own root.
        0 => request.proof.is_empty() && (checkpoint.size != 0 || checkpoint.root == hash::EMPTY),
        _ => verify_consistency(Subtree::whole(size), checkpoint.size, &request.proof, &root, &checkpoint.root),
    };
    (!consistent)
        .then(|| Reply::refusal(422, &"the proof does not show that the checkpoint is consistent with the last one"))
}

/// Implements `sign-subtree` for a witness or mirror. The cosigner's own signature on the checkpoint proves that it has
/// already verified the tree.
pub(crate) fn sign_subtree(
    signer: &NoteSigner,
    logs: &[KnownLog],
    body: &[u8],
    check: &BackendCheck<'_>,
) -> Result<Reply, Error> {
    let parsed = std::str::from_utf8(body).map_err(|error| Reply::refusal(400, &error)).and_then(|text| {
        let request = SignSubtree::parse(text).map_err(|error| Reply::refusal(400, &error))?;
        let checkpoint = Checkpoint::parse(request.note.text()).map_err(|error| Reply::refusal(400, &error))?;
        Ok((request, checkpoint))
    });
    let (request, checkpoint) = match parsed {
        Ok(parsed) => parsed,
        Err(reply) => return Ok(reply),
    };
    if !logs.iter().any(|log| log.origin == checkpoint.origin) {
        return Ok(Reply::refusal(404, &"unknown log"));
    }
    if signer.key().kind() != NoteKeyKind::MlDsa44 {
        return Ok(Reply::refusal(404, &"this cosigner does not sign subtrees: its key is not ML-DSA-44"));
    }
    if !matches!(signer.key().verify(&request.note, check), Ok(Some(_))) {
        return Ok(Reply::refusal(403, &"the checkpoint has no valid signature of this cosigner"));
    }
    if request.subtree.end() > checkpoint.size || request.subtree.is_empty() {
        return Ok(Reply::refusal(400, &"the subtree is empty, or ends after the checkpoint"));
    }
    let (subtree, hash) = (request.subtree, request.hash);
    if !verify_consistency(subtree, checkpoint.size, &request.proof, &hash, &checkpoint.root) {
        return Ok(Reply::refusal(422, &"the proof does not show that the subtree is in the tree"));
    }
    let line = signer.sign_subtree(&checkpoint.origin, subtree, &hash)?;
    Ok(Reply::text(200, format!("{line}\n")))
}

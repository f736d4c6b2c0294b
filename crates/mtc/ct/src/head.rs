//! Signed tree heads (RFC 6962 §3.5), from `get-sth` and from checkpoints.

use serde::{Deserialize, Serialize};
use tagwise_codec::text::base64;
use tagwise_crypto::Backend;
use tagwise_mtc::note::{Checkpoint, Note};
use tagwise_mtc::{Hash, hash};
use tagwise_path::Log;
use tagwise_pkix::UnixTime;

use crate::Error;
use crate::wire::{Signed, Wire};

/// The type of signatures of RFC 6962 logs on checkpoints (C2SP signed-note, static-ct-api).
const NOTE_TYPE: u8 = 0x05;

/// The maximum merge delay of logs, in milliseconds: 24 hours.
const MERGE_DELAY: u64 = 24 * 60 * 60 * 1000;
/// The accepted difference between the log's clock and ours, in milliseconds.
const SKEW: u64 = 300_000;

/// A signed tree head, with a verified signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeHead {
    /// The number of entries.
    pub size: u64,
    /// The time of the signature, in milliseconds since 1970-01-01T00:00:00Z.
    pub timestamp: u64,
    /// The root of the tree.
    pub root: Hash,
    /// The `digitally-signed` structure, in the bytes of RFC 6962.
    pub signature: Vec<u8>,
}

/// The answer to `get-sth` (RFC 6962 §4.3).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct HeadJson {
    tree_size: u64,
    timestamp: u64,
    sha256_root_hash: String,
    tree_head_signature: String,
}

impl TreeHead {
    /// Reads the answer to `get-sth`, and verifies its signature.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the answer is malformed, or [`Error::Violation`] if the signature is invalid.
    pub fn from_json(json: &[u8], log: &Log, backend: &dyn Backend) -> Result<Self, Error> {
        let failed = Error::malformed("tree head");
        let read: HeadJson = serde_json::from_slice(json).map_err(|error| failed(&error))?;
        let head = Self::of(&read)?;
        head.verify(log, backend)?;
        Ok(head)
    }

    /// Reads a checkpoint, and verifies the log's signature. The origin may be any name, because the signature does not cover
    /// it: the key identifies the log.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the checkpoint is malformed, or [`Error::Violation`] if it has no valid signature by the log.
    pub fn from_checkpoint(note: &[u8], log: &Log, backend: &dyn Backend) -> Result<Self, Error> {
        let failed = Error::malformed("checkpoint");
        let text = std::str::from_utf8(note).map_err(|error| failed(&error))?;
        let note = Note::parse(text).map_err(|error| failed(&error))?;
        let checkpoint = Checkpoint::parse(note.text()).map_err(|error| failed(&error))?;
        let message = [checkpoint.origin.as_bytes(), b"\n", &[NOTE_TYPE], &log.id].concat();
        let [one, two, three, four, ..] = hash::plain(&message);
        let key_id = [one, two, three, four];
        let own = |one: &&tagwise_mtc::note::NoteSignature| one.name == checkpoint.origin && one.key_id == key_id;
        let missing = || Error::Violation("checkpoint: no signature with the log's key".to_owned());
        let line = note.signatures().iter().find(own).ok_or_else(missing)?;
        let mut wire = Wire::new(&line.payload);
        let timestamp = wire.number(8).ok_or_else(|| failed(&"truncated signature"))?;
        let head = Self { size: checkpoint.size, timestamp, root: checkpoint.root, signature: wire.rest.to_vec() };
        head.verify(log, backend)?;
        Ok(head)
    }

    fn verify(&self, log: &Log, backend: &dyn Backend) -> Result<(), Error> {
        let signed = Signed::read(&self.signature);
        let signed = signed.ok_or_else(|| Error::Malformed("tree head: malformed signature".to_owned()))?;
        signed.verify(backend, log, &self.signed(), "tree head")
    }

    /// Returns the bytes that the log signed (RFC 6962 §3.5).
    #[must_use]
    pub fn signed(&self) -> Vec<u8> {
        [&[0, 1], self.timestamp.to_be_bytes().as_slice(), &self.size.to_be_bytes(), &self.root].concat()
    }

    /// Returns whether the tree head is older than the maximum merge delay of 24 hours, so that the log may withhold entries. Logs
    /// sign a tree head at least this often (RFC 6962 §3.5), unless they are frozen.
    #[must_use]
    pub fn is_stale(&self, now: UnixTime) -> bool {
        let now = u64::try_from(now.0).unwrap_or_default().saturating_mul(1000);
        now > self.timestamp.saturating_add(MERGE_DELAY).saturating_add(SKEW)
    }

    /// Returns whether the tree head is from the future. The log's clock may be five minutes ahead.
    #[must_use]
    pub fn is_from_future(&self, now: UnixTime) -> bool {
        self.timestamp > u64::try_from(now.0).unwrap_or_default().saturating_mul(1000).saturating_add(SKEW)
    }

    /// Returns whether an entry with a timestamp, in milliseconds, must be in the tree, because the maximum merge delay of 24 hours
    /// passed before the tree head was signed (RFC 6962 §3).
    #[must_use]
    pub const fn must_contain(&self, timestamp: u64) -> bool {
        self.timestamp > timestamp.saturating_add(MERGE_DELAY)
    }

    pub(crate) fn json(&self) -> HeadJson {
        HeadJson {
            tree_size: self.size,
            timestamp: self.timestamp,
            sha256_root_hash: base64::encode(&self.root),
            tree_head_signature: base64::encode(&self.signature),
        }
    }

    pub(crate) fn of(read: &HeadJson) -> Result<Self, Error> {
        let failed = Error::malformed("tree head");
        if read.tree_size > tagwise_mtc::tree::MAX_SIZE {
            return Err(failed(&format!("tree size {}, expected at most 2^48-1", read.tree_size)));
        }
        let root = crate::wire_hash(&read.sha256_root_hash).map_err(|error| failed(&error))?;
        let signature = base64::decode(read.tree_head_signature.as_bytes()).map_err(|error| failed(&error))?;
        Ok(Self { size: read.tree_size, timestamp: read.timestamp, root, signature })
    }
}

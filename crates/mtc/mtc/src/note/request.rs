//! Requests to a witness, to accept a newer checkpoint or to sign a subtree.

use alloc::vec::Vec;
use core::fmt;

use tagwise_codec::text::base64;

use super::{MAX_PROOF, Note};
use crate::error::{Error, ErrorKind};
use crate::hash::Hash;
use crate::landmark::decimal;
use crate::tree::{MAX_SIZE, Subtree};

/// A request to accept a newer checkpoint (C2SP tlog-witness, `add-checkpoint`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The size of the witness's current checkpoint.
    pub old_size: u64,
    /// The consistency proof between the checkpoints.
    pub proof: Vec<Hash>,
    /// The new checkpoint.
    pub note: Note,
}

/// A request to sign a subtree (C2SP tlog-witness, `sign-subtree`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignSubtree {
    /// The subtree to sign.
    pub subtree: Subtree,
    /// The subtree's hash.
    pub hash: Hash,
    /// The proof that the subtree is in the checkpoint's tree.
    pub proof: Vec<Hash>,
    /// A checkpoint signed by the witness.
    pub note: Note,
}

impl AddCheckpoint {
    /// Parses a request body.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Request`] if the body is malformed, [`ErrorKind::ProofHashes`] if the proof contains too many
    /// hashes, or any error in the note.
    pub fn parse(body: &str) -> Result<Self, Error> {
        let fail = Error::new(ErrorKind::Request, 0);
        let (first, rest) = body.split_once('\n').ok_or(fail)?;
        let old_size = first.strip_prefix("old ").ok_or(fail)?;
        let old_size = decimal(old_size, MAX_SIZE).map_err(|_kind| fail)?;
        let (proof, note) = proof_and_note(rest)?;
        Ok(Self { old_size, proof, note })
    }
}

impl fmt::Display for AddCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old_size)?;
        self.proof.iter().try_for_each(|hash| writeln!(f, "{}", base64::encode(hash)))?;
        write!(f, "\n{}", self.note)
    }
}

impl SignSubtree {
    /// Parses the body of a request.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Request`] if the body is malformed, [`ErrorKind::Subtree`] if its range is not a subtree,
    /// [`ErrorKind::ProofHashes`] if the proof contains too many hashes, or any error in the note.
    pub fn parse(body: &str) -> Result<Self, Error> {
        let fail = Error::new(ErrorKind::Request, 0);
        let (first, rest) = body.split_once('\n').ok_or(fail)?;
        let (start, end) = first.strip_prefix("subtree ").and_then(|range| range.split_once(' ')).ok_or(fail)?;
        let number = |text| decimal(text, MAX_SIZE).map_err(|_kind| fail);
        let subtree = Subtree::new(number(start)?, number(end)?).ok_or(Error::new(ErrorKind::Subtree, 0))?;
        let (line, rest) = rest.split_once('\n').ok_or(fail)?;
        let hash = hash_line(line).ok_or(fail)?;
        let (proof, note) = proof_and_note(rest)?;
        Ok(Self { subtree, hash, proof, note })
    }
}

impl fmt::Display for SignSubtree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "subtree {} {}", self.subtree.start(), self.subtree.end())?;
        writeln!(f, "{}", base64::encode(&self.hash))?;
        self.proof.iter().try_for_each(|hash| writeln!(f, "{}", base64::encode(hash)))?;
        write!(f, "\n{}", self.note)
    }
}

/// Parses lines of hashes, followed by an empty line and a note.
fn proof_and_note(text: &str) -> Result<(Vec<Hash>, Note), Error> {
    let fail = Error::new(ErrorKind::Request, 0);
    let mut proof = Vec::new();
    let mut rest = text;
    loop {
        let (line, after) = rest.split_once('\n').ok_or(fail)?;
        rest = after;
        if line.is_empty() {
            break;
        }
        if proof.len() >= MAX_PROOF {
            return Err(Error::new(ErrorKind::ProofHashes, 0));
        }
        proof.push(hash_line(line).ok_or(fail)?);
    }
    Ok((proof, Note::parse(rest)?))
}

fn hash_line(line: &str) -> Option<Hash> {
    let bytes = base64::decode(line.as_bytes()).ok()?;
    let hash = Hash::try_from(bytes.as_slice()).ok()?;
    (base64::encode(&hash) == line).then_some(hash)
}

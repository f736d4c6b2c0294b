//! Submission of a log's checkpoints, entries and subtrees to witnesses and mirrors, and collection of their cosignatures.

use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::note::{
    AddCheckpoint, AddEntries, EntryPackage, MirrorInfo, Note, NoteKey, NoteKeyKind, NoteSignature, SignSubtree,
};
use tagwise_mtc::relying::Cosigner;
use tagwise_mtc::tile::WIDTH;
use tagwise_mtc::tree::{Subtree, cover};
use tagwise_mtc::{CosignerAlgorithm, TrustAnchorId};

use super::Client;
use super::client::Response;
use crate::error::Error;
use crate::log::{CheckpointRecord, Log};

/// The result of a submission to a cosigner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cosigned {
    /// True if the cosigner signed the checkpoint.
    pub checkpoint: bool,
    /// The number of subtrees that the cosigner signed.
    pub subtrees: usize,
    /// The number of entries sent to a mirror.
    pub entries: u64,
}

/// The maximum number of entries per upload.
const UPLOAD: u64 = 16 * WIDTH;

fn answered(response: &Response, what: &'static str) -> Error {
    let text = String::from_utf8_lossy(&response.body);
    Error::store(what)(format!("status {}: {}", response.status, text.trim_end()).into())
}

/// Submits the last checkpoint and its subtrees to a witness, and stores the cosignatures.
///
/// # Errors
/// Returns [`Error::Signature`] if a cosignature is invalid, or any network, witness or database error.
pub fn submit_to_witness(
    log: &mut Log,
    client: &Client,
    key: &NoteKey,
    check: &BackendCheck<'_>,
) -> Result<Cosigned, Error> {
    let last = log.last_checkpoint()?.ok_or(Error::Missing("checkpoint"))?;
    let response = add_checkpoint(log, client, &last)?;
    let lines = signatures(&response)?;
    take_checkpoint(log, &last, key, &lines, check)?;
    let subtrees = sign_subtrees(log, client, key, check)?;
    Ok(Cosigned { checkpoint: true, subtrees, entries: 0 })
}

/// Submits the last checkpoint and its subtrees to a mirror, like [`submit_to_witness`]. The entries that the mirror does not have
/// are sent first.
///
/// # Errors
/// Returns any error from [`submit_to_witness`].
pub fn submit_to_mirror(
    log: &mut Log,
    client: &Client,
    key: &NoteKey,
    check: &BackendCheck<'_>,
) -> Result<Cosigned, Error> {
    let last = log.last_checkpoint()?.ok_or(Error::Missing("checkpoint"))?;
    add_checkpoint(log, client, &last)?;
    let mut done = Cosigned::default();
    let mut next = None;
    let mut ticket = Vec::new();
    // Each iteration sends entries, or learns which are missing. Stops if the mirror makes no progress.
    for _ in 0..last.size.div_ceil(UPLOAD).saturating_add(2) {
        let start = next.unwrap_or(0).min(last.size);
        let end = (start / WIDTH * WIDTH).saturating_add(UPLOAD).min(last.size);
        let end = if next.is_some() { end } else { start };
        let body = upload(log, &last, start, end, &ticket)?;
        let response = client.post("add-entries", &body)?;
        match response.status {
            200 => {
                done.entries = done.entries.saturating_add(end.saturating_sub(start));
                take_checkpoint(log, &last, key, &signatures(&response)?, check)?;
                done.checkpoint = true;
                done.subtrees = sign_subtrees(log, client, key, check)?;
                return Ok(done);
            }
            202 | 409 => {
                let text =
                    String::from_utf8(response.body).map_err(|error| Error::store("asking a mirror")(error.into()))?;
                let info = MirrorInfo::parse(&text)?;
                if response.status == 202 {
                    done.entries = done.entries.saturating_add(end.saturating_sub(start));
                }
                next = Some(info.next_entry);
                ticket = info.ticket;
            }
            _ => return Err(answered(&response, "sending entries to a mirror")),
        }
    }
    Err(Error::store("sending entries to a mirror")("no progress".into()))
}

/// Encodes an upload of the entries from `start` to `end`, in packages with proofs that the checkpoint's tree contains them.
fn upload(log: &Log, last: &CheckpointRecord, start: u64, end: u64, ticket: &[u8]) -> Result<Vec<u8>, Error> {
    let entries = log.entries(start, end)?;
    let mut rest: Vec<&[u8]> = entries.iter().map(Vec::as_slice).collect();
    let mut packages = Vec::new();
    let mut first = start;
    while first < end {
        let bundle = first / WIDTH * WIDTH;
        let beyond = bundle.saturating_add(WIDTH).min(end);
        let subtree = Subtree::new(bundle, beyond).ok_or(Error::Missing("subtree of a bundle"))?;
        let proof = log.consistency_proof(subtree, last.size)?;
        let after = rest.split_off(usize::try_from(beyond.saturating_sub(first)).unwrap_or(usize::MAX).min(rest.len()));
        packages.push(EntryPackage { first, entries: std::mem::replace(&mut rest, after), proof });
        first = beyond;
    }
    let origin = log.info().origin.as_str();
    Ok(AddEntries { origin, start, end: last.size, ticket, packages }.encode()?)
}

/// Sends a checkpoint. If the cosigner reports another size, sends it again with the proof from that size.
fn add_checkpoint(log: &Log, client: &Client, last: &CheckpointRecord) -> Result<Response, Error> {
    let note = Note::parse(&last.note)?;
    let mut old_size = 0;
    // Three attempts: to learn the size, to be accepted, and in case another client was faster.
    for _ in 0..3 {
        let proof = match old_size {
            0 => Vec::new(),
            size => log.consistency_proof(Subtree::whole(size), last.size)?,
        };
        let body = AddCheckpoint { old_size, proof, note: note.clone() }.to_string();
        let response = client.post("add-checkpoint", body.as_bytes())?;
        match response.status {
            200 => return Ok(response),
            409 => {
                let size = std::str::from_utf8(&response.body).ok().and_then(|text| text.trim_end().parse().ok());
                old_size = size.filter(|size| *size <= last.size).ok_or_else(|| {
                    Error::store("asking a cosigner")("its tree is larger than the signed one".into())
                })?;
            }
            _ => return Err(answered(&response, "asking a cosigner")),
        }
    }
    Err(Error::Changed)
}

fn signatures(response: &Response) -> Result<Vec<NoteSignature>, Error> {
    let text = std::str::from_utf8(&response.body).map_err(|error| Error::store("asking a cosigner")(error.into()))?;
    text.lines().map(|line| NoteSignature::parse(line).map_err(Error::from)).collect()
}

/// Verifies a cosignature of the checkpoint, and records it. Other signatures in the response are ignored, because a line with the
/// CA's name would replace the CA's own signature.
fn take_checkpoint(
    log: &mut Log,
    last: &CheckpointRecord,
    key: &NoteKey,
    lines: &[NoteSignature],
    check: &BackendCheck<'_>,
) -> Result<(), Error> {
    let mut note = Note::new(Note::parse(&last.note)?.text())?;
    let own = lines.iter().filter(|line| line.name == key.name() && line.key_id == key.id());
    own.for_each(|line| note.add(line.clone()));
    match key.verify(&note, check) {
        Ok(Some(_)) => log.add_note_signatures(last.size, note.signatures()),
        Ok(None) => Err(Error::Missing("the signature in the cosigner's response")),
        Err(fault) => Err(Error::Signature(fault)),
    }
}

/// Requests signatures of the subtrees that cover the new entries of the last checkpoint, if the cosigner signs subtrees.
fn sign_subtrees(log: &mut Log, client: &Client, key: &NoteKey, check: &BackendCheck<'_>) -> Result<usize, Error> {
    if key.kind() != NoteKeyKind::MlDsa44 {
        return Ok(0);
    }
    let last = log.last_checkpoint()?.ok_or(Error::Missing("checkpoint"))?;
    let note = Note::parse(&last.note)?;
    let before = last.size.checked_sub(1).map_or(Ok(0), |index| log.size_before(index))?;
    let cosigner = Cosigner::new(TrustAnchorId::from_name(key.name())?, CosignerAlgorithm::MlDsa44, &key.key_info())?;
    let origin = log.info().origin.clone();
    let mut count = 0usize;
    for subtree in cover(before, last.size).into_iter().flatten().filter(|subtree| !subtree.is_empty()) {
        let hash = log.subtree_hash(subtree)?;
        let proof = log.consistency_proof(subtree, last.size)?;
        let body = SignSubtree { subtree, hash, proof, note: note.clone() }.to_string();
        let response = client.post("sign-subtree", body.as_bytes())?;
        if response.status != 200 {
            return Err(answered(&response, "requesting a subtree signature"));
        }
        let lines = signatures(&response)?;
        let line = lines.iter().find(|line| line.name == key.name() && line.key_id == key.id());
        let line = line.ok_or(Error::Missing("the signature in the cosigner's response"))?;
        let signature = key.verify_subtree(line, &origin, subtree, &hash, check).map_err(Error::Signature)?;
        log.add_cosignature(&cosigner, subtree, signature, check)?;
        count = count.saturating_add(1);
    }
    Ok(count)
}

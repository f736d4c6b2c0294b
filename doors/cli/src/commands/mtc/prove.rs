//! `tagwise mtc prove`.

use std::io::Write;

use serde::Serialize;
use tagwise_codec::text::{base64, hex};
use tagwise_mtc::hash;
use tagwise_mtc::tree::{Subtree, inclusion_proof};
use tagwise_mtc_log::{CheckpointRecord, Log};

use super::common::{CertificateDocument, CheckpointDocument, DbArgs, OutputArgs, document, seconds};
use crate::shared::output::{Failure, deliver};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc prove 7 -o server.pem               the standalone certificate, with its properties
  tagwise mtc prove 7 --landmark -o small.pem     without signatures, for verifiers that know the landmark
  tagwise mtc prove 7 --tlog                      the inclusion proof in the last checkpoint (C2SP tlog-proof)
  tagwise mtc prove --from 100                    the consistency proof from tree size 100 to the last checkpoint

Exit codes: 0 written; 1 the entry, certificate, landmark or checkpoint does not exist (yet); 2 usage error; 3 the database or a \
file could not be used.";

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["index", "from"]))]
pub(crate) struct ProveArgs {
    /// Index of the entry
    #[arg(value_name = "INDEX")]
    index: Option<u64>,
    /// Write the certificate relative to the first landmark that includes the entry
    #[arg(long, requires = "index")]
    landmark: bool,
    /// Write the last checkpoint, and the proof of inclusion in its tree
    #[arg(long, requires = "index", conflicts_with_all = ["landmark", "der"])]
    tlog: bool,
    /// Write the consistency proof from this tree size to the last checkpoint
    #[arg(long, value_name = "SIZE", conflicts_with = "der")]
    from: Option<u64>,
    #[command(flatten)]
    db: DbArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Print JSON (schema tagwise.mtc/1) on standard output
    #[arg(long)]
    json: bool,
}

/// A proof in JSON.
#[derive(Serialize)]
struct ProofDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u64>,
    proof: Vec<String>,
    checkpoint: CheckpointDocument,
}

impl ProveArgs {
    pub(super) fn prove(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let log = self.db.open()?;
        match (self.index, self.from) {
            (_, Some(from)) => self.consistency(&log, from, out),
            (Some(index), None) if self.tlog => self.inclusion(&log, index, out),
            (Some(index), None) => self.certificate(&log, index, out),
            (None, None) => Err(Failure::usage("give an index or --from SIZE")),
        }
    }

    fn certificate(&self, log: &Log, index: u64, out: &mut dyn Write) -> Result<u8, Failure> {
        let found = match self.landmark {
            true => log.landmark_certificate(index, seconds()),
            false => log.certificate(index),
        };
        let found = found.map_err(|error| self.db.failed(&error))?;
        let Some(found) = found else {
            let size = log.size().map_err(|error| self.db.failed(&error))?;
            return Err(Failure::negative(match self.landmark {
                _ if index >= size => format!("no entry {index}: the log has {size}"),
                true => format!("entry {index} has no certificate, or is not (yet) in an active landmark"),
                false => format!("entry {index} has no certificate, or is not yet in a checkpoint"),
            }));
        };
        if self.output.output.is_some() || !self.json {
            self.output.deliver(std::slice::from_ref(&found), out)?;
        }
        if self.json {
            document("prove", &CertificateDocument::of(&found)?, out)?;
        }
        Ok(0)
    }

    fn last(&self, log: &Log, size: u64) -> Result<CheckpointRecord, Failure> {
        let last = log.last_checkpoint().map_err(|error| self.db.failed(&error))?;
        let last = last.ok_or_else(|| Failure::negative("the log has no checkpoint yet"))?;
        match last.size {
            have if have < size => Err(Failure::negative(format!("the last checkpoint has only {have} entries"))),
            _ => Ok(last),
        }
    }

    fn inclusion(&self, log: &Log, index: u64, out: &mut dyn Write) -> Result<u8, Failure> {
        let last = self.last(log, index.saturating_add(1))?;
        let failed = |error: tagwise_mtc_log::Error| self.db.failed(&error);
        let proof = inclusion_proof(&log.nodes(), Subtree::whole(last.size), index).map_err(failed)?;
        let mut text = format!("c2sp.org/tlog-proof@v1\nindex {index}\n");
        proof.iter().for_each(|hash| text = format!("{text}{}\n", base64::encode(hash)));
        text = format!("{text}\n{}", last.note);
        let entry = log.entries(index, index.saturating_add(1)).map_err(failed)?;
        let entry_hash = entry.first().map(|entry| hex::encode(&hash::leaf(entry)));
        let proof = proof.iter().map(|hash| hex::encode(hash)).collect();
        let checkpoint = CheckpointDocument::of(&log.info().origin, &last);
        self.say(text, &ProofDocument { index: Some(index), entry_hash, from: None, proof, checkpoint }, out)
    }

    fn consistency(&self, log: &Log, from: u64, out: &mut dyn Write) -> Result<u8, Failure> {
        let last = self.last(log, from)?;
        let proof = log.consistency_proof(Subtree::whole(from), last.size).map_err(|error| self.db.failed(&error))?;
        let text = proof.iter().map(|hash| base64::encode(hash) + "\n").collect();
        let proof = proof.iter().map(|hash| hex::encode(hash)).collect();
        let checkpoint = CheckpointDocument::of(&log.info().origin, &last);
        self.say(text, &ProofDocument { index: None, entry_hash: None, from: Some(from), proof, checkpoint }, out)
    }

    fn say(&self, text: String, said: &ProofDocument, out: &mut dyn Write) -> Result<u8, Failure> {
        if self.output.output.is_some() || !self.json {
            deliver(text.as_bytes(), self.output.output.as_ref(), false, out)?;
        }
        if self.json {
            document("prove", said, out)?;
        }
        Ok(0)
    }
}

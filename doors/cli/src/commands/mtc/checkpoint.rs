//! `tagwise mtc checkpoint`.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use tagwise_mtc::note::NoteKeyKind;
use tagwise_mtc_log::{NoteSigner, publish};

use super::common::{CheckpointDocument, ClockArgs, DbArgs, KeyArgs, document, refused, seconds};
use super::cosigners::CosignersArgs;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::keys::private_key_of;
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc checkpoint                                        prints the signed note
  tagwise mtc checkpoint --cosigners cosigners.txt
  tagwise mtc checkpoint --publish /srv/www/mtc/1 -o checkpoint  with all tiles, for any web server
  tagwise mtc checkpoint --log-key ed25519.key                  with an additional signature by the log's Ed25519 key

Each size is signed once: if the log has not grown, the last checkpoint is printed again. Cosigners are asked in both cases.
Exit codes: 0 signed; 1 refused, with the reason; 2 usage error; 3 a file, the database or a cosigner could not be used.";

#[derive(Debug, clap::Args)]
pub(crate) struct CheckpointArgs {
    #[command(flatten)]
    db: DbArgs,
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    cosigners: CosignersArgs,
    #[command(flatten)]
    clock: ClockArgs,
    /// Also sign the checkpoint with this Ed25519 key, under the log's name
    #[arg(long, value_name = "FILE")]
    log_key: Option<PathBuf>,
    /// Read the passphrase of that key from the first line of this file
    #[arg(long, value_name = "FILE", requires = "log_key")]
    log_key_passphrase_file: Option<PathBuf>,
    /// Write new tiles, entries and landmarks to this folder, and then the checkpoint
    #[arg(long, value_name = "FOLDER")]
    publish: Option<PathBuf>,
    /// Write the checkpoint to this file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print JSON (schema tagwise.mtc/1) on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    checkpoint: CheckpointDocument,
    cosigners: usize,
    files: usize,
}

impl CheckpointArgs {
    pub(super) fn checkpoint(
        &self,
        context: &Context,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let mut log = self.db.open()?;
        self.clock.apply(&mut log);
        let failed = |error: tagwise_mtc_log::Error| self.db.failed(&error);
        let key = self.key.authority(context, log.info())?;
        let others =
            self.log_key.as_ref().map(|path| self.log_signer(context, path, &log.info().origin)).transpose()?;
        log.checkpoint(&key, others.as_slice(), seconds()).map_err(failed)?;
        let cosigners = self.cosigners.ask(context, &mut log, &self.db.db)?;
        let files = match &self.publish {
            Some(folder) => publish(&log, folder, seconds()).map_err(|error| super::common::failed(folder, &error))?,
            None => 0,
        };
        // With what the cosigners added.
        let record = log.last_checkpoint().map_err(failed)?;
        let record = record.ok_or_else(|| Failure::negative("the log has no checkpoint"))?;
        if self.output.is_some() || !self.json {
            deliver(record.note.as_bytes(), self.output.as_ref(), false, out)?;
        }
        if self.json {
            let checkpoint = CheckpointDocument::of(&log.info().origin, &record);
            document("checkpoint", &Document { checkpoint, cosigners, files }, out)?;
        } else if self.output.is_some() || files > 0 {
            writeln!(err, "checkpoint {}, {cosigners} cosigners, {files} files written", record.size)?;
        }
        Ok(0)
    }

    fn log_signer(&self, context: &Context, path: &std::path::Path, origin: &str) -> Result<NoteSigner, Failure> {
        let passphrase = PassphraseArgs::named_by("--log-key-passphrase-file", self.log_key_passphrase_file.as_deref());
        let key = private_key_of(context, EMBEDDED, path, &passphrase)?;
        NoteSigner::new(origin, NoteKeyKind::Ed25519, key)
            .map_err(|error| refused(&format!("{}: {error}", name_of(path))))
    }
}

//! `tagwise mtc witness` and `tagwise mtc mirror`.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use tagwise_mtc::TrustAnchorId;
use tagwise_mtc::note::NoteKey;
use tagwise_mtc_log::serve::{MirrorService, Service, WitnessService};
use tagwise_mtc_log::{Mirror, Synchronous, Witness};

use super::common::{KeyArgs, KnownLogArgs, document, failed, known_log, seconds, serve_at};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::mtc::id;
use crate::shared::output::Failure;

pub(super) const WITNESS: &str = "\
Examples:
  tagwise key new ml-dsa-44 -o witness.key --no-passphrase
  tagwise mtc witness --id 32473.20 --key witness.key --ca ca.pem > cosigners.txt
  tagwise mtc witness --id 32473.20 --key witness.key --ca ca.pem --ca other.pem --listen 127.0.0.1:0

The witness answers add-checkpoint and sign-subtree (C2SP tlog-witness), and prints the line that `mtc checkpoint --cosigners` reads. \
A checkpoint is cosigned only if it is consistent with the previous one. With an Ed25519 key, subtrees are not signed.
Exit codes: 0 ended by a signal; 1 the key or the database belongs to another cosigner; 2 usage error; 3 the address or the database \
cannot be used.";

pub(super) const MIRROR: &str = "\
Examples:
  tagwise key new ml-dsa-44 -o mirror.key --no-passphrase
  tagwise mtc mirror --id 32473.30 --key mirror.key --ca ca.pem > cosigners.txt

The mirror answers add-checkpoint, add-entries and sign-subtree (C2SP tlog-mirror), serves its copy below the hash of the log's name, \
and prints the line that `mtc checkpoint --cosigners` reads. A checkpoint is cosigned once all of its entries have been copied.
Exit codes: 0 ended by a signal; 1 the key or the database belongs to another cosigner; 2 usage error; 3 the address or the database \
cannot be used.";

/// The options of both commands.
#[derive(Debug, clap::Args)]
struct CosignerArgs {
    /// The cosigner's trust anchor ID, such as 32473.20
    #[arg(long, value_name = "ID", value_parser = id)]
    id: TrustAnchorId,
    #[command(flatten)]
    key: KeyArgs,
    /// Maximum number of connections at once
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    connections: u32,
    /// Write JSON (schema tagwise.mtc/1) to standard output at the start
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Started {
    url: String,
    key: String,
    logs: Vec<String>,
}

impl CosignerArgs {
    fn serve(
        &self,
        kind: &'static str,
        listen: SocketAddr,
        key: &NoteKey,
        logs: Vec<String>,
        service: Arc<dyn Service>,
        out: &mut dyn Write,
    ) -> Result<u8, Failure> {
        serve_at(listen, self.connections, service, |url| {
            match self.json {
                true => document(kind, &Started { url: url.to_owned(), key: key.to_string(), logs }, out)?,
                false => writeln!(out, "{kind} {key} {url}")?,
            }
            Ok(out.flush()?)
        })
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct WitnessArgs {
    #[command(flatten)]
    cosigner: CosignerArgs,
    /// Certificate of the CA whose log to cosign; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    ca: Vec<PathBuf>,
    /// Number of the log; may be repeated
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    log: Vec<u16>,
    /// The witness's database, created if it does not exist
    #[arg(long, value_name = "FILE", default_value = "witness.db")]
    db: PathBuf,
    /// Listen on this address and port; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8082")]
    listen: SocketAddr,
}

impl WitnessArgs {
    pub(super) fn witness(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let signer = self.cosigner.key.cosigner(context, &self.cosigner.id)?;
        let all = self.ca.iter().flat_map(|ca| self.log.iter().map(move |number| known_log(context, ca, *number)));
        let logs = all.collect::<Result<Vec<_>, _>>()?;
        let names = logs.iter().map(|log| log.origin.clone()).collect();
        let witness = Witness::open(&self.db, signer, logs, Synchronous::Full, seconds());
        let witness = witness.map_err(|error| failed(&self.db, &error))?;
        let key = witness.key().clone();
        let service = Arc::new(WitnessService::new(witness, EMBEDDED));
        self.cosigner.serve("witness", self.listen, &key, names, service, out)
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct MirrorArgs {
    #[command(flatten)]
    cosigner: CosignerArgs,
    #[command(flatten)]
    known: KnownLogArgs,
    /// The mirror's database, created if it does not exist
    #[arg(long, value_name = "FILE", default_value = "mirror.db")]
    db: PathBuf,
    /// Listen on this address and port; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8083")]
    listen: SocketAddr,
}

impl MirrorArgs {
    pub(super) fn mirror(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let signer = self.cosigner.key.cosigner(context, &self.cosigner.id)?;
        let mirror = Mirror::open(&self.db, signer, self.known.read(context)?, Synchronous::Full, seconds());
        let mirror = mirror.map_err(|error| failed(&self.db, &error))?;
        let (key, origin) = (mirror.key().clone(), mirror.origin().to_owned());
        let service = Arc::new(MirrorService::new(mirror, EMBEDDED));
        self.cosigner.serve("mirror", self.listen, &key, vec![origin], service, out)
    }
}

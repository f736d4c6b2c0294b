//! `tagwise mtc init`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tagwise_pkix::oids::files::label;

use serde::Serialize;
use tagwise_crypto::{KeyType, PrivateKey};
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::{CosignerAlgorithm, Draft, NewCaCertificate, Serial, TrustAnchorId};
use tagwise_mtc_log::{Log, LogInfo, Synchronous};

use super::common::{DbArgs, document, refused, seconds};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::issuing::{Moment, ValidityArgs, armoured};
use crate::shared::keys::{deliver_key, private_key_of, refused as key_refused};
use crate::shared::moment::now;
use crate::shared::mtc::id;
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc init --id 32473.1 --new-key -o ca.pem                    a new encrypted key, in mtc.key
  tagwise mtc init --id 32473.1 --key old.key -o ca.pem
  tagwise mtc init --id 32473.1 --key mtc.key --log 2 --db second.db   another log of the same CA

The ID is an object identifier relative to 1.3.6.1.4.1, such as a private enterprise number followed by the CA's number. The CA's \
certificate is unsigned (RFC 9925): verifiers trust it because of its source.
Exit codes: 0 created; 1 the log already exists, or the key cannot be used; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("whose").required(true).args(["new_key", "existing"]))]
pub(crate) struct InitArgs {
    /// The CA's trust anchor ID, such as 32473.1
    #[arg(long, value_name = "ID", value_parser = id)]
    id: TrustAnchorId,
    #[command(flatten)]
    db: DbArgs,
    /// Number of the log
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    log: u16,
    /// Draft that defines the log's format: 07, 06 or 05
    #[arg(long, value_name = "NN", default_value_t = Draft::V07)]
    draft: Draft,
    /// Generate an ML-DSA-44 key
    #[arg(long)]
    new_key: bool,
    /// Write the new key to this file, which must not exist yet
    #[arg(long, value_name = "FILE", default_value = "mtc.key", conflicts_with = "existing")]
    key_out: PathBuf,
    /// Use the ML-DSA-44 key in this file
    #[arg(id = "existing", long = "key", value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    validity: ValidityArgs,
    /// Write the new key unencrypted
    #[arg(long, requires = "new_key", conflicts_with_all = ["passphrase_file", "passphrase_fd"])]
    no_passphrase: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Write the CA's certificate to this file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print JSON (schema tagwise.mtc/1) on standard output
    #[arg(long)]
    json: bool,
}

/// The default validity: ten years, as is customary for roots.
const DAYS: u32 = 3650;

#[derive(Serialize)]
struct Made {
    database: String,
    ca: String,
    log: String,
    origin: String,
    draft: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    not_before: Moment,
    not_after: Moment,
    pem: String,
}

impl InitArgs {
    pub(super) fn init(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let info = LogInfo::new(self.id, self.log, self.draft).map_err(|error| refused(&error))?;
        if self.db.db.exists() {
            return Err(Failure::negative(format!("{}: it already exists", name_of(&self.db.db))));
        }
        let key = self.key(context)?;
        let cosigner = CosignerKey::new(self.id, Arc::clone(&key)).map_err(|error| refused(&error))?;
        if cosigner.cosigner().algorithm() != CosignerAlgorithm::MlDsa44 {
            return Err(Failure::negative("not an ML-DSA-44 key, which is required to sign checkpoints"));
        }
        let not_before = now();
        let not_after = self.validity.end_or(not_before, DAYS);
        let new = NewCaCertificate {
            id: self.id,
            draft: self.draft,
            key_info: key.public_key_info(),
            min_serial: Serial::MIN,
            max_serial: Serial::MAX,
            validity: (not_before, not_after),
        };
        let pem = armoured(label::CERTIFICATE, &new.to_der().map_err(|error| refused(&error))?)?;
        if self.new_key {
            let passphrase = (!self.no_passphrase).then(|| self.passphrase.fresh()).transpose()?;
            let pkcs8 = key.to_pkcs8().map_err(|error| key_refused(&error))?;
            // On disk before anything is signed with it.
            deliver_key(EMBEDDED, &pkcs8, passphrase.as_ref(), Some(&self.key_out), out)?;
        }
        let made = Log::create(&self.db.db, &info, Synchronous::Full, seconds());
        // The empty tree is signed, so that the log knows its key from the beginning.
        let signed = made.and_then(|mut log| log.checkpoint(&cosigner, &[], seconds()));
        signed.map_err(|error| self.db.failed(&error))?;
        if self.output.is_some() || !self.json {
            deliver(pem.as_bytes(), self.output.as_ref(), false, out)?;
        }
        if self.json {
            let made = Made {
                database: name_of(&self.db.db),
                ca: self.id.to_string(),
                log: info.id.to_string(),
                origin: info.origin,
                draft: self.draft.number(),
                key: self.new_key.then(|| name_of(&self.key_out)),
                not_before: Moment::of(not_before),
                not_after: Moment::of(not_after),
                pem,
            };
            document("init", &made, out)?;
        } else {
            writeln!(err, "{}: {}, log {} of {}", name_of(&self.db.db), info.origin, self.log, self.id)?;
        }
        Ok(0)
    }

    fn key(&self, context: &Context) -> Result<Arc<dyn PrivateKey>, Failure> {
        match &self.key {
            Some(path) => private_key_of(context, EMBEDDED, path, &self.passphrase),
            None if self.key_out.exists() => Err(Failure::Said(
                3,
                format!("{}: it already exists: use it with --key, or pass --key-out FILE", name_of(&self.key_out)),
            )),
            None => EMBEDDED.generate(KeyType::MlDsa44).map_err(|error| key_refused(&error)),
        }
    }
}

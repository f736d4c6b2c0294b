//! Code shared by the commands: the log, keys, CA certificates, and output.

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tagwise_pkix::oids::files as kinds;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_mtc::crypto::{BackendCheck, CosignerKey};
use tagwise_mtc::note::{NoteKey, NoteKeyKind};
use tagwise_mtc::{CaCertificate, TrustAnchorId};
use tagwise_mtc_log::serve::{ServeOptions, Service, serve};
use tagwise_mtc_log::{Certified, Error, KnownLog, Log, LogInfo, NoteSigner, Synchronous};
use tagwise_pkix::name::visible;
use tagwise_show::render::json;
use tokio::net::TcpListener;

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::files;
use crate::shared::issuing::value;
use crate::shared::keys::private_key_of;
use crate::shared::moment::now;
use crate::shared::mtc::chain;
use crate::shared::output::{Failure, deliver, loses_no_key, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::stop::stop;

/// The option for the log's database.
#[derive(Debug, clap::Args)]
pub(super) struct DbArgs {
    /// The log's database
    #[arg(long, value_name = "FILE", default_value = "mtc.db")]
    pub(super) db: PathBuf,
}

impl DbArgs {
    /// Opens the log, and compares its tree with the signed checkpoint.
    pub(super) fn open(&self) -> Result<Log, Failure> {
        if let Err(error) = files::regular(&self.db) {
            let hint = match error.kind() {
                io::ErrorKind::NotFound => "; `tagwise mtc init` creates a log",
                _ => "",
            };
            return Err(match Failure::file(&self.db, "opened", &error) {
                Failure::Said(code, text) => Failure::Said(code, text + hint),
                other => other,
            });
        }
        Log::open(&self.db, Synchronous::Full).map_err(|error| self.failed(&error))
    }

    /// Converts an error of the log into a command failure.
    pub(super) fn failed(&self, error: &Error) -> Failure {
        failed(&self.db, error)
    }
}

/// Converts an error of a database into a command failure.
pub(super) fn failed(path: &Path, error: &Error) -> Failure {
    let code = match error {
        Error::Store { .. } | Error::Foreign(_) | Error::Newer(_) => 3,
        _ => 1,
    };
    let hint = match error {
        Error::Clock { .. } => "; correct the clock or, if it is correct now and was fast then, pass --clock-was-wrong",
        _ => "",
    };
    Failure::Said(code, format!("{}: {}{hint}", name_of(path), visible(error)))
}

/// Creates the failure for a negative answer: the input was read, but rejected (exit code 1).
pub(super) fn refused(error: &dyn std::fmt::Display) -> Failure {
    Failure::negative(visible(&error).to_string())
}

/// The option that states that the system clock was wrong.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ClockArgs {
    /// Trust the current clock: the last checkpoint or landmark is dated ahead because the clock was wrong
    #[arg(long)]
    clock_was_wrong: bool,
}

impl ClockArgs {
    pub(super) const fn apply(self, log: &mut Log) {
        if self.clock_was_wrong {
            log.clock_was_wrong();
        }
    }
}

/// The option for a cosigner's private key.
#[derive(Debug, clap::Args)]
pub(super) struct KeyArgs {
    /// ML-DSA-44 private key
    #[arg(long, value_name = "FILE", default_value = "mtc.key")]
    pub(super) key: PathBuf,
    #[command(flatten)]
    pub(super) passphrase: PassphraseArgs,
}

impl KeyArgs {
    /// Loads a CA's key.
    pub(super) fn authority(&self, context: &Context, info: &LogInfo) -> Result<CosignerKey, Failure> {
        let key = private_key_of(context, EMBEDDED, &self.key, &self.passphrase)?;
        CosignerKey::new(info.ca, key).map_err(|error| refused(&format!("{}: {error}", name_of(&self.key))))
    }

    /// Loads the key of a witness or mirror.
    pub(super) fn cosigner(&self, context: &Context, id: &TrustAnchorId) -> Result<NoteSigner, Failure> {
        let failed = |error: &Error| refused(&format!("{}: {error}", name_of(&self.key)));
        let key = private_key_of(context, EMBEDDED, &self.key, &self.passphrase)?;
        let kind = NoteSigner::cosigner_kind(&*key).map_err(|error| failed(&error))?;
        NoteSigner::new(&id.name(), kind, key).map_err(|error| failed(&error))
    }
}

/// A log that is operated elsewhere: its CA certificate and its log number.
#[derive(Debug, clap::Args)]
pub(super) struct KnownLogArgs {
    /// Certificate of the log's CA
    #[arg(long, value_name = "FILE")]
    pub(super) ca: PathBuf,
    /// Number of the log
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) log: u16,
}

impl KnownLogArgs {
    pub(super) fn read(&self, context: &Context) -> Result<KnownLog, Failure> {
        known_log(context, &self.ca, self.log)
    }
}

/// Returns the log with the given number, for the CA whose certificate is in a file.
pub(super) fn known_log(context: &Context, path: &Path, number: u16) -> Result<KnownLog, Failure> {
    let der = ca_der(context, path)?;
    let failed = |error: &dyn std::fmt::Display| refused(&format!("{}: {error}", name_of(path)));
    let ca = CaCertificate::from_der(&der).map_err(|error| failed(&error))?;
    let key = NoteKey::from_key_info(&ca.id.name(), NoteKeyKind::MlDsa44, ca.key_info);
    let key = key.map_err(|_other_key| {
        failed(&"checkpoints are signed with ML-DSA-44, but the CA's key has a different type")
    })?;
    let info = LogInfo::new(ca.id, number, ca.draft).map_err(|error| failed(&error))?;
    Ok(KnownLog { origin: info.origin, keys: vec![key] })
}

/// Reads a CA's certificate.
pub(super) fn ca_der(context: &Context, path: &Path) -> Result<Vec<u8>, Failure> {
    let der = value(context, path, &kinds::CERTIFICATE)?;
    match CaCertificate::from_der(&der) {
        Ok(_) => Ok(der),
        Err(error) => Err(refused(&format!("{}: not a certificate of an MTC CA: {error}", name_of(path)))),
    }
}

/// The options for the destination of certificates.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Write DER instead of PEM, without properties
    #[arg(long)]
    pub(super) der: bool,
}

impl OutputArgs {
    /// Checks that a file can be created in the output's folder, before something irrevocable is done.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let Some(path) = self.output.as_ref().filter(|path| *path != Path::new("-")) else { return Ok(()) };
        let failed = |error: std::io::Error| Failure::file(path, "written", &error);
        if path.is_dir() {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()));
        }
        // A device or a pipe needs no new file.
        if path.exists() && !path.is_file() {
            return Ok(());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        loses_no_key(path)?;
        tempfile::tempfile_in(folder).map(drop).map_err(failed)
    }

    /// Writes certificates. In PEM, each follows its properties.
    pub(super) fn deliver(&self, certificates: &[Certified], out: &mut dyn Write) -> Result<(), Failure> {
        let mut all = Vec::new();
        for one in certificates {
            if self.der {
                all.extend_from_slice(&one.der);
            } else {
                all.extend_from_slice(chain(one)?.as_bytes());
            }
        }
        deliver(&all, self.output.as_ref(), false, out)
    }
}

/// A certificate in JSON.
#[derive(Serialize)]
pub(super) struct CertificateDocument {
    serial: String,
    index: u64,
    start: u64,
    end: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    landmark: Option<u64>,
    size: usize,
    pem: String,
}

impl CertificateDocument {
    pub(super) fn of(one: &Certified) -> Result<Self, Failure> {
        Ok(Self {
            serial: one.serial.to_string(),
            index: one.serial.index(),
            start: one.subtree.start(),
            end: one.subtree.end(),
            landmark: one.landmark.map(|landmark| landmark.number),
            size: one.der.len(),
            pem: chain(one)?,
        })
    }
}

/// A checkpoint in JSON.
#[derive(Serialize)]
pub(super) struct CheckpointDocument {
    pub(super) origin: String,
    pub(super) size: u64,
    pub(super) root: String,
    pub(super) time: u64,
    pub(super) note: String,
}

impl CheckpointDocument {
    pub(super) fn of(origin: &str, record: &tagwise_mtc_log::CheckpointRecord) -> Self {
        Self {
            origin: origin.to_owned(),
            size: record.size,
            root: hex::encode(&record.root),
            time: record.time,
            note: record.note.clone(),
        }
    }
}

/// Returns the current time, in seconds since 1970.
pub(super) fn seconds() -> u64 {
    u64::try_from(now().0).unwrap_or_default()
}

/// Returns the signature verifier.
pub(super) fn check() -> BackendCheck<'static> {
    BackendCheck::new(EMBEDDED)
}

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'static str,
    command: &'a str,
    #[serde(flatten)]
    content: &'a T,
}

/// Writes JSON (schema `tagwise.mtc/1`).
pub(super) fn document<T: Serialize>(command: &str, content: &T, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(json::write(out, &Document { schema: "tagwise.mtc/1", command, content })?)
}

/// Creates a progress bar on standard error, if it is a terminal.
pub(super) fn progress(len: u64, words: &str) -> ProgressBar {
    let seen = io::stderr().is_terminal();
    let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(len), target);
    let style = ProgressStyle::with_template(&format!("{{bar:40.cyan}} {{pos}} of {{len}} {words}, {{elapsed}}"));
    bar.set_style(style.unwrap_or_else(|_error| ProgressStyle::default_bar()));
    if seen {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

/// Runs a server until a signal arrives. Calls `started` with the URL once the address is bound.
pub(super) fn serve_at(
    listen: SocketAddr,
    connections: u32,
    service: Arc<dyn Service>,
    started: impl FnOnce(&str) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let failed = |error: io::Error| Failure::Said(3, format!("{listen}: {error}"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
    let options =
        ServeOptions { max_connections: usize::try_from(connections).unwrap_or(usize::MAX), ..ServeOptions::DEFAULT };
    runtime.block_on(async {
        let stop = stop().map_err(failed)?;
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        started(&format!("http://{}", listener.local_addr().map_err(failed)?))?;
        serve(listener, service, options, stop).await;
        Ok(0)
    })
}

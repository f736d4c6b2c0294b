//! `tagwise ca serve-ocsp`.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tagwise_ca::serve::{Access, Counters, Delegation, Hooks, Log, Pool, ServeOptions, serve};
use tagwise_ca::{Error, Store};
use tagwise_pkix::name::visible;
use tokio::net::TcpListener;

use super::common::{DAY, DELEGATED, ResponderArgs, document};
use super::ocsp::word;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::output::Failure;
use crate::shared::stop::stop;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca serve-ocsp                                    on http://127.0.0.1:8080/
  tagwise ca serve-ocsp --listen 127.0.0.1:0 --no-nonce    a free port, which is printed; all responses from the database
  tagwise ca serve-ocsp --responder-key ocsp.key --responder-certificate ocsp.pem
                                                           the CA's key stays locked; issue CRLs with `ca crl`
  tagwise ca serve-ocsp --delegate-days 7 --access-log access.jsonl
                                                           responses by a key that is replaced every few days
  openssl ocsp -url http://127.0.0.1:8080/ -issuer root.pem -CAfile root.pem -cert server.pem
  curl -s http://127.0.0.1:8080/crl | tagwise show -

The OCSP responder is at / and /ocsp (GET and POST), the last CRL at /crl, and the CA's certificate at /ca. Other CRLs are at \
/crl/delta, /crl/3 and /crl/3/delta (of partition 3) and /crl/indirect. Each CRL is also at the path of its URL in certificates. Responses are signed in \
advance and stored in the database; revocations by other commands take effect at once. On SIGINT and SIGTERM, the server answers the \
open requests and exits.
Exit codes: 0 ended by a signal; 1 the key cannot be used; 2 usage error; 3 the address or the database cannot be used.";

#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Listen on this address and port; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[command(flatten)]
    responder: ResponderArgs,
    /// Sign responses on request only, not in advance
    #[arg(long)]
    no_advance: bool,
    /// Issue CRLs valid for this many days, each halfway through the validity of the last one; 0 issues none
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(0..=3650))]
    crl_days: u32,
    /// After a revocation, issue the next CRL once the last one is this many minutes old
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_080))]
    crl_minutes: u32,
    /// Sign OCSP responses with a new key, whose certificate is valid for this many days, and replace both after half of that time
    #[arg(long, value_name = "N", conflicts_with_all = ["responder_key", "responder_certificate"], value_parser = clap::value_parser!(u32).range(1..=365))]
    delegate_days: Option<u32>,
    /// Append a line of JSON for each request to this file
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,
    /// Maximum number of connections at once; a further one closes the connection that has been idle longest
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    connections: u32,
    /// Write JSON (schema tagwise.ca/1) to standard output, at the start and at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Started {
    url: String,
}

#[derive(Serialize)]
struct Ended {
    connections: u64,
    answered: u64,
    refused: u64,
    failed: u64,
    signed_in_advance: u64,
    crls: u64,
}

/// A line of the access log.
#[derive(Serialize)]
struct Line<'a> {
    time: String,
    peer: Option<String>,
    method: &'a str,
    path: &'a str,
    status: u16,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    ocsp: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    serials: Vec<String>,
    microseconds: u128,
}

/// Opens the access log.
fn access_log(path: &Path) -> Result<Box<Log>, Failure> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let file = Mutex::new(file.map_err(|error| Failure::file(path, "written", &error))?);
    Ok(Box::new(move |access: &Access| {
        let line = Line {
            time: access.at.to_string(),
            peer: access.peer.map(|peer| peer.to_string()),
            method: &access.method,
            path: &access.path,
            status: access.status,
            size: access.size,
            ocsp: access.ocsp.map(word),
            serials: access.serials.iter().map(ToString::to_string).collect(),
            microseconds: access.elapsed.as_micros(),
        };
        let Ok(mut text) = serde_json::to_string(&line) else { return };
        text.push('\n');
        // One write for each line. A full disk does not keep the server from answering.
        let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes());
    }))
}

/// The number of reading connections, in addition to SQLite's single writer.
const STORES: usize = 4;

impl ServeArgs {
    pub(super) fn serve(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let lifetime = self.delegate_days.map(|days| DAY * days);
        let (store, responder, signer) = self.responder.open_with(context, lifetime)?;
        let delegation = signer.zip(lifetime).map(|(signer, lifetime)| Delegation {
            signer,
            backend: EMBEDDED,
            key_type: DELEGATED,
            lifetime,
        });
        let log = self.access_log.as_deref().map(access_log).transpose()?;
        drop(store);
        let stores = self.responder.key.stores(STORES)?.into_iter().map(|store| store as Box<dyn Store>).collect();
        let pool = Pool::new(stores);
        // PostgreSQL's client must not be dropped in asynchronous code.
        let kept = pool.clone();
        let options = ServeOptions {
            max_connections: usize::try_from(self.connections).unwrap_or(usize::MAX),
            in_advance: !self.no_advance,
            crl_lifetime: (self.crl_days > 0).then(|| DAY * self.crl_days),
            crl_after_revocation: Some(Duration::from_secs(60) * self.crl_minutes),
            ..ServeOptions::DEFAULT
        };
        let failed = |error: io::Error| Failure::Said(3, format!("{}: {error}", self.listen));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
        let counters = Arc::new(Counters::default());
        runtime.block_on(async {
            let stop = stop().map_err(failed)?;
            let listener = TcpListener::bind(self.listen).await.map_err(failed)?;
            let url = format!("http://{}/", listener.local_addr().map_err(failed)?);
            if self.json {
                document("serve-ocsp", &Started { url }, out)?;
            } else {
                writeln!(out, "{url}")?;
            }
            out.flush()?;
            let report = |error: &Error| {
                let _ = writeln!(io::stderr(), "tagwise: {}", visible(error));
            };
            let counters = Arc::clone(&counters);
            let hooks = Hooks { report: Box::new(report), log, delegation };
            let served = serve(listener, responder, pool, options, counters, hooks, stop).await;
            served.map_err(|error| self.responder.key.failed(&error))
        })?;
        runtime.shutdown_timeout(ServeOptions::DEFAULT.grace);
        drop(kept);
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let ended = Ended {
            connections: count(&counters.connections),
            answered: count(&counters.answered),
            refused: count(&counters.refused),
            failed: count(&counters.failed),
            signed_in_advance: count(&counters.in_advance),
            crls: count(&counters.crls),
        };
        if self.json {
            document("serve-ocsp", &ended, out)?;
        } else {
            let Ended { answered, refused, failed, .. } = ended;
            writeln!(err, "{answered} answered, {refused} refused, {failed} failed")?;
        }
        Ok(0)
    }
}

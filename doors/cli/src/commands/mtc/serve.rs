//! `tagwise mtc serve`.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use serde::Serialize;
use tagwise_mtc_log::serve::LogService;

use super::common::{DbArgs, document, serve_at};
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc serve                            on http://127.0.0.1:8081/1
  tagwise mtc serve --listen 127.0.0.1:0       a free port, which is printed
  curl -s http://127.0.0.1:8081/1/checkpoint
  curl -s http://127.0.0.1:8081/1/certificate/7 | tagwise show -

Paths below the log's number: checkpoint, tile/LEVEL/INDEX, tile/entries/INDEX and landmarks (C2SP tlog-tiles), and certificate/INDEX \
and landmark-certificate/INDEX. Entries and checkpoints of other commands appear at once. The server uses plain HTTP; put a proxy in \
front of it for TLS. On SIGINT and SIGTERM, it answers the open requests and exits.
Exit codes: 0 ended by a signal; 1 the database was changed; 2 usage error; 3 the address or the database cannot be used.";

#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Listen on this address and port; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
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
    origin: String,
}

impl ServeArgs {
    pub(super) fn serve(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let log = self.db.open()?;
        let (number, origin) = (log.info().number, log.info().origin.clone());
        serve_at(self.listen, self.connections, Arc::new(LogService::new(log)), |url| {
            let url = format!("{url}/{number}");
            match self.json {
                true => document("serve", &Started { url, origin }, out)?,
                false => writeln!(out, "{url}")?,
            }
            Ok(out.flush()?)
        })
    }
}

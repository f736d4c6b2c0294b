//! `tagwise tsp request`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_crypto::tsp::request;

use super::{DigestName, Dotted};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{negative, octets};
use crate::shared::output::{Failure, deliver};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise tsp request contract.pdf -o contract.tsq
  curl -s -H 'Content-Type: application/timestamp-query' --data-binary @contract.tsq http://tsa.example/ > contract.tsr

Exit codes: 0 created; 1 not created, with the reason; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct RequestArgs {
    /// File to stamp; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Digest algorithm for the file
    #[arg(long, value_name = "DIGEST", default_value = "sha256")]
    digest: DigestName,
    /// Request this policy, a dotted OBJECT IDENTIFIER
    #[arg(long, value_name = "OID")]
    policy: Option<Dotted>,
    /// Do not request the certificate of the authority
    #[arg(long)]
    no_certificate: bool,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
}

impl RequestArgs {
    pub(super) fn request(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let digest = self.digest.digest();
        let hash =
            EMBEDDED.digest(digest, &octets(context, &self.file)?).map_err(|error| negative(&self.file, &error))?;
        let policy = self.policy.as_ref().map(Dotted::oid);
        let made = request(EMBEDDED, digest, &hash, policy, !self.no_certificate);
        deliver(&made.map_err(|error| negative(&self.file, &error))?, self.output.as_ref(), self.force, out)?;
        Ok(0)
    }
}

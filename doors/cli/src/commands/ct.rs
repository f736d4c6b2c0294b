//! `tagwise ct`: logs of Certificate Transparency. The library verifies; files, connections and output are handled here.

mod lines;
mod names;
mod show;
mod source;
mod state;
mod verify;
mod watch;

use std::io::{self, Write};

use clap::Subcommand;

use crate::shared::context::Context;
use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
Read logs of Certificate Transparency, with the API of RFC 6962 or with tiles (static-ct-api), and verify what they serve.

The log's key verifies its tree heads. Every entry that is printed has been hashed into the tree that the log has signed. A state file \
makes each run continue where the last one ended, and detects a log that has changed its past: forks, rollbacks and wrong leaves. \
Servers with https URLs are verified with the system's roots, or with --trust.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise ct show https://ct.example.org/2026h2 --key log.pem
  tagwise ct watch https://ct.example.org/2026h2 --key log.pem --state log.state -o found.ndjson --match '*.example.org'
  tagwise ct get https://ct.example.org/2026h2 --key log.pem --start 1000 --end 1010
  tagwise ct verify https://ct.example.org/2026h2 --key log.pem www.pem --issuer ca.pem

Exit codes: 0 verified; 1 the log violates its guarantees; 2 usage error; 3 the log does not answer, its answer is malformed, or a file \
could not be read or written; 4 not known, such as the inclusion of a certificate that is not in the tree yet.";

#[derive(Debug, Subcommand)]
pub(crate) enum CtCommand {
    /// Show the current tree head, with a verified signature
    Show(show::ShowArgs),
    /// Read entries by number, and print them as JSON lines
    Get(watch::GetArgs),
    /// Read the entries that are new since the last run, and print them as JSON lines
    #[command(after_long_help = watch::EXAMPLES)]
    Watch(watch::WatchArgs),
    /// Verify that a log contains the certificates to which it has given timestamps
    Verify(verify::VerifyArgs),
}

impl CtCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Show(args) => args.run(context, out),
            Self::Get(args) => args.run(context, out),
            Self::Watch(args) => args.run(context, out, err),
            Self::Verify(args) => args.run(context, out),
        };
        finish(done, err)
    }
}

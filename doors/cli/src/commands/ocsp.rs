//! `tagwise ocsp`: asks OCSP responders.

mod ask;

use std::io::{self, Write};

use clap::Subcommand;

use crate::shared::context::Context;
use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
Ask OCSP responders about certificates (RFC 6960).

`tagwise ca serve-ocsp` runs a responder, `tagwise ca ocsp` answers a single request, and `tagwise verify --ocsp` uses responses in files.";

#[derive(Debug, Subcommand)]
pub(crate) enum OcspCommand {
    /// Ask a responder whether a certificate is revoked, and verify its response
    #[command(long_about = ask::ABOUT, after_long_help = ask::EXAMPLES, aliases = ["query", "status"])]
    Ask(ask::AskArgs),
}

impl OcspCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Ask(args) => args.ask(context, out),
        };
        finish(done, err)
    }
}

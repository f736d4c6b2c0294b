//! `tagwise cert`: certificates without a CA.

mod self_signed;

use std::io::{self, Write};

use clap::Subcommand;

use super::show::ShowArgs;
use crate::shared::context::Context;
use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
Create self-signed certificates, and show certificates.

A self-signed certificate is trusted only where it is installed as a trust anchor. To issue certificates that others verify, run a CA: \
`tagwise ca init`.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise cert self-signed --host localhost
  tagwise cert show localhost.pem";

#[derive(Debug, Subcommand)]
pub(crate) enum CertCommand {
    /// Create a key and a self-signed certificate
    #[command(after_long_help = self_signed::EXAMPLES, visible_alias = "new")]
    SelfSigned(Box<self_signed::SelfSignedArgs>),
    /// Show certificates
    Show(Box<ShowArgs>),
}

impl CertCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        match self {
            Self::SelfSigned(args) => finish(args.make(context, out, err), err),
            Self::Show(args) => args.run(context, out, err),
        }
    }
}

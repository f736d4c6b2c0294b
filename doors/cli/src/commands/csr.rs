//! `tagwise csr`: creates, checks and signs certification requests (PKCS #10).

mod check;
mod new;
mod sign;

use std::io::{self, Write};

use clap::Subcommand;
use tagwise_show::SelfSignature;

use super::show::ShowArgs;
use crate::shared::context::Context;
use crate::shared::output::finish;

pub(crate) const ABOUT: &str = "\
Create, show, check and sign certification requests (PKCS #10, RFC 2986).

A request has a subject, a public key and the extensions that its certificate should have. It is signed with the private key, which \
proves its possession. `tagwise ca issue` certifies requests with a CA's database; `csr sign` does so with a key and a certificate in \
files.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise csr new --key-out www.key --subject CN=www.example.org --dns www.example.org -o www.csr
  tagwise csr show www.csr
  tagwise csr check www.csr
  tagwise csr sign www.csr --ca ca.pem --ca-key ca.key -o www.pem";

#[derive(Debug, Subcommand)]
pub(crate) enum CsrCommand {
    /// Create a request, with an existing or a new key
    #[command(after_long_help = new::EXAMPLES, visible_alias = "create")]
    New(Box<new::NewArgs>),
    /// Show requests, and whether their signatures are valid
    Show(Box<ShowArgs>),
    /// Verify the signature and the key of requests
    #[command(after_long_help = check::EXAMPLES, visible_alias = "verify")]
    Check(check::CheckArgs),
    /// Sign a request with a CA key and certificate from files
    #[command(after_long_help = sign::EXAMPLES)]
    Sign(Box<sign::SignArgs>),
}

impl CsrCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::New(args) => args.make(context, out, err),
            Self::Show(args) => return args.run(context, out, err),
            Self::Check(args) => args.check(context, out, err),
            Self::Sign(args) => args.sign(context, out, err),
        };
        finish(done, err)
    }
}

/// Returns a description of a request's signature.
pub(crate) fn words(signature: &SelfSignature) -> String {
    match (signature, signature.reason()) {
        (SelfSignature::Unknown(_), Some(reason)) => format!("not known: {reason}"),
        (_, Some(reason)) => format!("{}: {reason}", signature.name()),
        (_, None) => signature.name().to_owned(),
    }
}

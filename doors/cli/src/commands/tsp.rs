//! `tagwise tsp`: requests, issues and verifies time stamps.

mod reply;
mod request;
mod verify;

use std::io::{self, Write};

use clap::{Subcommand, ValueEnum};
use tagwise_codec::value::from_dotted;
use tagwise_codec::{Oid, oid};
use tagwise_crypto::Digest;

use crate::shared::context::Context;
use crate::shared::output::finish;
use crate::shared::rules::Door;

pub(crate) const ABOUT: &str = "\
Request, issue and verify time stamps (RFC 3161).

Send a request to an authority as the body of an HTTP POST with the type application/timestamp-query; this command does not send it.";

#[derive(Debug, Subcommand)]
pub(crate) enum TspCommand {
    /// Create a request to time-stamp a file
    #[command(after_long_help = request::EXAMPLES)]
    Request(request::RequestArgs),
    /// Answer a request, as a time-stamping authority
    #[command(after_long_help = reply::EXAMPLES)]
    Reply(reply::ReplyArgs),
    /// Verify a response or a time stamp against a request or a file
    #[command(after_long_help = verify::EXAMPLES)]
    Verify(verify::VerifyArgs),
}

impl TspCommand {
    /// Returns the rules that `--allow` can disable.
    pub(crate) const fn door(&self) -> Door {
        match self {
            Self::Verify(_) | Self::Reply(_) => Door::JUDGES,
            Self::Request(_) => Door::READS,
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Request(args) => args.request(context, out),
            Self::Reply(args) => args.reply(context, out, err),
            Self::Verify(args) => args.verify(context, out),
        };
        finish(done, err)
    }
}

/// Digests of the stamped data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DigestName {
    Sha256,
    Sha384,
    Sha512,
    #[value(name = "sha3-256")]
    Sha3_256,
    #[value(name = "sha3-384")]
    Sha3_384,
    #[value(name = "sha3-512")]
    Sha3_512,
}

impl DigestName {
    const fn digest(self) -> Digest {
        match self {
            Self::Sha256 => Digest::Sha256,
            Self::Sha384 => Digest::Sha384,
            Self::Sha512 => Digest::Sha512,
            Self::Sha3_256 => Digest::Sha3_256,
            Self::Sha3_384 => Digest::Sha3_384,
            Self::Sha3_512 => Digest::Sha3_512,
        }
    }
}

/// An OBJECT IDENTIFIER, parsed from its dotted form.
#[derive(Clone, Debug)]
struct Dotted(Vec<u8>);

impl std::str::FromStr for Dotted {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        from_dotted(text).map(Self).ok_or("not a dotted OBJECT IDENTIFIER, such as 1.3.6.1.4.1.99999.1")
    }
}

impl Dotted {
    fn oid(&self) -> Oid<'_> {
        // It was made of arcs.
        Oid::from_content(&self.0).unwrap_or(oid!("0.0"))
    }
}

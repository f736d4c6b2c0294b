//! `tagwise p12`: shows, extracts and creates PKCS #12 files. The library implements the format. Files and passphrases are
//! handled here.

mod create;
mod document;
mod extract;
mod java;
mod show;

use std::io::{self, Write};
use std::path::Path;

use clap::Subcommand;
use tagwise_crypto::Secret;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs12::{Integrity, Opened, Store};

use crate::shared::context::Context;
use crate::shared::credentials::{negative, source};
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::pkcs12;

pub(crate) const ABOUT: &str = "\
Show, extract and create PKCS #12 files (.p12, .pfx). Java keystores (JKS, JCEKS) can be shown and extracted.

Legacy encryption can be read; it is written only with --layout legacy-windows. Passphrases are read from the terminal, a file or a \
file descriptor, never from an argument. Before prompting, an empty passphrase and none are both tried.";

#[derive(Debug, Subcommand)]
pub(crate) enum P12Command {
    /// Describe a file's content and protection, without secrets
    #[command(after_long_help = show::EXAMPLES)]
    Show(show::ShowArgs),
    /// Extract the content of a file as PEM
    #[command(after_long_help = extract::EXAMPLES)]
    Extract(extract::ExtractArgs),
    /// Put keys, certificates and CRLs into a new file
    #[command(after_long_help = create::EXAMPLES)]
    Create(create::CreateArgs),
}

impl P12Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Show(args) => args.show(context, out, err),
            Self::Extract(args) => args.extract(context, out, err),
            Self::Create(args) => args.create(context, out),
        };
        finish(done, err)
    }
}

/// A PKCS #12 file in DER or BER.
struct File {
    octets: Vec<u8>,
    store: Store,
}

impl File {
    fn read(context: &Context, path: &Path) -> Result<Self, Failure> {
        let mut octets = source(context, path)?.octets();
        context.allowed.canonical(&mut octets);
        let store = Store::read(&octets).map_err(|error| negative(path, &error))?;
        Ok(Self { octets, store })
    }

    fn open(&self, path: &Path, passphrase: &PassphraseArgs) -> Result<(Opened, Vec<Secret>), Failure> {
        pkcs12::open(path, &self.octets, passphrase)
    }
}

/// Reports the unreadable parts, because the result is incomplete.
fn unreadable(path: &Path, opened: &Opened, err: &mut dyn Write) -> Result<u8, Failure> {
    for part in opened.unreadable() {
        writeln!(err, "tagwise: {}: cannot be read: {}", name_of(path), visible(part))?;
    }
    Ok(u8::from(!opened.unreadable().is_empty()))
}

/// Returns a description of a file's integrity protection.
const fn integrity(of: Integrity) -> &'static str {
    match of {
        Integrity::Verified => "verified",
        Integrity::Absent => "no MAC",
        Integrity::Signed => "signed, not verified",
    }
}

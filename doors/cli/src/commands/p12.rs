//! `tagwise p12`: shows, extracts and creates PKCS #12 files. The library implements the format. Files and passphrases are
//! handled here.

mod create;
mod extract;
mod show;

use std::io::{self, Write};
use std::path::Path;

use clap::Subcommand;
use tagwise_crypto::pkcs12::{Password, is_password, open};
use tagwise_crypto::{JKS, is_jks};
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs12::{CostLimits, Integrity, Opened, Store};

use crate::shared::backend::EMBEDDED;
use crate::shared::credentials::{negative, source};
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::rules;

pub(crate) const ABOUT: &str = "\
Show, extract and create PKCS #12 files (.p12, .pfx).

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
    pub(crate) fn run(&self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match self {
            Self::Show(args) => args.show(color, out, err),
            Self::Extract(args) => args.extract(out, err),
            Self::Create(args) => args.create(out),
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
    fn read(path: &Path) -> Result<Self, Failure> {
        let source = source(path)?;
        // Its certificates are in it, and it is no PKCS #12.
        let is_java = is_jks(source.input());
        let mut octets = source.octets();
        rules::canonical(&mut octets);
        if is_java || is_jks(&octets) {
            return Err(negative(path, &JKS));
        }
        let store = Store::read(&octets).map_err(|error| negative(path, &error))?;
        Ok(Self { octets, store })
    }

    /// Opens the file with the given passphrase or without one, or prompts for it.
    fn open(&self, path: &Path, passphrase: &PassphraseArgs) -> Result<Opened, Failure> {
        let open = |password: &Password| open(EMBEDDED, &self.octets, password, CostLimits::DEFAULT);
        let password = match passphrase.named()? {
            Some(octets) => octets,
            // No prompt if no passphrase is needed.
            None => match open(&Password::absent()) {
                Ok(opened) => return Ok(opened),
                Err(error) if is_password(&error) => passphrase.of(&name_of(path))?,
                Err(error) => return Err(negative(path, &error)),
            },
        };
        let password = Password::from_utf8(password.expose()).map_err(|error| negative(path, &error))?;
        open(&password).map_err(|error| negative(path, &error))
    }
}

/// Reports the unreadable parts: the result is incomplete.
fn unreadable(path: &Path, opened: &Opened, err: &mut dyn Write) -> Result<u8, Failure> {
    for part in opened.unreadable() {
        writeln!(err, "tagwise: {}: cannot be read: {}", name_of(path), visible(part))?;
    }
    Ok(u8::from(!opened.unreadable().is_empty()))
}

/// The description of a file's integrity protection.
const fn integrity(of: Integrity) -> &'static str {
    match of {
        Integrity::Verified => "verified",
        Integrity::Absent => "no MAC",
        Integrity::Signed => "signed, not verified",
    }
}

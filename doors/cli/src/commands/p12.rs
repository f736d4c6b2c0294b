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
use tagwise_crypto::pkcs12::{Password, is_password, open_with_others};
use tagwise_crypto::{PasswordOptions, PrivateKeyInfo, Secret, decrypt_key, decryption_cost};
use tagwise_pkix::BundleKind;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs12::{CostLimits, Integrity, Opened, Store};

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{negative, source};
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::passphrase::PassphraseArgs;

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

    /// Opens the file without a passphrase, with a given one, or with one from a prompt. Also returns all passphrases, because keys may
    /// have different ones than the file.
    fn open(&self, path: &Path, passphrase: &PassphraseArgs) -> Result<(Opened, Vec<Secret>), Failure> {
        let open = |password: &Password, others: &[Password]| {
            open_with_others(EMBEDDED, &self.octets, password, others, CostLimits::DEFAULT)
        };
        let mut passwords = passphrase.all()?;
        if passwords.is_empty() {
            // No prompt if no passphrase is needed.
            match open(&Password::absent(), &[]) {
                Ok(opened) => return Ok((opened, passwords)),
                Err(error) if is_password(&error) => passwords.push(passphrase.of(&name_of(path))?),
                Err(error) => return Err(negative(path, &error)),
            }
        }
        let mut last = None;
        let each = passwords.iter().map(|password| Password::from_utf8(password.expose()));
        let each = each.collect::<Result<Vec<_>, _>>().map_err(|error| negative(path, &error))?;
        for (at, password) in each.iter().enumerate() {
            let mut others = each.clone();
            others.remove(at);
            match open(password, &others) {
                Ok(opened) => return Ok((opened, passwords)),
                Err(error) if is_password(&error) => last = Some(negative(path, &error)),
                Err(error) => return Err(negative(path, &error)),
            }
        }
        Err(last.unwrap_or_else(|| Failure::negative("a passphrase is required")))
    }
}

/// Decrypts keys whose passphrase differs from the file's, using the given passphrases.
struct Unlock {
    passwords: Vec<Secret>,
    /// The options, with a shared budget for all keys.
    options: PasswordOptions,
    /// The number of keys that were decrypted.
    unlocked: usize,
}

impl Unlock {
    const fn new(passwords: Vec<Secret>) -> Self {
        Self { passwords, options: PasswordOptions::DEFAULT, unlocked: 0 }
    }

    /// Decrypts an EncryptedPrivateKeyInfo. Returns `None` if no passphrase decrypts it.
    fn key(&mut self, der: &[u8]) -> Option<PrivateKeyInfo> {
        let cost = u32::try_from(decryption_cost(der)).unwrap_or(u32::MAX);
        for password in &self.passwords {
            let read = decrypt_key(EMBEDDED, der, password.expose(), &self.options);
            self.options.max_iterations = self.options.max_iterations.saturating_sub(cost);
            if let Ok(info) = read {
                self.unlocked += 1;
                return Some(info);
            }
        }
        None
    }

    /// Returns whether every item that the file's passphrase could not decrypt is a key that has since been decrypted.
    fn is_complete(&self, opened: &Opened) -> bool {
        let keys = opened.items().filter(|item| item.kind == BundleKind::EncryptedPrivateKey).count();
        self.unlocked == keys && opened.unreadable().len() == keys
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

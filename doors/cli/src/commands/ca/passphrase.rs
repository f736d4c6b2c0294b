//! `tagwise ca passphrase`.

use std::io::Write;
use std::path::PathBuf;

use tagwise_ca::Protection;
use tagwise_crypto::Secret;

use super::common::KeyArgs;
use crate::shared::backend::EMBEDDED;
use crate::shared::output::Failure;
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca passphrase                                   prompts for both passphrases
  tagwise ca passphrase --passphrase-file old.txt --new-passphrase-file new.txt
  tagwise ca passphrase --no-new-passphrase               store the key unencrypted

The key itself stays the same. Its old form is overwritten in the database, but backups still have it, with the old passphrase.
Exit codes: 0 changed; 1 refused, with the reason; 2 usage error; 3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct PassphraseCommand {
    #[command(flatten)]
    key: KeyArgs,
    /// Read the new passphrase from the first line of this file
    #[arg(long, value_name = "FILE")]
    new_passphrase_file: Option<PathBuf>,
    /// Store the key unencrypted: anybody who can read the database can use it
    #[arg(long, conflicts_with = "new_passphrase_file")]
    no_new_passphrase: bool,
}

impl PassphraseCommand {
    pub(super) fn change(&self, err: &mut dyn Write) -> Result<u8, Failure> {
        let (mut store, authority) = self.key.open()?;
        let (_, old) = self.key.signer_and_passphrase(&authority)?;
        let fresh = PassphraseArgs::named_by("--new-passphrase-file", self.new_passphrase_file.as_deref());
        let new = (!self.no_new_passphrase).then(|| fresh.fresh()).transpose()?;
        let protection = new.as_ref().map_or(Protection::Clear, |it| Protection::passphrase(Secret::expose(it)));
        // The log's key first: it can be changed again if the command is killed in between.
        if let Some(files) = self.key.log_files() {
            files.protect(old.as_ref(), new.as_ref())?;
        }
        let done = authority.protect(&mut *store, EMBEDDED, old.as_ref().map(Secret::expose), &protection);
        done.map_err(|error| self.key.failed(&error))?;
        let what = if self.no_new_passphrase { "the key is stored unencrypted" } else { "the passphrase was changed" };
        writeln!(err, "{}: {what}", self.key.name())?;
        Ok(0)
    }
}

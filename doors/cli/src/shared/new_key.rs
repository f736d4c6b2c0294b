//! The key for a request or self-signed certificate: an existing one from a file, or a new one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tagwise_crypto::{KeyType, PasswordOptions, PrivateKey, Secret, encrypt_key};
use tagwise_pkix::oids::files::label;

use crate::shared::backend::{EMBEDDED, key_kind};
use crate::shared::context::Context;
use crate::shared::keys::{armoured, private_key_named, refused};
use crate::shared::output::{Access, Failure, name_of, write};
use crate::shared::passphrase::PassphraseArgs;

/// The key to use: an existing one, or a new one and its file.
#[derive(Debug, clap::Args)]
pub(crate) struct KeySourceArgs {
    /// Use the private key in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["new_key", "key_out"])]
    pub(crate) key: Option<PathBuf>,
    /// Use the key with this name: an alias of a keystore, a comment, or a key identifier
    #[arg(long, value_name = "NAME", requires = "key")]
    pub(crate) key_name: Option<String>,
    /// Generate a key of this kind [default: ecdsa-p256, without --key]
    #[arg(long, value_name = "KIND", alias = "key-type", value_parser = key_kind)]
    pub(crate) new_key: Option<KeyType>,
    /// Write the new key to this file
    #[arg(long, value_name = "FILE", alias = "keyout", alias = "new-key-out")]
    pub(crate) key_out: Option<PathBuf>,
    /// Read the passphrase of the key from the first line of this file [default: prompt]
    #[arg(long, value_name = "FILE", alias = "passphrase-file", conflicts_with = "key_no_passphrase")]
    pub(crate) key_passphrase_file: Option<PathBuf>,
    /// Write the new key unencrypted
    #[arg(long, alias = "no-passphrase", alias = "nodes", alias = "noenc", conflicts_with = "key")]
    pub(crate) key_no_passphrase: bool,
}

/// A key, with its file if it is new.
pub(crate) struct Chosen {
    pub(crate) key: Arc<dyn PrivateKey>,
    new: Option<NewKey>,
}

/// A new key, encoded as in its file.
struct NewKey {
    text: Secret,
    path: PathBuf,
}

impl KeySourceArgs {
    fn passphrase(&self) -> PassphraseArgs {
        PassphraseArgs::named_by("--key-passphrase-file", self.key_passphrase_file.as_deref())
    }

    /// Reads the key, or generates one without writing it. `path` is the file for a new key.
    ///
    /// # Errors
    /// Returns an error if the key cannot be read or generated, or a passphrase is missing.
    pub(crate) fn chosen(&self, context: &Context, path: Option<&Path>, is_clear: bool) -> Result<Chosen, Failure> {
        if let Some(file) = &self.key {
            let key = private_key_named(context, EMBEDDED, file, &self.passphrase(), self.key_name.as_deref());
            return Ok(Chosen { key: key?, new: None });
        }
        let path = self.key_out.as_deref().or(path);
        let path = path.ok_or_else(|| Failure::usage("give --key FILE, or --key-out FILE for a new key"))?;
        if path.as_os_str() == "-" {
            return Err(Failure::usage("--key-out must be a file"));
        }
        let passphrase = (!is_clear).then(|| self.passphrase().fresh()).transpose()?;
        let kind = self.new_key.unwrap_or(KeyType::P256);
        let key = EMBEDDED.generate(kind).map_err(|error| refused(&error))?;
        let pkcs8 = key.to_pkcs8().map_err(|error| refused(&error))?;
        let text = match passphrase {
            Some(passphrase) => {
                let encrypted = encrypt_key(EMBEDDED, &pkcs8, passphrase.expose(), &PasswordOptions::DEFAULT);
                armoured(label::ENCRYPTED_PRIVATE_KEY, &encrypted.map_err(|error| refused(&error))?)?
            }
            None => armoured(label::PRIVATE_KEY, pkcs8.expose())?,
        };
        Ok(Chosen { key, new: Some(NewKey { text, path: path.to_owned() }) })
    }
}

impl Chosen {
    /// Returns the path of the new key's file.
    pub(crate) fn new_file(&self) -> Option<&Path> {
        self.new.as_ref().map(|new| new.path.as_path())
    }

    /// Writes a new key, readable only by its owner, and then calls `rest`. If `rest` fails, the key file is removed if it is new.
    ///
    /// # Errors
    /// Returns an error if the key's file exists and `force` is false, or a file cannot be written.
    pub(crate) fn write_then(&self, force: bool, rest: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        let Some(NewKey { text, path }) = &self.new else { return rest() };
        let access = if force { Access::PrivateInPlace } else { Access::Private };
        write(path, text.expose(), access).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                Failure::Said(3, format!("{}: could not be written: it exists already", name_of(path)))
            }
            _ => Failure::file(path, "written", &error),
        })?;
        rest().inspect_err(|_| {
            if !force {
                let _ = std::fs::remove_file(path);
            }
        })
    }
}

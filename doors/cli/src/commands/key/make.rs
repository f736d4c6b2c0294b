//! `tagwise key new`.

use std::io::Write;
use std::path::PathBuf;
use tagwise_pkix::oids::files::label;

use tagwise_crypto::KeyType;

use super::show;
use crate::shared::backend::{BackendArgs, Chosen, key_kind, list};
use crate::shared::keys::{armoured, deliver_key, refused};
use crate::shared::output::{Failure, deliver as deliver_public, is_same};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise key new ecdsa-p256 -o server.key
  tagwise key new ml-dsa-65 -o ca.key --public ca.pub --passphrase-file secret.txt
  tagwise key new slh-dsa-sha2-192s -o root.key --passphrase-file secret.txt
  tagwise key new rsa3072 -o old.key --no-passphrase
  tagwise key new --list

Kinds: rsa2048, rsa3072, rsa4096, ecdsa-p256, ecdsa-p384, ecdsa-p521, ed25519, x25519, ml-dsa-44, ml-dsa-65, ml-dsa-87,
ml-kem-512, ml-kem-768, ml-kem-1024, slh-dsa-sha2-128s and other parameter sets, and composite kinds such as \
mldsa65-ecdsa-p384-sha512 and mlkem768-x25519-sha3-256; with --backend openssl also ed448 and x448. --list lists all kinds, with the \
backends that generate them.
Exit codes: 0 generated; 1 no backend generates this kind of key; 2 usage error; 3 a file could not be written.";

#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    /// Kind of key, such as ecdsa-p256, rsa3072, ed25519 or ml-dsa-65
    #[arg(value_name = "KIND", value_parser = key_kind, required_unless_present = "list")]
    kind: Option<KeyType>,
    /// List the kinds of keys and what each backend supports, and generate none
    #[arg(long, exclusive = true)]
    list: bool,
    /// Write the private key to this file, which must not exist yet [default: standard output]
    #[arg(short, long, value_name = "FILE", alias = "out")]
    output: Option<PathBuf>,
    /// Write the public key to this file
    #[arg(long, value_name = "FILE")]
    public: Option<PathBuf>,
    /// Write the key unencrypted
    #[arg(long, conflicts_with_all = ["passphrase_file", "passphrase_fd"])]
    no_passphrase: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

impl NewArgs {
    pub(super) fn make(&self, backend: Chosen, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let Some(kind) = self.kind else {
            list(out)?;
            return Ok(0);
        };
        if let (Some(private), Some(public)) = (&self.output, &self.public)
            && is_same(private, public)
        {
            return Err(Failure::usage(
                "--output and --public name the same file: the public key would replace the private key",
            ));
        }
        let passphrase = (!self.no_passphrase).then(|| self.passphrase.fresh()).transpose()?;
        let key = backend.generate(kind).map_err(|error| refused(&error))?;
        let pkcs8 = key.to_pkcs8().map_err(|error| refused(&error))?;
        deliver_key(backend, &pkcs8, passphrase.as_ref(), self.output.as_ref(), out)?;
        if let Some(path) = &self.public {
            let text = armoured(label::PUBLIC_KEY, key.public_key_info())?;
            deliver_public(text.expose(), Some(path), false, out)?;
        }
        if self.output.is_some() {
            writeln!(err, "{kind}: SHA-256 of its public key {}", show::fingerprint(backend, key.public_key_info())?)?;
        }
        Ok(0)
    }
}

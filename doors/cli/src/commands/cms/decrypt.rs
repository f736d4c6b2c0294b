//! `tagwise cms decrypt`.

use std::io::{Read, Write};
use std::path::PathBuf;

use tagwise_crypto::cms::{DecryptOptions, Unlock, decrypt};
use tagwise_input::Mail;
use tagwise_pkix::cms::{EncryptedReader, ID_ENCRYPTED_DATA, SignedReader};

use super::encrypt::{hex_id, shared_key};
use crate::shared::backend::{BackendArgs, Chosen};
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, mail, negative, octets, unusable};
use crate::shared::keys::private_key_of;
use crate::shared::output::{Failure, Secrecy, deliver_as};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise cms decrypt letter.p7m --key anna.key --certificate anna.pem -o letter.txt
  tagwise cms decrypt letter.p7m --password --passphrase-file secret.txt -o letter.txt
  tagwise cms decrypt letter.p7m --shared-key-file key.bin -o letter.txt

The message may also be inside a signed mail (encrypted, then signed); that signature is not checked. The content of a mail is a MIME \
entity, which may in turn be signed: verify it with `tagwise cms verify`, which also decrypts with --key. The certificate selects the \
recipient; without it, the key is tried on every recipient of its kind.
Exit codes: 0 decrypted; 1 the message is not for this key, was changed, or is malformed; 2 usage error; 3 a file could not be read or
written.";

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("unlock").required(true).args(["key", "password", "shared_key_file"]))]
pub(crate) struct DecryptArgs {
    /// Message: DER, BER, PEM or S/MIME; `-` is standard input
    #[arg(value_name = "MESSAGE")]
    message: PathBuf,
    /// Private key of a recipient
    #[arg(long, value_name = "KEY")]
    key: Option<PathBuf>,
    /// Certificate of the key
    #[arg(long, value_name = "CERT", requires = "key")]
    certificate: Option<PathBuf>,
    /// Decrypt with a passphrase
    #[arg(long)]
    password: bool,
    /// Decrypt with a shared key: a file of 16, 24 or 32 bytes, in binary or hexadecimal
    #[arg(long, value_name = "FILE")]
    shared_key_file: Option<PathBuf>,
    /// Identifier of the shared key, in hexadecimal [default: any]
    #[arg(long, value_name = "HEX", requires = "shared_key_file")]
    shared_key_id: Option<String>,
    /// The encrypted content, if it is not in the message
    #[arg(long, value_name = "FILE")]
    content: Option<PathBuf>,
    /// Write to this file, readable by its owner only; it must not exist yet, except with --force [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output to a terminal, or replace an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

impl DecryptArgs {
    /// The encrypted message. It may be inside a signature (RFC 8551 §3.7), which is not checked here.
    fn encrypted(&self, context: &Context, err: &mut dyn Write) -> Result<Vec<u8>, Failure> {
        let mail = mail(context, &self.message)?;
        let content = mail.content.or_else(|| {
            let mut content = Vec::new();
            SignedReader::new(&mail.message[..]).ok()?.read_to_end(&mut content).ok()?;
            Some(content)
        });
        let inner = content.and_then(|content| Mail::layer(&content)).and_then(Result::ok);
        match inner.filter(|inner| EncryptedReader::new(&inner.message[..]).is_ok()) {
            Some(inner) => {
                writeln!(
                    err,
                    "tagwise: note: the signature around the encrypted message is not checked; `tagwise cms verify` checks it"
                )?;
                Ok(inner.message)
            }
            None => Ok(mail.message),
        }
    }

    pub(super) fn decrypt(
        &self,
        context: &Context,
        backend: Chosen,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let octets_of = self.encrypted(context, err)?;
        let content = self.content.as_deref().map(|path| octets(context, path)).transpose()?;
        let open = |unlock: &Unlock<'_>| {
            decrypt(backend, &octets_of, content.as_deref(), unlock, &DecryptOptions::DEFAULT)
                .map_err(|error| unusable(&self.message, &error))
        };
        let decrypted = if let Some(path) = &self.key {
            let key = private_key_of(context, backend, path, &self.passphrase)?;
            let der = self
                .certificate
                .as_deref()
                .map(|path| Credentials::leading(context, path))
                .transpose()?
                .map(|(first, _)| first);
            let read = der.as_deref().map(|der| certificate(context, der)).transpose();
            let read = read.map_err(|error| negative(path, &error))?;
            open(&Unlock::PrivateKey { key: key.as_ref(), certificate: read.as_ref() })?
        } else if let Some(path) = &self.shared_key_file {
            let key = shared_key(context, path)?;
            let id = self.shared_key_id.as_deref().map(hex_id).transpose()?;
            // Encrypted data has no recipients: the key is the content's own.
            let shared = open(&Unlock::SharedKey { id: id.as_deref(), key: key.expose() });
            match shared {
                Err(_) if id.is_none() && is_encrypted_data(&octets_of) => open(&Unlock::ContentKey(key.expose()))?,
                other => other?,
            }
        } else {
            let password = self.passphrase.of("the message")?;
            open(&Unlock::Password(password.expose()))?
        };
        if !decrypted.authenticated {
            writeln!(err, "tagwise: note: this type of message has no integrity protection")?;
        }
        deliver_as(Secrecy::Secret, decrypted.content.expose(), self.output.as_ref(), self.force, out)?;
        Ok(0)
    }
}

/// Returns whether a message is EncryptedData (RFC 5652 §8).
fn is_encrypted_data(message: &[u8]) -> bool {
    EncryptedReader::new(message).is_ok_and(|reader| reader.kind() == ID_ENCRYPTED_DATA)
}

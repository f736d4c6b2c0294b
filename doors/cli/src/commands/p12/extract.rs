//! `tagwise p12 extract`.

use std::io::Write;
use std::path::PathBuf;
use tagwise_pkix::oids::files::label;

use tagwise_codec::pem;
use tagwise_crypto::{PasswordOptions, Secret, encrypt_key};
use tagwise_pkix::BundleKind;
use tagwise_pkix::pkcs12::{Integrity, Opened, SecretKey};

use super::{File, unreadable};
use crate::shared::backend::EMBEDDED;
use crate::shared::credentials::negative;
use crate::shared::keys::deliver_private;
use crate::shared::output::{Failure, Secrecy, deliver_as, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise p12 extract keys.p12 -o keys.pem                  everything; keys are encrypted with the file's passphrase
  tagwise p12 extract keys.p12 --certificates -o chain.pem
  tagwise p12 extract keys.p12 --keys --no-passphrase -o server.key
  tagwise p12 extract keys.p12 --secret --name aes -o aes.key     the bytes of a secret key

An output file with a private key must not exist yet, and is readable by its owner only. A PKCS #12 file without a MAC, such as \
`tagwise convert --to p12` writes, is rejected; with --allow-no-mac it is accepted with a warning, as by `openssl pkcs12`.
Exit codes: 0 written; 1 the file is malformed, the item was not found, the passphrase is wrong, or a part could not be read (it is \
listed on standard error, and the rest is written); 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Extract private keys only
    #[arg(long, conflicts_with = "certificates")]
    keys: bool,
    /// Extract certificates and CRLs only
    #[arg(long)]
    certificates: bool,
    /// Extract the bytes of the only secret key, such as one stored by keytool -genseckey
    #[arg(long, conflicts_with_all = ["keys", "certificates", "no_passphrase", "new_passphrase_file"])]
    secret: bool,
    /// Extract only items with this name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Accept a file without a MAC, whose integrity cannot be checked
    #[arg(long)]
    allow_no_mac: bool,
    /// Write private keys unencrypted
    #[arg(long, conflicts_with = "new_passphrase_file")]
    no_passphrase: bool,
    /// Read the new passphrase of private keys from the first line of this file [default: the passphrase of the PKCS #12 file]
    #[arg(long, value_name = "FILE")]
    new_passphrase_file: Option<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
}

impl ExtractArgs {
    pub(super) fn extract(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let file = File::read(&self.file)?;
        let opened = file.open(&self.file, &self.passphrase)?;
        self.integrity(opened.integrity(), err)?;
        if self.secret {
            self.secret(&opened, out)?;
            return unreadable(&self.file, &opened, err);
        }
        let wanted = |kind, name: Option<String>| {
            let of_kind = match kind {
                BundleKind::PrivateKey => !self.certificates,
                BundleKind::Certificate | BundleKind::CertificateList => !self.keys,
                _ => false,
            };
            of_kind && self.name.as_ref().is_none_or(|wanted| name.as_ref() == Some(wanted))
        };
        let left = opened.items().filter(|item| {
            !matches!(item.kind, BundleKind::PrivateKey | BundleKind::Certificate | BundleKind::CertificateList)
        });
        let left = left.count();
        if left > 0 {
            let hint = if opened.items().any(|item| item.kind == BundleKind::Secret) {
                "; --secret extracts a secret key"
            } else {
                ""
            };
            writeln!(err, "tagwise: note: omitted {left} items that are not keys, certificates or CRLs{hint}")?;
        }
        let items: Vec<_> = opened.items().filter(|item| wanted(item.kind, item.friendly_name())).collect();
        if items.is_empty() {
            unreadable(&self.file, &opened, err)?;
            return Err(Failure::negative(format!("{}: no matching items found", name_of(&self.file))));
        }
        let has_keys = items.iter().any(|item| item.kind == BundleKind::PrivateKey);
        let passphrase = if has_keys && !self.no_passphrase { Some(self.of_keys()?) } else { None };
        let mut text = Secret::default();
        for item in &items {
            let block = match (item.kind, &passphrase) {
                (BundleKind::PrivateKey, Some(passphrase)) => {
                    let key = Secret::from(item.octets);
                    let encrypted = encrypt_key(EMBEDDED, &key, passphrase.expose(), &PasswordOptions::DEFAULT);
                    pem::encode(label::ENCRYPTED_PRIVATE_KEY, &encrypted.map_err(|error| negative(&self.file, &error))?)
                }
                (BundleKind::PrivateKey, None) => pem::encode(label::PRIVATE_KEY, item.octets),
                (BundleKind::Certificate, _) => pem::encode(label::CERTIFICATE, item.octets),
                _ => pem::encode(label::X509_CRL, item.octets),
            };
            let block = Secret::from(block.map_err(|error| negative(&self.file, &error))?.into_bytes());
            text = Secret::from([text.expose(), block.expose()].concat());
        }
        if has_keys {
            deliver_private(text.expose(), self.output.as_ref(), out)?;
        } else {
            deliver_as(Secrecy::Public, text.expose(), self.output.as_ref(), false, out)?;
        }
        unreadable(&self.file, &opened, err)
    }

    /// Writes the bytes of the only secret key, or of the only one with the given name.
    fn secret(&self, opened: &Opened, out: &mut dyn Write) -> Result<(), Failure> {
        let fits = |name: Option<String>| self.name.as_ref().is_none_or(|wanted| name.as_ref() == Some(wanted));
        let secrets = opened.items().filter(|item| item.kind == BundleKind::Secret && fits(item.friendly_name()));
        let secrets: Vec<_> = secrets.collect();
        let [secret] = secrets.as_slice() else {
            let found = secrets.len();
            let text =
                format!("{}: {found} secret keys found, expected one: select it with --name", name_of(&self.file));
            return Err(Failure::negative(text));
        };
        let secret = SecretKey::read(secret.octets).map_err(|error| negative(&self.file, &error))?;
        deliver_private(secret.key, self.output.as_ref(), out)
    }

    /// Rejects a file without integrity protection, or warns about it if that is allowed.
    fn integrity(&self, of: Integrity, err: &mut dyn Write) -> Result<(), Failure> {
        let why = match of {
            Integrity::Verified => return Ok(()),
            Integrity::Absent => "no MAC, so its integrity cannot be checked",
            Integrity::Signed => "signed instead of protected with a MAC; the signature is not verified",
        };
        let name = name_of(&self.file);
        if !self.allow_no_mac {
            return Err(Failure::negative(format!("{name}: {why}: give --allow-no-mac to accept it")));
        }
        Ok(writeln!(err, "tagwise: {name}: warning: {why}")?)
    }

    /// The passphrase for the written keys.
    fn of_keys(&self) -> Result<Secret, Failure> {
        match &self.new_passphrase_file {
            Some(path) => PassphraseArgs::of_file(path).fresh(),
            None => self.passphrase.fresh(),
        }
    }
}

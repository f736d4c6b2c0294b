//! `tagwise p12 extract`.

use std::io::Write;
use std::path::PathBuf;
use tagwise_pkix::oids::files::label;

use tagwise_codec::pem;
use tagwise_crypto::{PasswordOptions, Secret, encrypt_key};
use tagwise_pkix::BundleKind;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs12::{Integrity, Opened, SecretKey};

use super::{File, java, unreadable};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::negative;
use crate::shared::key_formats::open_store;
use crate::shared::keys::deliver_private;
use crate::shared::output::{Failure, Secrecy, deliver_as, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::pkcs12::{Unlock, unchecked};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise p12 extract keys.p12 -o keys.pem                  everything; keys are encrypted with the file's passphrase
  tagwise p12 extract keys.p12 --certificates -o chain.pem
  tagwise p12 extract keys.p12 --keys --no-passphrase -o server.key
  tagwise p12 extract keys.p12 --secret --name aes -o aes.key     the bytes of a secret key
  tagwise p12 extract store.jks --name server -o server.pem       an entry of a Java keystore

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
    /// Read the new passphrase of private keys from the first line of this file [default: the passphrase of the file]
    #[arg(long, value_name = "FILE")]
    new_passphrase_file: Option<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
}

/// An item to write.
enum Part {
    /// A private key in PKCS #8.
    Key(Secret),
    Certificate(Vec<u8>),
    List(Vec<u8>),
}

impl ExtractArgs {
    pub(super) fn extract(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        if let Some(store) = java::load(context, &self.file)? {
            return self.java(&store, out, err);
        }
        let file = File::read(context, &self.file)?;
        let (opened, passwords) = file.open(&self.file, &self.passphrase)?;
        let mut unlock = Unlock::new(passwords);
        self.integrity(opened.integrity(), err)?;
        if self.secret {
            self.secret(&opened, out)?;
            return unreadable(&self.file, &opened, err);
        }
        let wanted = |kind, name: Option<String>| {
            let of_kind = match kind {
                BundleKind::PrivateKey | BundleKind::EncryptedPrivateKey => !self.certificates,
                BundleKind::Certificate | BundleKind::CertificateList => !self.keys,
                _ => false,
            };
            of_kind && self.name.as_ref().is_none_or(|wanted| name.as_ref() == Some(wanted))
        };
        let left = opened.items().filter(|item| {
            !matches!(
                item.kind,
                BundleKind::PrivateKey
                    | BundleKind::EncryptedPrivateKey
                    | BundleKind::Certificate
                    | BundleKind::CertificateList
            )
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
        let mut items = Vec::new();
        let mut locked = 0_u8;
        for item in opened.items().filter(|item| wanted(item.kind, item.friendly_name())) {
            match item.kind {
                BundleKind::PrivateKey => items.push(Part::Key(Secret::from(item.octets))),
                BundleKind::EncryptedPrivateKey => match unlock.key(item.octets) {
                    Some(info) => items.push(Part::Key(info.pkcs8().clone())),
                    None => {
                        let name = item.friendly_name().unwrap_or_default();
                        let (file, name) = (name_of(&self.file), visible(&name).to_string());
                        writeln!(
                            err,
                            "tagwise: {file}: the private key '{name}' has a different passphrase: repeat --passphrase-file"
                        )?;
                        locked = 1;
                    }
                },
                BundleKind::Certificate => items.push(Part::Certificate(item.octets.to_vec())),
                _ => items.push(Part::List(item.octets.to_vec())),
            }
        }
        if items.is_empty() {
            unreadable(&self.file, &opened, err)?;
            return Err(Failure::negative(format!("{}: no matching items found", name_of(&self.file))));
        }
        self.deliver(&items, out)?;
        if unlock.is_complete(&opened) {
            return Ok(0);
        }
        Ok(unreadable(&self.file, &opened, err)?.max(locked))
    }

    /// Extracts from a Java keystore.
    fn java(&self, store: &java::Owned, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        // keytool ignores the case of aliases.
        let fits = |alias: &str| self.name.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(alias));
        if self.certificates && self.passphrase.all()?.is_empty() {
            self.unchecked("without its passphrase, its integrity cannot be checked", err)?;
            let store = store.read(&self.file)?;
            let entries = store.entries().iter().filter(|entry| fits(&entry.alias));
            let items = entries.flat_map(|entry| &entry.certificates).map(|der| Part::Certificate(der.to_vec()));
            return self.deliver(&items.collect::<Vec<_>>(), out).map(|()| 0);
        }
        let store = store.read(&self.file)?;
        let found = open_store(EMBEDDED, &self.file, &store, &self.passphrase, self.name.as_deref())?;
        let found = found.into_iter().map(|(_, found)| found).collect::<Result<Vec<_>, _>>();
        let found = found.map_err(|locked| Failure::negative(locked.message(&self.file)))?;
        let (mut items, mut secrets) = (Vec::new(), Vec::new());
        for entry in found {
            match entry.key {
                tagwise_keys::Key::Private(info) if !self.certificates => items.push(Part::Key(info.pkcs8().clone())),
                tagwise_keys::Key::Dsa(key) if !self.certificates => items.push(Part::Key(key.pkcs8)),
                tagwise_keys::Key::Symmetric { key, .. } => secrets.push(key),
                _ => {}
            }
            if !self.keys {
                items.extend(entry.certificates.into_iter().map(Part::Certificate));
            }
        }
        if self.secret {
            return match secrets.as_slice() {
                [secret] => deliver_private(secret.expose(), self.output.as_ref(), out).map(|()| 0),
                secrets => Err(self.secrets(secrets.len())),
            };
        }
        if !secrets.is_empty() {
            let left = secrets.len();
            writeln!(err, "tagwise: note: left out {left} secret keys; --secret extracts one")?;
        }
        self.deliver(&items, out).map(|()| 0)
    }

    /// Writes items as PEM. Private keys are encrypted with a passphrase, unless the user chose none.
    fn deliver(&self, items: &[Part], out: &mut dyn Write) -> Result<(), Failure> {
        if items.is_empty() {
            return Err(Failure::negative(format!("{}: no matching items found", name_of(&self.file))));
        }
        let has_keys = items.iter().any(|item| matches!(item, Part::Key(_)));
        let passphrase = if has_keys && !self.no_passphrase { Some(self.of_keys()?) } else { None };
        let mut text = Secret::default();
        for item in items {
            let block = match (item, &passphrase) {
                (Part::Key(key), Some(passphrase)) => {
                    let encrypted = encrypt_key(EMBEDDED, key, passphrase.expose(), &PasswordOptions::DEFAULT);
                    pem::encode(label::ENCRYPTED_PRIVATE_KEY, &encrypted.map_err(|error| negative(&self.file, &error))?)
                }
                (Part::Key(key), None) => pem::encode(label::PRIVATE_KEY, key.expose()),
                (Part::Certificate(der), _) => pem::encode(label::CERTIFICATE, der),
                (Part::List(der), _) => pem::encode(label::X509_CRL, der),
            };
            let block = Secret::from(block.map_err(|error| negative(&self.file, &error))?.into_bytes());
            text = Secret::from([text.expose(), block.expose()].concat());
        }
        match has_keys {
            true => deliver_private(text.expose(), self.output.as_ref(), out),
            false => deliver_as(Secrecy::Public, text.expose(), self.output.as_ref(), false, out),
        }
    }

    /// Creates the error for a file that does not contain exactly one secret key.
    fn secrets(&self, found: usize) -> Failure {
        let name = name_of(&self.file);
        Failure::negative(format!("{name}: {found} secret keys found, expected one: select it with --name"))
    }

    /// Writes the bytes of the only secret key, or of the only one with the given name.
    fn secret(&self, opened: &Opened, out: &mut dyn Write) -> Result<(), Failure> {
        let fits = |name: Option<String>| self.name.as_ref().is_none_or(|wanted| name.as_ref() == Some(wanted));
        let secrets = opened.items().filter(|item| item.kind == BundleKind::Secret && fits(item.friendly_name()));
        let secrets: Vec<_> = secrets.collect();
        let [secret] = secrets.as_slice() else {
            return Err(self.secrets(secrets.len()));
        };
        let secret = SecretKey::read(secret.octets).map_err(|error| negative(&self.file, &error))?;
        deliver_private(secret.key, self.output.as_ref(), out)
    }

    /// Rejects a file without integrity protection, or warns about it if that is allowed.
    fn integrity(&self, of: Integrity, err: &mut dyn Write) -> Result<(), Failure> {
        unchecked(of).map_or(Ok(()), |why| self.unchecked(why, err))
    }

    fn unchecked(&self, why: &str, err: &mut dyn Write) -> Result<(), Failure> {
        let name = name_of(&self.file);
        if !self.allow_no_mac {
            return Err(Failure::negative(format!("{name}: {why}: give --allow-no-mac to accept it")));
        }
        Ok(writeln!(err, "tagwise: {name}: warning: {why}")?)
    }

    /// Returns the passphrase for the keys to write.
    fn of_keys(&self) -> Result<Secret, Failure> {
        match &self.new_passphrase_file {
            Some(path) => PassphraseArgs::of_file(path).fresh(),
            None => self.passphrase.kept_or_fresh(),
        }
    }
}

//! `tagwise ca init`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use tagwise_ca::{Adoption, Authority, Error, Founding, Protection, Serial, SqliteOptions, SqliteStore, Urls};
use tagwise_crypto::{KeyType, PrivateKey, Scheme, Secret};
use tagwise_pkix::name::{NameBuf, visible};

use super::common::{DAY, DbArgs, Moment, OutputArgs, ValidityArgs, armoured, document, iso, value};
use crate::args::now;
use crate::key::passphrase::PassphraseArgs;
use crate::key::{backend, private_key_of};
use crate::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca init --subject 'CN=Example Root,O=Example,C=DE' -o root.pem
  tagwise ca init --db test.db --subject CN=Test --key-type ed25519 --days 30 --no-passphrase
  tagwise ca init --subject CN=Root --key-type rsa3072 --pss
  tagwise ca init --subject CN=Root --crl-url http://ca.example.org/crl
  tagwise ca init --db sub.db --key sub.key --certificate sub.pem        a CA below another
  tagwise ca init --db old.db --key old.key --certificate old.pem --last-crl 1234

The subject is written as RFC 4514 has it. URLs stand in the certificates that the CA will issue.
Exit codes: 0 made; 1 there is a CA already, or it cannot be made so; 2 usage; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    #[command(flatten)]
    db: DbArgs,
    /// The name of the CA
    #[arg(long, value_name = "NAME", required_unless_present = "certificate", conflicts_with = "certificate")]
    subject: Option<String>,
    /// What kind of key to make
    #[arg(long, value_name = "KIND", default_value = "ecdsa-p256", conflicts_with = "key")]
    key_type: KeyType,
    /// Take the key of this file instead of a new one
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Take the passphrase of that key from the first line of this file
    #[arg(long, value_name = "FILE", requires = "key")]
    key_passphrase_file: Option<PathBuf>,
    /// Take this certificate of the key, which another CA has issued, instead of signing one
    #[arg(long, value_name = "FILE", requires = "key", conflicts_with_all = ["days", "until", "path_len"])]
    certificate: Option<PathBuf>,
    /// Sign with RSASSA-PSS, this certificate and whatever the CA will sign: for RSA keys
    #[arg(long, conflicts_with = "certificate")]
    pss: bool,
    /// The number of the last CRL that was made elsewhere
    #[arg(long, value_name = "N", requires = "certificate", default_value_t = 0)]
    last_crl: u64,
    #[command(flatten)]
    validity: ValidityArgs,
    /// How many CAs may stand below this one in a chain [default: any number]
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    /// Where the OCSP responder will be
    #[arg(long, value_name = "URL")]
    ocsp_url: Option<String>,
    /// Where the CRL will be
    #[arg(long, value_name = "URL")]
    crl_url: Option<String>,
    /// Where the CA's certificate will be
    #[arg(long, value_name = "URL")]
    issuer_url: Option<String>,
    /// Keep the key in the clear: whoever reads the database has it
    #[arg(long, conflicts_with_all = ["passphrase_file", "passphrase_fd"])]
    no_passphrase: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Made {
    database: String,
    subject: String,
    serial: String,
    key: String,
    encrypted: bool,
    not_before: Moment,
    not_after: Moment,
    pem: String,
}

/// Ten years, as long as the customary root.
const DAYS: i64 = 3650;

impl InitArgs {
    pub(super) fn init(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        // Everything that can be wrong is found before there is a file.
        let subject = self.subject.as_deref().map(name).transpose()?;
        let certificate =
            self.certificate.as_deref().map(|path| value(path, &["CERTIFICATE"], "certificate")).transpose()?;
        let key = self.key()?;
        if self.pss && Scheme::preferred_pss(key.key_type()).is_none() {
            return Err(Failure::usage(format!("--pss is for RSA, and the key is {}", key.key_type())));
        }
        if self.db.db.exists() {
            // Nobody is asked for a passphrase in vain.
            match self.db.open() {
                Ok(_) => return Err(self.db.failed(&Error::AuthorityExists(Authority::LABEL.to_owned()))),
                Err(_absent_or_else_said_below) => {}
            }
        }
        let passphrase = (!self.no_passphrase).then(|| self.passphrase.fresh()).transpose()?;
        let protection = passphrase.as_ref().map_or(Protection::Clear, |it| Protection::passphrase(Secret::expose(it)));
        let urls = Urls { ocsp: self.ocsp_url.clone(), crl: self.crl_url.clone(), issuer: self.issuer_url.clone() };

        let failed = |error: Error| self.db.failed(&error);
        let mut store = SqliteStore::create(&self.db.db, &SqliteOptions::DEFAULT).map_err(failed)?;
        let now = now();
        let made = match (&certificate, subject) {
            (Some(der), _) => {
                let (label, last_crl) = (Authority::LABEL, self.last_crl);
                let adoption = Adoption { label, certificate: der, urls: &urls, last_crl, now };
                Authority::adopt(&mut store, backend(), &key, &adoption, &protection)
            }
            (None, Some(subject)) => {
                let not_after = self.validity.end(now).unwrap_or(now + DAYS * DAY);
                let (label, path_len) = (Authority::LABEL, self.path_len);
                let founding = Founding { label, subject, not_before: now, not_after, path_len, urls, pss: self.pss };
                Authority::found(&mut store, backend(), &key, &founding, &protection)
            }
            (None, None) => return Err(Failure::usage("say --subject")),
        };
        let authority = made.map_err(failed)?;
        let tbs = &authority.certificate().tbs_certificate;
        let subject = tbs.subject.rfc4514().to_string();
        let to_file = self.output.output.is_some();
        if to_file || !self.json {
            self.output.deliver_new("CERTIFICATE", &[authority.certificate_der()], "the CA's certificate", out)?;
        }
        if self.json {
            let made = Made {
                database: name_of(&self.db.db),
                subject,
                serial: Serial::from_int(tbs.serial_number.0).to_string(),
                key: key.key_type().to_string(),
                encrypted: authority.is_locked(),
                not_before: Moment::of(tbs.validity.not_before.unix()),
                not_after: Moment::of(tbs.validity.not_after.unix()),
                pem: armoured("CERTIFICATE", authority.certificate_der())?,
            };
            document("init", &made, out)?;
        } else {
            let (kind, until) = (key.key_type(), iso(tbs.validity.not_after.unix()));
            writeln!(err, "{}: {} ({kind}), valid until {until}", name_of(&self.db.db), visible(&subject))?;
        }
        Ok(0)
    }

    fn key(&self) -> Result<Arc<dyn PrivateKey>, Failure> {
        match &self.key {
            Some(path) => match &self.key_passphrase_file {
                Some(file) => private_key_of(path, &PassphraseArgs::of_file(file)),
                None => private_key_of(path, &PassphraseArgs::default()),
            },
            None => backend().generate(self.key_type).map_err(|error| Failure::negative(error.to_string())),
        }
    }
}

/// A name that was written on the command line.
pub(super) fn name(text: &str) -> Result<NameBuf, Failure> {
    NameBuf::parse(text).map_err(|error| Failure::usage(format!("--subject: {error}")))
}

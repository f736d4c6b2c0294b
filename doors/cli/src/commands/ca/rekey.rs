//! `tagwise ca rekey`.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use tagwise_ca::{Authority, Error, Protection, Rekeying, Serial, Urls};
use tagwise_crypto::{KeyType, Secret};
use tagwise_pkix::name::visible;
use tagwise_pkix::oids::files::label;

use super::common::{DbArgs, KeyArgs, Moment, OutputArgs, ValidityArgs, armoured, document};
use super::init::create;
use crate::shared::backend::{EMBEDDED, key_kind};
use crate::shared::moment::now;
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca rekey --db ca.db --new-db ca2.db --crl-url http://ca.example.org/2.crl -o root2.pem
  tagwise ca rekey --db ca.db --new-db ca2.db --key-type ecdsa-p384 --new-with-old new-with-old.pem --old-with-new old-with-new.pem

The new CA has the old one's name and extensions, and a new key and key identifier. It has its own database, its own CRLs, and \
therefore needs its own URLs. The old database stays in use for CRLs and OCSP, until its last certificate has expired.

\
The new database contains the unexpired certificates of the old key and their revocations, because its CRLs have the same issuer, and all \
certificates with compromised keys, which it also refuses. Revoke a certificate of the old key in both databases: tagwise ca revoke --serial.

Two certificates help during the change (RFC 4210 §4.4): with new-with-old, those who trust the old CA accept certificates of the new \
key; with old-with-new, those who trust the new CA accept those of the old key.
Exit codes: 0 created; 1 refused, with the reason; 2 usage error; 3 a file or a database could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct RekeyArgs {
    #[command(flatten)]
    key: KeyArgs,
    /// Database of the new CA
    #[arg(long, value_name = "FILE")]
    new_db: PathBuf,
    /// Kind of key to generate
    #[arg(long, value_name = "KIND", default_value = "ecdsa-p256", value_parser = key_kind)]
    key_type: KeyType,
    /// Sign with RSASSA-PSS, both the certificate and everything that the new CA will sign (RSA keys only)
    #[arg(long)]
    pss: bool,
    #[command(flatten)]
    validity: ValidityArgs,
    /// Write a certificate of the new key, signed with the old one, to this file
    #[arg(long, value_name = "FILE")]
    new_with_old: Option<PathBuf>,
    /// Write a certificate of the old key, signed with the new one, to this file
    #[arg(long, value_name = "FILE")]
    old_with_new: Option<PathBuf>,
    /// URL of the OCSP responder, to include in issued certificates
    #[arg(long, value_name = "URL")]
    ocsp_url: Option<String>,
    /// URL of the CRL, to include in issued certificates
    #[arg(long, value_name = "URL")]
    crl_url: Option<String>,
    /// URL of the CA's certificate, to include in issued certificates
    #[arg(long, value_name = "URL")]
    issuer_url: Option<String>,
    /// Read the passphrase of the new key from the first line of this file
    #[arg(long, value_name = "FILE")]
    new_passphrase_file: Option<PathBuf>,
    /// Store the new key unencrypted: anybody who can read the database can use it
    #[arg(long, conflicts_with = "new_passphrase_file")]
    no_new_passphrase: bool,
    #[command(flatten)]
    output: OutputArgs,
    /// Print JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    database: String,
    subject: String,
    serial: String,
    key: String,
    not_before: Moment,
    not_after: Moment,
    pem: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_with_old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_with_new: Option<String>,
}

/// The default validity: ten years, as for a new CA.
const DAYS: u32 = 3650;

impl RekeyArgs {
    pub(super) fn rekey(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let (mut store, old) = self.key.open()?;
        let new_db = DbArgs { db: self.new_db.clone() };
        if new_db.db.exists() {
            return Err(new_db.failed(&Error::AuthorityExists(Authority::LABEL.to_owned())));
        }
        for (url, before, option) in
            [(&self.crl_url, &old.urls().crl, "--crl-url"), (&self.ocsp_url, &old.urls().ocsp, "--ocsp-url")]
        {
            if before.is_some() && (url.is_none() || url == before) {
                return Err(Failure::usage(format!("the new key needs its own URL: give {option}")));
            }
        }
        let (old, signer) = self.key.issuer(old)?;
        let key = EMBEDDED.generate(self.key_type).map_err(|error| Failure::negative(error.to_string()))?;
        let fresh = PassphraseArgs::named_by("--new-passphrase-file", self.new_passphrase_file.as_deref());
        let passphrase = (!self.no_new_passphrase).then(|| fresh.fresh()).transpose()?;
        let protection = passphrase.as_ref().map_or(Protection::Clear, |it| Protection::passphrase(Secret::expose(it)));
        let now = now();
        let until = self.validity.end_or(now, DAYS);
        let urls = Urls {
            ocsp: self.ocsp_url.clone(),
            crl: self.crl_url.clone(),
            issuer: self.issuer_url.clone(),
            crl_issuer: None,
        };
        let rekeying = Rekeying { key: &key, validity: (now, until), urls: &urls, pss: self.pss };
        let made = old.rekey(&mut *store, EMBEDDED, &rekeying, &protection);
        let made = made.map_err(|error| self.key.failed(&error))?;
        let new = create(&new_db, &made)?;
        if self.output.output.is_some() || !self.json {
            self.output.deliver_new(label::CERTIFICATE, &[new.certificate_der()], "the new CA's certificate", out)?;
        }
        let written = |der: &[u8], path: &PathBuf| -> Result<String, Failure> {
            let text = armoured(label::CERTIFICATE, der)?;
            deliver(text.as_bytes(), Some(path), false, &mut std::io::sink())?;
            Ok(text)
        };
        let mut new_with_old = None;
        if let Some(path) = &self.new_with_old {
            let issued = old.cross_certify(&mut *store, EMBEDDED, &signer, new.certificate_der(), now);
            new_with_old = Some(written(&issued.map_err(|error| self.key.failed(&error))?.der, path)?);
        }
        let mut old_with_new = None;
        if let Some(path) = &self.old_with_new {
            let (mut store, new) = new_db.open()?;
            let signer = new.unlock(EMBEDDED, passphrase.as_ref().map(Secret::expose));
            let signer = signer.map_err(|error| new_db.failed(&error))?;
            let issued = new.cross_certify(&mut *store, EMBEDDED, &signer, old.certificate_der(), now);
            old_with_new = Some(written(&issued.map_err(|error| new_db.failed(&error))?.der, path)?);
        }
        let tbs = &new.certificate().tbs_certificate;
        let subject = tbs.subject.rfc4514().to_string();
        if self.json {
            let made = Document {
                database: name_of(&self.new_db),
                subject,
                serial: Serial::from_int(tbs.serial_number.0).to_string(),
                key: key.key_type().to_string(),
                not_before: Moment::of(now),
                not_after: Moment::of(until),
                pem: armoured(label::CERTIFICATE, new.certificate_der())?,
                new_with_old,
                old_with_new,
            };
            document("rekey", &made, out)?;
        } else {
            let kind = key.key_type();
            writeln!(err, "{}: {} ({kind}), valid until {until}", name_of(&self.new_db), visible(&subject))?;
        }
        Ok(0)
    }
}

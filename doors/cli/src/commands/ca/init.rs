//! `tagwise ca init`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tagwise_pkix::oids::files as kinds;
use tagwise_pkix::oids::files::label;

use serde::Serialize;
use tagwise_ca::{
    Adoption, Authority, Error, Founding, Identity, LastCrl, NewAuthority, PostgresStore, Protection, Serial,
    SqliteOptions, SqliteStore, Takeover, Urls,
};
use tagwise_codec::Decode;
use tagwise_crypto::{KeyType, PrivateKey, Scheme, Secret};
use tagwise_mtc::TrustAnchorId;
use tagwise_pkix::name::{NameBuf, visible};
use tagwise_pkix::{Certificate, UnixTime};

use super::common::{CrlIssuerArgs, DbArgs, Moment, OutputArgs, ValidityArgs, armoured, document, value};
use super::history::{HistoryArgs, number_unknown};
use super::mtc::LogFiles;
use crate::shared::backend::{EMBEDDED, key_kind};
use crate::shared::content::check_subject;
use crate::shared::context::Context;
use crate::shared::keys::private_key_of;
use crate::shared::moment::now;
use crate::shared::output::{Access, Failure, name_of, reason, write};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::trust::{self, Origin};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca init --subject 'CN=Example Root,O=Example,C=DE' -o root.pem
  tagwise ca init --db test.db --subject CN=Test --key-type ed25519 --days 30 --no-passphrase
  tagwise ca init --subject CN=Root --key-type rsa3072 --pss
  tagwise ca init --subject CN=Root --crl-url http://ca.example.org/crl
  tagwise ca init --db sub.db --subject CN=Sub --crl-url http://ca.example.org/crl/indirect --crl-issuer root.pem
                                          an indirect CRL, which another CA issues
  tagwise ca init --subject CN=Root --mtc 32473.1                                     certificates in both forms
  tagwise ca init --db sub.db --key sub.key --certificate sub.pem --no-history        a new CA below another
  tagwise ca init --db sub.db --key sub.key --certificate sub.pem --no-history --trust root.pem    the same, but only if its path is valid
  tagwise ca init --db old.db --key old.key --certificate old.pem --last-crl old.crl  a CA that was run elsewhere
  tagwise ca init --db new.db --key old.key --renew old.pem --last-crl old.crl -o new.pem    a new certificate for the same CA

The subject is written as in RFC 4514.

An existing key may have signed certificates that are now revoked. Its last complete CRL is therefore required, so that the next CRL \
lists them as well. A renewed CA keeps its name and key identifier byte for byte, because certificates below it refer to them: \
--renew copies them from its certificate, --last-crl from the CRL. `tagwise ca import` also imports the certificates of a CA. Other certificates issued elsewhere can be revoked by file or \
serial number.
Exit codes: 0 created; 1 the CA already exists, or the request is invalid; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    #[command(flatten)]
    db: DbArgs,
    /// Subject of the CA, such as `CN=Example Root,O=Example`
    #[arg(long, value_name = "NAME", required_unless_present_any = ["certificate", "renew"], conflicts_with_all = ["certificate", "renew"])]
    subject: Option<String>,
    /// Kind of key to generate
    #[arg(long, value_name = "KIND", default_value = "ecdsa-p256", conflicts_with = "key", value_parser = key_kind)]
    key_type: KeyType,
    /// Use the key in this file instead of a new one
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Read the passphrase of that key from the first line of this file
    #[arg(long, value_name = "FILE", requires = "key")]
    key_passphrase_file: Option<PathBuf>,
    /// Use this certificate of the key, issued by another CA, instead of signing one
    #[arg(long, value_name = "FILE", requires = "key", conflicts_with_all = ["days", "until", "path_len"])]
    certificate: Option<PathBuf>,
    /// Replace this certificate with a new one that has the same subject and subject key identifier, byte for byte
    #[arg(long, value_name = "FILE", requires = "key", conflicts_with = "certificate")]
    renew: Option<PathBuf>,
    /// Require a valid path from that certificate to one of these trust anchors: a file, a folder, `system` or `mozilla`; may be
    /// repeated
    #[arg(long, value_name = "SOURCE", requires = "certificate")]
    trust: Vec<Origin>,
    /// Intermediate certificates for that path; may be repeated
    #[arg(long, value_name = "FILE", requires = "trust")]
    untrusted: Vec<PathBuf>,
    /// Sign with RSASSA-PSS, both this certificate and everything that the CA will sign (RSA keys only)
    #[arg(long, conflicts_with = "certificate")]
    pss: bool,
    #[command(flatten)]
    history: HistoryArgs,
    /// Number of the last CRL issued elsewhere, if that CRL is not available
    #[arg(long, value_name = "N", requires = "key", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    last_crl_number: Option<u64>,
    #[command(flatten)]
    validity: ValidityArgs,
    /// Maximum path length: the number of CAs below this one in a path [default: unlimited]
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    /// URL of the OCSP responder, to include in issued certificates
    #[arg(long, value_name = "URL")]
    ocsp_url: Option<String>,
    /// URL of the CRL, to include in issued certificates; with {8} in it, certificates are divided into 8 partitions, each with a
    /// CRL of its own
    #[arg(long, value_name = "URL")]
    crl_url: Option<String>,
    #[command(flatten)]
    crl_issuer: CrlIssuerArgs,
    /// URL of the CA's certificate, to include in issued certificates
    #[arg(long, value_name = "URL")]
    issuer_url: Option<String>,
    /// Create a Merkle Tree Certificate log beside the database, for a CA with this trust anchor ID, such as 32473.1; certificates are then
    /// issued in both forms
    #[arg(long, value_name = "ID", value_parser = crate::shared::mtc::id)]
    mtc: Option<TrustAnchorId>,
    /// Store the key unencrypted: anybody who can read the database can use it
    #[arg(long, conflicts_with_all = ["passphrase_file", "passphrase_fd"])]
    no_passphrase: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Print JSON (schema tagwise.ca/1) on standard output
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
    #[serde(skip_serializing_if = "Option::is_none")]
    mtc: Option<MadeLog>,
}

/// A newly created log for Merkle Tree Certificates.
#[derive(Serialize)]
struct MadeLog {
    ca: String,
    database: String,
    key: String,
    certificate: String,
}

/// The default validity: ten years, as is customary for roots.
const DAYS: u32 = 3650;

impl InitArgs {
    /// Validates the CA's certification path, if trust anchors are given.
    fn judge(&self, context: &Context, certificate: &[u8], err: &mut dyn Write) -> Result<(), Failure> {
        if self.trust.is_empty() {
            return Ok(());
        }
        let judged = trust::authority(context, certificate, &self.trust, &self.untrusted, now())?;
        if judged.is_trusted() {
            return Ok(());
        }
        judged.text(&context.colored(false), "  ", err)?;
        Err(Failure::negative("no valid path from the CA's certificate to a trust anchor"))
    }

    pub(super) fn init(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        // All errors are found before a file is created.
        let subject = self.subject.as_deref().map(name).transpose()?;
        let certificate =
            self.certificate.as_deref().map(|path| value(context, path, &kinds::CERTIFICATE)).transpose()?;
        if let Some(certificate) = &certificate {
            self.judge(context, certificate, err)?;
        }
        self.check_history()?;
        let key = self.key(context)?;
        if self.pss && Scheme::preferred_pss(key.key_type()).is_none() {
            return Err(Failure::usage(format!("--pss requires an RSA key; the key is {}", key.key_type())));
        }
        if self.db.url().is_some() && self.mtc.is_some() {
            return Err(Failure::usage("--mtc requires a SQLite file, because the log is stored beside it"));
        }
        if self.db.url().is_some() || self.db.db.exists() {
            // No unnecessary prompt for a passphrase.
            match self.db.open() {
                Ok(_) => return Err(self.db.failed(&Error::AuthorityExists(Authority::LABEL.to_owned()))),
                Err(_absent_or_else_said_below) => {}
            }
        }
        let files = LogFiles::beside(&self.db.db);
        self.mtc.map_or(Ok(()), |_| files.are_free())?;
        let passphrase = (!self.no_passphrase).then(|| self.passphrase.fresh()).transpose()?;
        let protection = passphrase.as_ref().map_or(Protection::Clear, |it| Protection::passphrase(Secret::expose(it)));
        let urls = Urls {
            ocsp: self.ocsp_url.clone(),
            crl: self.crl_url.clone(),
            issuer: self.issuer_url.clone(),
            crl_issuer: self.crl_issuer.name(context)?,
        };

        let failed = |error: Error| self.db.failed(&error);
        let now = now();
        let label = Authority::LABEL;
        let identity = self.identity(context, &*key)?;
        let subject = match (subject, &identity) {
            (Some(subject), Some(identity)) => Some(identity.preserved(subject)),
            (None, Some(identity)) if certificate.is_none() => Some(identity.subject.clone()),
            (subject, _) => subject,
        };
        let new = match (&certificate, subject) {
            (Some(der), _) => {
                let adoption =
                    Adoption { label, certificate: der, urls: &urls, takeover: Takeover::Later, last_number: 0, now };
                NewAuthority::adopt(EMBEDDED, &key, &adoption, &protection)
            }
            (None, Some(subject)) => {
                let not_after = self.validity.end_or(now, DAYS);
                let path_len = self.path_len.or(identity.as_ref().and_then(|identity| identity.path_len));
                let founding = Founding {
                    label,
                    subject,
                    key_identifier: identity.and_then(|identity| identity.key_identifier),
                    not_before: now,
                    not_after,
                    path_len,
                    urls,
                    pss: self.pss,
                };
                NewAuthority::found(EMBEDDED, &key, &founding, &protection)
            }
            (None, None) => return Err(Failure::usage("say --subject")),
        };
        let mut new = new.map_err(failed)?;
        if self.key.is_some() {
            new = self.after(context, new, now, err)?;
        }
        let authority = create(&self.db, &new)?;
        if let Err(error) = authority.check_signs_crls()
            && authority.urls().crl_issuer.is_none()
        {
            writeln!(err, "tagwise: {}: {error}; --crl-issuer names another CA that signs its CRL", self.db.name())?;
        }
        let tbs = &authority.certificate().tbs_certificate;
        if let Some(id) = self.mtc {
            files.make(id, passphrase.as_ref(), (now, tbs.validity.not_after.unix()))?;
        }
        let subject = tbs.subject.rfc4514().to_string();
        let to_file = self.output.output.is_some();
        if to_file || !self.json {
            self.output.deliver_new(label::CERTIFICATE, &[authority.certificate_der()], "the CA's certificate", out)?;
        }
        if self.json {
            let made = Made {
                database: self.db.name(),
                subject,
                serial: Serial::from_int(tbs.serial_number.0).to_string(),
                key: key.key_type().to_string(),
                encrypted: authority.is_locked(),
                not_before: Moment::of(tbs.validity.not_before.unix()),
                not_after: Moment::of(tbs.validity.not_after.unix()),
                pem: armoured(label::CERTIFICATE, authority.certificate_der())?,
                mtc: self.mtc.map(|id| MadeLog {
                    ca: id.to_string(),
                    database: name_of(&files.0.log),
                    key: name_of(&files.0.key),
                    certificate: name_of(&files.0.certificate),
                }),
            };
            document("init", &made, out)?;
        } else {
            let (kind, until) = (key.key_type(), tbs.validity.not_after.unix());
            writeln!(err, "{}: {} ({kind}), valid until {until}", self.db.name(), visible(&subject))?;
            if let Some(id) = self.mtc {
                let (log, certificate) = (name_of(&files.0.log), name_of(&files.0.certificate));
                writeln!(err, "{log}: log 1 of {id}, whose certificate is {certificate}")?;
            }
        }
        Ok(0)
    }

    /// Returns the name and key identifier to preserve: those of the certificate to renew, or else those in the last CRL.
    fn identity(&self, context: &Context, key: &dyn PrivateKey) -> Result<Option<Identity>, Failure> {
        let Some(path) = &self.renew else { return self.history.identity(context) };
        let der = value(context, path, &kinds::CERTIFICATE)?;
        let negative =
            |error: &dyn std::fmt::Display| Failure::negative(format!("{}: {}", name_of(path), visible(error)));
        let identity = Identity::of_certificate(&der).map_err(|error| negative(&error))?;
        if identity.public_key.as_deref() != Some(key.public_key_info()) {
            return Err(negative(&"the key does not match the certificate to renew"));
        }
        Ok(Some(identity))
    }

    /// Checks that earlier revocations are not lost if the CA reuses an existing key.
    fn check_history(&self) -> Result<(), Failure> {
        self.history.check()?;
        if let Some(key) = &self.key
            && key.as_os_str() != "-"
            && let Err(error) = std::fs::metadata(key)
        {
            let said =
                format!("{}: cannot be read: {}; without --key, a new key is generated", name_of(key), reason(&error));
            return Err(Failure::Said(3, said));
        }
        match (&self.key, self.history.is_said()) {
            (Some(_), false) => Err(Failure::usage(
                "certificates signed with --key may have been revoked: give the last CRL with --last-crl FILE, or OpenSSL's index.txt with --index FILE; if none is revoked, or the key is new, pass --no-history",
            )),
            (None, true) => Err(Failure::usage(
                "--last-crl, --index and --no-history require --key: a new key has no revoked certificates",
            )),
            _ => Ok(()),
        }
    }

    /// Adds the earlier revocations to a new CA.
    fn after(
        &self,
        context: &Context,
        new: NewAuthority,
        now: UnixTime,
        err: &mut dyn Write,
    ) -> Result<NewAuthority, Failure> {
        let certificate = Certificate::from_der(new.certificate_der());
        let certificate = certificate.map_err(|error| Failure::negative(error.to_string()))?;
        let crl = self.history.crl(context, &certificate, now, err)?;
        match (crl.as_ref().and_then(LastCrl::number), self.last_crl_number) {
            (Some(number), Some(_)) => Err(Failure::usage(format!(
                "the CRL has the number {number}: --last-crl-number is only for a CRL without a number"
            ))),
            (_, given) => {
                let number = given.map_or_else(|| self.history.recorded_number(context), |given| Ok(Some(given)))?;
                let import = self.history.import(context, crl.as_ref(), number, err)?;
                if import.as_ref().is_some_and(|import| import.last_number() == 0) {
                    writeln!(err, "tagwise: {}", number_unknown(&self.db))?;
                }
                let takeover = self.history.takeover(crl.as_ref(), import.as_ref());
                let new = new.after(&takeover, number.unwrap_or_default());
                let count = takeover.revoked();
                if (crl.is_some() || import.is_some()) && !self.json {
                    writeln!(err, "tagwise: imported {count} revoked certificates")?;
                }
                Ok(new)
            }
        }
    }

    fn key(&self, context: &Context) -> Result<Arc<dyn PrivateKey>, Failure> {
        match &self.key {
            Some(path) => private_key_of(
                context,
                EMBEDDED,
                path,
                &PassphraseArgs::named_by("--key-passphrase-file", self.key_passphrase_file.as_deref()),
            ),
            None => EMBEDDED.generate(self.key_type).map_err(|error| Failure::negative(error.to_string())),
        }
    }
}

/// Creates the database atomically.
pub(super) fn create(db: &DbArgs, new: &NewAuthority) -> Result<Authority, Failure> {
    let failed = |error: Error| db.failed(&error);
    if let Some(url) = db.url() {
        let mut store = PostgresStore::connect(url, SqliteOptions::DEFAULT.patience).map_err(failed)?;
        return new.add(&mut store).map_err(failed);
    }
    let path = &db.db;
    let not_written = |error: &std::io::Error| Failure::file(path, "written", error);
    if fs::symlink_metadata(path).is_err() {
        // Created in memory, so that a killed command leaves no file with a key.
        let mut store = SqliteStore::in_memory().map_err(failed)?;
        let authority = new.add(&mut store).map_err(failed)?;
        let octets = store.to_octets().map_err(failed)?;
        match write(path, octets.expose(), Access::Private) {
            Ok(()) => return Ok(authority),
            // Another process was faster; the file may still have room for this CA.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(not_written(&error)),
        }
    }
    let mut store = SqliteStore::create(path, &SqliteOptions::DEFAULT).map_err(failed)?;
    new.add(&mut store).map_err(failed)
}

/// Parses a name from the command line.
pub(super) fn name(text: &str) -> Result<NameBuf, Failure> {
    let name = NameBuf::parse(text).map_err(|error| Failure::usage(format!("--subject: {error}")))?;
    check_subject(&name).map(|()| name)
}

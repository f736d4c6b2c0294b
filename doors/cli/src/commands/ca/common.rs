//! Code shared by the CA commands: the database, the CA's key, files, times and messages.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tagwise_pkix::oids::files as kinds;
use tagwise_pkix::oids::files::label;

use serde::Serialize;
use tagwise_ca::store::{CertificateRecord, CommitGroup, Revocation};
use tagwise_ca::{
    Authority, Documents, Error, OcspOptions, PostgresStore, Responder, Serial, SqliteOptions, SqliteStore,
};
use tagwise_codec::Decode;
use tagwise_crypto::{KeySigner, KeyType, Secret, Signer};
use tagwise_pkix::ext::{CrlReason, SubjectAltName};
use tagwise_pkix::name::visible;
use tagwise_pkix::{Certificate, UnixTime};
use tagwise_show::render::json;

use super::mtc::LogFiles;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::files;
pub(super) use crate::shared::issuing::{DAY, Moment, ValidityArgs, armoured, value};
use crate::shared::keys::private_key_of;
use crate::shared::moment::now;
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;

/// The option for the database.
#[derive(Debug, clap::Args)]
pub(super) struct DbArgs {
    /// The CA's database: a SQLite file, a PostgreSQL URL such as postgresql://ca@/ca?host=/run/postgresql, or a PostgreSQL connection
    /// string such as 'host=/run/postgresql dbname=ca'
    #[arg(long, value_name = "FILE", default_value = "ca.db")]
    pub(super) db: PathBuf,
}

/// The options for the database and for the passphrase of the CA's key.
#[derive(Debug, clap::Args)]
pub(super) struct KeyArgs {
    #[command(flatten)]
    db: DbArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
}

/// The time that a person waits for a lock, or for a lost connection to return.
pub(super) const PATIENCE: Duration = SqliteOptions::DEFAULT.patience;

impl DbArgs {
    /// Returns the URL or connection string of a PostgreSQL database.
    pub(super) fn url(&self) -> Option<&str> {
        self.db.to_str().filter(|text| {
            let is_url = text.starts_with("postgresql://") || text.starts_with("postgres://");
            is_url || parameters(text).next().is_some_and(|(key, _)| PARAMETERS.contains(&key))
        })
    }

    /// Returns the files of the CA's log, which lie beside a SQLite file, if the CA has a log.
    pub(super) fn log_files(&self) -> Option<LogFiles> {
        self.url().is_none().then(|| LogFiles::beside(&self.db)).filter(LogFiles::are_there)
    }

    /// Returns the database's name for messages, without a password.
    pub(super) fn name(&self) -> String {
        let Some(url) = self.url() else { return name_of(&self.db) };
        let scheme = url.split_once("://").filter(|(scheme, _)| matches!(*scheme, "postgres" | "postgresql"));
        let Some((scheme, rest)) = scheme else {
            let shown = parameters(url).filter(|(key, _)| SHOWN.contains(key));
            let shown: Vec<String> = shown.map(|(key, value)| format!("{key}={value}")).collect();
            return visible(&shown.join(" ")).to_string();
        };
        // A password may also be a parameter.
        let rest = rest.split('?').next().unwrap_or_default();
        let (user, host) = rest.rsplit_once('@').map_or((None, rest), |(user, host)| (user.split(':').next(), host));
        let user = user.map_or_else(String::new, |user| format!("{user}@"));
        visible(&format!("{scheme}://{user}{host}")).to_string()
    }

    /// Opens the database of an existing CA.
    pub(super) fn open(&self) -> Result<(Box<dyn Documents>, Authority), Failure> {
        self.authority(self.store(PATIENCE)?)
    }

    /// Opens the database read-only. A file may be write-protected or on a full disk.
    pub(super) fn open_to_read(&self) -> Result<(Box<dyn Documents>, Authority), Failure> {
        let failed = |error: Error| self.failed(&error);
        let store: Box<dyn Documents> = match self.url() {
            Some(url) => Box::new(PostgresStore::connect_to_read(url, PATIENCE).map_err(failed)?),
            None => Box::new(self.file()?),
        };
        self.authority(store)
    }

    /// Opens the file of an existing CA read-only.
    pub(super) fn open_file(&self) -> Result<SqliteStore, Failure> {
        if self.url().is_some() {
            return Err(Failure::usage(format!(
                "{}: expected a SQLite file; pg_dump copies PostgreSQL databases",
                self.name()
            )));
        }
        let mut store = self.file()?;
        Authority::open(&mut store, Authority::LABEL).map_err(|error| self.failed(&error))?;
        Ok(store)
    }

    /// Opens the database for an audit: for writing, so that the tables of an earlier version are updated first, or read-only if that is
    /// not possible.
    pub(super) fn store_to_audit(&self) -> Result<Box<dyn Documents>, Failure> {
        match self.store(PATIENCE) {
            Err(failure @ Failure::Said(3, _)) if self.url().is_none() => {
                self.file().map(|store| Box::new(store) as Box<dyn Documents>).map_err(|_same| failure)
            }
            done => done,
        }
    }

    /// Opens the database with the given patience.
    pub(super) fn store(&self, patience: Duration) -> Result<Box<dyn Documents>, Failure> {
        let failed = |error: Error| self.failed(&error);
        if let Some(url) = self.url() {
            return Ok(Box::new(PostgresStore::connect(url, patience).map_err(failed)?));
        }
        self.check_file()?;
        let options = SqliteOptions { patience, ..SqliteOptions::DEFAULT };
        Ok(Box::new(SqliteStore::open(&self.db, &options).map_err(failed)?))
    }

    fn file(&self) -> Result<SqliteStore, Failure> {
        self.check_file()?;
        SqliteStore::open_to_read(&self.db, &SqliteOptions::DEFAULT).map_err(|error| self.failed(&error))
    }

    fn authority(&self, mut store: Box<dyn Documents>) -> Result<(Box<dyn Documents>, Authority), Failure> {
        let authority = Authority::open(&mut *store, Authority::LABEL).map_err(|error| self.failed(&error))?;
        Ok((store, authority))
    }

    fn check_file(&self) -> Result<(), Failure> {
        openable(&self.db)
    }

    /// Converts an error of the CA into a command failure.
    pub(super) fn failed(&self, error: &Error) -> Failure {
        let code = match error {
            Error::Locked(_) | Error::NewerDatabase { .. } | Error::ForeignDatabase(_) => 3,
            Error::Store { .. } | Error::Unconfirmed { .. } | Error::Damaged { .. } => 3,
            Error::PassphraseNeeded => 2,
            _ => 1,
        };
        let hint = match error {
            Error::Damaged { .. } => "; `tagwise ca audit` lists all damage",
            Error::ClockDisagrees { .. } => {
                "; correct the clock or, if it is correct now and was fast then, run `tagwise ca crl --clock-was-wrong`"
            }
            Error::PastUnknown => {
                "; run `tagwise ca crl --last-crl FILE` or, if no certificate issued there is revoked, `tagwise ca crl --no-history`"
            }
            Error::NotLogged { .. } => ": `tagwise ca revoke` with its serial number",
            _ => "",
        };
        Failure::Said(code, format!("{}: {}{hint}", self.name(), visible(error)))
    }
}

/// Checks that the file of a database exists.
pub(crate) fn openable(path: &Path) -> Result<(), Failure> {
    let Err(error) = files::regular(path) else { return Ok(()) };
    let hint = match error.kind() {
        std::io::ErrorKind::NotFound => "; `tagwise ca init` creates a CA",
        _ => "",
    };
    let Failure::Said(code, text) = Failure::file(path, "opened", &error) else { return Err(error.into()) };
    Err(Failure::Said(code, text + hint))
}

/// The parameters that a PostgreSQL connection string may start with. A SQLite file with such a name can be given as `./host=a`.
const PARAMETERS: [&str; 18] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "options",
    "password",
    "port",
    "sslmode",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];

/// The parameters that messages contain.
const SHOWN: [&str; 5] = ["host", "hostaddr", "port", "user", "dbname"];

/// Reads the parameters of a PostgreSQL connection string, up to the first malformed one: `key=value`, with spaces around `=` and
/// between parameters. A value with spaces is in single quotation marks, with backslashes before those in it.
fn parameters(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let (key, after) = rest.split_once('=')?;
        let (key, after) = (key.trim(), after.trim_start());
        let (is_quoted, mut characters) = match after.strip_prefix('\'') {
            Some(inside) => (true, inside.chars()),
            None => (false, after.chars()),
        };
        let mut value = String::new();
        loop {
            match characters.next() {
                Some('\'') if is_quoted => break,
                Some(space) if !is_quoted && space.is_whitespace() => break,
                Some('\\') => value.extend(characters.next()),
                Some(other) => value.push(other),
                None if is_quoted => return None,
                None => break,
            }
        }
        rest = characters.as_str();
        let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        is_key.then_some((key, value))
    })
}

impl KeyArgs {
    pub(super) fn log_files(&self) -> Option<LogFiles> {
        self.db.log_files()
    }

    pub(super) fn name(&self) -> String {
        self.db.name()
    }

    pub(super) fn open(&self) -> Result<(Box<dyn Documents>, Authority), Failure> {
        self.db.open()
    }

    /// Opens connections for a server, whose clients do not wait as long as a person.
    pub(super) fn stores(&self, count: usize) -> Result<Vec<Box<dyn Documents>>, Failure> {
        let patience = Duration::from_secs(5);
        if self.db.url().is_some() {
            return (0..count).map(|_| self.db.store(patience)).collect();
        }
        self.db.check_file()?;
        let (group, options) = (CommitGroup::new(&self.db.db), SqliteOptions { patience, ..SqliteOptions::DEFAULT });
        let open = |_| SqliteStore::open_in(&group, &self.db.db, &options);
        let open =
            |at| open(at).map(|store| Box::new(store) as Box<dyn Documents>).map_err(|error| self.failed(&error));
        (0..count).map(open).collect()
    }

    pub(super) fn failed(&self, error: &Error) -> Failure {
        self.db.failed(error)
    }

    /// Loads the CA's key, and adds the CA's log, if it has one. Everything that is issued then is also logged.
    pub(super) fn issuer(&self, authority: Authority) -> Result<(Authority, KeySigner), Failure> {
        let (signer, passphrase) = self.signer_and_passphrase(&authority)?;
        let authority = match self.log_files() {
            Some(files) => authority.with_log(Arc::new(files.open(passphrase.as_ref())?)),
            None => authority,
        };
        Ok((authority, signer))
    }

    /// Loads the CA's key. Prompts for the passphrase if it is encrypted.
    pub(super) fn signer(&self, authority: &Authority) -> Result<KeySigner, Failure> {
        self.signer_and_passphrase(authority).map(|(signer, _)| signer)
    }

    /// Loads the CA's key and its passphrase, which also protects the key of the CA's log.
    pub(super) fn signer_and_passphrase(&self, authority: &Authority) -> Result<(KeySigner, Option<Secret>), Failure> {
        let what = format!("the CA's key in {}", self.name());
        let passphrase = authority.is_locked().then(|| self.passphrase.of(&what)).transpose()?;
        let signer = authority.unlock(EMBEDDED, passphrase.as_ref().map(Secret::expose));
        Ok((signer.map_err(|error| self.failed(&error))?, passphrase))
    }
}

/// The answer about serial numbers that are not in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Unlisted {
    /// Their status is unknown
    Unknown,
    /// They are not revoked
    Good,
}

/// The options for the OCSP signer: the CA's key, unless another key is given.
#[derive(Debug, clap::Args)]
pub(super) struct ResponderArgs {
    #[command(flatten)]
    pub(super) key: KeyArgs,
    /// Sign with this key, so that the CA's key can stay locked
    #[arg(long, value_name = "FILE", requires = "responder_certificate")]
    responder_key: Option<PathBuf>,
    /// Certificate of that key, issued by the CA with the profile `ocsp`
    #[arg(long, value_name = "FILE", requires = "responder_key")]
    responder_certificate: Option<PathBuf>,
    /// Validity of a response in hours
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=8760))]
    hours: u32,
    /// Status of serial numbers that are not in the database; use `good` for a CA that was imported with its last CRL but without its
    /// certificates (RFC 6960 §2.2)
    #[arg(long, value_name = "STATUS", value_enum, default_value = "unknown")]
    unlisted: Unlisted,
    /// Omit nonces, so that all responses come from the database (RFC 5019)
    #[arg(long)]
    no_nonce: bool,
}

/// The database, the responder and, if the responder has its own key, the CA's key.
type Opened = (Box<dyn Documents>, Responder, Option<Arc<dyn Signer>>);

impl ResponderArgs {
    pub(super) fn open(&self, context: &Context) -> Result<(Box<dyn Documents>, Responder), Failure> {
        self.open_with(context, None).map(|(store, responder, _)| (store, responder))
    }

    /// Opens the database, and creates the responder. If `delegated` is the validity of a delegated responder, a new key is generated for
    /// the responder, and the CA's key is also returned.
    pub(super) fn open_with(&self, context: &Context, delegated: Option<Duration>) -> Result<Opened, Failure> {
        let (mut store, authority) = self.key.open()?;
        // A CRL is issued or imported only if every revocation is known.
        if self.unlisted == Unlisted::Good
            && store.last_update(authority.id()).map_err(|error| self.key.failed(&error))?.is_none()
        {
            return Err(Failure::negative(
                "--unlisted good requires that all revocations are known, but the database has no CRL: run `tagwise ca crl` first",
            ));
        }
        if self.unlisted == Unlisted::Good
            && !has_history(&mut *store, &authority).map_err(|error| self.key.failed(&error))?
        {
            return Err(Failure::usage(
                "--unlisted good is for a CA that was imported without its certificates: this database has every certificate of the CA \
                 (CA/Browser Forum BR §4.9.10)",
            ));
        }
        let options = OcspOptions {
            lifetime: Duration::from_secs(3600) * self.hours,
            nonce: !self.no_nonce,
            unlisted_is_good: self.unlisted == Unlisted::Good,
            ..OcspOptions::DEFAULT
        };
        let mut own: Option<Arc<dyn Signer>> = None;
        let responder = match (&self.responder_key, &self.responder_certificate, delegated) {
            (_, _, Some(lifetime)) => {
                let (authority, signer) = self.key.issuer(authority)?;
                let signer: Arc<dyn Signer> = Arc::new(signer);
                own = Some(Arc::clone(&signer));
                let (kind, now) = ((DELEGATED, lifetime), now());
                Responder::delegate(Arc::new(authority), &mut *store, EMBEDDED, &*signer, kind, options, now)
            }
            (Some(key), Some(certificate), None) => {
                let certificate = value(context, certificate, &kinds::CERTIFICATE)?;
                let key = private_key_of(context, EMBEDDED, key, &self.key.passphrase)?;
                let signer = KeySigner::preferred(key).map_err(|error| Failure::negative(error.to_string()))?;
                let signer: Arc<dyn Signer> = Arc::new(signer);
                match Responder::delegated(Arc::new(authority), &mut *store, EMBEDDED, signer, &certificate, options) {
                    Err(Error::NotTheKey) => {
                        return Err(Failure::negative(
                            "the key of --responder-key does not match the certificate of --responder-certificate",
                        ));
                    }
                    responder => responder,
                }
            }
            _ => {
                let signer: Arc<dyn Signer> = Arc::new(self.key.signer(&authority)?);
                Responder::new(Arc::new(authority), signer, options)
            }
        };
        Ok((store, responder.map_err(|error| self.key.failed(&error))?, own))
    }
}

/// Returns whether the CA may have issued certificates before it was added to the database: its certificate was imported, or the
/// database has certificates that were issued elsewhere.
fn has_history(store: &mut dyn Documents, authority: &Authority) -> Result<bool, Error> {
    let tbs = &authority.certificate().tbs_certificate;
    let own = store.certificate(authority.id(), &Serial::from_int(tbs.serial_number.0))?;
    // An imported certificate was recorded later than it begins, or is not in the database.
    if !own.is_some_and(|own| own.profile == "root" && own.issued == own.not_before) {
        return Ok(true);
    }
    let mut found = false;
    store.certificates(authority.id(), &mut |record| {
        found |= record.profile == CertificateRecord::ELSEWHERE;
        Ok(())
    })?;
    Ok(found)
}

/// The key type of a delegated responder.
pub(super) const DELEGATED: KeyType = KeyType::P256;

/// The option for the issuer of an indirect CRL.
#[derive(Debug, clap::Args)]
pub(super) struct CrlIssuerArgs {
    /// Certificate of the CA that issues the CRL at --crl-url, if that is another one (`tagwise ca crl --indirect`)
    #[arg(long, value_name = "FILE", requires = "crl_url")]
    crl_issuer: Option<PathBuf>,
}

impl CrlIssuerArgs {
    /// Returns the CA's name in DER, byte for byte as in its certificate.
    pub(super) fn name(&self, context: &Context) -> Result<Option<Vec<u8>>, Failure> {
        let Some(path) = &self.crl_issuer else { return Ok(None) };
        let der = value(context, path, &kinds::CERTIFICATE)?;
        let wrong = |error: &dyn std::fmt::Display| Failure::negative(format!("{}: {error}", name_of(path)));
        let read = Certificate::outline(&der).map_err(|error| wrong(&error))?;
        tagwise_codec::encode(&read.tbs_certificate.subject).map(Some).map_err(|error| wrong(&error))
    }
}

/// The option for the destination of a result.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Write DER instead of PEM
    #[arg(long)]
    pub(super) der: bool,
}

impl OutputArgs {
    /// Writes a result that is already stored in the database. If writing fails, the error says that it is in the database.
    pub(super) fn deliver_new(
        &self,
        label: &str,
        parts: &[&[u8]],
        what: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        self.deliver(label, parts, out).map_err(|failure| match failure {
            Failure::Said(code, text) => {
                Failure::Said(code, format!("{text}; {what} is in the database: `tagwise ca export` writes it"))
            }
            other => other,
        })
    }

    pub(super) fn deliver(&self, label: &str, parts: &[&[u8]], out: &mut dyn Write) -> Result<(), Failure> {
        let octets = if self.der {
            parts.concat()
        } else {
            parts.iter().map(|der| armoured(label, der)).collect::<Result<String, _>>()?.into_bytes()
        };
        deliver(&octets, self.output.as_ref(), false, out)
    }
}

/// A certificate in the JSON output.
#[derive(Debug, Serialize)]
pub(super) struct CertificateDocument {
    serial: String,
    subject: String,
    names: Vec<String>,
    profile: String,
    /// The client that requested it, if a server issued it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) requester: Option<String>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_before: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_after: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revocation: Option<RevocationDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pem: Option<String>,
}

/// A revocation in the JSON output.
#[derive(Debug, Serialize)]
pub(super) struct RevocationDocument {
    at: Moment,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid_since: Option<Moment>,
}

impl RevocationDocument {
    pub(super) const fn reason(&self) -> &'static str {
        self.reason
    }

    pub(super) fn of(revocation: &Revocation) -> Self {
        Self {
            at: Moment::of(revocation.at),
            reason: revocation.reason.name(),
            invalid_since: revocation.invalid_since.map(Moment::of),
        }
    }
}

impl CertificateDocument {
    pub(super) fn of(record: &CertificateRecord, now: UnixTime) -> Result<Self, Failure> {
        Ok(Self {
            serial: record.serial.to_string(),
            subject: record.subject.clone(),
            names: names(&record.der),
            profile: record.profile.clone(),
            requester: None,
            status: status(record, now),
            not_before: record.is_known().then(|| Moment::of(record.not_before)),
            not_after: record.is_known().then(|| Moment::of(record.not_after)),
            issued: (record.profile != CertificateRecord::ELSEWHERE).then(|| Moment::of(record.issued)),
            revocation: record.revocation.as_ref().map(RevocationDocument::of),
            pem: record.is_known().then(|| armoured(label::CERTIFICATE, &record.der)).transpose()?,
        })
    }
}

/// Returns the subject alternative names of a certificate.
pub(super) fn names(der: &[u8]) -> Vec<String> {
    // It was read strictly when it was issued; an unreadable one has no names.
    let read = Certificate::outline(der).ok().and_then(|certificate| certificate.tbs_certificate.extensions);
    let names = read.and_then(|list| list.get::<SubjectAltName<'_>>().ok().flatten());
    names.iter().flat_map(|names| names.0.iter()).map_while(Result::ok).map(|name| name.to_string()).collect()
}

/// Returns a one-line summary of a certificate's subject, or of its alternative names if the subject is empty.
pub(super) fn whom(subject: &str, der: &[u8]) -> String {
    if subject.is_empty() { visible(&names(der).join(", ")).to_string() } else { visible(&subject).to_string() }
}

/// Returns the status of a certificate as one word.
pub(super) fn status(record: &CertificateRecord, now: UnixTime) -> &'static str {
    match &record.revocation {
        Some(revocation) if revocation.reason == CrlReason::CertificateHold => "on-hold",
        Some(_) => "revoked",
        None if now > record.not_after => "expired",
        None if now < record.not_before => "not-yet-valid",
        None => "valid",
    }
}

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'static str,
    command: &'a str,
    #[serde(flatten)]
    content: &'a T,
}

/// Writes JSON (schema `tagwise.ca/1`).
pub(super) fn document<T: Serialize>(command: &str, content: &T, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(json::write(out, &Document { schema: "tagwise.ca/1", command, content })?)
}

#[cfg(test)]
mod tests {
    use super::DbArgs;

    #[test]
    fn databases() {
        let named = |db: &str| {
            let args = DbArgs { db: db.into() };
            (args.url().is_some(), args.name())
        };
        for (db, is_server, name) in [
            ("ca.db", false, "ca.db"),
            ("./host=a", false, "./host=a"),
            ("x=1.db", false, "x=1.db"),
            ("dir/host=a dbname=ca", false, "dir/host=a dbname=ca"),
            ("postgresql://ca:hunter2@db/ca?password=hunter2", true, "postgresql://ca@db/ca"),
            ("host=/run/postgresql dbname=ca", true, "host=/run/postgresql dbname=ca"),
            ("password=hunter2 host=db", true, "host=db"),
            (" user = ca password = 'hunter2 \\' host=x' dbname='my ca'", true, "user=ca dbname=my ca"),
            ("host=db password='hunter2", true, "host=db"),
            ("host=db password=a://b@hunter2", true, "host=db"),
            ("host='db", false, "host='db"),
        ] {
            assert_eq!(named(db), (is_server, name.to_owned()), "{db}");
        }
    }
}

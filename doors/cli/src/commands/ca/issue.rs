//! `tagwise ca issue`.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tagwise_pkix::oids::files as kinds;
use tagwise_pkix::oids::files::label;

use serde::Serialize;
use tagwise_ca::{
    AltName, Authority, Definition, Error, Identity, LogCertificate, NotTaken, Order, Profile, Requested,
};
use tagwise_codec::Decode;
use tagwise_crypto::{KeyType, Secret};
use tagwise_mtc::Serial as MtcSerial;
use tagwise_pkix::name::visible;
use tagwise_pkix::{TbsCertificate, UnixTime};

use super::common::{CertificateDocument, KeyArgs, OutputArgs, ValidityArgs, document, value, whom};
use super::init::name;
use super::mtc::certify;
use super::submission::SubmissionArgs;
use crate::shared::backend::{EMBEDDED, key_kind};
use crate::shared::context::Context;
use crate::shared::keys::{deliver_key, one};
use crate::shared::moment::now;
use crate::shared::mtc::with_properties;
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::profiles;
use crate::shared::rules;
use crate::shared::trust::certificates;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca issue server.csr -o server.pem                       names from the request
  tagwise ca issue server.csr --dns www.example.org --dns example.org --days 90
  tagwise ca issue server.csr --all-or-nothing -o server.pem
  tagwise ca issue a.csr b.csr -o issued/                         a batch: also a folder, a zip archive or a PEM bundle
  tagwise ca issue --new-key ecdsa-p256 --key-out eva.key --subject CN=Eva --profile client -o eva.pem
  tagwise ca issue eva.csr --profile email --email eva@example.org -o eva.pem
  tagwise ca issue --public-key sub.pub --subject 'CN=Sub CA' --profile ca --path-len 0 -o sub.pem
  tagwise ca issue --public-key other-root.pem --profile ca -o cross.pem        cross-sign another CA
  tagwise ca issue server.csr --profile logged.toml --log-trust log-roots.pem -o server.pem     with timestamps of logs
  tagwise ca issue --new-key ed25519 --key-out ocsp.key --subject CN=OCSP --profile ocsp -o ocsp.pem

A request must be signed with the key to be certified. Its subject, DNS names, IP and mail addresses and URIs are used unless others \
are given; the profile sets the usages, the validity, and the names and keys that it allows. A certified CA keeps the name, key identifier and path length of its request or \
certificate, byte for byte, because certificates below it refer to them. A server's common name must \
be one of its other names. The validity never ends after the CA's own. Requested items that are \
left out are listed on standard error, with the reason; --all-or-nothing refuses such a request.

Several requests are a batch: -o is the folder for the certificates, and each is named after its request. Refused requests are listed, and the others are issued; with --all-or-nothing, none is.
Exit codes: 0 issued; 1 refused, with the reason; 2 usage error; 3 a file or the database could not be read or written.";

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("whose").required(true).args(["request", "public_key", "new_key"]))]
#[command(group = clap::ArgGroup::new("named").multiple(true).args(["subject", "dns", "ip", "email", "uri", "upn"]))]
pub(crate) struct IssueArgs {
    /// Certification requests (PKCS #10): files, folders, archives or PEM bundles; `-` is standard input
    #[arg(id = "request", value_name = "REQUEST")]
    pub(super) requests: Vec<PathBuf>,
    /// Refuse the request if anything that it asks for would be left out
    #[arg(long, requires = "request")]
    pub(super) all_or_nothing: bool,
    /// Certify the public key in this file: a key, a request or a certificate, whose subject is also used
    #[arg(long, value_name = "FILE")]
    public_key: Option<PathBuf>,
    /// Generate a key of this kind, and certify it
    #[arg(long, value_name = "KIND", requires = "named", requires = "key_out", value_parser = key_kind)]
    new_key: Option<KeyType>,
    /// Write the new key to this file, which must not exist yet
    #[arg(long, value_name = "FILE", requires = "new_key")]
    key_out: Option<PathBuf>,
    /// Read the passphrase for the new key from the first line of this file [default: prompt]
    #[arg(long, value_name = "FILE", requires = "new_key", conflicts_with = "key_no_passphrase")]
    key_passphrase_file: Option<PathBuf>,
    /// Write the new key unencrypted
    #[arg(long, requires = "new_key")]
    key_no_passphrase: bool,
    /// Subject, such as `CN=www.example.org,O=Example`; may be empty if there are other names
    #[arg(long, value_name = "NAME")]
    pub(super) subject: Option<String>,
    /// DNS name; may be repeated
    #[arg(long, value_name = "NAME")]
    dns: Vec<String>,
    /// IP address; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    ip: Vec<IpAddr>,
    /// Mail address; may be repeated
    #[arg(long, value_name = "MAILBOX")]
    email: Vec<String>,
    /// URI; may be repeated
    #[arg(long, value_name = "URI")]
    uri: Vec<String>,
    /// User principal name of Active Directory; may be repeated
    #[arg(long, value_name = "NAME")]
    upn: Vec<String>,
    /// Purpose of the certificate: server, client, server+client, email, code-signing, time-stamping, smartcard-logon, ipsec, ca, ocsp, or
    /// a file in TOML (`tagwise ca profile --help`)
    #[arg(long, value_name = "PROFILE", default_value = "server")]
    profile: String,
    /// Maximum path length: the number of CAs below the new one in a path
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    #[command(flatten)]
    pub(super) validity: ValidityArgs,
    /// Write the Merkle Tree Certificate to this file, if the CA has a log (`ca init --mtc`) [default: www.mtc.pem with `-o www.pem`,
    /// otherwise standard output]
    #[arg(long, value_name = "FILE")]
    pub(super) mtc_output: Option<PathBuf>,
    /// Append the CA's certificate
    #[arg(long)]
    pub(super) chain: bool,
    #[command(flatten)]
    submission: SubmissionArgs,
    #[command(flatten)]
    pub(super) key: KeyArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    /// Print JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Document {
    certificate: CertificateDocument,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored_extensions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_taken: Vec<Left>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mtc: Option<Logged>,
}

/// The Merkle Tree Certificate with the same content.
#[derive(Serialize)]
struct Logged {
    serial: String,
    index: u64,
    pem: String,
}

/// A requested item that the certificate does not contain.
#[derive(Serialize)]
pub(super) struct Left {
    kind: &'static str,
    what: String,
    why: String,
}

impl From<NotTaken> for Left {
    fn from(left: NotTaken) -> Self {
        Self { kind: left.kind, what: left.what, why: left.why }
    }
}

/// The key to certify, with its names.
struct Wanted {
    requested: Requested,
    /// The newly generated key with its file, if there is one.
    made: Option<NewKey>,
}

/// A new key that has not been written yet.
struct NewKey {
    pkcs8: Secret,
    passphrase: Option<Secret>,
    path: PathBuf,
}

impl NewKey {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        deliver_key(EMBEDDED, &self.pkcs8, self.passphrase.as_ref(), Some(&self.path), out)
    }

    /// Handles the key file after a failure: removes it, or reports that it was kept.
    fn after(&self, error: &Error, failure: Failure) -> Failure {
        if error.is_certain() {
            // Nothing was certified, so the key is of no use, and its file would be in the way of the next attempt.
            let _ = std::fs::remove_file(&self.path);
            return failure;
        }
        match failure {
            Failure::Said(code, text) => {
                let key = name_of(&self.path);
                Failure::Said(
                    code,
                    format!("{text}; the key was kept in {key}: `tagwise ca list` shows whether it was certified"),
                )
            }
            other => other,
        }
    }
}

/// Reads a request.
pub(super) fn requested(context: &Context, der: &[u8]) -> Result<Requested, String> {
    Requested::from_der_with(EMBEDDED, der, context.allowed.decoding).map_err(|error| {
        let hint = match &error {
            Error::Malformed { error, .. } => rules::hint(error),
            _ => String::new(),
        };
        format!("{error}{hint}")
    })
}

impl IssueArgs {
    pub(super) fn issue(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let definition = self.definition(context)?;
        let (mut store, authority) = self.key.open()?;
        let (signer, passphrase) = self.key.signer_and_passphrase(&authority)?;
        let log = self.key.log_files().map(|files| files.open(passphrase.as_ref())).transpose()?;
        if self.mtc_output.is_some() && log.is_none() {
            return Err(Failure::usage(
                "--mtc-output requires a CA with a log: `tagwise ca init --mtc ID` creates one",
            ));
        }
        let names = self.names().map_err(|error| Failure::usage(error.to_string()))?;
        let subject = self.subject.as_deref().map(name).transpose()?;
        let Wanted { mut requested, made } = self.wanted(context)?;
        let profile = self.profile(&definition, &requested);
        // The same name in other string types would break the chains of certificates below a CA (RFC 5280 §4.1.2.6).
        let subject = match subject {
            Some(subject) if !requested.subject.name().matches(&subject.name()) => subject,
            _ => requested.subject.clone(),
        };
        if self.requests.is_empty() {
            requested.subject = subject.clone();
        }
        if subject.name().is_empty() && names.is_empty() && requested.names.is_empty() && requested.refused.is_empty() {
            return Err(Failure::usage("no name given: use --subject, --dns, --ip, --email or --uri"));
        }
        if let (true, Some(error)) = (names.is_empty(), requested.refused.first()) {
            return Err(Failure::negative(format!(
                "{}; give the names with --dns, --ip, --email or --uri",
                visible(error)
            )));
        }
        let now = now();
        let failed = |error: Error| self.key.failed(&error);
        let names = if names.is_empty() { requested.names.clone() } else { names };
        let (subject, names) = definition.apply(subject, names).map_err(failed)?;
        let (not_before, not_after) = self.validity(&authority, &definition, now);
        let order = Order {
            subject,
            names,
            public_key: &requested.public_key,
            key_identifier: requested.key_identifier.as_deref().filter(|_| definition.ca),
            restrictions: requested.restrictions.clone(),
            profile,
            not_before,
            not_after,
        };
        // All reasons for a refusal are found before a file for a key or certificate is created.
        let kind = authority.judge_key(EMBEDDED, &order).map_err(failed)?;
        authority.check_compromise(&mut *store, order.public_key).map_err(failed)?;
        let checked = Order { profile: order.profile.without_transparency(), ..order.clone() };
        let prepared = authority.prepare(&signer, &checked, kind).map_err(failed)?;
        let tbs = TbsCertificate::from_der(prepared.unsigned().tbs());
        let tbs = tbs.map_err(|error| Failure::negative(error.to_string()))?;
        let not_taken = requested.not_taken(&tbs).map_err(failed)?;
        for left in &not_taken {
            writeln!(err, "tagwise: omitted from the certificate: {}", visible(left))?;
        }
        if self.all_or_nothing && !not_taken.is_empty() {
            return Err(Failure::negative("not issued, because of --all-or-nothing"));
        }
        let mut logs = definition.transparency.as_ref().map(|logs| self.submission.logs(context, logs)).transpose()?;
        // The key is on disk before its certificate is anywhere.
        made.as_ref().map_or(Ok(()), |key| key.write(out))?;
        let issued = match &mut logs {
            None => authority.issue(&mut *store, EMBEDDED, &signer, &order, now),
            Some(logs) => logs.issue(&authority, &mut *store, &signer, &order, now, err),
        };
        let issued = issued.map_err(|error| {
            let failure = self.key.failed(&error);
            match &made {
                Some(key) => key.after(&error, failure),
                None => failure,
            }
        })?;
        let mut parts = vec![issued.der.as_slice()];
        parts.extend(self.chain.then(|| authority.certificate_der()));
        if self.output.output.is_some() || !self.json {
            self.output.deliver_new(label::CERTIFICATE, &parts, &format!("the certificate {}", issued.serial), out)?;
        }
        let logged = log.as_ref().map(|log| certify(log, &issued, now)).transpose()?;
        if let Some((_, one)) = logged.as_ref().filter(|_| self.mtc_file().is_some() || !self.json) {
            let text = with_properties(&one.properties, &one.der)?;
            deliver(text.as_bytes(), self.mtc_file().as_ref(), false, out)?;
        }
        if self.json {
            let record = authority.find(&mut *store, &issued.serial).map_err(|error| self.key.failed(&error))?;
            let certificate = CertificateDocument::of(&record, now)?;
            let extensions = not_taken.iter().filter(|left| left.kind == NotTaken::EXTENSION);
            let ignored_extensions = extensions.map(|left| left.what.clone()).collect();
            let not_taken = not_taken.into_iter().map(Left::from).collect();
            let of_log = |(serial, one): &(MtcSerial, LogCertificate)| -> Result<Logged, Failure> {
                let pem = with_properties(&one.properties, &one.der)?;
                Ok(Logged { serial: serial.to_string(), index: serial.index(), pem })
            };
            let mtc = logged.as_ref().map(of_log).transpose()?;
            document("issue", &Document { certificate, ignored_extensions, not_taken, mtc }, out)?;
        } else if self.output.output.is_some() {
            let whom = whom(&order.subject.to_string(), &issued.der);
            writeln!(err, "{}: {whom}, valid until {}", issued.serial, order.not_after)?;
            if let (Some((serial, _)), Some(path)) = (&logged, self.mtc_file()) {
                writeln!(err, "{serial}: the Merkle Tree Certificate, in {}", name_of(&path))?;
            }
        }
        Ok(0)
    }

    /// Returns the output file for the Merkle Tree Certificate.
    fn mtc_file(&self) -> Option<PathBuf> {
        let beside = || self.output.output.as_ref().filter(|path| path.as_os_str() != "-");
        self.mtc_output.clone().or_else(|| beside().map(|path| path.with_extension("mtc.pem")))
    }

    /// Returns the requested profile.
    pub(super) fn definition(&self, context: &Context) -> Result<Arc<Definition>, Failure> {
        let definition = Arc::new(profiles::of(context, &self.profile)?);
        if self.path_len.is_some() && !definition.ca {
            return Err(Failure::usage("--path-len requires --profile ca"));
        }
        Ok(definition)
    }

    /// Returns the profile for a request, with the extensions that it allows and the shorter of both path lengths.
    pub(super) fn profile(&self, definition: &Arc<Definition>, requested: &Requested) -> Profile {
        if !definition.ca && definition.extensions.is_empty() {
            return Profile::Defined(Arc::clone(definition));
        }
        let mut own = definition.for_request(requested);
        let wanted = self.path_len.or(requested.path_len).filter(|_| own.ca);
        own.path_len = match (wanted, own.path_len) {
            (Some(wanted), Some(most)) => Some(wanted.min(most)),
            (wanted, most) => wanted.or(most),
        };
        Profile::Defined(Arc::new(own))
    }

    /// Returns the validity period from the options or the profile, limited to that of the CA.
    pub(super) fn validity(
        &self,
        authority: &Authority,
        definition: &Definition,
        now: UnixTime,
    ) -> (UnixTime, UnixTime) {
        let (from, until) = authority.period(definition, now);
        (from, self.validity.end(from).unwrap_or(until))
    }

    pub(super) fn names(&self) -> Result<Vec<AltName>, Error> {
        let dns = self.dns.iter().map(|name| AltName::dns(name));
        let ip = self.ip.iter().map(|address| Ok(AltName::ip(*address)));
        let email = self.email.iter().map(|name| AltName::email(name));
        let uri = self.uri.iter().map(|name| AltName::uri(name));
        let upn = self.upn.iter().map(|name| AltName::upn(name));
        dns.chain(ip).chain(email).chain(uri).chain(upn).collect()
    }

    fn wanted(&self, context: &Context) -> Result<Wanted, Failure> {
        let failed = |error: Error| Failure::negative(error.to_string());
        if let Some(path) = self.requests.first() {
            let der = value(context, path, &kinds::CERTIFICATION_REQUEST)?;
            let requested = requested(context, &der)
                .map_err(|text| Failure::negative(format!("{}: {}", name_of(path), visible(&text))))?;
            return Ok(Wanted { requested, made: None });
        }
        if let Some(path) = &self.public_key {
            let passphrase = PassphraseArgs::named_by("--key-passphrase-file", self.key_passphrase_file.as_deref());
            let found = one(context, EMBEDDED, path, &passphrase)?;
            let mut requested = Requested::of_key(found.key.public(EMBEDDED)?).map_err(failed)?;
            if found.is_of_certificate()
                && let Some(certificate) = certificates(context, path)?.first()
            {
                let identity = Identity::of_certificate(&certificate.der).map_err(failed)?;
                requested.subject = identity.subject;
                requested.key_identifier = identity.key_identifier;
                requested.path_len = identity.path_len;
                requested.restrictions = identity.restrictions;
            }
            return Ok(Wanted { requested, made: None });
        }
        let (Some(kind), Some(path)) = (self.new_key, &self.key_out) else {
            return Err(Failure::usage("no subject key: give a request, --public-key or --new-key"));
        };
        if path.as_os_str() == "-" {
            return Err(Failure::usage("--key-out must be a file"));
        }
        let passphrase = PassphraseArgs::named_by("--key-passphrase-file", self.key_passphrase_file.as_deref());
        let passphrase = (!self.key_no_passphrase).then(|| passphrase.fresh()).transpose()?;
        let key = EMBEDDED.generate(kind).map_err(|error| Failure::negative(error.to_string()))?;
        let pkcs8 = key.to_pkcs8().map_err(|error| Failure::negative(error.to_string()))?;
        let requested = Requested::of_key(key.public_key_info().to_vec()).map_err(failed)?;
        Ok(Wanted { requested, made: Some(NewKey { pkcs8, passphrase, path: path.clone() }) })
    }
}

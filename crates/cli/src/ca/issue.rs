//! `tagwise ca issue`.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use tagwise_ca::{AltName, Authority, Error, Order, Profile, Requested};
use tagwise_crypto::KeyType;
use tagwise_pkix::name::{NameBuf, visible};

use super::common::{CertificateDocument, DAY, KeyArgs, OutputArgs, ValidityArgs, document, iso, value, whom};
use super::init::name;
use crate::args::now;
use crate::key::passphrase::PassphraseArgs;
use crate::key::{backend, deliver_key};
use crate::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca issue server.csr -o server.pem                       names as the request has them
  tagwise ca issue server.csr --dns www.example.org --dns example.org --days 90
  tagwise ca issue --new-key ecdsa-p256 --key-out eva.key --subject CN=Eva --profile client -o eva.pem
  tagwise ca issue --public-key sub.pub --subject 'CN=Sub CA' --profile ca --path-len 0 -o sub.pem
  tagwise ca issue --new-key ed25519 --key-out ocsp.key --subject CN=OCSP --profile ocsp -o ocsp.pem

A request is taken only if it is signed with the key that is to be certified. Its subject and its DNS names, addresses, mailboxes \
and URIs are taken unless others are said; what a certificate may do is for the profile to say. Without --days and --until, servers and \
clients have 90 days, CAs five years, responders 30 days, and none more than the CA has.
Exit codes: 0 issued; 1 refused, and why; 2 usage; 3 a file or the database could not be read or written.";

/// What a certificate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum For {
    /// A server of TLS
    Server,
    /// A client of TLS
    Client,
    /// A CA below this one
    Ca,
    /// An OCSP responder of this CA
    Ocsp,
}

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("whose").required(true).args(["request", "public_key", "new_key"]))]
#[command(group = clap::ArgGroup::new("named").multiple(true).args(["subject", "dns", "ip", "email", "uri"]))]
pub(crate) struct IssueArgs {
    /// A certification request (PKCS #10); `-` is standard input
    #[arg(value_name = "REQUEST")]
    request: Option<PathBuf>,
    /// Certify the public key of this file
    #[arg(long, value_name = "FILE", requires = "named")]
    public_key: Option<PathBuf>,
    /// Make a key of this kind, and certify it
    #[arg(long, value_name = "KIND", requires = "named", requires = "key_out")]
    new_key: Option<KeyType>,
    /// Write the new key to this file, which must not be there yet
    #[arg(long, value_name = "FILE", requires = "new_key")]
    key_out: Option<PathBuf>,
    /// Take the passphrase for the new key from the first line of this file [default: asked for]
    #[arg(long, value_name = "FILE", requires = "new_key", conflicts_with = "key_no_passphrase")]
    key_passphrase_file: Option<PathBuf>,
    /// Write the new key in the clear
    #[arg(long, requires = "new_key")]
    key_no_passphrase: bool,
    /// The name of the subject, as in `CN=www.example.org,O=Example`; may be empty where there are others
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// A DNS name; may be said again
    #[arg(long, value_name = "NAME")]
    dns: Vec<String>,
    /// An IP address; may be said again
    #[arg(long, value_name = "ADDRESS")]
    ip: Vec<IpAddr>,
    /// A mailbox; may be said again
    #[arg(long, value_name = "MAILBOX")]
    email: Vec<String>,
    /// A URI; may be said again
    #[arg(long, value_name = "URI")]
    uri: Vec<String>,
    /// What it is for
    #[arg(long, value_name = "PROFILE", default_value = "server")]
    profile: For,
    /// How many CAs may stand below the new one in a chain
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    #[command(flatten)]
    validity: ValidityArgs,
    /// Write the CA's certificate behind it
    #[arg(long)]
    chain: bool,
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// JSON (schema tagwise.ca/1) on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    certificate: CertificateDocument,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored_extensions: Vec<String>,
}

/// What is to be certified.
struct Wanted {
    requested: Requested,
    /// The file of a key that was made for it.
    made: Option<PathBuf>,
}

impl IssueArgs {
    pub(super) fn issue(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let profile = self.profile()?;
        let (mut store, authority) = self.key.open()?;
        let signer = self.key.signer(&authority)?;
        let names = self.names().map_err(|error| Failure::usage(error.to_string()))?;
        let subject = self.subject.as_deref().map(name).transpose()?;
        let Wanted { requested, made } = self.wanted(out)?;
        if !requested.ignored.is_empty() {
            let list = requested.ignored.join(", ");
            writeln!(err, "tagwise: the request asks for extensions that are not taken: {}", visible(&list))?;
        }
        if let (true, Some(error)) = (names.is_empty(), requested.refused.first()) {
            return Err(Failure::negative(format!("{}; say the names that are to be taken", visible(error))));
        }
        let now = now();
        let order = Order {
            subject: subject.unwrap_or(requested.subject),
            names: if names.is_empty() { requested.names } else { names },
            public_key: &requested.public_key,
            profile,
            not_before: now,
            not_after: self.end(&authority, now),
        };
        let issued = authority.issue(&mut store, backend(), &signer, &order, now).map_err(|error| {
            if let Some(path) = &made {
                // Nothing was certified, so the key is of no use, and its file would be in the way of the next attempt.
                let _ = std::fs::remove_file(path);
            }
            self.key.failed(&error)
        })?;
        let mut parts = vec![issued.der.as_slice()];
        parts.extend(self.chain.then(|| authority.certificate_der()));
        if self.output.output.is_some() || !self.json {
            self.output.deliver_new("CERTIFICATE", &parts, &format!("the certificate {}", issued.serial), out)?;
        }
        if self.json {
            let record = authority.find(&mut store, &issued.serial).map_err(|error| self.key.failed(&error))?;
            let certificate = CertificateDocument::of(&record, now)?;
            document("issue", &Document { certificate, ignored_extensions: requested.ignored }, out)?;
        } else if self.output.output.is_some() {
            let whom = whom(&order.subject.to_string(), &issued.der);
            writeln!(err, "{}: {whom}, valid until {}", issued.serial, iso(order.not_after))?;
        }
        Ok(0)
    }

    fn profile(&self) -> Result<Profile, Failure> {
        if self.path_len.is_some() && self.profile != For::Ca {
            return Err(Failure::usage("--path-len is for --profile ca"));
        }
        Ok(match self.profile {
            For::Server => Profile::Server,
            For::Client => Profile::Client,
            For::Ca => Profile::Ca { path_len: self.path_len },
            For::Ocsp => Profile::Ocsp,
        })
    }

    /// When it ends: as asked for, or after what is customary, but not after the CA.
    fn end(&self, authority: &Authority, now: i64) -> i64 {
        let days = match self.profile {
            For::Server | For::Client => 90,
            For::Ca => 1825,
            For::Ocsp => 30,
        };
        let last = authority.certificate().tbs_certificate.validity.not_after.unix();
        self.validity.end(now).unwrap_or((now + days * DAY).min(last))
    }

    fn names(&self) -> Result<Vec<AltName>, Error> {
        let dns = self.dns.iter().map(|name| AltName::dns(name));
        let ip = self.ip.iter().map(|address| Ok(AltName::ip(*address)));
        let email = self.email.iter().map(|name| AltName::email(name));
        let uri = self.uri.iter().map(|name| AltName::uri(name));
        dns.chain(ip).chain(email).chain(uri).collect()
    }

    fn wanted(&self, out: &mut dyn Write) -> Result<Wanted, Failure> {
        let of_key = |public_key: Vec<u8>| {
            let subject = NameBuf::parse("").map_err(|error| Failure::negative(error.to_string()))?;
            Ok::<_, Failure>(Requested {
                subject,
                names: Vec::new(),
                refused: Vec::new(),
                public_key,
                ignored: Vec::new(),
            })
        };
        if let Some(path) = &self.request {
            let labels = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"];
            let der = value(path, &labels, "certification request")?;
            let requested = Requested::from_der(backend(), &der)
                .map_err(|error| Failure::negative(format!("{}: {}", name_of(path), visible(&error))))?;
            return Ok(Wanted { requested, made: None });
        }
        if let Some(path) = &self.public_key {
            return Ok(Wanted { requested: of_key(value(path, &["PUBLIC KEY"], "public key")?)?, made: None });
        }
        let (Some(kind), Some(path)) = (self.new_key, &self.key_out) else {
            return Err(Failure::usage("say a request, --public-key or --new-key"));
        };
        if path.as_os_str() == "-" {
            return Err(Failure::usage("--key-out is a file"));
        }
        let passphrase = match (&self.key_passphrase_file, self.key_no_passphrase) {
            (_, true) => None,
            (Some(file), _) => Some(PassphraseArgs::of_file(file).fresh()?),
            (None, _) => Some(PassphraseArgs::default().fresh()?),
        };
        let key = backend().generate(kind).map_err(|error| Failure::negative(error.to_string()))?;
        let pkcs8 = key.to_pkcs8().map_err(|error| Failure::negative(error.to_string()))?;
        // The key is on disk before its certificate is anywhere.
        deliver_key(&pkcs8, passphrase.as_ref(), Some(path), out)?;
        Ok(Wanted { requested: of_key(key.public_key_info().to_vec())?, made: Some(path.clone()) })
    }
}

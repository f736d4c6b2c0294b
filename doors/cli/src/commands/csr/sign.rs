//! `tagwise csr sign`.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use tagwise_ca::{
    AltName, Authority, Error, NewAuthority, Order, Profile, Protection, Requested, SqliteStore, Takeover, Urls,
};
use tagwise_codec::Decode;
use tagwise_crypto::KeySigner;
use tagwise_pkix::name::visible;
use tagwise_pkix::oids::files as kinds;
use tagwise_pkix::oids::files::label;
use tagwise_pkix::{TbsCertificate, Validity};

use crate::shared::backend::EMBEDDED;
use crate::shared::content::subject;
use crate::shared::context::Context;
use crate::shared::issuing::{DAY, Encoding, ValidityArgs, value};
use crate::shared::keys::{private_key_named, refused};
use crate::shared::moment::now;
use crate::shared::output::{Failure, deliver, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::rules;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise csr sign www.csr --ca ca.pem --ca-key ca.key -o www.pem
  tagwise csr sign eva.csr --ca ca.pem --ca-key ca.key --profile client --days 365 -o eva.pem
  tagwise csr sign sub.csr --ca root.pem --ca-key root.key --profile ca --path-len 0 --chain -o sub.pem

The request must be signed with the key to be certified. Names are taken from it unless others are given; the profile sets the key \
usages. Nothing is recorded: a certificate signed like this cannot be revoked by `tagwise ca`, unless it is imported. To run a CA, use \
`tagwise ca init` and `tagwise ca issue`.
Exit codes: 0 signed; 1 refused, with the reason; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct SignArgs {
    /// The request; `-` is standard input
    #[arg(value_name = "REQUEST")]
    request: PathBuf,
    /// Certificate of the CA
    #[arg(long, value_name = "FILE", alias = "ca-cert", alias = "certificate")]
    ca: PathBuf,
    /// Private key of the CA
    #[arg(long, value_name = "FILE", alias = "key")]
    ca_key: PathBuf,
    /// Use the key with this name: an alias of a keystore, a comment, or a key identifier
    #[arg(long, value_name = "NAME", alias = "key-name")]
    ca_key_name: Option<String>,
    /// Read the passphrase of the CA's key from the first line of this file [default: prompt]
    #[arg(long, value_name = "FILE", alias = "passphrase-file")]
    ca_passphrase_file: Option<PathBuf>,
    /// Purpose of the certificate: server, client, email, ca or ocsp
    #[arg(long, value_name = "PROFILE", default_value = "server", value_parser = profile)]
    profile: Profile,
    /// Maximum path length, with --profile ca
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    /// Subject instead of the requested one
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// DNS name, instead of the requested names; may be repeated
    #[arg(long, value_name = "NAME")]
    dns: Vec<String>,
    /// IP address, instead of the requested names; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    ip: Vec<IpAddr>,
    /// Mail address, instead of the requested names; may be repeated
    #[arg(long, value_name = "MAILBOX")]
    email: Vec<String>,
    #[command(flatten)]
    validity: ValidityArgs,
    /// Refuse the request if anything that it asks for would be left out
    #[arg(long)]
    all_or_nothing: bool,
    /// Append the CA's certificate
    #[arg(long)]
    chain: bool,
    /// Write the certificate to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    #[command(flatten)]
    encoding: Encoding,
}

fn profile(text: &str) -> Result<Profile, String> {
    text.parse().map_err(|_: Error| "expected server, client, email, ca or ocsp".to_owned())
}

impl SignArgs {
    pub(super) fn sign(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let is_ca = matches!(self.profile, Profile::Ca { .. });
        if self.path_len.is_some() && !is_ca {
            return Err(Failure::usage("--path-len requires --profile ca"));
        }
        let failed = |error: Error| Failure::negative(visible(&error).to_string());
        let names = self.names().map_err(|error| Failure::usage(error.to_string()))?;
        let given = self.subject.as_deref().map(|text| subject("--subject", text)).transpose()?;
        let der = value(context, &self.request, &kinds::CERTIFICATION_REQUEST)?;
        let requested = Requested::from_der_with(EMBEDDED, &der, context.allowed.decoding).map_err(|error| {
            let hint = match &error {
                Error::Malformed { error, .. } => rules::hint(error),
                _ => String::new(),
            };
            Failure::negative(format!("{}: {}{hint}", name_of(&self.request), visible(&error)))
        })?;
        if let (true, Some(error)) = (names.is_empty(), requested.refused.first()) {
            return Err(Failure::negative(format!("{}; give the names with --dns, --ip or --email", visible(error))));
        }
        let (authority, signer) = self.authority(context)?;
        let now = now();
        let last = authority.certificate().tbs_certificate.validity.not_after.unix();
        if last < now {
            return Err(Failure::negative(format!("{}: the CA certificate has expired: {last}", name_of(&self.ca))));
        }
        let days = match self.profile {
            Profile::Ca { .. } => 1825,
            Profile::Email => 365,
            Profile::Ocsp => 30,
            _ => 90,
        };
        let order = Order {
            subject: given.unwrap_or_else(|| requested.subject.clone()),
            names: if names.is_empty() { requested.names.clone() } else { names },
            public_key: &requested.public_key,
            key_identifier: requested.key_identifier.as_deref().filter(|_| is_ca),
            restrictions: requested.restrictions.clone(),
            profile: match &self.profile {
                Profile::Ca { .. } => Profile::Ca { path_len: self.path_len.or(requested.path_len) },
                other => other.clone(),
            },
            not_before: now,
            not_after: self.validity.end(now).unwrap_or(Validity::end(now, DAY * days).min(last)),
        };
        if order.subject.name().is_empty() && order.names.is_empty() {
            return Err(Failure::usage("a certificate needs a name: give --subject, --dns, --ip or --email"));
        }
        let kind = authority.judge_key(EMBEDDED, &order).map_err(failed)?;
        let prepared = authority.prepare(&signer, &order, kind).map_err(failed)?;
        let tbs = TbsCertificate::from_der(prepared.unsigned().tbs());
        let tbs = tbs.map_err(|error| Failure::negative(error.to_string()))?;
        let not_taken = requested.not_taken(&tbs).map_err(failed)?;
        for left in &not_taken {
            writeln!(err, "tagwise: omitted from the certificate: {}", visible(left))?;
        }
        if self.all_or_nothing && !not_taken.is_empty() {
            return Err(Failure::negative("not signed, because of --all-or-nothing"));
        }
        if let Some(name) = order.stray_common_name() {
            writeln!(
                err,
                "tagwise: the common name {} is not among the alternative names: clients ignore it (RFC 9525 §2); add it with --dns, or leave it out",
                visible(&name)
            )?;
        }
        let issued = prepared.sign(&signer, now).map_err(failed)?;
        let mut parts = vec![issued.der.as_slice()];
        parts.extend(self.chain.then(|| authority.certificate_der()));
        deliver(&self.encoding.octets(label::CERTIFICATE, &parts)?, self.output.as_ref(), false, out)?;
        if self.output.is_some() {
            writeln!(err, "{}: {}, valid until {}", issued.serial, visible(&order.subject), order.not_after)?;
        }
        Ok(0)
    }

    fn names(&self) -> Result<Vec<AltName>, Error> {
        let dns = self.dns.iter().map(|name| AltName::dns(name));
        let ip = self.ip.iter().map(|address| Ok(AltName::ip(*address)));
        let email = self.email.iter().map(|name| AltName::email(name));
        dns.chain(ip).chain(email).collect()
    }

    /// Creates the CA from the given files, with an in-memory database.
    fn authority(&self, context: &Context) -> Result<(Authority, KeySigner), Failure> {
        let failed = |error: Error| Failure::negative(format!("{}: {}", name_of(&self.ca), visible(&error)));
        let certificate = value(context, &self.ca, &kinds::CERTIFICATE)?;
        let passphrase = PassphraseArgs::named_by("--ca-passphrase-file", self.ca_passphrase_file.as_deref());
        let key = private_key_named(context, EMBEDDED, &self.ca_key, &passphrase, self.ca_key_name.as_deref())?;
        let adoption = tagwise_ca::Adoption {
            label: Authority::LABEL,
            certificate: &certificate,
            urls: &Urls::default(),
            takeover: Takeover::Later,
            last_number: 0,
            now: now(),
        };
        let new = NewAuthority::adopt(EMBEDDED, &key, &adoption, &Protection::Elsewhere).map_err(failed)?;
        let mut store = SqliteStore::in_memory().map_err(failed)?;
        let authority = new.add(&mut store).map_err(failed)?;
        let signer = KeySigner::preferred(key).map_err(|error| refused(&error))?;
        Ok((authority, signer))
    }
}

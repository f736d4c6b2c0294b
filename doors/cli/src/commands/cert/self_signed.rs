//! `tagwise cert self-signed`.

use std::io::Write;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use tagwise_ca::AltName;
use tagwise_crypto::KeySigner;
use tagwise_pkix::build::{CertificateBuilder, KeyIdentifierMethod};
use tagwise_pkix::ext::{ExtKeyUsage, KeyUsage, KnownExtension};
use tagwise_pkix::oids;
use tagwise_pkix::oids::files::label;

use crate::shared::content::ContentArgs;
use crate::shared::context::Context;
use crate::shared::issuing::{Encoding, ValidityArgs};
use crate::shared::keys::refused;
use crate::shared::moment::now;
use crate::shared::new_key::KeySourceArgs;
use crate::shared::output::{Failure, deliver, is_same, loses_no_key, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise cert self-signed --host localhost                           localhost.key and localhost.pem
  tagwise cert self-signed --host www.example.org --host 192.0.2.7 --days 90
  tagwise cert self-signed --host db --new-key ed25519 --key-out db.key -o db.pem
  tagwise cert self-signed --ca --subject 'CN=Test CA' --key-out ca.key -o ca.pem
  tagwise cert self-signed --key server.key --host localhost -o server.pem

Defaults: an ECDSA key on P-256, unencrypted (see --encrypt-key) and readable by its owner only; a year; for hosts, the key usages of TLS servers. With \
--host, the files are HOST.key and HOST.pem in this folder, unless others are named. Existing files are only replaced with --force.
Exit codes: 0 created; 1 the certificate is invalid, or the key cannot sign; 2 usage error; 3 a file could not be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct SelfSignedArgs {
    /// DNS name or IP address of a TLS server; may be repeated
    #[arg(long, value_name = "HOST", alias = "domain", alias = "cn")]
    host: Vec<String>,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    key: KeySourceArgs,
    #[command(flatten)]
    validity: ValidityArgs,
    /// Encrypt the new key with a passphrase from a prompt
    #[arg(long, conflicts_with_all = ["key", "key_no_passphrase", "key_passphrase_file"])]
    encrypt_key: bool,
    /// Write the certificate to this file
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Replace existing files
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    encoding: Encoding,
}

/// The default validity. Browsers accept at most 398 days.
const DAYS: u32 = 365;

impl SelfSignedArgs {
    pub(super) fn make(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let options = self.options()?;
        let content = options.content(None)?;
        if content.is_nameless() {
            return Err(Failure::usage(
                "a certificate needs a name: give --host, --subject, --dns, --ip, --email or --uri",
            ));
        }
        if content.subject.name().is_empty() {
            return Err(Failure::usage(
                "a self-signed certificate needs a subject (RFC 5280 §4.1.2.4): give --subject or --host",
            ));
        }
        let stem = self.host.first().map(|host| host.replace('*', "_wildcard").replace(['/', ':'], "_"));
        let beside = |end: &str| stem.as_ref().map(|stem| PathBuf::from(format!("{stem}.{end}")));
        let output = self.output.clone().or_else(|| beside("pem"));
        let output = output.ok_or_else(|| Failure::usage("give -o FILE for the certificate, or --host"))?;
        let is_file = output.as_os_str() != "-";
        let key_file = beside("key").unwrap_or_else(|| output.with_extension("key"));
        let key_file = self.key.key_out.clone().or_else(|| is_file.then_some(key_file));
        let is_lost = |key: &PathBuf| is_same(&output, key);
        if is_file && self.key.key.as_ref().or(key_file.as_ref()).is_some_and(is_lost) {
            return Err(Failure::usage("the key and the certificate need different files: give --key-out and -o"));
        }
        if !self.force && is_file && std::fs::symlink_metadata(&output).is_ok() {
            return Err(exists(&output));
        }
        // --force replaces an old certificate, never a key.
        loses_no_key(&output)?;
        let is_clear = self.key.key_passphrase_file.is_none() && !self.encrypt_key;
        let chosen = self.key.chosen(context, key_file.as_deref(), is_clear)?;
        let start = now();
        let end = self.validity.end_or(start, DAYS);
        let builder = CertificateBuilder::new().not_before(start).not_after(end);
        let method = if options.ca { KeyIdentifierMethod::Sha1 } else { KeyIdentifierMethod::Sha256 };
        let builder = content.give(builder)?.key_identifier(method);
        let signer = KeySigner::preferred(chosen.key.clone()).map_err(|error| refused(&error))?;
        let certificate = builder.self_signed(&signer).map_err(|error| Failure::negative(error.to_string()))?;
        let octets = self.encoding.octets(label::CERTIFICATE, &[certificate.as_der()])?;
        chosen.write_then(self.force, || deliver(&octets, Some(&output), false, out))?;
        if let Some(path) = chosen.new_file() {
            let protection = if is_clear { ", unencrypted" } else { "" };
            writeln!(err, "{}: the new key, {}{protection}", name_of(path), chosen.key.key_type())?;
        }
        let name = if is_file { name_of(&output) } else { "standard output".to_owned() };
        writeln!(err, "{name}: self-signed certificate, valid until {end}")?;
        Ok(0)
    }

    /// Returns the options, including those that host names imply.
    fn options(&self) -> Result<ContentArgs, Failure> {
        let mut options = self.content.clone();
        for host in &self.host {
            match host.parse::<IpAddr>() {
                Ok(address) => options.ip.push(address),
                Err(_) => {
                    AltName::dns(host).map_err(|error| Failure::usage(format!("--host: {error}")))?;
                    options.dns.push(host.clone());
                }
            }
        }
        let Some(first) = self.host.first() else { return Ok(options) };
        // A common name has at most 64 characters (RFC 5280 §A.1).
        if options.subject.is_none() {
            let name = if first.len() <= 64 { format!("CN={first}") } else { "CN=self-signed".to_owned() };
            options.subject = Some(name);
        }
        if !options.ca && options.key_usage.is_empty() && !options.gives(KeyUsage::ID) {
            options.key_usage.push("digitalSignature".to_owned());
        }
        if !options.ca && options.ext_key_usage.is_empty() && !options.gives(ExtKeyUsage::ID) {
            let purpose = oids::lookup(oids::KP_SERVER_AUTH).map_or("1.3.6.1.5.5.7.3.1", |info| info.short_name());
            options.ext_key_usage.push(purpose.to_owned());
        }
        Ok(options)
    }
}

fn exists(path: &Path) -> Failure {
    Failure::Said(3, format!("{}: could not be written: it exists already; --force replaces it", name_of(path)))
}

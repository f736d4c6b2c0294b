//! `tagwise p12 create`.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use tagwise_ca::comparable_key;
use tagwise_codec::Decode;
use tagwise_crypto::pkcs12::{ByPassword, Password};
use tagwise_crypto::{Digest, Secret};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::build::{Pkcs12Item, Pkcs12Layout, Pkcs12Value, pkcs12_with};

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, certificate, negative};
use crate::shared::keys::{deliver_private, private_key_of};
use crate::shared::output::{Failure, Secrecy, deliver_as};
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise p12 create --key server.key --certificate chain.pem --name server -o server.p12
  tagwise p12 create --layout pbmac1 --key server.key --certificate chain.pem -o server.p12
  tagwise p12 create --layout java-truststore --certificate roots.pem --name root -o trust.p12

Layouts: modern, for OpenSSL 3, Java, NSS, Windows Server 2019 and later, and macOS 15 and later; pbmac1, with the MAC of RFC 9579; \
legacy-windows, with Triple DES and SHA-1, weak, for older systems; java-truststore, with certificates that Java trusts.
Exit codes: 0 written; 1 a key and its certificate do not match, or something is malformed; 2 usage error; 3 a file could not be \
read or written.";

/// Protection of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    Modern,
    Pbmac1,
    LegacyWindows,
    JavaTruststore,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CreateArgs {
    /// Private key
    #[arg(long, value_name = "KEY")]
    key: Option<PathBuf>,
    /// File with certificates and CRLs; may be repeated
    #[arg(long, value_name = "FILE", alias = "cert")]
    certificate: Vec<PathBuf>,
    /// Friendly name of the key and its certificate, or of the certificates in a Java truststore
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Protection of the file
    #[arg(long, value_name = "LAYOUT", default_value = "modern")]
    layout: Layout,
    /// Number of key derivation iterations [default: by the layout]
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
    /// Read the passphrase of the private key from the first line of this file [default: prompt]
    #[arg(long, value_name = "FILE")]
    key_passphrase_file: Option<PathBuf>,
    /// Write to this file, which must not exist yet if it will contain a private key
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: PathBuf,
    #[command(flatten)]
    passphrase: PassphraseArgs,
}

impl CreateArgs {
    pub(super) fn create(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        if self.key.is_none() && self.certificate.is_empty() {
            return Err(Failure::usage("the file would be empty: give --key or --certificate"));
        }
        let layout = match self.layout {
            Layout::Modern => Pkcs12Layout::Modern,
            Layout::Pbmac1 => Pkcs12Layout::Pbmac1,
            Layout::LegacyWindows => Pkcs12Layout::LegacyWindows,
            Layout::JavaTruststore => Pkcs12Layout::JavaTruststore,
        };
        let credentials = Credentials::read(context, &self.certificate)?;
        let key = self.key(context)?;
        let id = match &key {
            Some((public, _)) => Some(self.tie(context, public, &credentials.certificates)?),
            None => None,
        };

        // A truststore of Java's has a name for each certificate, and no two of one name.
        let java = layout == Pkcs12Layout::JavaTruststore;
        let numbered: Vec<String> = (1..=credentials.certificates.len())
            .map(|number| match &self.name {
                Some(name) if credentials.certificates.len() == 1 => name.clone(),
                Some(name) => format!("{name}-{number}"),
                None => format!("certificate-{number}"),
            })
            .collect();
        let mut items = Vec::new();
        if let (Some((_, pkcs8)), Some(id)) = (&key, &id) {
            let item = Pkcs12Item::new(Pkcs12Value::PrivateKey(pkcs8.expose())).tied(id);
            items.push(Pkcs12Item { friendly_name: self.name.as_deref(), ..item });
        }
        for (der, name) in credentials.certificates.iter().zip(&numbered) {
            let mut item = Pkcs12Item::new(Pkcs12Value::Certificate(der));
            let own = key.as_ref().is_some_and(|(public, _)| is_of(context, der, public));
            if let Some(id) = id.as_ref().filter(|_| own) {
                item = Pkcs12Item { friendly_name: self.name.as_deref(), ..item.tied(id) };
            } else if java {
                item = item.named(name);
            }
            items.push(item);
        }
        items.extend(credentials.crls.iter().map(|der| Pkcs12Item::new(Pkcs12Value::CertificateList(der))));

        let password = self.passphrase.fresh()?;
        let password = Password::from_utf8(password.expose()).map_err(|error| Failure::negative(error.to_string()))?;
        let iterations = self.iterations.unwrap_or_else(|| layout.iterations());
        let file = pkcs12_with(&items, layout, iterations, &ByPassword::new(EMBEDDED, password));
        let file = file.map_err(|error| negative(&self.output, &error))?;
        if key.is_some() {
            deliver_private(&file, Some(&self.output), out)?;
        } else {
            deliver_as(Secrecy::Public, &file, Some(&self.output), false, out)?;
        }
        Ok(0)
    }

    /// Reads the private key, and returns its public key and its PKCS #8 encoding.
    fn key(&self, context: &Context) -> Result<Option<(Vec<u8>, Secret)>, Failure> {
        let Some(path) = &self.key else { return Ok(None) };
        let passphrase = PassphraseArgs::named_by("--key-passphrase-file", self.key_passphrase_file.as_deref());
        let key = private_key_of(context, EMBEDDED, path, &passphrase)?;
        let pkcs8 = key.to_pkcs8().map_err(|error| negative(path, &error))?;
        Ok(Some((key.public_key_info().to_vec(), pkcs8)))
    }

    /// Returns the local key ID that links the key to its certificate: the SHA-1 digest of the certificate, as in most programs.
    fn tie(&self, context: &Context, public: &[u8], certificates: &[Vec<u8>]) -> Result<Vec<u8>, Failure> {
        let own = certificates.iter().find(|der| is_of(context, der, public));
        if own.is_none() && !certificates.is_empty() {
            return Err(Failure::negative("no certificate matches the private key"));
        }
        let of = own.map_or(public, Vec::as_slice);
        EMBEDDED.digest(Digest::Sha1, of).map_err(|error| Failure::negative(error.to_string()))
    }
}

/// Returns whether a certificate contains the given public key.
fn is_of(context: &Context, der: &[u8], public: &[u8]) -> bool {
    match (certificate(context, der), SubjectPublicKeyInfo::from_der(public)) {
        (Ok(certificate), Ok(public)) => {
            comparable_key(&certificate.tbs_certificate.subject_public_key_info) == comparable_key(&public)
        }
        _ => false,
    }
}

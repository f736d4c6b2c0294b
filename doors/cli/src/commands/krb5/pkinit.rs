//! Certificates for initial tickets (PKINIT): the option `-X` of `kinit`, and the `pkinit_` settings in `krb5.conf`.

use std::path::{Path, PathBuf};

use tagwise_crypto::PrivateKeyInfo;
use tagwise_crypto::pkcs12::{Password, is_password, open};
use tagwise_krb5::agreement::Group;
use tagwise_krb5::client::{Identity, KdcTrust, KdcUsage, Pkinit};
use tagwise_pkix::BundleKind;
use tagwise_pkix::pkcs12::{CostLimits, Integrity};

use super::environment::Environment;
use super::pkinit_token;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::credentials::{Credentials, negative, octets};
use crate::shared::keys::private_key_of;
use crate::shared::output::{Failure, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::trust::{Origin, read_anchors};

/// The PKINIT attributes given with `-X`.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    identities: Vec<String>,
    anchors: Vec<String>,
    /// True to request a reply key that is enveloped to the client's RSA key.
    key_transport: bool,
}

impl Attributes {
    pub(super) fn parse(texts: &[String]) -> Result<Self, Failure> {
        let mut read = Self::default();
        for text in texts {
            match text.split_once('=') {
                Some(("X509_user_identity", value)) => read.identities.push(value.to_owned()),
                Some(("X509_anchors", value)) => read.anchors.push(value.to_owned()),
                Some(("flag_RSA_PROTOCOL", value @ ("yes" | "no"))) => read.key_transport = value == "yes",
                _ => {
                    return Err(Failure::usage(format!(
                        "-X {text}: expected X509_user_identity=FILE:CERTIFICATE,KEY, X509_anchors=FILE:CERTIFICATES or \
                         flag_RSA_PROTOCOL=yes"
                    )));
                }
            }
        }
        Ok(read)
    }

    /// Returns the identity to use: from `-X`, or else the first one configured for the realm. An empty identity counts as
    /// none.
    pub(super) fn identity(&self, environment: &Environment, realm: &str) -> Option<String> {
        let configured = || environment.config().settings(realm, "pkinit_identities").first().map(ToString::to_string);
        self.identities.first().cloned().or_else(configured).filter(|identity| !identity.is_empty())
    }

    /// Creates the PKINIT settings for a realm, with an identity or anonymous.
    pub(super) fn login(
        &self,
        context: &Context,
        environment: &Environment,
        realm: &str,
        identity: Option<&str>,
        passphrase: &PassphraseArgs,
    ) -> Result<Pkinit, Failure> {
        let identity = identity.map(|identity| read_identity(context, identity, passphrase)).transpose()?;
        let mut pkinit = Pkinit::new(identity, self.trust(context, environment, realm)?);
        // A key cannot be enveloped to a client without a certificate; the anonymous ticket of a tunnel uses key agreement.
        pkinit.key_transport = self.key_transport && pkinit.identity.is_some();
        if let Some(text) = environment.config().settings(realm, "pkinit_dh_min_bits").first() {
            let bits: u32 = Group::min_bits(text).ok_or_else(|| {
                Failure::usage(format!(
                    "pkinit_dh_min_bits: expected a number of bits, P-256, P-384 or P-521, found {text}"
                ))
            })?;
            pkinit.groups.retain(|group: &Group| group.modulus_bits() >= bits);
            if pkinit.groups.is_empty() {
                return Err(Failure::usage(format!("pkinit_dh_min_bits: {bits}: no group has this strength")));
            }
        }
        Ok(pkinit)
    }

    fn trust(&self, context: &Context, environment: &Environment, realm: &str) -> Result<KdcTrust, Failure> {
        let settings = |name: &str| environment.config().settings(realm, name);
        let named = match self.anchors.is_empty() {
            true => settings("pkinit_anchors").into_iter().map(str::to_owned).collect(),
            false => self.anchors.clone(),
        };
        if named.is_empty() {
            return Err(Failure::usage(format!(
                "no trust anchors for the KDCs of {realm}: name the CA with -X X509_anchors=FILE:CERTIFICATES, or with pkinit_anchors in krb5.conf"
            )));
        }
        let origins: Result<Vec<Origin>, Failure> = named.iter().map(|name| Ok(Origin::Path(path_of(name)?))).collect();
        let mut trust = KdcTrust::new(read_anchors(context, &origins?, None)?);
        for name in settings("pkinit_pool") {
            trust.intermediates.extend(Credentials::read(context, &files_of(name)?)?.certificates);
        }
        for name in settings("pkinit_revoke") {
            trust.crls.extend(Credentials::read(context, &files_of(name)?)?.crls);
        }
        trust.require_crls = environment.config().flag(Some(realm), "pkinit_require_crl_checking").unwrap_or(false);
        trust.host_names = settings("pkinit_kdc_hostname").into_iter().map(str::to_owned).collect();
        trust.usage = match settings("pkinit_eku_checking").first() {
            None | Some(&"kpKDC") => KdcUsage::Kdc,
            Some(&"kpServerAuth") => KdcUsage::ServerAuth,
            Some(&"none") => KdcUsage::Any,
            Some(other) => {
                return Err(Failure::usage(format!(
                    "pkinit_eku_checking: expected kpKDC, kpServerAuth or none, found {other}"
                )));
            }
        };
        Ok(trust)
    }
}

/// Returns the value of a name with one of the given types.
fn of_type<'n>(name: &'n str, types: &[&str]) -> Result<&'n str, Failure> {
    let (kind, value) = name.split_once(':').unwrap_or(("FILE", name));
    match types.contains(&kind) {
        true => Ok(value),
        false => {
            Err(Failure::usage(format!("{name}: expected {}:, but {kind}: is not supported", types.join(": or "))))
        }
    }
}

/// Returns the file or folder that a name denotes.
fn path_of(name: &str) -> Result<PathBuf, Failure> {
    of_type(name, &["FILE", "DIR"]).map(PathBuf::from)
}

/// Returns the file that a name denotes, or the files in its folder.
fn files_of(name: &str) -> Result<Vec<PathBuf>, Failure> {
    let path = path_of(name)?;
    if !path.is_dir() {
        return Ok(vec![path]);
    }
    let entries = std::fs::read_dir(&path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| Failure::file(&path, "read", &error))?;
    let mut files: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// Reads an identity: `FILE:CERTIFICATE[,KEY]`, `PKCS12:FILE`, `PKCS11:ATTRIBUTES` or a `pkcs11:` URI.
fn read_identity(context: &Context, name: &str, passphrase: &PassphraseArgs) -> Result<Identity, Failure> {
    if pkinit_token::is_token(name) {
        return pkinit_token::read(name, passphrase);
    }
    let value = of_type(name, &["FILE", "PKCS12", "PKCS11"])?;
    if name.starts_with("PKCS12:") {
        return of_pkcs12(context, Path::new(value), passphrase);
    }
    let (certificate, key) = value.split_once(',').unwrap_or((value, value));
    let (certificate, key) = (Path::new(certificate), Path::new(key));
    let (leaf, chain) = Credentials::leading(context, certificate)?;
    let key = private_key_of(context, EMBEDDED, key, passphrase)?;
    Identity::new(key, leaf, chain).map_err(|error| negative(certificate, &error))
}

/// Reads the key in a PKCS #12 file, its certificate, and the other certificates as its chain.
fn of_pkcs12(context: &Context, path: &Path, passphrase: &PassphraseArgs) -> Result<Identity, Failure> {
    let file = octets(context, path)?;
    let open = |password: &Password| open(EMBEDDED, &file, password, CostLimits::DEFAULT);
    let opened = match passphrase.named()? {
        None => match open(&Password::absent()) {
            Err(error) if is_password(&error) => None,
            other => Some(other),
        },
        Some(_) => None,
    };
    let opened = match opened {
        Some(opened) => opened,
        None => {
            let given = passphrase.of(&name_of(path))?;
            open(&Password::from_utf8(given.expose()).map_err(|error| negative(path, &error))?)
        }
    };
    let opened = opened.map_err(|error| negative(path, &error))?;
    if opened.integrity() != Integrity::Verified {
        return Err(Failure::negative(format!("{}: no MAC, so its integrity cannot be checked", name_of(path))));
    }
    let of_kind = |kind: BundleKind| opened.items().filter(move |item| item.kind == kind);
    let mut keys = of_kind(BundleKind::PrivateKey);
    let (Some(key), None) = (keys.next(), keys.next()) else {
        return Err(Failure::negative(format!("{}: expected one private key", name_of(path))));
    };
    let info = PrivateKeyInfo::from_pkcs8(key.octets).and_then(|info| EMBEDDED.private_key(&info));
    let key = info.map_err(|error| negative(path, &error))?;
    let certificates: Vec<Vec<u8>> = of_kind(BundleKind::Certificate).map(|item| item.octets.to_vec()).collect();
    for (at, leaf) in certificates.iter().enumerate() {
        let others = certificates.iter().enumerate().filter(|(other, _)| *other != at);
        let chain: Vec<Vec<u8>> = others.map(|(_, other)| other.clone()).collect();
        if let Ok(identity) = Identity::new(key.clone(), leaf.clone(), chain) {
            return Ok(identity);
        }
    }
    Err(Failure::negative(format!("{}: no certificate found for the key", name_of(path))))
}

//! A key found in a file, in any format.

use std::path::Path;

use tagwise_codec::{Any, Decode, Tag};
use tagwise_crypto::{ErrorKind, PrivateKeyInfo};
use tagwise_keys::dsa::DsaPrivateKey;
use tagwise_keys::ssh::SshCertificate;
use tagwise_pkix::name::visible;
use tagwise_pkix::profile::NAMED_CURVE;
use tagwise_pkix::{SubjectPublicKeyInfo, oids};
use tagwise_show::SelfSignature;

use crate::shared::backend::Chosen;
use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};

/// A key found in a file.
pub(crate) struct Found {
    /// The line number of the key's PEM block.
    pub(crate) line: Option<usize>,
    /// The key format, such as `PKCS #8`, from the PEM label or detected by decoding.
    pub(crate) form: &'static str,
    pub(crate) key: Key,
    /// The comment, alias, key identifier or owner.
    pub(crate) name: Option<String>,
    /// The other fields of a signed public key and challenge (SPKAC).
    pub(crate) spkac: Option<Spkac>,
    /// The OpenSSH certificate that has the key.
    pub(crate) ssh_certificate: Option<Box<SshCertificate>>,
}

/// A signed public key and challenge.
pub(crate) struct Spkac {
    pub(crate) challenge: String,
    /// The name of the signature algorithm, or its dotted form.
    pub(crate) algorithm: String,
    /// The result of verifying the signature.
    pub(crate) signature: SelfSignature,
}

/// The keys of a file.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) found: Vec<Found>,
    /// The keys that no passphrase decrypts.
    pub(crate) locked: Vec<Locked>,
    /// The reason why the integrity of their container was not checked.
    pub(crate) unchecked: Option<&'static str>,
}

/// A key that no passphrase decrypts.
pub(crate) struct Locked {
    pub(crate) name: String,
    pub(crate) reason: String,
}

impl Locked {
    /// Returns the error message for a command that needs the key.
    pub(crate) fn message(&self, path: &Path) -> String {
        format!("{}: entry {}: {}", name_of(path), visible(&self.name), self.reason)
    }
}

/// A loaded key.
pub(crate) enum Key {
    Private(Box<PrivateKeyInfo>),
    /// A DSA private key. Nothing signs with it.
    Dsa(Box<DsaPrivateKey>),
    /// A SubjectPublicKeyInfo in DER.
    Public(Vec<u8>),
}

pub(crate) const CERTIFICATE: &str = "certificate";
pub(crate) const PKCS12: &str = "PKCS #12";
pub(crate) const REQUEST: &str = "certification request";

impl Found {
    pub(crate) const fn new(line: Option<usize>, form: &'static str, key: Key) -> Self {
        Self { line, form, key, name: None, spkac: None, ssh_certificate: None }
    }

    /// Returns whether the key is a certificate's public key.
    pub(crate) fn is_of_certificate(&self) -> bool {
        self.form == CERTIFICATE
    }

    /// Returns whether the key is the public key of a certificate or request.
    pub(crate) fn is_carried(&self) -> bool {
        matches!(self.form, CERTIFICATE | REQUEST)
    }
}

/// Reads a private key in PKCS #8.
pub(crate) fn pkcs8(octets: &[u8]) -> Result<Key, tagwise_crypto::Error> {
    match tagwise_keys::dsa::read(octets) {
        Some(read) => read.map(|key| Key::Dsa(Box::new(key))),
        None => PrivateKeyInfo::from_pkcs8(octets).map(|info| Key::Private(Box::new(info))),
    }
}

/// Returns a public key. The backend checks it if it supports such keys.
///
/// RFC 5480 §2.1.1 requires a named curve. With `--allow named-curve`, the name replaces explicit parameters that are all those of a known
/// curve. Others could have a chosen generator (CVE-2020-0601).
pub(crate) fn public(
    context: &Context,
    backend: Chosen,
    info: &SubjectPublicKeyInfo<'_>,
) -> Result<Key, tagwise_crypto::Error> {
    let malformed = |error| tagwise_crypto::Error::new(ErrorKind::MalformedKey, "public").because(error);
    let name;
    let mut info = *info;
    let is_explicit = info.algorithm.parameters.is_some_and(|parameters| parameters.tag() == Tag::SEQUENCE);
    if info.algorithm.algorithm == oids::EC_PUBLIC_KEY
        && is_explicit
        && context.allowed.decoding.has(&NAMED_CURVE)
        && let Some(curve) = info.algorithm.curve()
    {
        name = tagwise_codec::encode(&curve).map_err(malformed)?;
        let named = Any::from_der(&name);
        let named =
            named.map_err(|error| tagwise_crypto::Error::new(ErrorKind::MalformedKey, "public").because(error))?;
        info.algorithm.parameters = Some(named);
    }
    let info = &info;
    let der = tagwise_codec::encode(info).map_err(malformed)?;
    // Keys bound to RSASSA-PSS are RSA keys, and no backend needs to know more.
    match backend.public_key(info) {
        Ok(_) => Ok(Key::Public(der)),
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::NotOffered | ErrorKind::KeySize) => {
            Ok(Key::Public(der))
        }
        Err(error) => Err(error),
    }
}

impl Key {
    /// Returns the public key, as a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// For a private key, returns any error from the backend.
    pub(crate) fn public(&self, backend: Chosen) -> Result<Vec<u8>, Failure> {
        let half = |info| {
            let key = backend.private_key(info).map_err(|error| refused(&error))?;
            Ok::<_, Failure>(key.public_key_info().to_vec())
        };
        match self {
            Self::Public(der) => Ok(der.clone()),
            Self::Dsa(key) => Ok(key.public.clone()),
            Self::Private(info) => half(info),
        }
    }
}

/// Converts a cryptographic error to a negative answer (exit code 1).
pub(crate) fn refused(error: &tagwise_crypto::Error) -> Failure {
    Failure::negative(error.to_string())
}

//! Keys out of files: PEM by its label, anything else by what it decodes as.

use std::path::Path;

use tagwise_codec::Decode;
use tagwise_crypto::{PasswordOptions, PrivateKeyInfo, decrypt_key};
use tagwise_pkix::SubjectPublicKeyInfo;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::pkcs8::{EncryptedPrivateKeyInfo, OneAsymmetricKey};
use tagwise_pkix::sec1::EcPrivateKey;

use super::passphrase::PassphraseArgs;
use super::{backend, refused};
use crate::armour::{Source, Value};
use crate::input;
use crate::output::{Failure, name_of};

/// A key of a file.
pub(super) struct Found {
    /// The line of a PEM block.
    pub(super) line: Option<usize>,
    /// What the file calls it or what it decodes as: `PKCS #8`.
    pub(super) form: &'static str,
    pub(super) key: Key,
}

/// What is known of a key.
pub(super) enum Key {
    Private(Box<PrivateKeyInfo>),
    /// A SubjectPublicKeyInfo in DER.
    Public(Vec<u8>),
}

const PKCS8: &str = "PKCS #8";
const ENCRYPTED: &str = "PKCS #8, encrypted";
const PKCS1: &str = "PKCS #1";
const SEC1: &str = "SEC 1";
const SPKI: &str = "SubjectPublicKeyInfo";

/// The keys of a file; there is at least one.
///
/// # Errors
/// A file that cannot be read, or that holds no key; a key that is malformed, or whose passphrase is another one.
pub(super) fn keys(path: &Path, passphrase: &PassphraseArgs) -> Result<Vec<Found>, Failure> {
    let octets = input::load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let negative = |text: String| Failure::negative(format!("{}: {text}", name_of(path)));
    let source = Source::open(octets, None).map_err(negative)?;
    let mut found = Vec::new();
    for value in &source.values {
        if let Some(problem) = &value.problem {
            return Err(negative(visible(problem).to_string()));
        }
        let Some(form) = form(value) else { continue };
        let place =
            value.block.as_ref().map_or(String::new(), |(label, line)| format!("{}, line {line}: ", visible(label)));
        if value.headers {
            return Err(negative(format!(
                "{place}the block is encrypted by its headers, an old way that is not supported"
            )));
        }
        let failed = |error: &tagwise_crypto::Error| negative(format!("{place}{error}"));
        let key = match form {
            PKCS8 => private(PrivateKeyInfo::from_pkcs8(&value.octets)).map_err(|error| failed(&error))?,
            PKCS1 => private(PrivateKeyInfo::from_pkcs1(&value.octets)).map_err(|error| failed(&error))?,
            SEC1 => private(PrivateKeyInfo::from_sec1(&value.octets)).map_err(|error| failed(&error))?,
            ENCRYPTED => {
                let passphrase = passphrase.of(&name_of(path))?;
                let read = decrypt_key(backend(), &value.octets, passphrase.expose(), &PasswordOptions::DEFAULT);
                private(read).map_err(|error| failed(&error))?
            }
            _ => {
                backend().public_key_from_der(&value.octets).map_err(|error| failed(&error))?;
                Key::Public(value.octets.clone())
            }
        };
        found.push(Found { line: value.block.as_ref().map(|(_, line)| *line), form, key });
    }
    if found.is_empty() { Err(negative("there is no key in it".to_owned())) } else { Ok(found) }
}

/// The one private key of a file.
///
/// # Errors
/// Those of [`keys`]; none, or more than one.
pub(super) fn one(path: &Path, passphrase: &PassphraseArgs) -> Result<Found, Failure> {
    let mut found = keys(path, passphrase)?;
    match (found.pop(), found.len()) {
        (Some(key), 0) => Ok(key),
        _ => Err(Failure::negative(format!("{}: there is more than one key in it", name_of(path)))),
    }
}

fn private(read: Result<PrivateKeyInfo, tagwise_crypto::Error>) -> Result<Key, tagwise_crypto::Error> {
    read.map(|info| Key::Private(Box::new(info)))
}

/// What a value is, if it is a key.
fn form(value: &Value) -> Option<&'static str> {
    if let Some((label, _)) = &value.block {
        return match label.as_str() {
            "PRIVATE KEY" => Some(PKCS8),
            "ENCRYPTED PRIVATE KEY" => Some(ENCRYPTED),
            "RSA PRIVATE KEY" => Some(PKCS1),
            "EC PRIVATE KEY" => Some(SEC1),
            "PUBLIC KEY" => Some(SPKI),
            // EC PARAMETERS in front of a key, certificates beside it.
            _ => None,
        };
    }
    let octets = &value.octets;
    if OneAsymmetricKey::outline(octets).is_ok() {
        Some(PKCS8)
    } else if SubjectPublicKeyInfo::outline(octets).is_ok() {
        Some(SPKI)
    } else if EncryptedPrivateKeyInfo::outline(octets).is_ok() {
        Some(ENCRYPTED)
    } else if RsaPrivateKey::outline(octets).is_ok() {
        Some(PKCS1)
    } else if EcPrivateKey::outline(octets).is_ok() {
        Some(SEC1)
    } else {
        None
    }
}

impl Key {
    /// The public half, a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// What the backend says of a private key.
    pub(super) fn public(&self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Public(der) => Ok(der.clone()),
            Self::Private(info) => {
                let key = backend().private_key(info).map_err(|error| refused(&error))?;
                Ok(key.public_key_info().to_vec())
            }
        }
    }
}

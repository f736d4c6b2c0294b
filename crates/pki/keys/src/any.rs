//! One reader of keys in any format: those of this crate, and PEM and DER.

use tagwise_codec::text::{TextForm, base64, hex, recognise};
use tagwise_codec::{Decode, Options, RuleSet, Session, encode, pem};
use tagwise_crypto::{
    Backend, Error, ErrorKind, PRIVATE_KEY_LABELS, PasswordOptions, PrivateKeyInfo, Secret, decrypt_pkcs8,
    decrypt_traditional, private_key_from_der, private_key_from_pem,
};
use tagwise_pkix::oids::files::label;
use tagwise_pkix::pkcs8::EncryptedPrivateKeyInfo;
use tagwise_pkix::{Certificate, RsaPublicKey, SubjectPublicKeyInfo};

use crate::dsa::{self, DsaPrivateKey};
use crate::java::{KeystoreEntry, Store};
use crate::parts::rsa_public;
use crate::{Format, Found, Key, Limits, blob, jwk, read, ssh};

/// Reads the private key of a file in any format: PEM and DER (PKCS #8, PKCS #1, SEC 1, encrypted or not), and those of this
/// crate. If the file has several keys, `name` selects one by its alias, comment or key identifier.
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_crypto::{Backend, KeyType};
/// use tagwise_keys::{Limits, private_key, ssh};
/// let backend = AwsLc::new();
/// let key = backend.generate(KeyType::Ed25519)?;
/// let pkcs8 = key.to_pkcs8()?;
/// let read = private_key(&backend, pkcs8.expose(), &[], None, &Limits::DEFAULT)?;
/// assert_eq!(read.key_type(), KeyType::Ed25519);
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::PasswordNeeded`] if the key is encrypted and no password is given; [`ErrorKind::Integrity`] if it is wrong;
/// [`ErrorKind::MalformedKey`] if there is no private key, or more than one; [`ErrorKind::Unsupported`]; [`ErrorKind::Limit`].
pub fn private_key(
    backend: &dyn Backend,
    octets: &[u8],
    passwords: &[Secret],
    name: Option<&str>,
    limits: &Limits,
) -> Result<PrivateKeyInfo, Error> {
    let found = match Format::recognise(octets) {
        Some(_) => read(backend, octets, passwords, limits)?,
        None => match openssh(octets) {
            Some(der) => vec![ssh::read_private(backend, der?.expose(), passwords, limits)?],
            None => return from_asn1(backend, octets, passwords, limits),
        },
    };
    let fits = |found: &Found| name.is_none_or(|name| found.is_named(name));
    let mut keys: Vec<PrivateKeyInfo> = Vec::new();
    for found in found.into_iter().filter(fits) {
        match found.key {
            Key::Private(info) => keys.push(*info),
            Key::Dsa(_) => return Err(Error::new(ErrorKind::Unsupported, "a DSA private key")),
            _ => {}
        }
    }
    match (keys.pop(), keys.is_empty()) {
        (Some(key), true) => Ok(key),
        (Some(_), false) => Err(several()),
        (None, _) => Err(Error::new(ErrorKind::MalformedKey, "private").because("the file has no such private key")),
    }
}

/// Reads the public key of a file in any format, as a SubjectPublicKeyInfo in DER: a public or private key in a format of this
/// crate, or a public key or certificate in PEM or DER. `name` selects one of several.
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_keys::{Limits, public_key};
/// let line = b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4TPGqhSVCjxDyHMGHUBNjtlYX6qRnOwGhZcMGMLSfA alice";
/// assert_eq!(public_key(&AwsLc::new(), line, None, &Limits::DEFAULT)?.len(), 44);
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::MalformedKey`] if there is no public key, or more than one; [`ErrorKind::Unsupported`].
pub fn public_key(backend: &dyn Backend, octets: &[u8], name: Option<&str>, limits: &Limits) -> Result<Vec<u8>, Error> {
    if Format::recognise(octets).is_none() {
        return public_from_asn1(octets);
    }
    let fits = |found: &Found| name.is_none_or(|name| found.is_named(name));
    let found = read(backend, octets, &[], limits)?.into_iter().filter(fits);
    let mut keys: Vec<Vec<u8>> = Vec::new();
    for found in found {
        match found.key {
            Key::Public(info) => keys.push(info),
            Key::Dsa(key) => keys.push(key.public),
            Key::Private(info) => keys.push(backend.private_key(&info)?.public_key_info().to_vec()),
            Key::Certificate(_) | Key::Symmetric { .. } => {}
        }
    }
    let wrong = |why: &'static str| Error::new(ErrorKind::MalformedKey, "public").because(why);
    match (keys.pop(), keys.is_empty()) {
        (Some(key), true) => Ok(key),
        (Some(_), false) => Err(wrong("the file has several keys, expected one or a name")),
        (None, _) => Err(wrong("the file has no such public key")),
    }
}

/// Reads the key of a file in any format: the private key, or the public one of a file without private keys. `name` selects one
/// of several. A DSA private key is a [`Key::Dsa`].
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_keys::{Key, Limits, key};
/// let text = br#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
/// assert!(matches!(key(&AwsLc::new(), text, &[], None, &Limits::DEFAULT)?, Key::Public(_)));
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Those of [`private_key`] and [`public_key`].
pub fn key(
    backend: &dyn Backend,
    octets: &[u8],
    passwords: &[Secret],
    name: Option<&str>,
    limits: &Limits,
) -> Result<Key, Error> {
    match is_public(backend, octets, name, limits) {
        true => public_key(backend, octets, name, limits).map(Key::Public),
        false => match private_key(backend, octets, passwords, name, limits) {
            Ok(info) => Ok(Key::Private(Box::new(info))),
            // A wrong password is the same error for every key.
            Err(error) if error.kind() == ErrorKind::Integrity => Err(error),
            Err(error) => match dsa_private_key(backend, octets, passwords, name, limits)? {
                Some(key) => Ok(Key::Dsa(Box::new(key))),
                None => Err(error),
            },
        },
    }
}

/// Reads the DSA private key of a file in any format, which no backend uses. Returns `None` if the file has none.
fn dsa_private_key(
    backend: &dyn Backend,
    octets: &[u8],
    passwords: &[Secret],
    name: Option<&str>,
    limits: &Limits,
) -> Result<Option<DsaPrivateKey>, Error> {
    let found = match (Format::recognise(octets), openssh(octets)) {
        (Some(_), _) => read(backend, octets, passwords, limits)?,
        (None, Some(der)) => vec![ssh::read_private(backend, der?.expose(), passwords, limits)?],
        (None, None) => return dsa_from_asn1(backend, octets, passwords, limits),
    };
    let fits = |found: &Found| name.is_none_or(|name| found.is_named(name));
    let mut keys = found.into_iter().filter(fits).filter_map(|found| match found.key {
        Key::Dsa(key) => Some(*key),
        _ => None,
    });
    match (keys.next(), keys.next()) {
        (key, None) => Ok(key),
        _ => Err(several()),
    }
}

/// A private key in PEM, not yet decrypted.
struct PrivateBlock {
    label: String,
    der: Secret,
    /// The header of OpenSSL's traditional encryption.
    dek_info: Option<String>,
}

/// The private keys of a PEM text. The same block again is left out.
fn private_blocks(octets: &[u8]) -> Result<Vec<PrivateBlock>, Error> {
    let malformed = |error: pem::Error| Error::new(ErrorKind::MalformedKey, "PEM").because(error);
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let labels = [label::OPENSSH_PRIVATE_KEY, label::DSA_PRIVATE_KEY];
    let mut found: Vec<PrivateBlock> = Vec::new();
    for block in pem::blocks_with(octets, &session) {
        let block = block.map_err(malformed)?;
        let label = block.label();
        if !labels.contains(&label) && !PRIVATE_KEY_LABELS.contains(&label) {
            continue;
        }
        let der = Secret::from(block.decode().map_err(malformed)?);
        let dek_info = block.headers().find(|(name, _)| *name == "DEK-Info").map(|(_, value)| value.to_owned());
        if found.first().is_none_or(|first| first.der.expose() != der.expose()) {
            found.push(PrivateBlock { label: label.to_owned(), der, dek_info });
        }
    }
    Ok(found)
}

fn several() -> Error {
    Error::new(ErrorKind::MalformedKey, "private").because("the file has several private keys, expected one or a name")
}

/// Reads the private key of a PEM text, or a key in DER, if it is a DSA key: in PKCS #8, encrypted or not, or in OpenSSL's
/// traditional form.
fn dsa_from_asn1(
    backend: &dyn Backend,
    octets: &[u8],
    passwords: &[Secret],
    limits: &Limits,
) -> Result<Option<DsaPrivateKey>, Error> {
    let mut blocks = private_blocks(octets)?.into_iter();
    let (der, dek_info) = match (blocks.next(), blocks.next()) {
        (Some(_), Some(_)) => return Err(several()),
        (Some(block), None) => {
            if block.dek_info.is_some() && block.label != label::DSA_PRIVATE_KEY {
                return Ok(None);
            }
            (block.der, block.dek_info)
        }
        (None, _) => (Secret::from(octets), None),
    };
    let options = PasswordOptions { max_iterations: limits.iterations, ..PasswordOptions::DEFAULT };
    let is_encrypted = dek_info.is_some() || EncryptedPrivateKeyInfo::outline(der.expose()).is_ok();
    if !is_encrypted {
        return dsa::read(der.expose()).transpose();
    }
    let mut done = Err(Error::new(ErrorKind::PasswordNeeded, "the private key"));
    for password in passwords {
        done = match &dek_info {
            Some(dek_info) => decrypt_traditional(backend, dek_info, der.expose(), password.expose()),
            None => decrypt_pkcs8(backend, der.expose(), password.expose(), &options),
        };
        if done.is_ok() {
            break;
        }
    }
    dsa::read(done?.expose()).transpose()
}

/// Returns whether the file, in any format, has public keys only. Files that cannot be read have none.
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_keys::{Limits, is_public};
/// let line = b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4TPGqhSVCjxDyHMGHUBNjtlYX6qRnOwGhZcMGMLSfA alice";
/// assert!(is_public(&AwsLc::new(), line, None, &Limits::DEFAULT));
/// assert!(!is_public(&AwsLc::new(), b"text", None, &Limits::DEFAULT));
/// ```
#[must_use]
pub fn is_public(backend: &dyn Backend, octets: &[u8], name: Option<&str>, limits: &Limits) -> bool {
    match Format::recognise(octets) {
        Some(Format::SshPublic | Format::Ssh2Public | Format::DnsKey) => true,
        // Which kind of key it is shows when it is read.
        Some(Format::Jwk | Format::Blob) => read(backend, octets, &[], limits).is_ok_and(|found| {
            let mut found = found.iter().filter(|found| name.is_none_or(|name| found.is_named(name)));
            found.all(|found| matches!(found.key, Key::Public(_)))
        }),
        Some(_) => false,
        None => private_blocks(octets).is_ok_and(|blocks| blocks.is_empty()) && public_from_asn1(octets).is_ok(),
    }
}

/// Returns whether a file in a format of this crate contains a private or secret key, encrypted or not. The file may be in hexadecimal or
/// base64. A file that cannot be read counts if its format is for such keys. For PEM and DER, see [`tagwise_input::secret`].
///
/// ```
/// use tagwise_keys::holds_secret;
/// assert!(holds_secret(br#"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMko"}"#));
/// assert!(!holds_secret(b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4TPGqhSVCjxDyHMGHUBNjtlYX6qRnOwGhZcMGMLSfA"));
/// ```
#[must_use]
pub fn holds_secret(octets: &[u8]) -> bool {
    let (form, text) = recognise(octets);
    let decoded = match form {
        TextForm::Hex => hex::decode(&text).ok(),
        TextForm::Base64 => base64::decode_wrapped(&text).ok(),
        _ => None,
    };
    let octets = decoded.as_deref().unwrap_or(&text);
    match Format::recognise(octets) {
        None | Some(Format::SshPublic | Format::Ssh2Public | Format::DnsKey) => false,
        Some(Format::OpenSsh | Format::Pvk | Format::Dnssec) => true,
        Some(Format::Blob) => blob::is_private(octets),
        Some(Format::Jwk) => jwk::is_private(octets),
        Some(Format::Java) => Store::read(octets, &Limits::DEFAULT)
            .map_or(true, |store| store.entries().iter().any(KeystoreEntry::is_secret)),
    }
}

/// The public key of a PEM text, or in DER. Of several certificates, which may be a chain, it is that of the first.
fn public_from_asn1(octets: &[u8]) -> Result<Vec<u8>, Error> {
    let malformed = |error: tagwise_codec::Error| Error::new(ErrorKind::MalformedKey, "public").because(error);
    let of_certificate = |der: &[u8]| {
        let options = Options::der().rules(RuleSet::ALL);
        let certificate = options.outline::<Certificate<'_>>(der).map_err(malformed)?.value;
        encode(&certificate.tbs_certificate.subject_public_key_info)
            .map_err(|error| Error::new(ErrorKind::MalformedKey, "public").because(error))
    };
    let of_rsa = |der: &[u8]| {
        let read = RsaPublicKey::from_der(der).map_err(malformed)?;
        rsa_public(read.modulus.magnitude(), read.public_exponent.magnitude())
    };
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let mut found: Option<Vec<u8>> = None;
    for block in pem::blocks_with(octets, &session) {
        let broken = |error| Error::new(ErrorKind::MalformedKey, "PEM").because(error);
        let block = block.map_err(broken)?;
        let decoded = || block.decode().map_err(broken);
        let key = match block.label() {
            "PUBLIC KEY" => {
                let der = decoded()?;
                SubjectPublicKeyInfo::from_der(&der).map_err(malformed)?;
                der
            }
            "RSA PUBLIC KEY" => of_rsa(&decoded()?)?,
            "CERTIFICATE" | "X509 CERTIFICATE" | "TRUSTED CERTIFICATE" if found.is_none() => {
                of_certificate(&decoded()?)?
            }
            _ => continue,
        };
        if found.get_or_insert_with(|| key.clone()) != &key {
            let why = "the file has several public keys, expected one";
            return Err(Error::new(ErrorKind::MalformedKey, "public").because(why));
        }
    }
    if let Some(found) = found {
        return Ok(found);
    }
    if SubjectPublicKeyInfo::from_der(octets).is_ok() {
        return Ok(octets.to_vec());
    }
    of_rsa(octets).or_else(|_| of_certificate(octets))
}

/// The content of the private key of a PEM text, if it is OpenSSH's.
fn openssh(octets: &[u8]) -> Option<Result<Secret, Error>> {
    // A malformed text is reported where other keys are read.
    let blocks = private_blocks(octets).unwrap_or_default();
    if blocks.iter().all(|block| block.label != label::OPENSSH_PRIVATE_KEY) {
        return None;
    }
    let mut blocks = blocks.into_iter();
    match (blocks.next(), blocks.next()) {
        (Some(block), None) => Some(Ok(block.der)),
        _ => Some(Err(several())),
    }
}

/// Reads a key in PEM or DER with each password.
fn from_asn1(
    backend: &dyn Backend,
    octets: &[u8],
    passwords: &[Secret],
    limits: &Limits,
) -> Result<PrivateKeyInfo, Error> {
    let options = PasswordOptions { max_iterations: limits.iterations, ..PasswordOptions::DEFAULT };
    let is_pem = octets.windows(11).any(|window| window == b"-----BEGIN ");
    let attempt = |password: Option<&[u8]>| match is_pem {
        true => private_key_from_pem(backend, octets, password, &options),
        false => private_key_from_der(backend, octets, password, &options),
    };
    let mut done = attempt(None);
    for password in passwords {
        match &done {
            Err(error) if matches!(error.kind(), ErrorKind::PasswordNeeded | ErrorKind::Integrity) => {
                done = attempt(Some(password.expose()));
            }
            _ => break,
        }
    }
    done
}

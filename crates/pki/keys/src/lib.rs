//! Private and public keys in formats other than ASN.1.
//!
//! | Format | Read | Write |
//! |---|---|---|
//! | OpenSSH private key ([`ssh`]) | RSA, ECDSA, Ed25519; encrypted or not | the same |
//! | OpenSSH certificate ([`ssh::SshCertificate`]) | RSA, ECDSA, Ed25519 | no |
//! | SSH public key, on one line or as RFC 4716 ([`ssh`]) | RSA, ECDSA, Ed25519 | the same |
//! | JWK and JWK set ([`jwk`]) | RSA, EC, OKP; private and public | the same |
//! | Java keystore, JKS or JCEKS ([`java`]) | private keys, certificates, secret keys | no |
//! | Microsoft PVK file and key blob ([`blob`]) | RSA; encrypted or not | no |
//! | DNSSEC private key file and DNSKEY record ([`dnssec`]) | RSA, ECDSA, EdDSA | no |
//! | DSA private key in DER, OpenSSH's format and Java keystores ([`dsa`]) | read, but not used | as PKCS #8 |
//!
//! [`read`] recognizes the format and returns every key. [`key`], [`private_key`] and [`public_key`] return the only key of a
//! file, and also read PEM and DER. A [`tagwise_crypto::Backend`]
//! provides the cryptography.
//!
//! ```
//! use tagwise_crypto::backends::AwsLc;
//! use tagwise_keys::{Key, Limits, read};
//! let line = b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4TPGqhSVCjxDyHMGHUBNjtlYX6qRnOwGhZcMGMLSfA alice@example.org";
//! let found = read(&AwsLc::new(), line, &[], &Limits::DEFAULT)?;
//! assert_eq!(found[0].name.as_deref(), Some("alice@example.org"));
//! assert!(matches!(found[0].key, Key::Public(_)));
//! # Ok::<(), tagwise_crypto::Error>(())
//! ```
#![forbid(unsafe_code)]

mod any;
pub mod blob;
mod cursor;
pub mod dnssec;
pub mod dsa;
pub mod java;
pub mod jwk;
pub mod md5_rsa;
mod parts;
mod primes;
pub mod ssh;

pub use any::{holds_secret, is_public, key, private_key, public_key};
use tagwise_crypto::{Backend, Error, ErrorKind, PrivateKeyInfo, Secret};

/// A key format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An OpenSSH private key, decoded from PEM.
    OpenSsh,
    /// SSH public keys, one per line.
    SshPublic,
    /// An SSH public key in the format of RFC 4716.
    Ssh2Public,
    /// A JSON Web Key or a JWK set (RFC 7517).
    Jwk,
    /// A Java keystore: JKS or JCEKS.
    Java,
    /// A Microsoft PVK file, which contains a private key.
    Pvk,
    /// A key blob of Microsoft's CryptoAPI (PRIVATEKEYBLOB or PUBLICKEYBLOB).
    Blob,
    /// A BIND private key file (`Private-key-format: v1.3`).
    Dnssec,
    /// DNSKEY records (RFC 4034 §2.2).
    DnsKey,
}

impl Format {
    /// Recognizes a format by its first bytes.
    ///
    /// ```
    /// use tagwise_keys::Format;
    /// assert_eq!(Format::recognise(b"ssh-rsa AAAA"), Some(Format::SshPublic));
    /// assert_eq!(Format::recognise(b"{\"kty\":\"EC\"}"), Some(Format::Jwk));
    /// assert_eq!(Format::recognise(b"-----BEGIN CERTIFICATE-----"), None);
    /// ```
    #[must_use]
    pub fn recognise(octets: &[u8]) -> Option<Self> {
        if octets.starts_with(ssh::MAGIC) {
            return Some(Self::OpenSsh);
        }
        if java::is_java(octets) {
            return Some(Self::Java);
        }
        if octets.starts_with(&blob::PVK) {
            return Some(Self::Pvk);
        }
        if blob::is_blob(octets) {
            return Some(Self::Blob);
        }
        let text = core::str::from_utf8(octets).ok()?;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text).trim_start();
        if text.starts_with(ssh::SSH2_BEGIN) {
            Some(Self::Ssh2Public)
        } else if text.starts_with("Private-key-format:") {
            Some(Self::Dnssec)
        } else if text.starts_with('{') && text.contains("\"kty\"") {
            Some(Self::Jwk)
        } else if ssh::has_line(text) {
            Some(Self::SshPublic)
        } else if dnssec::has_record(text) {
            Some(Self::DnsKey)
        } else {
            None
        }
    }
}

/// A key or certificate read from a file.
#[derive(Debug)]
pub enum Key {
    /// A private key.
    Private(Box<PrivateKeyInfo>),
    /// A public key: a SubjectPublicKeyInfo in DER.
    Public(Vec<u8>),
    /// A DSA private key, which is read, but not used.
    Dsa(Box<dsa::DsaPrivateKey>),
    /// A certificate in DER, from a keystore.
    Certificate(Vec<u8>),
    /// A symmetric key from a Java keystore.
    Symmetric {
        /// Java's name of the algorithm, such as `AES`.
        algorithm: String,
        /// The key bytes.
        key: Secret,
    },
}

/// A key with the information that its file contains about it.
#[derive(Debug)]
pub struct Found {
    /// The key's name: an SSH comment, a JWK key identifier, a keystore alias, or a DNS owner name.
    pub name: Option<String>,
    /// The format, such as `OpenSSH, encrypted`.
    pub form: &'static str,
    /// The key.
    pub key: Key,
    /// The certificates that belong to the key, in DER, starting with its own.
    pub certificates: Vec<Vec<u8>>,
    /// The OpenSSH certificate that has the key.
    pub ssh_certificate: Option<Box<ssh::SshCertificate>>,
}

/// Limits on the resources that reading a file can consume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of rounds of OpenSSH's key derivation, over all keys of a file.
    pub bcrypt_rounds: u32,
    /// The maximum number of iterations of other key derivations, over all keys of a file.
    pub iterations: u32,
    /// The maximum number of keys and certificates in a file.
    pub keys: u32,
}

impl Limits {
    /// The default limits: 1,000 rounds, 10,000,000 iterations, and 100,000 keys.
    pub const DEFAULT: Self = Self { bcrypt_rounds: 1000, iterations: 10_000_000, keys: 100_000 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Reads all keys of a file in any of these formats. Each password is tried for each encrypted key.
///
/// For a Java keystore, one of the passwords must pass the integrity check. Use [`java::Store`] to read a keystore without
/// its password.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] for other formats and key types, [`ErrorKind::MalformedKey`] if the file is malformed,
/// [`ErrorKind::PasswordNeeded`] if a password is required but none is given, [`ErrorKind::Integrity`] if no password is
/// correct, or [`ErrorKind::Limit`] if a limit is exceeded.
pub fn read(backend: &dyn Backend, octets: &[u8], passwords: &[Secret], limits: &Limits) -> Result<Vec<Found>, Error> {
    let format = Format::recognise(octets);
    let format = format.ok_or_else(|| Error::new(ErrorKind::Unsupported, "the key format"))?;
    let text = || {
        let text = core::str::from_utf8(octets).unwrap_or_default();
        text.strip_prefix('\u{FEFF}').unwrap_or(text)
    };
    match format {
        Format::OpenSsh => ssh::read_private(backend, octets, passwords, limits).map(|found| vec![found]),
        Format::SshPublic => ssh::read_lines(text(), limits),
        Format::Ssh2Public => ssh::read_ssh2(text()).map(|found| vec![found]),
        Format::Jwk => jwk::read(text().as_bytes(), limits),
        Format::Java => java::Store::read(octets, limits)?.open(backend, passwords, limits),
        Format::Pvk => blob::read_pvk(backend, octets, passwords).map(|found| vec![found]),
        Format::Blob => blob::read(octets).map(|found| vec![found]),
        Format::Dnssec => dnssec::read_private(text()).map(|found| vec![found]),
        Format::DnsKey => dnssec::read_records(text(), limits),
    }
}

impl Found {
    /// Creates a key without a name and certificates.
    pub(crate) const fn new(form: &'static str, key: Key) -> Self {
        Self { name: None, form, key, certificates: Vec::new(), ssh_certificate: None }
    }

    /// Returns whether the key has this name. keytool ignores the case of aliases.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        let is_java = matches!(self.form, java::JKS_FORM | java::JCEKS_FORM);
        self.name.as_deref().is_some_and(|own| own == name || is_java && own.eq_ignore_ascii_case(name))
    }

    pub(crate) fn private(form: &'static str, info: PrivateKeyInfo) -> Self {
        Self::new(form, Key::Private(Box::new(info)))
    }
}

/// Calls `attempt` with each password until it does not fail with [`ErrorKind::Integrity`]. Without passwords, returns
/// [`ErrorKind::PasswordNeeded`].
pub(crate) fn with_each<T>(
    passwords: &[Secret],
    what: &str,
    mut attempt: impl FnMut(&[u8]) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut last = Error::new(ErrorKind::PasswordNeeded, what);
    for password in passwords {
        match attempt(password.expose()) {
            Err(error) if error.kind() == ErrorKind::Integrity => last = error,
            done => return done,
        }
    }
    Err(last)
}

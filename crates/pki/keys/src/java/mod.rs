//! Java keystores: JKS and JCEKS. Since Java 9, keytool writes PKCS #12 by default.

mod protector;

use tagwise_codec::{Decode, Options, RuleSet};
use tagwise_crypto::{Backend, Digest, Error, ErrorKind, PrivateKeyInfo, Secret};
use tagwise_input::java_object;
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo};

use crate::cursor::Cursor;
use crate::{Found, Key, Limits, with_each};

const NAME: &str = "Java keystore";

const JKS: u32 = 0xFEED_FEED;
const JCEKS: u32 = 0xCECE_CECE;

/// The names of the formats.
pub(crate) const JKS_FORM: &str = "JKS";
pub(crate) const JCEKS_FORM: &str = "JCEKS";

/// Returns whether bytes begin like a JKS or JCEKS keystore.
///
/// ```
/// assert!(tagwise_keys::java::is_java(b"\xFE\xED\xFE\xED\x00\x00\x00\x02"));
/// ```
#[must_use]
pub fn is_java(octets: &[u8]) -> bool {
    octets.starts_with(&JKS.to_be_bytes()) || octets.starts_with(&JCEKS.to_be_bytes())
}

/// A JKS or JCEKS keystore. Only its keys are encrypted, so its certificates can be read without a password.
#[derive(Clone, Debug)]
pub struct Store<'o> {
    octets: &'o [u8],
    is_jceks: bool,
    entries: Vec<KeystoreEntry<'o>>,
    /// The offset of the digest at the end.
    digest: usize,
}

/// An entry of a keystore.
#[derive(Clone, Debug)]
pub struct KeystoreEntry<'o> {
    /// The alias.
    pub alias: String,
    /// The creation time, in milliseconds since 1970-01-01T00:00:00Z.
    pub created: u64,
    content: Content<'o>,
    /// The certificates in DER: a private key's chain, starting with its own certificate, or a single trusted certificate.
    pub certificates: Vec<&'o [u8]>,
}

#[derive(Clone, Debug)]
enum Content<'o> {
    /// An EncryptedPrivateKeyInfo in DER.
    PrivateKey(&'o [u8]),
    Certificate,
    /// A serialized Java object.
    Secret(&'o [u8]),
}

impl<'o> Store<'o> {
    /// Parses a keystore. Its keys are not decrypted, and its integrity is not checked.
    ///
    /// # Errors
    /// Returns [`ErrorKind::MalformedKey`] with the offset if the keystore is malformed, or [`ErrorKind::Limit`] if it has
    /// too many entries.
    pub fn read(octets: &'o [u8], limits: &Limits) -> Result<Self, Error> {
        let mut cursor = Cursor::new(NAME, octets);
        let magic = cursor.u32()?;
        let here = cursor;
        let version = cursor.u32()?;
        if ![JKS, JCEKS].contains(&magic) || !matches!(version, 1 | 2) {
            return Err(here.wrong("expected a JKS or JCEKS keystore of version 1 or 2"));
        }
        let count = cursor.u32()?;
        let mut left = limits.keys;
        let mut entries = Vec::new();
        for _ in 0..count {
            let here = cursor;
            let tag = cursor.u32()?;
            let alias = java_text(cursor.short()?);
            let created = u64::from(cursor.u32()?) << 32 | u64::from(cursor.u32()?);
            let mut certificates = Vec::new();
            let mut certificate = |cursor: &mut Cursor<'o>| {
                let kind = if version == 1 { &b"X.509"[..] } else { cursor.short()? };
                let der = cursor.long()?;
                left = left.checked_sub(1).ok_or_else(|| Error::new(ErrorKind::Limit, "the number of certificates"))?;
                if matches!(kind, b"X.509" | b"X509") {
                    certificates.push(der);
                }
                Ok::<_, Error>(())
            };
            let content = match tag {
                1 => {
                    let key = cursor.long()?;
                    for _ in 0..cursor.u32()? {
                        certificate(&mut cursor)?;
                    }
                    Content::PrivateKey(key)
                }
                2 => {
                    certificate(&mut cursor)?;
                    Content::Certificate
                }
                3 if magic == JCEKS => {
                    let object = cursor.rest();
                    let len = java_object::len(object).ok_or_else(|| cursor.wrong("malformed serialized object"))?;
                    Content::Secret(cursor.take(len)?)
                }
                _ => return Err(here.wrong(&format!("an entry of type {tag}, expected 1, 2 or 3"))),
            };
            if entries.len() >= limits.keys as usize {
                return Err(Error::new(ErrorKind::Limit, "the number of entries"));
            }
            entries.push(KeystoreEntry { alias, created, content, certificates });
        }
        let digest = cursor.at;
        cursor.take(20)?;
        cursor.end()?;
        Ok(Self { octets, is_jceks: magic == JCEKS, entries, digest })
    }

    /// Returns the keystore format: `JKS` or `JCEKS`.
    #[must_use]
    pub const fn form(&self) -> &'static str {
        if self.is_jceks { JCEKS_FORM } else { JKS_FORM }
    }

    /// Returns the entries, in the keystore's order.
    #[must_use]
    pub fn entries(&self) -> &[KeystoreEntry<'o>] {
        &self.entries
    }

    /// Checks the keystore's integrity, and returns whether the password is correct. The digest at the end is SHA-1 over the
    /// password, a constant, and all preceding bytes.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Parameters`] if the password is not UTF-8, or any error from the backend.
    pub fn verifies(&self, backend: &dyn Backend, password: &[u8]) -> Result<bool, Error> {
        let mut hasher = backend.hasher(Digest::Sha1)?;
        hasher.update(protector::utf16(password)?.expose());
        hasher.update(b"Mighty Aphrodite");
        hasher.update(self.octets.get(..self.digest).unwrap_or_default());
        let computed = hasher.finish()?;
        Ok(self.octets.get(self.digest..) == Some(&computed[..]))
    }

    /// Decrypts all entries. One of the passwords must open the keystore (see [`verifies`](Self::verifies)). Each password
    /// is tried for each entry.
    ///
    /// # Errors
    /// [`ErrorKind::Integrity`] if no password is the keystore's, or none decrypts an entry;
    /// [`ErrorKind::PasswordNeeded`] if there is none; the errors of [`KeystoreEntry::open`].
    pub fn open(&self, backend: &dyn Backend, passwords: &[Secret], limits: &Limits) -> Result<Vec<Found>, Error> {
        with_each(passwords, NAME, |password| match self.verifies(backend, password)? {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Integrity, NAME)),
        })?;
        let mut budget = limits.iterations;
        self.entries.iter().map(|entry| entry.open(backend, passwords, &mut budget, self.form())).collect()
    }
}

impl KeystoreEntry<'_> {
    /// Returns whether it has a private or secret key, which needs a password.
    #[must_use]
    pub const fn is_secret(&self) -> bool {
        !matches!(self.content, Content::Certificate)
    }

    /// Returns the length of the encrypted key in bytes, or 0 for a certificate.
    #[must_use]
    pub const fn protected_len(&self) -> usize {
        match self.content {
            Content::PrivateKey(octets) | Content::Secret(octets) => octets.len(),
            Content::Certificate => 0,
        }
    }

    /// Returns whether the entry contains a secret (symmetric) key.
    #[must_use]
    pub const fn is_symmetric(&self) -> bool {
        matches!(self.content, Content::Secret(_))
    }

    /// Decrypts the entry, trying each password. `budget` is the number of key derivation iterations that remain.
    ///
    /// # Errors
    /// For a key, returns [`ErrorKind::PasswordNeeded`] if no password is given, [`ErrorKind::Integrity`] if no password
    /// decrypts it, [`ErrorKind::Limit`] if the budget is exceeded, [`ErrorKind::Unsupported`] or
    /// [`ErrorKind::MalformedKey`] if it cannot be decoded, or [`ErrorKind::Inconsistent`] if its certificate has a different
    /// public key.
    pub fn open(
        &self,
        backend: &dyn Backend,
        passwords: &[Secret],
        budget: &mut u32,
        form: &'static str,
    ) -> Result<Found, Error> {
        let key = match self.content {
            Content::Certificate => Key::Certificate(self.certificates.first().copied().unwrap_or_default().to_vec()),
            Content::PrivateKey(protected) => with_each(passwords, "the private key", |password| {
                let plain = protector::private_key(backend, protected, password, budget)?;
                // The keys that keytool generated by default before Java 9.
                match crate::dsa::read(plain.expose()) {
                    Some(read) => read.map(|key| Key::Dsa(Box::new(key))),
                    None => PrivateKeyInfo::from_pkcs8(plain.expose()).map(|info| Key::Private(Box::new(info))),
                }
            })?,
            Content::Secret(object) => with_each(passwords, "the secret key", |password| {
                let (algorithm, key) = protector::secret_key(object, password, budget)?;
                Ok(Key::Symmetric { algorithm, key })
            })?,
        };
        if let Some(public) = public_of(backend, &key)?
            && self.certificates.first().is_some_and(|certificate| !is_for(certificate, &public))
        {
            let why = "the entry's certificate has a different public key";
            return Err(Error::new(ErrorKind::Inconsistent, NAME).because(why));
        }
        let certificates = self.certificates.iter().map(|der| der.to_vec()).collect();
        Ok(Found { name: Some(self.alias.clone()), certificates, ..Found::new(form, key) })
    }
}

/// Returns the public key of a private key, or `None` if the backend does not support it.
fn public_of(backend: &dyn Backend, key: &Key) -> Result<Option<Vec<u8>>, Error> {
    match key {
        Key::Private(info) => match backend.private_key(info) {
            Ok(key) => Ok(Some(key.public_key_info().to_vec())),
            Err(error) if error.kind().is_unsupported() || error.kind() == ErrorKind::KeySize => Ok(None),
            Err(error) => Err(error),
        },
        Key::Dsa(key) => Ok(Some(key.public.clone())),
        _ => Ok(None),
    }
}

/// Returns whether a certificate has this public key, ignoring its parameters. A certificate that cannot be read has another one.
fn is_for(certificate: &[u8], public: &[u8]) -> bool {
    let certificate = Options::der().rules(RuleSet::ALL).outline::<Certificate<'_>>(certificate);
    let (Ok(certificate), Ok(public)) = (certificate, SubjectPublicKeyInfo::from_der(public)) else { return false };
    let own = certificate.value.tbs_certificate.subject_public_key_info.subject_public_key;
    own.octets() == public.subject_public_key.octets()
}

/// Decodes text in Java's modified UTF-8. Invalid bytes are replaced.
fn java_text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

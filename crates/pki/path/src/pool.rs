//! Candidate certificates for path building, which are untrusted and looked up by subject.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use tagwise_codec::{Decode as _, Error, Options, RuleSet as Tolerated};
use tagwise_pkix::ext::SubjectKeyIdentifier;
use tagwise_pkix::{CertificateBuf, Name};

/// Candidate certificates for path building: sent by a peer, fetched, or from a directory of cross-certificates.
///
/// A pool may contain thousands of certificates, including ones with equal names, wrong key identifiers, or loops.
/// Malformed ones are skipped and do not affect others. Subjects are compared as in RFC 5280 §7.1.
///
/// ```
/// use tagwise_path::Pool;
/// let mut pool = Pool::new();
/// assert!(pool.add(*b"no certificate").is_err());
/// assert!(pool.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pool {
    entries: Vec<PoolEntry>,
    seen: HashSet<CertificateBuf>,
    /// Name indexes by comparison key. The map uses a randomly keyed hash.
    names: HashMap<Vec<u8>, u32>,
    /// The entries by subject name. The next field lists the entries by issuer name.
    by_subject: Vec<Vec<u32>>,
    by_issuer: Vec<Vec<u32>>,
    unreadable: Vec<Error>,
}

#[derive(Clone, Debug)]
struct PoolEntry {
    certificate: CertificateBuf,
    subject: u32,
    issuer: u32,
    /// The subject key identifier, if present and readable.
    key_identifier: Option<Box<[u8]>>,
    /// True if every byte of the certificate conforms to DER and its schema. Set when a path first includes it.
    is_strict: OnceLock<bool>,
}

impl Pool {
    /// Creates an empty pool.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a DER certificate. Only its top-level structure is decoded now. The rest is decoded when a path includes it.
    ///
    /// # Errors
    /// Returns an error if the top-level structure is malformed. The pool is then unchanged.
    pub fn add(&mut self, der: impl Into<Box<[u8]>>) -> Result<(), Error> {
        self.insert(read(der)?);
        Ok(())
    }

    /// Adds a decoded certificate, unless it is already present.
    pub fn insert(&mut self, certificate: CertificateBuf) {
        if !self.seen.insert(certificate.clone()) {
            return;
        }
        let number = self.entries.len() as u32;
        let tbs = &certificate.get().tbs_certificate;
        let (subject_key, issuer_key) = (tbs.subject.match_key(), tbs.issuer.match_key());
        let (subject, issuer) = (self.name(subject_key), self.name(issuer_key));
        for (lists, name) in [(&mut self.by_subject, subject), (&mut self.by_issuer, issuer)] {
            if let Some(list) = lists.get_mut(name as usize) {
                list.push(number);
            }
        }
        let key_identifier = key_identifier(&certificate).map(Box::from);
        self.entries.push(PoolEntry { certificate, subject, issuer, key_identifier, is_strict: OnceLock::new() });
    }

    /// Returns the index of a name, assigning one if necessary.
    fn name(&mut self, key: Vec<u8>) -> u32 {
        let next = self.names.len() as u32;
        let number = *self.names.entry(key).or_insert(next);
        if number == next {
            self.by_subject.push(Vec::new());
            self.by_issuer.push(Vec::new());
        }
        number
    }

    /// Returns the number of certificates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the pool is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Iterates over the certificates in insertion order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &CertificateBuf> {
        self.entries.iter().map(|entry| &entry.certificate)
    }

    /// Iterates over the certificates with the given subject, compared as in RFC 5280 §7.1.
    pub fn by_subject(&self, subject: &Name<'_>) -> impl Iterator<Item = &CertificateBuf> {
        self.numbers(&subject.match_key()).iter().filter_map(|number| self.get(*number))
    }

    /// Iterates over the certificates with the given issuer, compared as in RFC 5280 §7.1.
    pub fn by_issuer(&self, issuer: &Name<'_>) -> impl Iterator<Item = &CertificateBuf> {
        let list = self.number_of(issuer).and_then(|name| self.by_issuer.get(name as usize));
        list.into_iter().flatten().filter_map(|number| self.get(*number))
    }

    /// Returns the errors of the certificates skipped by [`FromIterator`].
    #[must_use]
    pub fn unreadable(&self) -> &[Error] {
        &self.unreadable
    }

    pub(crate) fn get(&self, number: u32) -> Option<&CertificateBuf> {
        self.entries.get(number as usize).map(|entry| &entry.certificate)
    }

    /// Returns whether every byte of an entry's certificate conforms, which is determined once.
    pub(crate) fn is_strict(&self, number: u32) -> bool {
        let entry = self.entries.get(number as usize);
        entry.is_some_and(|entry| *entry.is_strict.get_or_init(|| is_strict(&entry.certificate)))
    }

    /// Makes every path parse each certificate completely, with options, as one that does not conform.
    #[cfg(test)]
    pub(crate) fn parse_completely(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.is_strict = OnceLock::from(false));
    }

    /// Returns the indexes of the entries whose subject has this comparison key.
    pub(crate) fn numbers(&self, key: &[u8]) -> &[u32] {
        let name = self.names.get(key).and_then(|name| self.by_subject.get(*name as usize));
        name.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the number of distinct names.
    pub(crate) fn names(&self) -> usize {
        self.names.len()
    }

    /// Iterates over the comparison keys of all names, with their indexes.
    pub(crate) fn name_keys(&self) -> impl Iterator<Item = (&[u8], u32)> {
        self.names.iter().map(|(key, name)| (key.as_slice(), *name))
    }

    /// Returns the name index of an entry's issuer.
    pub(crate) fn issuer_of(&self, number: u32) -> u32 {
        self.entries.get(number as usize).map_or(u32::MAX, |entry| entry.issuer)
    }

    /// Returns an entry's subject key identifier.
    pub(crate) fn key_identifier_of(&self, number: u32) -> Option<&[u8]> {
        self.entries.get(number as usize)?.key_identifier.as_deref()
    }

    /// Returns the name index of an entry's subject.
    pub(crate) fn subject_of(&self, number: u32) -> Option<u32> {
        self.entries.get(number as usize).map(|entry| entry.subject)
    }

    /// Returns the index of a name, or `None` if no entry contains it.
    pub(crate) fn number_of(&self, name: &Name<'_>) -> Option<u32> {
        self.names.get(&name.match_key()).copied()
    }

    /// Iterates over the subjects of the entries with the given issuer. Issuer and subjects are given as name indexes.
    pub(crate) fn issued_by(&self, issuer: u32) -> impl Iterator<Item = u32> {
        let list = self.by_issuer.get(issuer as usize).map(Vec::as_slice).unwrap_or_default();
        list.iter().filter_map(|number| self.entries.get(*number as usize)).map(|entry| entry.subject)
    }
}

/// Collects the certificates that can be decoded. [`Pool::unreadable`] returns the errors of the others.
impl<T: AsRef<[u8]>> FromIterator<T> for Pool {
    fn from_iter<I: IntoIterator<Item = T>>(ders: I) -> Self {
        let mut pool = Self::new();
        for der in ders {
            match read(der.as_ref()) {
                Ok(certificate) => pool.insert(certificate),
                Err(error) => pool.unreadable.push(error),
            }
        }
        pool
    }
}

/// Returns whether every byte of a certificate conforms to DER and its schema.
pub(crate) fn is_strict(certificate: &CertificateBuf) -> bool {
    tagwise_pkix::Certificate::from_der(certificate.as_der()).is_ok()
}

/// Decodes an end-entity certificate, and returns whether every byte conforms. Otherwise, only its outer structure was decoded.
pub(crate) fn leaf(der: &[u8]) -> Result<(CertificateBuf, bool), Error> {
    match CertificateBuf::from_der(der) {
        Ok(certificate) => Ok((certificate, true)),
        Err(_) => Ok((read(der)?, false)),
    }
}

/// Decodes a certificate's outer structure. Deviations tolerated here are checked when a path includes the certificate.
pub(crate) fn read(der: impl Into<Box<[u8]>>) -> Result<CertificateBuf, Error> {
    let der = der.into();
    // Without options, the usual forms are read several times faster.
    if tagwise_pkix::Certificate::outline(&der).is_ok() {
        return CertificateBuf::outline(der);
    }
    CertificateBuf::outline_with(der, &Options::der().rules(Tolerated::ALL).parts(Tolerated::NONE))
}

/// Returns the subject key identifier, if present and readable.
pub(crate) fn key_identifier(certificate: &CertificateBuf) -> Option<&[u8]> {
    let extensions = certificate.get().tbs_certificate.extensions?;
    let identifier = extensions.get::<SubjectKeyIdentifier<'_>>().ok()??;
    Some(identifier.0.as_bytes())
}

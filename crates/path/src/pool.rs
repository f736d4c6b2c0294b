//! The certificates that a path may be built from, looked up by subject. None of them is trusted.

use std::collections::HashMap;

use tagwise_codec::{Error, Options, RuleSet as Tolerated};
use tagwise_pkix::ext::SubjectKeyIdentifier;
use tagwise_pkix::{CertificateBuf, Name, profile};

/// Certificates that a path may be built from: what a peer sent, what was fetched, a folder of cross-certificates.
///
/// They may be thousands, of the same name, with the wrong key identifiers, in circles; what does not decode is left out and
/// hides nothing else. Subjects are compared as RFC 5280 §7.1 says.
///
/// ```
/// use tagwise_path::Pool;
/// let mut pool = Pool::new();
/// assert!(pool.add(b"no certificate").is_err());
/// assert!(pool.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pool {
    entries: Vec<CertificateBuf>,
    /// The numbers of the entries with a subject, by what names are compared by. Keyed at random.
    by_subject: HashMap<Vec<u8>, Vec<u32>>,
}

impl Pool {
    /// An empty pool.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a certificate in DER; its frame is read, the rest when a path leads through it.
    ///
    /// # Errors
    /// What is wrong with the frame; nothing is added then.
    pub fn add(&mut self, der: impl Into<Box<[u8]>>) -> Result<(), Error> {
        self.insert(read(der)?);
        Ok(())
    }

    /// Adds a certificate that was read.
    pub fn insert(&mut self, certificate: CertificateBuf) {
        let number = self.entries.len() as u32;
        let key = certificate.get().tbs_certificate.subject.match_key();
        self.by_subject.entry(key).or_default().push(number);
        self.entries.push(certificate);
    }

    /// The number of certificates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The certificates, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &CertificateBuf> {
        self.entries.iter()
    }

    /// The certificates with a subject, compared as RFC 5280 §7.1 says.
    pub fn by_subject(&self, subject: &Name<'_>) -> impl Iterator<Item = &CertificateBuf> {
        let numbers = self.by_subject.get(&subject.match_key()).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().filter_map(|number| self.entries.get(*number as usize))
    }
}

/// Takes every certificate that decodes.
impl<T: AsRef<[u8]>> FromIterator<T> for Pool {
    fn from_iter<I: IntoIterator<Item = T>>(ders: I) -> Self {
        let mut pool = Self::new();
        for der in ders {
            // What is no certificate cannot be part of a path.
            if let Ok(certificate) = read(der.as_ref()) {
                pool.insert(certificate);
            }
        }
        pool
    }
}

/// The frame of a certificate under the leniencies that are anyway checked again when a path leads through it.
pub(crate) fn read(der: impl Into<Box<[u8]>>) -> Result<CertificateBuf, Error> {
    CertificateBuf::outline_with(der, &Options::der().rules(every_rule()))
}

/// Every rule that the outline of a certificate may break and still be a certificate.
fn every_rule() -> Tolerated {
    profile::ALL.iter().fold(Tolerated::NONE, |rules, rule| rules.with(rule))
}

/// The subject key identifier, if it can be read.
pub(crate) fn key_identifier(certificate: &CertificateBuf) -> Option<&[u8]> {
    let extensions = certificate.get().tbs_certificate.extensions?;
    let identifier = extensions.get::<SubjectKeyIdentifier<'_>>().ok()??;
    Some(identifier.0.as_bytes())
}

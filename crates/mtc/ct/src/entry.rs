//! Log entries: leaves with the certificate or precertificate (RFC 6962 §3.4, §4.6; static-ct-api).

use tagwise_codec::Decode;
use tagwise_mtc::{Hash, hash};
use tagwise_path::precertificate_tbs;
use tagwise_pkix::Certificate;

use crate::Error;
use crate::wire::Wire;

/// The maximum number of certificates in a chain.
const CHAIN: usize = 64;

/// The content of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryKind {
    /// A certificate, in DER.
    Certificate(Vec<u8>),
    /// A precertificate.
    Precertificate {
        /// The SHA-256 hash of the issuer's SubjectPublicKeyInfo.
        issuer_key_hash: Hash,
        /// The TBSCertificate without the poison extension, which the leaf contains.
        tbs: Vec<u8>,
        /// The submitted precertificate, which is not part of the leaf.
        precertificate: Vec<u8>,
    },
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The position in the log.
    pub index: u64,
    /// The time of the timestamp, in milliseconds since 1970-01-01T00:00:00Z.
    pub timestamp: u64,
    /// The certificate or precertificate.
    pub kind: EntryKind,
    /// The extensions of the timestamp.
    pub extensions: Vec<u8>,
    /// The SHA-256 fingerprints of the submitted chain, from the issuer up.
    pub chain: Vec<Hash>,
    /// The hash of the leaf.
    pub leaf_hash: Hash,
    /// The reason why the submitted chain or precertificate could not be read. They are not part of the leaf, so the tree does not
    /// protect them.
    pub unreadable: Option<String>,
}

impl Entry {
    /// Reads an entry from the answer to `get-entries` (RFC 6962 §4.6). If only `extra_data` is malformed, `unreadable` says so.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the leaf is malformed.
    pub fn from_parts(index: u64, leaf_input: &[u8], extra_data: &[u8]) -> Result<Self, Error> {
        let failed = || Error::Malformed(format!("entry {index}: malformed leaf_input (RFC 6962 §3.4)"));
        let mut wire = Wire::new(leaf_input);
        if wire.take(2) != Some(&[0, 0]) {
            return Err(Error::Malformed(format!("entry {index}: unknown leaf version or type, expected 0 and 0")));
        }
        let mut entry = Self::timestamped(index, &mut wire)?;
        if !wire.rest.is_empty() {
            return Err(failed());
        }
        entry.leaf_hash = hash::leaf(leaf_input);
        if entry.submitted(extra_data).is_none() {
            entry.unreadable = Some(format!("entry {index}: malformed extra_data (RFC 6962 §4.6)"));
        }
        Ok(entry)
    }

    /// Reads the submitted precertificate and chain. Returns `None` if they are malformed.
    fn submitted(&mut self, extra_data: &[u8]) -> Option<()> {
        let mut wire = Wire::new(extra_data);
        if let EntryKind::Precertificate { precertificate, .. } = &mut self.kind {
            *precertificate = wire.vector(3)?.to_vec();
        }
        let mut chain = Wire::new(wire.vector(3).filter(|_| wire.rest.is_empty())?);
        while !chain.rest.is_empty() && self.chain.len() < CHAIN {
            self.chain.push(hash::plain(chain.vector(3)?));
        }
        Some(())
    }

    /// Returns the number of bytes of the content.
    pub(crate) fn size(&self) -> usize {
        let content = match &self.kind {
            EntryKind::Certificate(der) => der.len(),
            EntryKind::Precertificate { tbs, precertificate, .. } => tbs.len().saturating_add(precertificate.len()),
        };
        content.saturating_add(self.extensions.len()).saturating_add(self.chain.len().saturating_mul(32))
    }

    /// Reads the next entry of a data tile (static-ct-api).
    pub(crate) fn from_tile(index: u64, wire: &mut Wire<'_>) -> Result<Self, Error> {
        let failed = || Error::Malformed(format!("entry {index}: malformed leaf in the data tile"));
        let start = wire.rest;
        let mut entry = Self::timestamped(index, wire)?;
        let own = start.get(..start.len().saturating_sub(wire.rest.len())).unwrap_or_default();
        entry.leaf_hash = hash::leaf(&[&[0, 0], own].concat());
        if let EntryKind::Precertificate { precertificate, .. } = &mut entry.kind {
            *precertificate = wire.vector(3).ok_or_else(failed)?.to_vec();
        }
        let (chain, []) = wire.vector(2).ok_or_else(failed)?.as_chunks::<32>() else { return Err(failed()) };
        entry.chain = chain.to_vec();
        // static-ct-api: the extension `leaf_index` is the position in the log.
        if leaf_index(&entry.extensions) != Some(index) {
            let found = leaf_index(&entry.extensions).map_or("none".to_owned(), |found| found.to_string());
            return Err(Error::Violation(format!(
                "entry {index}: its leaf_index extension is {found}, expected {index}"
            )));
        }
        Ok(entry)
    }

    /// Reads a `TimestampedEntry`.
    fn timestamped(index: u64, wire: &mut Wire<'_>) -> Result<Self, Error> {
        let failed = || Error::Malformed(format!("entry {index}: truncated TimestampedEntry (RFC 6962 §3.4)"));
        let timestamp = wire.number(8).ok_or_else(failed)?;
        let kind = match wire.number(2).ok_or_else(failed)? {
            0 => EntryKind::Certificate(wire.vector(3).ok_or_else(failed)?.to_vec()),
            1 => EntryKind::Precertificate {
                issuer_key_hash: *wire.array().ok_or_else(failed)?,
                tbs: wire.vector(3).ok_or_else(failed)?.to_vec(),
                precertificate: Vec::new(),
            },
            other => {
                return Err(Error::Malformed(format!("entry {index}: unknown entry type {other}, expected 0 or 1")));
            }
        };
        let extensions = wire.vector(2).ok_or_else(failed)?.to_vec();
        Ok(Self { index, timestamp, kind, extensions, chain: Vec::new(), leaf_hash: hash::EMPTY, unreadable: None })
    }

    /// Returns the certificate or precertificate in DER.
    #[must_use]
    pub fn der(&self) -> &[u8] {
        match &self.kind {
            EntryKind::Certificate(der) | EntryKind::Precertificate { precertificate: der, .. } => der,
        }
    }

    /// Returns the SHA-256 hash of the TBSCertificate without timestamps and poison, which a certificate and its
    /// precertificate have in common. Returns `None` if the certificate cannot be parsed.
    #[must_use]
    pub fn pair(&self) -> Option<Hash> {
        match &self.kind {
            EntryKind::Certificate(der) => {
                let read = Certificate::outline(der).ok()?;
                Some(hash::plain(&precertificate_tbs(read.tbs_certificate.as_bytes())?))
            }
            EntryKind::Precertificate { tbs, .. } => Some(hash::plain(tbs)),
        }
    }

    /// Returns the reason why the submitted precertificate does not belong to the leaf, if it does not. The tree does not
    /// protect the precertificate, only the leaf's TBSCertificate.
    #[must_use]
    pub fn stray_precertificate(&self) -> Option<String> {
        let EntryKind::Precertificate { tbs, precertificate, .. } = &self.kind else { return None };
        let Ok(read) = Certificate::outline(precertificate) else {
            return Some("the precertificate cannot be parsed".to_owned());
        };
        let own = read.tbs_certificate.as_bytes();
        if precertificate_tbs(own).is_some_and(|stripped| stripped == *tbs) {
            return None;
        }
        let Ok(leaf) = tagwise_pkix::TbsCertificate::outline(tbs) else {
            return Some("the leaf's TBSCertificate cannot be parsed".to_owned());
        };
        // RFC 6962 §3.1: a precertificate signing certificate has another name and key than the final issuer.
        let signed_by_other = read.tbs_certificate.issuer != leaf.issuer;
        let same = read.tbs_certificate.serial_number == leaf.serial_number
            && read.tbs_certificate.subject == leaf.subject
            && read.tbs_certificate.subject_public_key_info == leaf.subject_public_key_info;
        (!(signed_by_other && same)).then(|| "the precertificate does not match the leaf's TBSCertificate".to_owned())
    }
}

/// Returns the value of the extension `leaf_index` of a timestamp (static-ct-api).
///
/// ```
/// assert_eq!(tagwise_ct::leaf_index(&[0, 0, 5, 0, 0, 0, 1, 2]), Some(258));
/// assert_eq!(tagwise_ct::leaf_index(&[]), None);
/// ```
#[must_use]
pub fn leaf_index(extensions: &[u8]) -> Option<u64> {
    let mut wire = Wire::new(extensions);
    while !wire.rest.is_empty() {
        let kind = wire.number(1)?;
        let data = wire.vector(2)?;
        if kind == 0 {
            return if data.len() == 5 { Wire::new(data).number(5) } else { None };
        }
    }
    None
}

//! Stores of many certificates, looked up by subject, key identifier and fingerprint.

use std::collections::HashMap;

use super::names::Names;
use super::record::Record;
use tagwise_pkix::name::Name;

/// A certificate with its index.
#[derive(Clone, Copy, Debug)]
pub struct StoreEntry<'a> {
    /// The certificate's DER.
    pub der: &'a [u8],
    /// The certificate's index.
    pub record: Record,
}

/// A searchable list of certificates. Each certificate's number is its position in the list.
///
/// ```no_run
/// use tagwise_store::{Contents, StoreEntry, Limits, Record, Store};
/// let input = std::fs::read("ca-bundle.pem")?;
/// let contents = Contents::read(&input, &Limits::DEFAULT);
/// let entries = contents.items().filter_map(|item| Some(StoreEntry { der: item.der, record: Record::read(item.der).ok()? }));
/// let store = Store::new(entries.collect());
/// for root in store.hierarchy().roots() {
///     println!("{}", store.subject(root).unwrap().oneline());
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store<'a> {
    entries: Vec<StoreEntry<'a>>,
    names: Names<'a>,
    keys: HashMap<&'a [u8], u32>,
    by_fingerprint: HashMap<[u8; 32], u32>,
    /// The number of each certificate's subject name. The next two fields hold the numbers of issuer names and subject key
    /// identifiers.
    pub(super) subjects: Vec<u32>,
    pub(super) issuers: Vec<u32>,
    pub(super) subject_keys: Vec<Option<u32>>,
    /// The certificates by the number of their subject name.
    by_subject: Groups,
}

/// Numbers by group, with each group stored contiguously.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    /// Groups the numbers below `count` in ascending order, in two passes. Omits those for which `group_of` returns `None`.
    pub(super) fn new(count: usize, groups: usize, group_of: impl Fn(usize) -> Option<u32>) -> Self {
        let mut starts = vec![0u32; groups + 1];
        for group in (0..count).filter_map(&group_of) {
            if let Some(slot) = starts.get_mut(group as usize + 1) {
                *slot += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut next = starts.clone();
        let mut members = vec![0u32; total as usize];
        for (number, group) in (0..count).filter_map(|number| Some((number, group_of(number)?))) {
            let Some(at) = next.get_mut(group as usize) else { continue };
            if let Some(slot) = members.get_mut(*at as usize) {
                *slot = number as u32;
            }
            *at += 1;
        }
        Self { starts, members }
    }

    pub(super) fn get(&self, group: u32) -> &[u32] {
        let bounds = (self.starts.get(group as usize), self.starts.get(group as usize + 1));
        let (Some(start), Some(end)) = bounds else { return &[] };
        self.members.get(*start as usize..*end as usize).unwrap_or_default()
    }
}

impl<'a> Store<'a> {
    /// Creates a store, in time linear in the number of certificates and the size of their names.
    #[must_use]
    pub fn new(entries: Vec<StoreEntry<'a>>) -> Self {
        let count = entries.len();
        let mut names = Names::with_capacity(count);
        let mut keys: HashMap<&'a [u8], u32> = HashMap::with_capacity(count);
        let mut by_fingerprint = HashMap::with_capacity(count);
        let mut subjects = Vec::with_capacity(count);
        let mut issuers = Vec::with_capacity(count);
        let mut subject_keys = Vec::with_capacity(count);
        for (number, StoreEntry { der, record }) in entries.iter().enumerate() {
            subjects.push(names.number(record.subject_octets(der)));
            issuers.push(names.number(record.issuer_octets(der)));
            let next = keys.len() as u32;
            subject_keys.push(record.subject_key_identifier(der).map(|key| *keys.entry(key).or_insert(next)));
            by_fingerprint.entry(*record.fingerprint()).or_insert(number as u32);
        }
        let by_subject = Groups::new(count, names.len(), |number| subjects.get(number).copied());
        Self { entries, names, keys, by_fingerprint, subjects, issuers, subject_keys, by_subject }
    }

    /// Returns the number of certificates.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the store is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns a certificate by number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&StoreEntry<'a>> {
        self.entries.get(number as usize)
    }

    /// Returns all certificates, by number.
    #[must_use]
    pub fn entries(&self) -> &[StoreEntry<'a>] {
        &self.entries
    }

    /// Returns the subject of a certificate.
    #[must_use]
    pub fn subject(&self, number: u32) -> Option<Name<'a>> {
        self.get(number).map(|entry| entry.record.subject(entry.der))
    }

    /// Returns the certificates with the given subject, compared as in RFC 5280 §7.1.
    #[must_use]
    pub fn by_subject(&self, subject: &Name<'_>) -> &[u32] {
        self.names.find(subject).map(|name| self.by_subject.get(name)).unwrap_or_default()
    }

    /// Returns the first certificate with the given SHA-256 hash.
    #[must_use]
    pub fn by_fingerprint(&self, fingerprint: &[u8; 32]) -> Option<u32> {
        self.by_fingerprint.get(fingerprint).copied()
    }

    /// Iterates over a certificate's possible issuers. Their subject must match its issuer, and the key identifiers must match
    /// unless one is missing. Examines all certificates with that subject.
    pub fn issuers_of(&self, number: u32) -> impl Iterator<Item = u32> + '_ {
        let wanted = self.get(number).and_then(|entry| entry.record.authority_key_identifier(entry.der));
        let name = self.issuers.get(number as usize).copied();
        let candidates = name.map(|name| self.by_subject.get(name)).unwrap_or_default();
        candidates.iter().copied().filter(move |candidate| {
            let own = self.get(*candidate).and_then(|entry| entry.record.subject_key_identifier(entry.der));
            wanted.is_none() || own.is_none() || wanted == own
        })
    }

    /// Returns the number assigned to a subject key identifier.
    pub(super) fn key(&self, octets: &[u8]) -> Option<u32> {
        self.keys.get(octets).copied()
    }

    /// Returns the distinct names, with their numbers.
    pub(super) const fn names(&self) -> &Names<'a> {
        &self.names
    }
}

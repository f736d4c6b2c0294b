//! Trusted logs, looked up by identifier.

use std::collections::HashMap;

use tagwise_codec::{Decode, Error};
use tagwise_pkix::build::Digest;
use tagwise_pkix::{SubjectPublicKeyInfo, UnixTime};

/// The state of a log, as defined in Chrome's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogState {
    /// The log is not yet accepted. Its timestamps do not count.
    Pending,
    /// The log is accepted. Its timestamps count.
    Qualified,
    /// The log is in general use. Its timestamps count.
    Usable,
    /// The log is closed to new certificates. Its timestamps still count.
    ReadOnly,
    /// The log is no longer trusted. Only timestamps from before this time count.
    Retired(UnixTime),
    /// The log was never accepted. Its timestamps do not count.
    Rejected,
}

/// A Certificate Transparency log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Log {
    /// The log ID: the SHA-256 hash of the log's key (RFC 6962 §3.2).
    pub id: [u8; 32],
    /// The log's public key, a SubjectPublicKeyInfo in DER.
    pub key: Vec<u8>,
    /// The log's operator.
    pub operator: String,
    /// The log's display name.
    pub description: String,
    /// The log's state.
    pub state: LogState,
    /// The range of notAfter dates that the log accepts. The start is inclusive, the end exclusive.
    pub interval: Option<(UnixTime, UnixTime)>,
}

impl Log {
    /// Creates a usable log from its key, a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// Returns an error if the key is malformed.
    pub fn new(key: &[u8], operator: impl Into<String>, description: impl Into<String>) -> Result<Self, Error> {
        SubjectPublicKeyInfo::from_der(key)?;
        let mut id = [0; 32];
        id.iter_mut().zip(Digest::Sha256.of(key)).for_each(|(slot, octet)| *slot = octet);
        Ok(Self {
            id,
            key: key.to_vec(),
            operator: operator.into(),
            description: description.into(),
            state: LogState::Usable,
            interval: None,
        })
    }
}

/// A list of trusted logs.
///
/// ```
/// use tagwise_path::LogList;
/// assert!(LogList::default().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct LogList {
    logs: Vec<Log>,
    by_id: HashMap<[u8; 32], usize>,
}

impl LogList {
    /// Adds a log, replacing one with the same key.
    pub fn add(&mut self, log: Log) {
        match self.by_id.get(&log.id).and_then(|place| self.logs.get_mut(*place)) {
            Some(known) => *known = log,
            None => {
                self.by_id.insert(log.id, self.logs.len());
                self.logs.push(log);
            }
        }
    }

    /// Returns the log with the given log ID.
    #[must_use]
    pub fn get(&self, id: &[u8; 32]) -> Option<&Log> {
        self.by_id.get(id).and_then(|place| self.logs.get(*place))
    }

    /// Returns the number of logs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.logs.len()
    }

    /// Returns whether there are no logs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.logs.is_empty()
    }

    /// Iterates over the logs in insertion order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Log> {
        self.logs.iter()
    }
}

impl FromIterator<Log> for LogList {
    fn from_iter<I: IntoIterator<Item = Log>>(logs: I) -> Self {
        let mut list = Self::default();
        logs.into_iter().for_each(|log| list.add(log));
        list
    }
}

//! The state of a monitor that follows a log.

use serde::{Deserialize, Serialize};
use tagwise_codec::text::base64;
use tagwise_mtc::tree::Frontier;
use tagwise_path::Log;
use tagwise_pkix::UnixTime;

use crate::head::HeadJson;
use crate::{Client, Entry, Error, TreeHead};

/// The version of saved states.
const VERSION: u32 = 1;

/// The number of bytes after which a batch of entries ends.
const BATCH: usize = 64 << 20;

/// The state of a monitor: the last tree head, and the right edge of the tree of the entries read so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    log_id: [u8; 32],
    edge: Frontier,
    head: Option<TreeHead>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    log_id: String,
    next: u64,
    peaks: Vec<String>,
    head: Option<HeadJson>,
}

impl State {
    /// Creates the state of a monitor that has read nothing.
    #[must_use]
    pub const fn new(log: &Log) -> Self {
        Self { log_id: log.id, edge: Frontier::new(), head: None }
    }

    /// Restores a state from [`to_json`](Self::to_json).
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the state is malformed, or [`Error::State`] if it belongs to another log.
    pub fn from_json(json: &str, log: &Log) -> Result<Self, Error> {
        let failed = |why: &dyn core::fmt::Display| Error::Malformed(format!("malformed state: {why}"));
        let saved: Saved = serde_json::from_str(json).map_err(|error| failed(&error))?;
        if saved.version != VERSION {
            return Err(failed(&format!("version {}, expected {VERSION}", saved.version)));
        }
        let log_id = crate::wire_hash(&saved.log_id).map_err(|error| failed(&error))?;
        if log_id != log.id {
            return Err(Error::State("the state belongs to another log".to_owned()));
        }
        let peaks = saved.peaks.iter().map(|text| crate::wire_hash(text)).collect::<Result<Vec<_>, _>>();
        let peaks = peaks.map_err(|error| failed(&error))?;
        let edge = Frontier::from_parts(saved.next, peaks).ok_or_else(|| failed(&"wrong number of peaks"))?;
        let head = saved.head.as_ref().map(TreeHead::of).transpose().map_err(|error| failed(&error))?;
        let size = head.as_ref().map_or(0, |head| head.size);
        if edge.size() > size {
            return Err(failed(&format!("{} entries read, but the tree has only {size}", edge.size())));
        }
        Ok(Self { log_id, edge, head })
    }

    /// Encodes the state as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let saved = Saved {
            version: VERSION,
            log_id: base64::encode(&self.log_id),
            next: self.edge.size(),
            peaks: self.edge.peaks().iter().map(|hash| base64::encode(hash)).collect(),
            head: self.head.as_ref().map(TreeHead::json),
        };
        serde_json::to_string(&saved).unwrap_or_default()
    }

    /// Returns the index of the next entry to read.
    #[must_use]
    pub const fn next_index(&self) -> u64 {
        self.edge.size()
    }

    /// Returns the last tree head.
    #[must_use]
    pub const fn head(&self) -> Option<&TreeHead> {
        self.head.as_ref()
    }

    /// Accepts the log's current tree head, if its tree contains that of the last one.
    ///
    /// # Errors
    /// Returns [`Error::Violation`] if the log has forked, was rolled back or has a tree head from the future or one that is older than
    /// the last one, or an error if it does not answer.
    pub fn accept(&mut self, client: &Client<'_>, head: TreeHead, now: UnixTime) -> Result<(), Error> {
        if head.is_from_future(now) {
            return Err(Error::Violation("the tree head is from the future".to_owned()));
        }
        if let Some(last) = &self.head {
            let (size, was) = (head.size, last.size);
            if size < was {
                return Err(Error::Violation(format!("rollback: the tree has {size} entries, but had {was} before")));
            }
            if size == was && head.root != last.root {
                return Err(Error::Violation(format!("fork: two trees of {size} entries have different roots")));
            }
            client.check(was, &last.root, &head).map_err(|error| match error {
                Error::Violation(text) => Error::Violation(format!("fork: {text} of the last run")),
                other => other,
            })?;
            if head.timestamp < last.timestamp {
                let text = "rollback: the tree head is older than the last one, although its tree is not smaller";
                return Err(Error::Violation(text.to_owned()));
            }
        }
        self.head = Some(head);
        Ok(())
    }

    /// Skips the entries before `start`, which must be in the current tree. Nothing is skipped if they have already been read.
    ///
    /// # Errors
    /// Returns an error if the tree has fewer entries, or any error from [`Client::edge`].
    pub fn skip(&mut self, client: &Client<'_>, start: u64) -> Result<(), Error> {
        let Some(head) = self.head.as_ref().filter(|_| start > self.edge.size()) else { return Ok(()) };
        if start > head.size {
            return Err(Error::State(format!("entry {start} does not exist: the tree has {} entries", head.size)));
        }
        self.edge = client.edge(start, head)?;
        Ok(())
    }

    /// Reads up to `most` of the next entries, and verifies that the current tree contains them. Returns fewer if they are large, and no
    /// entries at the end of the tree. The state is unchanged after an error.
    ///
    /// # Errors
    /// Returns [`Error::Violation`] if an entry is not in the tree, or an error if the log does not answer or its answer is malformed.
    pub fn read(&mut self, client: &Client<'_>, most: u64) -> Result<Vec<Entry>, Error> {
        let Some(head) = &self.head else { return Ok(Vec::new()) };
        let mut edge = self.edge.clone();
        let (first, end) = (edge.size(), head.size.min(edge.size().saturating_add(most)));
        let (mut all, mut bytes) = (Vec::new(), 0_usize);
        while edge.size() < end && bytes < BATCH {
            let found = client.entries(edge.size(), end, head.size)?;
            if found.is_empty() {
                return Err(Error::Malformed(format!("no entry {}", edge.size())));
            }
            found.iter().for_each(|entry| edge.push(entry.leaf_hash));
            bytes = found.iter().fold(bytes, |bytes, entry| bytes.saturating_add(entry.size()));
            all.extend(found);
        }
        client.check(edge.size(), &edge.root(), head).map_err(|error| match error {
            Error::Violation(_) => Error::Violation(format!(
                "wrong leaves: the entries {first} to {} are not those of the signed tree of {} entries",
                edge.size().saturating_sub(1),
                head.size
            )),
            other => other,
        })?;
        self.edge = edge;
        Ok(all)
    }
}

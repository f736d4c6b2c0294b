//! Reads a log: heads, entries and proofs, in both APIs.

use core::fmt;
use std::cell::RefCell;
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tagwise_codec::text::base64;
use tagwise_crypto::Backend;
use tagwise_mtc::tile::{TileKind, TilePath, WIDTH, hashes, node_in};
use tagwise_mtc::tree::{
    Frontier, NodeReader, Subtree, consistency_proof, inclusion_proof, inclusion_proof_len, verify_consistency,
    verify_inclusion,
};
use tagwise_mtc::{Hash, hash};
use tagwise_path::Log;

use crate::wire::Wire;
use crate::{Entry, Error, TreeHead};

/// The interface of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// RFC 6962 §4: `ct/v1/get-sth`, `get-entries`.
    Rfc6962,
    /// The static-ct-api of C2SP: a checkpoint, and tiles.
    Static,
}

/// A callback that returns the resource at a path below the log's URL, or the reason why there is none.
pub type Fetch<'f> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'f;

/// The maximum number of cached tiles.
const KEPT: usize = 1024;
/// The maximum number of hashes in a proof.
const PROOF: usize = 64;

/// A reader of a log. It verifies what it returns, except for entries, which [`State`](crate::State) verifies.
pub struct Client<'f> {
    log: &'f Log,
    api: Api,
    backend: &'f dyn Backend,
    fetch: RefCell<&'f mut Fetch<'f>>,
    tiles: RefCell<HashMap<TilePath, Vec<Hash>>>,
}

impl fmt::Debug for Client<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("log", &self.log.description).field("api", &self.api).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Entries {
    entries: Vec<EntryJson>,
}

#[derive(Deserialize)]
struct EntryJson {
    leaf_input: String,
    extra_data: String,
}

#[derive(Deserialize)]
struct Consistency {
    consistency: Vec<String>,
}

#[derive(Deserialize)]
struct ProofByHash {
    leaf_index: u64,
    audit_path: Vec<String>,
}

#[derive(Deserialize)]
struct EntryAndProof {
    leaf_input: String,
    audit_path: Vec<String>,
}

fn proof(what: &str, list: &[String]) -> Result<Vec<Hash>, Error> {
    if list.len() > PROOF {
        return Err(Error::Malformed(format!("{what}: {} hashes, expected at most {PROOF}", list.len())));
    }
    list.iter()
        .map(|text| crate::wire_hash(text).map_err(|error| Error::Malformed(format!("{what}: {error}"))))
        .collect()
}

fn octets(what: &str, text: &str) -> Result<Vec<u8>, Error> {
    base64::decode(text.as_bytes()).map_err(|error| Error::Malformed(format!("{what}: {error}")))
}

impl<'f> Client<'f> {
    /// Creates a reader.
    #[must_use]
    pub fn new(log: &'f Log, api: Api, backend: &'f dyn Backend, fetch: &'f mut Fetch<'f>) -> Self {
        Self { log, api, backend, fetch: RefCell::new(fetch), tiles: RefCell::default() }
    }

    /// Returns the log.
    #[must_use]
    pub const fn log(&self) -> &Log {
        self.log
    }

    fn get(&self, path: &str) -> Result<Vec<u8>, Error> {
        (self.fetch.borrow_mut())(path).map_err(|why| Error::Unreachable(format!("{path}: {why}")))
    }

    fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        serde_json::from_slice(&self.get(path)?).map_err(|error| Error::Malformed(format!("{path}: {error}")))
    }

    /// Reads the current tree head, and verifies its signature.
    ///
    /// # Errors
    /// Returns an error if the log does not answer, or its answer is malformed or not signed by the log.
    pub fn head(&self) -> Result<TreeHead, Error> {
        match self.api {
            Api::Rfc6962 => TreeHead::from_json(&self.get("ct/v1/get-sth")?, self.log, self.backend),
            Api::Static => TreeHead::from_checkpoint(&self.get("checkpoint")?, self.log, self.backend),
        }
    }

    /// Reads entries from `start` to before `end`, which the tree of the given size contains. A log may return fewer, but at
    /// least one. The entries are not verified.
    ///
    /// # Errors
    /// Returns an error if the log does not answer, or its answer is malformed.
    pub fn entries(&self, start: u64, end: u64, size: u64) -> Result<Vec<Entry>, Error> {
        let end = end.min(size);
        let Some(last) = end.checked_sub(1).filter(|last| *last >= start) else { return Ok(Vec::new()) };
        match self.api {
            Api::Rfc6962 => {
                let path = format!("ct/v1/get-entries?start={start}&end={last}");
                let found: Entries = self.json(&path)?;
                if found.entries.is_empty() || found.entries.len() as u64 > end - start {
                    let count = found.entries.len();
                    return Err(Error::Malformed(format!("{path}: {count} entries, expected 1 to {}", end - start)));
                }
                let read = (start..).zip(&found.entries).map(|(index, entry)| {
                    let what = format!("entry {index}");
                    // The tree does not protect the extra data, so it may be malformed: the entry says so.
                    let extra_data = octets(&what, &entry.extra_data).unwrap_or_default();
                    Entry::from_parts(index, &octets(&what, &entry.leaf_input)?, &extra_data)
                });
                read.collect()
            }
            Api::Static => {
                let tile = start / WIDTH;
                let first = tile * WIDTH;
                let width = (size - first).min(WIDTH) as u16;
                let path = TilePath { kind: TileKind::Entries, index: tile, width };
                let bytes = self.tile(&path)?;
                let mut wire = Wire::new(&bytes);
                let mut found = Vec::with_capacity(usize::from(width));
                for index in first..first + u64::from(width) {
                    found.push(Entry::from_tile(index, &mut wire)?);
                }
                // A wider tile may be served in place of a partial one that is gone.
                if !wire.rest.is_empty() && u64::from(width) == WIDTH {
                    let what = format!("{}: {} more bytes after the last entry", data_path(&path), wire.rest.len());
                    return Err(Error::Malformed(what));
                }
                found.retain(|entry| (start..end).contains(&entry.index));
                Ok(found)
            }
        }
    }

    /// Reads a tile. A log may delete partial tiles after it has the full one (C2SP tlog-tiles), which is then read instead.
    fn tile(&self, path: &TilePath) -> Result<Vec<u8>, Error> {
        let text = |path: &TilePath| match path.kind {
            TileKind::Entries => data_path(path),
            TileKind::Hashes(_) => path.to_string(),
        };
        match self.get(&text(path)) {
            Err(error) if u64::from(path.width) < WIDTH => {
                self.get(&text(&TilePath { width: WIDTH as u16, ..*path })).map_err(|_no_full_tile| error)
            }
            done => done,
        }
    }

    /// Returns the right edge of the tree with the first `count` entries, if the given head contains these entries.
    ///
    /// # Errors
    /// Returns an error if the log does not answer, or its proof is invalid.
    pub fn edge(&self, count: u64, head: &TreeHead) -> Result<Frontier, Error> {
        if count == 0 {
            return Ok(Frontier::new());
        }
        let edge = match self.api {
            Api::Static => Frontier::of(&Nodes { client: self, size: head.size }, count)?,
            Api::Rfc6962 => {
                let last = count - 1;
                let path = format!("ct/v1/get-entry-and-proof?leaf_index={last}&tree_size={count}");
                let found: EntryAndProof = self.json(&path)?;
                let mut peaks = proof(&path, &found.audit_path)?;
                // The siblings of the last leaf are the roots of the full subtrees to its left, smallest first.
                peaks.reverse();
                let wrong = || Error::Violation(format!("{path}: the proof has the wrong length"));
                if peaks.len() != inclusion_proof_len(Subtree::whole(count), last) {
                    return Err(wrong());
                }
                let mut edge = Frontier::from_parts(last, peaks).ok_or_else(wrong)?;
                edge.push(hash::leaf(&octets(&path, &found.leaf_input)?));
                edge
            }
        };
        self.check(count, &edge.root(), head)?;
        Ok(edge)
    }

    /// Verifies that the tree of a head contains a leaf, and returns its index. A static log requires the index, which is in the
    /// timestamp's extensions (`leaf_index`).
    ///
    /// # Errors
    /// Returns [`Error::Violation`] if the tree does not contain the leaf at the index, [`Error::Missing`] if the tree is smaller, or an
    /// error if the log does not answer.
    pub fn include(&self, leaf: &Hash, index: Option<u64>, head: &TreeHead) -> Result<u64, Error> {
        let tree = Subtree::whole(head.size);
        let (index, path) = match self.api {
            Api::Rfc6962 => {
                let text = base64::encode(leaf).replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
                let path = format!("ct/v1/get-proof-by-hash?hash={text}&tree_size={}", head.size);
                let found: ProofByHash = self.json(&path)?;
                (found.leaf_index, proof(&path, &found.audit_path)?)
            }
            Api::Static => {
                let missing = || Error::Malformed("the timestamp has no leaf_index extension".to_owned());
                let index = index.ok_or_else(missing)?;
                if index >= head.size {
                    return Err(Error::Missing(format!(
                        "entry {index} is not yet in the tree of {} entries",
                        head.size
                    )));
                }
                (index, inclusion_proof(&Nodes { client: self, size: head.size }, tree, index)?)
            }
        };
        if verify_inclusion(tree, index, leaf, &path, &head.root) {
            return Ok(index);
        }
        Err(Error::Violation(format!("entry {index} of the tree of {} entries differs", head.size)))
    }

    /// Checks that the tree of a head starts with the tree of the given size and root.
    ///
    /// # Errors
    /// Returns [`Error::Violation`] if it does not, or an error if the log does not answer.
    pub fn check(&self, size: u64, root: &Hash, head: &TreeHead) -> Result<(), Error> {
        let tree = Subtree::whole(size);
        let proof = match self.api {
            // The proof of the empty tree or of the same tree is empty.
            _ if size == 0 || size == head.size => Vec::new(),
            Api::Static => {
                consistency_proof(&Nodes { client: self, size: head.size }, tree, head.size)?.unwrap_or_default()
            }
            Api::Rfc6962 => {
                let path = format!("ct/v1/get-sth-consistency?first={size}&second={}", head.size);
                proof(&path, &self.json::<Consistency>(&path)?.consistency)?
            }
        };
        if verify_consistency(tree, head.size, &proof, root, &head.root) {
            return Ok(());
        }
        Err(Error::Violation(format!("the tree of {} entries does not contain the first {size} entries", head.size)))
    }
}

/// The path of a data tile in the static-ct-api, whose folder is `data` instead of `entries`.
fn data_path(path: &TilePath) -> String {
    path.to_string().replacen("tile/entries/", "tile/data/", 1)
}

/// The nodes of a tree in hash tiles.
struct Nodes<'c, 'f> {
    client: &'c Client<'f>,
    size: u64,
}

impl NodeReader for Nodes<'_, '_> {
    type Error = Error;

    fn node(&self, level: u32, index: u64) -> Result<Hash, Error> {
        let missing = || Error::Malformed(format!("the tiles do not contain node {index} at level {level}"));
        let (tile_level, inner) = (level / 8, level % 8);
        let shift = 8 - inner;
        let (tile, place) = (index >> shift, (index & ((1 << shift) - 1)) as usize);
        let nodes = self.size.checked_shr(tile_level * 8).unwrap_or_default();
        let width = nodes.saturating_sub(tile.saturating_mul(WIDTH)).min(WIDTH) as u16;
        let kind = TileKind::Hashes(u8::try_from(tile_level).map_err(|_too_high| missing())?);
        let path = TilePath { kind, index: tile, width };
        if width == 0 {
            return Err(missing());
        }
        if let Some(found) = self.client.tiles.borrow().get(&path) {
            return node_in(found, inner, place).ok_or_else(missing);
        }
        let mut bytes = self.client.tile(&path)?;
        bytes.truncate(usize::from(width) * 32);
        let found = hashes(&bytes, width).map_err(|error| Error::Malformed(format!("{path}: {error}")))?.to_vec();
        let node = node_in(&found, inner, place).ok_or_else(missing);
        let mut tiles = self.client.tiles.borrow_mut();
        if tiles.len() >= KEPT {
            tiles.clear();
        }
        tiles.insert(path, found);
        node
    }
}

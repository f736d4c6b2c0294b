//! A log in memory, with both APIs, which also misbehaves on request.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails; no test uses all of it"
)]

use std::sync::Arc;

use tagwise_codec::text::base64;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, Digest, KeyType, PrivateKey, Scheme};
use tagwise_ct::{Log, LogEntry, hash};
use tagwise_mtc::tile::{TileKind, TilePath};
use tagwise_mtc::tree::{MemoryTree, NodeReader, Subtree, consistency_proof, inclusion_proof, root};

pub(crate) static BACKEND: AwsLc = AwsLc::new();

/// A logged certificate or precertificate.
#[derive(Clone)]
pub(crate) struct Logged {
    /// The `TimestampedEntry`.
    pub(crate) entry: Vec<u8>,
    /// The submitted precertificate; empty for certificates.
    pub(crate) precertificate: Vec<u8>,
    pub(crate) chain: Vec<Vec<u8>>,
}

pub(crate) struct TestLog {
    pub(crate) key: Arc<dyn PrivateKey>,
    pub(crate) entries: Vec<Logged>,
    /// The time of tree heads, in milliseconds.
    pub(crate) time: u64,
    /// The size of the tree in tree heads, if it is not that of all entries.
    pub(crate) size: Option<usize>,
    /// Serve other bytes in this entry than those in the tree.
    pub(crate) wrong: Option<usize>,
    /// The greatest number of entries in an answer.
    pub(crate) most: usize,
    /// True if the log has the API of RFC 6962, false if it has tiles. Only for logs behind HTTP.
    pub(crate) has_api: bool,
}

fn u24(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_be_bytes()[1..], bytes].concat()
}

impl TestLog {
    pub(crate) fn new() -> Self {
        let key = BACKEND.generate(KeyType::P256).unwrap();
        Self { key, entries: Vec::new(), time: 1_700_000_000_000, size: None, wrong: None, most: 100, has_api: true }
    }

    pub(crate) fn log(&self) -> Log {
        Log::new(self.key.public_key_info(), "", "test").unwrap()
    }

    /// The key in base64.
    pub(crate) fn key_text(&self) -> String {
        base64::encode(self.key.public_key_info())
    }

    pub(crate) fn signed(&self, message: &[u8]) -> Vec<u8> {
        let signature = self.key.sign(&Scheme::Ecdsa(Digest::Sha256), message).unwrap();
        [&[4, 3], (signature.len() as u16).to_be_bytes().as_slice(), &signature].concat()
    }

    /// The extension `leaf_index` of the next entry.
    pub(crate) fn extensions(&self) -> Vec<u8> {
        [&[0, 0, 5], &(self.entries.len() as u64).to_be_bytes()[3..]].concat()
    }

    /// Adds an entry, and returns the SCT in JSON.
    pub(crate) fn add(&mut self, entry: &LogEntry, precertificate: &[u8], chain: Vec<Vec<u8>>, time: u64) -> String {
        let extensions = self.extensions();
        let mut bytes = time.to_be_bytes().to_vec();
        match entry {
            LogEntry::X509(der) => bytes.extend([vec![0, 0], u24(der)].concat()),
            LogEntry::Precert(key_hash, tbs) => bytes.extend([vec![0, 1], key_hash.clone(), u24(tbs)].concat()),
        }
        bytes.extend((extensions.len() as u16).to_be_bytes());
        bytes.extend(&extensions);
        let signature = self.signed(&[&[0, 0], bytes.as_slice()].concat());
        self.entries.push(Logged { entry: bytes, precertificate: precertificate.to_vec(), chain });
        format!(
            r#"{{"sct_version":0,"id":"{}","timestamp":{time},"extensions":"{}","signature":"{}"}}"#,
            base64::encode(&self.log().id),
            base64::encode(&extensions),
            base64::encode(&signature)
        )
    }

    /// Adds certificates that are only bytes.
    pub(crate) fn add_many(&mut self, count: usize, seed: u8) {
        for index in 0..count {
            let der = [&[0x30, 9, seed], (index as u64).to_be_bytes().as_slice()].concat();
            self.add(&LogEntry::X509(der), &[], vec![vec![0x30, 0]], 1_600_000_000_000);
        }
    }

    fn leaf(&self, index: usize) -> Vec<u8> {
        [&[0, 0], self.entries[index].entry.as_slice()].concat()
    }

    fn tree(&self) -> MemoryTree {
        MemoryTree::from_leaves((0..self.entries.len()).map(|index| hash::leaf(&self.leaf(index))).collect())
    }

    fn served(&self, index: usize) -> Logged {
        let mut found = self.entries[index].clone();
        if self.wrong == Some(index) {
            found.entry[14] ^= 1;
        }
        found
    }

    pub(crate) fn size(&self) -> u64 {
        self.size.unwrap_or(self.entries.len()) as u64
    }

    /// The signature on the current tree.
    fn head(&self) -> ([u8; 32], Vec<u8>) {
        let (size, root) = (self.size(), root(&self.tree(), self.size()).unwrap());
        let message = [&[0, 1], self.time.to_be_bytes().as_slice(), &size.to_be_bytes(), &root].concat();
        (root, self.signed(&message))
    }

    fn json(proof: &[[u8; 32]]) -> String {
        let texts: Vec<String> = proof.iter().map(|hash| format!("\"{}\"", base64::encode(hash))).collect();
        format!("[{}]", texts.join(","))
    }

    /// The answer to `ct/v1/...`, with the query.
    pub(crate) fn rfc6962(&self, path: &str) -> Option<Vec<u8>> {
        let (what, query) = path.strip_prefix("ct/v1/")?.split_once('?').unwrap_or((path.strip_prefix("ct/v1/")?, ""));
        let text = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        let number = |name: &str| text(name)?.parse::<u64>().ok();
        Some(
            match what {
                "get-sth" => {
                    let (root, signature) = self.head();
                    format!(
                        r#"{{"tree_size":{},"timestamp":{},"sha256_root_hash":"{}","tree_head_signature":"{}"}}"#,
                        self.size(),
                        self.time,
                        base64::encode(&root),
                        base64::encode(&signature)
                    )
                }
                "get-entries" => {
                    let (start, end) = (number("start")? as usize, number("end")? as usize + 1);
                    let entries: Vec<String> = (start..end.min(start + self.most))
                        .map(|index| {
                            let one = self.served(index);
                            let chain: Vec<u8> = one.chain.iter().flat_map(|der| u24(der)).collect();
                            let before = if one.precertificate.is_empty() { vec![] } else { u24(&one.precertificate) };
                            format!(
                                r#"{{"leaf_input":"{}","extra_data":"{}"}}"#,
                                base64::encode(&[&[0, 0], one.entry.as_slice()].concat()),
                                base64::encode(&[before, u24(&chain)].concat())
                            )
                        })
                        .collect();
                    format!(r#"{{"entries":[{}]}}"#, entries.join(","))
                }
                "get-sth-consistency" => {
                    let proof = consistency_proof(&self.tree(), Subtree::whole(number("first")?), number("second")?);
                    format!(r#"{{"consistency":{}}}"#, Self::json(&proof.unwrap()?))
                }
                "get-entry-and-proof" => {
                    let (index, size) = (number("leaf_index")?, number("tree_size")?);
                    let proof = inclusion_proof(&self.tree(), Subtree::whole(size), index).unwrap();
                    let leaf = base64::encode(&self.leaf(index as usize));
                    format!(r#"{{"leaf_input":"{leaf}","extra_data":"","audit_path":{}}}"#, Self::json(&proof))
                }
                "get-proof-by-hash" => {
                    let wanted = text("hash")?.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=");
                    let wanted = base64::decode(wanted.as_bytes()).unwrap();
                    let index =
                        (0..self.entries.len()).find(|index| hash::leaf(&self.leaf(*index)).as_slice() == wanted)?;
                    let proof =
                        inclusion_proof(&self.tree(), Subtree::whole(number("tree_size")?), index as u64).unwrap();
                    format!(r#"{{"leaf_index":{index},"audit_path":{}}}"#, Self::json(&proof))
                }
                _ => return None,
            }
            .into_bytes(),
        )
    }

    /// The answer of the static API.
    pub(crate) fn tiles(&self, path: &str) -> Option<Vec<u8>> {
        if path == "checkpoint" {
            let (root, signature) = self.head();
            let text = format!("example.org/log\n{}\n{}\n", self.size(), base64::encode(&root));
            let id = hash::plain(&[b"example.org/log\n\x05", self.log().id.as_slice()].concat());
            let payload = [&id[..4], &self.time.to_be_bytes(), &signature].concat();
            return Some(format!("{text}\n\u{2014} example.org/log {}\n", base64::encode(&payload)).into_bytes());
        }
        let tile = TilePath::parse(&path.replacen("tile/data/", "tile/entries/", 1)).ok()?;
        if !tile.is_in(self.entries.len() as u64) {
            return None;
        }
        let range = tile.index * 256..tile.index * 256 + u64::from(tile.width);
        Some(match tile.kind {
            TileKind::Entries => range
                .flat_map(|index| {
                    let one = self.served(index as usize);
                    let mut bytes = one.entry.clone();
                    if !one.precertificate.is_empty() {
                        bytes.extend(u24(&one.precertificate));
                    }
                    let chain: Vec<u8> = one.chain.iter().flat_map(|der| hash::plain(der)).collect();
                    bytes.extend((chain.len() as u16).to_be_bytes());
                    bytes.extend(chain);
                    bytes
                })
                .collect(),
            TileKind::Hashes(level) => {
                let tree = self.tree();
                range.flat_map(|index| tree.node(u32::from(level) * 8, index).unwrap()).collect()
            }
        })
    }
}

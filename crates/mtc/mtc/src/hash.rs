//! The log hash: SHA-256 with the prefixes defined in RFC 9162 §2.1.1.

use alloc::vec;
use alloc::vec::Vec;

use sha2::{Digest, Sha256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// The hash of an empty tree or subtree, which is the hash of the empty string.
pub const EMPTY: Hash = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41,
    0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
];

/// Hashes a leaf: the byte 0x00 followed by the entry.
///
/// ```
/// let null_entry = tagwise_mtc::hash::leaf(&[0, 0, 0, 0]);
/// assert_eq!(null_entry.len(), 32);
/// ```
#[must_use]
pub fn leaf(entry: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

/// Hashes an interior node: the byte 0x01 followed by the hashes of its children.
#[must_use]
pub fn node(left: &Hash, right: &Hash) -> Hash {
    tagwise_node_hash::node(left, right)
}

/// Hashes a row of nodes to compute their parents, hashing several at a time. An unpaired last hash is dropped.
///
/// ```
/// use tagwise_mtc::hash;
/// let row = [hash::leaf(b"a"), hash::leaf(b"b"), hash::leaf(b"c")];
/// assert_eq!(hash::nodes(&row), [hash::node(&row[0], &row[1])]);
/// ```
#[must_use]
pub fn nodes(row: &[Hash]) -> Vec<Hash> {
    let mut above = vec![[0; 32]; row.len() / 2];
    tagwise_node_hash::nodes(row, &mut above);
    above
}

/// Computes a plain SHA-256 hash, for public keys and origins.
#[must_use]
pub fn plain(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// Computes a leaf hash from an entry that arrives in parts.
#[derive(Clone, Debug)]
pub(crate) struct LeafHasher(Sha256);

impl LeafHasher {
    pub(crate) fn new() -> Self {
        Self(Sha256::new().chain_update([0]))
    }

    pub(crate) fn add(mut self, part: &[u8]) -> Self {
        self.0.update(part);
        self
    }

    pub(crate) fn finish(self) -> Hash {
        self.0.finalize().into()
    }
}

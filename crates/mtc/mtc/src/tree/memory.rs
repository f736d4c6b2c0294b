//! An in-memory tree, with all full nodes by level.

use alloc::vec::Vec;
use core::fmt;

use super::NodeReader;
use crate::hash::{self, Hash};

/// A tree with all full nodes in memory. It stores fewer than two hashes per leaf.
#[derive(Clone, Debug, Default)]
pub struct MemoryTree {
    levels: Vec<Vec<Hash>>,
}

impl MemoryTree {
    /// Creates an empty tree.
    #[must_use]
    pub const fn new() -> Self {
        Self { levels: Vec::new() }
    }

    /// Creates a tree from leaf hashes.
    #[must_use]
    pub fn from_leaves(leaves: Vec<Hash>) -> Self {
        let mut levels = Vec::new();
        let mut level = leaves;
        while level.len() > 1 {
            let above = hash::nodes(&level);
            levels.push(level);
            level = above;
        }
        if !level.is_empty() {
            levels.push(level);
        }
        Self { levels }
    }

    /// Returns the number of leaves.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.levels.first().map_or(0, Vec::len) as u64
    }

    /// Appends a leaf hash.
    pub fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        let mut level = 0;
        loop {
            let Some(row) = self.levels.get_mut(level) else {
                self.levels.push(Vec::from([hash]));
                return;
            };
            row.push(hash);
            let (pairs, []) = row.as_chunks::<2>() else { return };
            let Some([left, right]) = pairs.last() else { return };
            hash = hash::node(left, right);
            level += 1;
        }
    }
}

impl Extend<Hash> for MemoryTree {
    fn extend<I: IntoIterator<Item = Hash>>(&mut self, leaves: I) {
        leaves.into_iter().for_each(|leaf| self.push(leaf));
    }
}

impl NodeReader for MemoryTree {
    type Error = MissingNode;

    #[inline]
    fn node(&self, level: u32, index: u64) -> Result<Hash, MissingNode> {
        let found = match (self.levels.get(level as usize), usize::try_from(index)) {
            (Some(row), Ok(place)) => row.get(place),
            _ => None,
        };
        found.copied().ok_or(MissingNode { level, index })
    }
}

/// The error for a node that the tree does not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingNode {
    /// The level of the missing node. Leaves have level 0.
    pub level: u32,
    /// The index of the missing node within its level.
    pub index: u64,
}

impl fmt::Display for MissingNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tree has no node {} at level {}", self.index, self.level)
    }
}

impl core::error::Error for MissingNode {}

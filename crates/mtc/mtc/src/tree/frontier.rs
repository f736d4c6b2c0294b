//! The right edge of a tree, which is sufficient for appending leaves and computing the root.

use alloc::vec::Vec;

use super::{NodeReader, Subtree, subtree_hash};
use crate::hash::{self, Hash};

/// The roots of the full subtrees that make up a tree, largest first: one for each set bit of its size.
///
/// ```
/// use tagwise_mtc::{hash, tree::{Frontier, MemoryTree, root}};
/// let (mut edge, mut tree) = (Frontier::new(), MemoryTree::new());
/// for entry in 0..11u8 {
///     edge.push(hash::leaf(&[entry]));
///     tree.push(hash::leaf(&[entry]));
/// }
/// assert_eq!(edge.root(), root(&tree, 11)?);
/// # Ok::<(), tagwise_mtc::tree::MissingNode>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    peaks: Vec<Hash>,
}

impl Frontier {
    /// Creates the frontier of the empty tree.
    #[must_use]
    pub const fn new() -> Self {
        Self { size: 0, peaks: Vec::new() }
    }

    /// Restores a frontier from a size and hashes. Returns `None` if the number of hashes does not match the size.
    #[must_use]
    pub fn from_parts(size: u64, peaks: Vec<Hash>) -> Option<Self> {
        (peaks.len() == size.count_ones() as usize).then_some(Self { size, peaks })
    }

    /// Computes the frontier of the tree of the given size.
    ///
    /// # Errors
    /// Returns any error from the storage.
    pub fn of<R: NodeReader + ?Sized>(nodes: &R, size: u64) -> Result<Self, R::Error> {
        let mut peaks = Vec::new();
        let mut start = 0;
        for bit in (0..64).rev().filter(|bit| size >> bit & 1 == 1) {
            let end = start + (1u64 << bit);
            peaks.push(subtree_hash(nodes, Subtree::known(start, end))?);
            start = end;
        }
        Ok(Self { size, peaks })
    }

    /// Returns the number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Returns the hashes, largest subtree first.
    #[must_use]
    pub fn peaks(&self) -> &[Hash] {
        &self.peaks
    }

    /// Appends a leaf hash.
    pub fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        // Each carry in the size merges two peaks.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.peaks.pop() {
                hash = hash::node(&left, &hash);
            }
        }
        self.peaks.push(hash);
        self.size = self.size.saturating_add(1);
    }

    /// Computes the root of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        let mut peaks = self.peaks.iter().rev();
        let Some(last) = peaks.next() else { return hash::EMPTY };
        peaks.fold(*last, |right, left| hash::node(left, &right))
    }
}

/// The number of leaves in a block that is hashed at a time. The rows of a block fit in the L1 cache.
const BLOCK: usize = 512;

/// Computes the root of a tree from its leaf hashes, without storing nodes.
///
/// ```
/// use tagwise_mtc::{hash, tree::{MemoryTree, root, root_of_leaves}};
/// let leaves: Vec<_> = (0..13u8).map(|entry| hash::leaf(&[entry])).collect();
/// assert_eq!(root_of_leaves(&leaves), root(&MemoryTree::from_leaves(leaves.clone()), 13)?);
/// # Ok::<(), tagwise_mtc::tree::MissingNode>(())
/// ```
#[must_use]
pub fn root_of_leaves(leaves: &[Hash]) -> Hash {
    // The roots of full blocks are the leaves of an upper tree. A partial last block is at its right edge.
    let (blocks, rest) = leaves.as_chunks::<BLOCK>();
    let mut edge = Frontier::new();
    let half = leaves.len().min(BLOCK).div_ceil(2);
    let mut rows = [alloc::vec![[0; 32]; half], alloc::vec![[0; 32]; half]];
    for block in blocks {
        edge.push(reduce(block, &mut rows));
    }
    if rest.is_empty() {
        return edge.root();
    }
    let last = reduce(rest, &mut rows);
    edge.peaks.iter().rev().fold(last, |right, left| hash::node(left, &right))
}

/// Computes the root of at least one leaf and at most one block, row by row. Each of `rows` has room for half of the leaves. A node
/// without a sibling moves up unchanged.
fn reduce(leaves: &[Hash], rows: &mut [Vec<Hash>; 2]) -> Hash {
    let [row, spare] = rows;
    let mut len = above(leaves, row);
    while len > 1 {
        len = above(row.get(..len).unwrap_or_default(), spare);
        core::mem::swap(row, spare);
    }
    row.first().copied().unwrap_or(hash::EMPTY)
}

/// Computes the row above a row. Returns its length.
fn above(row: &[Hash], out: &mut [Hash]) -> usize {
    tagwise_node_hash::nodes(row, out);
    let (pairs, single) = row.as_chunks::<2>();
    if let ([last], Some(place)) = (single, out.get_mut(pairs.len())) {
        *place = *last;
    }
    pairs.len().saturating_add(single.len())
}

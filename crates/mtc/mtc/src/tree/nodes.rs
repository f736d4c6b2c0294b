//! Node access, and computation of roots.

use super::Subtree;
use crate::hash::{self, Hash};

/// A tree whose full nodes can be read.
///
/// The node at level `h` and index `i` is the root of leaves `[i·2^h, (i+1)·2^h)`. Level 0 contains the leaves. Partial
/// nodes are not stored, but computed from the nodes below.
pub trait NodeReader {
    /// The error type of the storage.
    type Error;

    /// Reads the hash of a node whose leaves are all in the tree.
    ///
    /// # Errors
    /// Returns any error from the storage.
    fn node(&self, level: u32, index: u64) -> Result<Hash, Self::Error>;
}

impl<R: NodeReader + ?Sized> NodeReader for &R {
    type Error = R::Error;

    fn node(&self, level: u32, index: u64) -> Result<Hash, Self::Error> {
        (**self).node(level, index)
    }
}

/// Computes the root of the tree of the given size.
///
/// # Errors
/// Returns any error from the storage.
pub fn root<R: NodeReader + ?Sized>(nodes: &R, size: u64) -> Result<Hash, R::Error> {
    subtree_hash(nodes, Subtree::whole(size))
}

/// Computes the root of a subtree by reading one node for each set bit of its size.
///
/// # Errors
/// Returns any error from the storage.
pub fn subtree_hash<R: NodeReader + ?Sized>(nodes: &R, subtree: Subtree) -> Result<Hash, R::Error> {
    let mut bits = subtree.size();
    let mut position = subtree.end();
    let mut root: Option<Hash> = None;
    // Nodes are combined from the right edge, smallest first. Each further node is to the left of all previous ones.
    while bits != 0 {
        let level = bits.trailing_zeros();
        bits &= bits - 1;
        position = position.wrapping_sub(1 << level);
        let left = nodes.node(level, position >> level)?;
        root = Some(match root {
            None => left,
            Some(right) => hash::node(&left, &right),
        });
    }
    Ok(root.unwrap_or(hash::EMPTY))
}

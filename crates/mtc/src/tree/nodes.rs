//! Reading nodes, and the roots that are made of them.

use super::Subtree;
use crate::hash::{self, Hash};

/// A tree whose full nodes can be read.
///
/// A node of level `h` and index `i` is the root of leaves `[i·2^h, (i+1)·2^h)`; level 0 is leaves. What is not full has no node and is
/// computed from those below.
pub trait NodeReader {
    /// The error of reading.
    type Error;

    /// The hash of a node, all of whose leaves are in the tree.
    ///
    /// # Errors
    /// What the storage says.
    fn node(&self, level: u32, index: u64) -> Result<Hash, Self::Error>;
}

impl<R: NodeReader + ?Sized> NodeReader for &R {
    type Error = R::Error;

    fn node(&self, level: u32, index: u64) -> Result<Hash, Self::Error> {
        (**self).node(level, index)
    }
}

/// The root of a tree of a size.
///
/// # Errors
/// What the storage says.
pub fn root<R: NodeReader + ?Sized>(nodes: &R, size: u64) -> Result<Hash, R::Error> {
    subtree_hash(nodes, Subtree::whole(size))
}

/// The root of a subtree, of one node for each bit of its size.
///
/// # Errors
/// What the storage says.
pub fn subtree_hash<R: NodeReader + ?Sized>(nodes: &R, subtree: Subtree) -> Result<Hash, R::Error> {
    let mut bits = subtree.size();
    let mut position = subtree.end();
    let mut root: Option<Hash> = None;
    // From the right edge, the smallest node first: each further one is to the left of all before.
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

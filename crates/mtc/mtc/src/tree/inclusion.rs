//! Inclusion proofs, which consist of the path from a leaf to a subtree's root (MTC §4.3; RFC 9162 §2.1.3).

use alloc::vec::Vec;

use super::{NodeReader, Subtree, subtree_hash};
use crate::hash::{self, Hash};

/// Computes the proof that a leaf is in a subtree, from the leaf to the root. The proof is empty if the subtree does not
/// contain the leaf, or contains no other leaf.
///
/// # Errors
/// Returns any error from the storage.
pub fn inclusion_proof<R: NodeReader + ?Sized>(nodes: &R, subtree: Subtree, index: u64) -> Result<Vec<Hash>, R::Error> {
    if !subtree.contains(index) {
        return Ok(Vec::new());
    }
    let mut at = index - subtree.start();
    let mut last = subtree.size() - 1;
    let mut level = 0;
    let mut proof = Vec::with_capacity(inclusion_proof_len(subtree, index));
    while last > 0 {
        let sibling = match at & 1 {
            1 => Some(at - 1),
            _ if at < last => Some(at + 1),
            _ => None,
        };
        if let Some(sibling) = sibling {
            proof.push(block_hash(nodes, subtree.start(), sibling, level, subtree.end())?);
        }
        at >>= 1;
        last >>= 1;
        level += 1;
    }
    Ok(proof)
}

/// Returns the root of the `position`th block of 2^`level` leaves after `start`, truncated at `end`.
#[inline]
fn block_hash<R: NodeReader + ?Sized>(
    nodes: &R,
    start: u64,
    position: u64,
    level: u32,
    end: u64,
) -> Result<Hash, R::Error> {
    let block = block(start, position, level, end);
    // A subtree's start is a multiple of each of its full blocks.
    if block.size() >> level == 1 { nodes.node(level, block.start() >> level) } else { subtree_hash(nodes, block) }
}

/// Returns the `position`th block of 2^`level` leaves after `start`, truncated at `end`.
pub(super) const fn block(start: u64, position: u64, level: u32, end: u64) -> Subtree {
    let from = start + (position << level);
    let to = match from.checked_add(1 << level) {
        Some(to) if to < end => to,
        _ => end,
    };
    Subtree::known(from, to)
}

/// Returns the number of hashes in a leaf's inclusion proof, or 0 if the subtree does not contain the leaf.
#[must_use]
pub const fn inclusion_proof_len(subtree: Subtree, index: u64) -> usize {
    if !subtree.contains(index) {
        return 0;
    }
    let at = index - subtree.start();
    let last = subtree.size() - 1;
    let shared = 64 - (at ^ last).leading_zeros();
    let rest = if shared == 64 { 0 } else { at >> shared };
    (shared + rest.count_ones()) as usize
}

/// Computes the root from a leaf and its proof. Returns `None` if the proof has the wrong length for this leaf and subtree.
///
/// ```
/// use tagwise_mtc::{hash, tree::{Subtree, evaluate_inclusion}};
/// let (left, right) = (hash::leaf(b"left"), hash::leaf(b"right"));
/// let pair = Subtree::new(6, 8).unwrap();
/// assert_eq!(evaluate_inclusion(pair, 7, &right, &[left]), Some(hash::node(&left, &right)));
/// assert_eq!(evaluate_inclusion(pair, 7, &right, &[]), None);
/// assert_eq!(evaluate_inclusion(pair, 8, &right, &[left]), None);
/// ```
#[must_use]
pub fn evaluate_inclusion(subtree: Subtree, index: u64, entry_hash: &Hash, proof: &[Hash]) -> Option<Hash> {
    // The length of a valid proof is known, so nothing is hashed for a proof of another length.
    if !subtree.contains(index) || proof.len() != inclusion_proof_len(subtree, index) {
        return None;
    }
    let mut at = index - subtree.start();
    let mut last = subtree.size() - 1;
    let mut root = *entry_hash;
    for sibling in proof {
        if last == 0 {
            return None;
        }
        if at & 1 == 1 || at == last {
            root = hash::node(sibling, &root);
            // Levels where the right edge has no sibling. `at` is not 0: it is odd, or equal to `last`.
            let skipped = if at & 1 == 1 { 0 } else { at.trailing_zeros() };
            at >>= skipped;
            last >>= skipped;
        } else {
            root = hash::node(&root, sibling);
        }
        at >>= 1;
        last >>= 1;
    }
    if last == 0 { Some(root) } else { None }
}

/// Verifies that a proof leads from a leaf to a root.
#[must_use]
pub fn verify_inclusion(subtree: Subtree, index: u64, entry_hash: &Hash, proof: &[Hash], root: &Hash) -> bool {
    evaluate_inclusion(subtree, index, entry_hash, proof).is_some_and(|found| found == *root)
}

/// An iterator over the inclusion proofs of all leaves in a subtree, in order. Each proof requires two node reads on
/// average, because a leaf shares most of its path with the previous one.
///
/// ```
/// use tagwise_mtc::{hash, tree::{InclusionProofs, MemoryTree, Subtree, inclusion_proof}};
/// let mut tree = MemoryTree::new();
/// (0..11u8).for_each(|entry| tree.push(hash::leaf(&[entry])));
/// let subtree = Subtree::new(8, 11).unwrap();
/// let mut proofs = InclusionProofs::new(&tree, subtree);
/// for expected in 8..11 {
///     let (index, proof) = proofs.next_proof()?.unwrap();
///     assert_eq!((index, proof), (expected, inclusion_proof(&tree, subtree, expected)?.as_slice()));
/// }
/// assert_eq!(proofs.next_proof()?, None);
/// # Ok::<(), tagwise_mtc::tree::MissingNode>(())
/// ```
#[derive(Debug)]
pub struct InclusionProofs<'r, R: ?Sized> {
    nodes: &'r R,
    subtree: Subtree,
    /// The index of the next leaf, relative to the subtree's start.
    next: u64,
    /// The sibling at each level, if there is one.
    siblings: Vec<Hash>,
    /// The levels that have a sibling, as a bit mask.
    present: u64,
    /// The siblings without gaps, if there are gaps.
    proof: Vec<Hash>,
}

impl<'r, R: NodeReader + ?Sized> InclusionProofs<'r, R> {
    /// Creates an iterator over the proofs of a subtree.
    #[must_use]
    pub fn new(nodes: &'r R, subtree: Subtree) -> Self {
        let siblings = alloc::vec![[0; 32]; subtree.level() as usize];
        Self { nodes, subtree, next: 0, siblings, present: 0, proof: Vec::new() }
    }

    /// Returns the next leaf and its proof, from the leaf to the root, or `None` after the last leaf.
    ///
    /// # Errors
    /// Returns any error from the storage.
    pub fn next_proof(&mut self) -> Result<Option<(u64, &[Hash])>, R::Error> {
        if self.next >= self.subtree.size() {
            return Ok(None);
        }
        let (at, last) = (self.next, self.subtree.size() - 1);
        // The levels at which the node differs from the previous leaf's.
        let changed = if at == 0 { u64::BITS } else { at.trailing_zeros().saturating_add(1) };
        for (level, sibling) in (0..changed).zip(&mut self.siblings) {
            let (at, last) = (at >> level, last >> level);
            let position = at ^ 1;
            if position <= last {
                *sibling = block_hash(self.nodes, self.subtree.start(), position, level, self.subtree.end())?;
                self.present |= 1 << level;
            } else {
                self.present &= !(1 << level);
            }
        }
        self.next += 1;
        let index = self.subtree.start() + at;
        if self.present.count_ones() as usize == self.siblings.len() {
            return Ok(Some((index, &self.siblings)));
        }
        self.proof.clear();
        let levels = self.siblings.iter().enumerate().filter(|(level, _)| self.present >> level & 1 == 1);
        self.proof.extend(levels.map(|(_, sibling)| *sibling));
        Ok(Some((index, &self.proof)))
    }
}

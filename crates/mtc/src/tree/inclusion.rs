//! Inclusion proofs: the path from a leaf to the root of a subtree (MTC §4.3; RFC 9162 §2.1.3).

use alloc::vec::Vec;

use super::{NodeReader, Subtree, subtree_hash};
use crate::hash::{self, Hash};

/// The hashes that prove a leaf to be in a subtree, from the leaf to the root. Empty if the leaf is not in it, or is all of it.
///
/// # Errors
/// What the storage says.
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
            proof.push(subtree_hash(nodes, block(subtree.start(), sibling, level, subtree.end()))?);
        }
        at >>= 1;
        last >>= 1;
        level += 1;
    }
    Ok(proof)
}

/// The `position`th block of 2^`level` leaves behind `start`, cut off at `end`.
pub(super) const fn block(start: u64, position: u64, level: u32, end: u64) -> Subtree {
    let from = start + (position << level);
    let to = match from.checked_add(1 << level) {
        Some(to) if to < end => to,
        _ => end,
    };
    Subtree::known(from, to)
}

/// The number of hashes in the inclusion proof of a leaf; 0 for one that is not in the subtree.
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

/// The root that a leaf and its proof lead to; `None` if the proof is not one of this leaf in this subtree, whatever the hashes.
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
    // The length is known beforehand, and so is all of the shape: nothing is hashed for what cannot fit.
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

/// Returns whether a proof leads from a leaf to a root.
#[must_use]
pub fn verify_inclusion(subtree: Subtree, index: u64, entry_hash: &Hash, proof: &[Hash], root: &Hash) -> bool {
    evaluate_inclusion(subtree, index, entry_hash, proof).is_some_and(|found| found == *root)
}

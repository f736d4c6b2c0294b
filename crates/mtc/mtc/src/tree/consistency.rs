//! Subtree consistency proofs, which show that a tree contains a subtree (MTC §4.4). For subtrees that start at 0, they are
//! identical to the proofs in RFC 9162 §2.1.4.

use alloc::vec::Vec;

use super::inclusion::block;
use super::{NodeReader, Subtree, subtree_hash};
use crate::hash::{self, Hash};

/// Computes the proof that a tree of the given size contains a subtree. Returns `None` if the subtree extends beyond the
/// tree.
///
/// # Errors
/// Returns any error from the storage.
pub fn consistency_proof<R: NodeReader + ?Sized>(
    nodes: &R,
    subtree: Subtree,
    size: u64,
) -> Result<Option<Vec<Hash>>, R::Error> {
    if subtree.end() > size {
        return Ok(None);
    }
    let mut proof = Vec::new();
    if subtree.is_empty() {
        return Ok(Some(proof));
    }
    let (mut first, mut last, mut tree) = (subtree.start(), subtree.end() - 1, size - 1);
    // Skip to the largest node that ends the subtree and is also a node of the tree.
    let mut level = levels_to_node(first, last, tree);
    shift(&mut first, &mut last, &mut tree, level);
    if first != last {
        proof.push(subtree_hash(nodes, block(0, last, level, size))?);
    }
    while tree > 0 {
        if last & 1 == 1 {
            proof.push(subtree_hash(nodes, block(0, last - 1, level, size))?);
        } else if last < tree {
            proof.push(subtree_hash(nodes, block(0, last + 1, level, size))?);
        }
        shift(&mut first, &mut last, &mut tree, 1);
        level += 1;
    }
    Ok(Some(proof))
}

/// Returns the number of levels from the last leaf of a subtree to the node at which a proof starts.
const fn levels_to_node(first: u64, last: u64, tree: u64) -> u32 {
    // `first` and `last` are equal from this level on.
    let joined = 64 - (first ^ last).leading_zeros();
    if last == tree {
        return joined;
    }
    let odd = last.trailing_ones();
    if odd < joined { odd } else { joined }
}

fn shift(first: &mut u64, last: &mut u64, tree: &mut u64, by: u32) {
    for number in [first, last, tree] {
        *number = number.checked_shr(by).unwrap_or(0);
    }
}

/// Verifies that the tree with the given size and root contains the subtree with the given hash.
///
/// For an empty subtree, only its hash is checked because every tree contains it.
///
/// ```
/// use tagwise_mtc::{hash, tree::{MemoryTree, Subtree, consistency_proof, root, subtree_hash, verify_consistency}};
/// let mut tree = MemoryTree::new();
/// (0..11u8).for_each(|entry| tree.push(hash::leaf(&[entry])));
/// let subtree = Subtree::new(8, 10).unwrap();
/// let proof = consistency_proof(&tree, subtree, 11)?.unwrap();
/// assert!(verify_consistency(subtree, 11, &proof, &subtree_hash(&tree, subtree)?, &root(&tree, 11)?));
/// # Ok::<(), tagwise_mtc::tree::MissingNode>(())
/// ```
#[must_use]
pub fn verify_consistency(subtree: Subtree, size: u64, proof: &[Hash], subtree_hash: &Hash, root: &Hash) -> bool {
    if subtree.end() > size {
        return false;
    }
    if subtree.is_empty() {
        return proof.is_empty() && *subtree_hash == hash::EMPTY;
    }
    let (mut first, mut last, mut tree) = (subtree.start(), subtree.end() - 1, size - 1);
    let level = levels_to_node(first, last, tree);
    shift(&mut first, &mut last, &mut tree, level);
    let (start, rest) = if first == last {
        (subtree_hash, proof)
    } else {
        match proof.split_first() {
            Some(first) => first,
            None => return false,
        }
    };
    let (mut of_subtree, mut of_tree) = (*start, *start);
    for sibling in rest {
        if tree == 0 {
            return false;
        }
        if last & 1 == 1 || last == tree {
            if first < last {
                of_subtree = hash::node(sibling, &of_subtree);
            }
            of_tree = hash::node(sibling, &of_tree);
            // `last` is not 0: it is odd, or equal to `tree`.
            let skipped = last.trailing_zeros();
            shift(&mut first, &mut last, &mut tree, skipped);
        } else {
            of_tree = hash::node(&of_tree, sibling);
        }
        shift(&mut first, &mut last, &mut tree, 1);
    }
    tree == 0 && of_subtree == *subtree_hash && of_tree == *root
}

//! Tree arithmetic against the definitions of the draft, written as they stand there: recursively, over leaves.
#![allow(
    clippy::needless_range_loop,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests: what is wrong ends them"
)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::convert::Infallible;

use proptest::prelude::*;
use tagwise_mtc::tree::{
    Frontier, InclusionProofs, MemoryTree, NodeReader, Subtree, consistency_proof, cover, evaluate_inclusion,
    inclusion_proof, root, root_of_leaves, subtree_hash, verify_consistency,
};
use tagwise_mtc::{Hash, hash};

/// Leaves, and the roots of their ranges as they are asked for.
struct Naive {
    leaves: Vec<Hash>,
    roots: RefCell<HashMap<(usize, usize), Hash>>,
}

impl Naive {
    /// RFC 9162 §2.1.1, of a range of leaves.
    fn mth(&self, from: usize, to: usize) -> Hash {
        match to - from {
            0 => return hash::EMPTY,
            1 => return self.leaves[from],
            _ => {}
        }
        if let Some(known) = self.roots.borrow().get(&(from, to)) {
            return *known;
        }
        let middle = from + split((to - from) as u64) as usize;
        let root = hash::node(&self.mth(from, middle), &self.mth(middle, to));
        self.roots.borrow_mut().insert((from, to), root);
        root
    }

    /// RFC 9162 §2.1.3.1.
    fn path(&self, index: usize, from: usize, to: usize) -> Vec<Hash> {
        if to - from < 2 {
            return Vec::new();
        }
        let middle = from + split((to - from) as u64) as usize;
        if index < middle {
            [self.path(index, from, middle), vec![self.mth(middle, to)]].concat()
        } else {
            [self.path(index, middle, to), vec![self.mth(from, middle)]].concat()
        }
    }

    /// MTC §4.4, with positions of the whole tree.
    fn subproof(&self, (start, end): (usize, usize), from: usize, to: usize, known: bool) -> Vec<Hash> {
        if start == from && end == to {
            return if known { Vec::new() } else { vec![self.mth(from, to)] };
        }
        let middle = from + split((to - from) as u64) as usize;
        if end <= middle {
            [self.subproof((start, end), from, middle, known), vec![self.mth(middle, to)]].concat()
        } else if middle <= start {
            [self.subproof((start, end), middle, to, known), vec![self.mth(from, middle)]].concat()
        } else {
            assert_eq!(start, from);
            [self.subproof((middle, end), middle, to, false), vec![self.mth(from, middle)]].concat()
        }
    }
}

/// The largest power of two below a number above 1.
fn split(size: u64) -> u64 {
    1 << (63 - (size - 1).leading_zeros())
}

fn leaves(count: u64) -> Vec<Hash> {
    (0..count).map(|index| hash::leaf(&index.to_be_bytes())).collect()
}

#[test]
fn small_trees() {
    let most: u64 = 300;
    let leaves = leaves(most);
    let tree = MemoryTree::from_leaves(leaves.clone());
    let naive = Naive { leaves: leaves.clone(), roots: RefCell::default() };
    let (mut pushed, mut edge) = (MemoryTree::new(), Frontier::new());
    for size in 0..=most {
        assert_eq!(root(&tree, size).unwrap(), naive.mth(0, size as usize));
        assert_eq!(root(&pushed, size).unwrap(), naive.mth(0, size as usize));
        assert_eq!(root_of_leaves(&leaves[..size as usize]), naive.mth(0, size as usize));
        assert_eq!(edge, Frontier::of(&tree, size).unwrap());
        assert_eq!(edge.root(), naive.mth(0, size as usize));
        leaves.get(size as usize).into_iter().for_each(|leaf| {
            pushed.push(*leaf);
            edge.push(*leaf);
        });
    }
    for end in 0..=most {
        for subtree in (0..=end).filter_map(|start| Subtree::new(start, end)) {
            let (from, to) = (subtree.start() as usize, subtree.end() as usize);
            let hash = naive.mth(from, to);
            assert_eq!(subtree_hash(&tree, subtree).unwrap(), hash, "{subtree}");
            let mut all = InclusionProofs::new(&tree, subtree);
            for index in from..to {
                let path = naive.path(index, from, to);
                assert_eq!(all.next_proof().unwrap(), Some((index as u64, path.as_slice())), "{index} in {subtree}");
                let proof = inclusion_proof(&tree, subtree, index as u64).unwrap();
                assert_eq!(proof, path, "{index} in {subtree}");
                if (index + to) % 5 == 0 {
                    let found = evaluate_inclusion(subtree, index as u64, &leaves[index], &proof);
                    assert_eq!(found, Some(hash), "{index} in {subtree}");
                }
            }
            assert_eq!(all.next_proof().unwrap(), None);
            if subtree.is_empty() {
                continue;
            }
            // All sizes near by, and of those further away some.
            for size in end..=most {
                if size - end > 5 && (size * 7 + end) % 17 != 0 {
                    continue;
                }
                let proof = consistency_proof(&tree, subtree, size).unwrap().unwrap();
                assert_eq!(proof, naive.subproof((from, to), 0, size as usize, true), "{subtree} in {size}");
                let whole = naive.mth(0, size as usize);
                assert!(verify_consistency(subtree, size, &proof, &hash, &whole), "{subtree} in {size}");
            }
        }
    }
}

/// Sizes beside those of the blocks that are hashed at a time.
#[test]
fn roots_of_blocks() {
    let leaves = leaves(3000);
    let tree = MemoryTree::from_leaves(leaves.clone());
    for size in [0, 1, 2, 511, 512, 513, 1023, 1024, 1025, 1535, 1536, 1537, 2048, 2561, 2999, 3000] {
        assert_eq!(root_of_leaves(&leaves[..size]), root(&tree, size as u64).unwrap(), "{size}");
    }
}

/// A tree of any size, whose nodes are all made up: of a level and an index. It is no tree of hashes, but its nodes differ.
struct Labels;

impl NodeReader for Labels {
    type Error = Infallible;

    fn node(&self, level: u32, index: u64) -> Result<Hash, Infallible> {
        Ok(hash::leaf(&[level.to_be_bytes().as_slice(), &index.to_be_bytes()].concat()))
    }
}

/// A tree of any size in which all leaves are alike, so that nodes of a level are.
struct Uniform(Vec<Hash>);

impl Uniform {
    fn new() -> Self {
        let mut levels = vec![hash::leaf(b"the same")];
        for level in 0..64 {
            levels.push(hash::node(&levels[level], &levels[level]));
        }
        Self(levels)
    }

    /// MTH of so many leaves, by its definition.
    fn mth(&self, size: u64) -> Hash {
        match size {
            0 => hash::EMPTY,
            // Both halves of such a tree are alike, and so are theirs.
            size if size.is_power_of_two() => self.0[size.trailing_zeros() as usize],
            _ => hash::node(&self.mth(split(size)), &self.mth(size - split(size))),
        }
    }

    fn subproof(&self, start: u64, end: u64, n: u64, known: bool) -> Vec<Hash> {
        if start == 0 && end == n {
            return if known { Vec::new() } else { vec![self.mth(n)] };
        }
        let k = split(n);
        if end <= k {
            [self.subproof(start, end, k, known), vec![self.mth(n - k)]].concat()
        } else if k <= start {
            [self.subproof(start - k, end - k, n - k, known), vec![self.mth(k)]].concat()
        } else {
            [self.subproof(0, end - k, n - k, false), vec![self.mth(k)]].concat()
        }
    }

    fn path(&self, index: u64, n: u64) -> Vec<Hash> {
        if n < 2 {
            return Vec::new();
        }
        let k = split(n);
        if index < k {
            [self.path(index, k), vec![self.mth(n - k)]].concat()
        } else {
            [self.path(index - k, n - k), vec![self.mth(k)]].concat()
        }
    }
}

impl NodeReader for Uniform {
    type Error = Infallible;

    fn node(&self, level: u32, _index: u64) -> Result<Hash, Infallible> {
        Ok(self.0[level as usize])
    }
}

const LARGEST: u64 = (1 << 48) - 1;

/// Sizes of all magnitudes, and those beside powers of two.
fn sizes() -> impl Strategy<Value = u64> {
    prop_oneof![
        (1u32..49, any::<u64>()).prop_map(|(bits, number)| (number >> (64 - bits)).clamp(1, LARGEST)),
        (0u32..48, -1i64..2).prop_map(|(bits, off)| (1u64 << bits).saturating_add_signed(off).clamp(1, LARGEST)),
    ]
}

/// A subtree that ends within a size.
fn subtree_in(size: u64, end: u64, bits: u32) -> Subtree {
    let end = end % size + 1;
    // The largest start that goes with so many bits below it.
    let start = (end - 1) >> bits.min(63) << bits.min(63);
    Subtree::new(start, end).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn large_trees(size in sizes(), end in any::<u64>(), bits in 0u32..49, index in any::<u64>()) {
        let tree = Uniform::new();
        let subtree = subtree_in(size, end, bits);
        let (from, to) = (subtree.start(), subtree.end());
        let index = from + index % (to - from);
        let whole = tree.mth(size);
        let hash = tree.mth(to - from);
        prop_assert_eq!(root(&tree, size).unwrap(), whole);
        prop_assert_eq!(subtree_hash(&tree, subtree).unwrap(), hash);
        let proof = consistency_proof(&tree, subtree, size).unwrap().unwrap();
        prop_assert_eq!(&proof, &tree.subproof(from, to, size, true));
        prop_assert!(verify_consistency(subtree, size, &proof, &hash, &whole));
        let path = inclusion_proof(&tree, subtree, index).unwrap();
        prop_assert_eq!(&path, &tree.path(index - from, to - from));
        prop_assert_eq!(evaluate_inclusion(subtree, index, &tree.0[0], &path), Some(hash));
    }

    /// With nodes that are all different, a proof fits nothing but its own leaf and subtree.
    #[test]
    fn proofs_are_of_one_place(size in sizes(), end in any::<u64>(), bits in 0u32..49, index in any::<u64>(), other in any::<u64>()) {
        let subtree = subtree_in(size, end, bits);
        let index = subtree.start() + index % subtree.size();
        let path = inclusion_proof(&Labels, subtree, index).unwrap();
        // A path over made-up nodes leads to what its hashes make, and only at its place to the same.
        let leaf = hash::leaf(b"leaf");
        let found = evaluate_inclusion(subtree, index, &leaf, &path);
        prop_assert!(found.is_some());
        let other = subtree.start() + other % subtree.size();
        if other != index {
            prop_assert_ne!(evaluate_inclusion(subtree, other, &leaf, &path), found);
        }
    }

    #[test]
    fn coverings(start in 0..LARGEST, len in sizes()) {
        let end = start.saturating_add(len).min(LARGEST);
        let [left, right] = cover(start, end).unwrap();
        prop_assert_eq!(Subtree::new(left.start(), left.end()), Some(left));
        prop_assert_eq!(Subtree::new(right.start(), right.end()), Some(right));
        prop_assert_eq!(left.end(), right.start());
        prop_assert_eq!(right.end(), end);
        prop_assert!(left.start() <= start);
        // What is before the range is less than half of the left one.
        prop_assert!(left.is_empty() || (start - left.start()) * 2 < left.size());
    }
}

//! The vectors of the draft's appendix C: accumulated over all small trees, and for large ones.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests: what is wrong ends them")]

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tagwise_codec::text::{base64, hex};
use tagwise_mtc::tree::{
    MemoryTree, Subtree, consistency_proof, cover, evaluate_inclusion, inclusion_proof, inclusion_proof_len, root,
    subtree_hash, verify_consistency, verify_inclusion,
};
use tagwise_mtc::{Hash, hash};
use tagwise_testing::corpus;

const SIZE: u64 = 130;

fn tree() -> MemoryTree {
    let mut tree = MemoryTree::new();
    (0..SIZE as u8).for_each(|leaf| tree.push(hash::leaf(&[leaf])));
    tree
}

struct Lines(Sha256);

impl Lines {
    fn new() -> Self {
        Self(Sha256::new())
    }

    fn add(&mut self, head: &str, hashes: &[Hash]) {
        let mut line = head.to_owned();
        hashes.iter().for_each(|hash| write!(line, " {}", hex::encode(hash)).unwrap());
        line.push('\n');
        self.0.update(line);
    }

    fn digest(self) -> String {
        hex::encode(&self.0.finalize())
    }
}

fn subtrees(end: u64) -> impl Iterator<Item = Subtree> {
    (0..=end).filter_map(move |start| Subtree::new(start, end))
}

/// All hashes of a proof but the last, one more, and each with a bit changed.
fn damaged(proof: &[Hash]) -> Vec<Vec<Hash>> {
    let mut out = vec![[proof, &[[0; 32]]].concat()];
    if !proof.is_empty() {
        out.push(proof[..proof.len() - 1].to_vec());
        out.push(proof[1..].to_vec());
    }
    for index in 0..proof.len() {
        let mut one = proof.to_vec();
        one[index][7] ^= 0x10;
        out.push(one);
    }
    out
}

#[test]
fn subtree_hashes() {
    let tree = tree();
    let mut lines = Lines::new();
    for end in 0..=SIZE {
        for subtree in subtrees(end) {
            lines.add(&format!("{subtree}"), &[subtree_hash(&tree, subtree).unwrap()]);
        }
    }
    assert_eq!(lines.digest(), "b82806ad4265bb151c1119c0f4db437bb4d1a1f887b3a7fba1cd4ebf552e3e81");
}

#[test]
fn inclusion_proofs() {
    let tree = tree();
    let mut lines = Lines::new();
    for end in 0..=SIZE {
        for subtree in subtrees(end) {
            let hash = subtree_hash(&tree, subtree).unwrap();
            for index in subtree.start()..subtree.end() {
                let proof = inclusion_proof(&tree, subtree, index).unwrap();
                lines.add(&format!("{index} {subtree}"), &proof);
                assert_eq!(proof.len(), inclusion_proof_len(subtree, index));
                let leaf = hash::leaf(&[index as u8]);
                assert_eq!(evaluate_inclusion(subtree, index, &leaf, &proof), Some(hash));
                if end % 7 == 0 {
                    for other in damaged(&proof) {
                        assert!(!verify_inclusion(subtree, index, &leaf, &other, &hash), "{subtree} {index}");
                    }
                    for other in [index.wrapping_sub(1), index + 1, subtree.end()] {
                        assert!(!verify_inclusion(subtree, other, &leaf, &proof, &hash), "{subtree} {index} {other}");
                    }
                }
            }
        }
    }
    assert_eq!(lines.digest(), "ac2a8f989e44d99e399db448050ff5f19757df53cfb716aa81015d3955d8163f");
}

#[test]
fn consistency_proofs() {
    let tree = tree();
    let mut lines = Lines::new();
    let roots: Vec<Hash> = (0..=SIZE).map(|size| root(&tree, size).unwrap()).collect();
    for size in 0..=SIZE {
        let whole = roots[size as usize];
        for end in 0..=size {
            for subtree in subtrees(end) {
                let hash = subtree_hash(&tree, subtree).unwrap();
                let proof = consistency_proof(&tree, subtree, size).unwrap().unwrap();
                lines.add(&format!("{subtree} {size}"), &proof);
                assert!(verify_consistency(subtree, size, &proof, &hash, &whole), "{subtree} {size}");
                if size % 13 == 0 {
                    for other in damaged(&proof) {
                        assert!(!verify_consistency(subtree, size, &other, &hash, &whole), "{subtree} {size}");
                    }
                    let mut wrong = hash;
                    wrong[0] ^= 1;
                    assert!(!verify_consistency(subtree, size, &proof, &wrong, &whole), "{subtree} {size}");
                    let mut wrong = whole;
                    wrong[31] ^= 0x80;
                    // An empty subtree is in every tree, whatever its root.
                    let answer = verify_consistency(subtree, size, &proof, &hash, &wrong);
                    assert_eq!(answer, subtree.is_empty(), "{subtree} {size}");
                }
            }
        }
    }
    assert_eq!(lines.digest(), "10fa99b37bf9bf9ffa26b412fbd98bd75363256d0b75d61bc4538b9c9c5a0a74");
}

#[test]
fn coverings() {
    let mut lines = Lines::new();
    for end in 0..=SIZE {
        for start in 0..=end {
            let [left, right] = cover(start, end).unwrap();
            assert_eq!(Subtree::new(left.start(), left.end()), Some(left));
            assert_eq!(Subtree::new(right.start(), right.end()), Some(right));
            lines.add(&format!("{left} {right}"), &[]);
        }
    }
    assert_eq!(lines.digest(), "7fd9c8b926e9d2b5cf831560e8ce295a5ef97ad5c5ede4ea0dea28a8c8fc8bb0");
    assert_eq!(cover(3, 2), None);
}

#[test]
fn subtrees_of_large_trees() {
    let power = |bits: u32| 1u64 << bits;
    let valid = [
        (0, power(47) + 1),
        (0, power(48) - 1),
        (0, power(62) + 1),
        (0, power(63) - 1),
        (0, power(63) + 1),
        (0, u64::MAX),
    ];
    for (start, end) in valid {
        assert!(Subtree::new(start, end).is_some(), "{start:x} {end:x}");
    }
    let invalid = [
        (power(46), power(47) + 1),
        (power(46), power(48) - 1),
        (power(61), power(62) + 1),
        (power(61), power(63) - 1),
        (power(62), power(63) + 1),
        (power(62), u64::MAX),
        (2, 1),
    ];
    for (start, end) in invalid {
        assert!(Subtree::new(start, end).is_none(), "{start:x} {end:x}");
    }
}

#[test]
fn coverings_of_large_trees() {
    // For 48, 63 and 64 bits: half and whole are the largest powers of two.
    for bits in [48u32, 63, 64] {
        let half = 1u64 << (bits - 1);
        let quarter = half / 2;
        let (eighth, last) = (half / 8, half.wrapping_mul(2).wrapping_sub(1));
        let cases = [
            ((0, half), [(0, quarter), (quarter, half)]),
            ((5 * eighth, 13 * eighth), [(4 * eighth, 8 * eighth), (8 * eighth, 13 * eighth)]),
            ((half - 1, half + 1), [(half - 1, half), (half, half + 1)]),
            ((last - 1, last), [(last - 1, last), (last, last)]),
            ((last, last), [(last, last), (last, last)]),
        ];
        for ((start, end), [left, right]) in cases {
            let found = cover(start, end).unwrap().map(|subtree| (subtree.start(), subtree.end()));
            assert_eq!(found, [left, right], "{start:x} {end:x}");
        }
    }
}

fn number(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

fn one_hash(value: &Value) -> Hash {
    base64::decode(value.as_str().unwrap().as_bytes()).unwrap().try_into().unwrap()
}

fn hashes(value: &Value) -> Vec<Hash> {
    let bytes = base64::decode(value.as_str().unwrap_or_default().as_bytes()).unwrap();
    let (hashes, rest) = bytes.as_chunks::<32>();
    assert!(rest.is_empty());
    hashes.to_vec()
}

fn cases(name: &str) -> Option<Vec<Value>> {
    let file = corpus(&format!("mtc/mtcs-0.3.1/{name}"))?;
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert!(cases.len() > 20);
    Some(cases)
}

#[test]
fn large_inclusion_proofs() {
    let Some(cases) = cases("large_inclusion_proofs.json") else { return };
    for case in cases {
        let subtree = Subtree::new(number(&case["Start"]), number(&case["End"])).unwrap();
        let (index, proof) = (number(&case["Index"]), hashes(&case["Proof"]));
        let (entry, root) = (one_hash(&case["EntryHash"]), one_hash(&case["SubtreeHash"]));
        assert_eq!(evaluate_inclusion(subtree, index, &entry, &proof), Some(root), "{subtree} {index}");
        assert_eq!(proof.len(), inclusion_proof_len(subtree, index));
        for other in damaged(&proof) {
            assert!(!verify_inclusion(subtree, index, &entry, &other, &root), "{subtree} {index}");
        }
    }
}

#[test]
fn large_consistency_proofs() {
    let Some(cases) = cases("large_consistency_proofs.json") else { return };
    for case in cases {
        let subtree = Subtree::new(number(&case["Start"]), number(&case["End"])).unwrap();
        let (size, proof) = (number(&case["TreeSize"]), hashes(&case["Proof"]));
        let (hash, root) = (one_hash(&case["SubtreeHash"]), one_hash(&case["TreeHash"]));
        assert!(verify_consistency(subtree, size, &proof, &hash, &root), "{subtree} {size}");
        for other in damaged(&proof) {
            assert!(!verify_consistency(subtree, size, &other, &hash, &root), "{subtree} {size}");
        }
    }
}

#[test]
fn rfc_6962() {
    let leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let mut tree = MemoryTree::new();
    assert_eq!(root(&tree, 0).unwrap(), hash::EMPTY);
    for (leaf, expected) in leaves.iter().zip(roots) {
        tree.push(hash::leaf(&hex::decode(leaf.as_bytes()).unwrap()));
        assert_eq!(hex::encode(&root(&tree, tree.size()).unwrap()), expected);
    }
    let path: Vec<String> =
        inclusion_proof(&tree, Subtree::whole(8), 5).unwrap().iter().map(|hash| hex::encode(hash)).collect();
    assert_eq!(
        path,
        [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
        ]
    );
    let proof = consistency_proof(&tree, Subtree::whole(6), 8).unwrap().unwrap();
    let proof: Vec<String> = proof.iter().map(|hash| hex::encode(hash)).collect();
    assert_eq!(
        proof,
        [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
        ]
    );
}

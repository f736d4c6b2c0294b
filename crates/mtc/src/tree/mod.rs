//! Tree arithmetic: subtrees, roots, proofs and their checks, over any storage of nodes (MTC §4; RFC 9162 §2.1).
//!
//! All of it is iterative and takes O(log n) nodes. A tree's nodes are read through [`NodeReader`]; [`MemoryTree`] keeps them in memory.

mod consistency;
mod cover;
mod frontier;
mod inclusion;
mod memory;
mod nodes;
mod subtree;

pub use consistency::{consistency_proof, verify_consistency};
pub use cover::cover;
pub use frontier::{Frontier, root_of_leaves};
pub use inclusion::{InclusionProofs, evaluate_inclusion, inclusion_proof, inclusion_proof_len, verify_inclusion};
pub use memory::{MemoryTree, MissingNode};
pub use nodes::{NodeReader, root, subtree_hash};
pub use subtree::Subtree;

/// The largest size of a log: 2⁴⁸-1.
pub const MAX_SIZE: u64 = (1 << 48) - 1;

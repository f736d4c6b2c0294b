//! Tree algorithms: subtrees, roots, and proofs, over any node storage (MTC §4; RFC 9162 §2.1).
//!
//! The algorithms are iterative, and read O(log n) nodes through [`NodeReader`]. [`MemoryTree`] stores nodes in memory.

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

/// The maximum size of a log: 2⁴⁸-1.
pub const MAX_SIZE: u64 = (1 << 48) - 1;

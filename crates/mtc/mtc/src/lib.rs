//! Merkle Tree Certificates (draft-ietf-plants-merkle-tree-certs-07), in which the signature is a proof of inclusion in a
//! log.
//!
//! A CA appends certified data to a log, and cosigners sign subtrees of the log. A certificate carries an inclusion
//! proof and either cosignatures (*standalone*), or none if the relying party already trusts the subtree
//! (*landmark-relative*).
//!
//! This crate implements the protocol without I/O, clock or keys. Callers pass in the time, a trait verifies
//! signatures, and trees are read through [`tree::NodeReader`]. For a log with persistent state, use `tagwise-mtc-log`.
//!
//! ```
//! use tagwise_mtc::tree::{MemoryTree, Subtree, evaluate_inclusion, inclusion_proof, subtree_hash};
//! use tagwise_mtc::hash;
//!
//! let mut tree = MemoryTree::new();
//! for entry in 0..13u8 {
//!     tree.push(hash::leaf(&[entry]));
//! }
//! let subtree = Subtree::new(8, 13).unwrap();
//! let proof = inclusion_proof(&tree, subtree, 10)?;
//! let root = evaluate_inclusion(subtree, 10, &hash::leaf(&[10]), &proof).unwrap();
//! assert_eq!(root, subtree_hash(&tree, subtree)?);
//! # Ok::<(), tagwise_mtc::tree::MissingNode>(())
//! ```
//!
//! Draft -07 is the default. The wire formats of -06 and -05 are available through [`Draft`] and are never mixed.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "crypto")]
extern crate std;

mod algorithm;
mod authority;
mod certificate;
mod cosigned;
#[cfg(feature = "crypto")]
pub mod crypto;
mod draft;
mod entry;
mod error;
pub mod hash;
mod id;
pub mod landmark;
pub mod note;
#[cfg(feature = "path")]
pub mod path;
mod pattern;
mod proof;
mod property;
pub mod relying;
mod revoked;
mod serial;
#[cfg(feature = "show")]
pub mod show;
pub mod tile;
pub mod tree;
mod wire;

pub use algorithm::{CosignerAlgorithm, UnknownAlgorithm, key_algorithm};
pub use authority::{CaCertificate, NewCaCertificate};
pub use certificate::{MtcCertificate, assemble, is_mtc};
pub use cosigned::CosignedSubtree;
pub use draft::{Draft, UnknownDraft};
pub use entry::{EntryContent, EntryExtension, EntryExtensions, LogEntry, TbsCertificateLogEntry};
pub use error::{Error, ErrorKind};
pub use hash::Hash;
pub use id::TrustAnchorId;
pub use pattern::TrustAnchorPattern;
pub use proof::{Cosignature, Cosignatures, MtcProof};
pub use property::{CertificateProperties, PROPERTIES_LABEL};
pub use revoked::RevokedRanges;
pub use serial::Serial;

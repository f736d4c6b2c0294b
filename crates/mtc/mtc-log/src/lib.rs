//! Persistent Merkle Tree Certificate logs. [`Log`] is a CA's issuance log in a SQLite file, [`Witness`] and [`Mirror`]
//! cosign others' logs, and [`Auditor`] follows a log.
//!
//! A log is append-only and crash-safe: its size only grows, each size has exactly one root, and only data already on disk
//! is signed. Signatures are returned only after they are written to disk. When a log is opened, its tree is recomputed
//! from its tiles and compared with the signed roots.
//!
//! [`tagwise_mtc`] implements the protocol. With the feature `serve`, logs, witnesses and mirrors answer HTTP requests
//! as specified by C2SP's tlog-tiles, tlog-witness and tlog-mirror.
#![forbid(unsafe_code)]

mod above;
mod audit;
mod error;
mod issue;
mod log;
mod mirror;
mod nodes;
mod publish;
#[cfg(feature = "serve")]
pub mod serve;
mod signer;
mod source;
mod store;
mod witness;

pub use audit::{AuditError, AuditReport, AuditedEntry, Auditor, LogSource};
pub use error::Error;
pub use issue::{Certified, Template, entry_of, entry_of_tbs};
pub use log::{CheckpointRecord, Log, LogInfo, NewEntry, Synchronous};
pub use mirror::Mirror;
pub use nodes::{TileNodes, TileSource};
pub use publish::publish;
pub use signer::NoteSigner;
pub use witness::{KnownLog, Reply, Witness};

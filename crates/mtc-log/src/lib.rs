//! Logs of Merkle Tree Certificates that keep their state: [`Log`] is a CA's issuance log in a SQLite file, [`Witness`] and
//! [`Mirror`] cosign the logs of others, [`Auditor`] follows one.
//!
//! A log is append-only and survives a crash at any point: its size only grows, a size has one root, and a signature is made only of what
//! is on disk, and given out only when it is there itself. On opening, the tree is computed again from its tiles and compared with
//! what was signed.
//!
//! The protocol is [`tagwise_mtc`]; with the feature `serve` logs, witnesses and mirrors answer over HTTP as C2SP's tlog-tiles,
//! tlog-witness and tlog-mirror say.
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

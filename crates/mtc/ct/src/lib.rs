//! Certificate Transparency (RFC 6962, and the static-ct-api of C2SP), without I/O.
//!
//! - [`Client`] reads a log through a callback, and verifies tree heads, checkpoints and proofs.
//! - [`State`] follows a log: each entry is hashed into the tree that the log has signed, so forks, rollbacks and wrong
//!   leaves are detected. A monitor that stores its state continues where it stopped.
//! - [`submission`] and [`timestamp`] submit a precertificate and verify the log's signed certificate timestamp (SCT).
#![forbid(unsafe_code)]

mod client;
mod entry;
mod error;
mod follow;
mod head;
mod submit;
mod wire;

pub use client::{Api, Client, Fetch};
pub use entry::{Entry, EntryKind, leaf_index};
pub use error::Error;
pub use follow::State;
pub use head::TreeHead;
pub use submit::{submission, timestamp, timestamp_list, verify_timestamp};
pub use tagwise_mtc::{Hash, hash};
pub use tagwise_path::{Log, LogEntry};

/// Decodes a hash in base64.
pub(crate) fn wire_hash(text: &str) -> Result<tagwise_mtc::Hash, String> {
    let bytes = tagwise_codec::text::base64::decode(text.as_bytes()).map_err(|error| error.to_string())?;
    tagwise_mtc::Hash::try_from(bytes.as_slice())
        .map_err(|_wrong| format!("a hash of {} bytes, expected 32", bytes.len()))
}

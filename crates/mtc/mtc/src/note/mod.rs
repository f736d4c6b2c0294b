//! Signed notes, checkpoints, and requests to witnesses and mirrors (C2SP signed-note, tlog-checkpoint, tlog-cosignature,
//! tlog-witness, tlog-mirror). Formats only, without networking.

mod checkpoint;
mod key;
mod mirror;
mod request;
mod signed;

pub use checkpoint::Checkpoint;
pub use key::{NoteKey, NoteKeyKind};
pub use mirror::{AddEntries, EntryPackage, MirrorInfo};
pub use request::{AddCheckpoint, SignSubtree};
pub use signed::{Note, NoteSignature};

/// The maximum number of hashes in a request's proof.
pub const MAX_PROOF: usize = 63;

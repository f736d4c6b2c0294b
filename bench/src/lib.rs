//! Tagwise beside its peers: rows to measure, one adapter a library, and the loop that times them in turn.
//!
//! Everything runs in one process and in interleaved rounds, because figures of different runs on different days
//! do not compare. A user of Tagwise never builds this package: it is a workspace of its own.

pub mod agree;
pub mod callgrind;
pub mod cli;
pub mod edit;
pub mod harness;
pub mod inputs;
pub mod machine;
pub mod parsed;
pub mod peer;
pub mod peers;
pub mod probes;
pub mod report;
pub mod rows;

//! What the benchmark programs share: the corpora, the timing loop, and the description of the machine.
//!
//! The measured code lives in the programs themselves, never here, so that a change of the harness cannot move a result.

pub mod callgrind;
pub mod corpus;
pub mod harness;
pub mod machine;

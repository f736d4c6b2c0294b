//! libtagwise as C sees it: programs in `tests/c`, compiled and run; what the library exports; and calls of every function with nothing, and
//! with a panic inside.
//!
//! `./x c` runs these tests under other compilers and checkers: TAGWISE_C_COMPILERS has a command a line, TAGWISE_C_RUNNER what the programs
//! are run by.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests: what they cannot do ends them")]

mod build;
mod calls;
mod copyright;
mod examples;
mod exports;
mod generated;
mod guide;
mod programs;
mod userdb;

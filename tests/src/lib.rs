//! Shared support for the tests of several crates: corpora read in place, verdicts about inputs, registers of named
//! deviations, and mutations of real files.
//!
//! Nothing here is part of the library. A failed expectation panics, as in any test.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

pub mod alike;
pub mod build;
pub mod cms;
pub mod corpora;
pub mod definitions;
pub mod files;
pub mod forms;
pub mod generated;
pub mod messages;
pub mod mutate;
pub mod openssl;
pub mod register;
pub mod samples;
pub mod sets;
pub mod verdict;

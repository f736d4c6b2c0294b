//! Counters of a server.

use std::sync::atomic::AtomicU64;

/// Counters of a server.
#[derive(Debug, Default)]
pub struct Counters {
    /// The number of requests.
    pub requests: AtomicU64,
    /// The number of requests that were answered with a problem.
    pub problems: AtomicU64,
    /// The number of validations.
    pub validations: AtomicU64,
    /// The number of issued certificates.
    pub issued: AtomicU64,
}

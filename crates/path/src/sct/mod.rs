//! Signed certificate timestamps (RFC 6962): the requirements of a policy, the logs, and the check of each timestamp.
//!
//! The timestamps come from the certificate itself, from an OCSP response of the evidence, and from the TLS handshake. Inclusion
//! proofs are not asked for.

mod check;
#[cfg(feature = "log-list")]
mod json;
mod logs;
mod signed;

use std::sync::Arc;

use tagwise_pkix::UnixTime;

pub(crate) use check::check;
#[cfg(feature = "log-list")]
pub use json::LogListError;
pub use logs::{Log, LogList, LogState};

/// The timestamps that the end certificate must have.
///
/// ```
/// use tagwise_path::{LogList, SctPolicy};
/// // Two timestamps, of logs with different operators.
/// let policy = SctPolicy::new(LogList::default(), 2, 2);
/// assert!(policy.stapled.is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SctPolicy {
    /// The logs that are trusted.
    pub logs: Arc<LogList>,
    /// The minimum number of logs with a valid timestamp.
    pub min_logs: usize,
    /// The minimum number of operators of those logs.
    pub min_operators: usize,
    /// Lists from the TLS handshake: the octets of a `SignedCertificateTimestampList` (RFC 6962 §3.3).
    pub stapled: Vec<Vec<u8>>,
}

impl SctPolicy {
    /// Makes a policy: valid timestamps of at least `min_logs` logs, which have at least `min_operators` operators.
    #[must_use]
    pub fn new(logs: LogList, min_logs: usize, min_operators: usize) -> Self {
        Self { logs: Arc::new(logs), min_logs, min_operators, stapled: Vec::new() }
    }
}

/// The place that a timestamp came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SctOrigin {
    /// An extension of the certificate.
    Certificate,
    /// The TLS handshake.
    Handshake,
    /// An OCSP response.
    Ocsp,
}

impl SctOrigin {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Handshake => "handshake",
            Self::Ocsp => "ocsp",
        }
    }
}

/// A timestamp that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SctAnswer {
    /// The description of the log, or its identifier in hexadecimal.
    pub log: String,
    /// The operator of the log, if the log is known.
    pub operator: Option<String>,
    /// The time of the timestamp, to the second, if its version is known.
    pub time: Option<UnixTime>,
    /// The place that it came from.
    pub origin: SctOrigin,
    /// The reason why it does not count, or `None` if it is valid.
    pub fault: Option<String>,
}

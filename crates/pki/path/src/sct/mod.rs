//! Signed certificate timestamps (RFC 6962): the policy's requirements, the logs, and the checks.
//!
//! Timestamps come from the certificate, an OCSP response, and the TLS handshake. Inclusion proofs are
//! not required.

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
pub use signed::{LogEntry, precertificate_tbs};

/// The signed certificate timestamps (SCTs) that the end-entity certificate must have.
///
/// ```
/// use tagwise_path::{LogList, SctPolicy};
/// // Two timestamps, from logs with different operators.
/// let policy = SctPolicy::new(LogList::default(), 2, 2);
/// assert!(policy.stapled.is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SctPolicy {
    /// The trusted logs.
    pub logs: Arc<LogList>,
    /// The minimum number of logs with a valid timestamp.
    pub min_logs: usize,
    /// The minimum number of different operators among those logs.
    pub min_operators: usize,
    /// SCT lists from the TLS handshake: each a `SignedCertificateTimestampList` (RFC 6962 §3.3).
    pub stapled: Vec<Vec<u8>>,
}

impl SctPolicy {
    /// Creates a policy that requires valid timestamps from at least `min_logs` logs of at least `min_operators`
    /// operators.
    #[must_use]
    pub fn new(logs: LogList, min_logs: usize, min_operators: usize) -> Self {
        Self { logs: Arc::new(logs), min_logs, min_operators, stapled: Vec::new() }
    }
}

/// The delivery channel of a signed certificate timestamp (SCT).
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
    /// Returns the stable name: `certificate`, `handshake` or `ocsp`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Handshake => "handshake",
            Self::Ocsp => "ocsp",
        }
    }
}

/// The result of checking a signed certificate timestamp (SCT).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SctAnswer {
    /// The log's description, or its ID in hexadecimal.
    pub log: String,
    /// The log's operator, if known.
    pub operator: Option<String>,
    /// The time of the timestamp in whole seconds, if its version is supported.
    pub time: Option<UnixTime>,
    /// The delivery channel of the timestamp.
    pub origin: SctOrigin,
    /// The reason why the timestamp is invalid, or `None` if it is valid.
    pub fault: Option<String>,
}

//! Limits on the cost of a query.

use std::time::Duration;

/// The limits on a single query or, in a service, on a single caller.
///
/// ```
/// use std::time::Duration;
/// use tagwise_userdb::Budget;
/// let budget = Budget::DEFAULT.with_time(Duration::from_secs(2));
/// assert_eq!(budget.records, Budget::DEFAULT.records);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// The maximum time from sending the query to receiving the last record.
    pub time: Duration,
    /// The maximum size of all answers, in bytes.
    pub bytes: usize,
    /// The maximum number of records.
    pub records: usize,
}

impl Budget {
    /// The default limits: 10 seconds, 256 MiB and one million records. They exceed the needs of the largest hosts, but are low
    /// enough to be harmless.
    pub const DEFAULT: Self = Self { time: Duration::from_secs(10), bytes: 256 << 20, records: 1_000_000 };

    /// Sets the maximum time.
    #[must_use]
    pub const fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Sets the maximum size in bytes.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets the maximum number of records.
    #[must_use]
    pub const fn with_records(mut self, records: usize) -> Self {
        self.records = records;
        self
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

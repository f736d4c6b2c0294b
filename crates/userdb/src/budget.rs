//! Limits on the cost of a service to whoever asks it.

use std::time::Duration;

/// Limits of one question, or, in a service, of one caller.
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
    /// The longest time from the question to the last record.
    pub time: Duration,
    /// The greatest number of bytes in all answers.
    pub bytes: usize,
    /// The greatest number of records.
    pub records: usize,
}

impl Budget {
    /// 10 seconds, 256 MiB and a million records: more than the largest hosts have, less than harms one.
    pub const DEFAULT: Self = Self { time: Duration::from_secs(10), bytes: 256 << 20, records: 1_000_000 };

    /// The budget with another time.
    #[must_use]
    pub const fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// The budget with another number of bytes.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// The budget with another number of records.
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

//! Selection of lints, and limits.

use super::list::{ALL, Lint, Severity};

/// The selected lints, and the number of findings to keep.
///
/// ```
/// use tagwise_lint::{self as lint, Options, Severity};
/// let zero = lint::by_id("rfc5280.4.1.2.2.zero_serial").unwrap();
/// assert!(Options::all().has(zero) && !Options::all().without(zero).has(zero));
/// let errors = Options::all().at_least(Severity::Error);
/// assert!(lint::ALL.iter().all(|lint| errors.has(lint) == (lint.severity == Severity::Error)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// A bit for each lint, by its index.
    low: u128,
    high: u128,
    limit: usize,
}

impl Options {
    /// The default number of findings to keep, which bounds the memory used for large CRLs.
    pub const LIMIT: usize = 10_000;

    /// Selects all lints.
    #[must_use]
    pub const fn all() -> Self {
        Self { low: u128::MAX, high: u128::MAX, limit: Self::LIMIT }
    }

    /// Selects no lints.
    #[must_use]
    pub const fn none() -> Self {
        Self { low: 0, high: 0, limit: Self::LIMIT }
    }

    /// Adds a lint.
    #[must_use]
    pub const fn with(mut self, lint: &Lint) -> Self {
        let (low, high) = bit(lint);
        self.low |= low;
        self.high |= high;
        self
    }

    /// Removes a lint.
    #[must_use]
    pub const fn without(mut self, lint: &Lint) -> Self {
        let (low, high) = bit(lint);
        self.low &= !low;
        self.high &= !high;
        self
    }

    /// Removes lints below the given severity.
    #[must_use]
    pub fn at_least(self, severity: Severity) -> Self {
        ALL.iter().filter(|lint| lint.severity < severity).fold(self, |options, lint| options.without(lint))
    }

    /// Limits the number of findings to keep. Others are only counted.
    #[must_use]
    pub const fn limit(mut self, findings: usize) -> Self {
        self.limit = findings;
        self
    }

    /// Returns whether a lint is selected.
    #[must_use]
    pub const fn has(&self, lint: &Lint) -> bool {
        let (low, high) = bit(lint);
        self.low & low != 0 || self.high & high != 0
    }

    pub(super) const fn most(&self) -> usize {
        self.limit
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::all()
    }
}

/// Returns the bit of a lint in the two words.
const fn bit(lint: &Lint) -> (u128, u128) {
    let index = lint.index as u32;
    if index < 128 { (1 << index, 0) } else { (0, 1 << (index - 128)) }
}

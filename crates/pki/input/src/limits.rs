//! Limits on the cost of reading an input.

/// Resource limits for untrusted files. Exceeding one is reported as a [`Failure`](crate::contents::Failure), and earlier
/// results are kept.
///
/// ```
/// use tagwise_input::Limits;
/// let careful = Limits { output: 1 << 20, ..Limits::DEFAULT };
/// assert!(careful.output < Limits::DEFAULT.output);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum decompressed size of everything in one input, in bytes. The complete Common CA Database is 14 MB in size.
    pub output: u64,
    /// The maximum ratio of decompressed to compressed size, for each member and for the whole input. The first decompressed
    /// mebibyte is exempt. Deflate can reach 1,032, but text with certificates stays below 10.
    pub ratio: u32,
    /// The maximum number of members of all archives in one input. If an archive exceeds it, none of its members are read.
    pub entries: u32,
    /// The maximum nesting of containers: for example, an archive in an archive, with a bundle in PEM.
    pub depth: u8,
    /// The maximum number of certificates and CRLs in one input, and of listed failures.
    pub items: u32,
}

impl Limits {
    /// The default limits: 1 GiB of output, a ratio of 100, 100,000 members, 5 levels, and 2²⁴ items.
    pub const DEFAULT: Self = Self { output: 1 << 30, ratio: 100, entries: 100_000, depth: 5, items: 1 << 24 };

    /// Returns the maximum decompressed size for an input of this size, from the output limit and the ratio.
    ///
    /// ```
    /// use tagwise_input::Limits;
    /// let limits = Limits { output: 1 << 30, ratio: 100, ..Limits::DEFAULT };
    /// assert_eq!(limits.expansion(10), 1 << 20);
    /// assert_eq!(limits.expansion(1 << 20), 100 << 20);
    /// assert_eq!(limits.expansion(1 << 40), 1 << 30);
    /// ```
    #[must_use]
    pub const fn expansion(&self, size: u64) -> u64 {
        let most = size.saturating_mul(self.ratio as u64);
        let most = if most < FREE { FREE } else { most };
        if most < self.output { most } else { self.output }
    }
}

/// The decompressed size that is always allowed, in bytes.
pub(crate) const FREE: u64 = 1 << 20;

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

//! Limits on the cost of reading a store.

/// Limits against hostile files. What exceeds one is a [`Failure`](super::Failure), and what was read before it stays.
///
/// ```
/// use tagwise_store::Limits;
/// let careful = Limits { output: 1 << 20, ..Limits::DEFAULT };
/// assert!(careful.output < Limits::DEFAULT.output);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes that everything in one input may decompress to. All of the Common CA Database is 14 MB.
    pub output: u64,
    /// The highest ratio of decompressed to compressed size. It applies to each member, and to everything in an input
    /// relative to the input's size, both above the first mebibyte. Deflate reaches 1,032; text with certificates stays
    /// below 10.
    pub ratio: u32,
    /// The most members of all archives in one input. Nothing is read of an archive that has more.
    pub entries: u32,
    /// The most containers around a certificate: an archive in an archive, PEM in it, a bundle in that.
    pub depth: u8,
    /// The most certificates and CRLs that one input may hold, and the most failures that are listed.
    pub items: u32,
}

impl Limits {
    /// 1 GiB of output, 100 times the compressed size, 100,000 members, 5 levels, 2²⁴ items.
    pub const DEFAULT: Self = Self { output: 1 << 30, ratio: 100, entries: 100_000, depth: 5, items: 1 << 24 };

    /// Returns the most bytes that an input of this size may decompress to: the output limit, or what the ratio allows.
    ///
    /// ```
    /// use tagwise_store::Limits;
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

/// The bytes that an input may decompress to whatever its size.
pub(super) const FREE: u64 = 1 << 20;

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

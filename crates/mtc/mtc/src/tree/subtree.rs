//! Subtrees: ranges of leaves with a common root.

use core::fmt;

/// A range of leaves `[start, end)`, whose start is a multiple of the smallest power of two that is at least the range's
/// length (MTC §4.1). Empty ranges are also subtrees.
///
/// ```
/// use tagwise_mtc::tree::Subtree;
/// assert!(Subtree::new(8, 13).is_some());
/// assert!(Subtree::new(4, 9).is_none());
/// assert_eq!(Subtree::new(8, 13).unwrap().to_string(), "[8, 13)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subtree {
    start: u64,
    end: u64,
}

impl Subtree {
    /// Creates the subtree for a range. Returns `None` if the range is not a valid subtree.
    #[must_use]
    pub const fn new(start: u64, end: u64) -> Option<Self> {
        let Some(size) = end.checked_sub(start) else { return None };
        let is_aligned = match size.checked_next_power_of_two() {
            Some(ceil) => start & (ceil - 1) == 0,
            // Above 2⁶³, the power of two does not fit in 64 bits, and only 0 is a multiple of it.
            None => start == 0,
        };
        if is_aligned { Some(Self { start, end }) } else { None }
    }

    /// Creates the subtree that is the whole tree of the given size.
    #[must_use]
    pub const fn whole(size: u64) -> Self {
        Self { start: 0, end: size }
    }

    /// Creates a subtree from a range that is known to be valid.
    pub(super) const fn known(start: u64, end: u64) -> Self {
        Self { start, end }
    }

    /// Returns the index of the first leaf.
    #[must_use]
    pub const fn start(self) -> u64 {
        self.start
    }

    /// Returns the index after the last leaf.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.end
    }

    /// Returns the number of leaves.
    #[must_use]
    pub const fn size(self) -> u64 {
        self.end - self.start
    }

    /// Returns whether the subtree is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether the number of leaves is a power of two, so that its root is a node of every larger tree.
    #[must_use]
    pub const fn is_full(self) -> bool {
        self.size().is_power_of_two()
    }

    /// Returns the level of the root. Leaves have level 0.
    #[must_use]
    pub const fn level(self) -> u32 {
        match self.size().checked_sub(1) {
            Some(last) => 64 - last.leading_zeros(),
            None => 0,
        }
    }

    /// Returns whether the subtree contains a leaf.
    #[must_use]
    pub const fn contains(self, index: u64) -> bool {
        self.start <= index && index < self.end
    }
}

impl fmt::Display for Subtree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", self.start, self.end)
    }
}

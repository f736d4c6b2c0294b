//! Serial numbers that a relying party rejects.

use alloc::vec::Vec;

/// Inclusive ranges of revoked serial numbers (MTC §7.5): log indices, whole logs, or everything before or after an
/// entry.
///
/// ```
/// use tagwise_mtc::RevokedRanges;
/// let mut revoked = RevokedRanges::default();
/// revoked.add(10, 20);
/// revoked.add(21, 30);
/// assert!(revoked.contains(25) && !revoked.contains(31));
/// assert_eq!(revoked.iter().collect::<Vec<_>>(), [(10, 30)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RevokedRanges {
    /// The ranges in ascending order, neither overlapping nor adjacent.
    ranges: Vec<(u64, u64)>,
}

impl RevokedRanges {
    /// Creates the ranges outside a CA certificate's smallest and largest serial numbers.
    #[must_use]
    pub fn outside(min: u64, max: u64) -> Self {
        let mut out = Self::default();
        if let Some(below) = min.checked_sub(1) {
            out.add(0, below);
        }
        if let Some(above) = max.checked_add(1) {
            out.add(above, u64::MAX);
        }
        out
    }

    /// Adds a range. An empty range, in which `first` is after `last`, is ignored.
    pub fn add(&mut self, first: u64, last: u64) {
        if first > last {
            return;
        }
        let (mut first, mut last) = (first, last);
        // Merges overlapping and adjacent ranges into the new one.
        self.ranges.retain(|(from, to)| {
            let touches = *from <= last.saturating_add(1) && first <= to.saturating_add(1);
            if touches {
                first = first.min(*from);
                last = last.max(*to);
            }
            !touches
        });
        let place = self.ranges.partition_point(|(from, _)| *from < first);
        self.ranges.insert(place, (first, last));
    }

    /// Returns whether a serial number is revoked.
    #[must_use]
    pub fn contains(&self, serial: u64) -> bool {
        let place = self.ranges.partition_point(|(from, _)| *from <= serial);
        let before = place.checked_sub(1).and_then(|place| self.ranges.get(place));
        before.is_some_and(|(_, to)| serial <= *to)
    }

    /// Iterates over the inclusive ranges in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ranges.iter().copied()
    }
}

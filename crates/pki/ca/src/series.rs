//! The series of a CA's CRLs besides the complete ones.

use core::fmt;

/// A series of CRLs with the same scope. All series of a CA share one sequence of CRL numbers, so that the numbers within each
/// series increase, and a delta CRL shares the sequence of its complete CRL (RFC 5280 §5.2.3).
///
/// ```
/// use tagwise_ca::store::Series;
/// assert_eq!(Series::PartitionDelta(3).to_string(), "partition 3 delta");
/// assert_eq!(Series::parse("partition 3 delta"), Some(Series::PartitionDelta(3)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Series {
    /// The changes since the last complete CRL.
    Delta,
    /// The CRLs of a partition, counted from 1.
    Partition(u16),
    /// The changes since the last CRL of a partition.
    PartitionDelta(u16),
    /// The CRLs for several CAs (RFC 5280 §5).
    Indirect,
}

impl Series {
    /// Parses the name of a series, as formatted by `Display`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "delta" => Some(Self::Delta),
            "indirect" => Some(Self::Indirect),
            other => {
                let rest = other.strip_prefix("partition ")?;
                let (number, is_delta) = rest.strip_suffix(" delta").map_or((rest, false), |number| (number, true));
                let number: u16 = number.parse().ok()?;
                let found = if is_delta { Self::PartitionDelta(number) } else { Self::Partition(number) };
                // Only the canonical form, so that each series has one name.
                (found.to_string() == other).then_some(found)
            }
        }
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delta => f.write_str("delta"),
            Self::Partition(number) => write!(f, "partition {number}"),
            Self::PartitionDelta(number) => write!(f, "partition {number} delta"),
            Self::Indirect => f.write_str("indirect"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Series;

    #[test]
    fn names() {
        for series in [Series::Delta, Series::Partition(1), Series::PartitionDelta(1024), Series::Indirect] {
            assert_eq!(Series::parse(&series.to_string()), Some(series));
        }
        for bad in [
            "",
            "Delta",
            "partition",
            "partition ",
            "partition 01",
            "partition +1",
            "partition 1 delta delta",
            "partition 65536",
        ] {
            assert_eq!(Series::parse(bad), None, "{bad}");
        }
    }
}

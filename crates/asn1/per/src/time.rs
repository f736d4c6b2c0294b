//! The ranges of dates and times (X.691 §32).

/// The ranges of years of the short alternatives: immediate, near future, near past. The last one has all others.
pub(crate) const YEARS: [(i128, i128); 3] = [(2005, 2020), (2021, 2276), (1749, 2004)];
pub(crate) const MONTH: (i128, i128) = (1, 12);
pub(crate) const DAY: (i128, i128) = (1, 31);
pub(crate) const HOURS: (i128, i128) = (0, 24);
pub(crate) const MINUTES: (i128, i128) = (0, 59);
pub(crate) const SECONDS: (i128, i128) = (0, 60);

//! The newest CRL of each series.

use super::CrlRecord;
use crate::Error;
pub use crate::series::Series;

/// The newest CRL of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesCrl {
    /// The series.
    pub series: Series,
    /// The number of the CRL that a delta CRL updates.
    pub base: Option<u64>,
    /// The CRL.
    pub crl: CrlRecord,
}

/// Reads the name of a series from its column.
pub(super) fn named(name: &str) -> Result<Series, Error> {
    Series::parse(name)
        .ok_or_else(|| Error::inconsistent(format!("a CRL is stored in the series `{}`", name.escape_debug())))
}

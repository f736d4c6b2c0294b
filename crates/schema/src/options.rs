//! Options of a compilation.

use crate::departure::{Departure, Departures};
use crate::limits::Limits;

/// Options of a compilation; by default the usual limits, and X.680 as it is written.
///
/// ```
/// use tagwise_schema::{Departure, Limits, Options};
/// let options = Options::within(Limits::DEFAULT).allow(Departure::Underscore);
/// assert!(options.allow.contains(Departure::Underscore));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Limits of depth, memory and work.
    pub limits: Limits,
    /// The departures that are warnings, and no errors.
    pub allow: Departures,
}

impl Options {
    /// Options with other limits.
    #[must_use]
    pub const fn within(limits: Limits) -> Self {
        Self { limits, allow: Departures::NONE }
    }

    /// The options with one more departure allowed.
    #[must_use]
    pub const fn allow(mut self, departure: Departure) -> Self {
        self.allow = self.allow.with(departure);
        self
    }
}

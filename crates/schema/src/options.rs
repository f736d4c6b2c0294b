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
    /// Set to leave out the assignments that have errors and those that need them, and to compile the rest.
    pub keep_going: bool,
}

impl Options {
    /// Options with other limits.
    #[must_use]
    pub const fn within(limits: Limits) -> Self {
        Self { limits, allow: Departures::NONE, keep_going: false }
    }

    /// The options for modules with errors: assignments that have errors, and those that need them, are
    /// [left out](crate::Compilation::omitted), and the rest is compiled.
    ///
    /// ```
    /// use tagwise_schema::{Options, Source, compile_with};
    /// let text = "M DEFINITIONS ::= BEGIN A ::= Missing  B ::= SEQUENCE { a A }  C ::= NULL END";
    /// let compilation = compile_with(vec![Source::new("m.asn1", text)], &Options::default().keep_going());
    /// assert_eq!(compilation.diagnostics().errors(), 1);
    /// let omitted: Vec<_> = compilation.omitted().iter().map(|one| one.name.as_str()).collect();
    /// assert_eq!(omitted, ["A", "B"]);
    /// assert!(compilation.model().is_some_and(|model| model.type_named("M", "C").is_some()));
    /// ```
    #[must_use]
    pub const fn keep_going(mut self) -> Self {
        self.keep_going = true;
        self
    }

    /// The options with one more departure allowed.
    #[must_use]
    pub const fn allow(mut self, departure: Departure) -> Self {
        self.allow = self.allow.with(departure);
        self
    }
}

//! Compilation options.

use crate::departure::{Departure, Departures};
use crate::limits::Limits;

/// Compilation options. The default is standard limits and strict X.680.
///
/// ```
/// use tagwise_schema::{Departure, Limits, Options};
/// let options = Options::within(Limits::DEFAULT).allow(Departure::Underscore);
/// assert!(options.allow.contains(Departure::Underscore));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The limits on depth, memory and work.
    pub limits: Limits,
    /// The allowed departures, which are reported as warnings instead of errors.
    pub allow: Departures,
    /// True to omit assignments with errors and their dependents, and compile the rest.
    pub keep_going: bool,
}

impl Options {
    /// Creates options with other limits.
    #[must_use]
    pub const fn within(limits: Limits) -> Self {
        Self { limits, allow: Departures::NONE, keep_going: false }
    }

    /// Omits assignments with errors and their dependents ([`omitted`](crate::Compilation::omitted)), and compiles the
    /// rest.
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

    /// Reports a departure as a warning instead of an error.
    #[must_use]
    pub const fn allow(mut self, departure: Departure) -> Self {
        self.allow = self.allow.with(departure);
        self
    }
}

//! Clauses of the standards.

use std::fmt;

/// The relevant clause of a standard, such as `X.680 §25.6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    standard: &'static str,
    section: &'static str,
}

impl Clause {
    /// No clause, for this compiler's own limits.
    pub(crate) const NONE: Self = Self { standard: "", section: "" };

    /// Creates a clause of X.208. Used for ANY, which X.680 no longer defines.
    pub(crate) const fn x208(section: &'static str) -> Self {
        Self { standard: "X.208", section }
    }

    pub(crate) const fn x680(section: &'static str) -> Self {
        Self { standard: "X.680", section }
    }

    pub(crate) const fn x681(section: &'static str) -> Self {
        Self { standard: "X.681", section }
    }

    pub(crate) const fn x682(section: &'static str) -> Self {
        Self { standard: "X.682", section }
    }

    pub(crate) const fn x683(section: &'static str) -> Self {
        Self { standard: "X.683", section }
    }

    /// The standard: X.680 to X.683 (2021), or X.208 (1988) for features that were later removed. Empty for a compiler limit.
    #[must_use]
    pub const fn standard(self) -> &'static str {
        self.standard
    }

    /// The section, such as `25.6`.
    #[must_use]
    pub const fn section(self) -> &'static str {
        self.section
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.standard.is_empty() { f.write_str("limit") } else { write!(f, "{} §{}", self.standard, self.section) }
    }
}

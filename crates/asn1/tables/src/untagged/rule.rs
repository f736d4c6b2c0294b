//! The rules of all encoding rules without tags that input may be allowed to violate.

use std::fmt;

use {tagwise_per as per, tagwise_xer as xer};

/// A rule that input may be allowed to violate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A rule of PER or OER.
    Per(per::Rule),
    /// A rule of XER.
    Xer(xer::Rule),
    /// A rule about constraints: `value` or `size`. The [options](super::Untagged::options) tolerate it, not a [`Tolerance`].
    Constraint(&'static tagwise_codec::Rule),
}

impl Rule {
    /// Iterates over all rules of PER, OER and XER.
    pub fn all() -> impl Iterator<Item = Self> {
        let packed = per::Rule::ALL.iter().copied().map(Self::Per);
        packed.chain(xer::Rule::ALL.iter().copied().map(Self::Xer))
    }

    /// Returns the rule with a name.
    ///
    /// ```
    /// use tagwise_tables::untagged::Rule;
    /// assert!(Rule::all().all(|rule| Rule::named(rule.name()) == Some(rule)));
    /// assert_eq!(Rule::named("xer-prolog").map(Rule::clause), Some("X.693 §9.1.1"));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|rule| rule.name() == name)
    }

    /// The rule's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Per(rule) => rule.name(),
            Self::Xer(rule) => rule.name(),
            Self::Constraint(rule) => rule.name,
        }
    }

    /// The requirement, as a sentence.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Per(rule) => rule.summary(),
            Self::Xer(rule) => rule.summary(),
            Self::Constraint(rule) => rule.summary,
        }
    }

    /// The clause of the standard: `X.691 §11.1`.
    #[must_use]
    pub const fn clause(self) -> &'static str {
        match self {
            Self::Per(rule) => rule.clause(),
            Self::Xer(rule) => rule.clause(),
            Self::Constraint(rule) => rule.clause,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The rules that a decoder tolerates violations of.
///
/// ```
/// use tagwise_tables::untagged::{Rule, Tolerance};
/// let rule = Rule::named("xer-prolog").ok_or("unknown")?;
/// assert!(Tolerance::NONE.allow(rule).allows(rule) && !Tolerance::NONE.allows(rule));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tolerance {
    pub(super) per: per::Tolerance,
    pub(super) xer: xer::Tolerance,
}

impl Tolerance {
    /// No violations.
    pub const NONE: Self = Self { per: per::Tolerance::NONE, xer: xer::Tolerance::NONE };
    /// All violations.
    pub const ALL: Self = Self { per: per::Tolerance::ALL, xer: xer::Tolerance::ALL };

    /// Adds a rule of PER, OER or XER.
    #[must_use]
    pub const fn allow(self, rule: Rule) -> Self {
        match rule {
            Rule::Per(rule) => Self { per: self.per.allow(rule), ..self },
            Rule::Xer(rule) => Self { xer: self.xer.allow(rule), ..self },
            Rule::Constraint(_) => self,
        }
    }

    /// Takes the rules of this set out of comma-separated names. `all` contains them. Also returns the other names.
    ///
    /// ```
    /// use tagwise_tables::untagged::{Rule, Tolerance};
    /// let (some, rest) = Tolerance::take("long-length, per-padding-zero");
    /// assert!(Rule::named("per-padding-zero").is_some_and(|rule| some.allows(rule)));
    /// assert_eq!(rest, "long-length");
    /// ```
    #[must_use]
    pub fn take(names: &str) -> (Self, String) {
        let (mut found, mut rest) = (Self::NONE, Vec::new());
        for name in names.split(',').map(str::trim) {
            match Rule::named(name) {
                Some(rule) => found = found.allow(rule),
                None => {
                    // It contains the rules of other encodings, too.
                    found = if name == "all" { Self::ALL } else { found };
                    rest.push(name);
                }
            }
        }
        (found, rest.join(","))
    }

    /// Adds the rules of another set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self { per: self.per.union(other.per), xer: self.xer.union(other.xer) }
    }

    /// Returns whether violations of a rule are tolerated.
    #[must_use]
    pub const fn allows(self, rule: Rule) -> bool {
        match rule {
            Rule::Per(rule) => self.per.allows(rule),
            Rule::Xer(rule) => self.xer.allows(rule),
            Rule::Constraint(_) => false,
        }
    }
}

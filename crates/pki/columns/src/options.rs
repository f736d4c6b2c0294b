//! Options of a kernel.

use tagwise_codec::RuleSet;
use tagwise_pkix::lint;

/// Options of a [`Kernel`](crate::Kernel). By default, every byte of a row is checked, and a malformed row is null in all columns
/// except `error`.
///
/// ```
/// use tagwise_columns::Options;
/// use tagwise_pkix::profile;
/// let options = Options::default().allow(&profile::NEGATIVE_SERIAL).partial(true);
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub(crate) rules: RuleSet,
    pub(crate) outline: bool,
    pub(crate) partial: bool,
    pub(crate) plain: bool,
    pub(crate) lints: lint::Options,
}

/// The maximum number of lint findings in a row.
const LINTS: usize = 100;

impl Default for Options {
    fn default() -> Self {
        Self {
            rules: RuleSet::NONE,
            outline: false,
            partial: false,
            plain: false,
            lints: lint::Options::all().limit(LINTS),
        }
    }
}

impl Options {
    /// Accepts rows that violate only this rule, and others that are allowed.
    #[must_use]
    pub const fn allow(mut self, rule: &tagwise_codec::Rule) -> Self {
        self.rules = self.rules.with(rule);
        self
    }

    /// Accepts rows that violate only these rules.
    #[must_use]
    pub const fn rules(mut self, rules: RuleSet) -> Self {
        self.rules = rules;
        self
    }

    /// Checks only the top-level structure of a row and the parts that the requested columns contain. Then errors in other parts
    /// go unnoticed, and the `error` column depends on the requested columns.
    #[must_use]
    pub const fn outline(mut self, outline: bool) -> Self {
        self.outline = outline;
        self
    }

    /// Keeps the readable columns of malformed rows. Their `error` column contains the first error, as usual. Unreadable columns
    /// are null.
    #[must_use]
    pub const fn partial(mut self, partial: bool) -> Self {
        self.partial = partial;
        self
    }

    /// Uses no dictionaries and no views, which some engines do not support, such as Spark. Bytes are then copied.
    #[must_use]
    pub const fn plain(mut self, plain: bool) -> Self {
        self.plain = plain;
        self
    }

    /// Selects the lints of the column `lints`. By default, all lints run, with at most 100 findings in a row.
    #[must_use]
    pub const fn lints(mut self, lints: lint::Options) -> Self {
        self.lints = lints;
        self
    }
}

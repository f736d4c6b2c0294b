//! Common departures from X.680 in published modules, each allowed only by name.

use std::fmt;
use std::str::FromStr;

use crate::clause::Clause;

/// A departure from X.680 that does not make a module ambiguous. It is an error by default, and a warning if allowed.
///
/// ```
/// use tagwise_schema::{Departure, Options, Source, compile_with};
/// let text = "A DEFINITIONS ::= BEGIN EXPORTS X; X ::= NULL Y ::= NULL END
///     B DEFINITIONS ::= BEGIN IMPORTS Y FROM A; Z ::= Y END";
/// let strict = compile_with(vec![Source::new("m.asn1", text)], &Options::default());
/// assert_eq!(strict.diagnostics().errors(), 1);
/// let options = Options::default().allow(Departure::UnexportedImport);
/// let lenient = compile_with(vec![Source::new("m.asn1", text)], &options);
/// assert_eq!((lenient.diagnostics().errors(), lenient.diagnostics().warnings()), (0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Departure {
    /// An imported symbol that its module defines but does not export (X.680 §13.16). Found in 3GPP's CAP and TS
    /// 32.298.
    UnexportedImport,
    /// An imported symbol that its module does not define (X.680 §13.16), such as a misspelled name that is not used.
    /// Found in RFC 5755. Using the symbol remains an error.
    UndefinedImport,
    /// An exported symbol that the module neither defines nor imports (X.680 §13.13).
    UndefinedExport,
    /// A name with underscores (X.680 §12.2). Found in modules written for a specific compiler.
    Underscore,
    /// A UTCTime or GeneralizedTime with SIZE, FROM or PATTERN, which only apply to strings (X.680 §51.1). Found in
    /// H.450.7. Such constraints are not enforced.
    TimeText,
    /// An extra comma in a braced list, before its end or after another comma (X.680 §25.1).
    ExtraComma,
    /// A missing comma at the end of a line in a braced list (X.680 §25.1).
    MissingComma,
    /// A module name that begins with a lowercase letter (X.680 §12.5). Found in Heimdal's modules.
    ModuleName,
    /// A component relation with an inline object set, `({one | other}{@id})` (X.682 §10.7).
    InlineRelation,
    /// A tag of the class UNIVERSAL, which is reserved for the types of X.680 (X.680 §31.2.2). Found in Heimdal's modules.
    UniversalTag,
}

impl Departure {
    /// All departures.
    pub const ALL: &'static [Self] = &[
        Self::UnexportedImport,
        Self::UndefinedImport,
        Self::UndefinedExport,
        Self::Underscore,
        Self::TimeText,
        Self::ExtraComma,
        Self::MissingComma,
        Self::ModuleName,
        Self::InlineRelation,
        Self::UniversalTag,
    ];

    /// Returns the name that allows the departure, such as `unexported-import`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnexportedImport => "unexported-import",
            Self::UndefinedImport => "undefined-import",
            Self::UndefinedExport => "undefined-export",
            Self::Underscore => "underscore",
            Self::TimeText => "time-text",
            Self::ExtraComma => "extra-comma",
            Self::MissingComma => "missing-comma",
            Self::ModuleName => "module-name",
            Self::InlineRelation => "inline-relation",
            Self::UniversalTag => "universal-tag",
        }
    }

    /// Returns the clause of the standard that the departure violates.
    #[must_use]
    pub const fn clause(self) -> Clause {
        if matches!(self, Self::InlineRelation) {
            return Clause::x682("10.7");
        }
        Clause::x680(match self {
            Self::UnexportedImport | Self::UndefinedImport => "13.16",
            Self::UndefinedExport => "13.13",
            Self::Underscore => "12.2",
            Self::TimeText => "51.1",
            Self::ExtraComma | Self::MissingComma => "25.1",
            // Above.
            Self::InlineRelation => "",
            Self::ModuleName => "12.5",
            Self::UniversalTag => "31.2.2",
        })
    }

    /// Returns the code of the departure's diagnostic.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::UnexportedImport => "export",
            Self::UndefinedImport | Self::UndefinedExport => "undefined",
            Self::Underscore | Self::ModuleName => "name",
            Self::TimeText => "constraint",
            Self::ExtraComma | Self::MissingComma | Self::InlineRelation => "syntax",
            Self::UniversalTag => "tag",
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown departure name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDeparture(String);

impl fmt::Display for UnknownDeparture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Departure::ALL.iter().map(|one| one.name()).collect();
        write!(f, "unknown departure {:?}, expected one of {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownDeparture {}

/// Parses the name of a departure.
impl FromStr for Departure {
    type Err = UnknownDeparture;

    fn from_str(text: &str) -> Result<Self, UnknownDeparture> {
        Self::ALL.iter().copied().find(|one| one.name() == text).ok_or_else(|| UnknownDeparture(text.to_owned()))
    }
}

/// A set of departures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Departures(u32);

impl Departures {
    /// No departures: strict X.680.
    pub const NONE: Self = Self(0);

    /// Adds a departure to the set.
    #[must_use]
    pub const fn with(self, departure: Departure) -> Self {
        Self(self.0 | departure.bit())
    }

    /// Returns whether the set contains a departure.
    #[must_use]
    pub const fn contains(self, departure: Departure) -> bool {
        self.0 & departure.bit() != 0
    }
}

impl FromIterator<Departure> for Departures {
    fn from_iter<I: IntoIterator<Item = Departure>>(departures: I) -> Self {
        departures.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_unknown_ones_are_refused() {
        for departure in Departure::ALL {
            assert_eq!(departure.name().parse(), Ok(*departure));
            let set: Departures = Departure::ALL.iter().copied().filter(|other| other != departure).collect();
            assert!(!set.contains(*departure) && set.with(*departure).contains(*departure));
        }
        let error = "misspelling".parse::<Departure>().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("expected one of unexported-import, undefined-import, undefined-export, underscore, ")
        );
    }
}

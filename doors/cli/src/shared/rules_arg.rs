//! The option that names encoding rules.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tagwise_input::Armour;
use tagwise_tables::untagged::Rules;

/// Encoding rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesArg {
    /// Distinguished: one encoding for each value
    Der,
    /// Basic: any valid encoding
    Ber,
    /// Canonical: one encoding for each value, with indefinite lengths
    Cer,
    /// PER (X.691): basic, unaligned
    Uper,
    /// PER: basic, aligned
    Aper,
    /// PER: canonical, unaligned
    Cuper,
    /// PER: canonical, aligned
    Caper,
    /// OER (X.696): basic
    Oer,
    /// OER: canonical
    Coer,
    /// XER (X.693): basic
    Xer,
    /// XER: canonical
    Cxer,
    /// XER: extended, by the encoding instructions of the schema
    Exer,
}

/// A wrapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WrappingArg {
    Binary,
    Pem,
    Hex,
    Base64,
}

impl WrappingArg {
    /// The wrapping of an input.
    pub(crate) const fn armour(self) -> Armour {
        match self {
            Self::Binary => Armour::Binary,
            Self::Pem => Armour::Pem,
            Self::Hex => Armour::Hex,
            Self::Base64 => Armour::Base64,
        }
    }
}

impl RulesArg {
    /// Parses the rules for a command that supports only some of them.
    pub(crate) fn among(supported: &[Self]) -> impl TypedValueParser<Value = Self> + use<> {
        let names = supported.iter().filter_map(Self::to_possible_value);
        PossibleValuesParser::new(names).try_map(|name| Self::from_str(&name, false))
    }

    /// The only wrapping of an input under these rules, if there is only one: an XML document is text itself.
    pub(crate) fn armour(self) -> Option<Armour> {
        self.untagged().filter(|rules| rules.is_text()).map(|_| Armour::Binary)
    }

    /// The encoding rules, if they have no tags.
    pub(crate) fn untagged(self) -> Option<Rules> {
        self.to_possible_value().and_then(|value| Rules::named(value.get_name()))
    }
}

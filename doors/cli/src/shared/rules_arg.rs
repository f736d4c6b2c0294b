//! The option that names encoding rules.

use clap::ValueEnum;
use tagwise_per::Variant;
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
}

impl RulesArg {
    /// The encoding rules, if they have no tags.
    pub(crate) const fn untagged(self) -> Option<Rules> {
        Some(match self {
            Self::Der | Self::Ber | Self::Cer => return None,
            Self::Uper => Rules::Per(Variant::UNALIGNED),
            Self::Aper => Rules::Per(Variant::ALIGNED),
            Self::Cuper => Rules::Per(Variant::CANONICAL_UNALIGNED),
            Self::Caper => Rules::Per(Variant::CANONICAL_ALIGNED),
            Self::Oer => Rules::Oer { canonical: false },
            Self::Coer => Rules::Oer { canonical: true },
        })
    }
}

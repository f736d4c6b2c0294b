//! The option that names encoding rules.

use clap::ValueEnum;
use tagwise_input::Armour;
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

/// Encoding rules without tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UntaggedRules {
    /// PER or OER.
    Packed(Rules),
    /// A variant of XER.
    Xml(tagwise_xer::Variant),
}

impl RulesArg {
    /// The only wrapping of an input under these rules, if there is only one: an XML document is text itself.
    pub(crate) const fn armour(self) -> Option<Armour> {
        match self {
            Self::Xer | Self::Cxer | Self::Exer => Some(Armour::Binary),
            _ => None,
        }
    }

    /// The encoding rules, if they have no tags.
    pub(crate) const fn untagged(self) -> Option<UntaggedRules> {
        Some(match self {
            Self::Der | Self::Ber | Self::Cer => return None,
            Self::Uper => UntaggedRules::Packed(Rules::Per(Variant::UNALIGNED)),
            Self::Aper => UntaggedRules::Packed(Rules::Per(Variant::ALIGNED)),
            Self::Cuper => UntaggedRules::Packed(Rules::Per(Variant::CANONICAL_UNALIGNED)),
            Self::Caper => UntaggedRules::Packed(Rules::Per(Variant::CANONICAL_ALIGNED)),
            Self::Oer => UntaggedRules::Packed(Rules::Oer { canonical: false }),
            Self::Coer => UntaggedRules::Packed(Rules::Oer { canonical: true }),
            Self::Xer => UntaggedRules::Xml(tagwise_xer::Variant::Basic),
            Self::Cxer => UntaggedRules::Xml(tagwise_xer::Variant::Canonical),
            Self::Exer => UntaggedRules::Xml(tagwise_xer::Variant::Extended),
        })
    }
}

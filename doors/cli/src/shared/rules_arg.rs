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
    /// XER (X.693): basic
    Xer,
    /// XER: canonical
    Cxer,
    /// XER: extended, by the encoding instructions of the schema
    Exer,
}

/// Encoding rules without tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Untagged {
    /// A variant of PER.
    Packed(Variant),
    /// OER, basic or canonical.
    Octet {
        /// True for CANONICAL-OER.
        canonical: bool,
    },
    /// A variant of XER.
    Xml(tagwise_xer::Variant),
}

impl RulesArg {
    /// The encoding rules, if they have no tags.
    pub(crate) const fn untagged(self) -> Option<Rules> {
        Some(match self {
            Self::Der | Self::Ber | Self::Cer => return None,
            Self::Uper => Untagged::Packed(Variant::UNALIGNED),
            Self::Aper => Untagged::Packed(Variant::ALIGNED),
            Self::Cuper => Untagged::Packed(Variant::CANONICAL_UNALIGNED),
            Self::Caper => Untagged::Packed(Variant::CANONICAL_ALIGNED),
            Self::Oer => Untagged::Octet { canonical: false },
            Self::Coer => Untagged::Octet { canonical: true },
            Self::Xer => Untagged::Xml(tagwise_xer::Variant::Basic),
            Self::Cxer => Untagged::Xml(tagwise_xer::Variant::Canonical),
            Self::Exer => Untagged::Xml(tagwise_xer::Variant::Extended),
        })
    }
}

//! The option that names encoding rules.

use clap::ValueEnum;
use tagwise_per::Variant;

/// Encoding rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesArg {
    /// Distinguished: one encoding for each value
    Der,
    /// Basic: any valid encoding
    Ber,
    /// Canonical: one encoding for each value, with indefinite lengths
    Cer,
    /// Packed (X.691): basic, unaligned
    Uper,
    /// Packed: basic, aligned
    Aper,
    /// Packed: canonical, unaligned
    Cuper,
    /// Packed: canonical, aligned
    Caper,
}

impl RulesArg {
    /// The variant of PER.
    pub(crate) const fn packed(self) -> Option<Variant> {
        match self {
            Self::Der | Self::Ber | Self::Cer => None,
            Self::Uper => Some(Variant::UNALIGNED),
            Self::Aper => Some(Variant::ALIGNED),
            Self::Cuper => Some(Variant::CANONICAL_UNALIGNED),
            Self::Caper => Some(Variant::CANONICAL_ALIGNED),
        }
    }
}

//! The option that names encoding rules.

use clap::ValueEnum;

/// Encoding rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesArg {
    /// Distinguished: one encoding for each value
    Der,
    /// Basic: any valid encoding
    Ber,
    /// Canonical: one encoding for each value, with indefinite lengths
    Cer,
}

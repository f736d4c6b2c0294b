//! What is done by ASN.1 modules that are given with the command: `tagwise decode` and `tagwise encode`.

mod decode;
mod encode;
pub(crate) mod modules;

pub(crate) use decode::{ABOUT as DECODE_ABOUT, DecodeArgs, EXAMPLES as DECODE_EXAMPLES};
pub(crate) use encode::{ABOUT as ENCODE_ABOUT, EXAMPLES as ENCODE_EXAMPLES, EncodeArgs};

use clap::ValueEnum;

/// Encoding rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesArg {
    /// Distinguished: one encoding for each value
    Der,
    /// Basic: any of them
    Ber,
    /// Canonical: the other way to have one
    Cer,
}

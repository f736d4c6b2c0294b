//! The Octet Encoding Rules (X.696) for the codec's dynamic values: BASIC-OER and CANONICAL-OER.
//!
//! [`Type`] decodes and encodes [`Value`]s. `tagwise_tables::Schema::oer` creates it from ASN.1 modules.
//!
//! BASIC-OER leaves some forms to the sender, which are accepted: longer lengths and numbers, any byte for TRUE, and components
//! with their DEFAULT value. CANONICAL-OER refuses them. Violations of each [`Rule`] can be tolerated. Output is canonical. All constraints are checked. Unknown
//! extension additions, and values of open types whose type is unknown, are kept as bytes and encoded again.
//!
//! # What is not supported
//!
//! TIME, GeneralizedTime in local time, and EMBEDDED PDV and CHARACTER STRING with constrained components. Values of these types are
//! errors. A value that a constraint to IEEE 754 numbers does not allow is an error, too.
#![forbid(unsafe_code)]

mod decode;
mod encode;
mod time;
mod width;

use tagwise_codec::Options;
use tagwise_codec::table::Schema;
use tagwise_codec::value::{Dynamic, Value};
use tagwise_per::Standard;
use tagwise_per::plan::Plan;
use tagwise_per::shared::Base;
pub use tagwise_per::{Decoded, Error, Kind, Position, Rule, Tolerance};

/// A type of a schema, with encoding rules and settings.
#[derive(Clone, Copy, Debug)]
pub struct Type<'s> {
    base: Base<'s>,
    canonical: bool,
    tolerance: Tolerance,
}

impl<'s> Type<'s> {
    /// Creates a type from a schema's tables and layouts, and the type's index in both. The encoding rules are BASIC-OER.
    /// Returns `None` if there is no such type.
    #[must_use]
    pub fn new(schema: &'s Schema, plan: &'s Plan, index: u32) -> Option<Self> {
        Some(Self {
            base: Base::new(Standard::Oer, schema, plan, index)?,
            canonical: false,
            tolerance: Tolerance::NONE,
        })
    }

    /// Sets whether input must be in CANONICAL-OER.
    #[must_use]
    pub const fn canonical(mut self, canonical: bool) -> Self {
        self.canonical = canonical;
        self
    }

    /// Sets the rules that input may violate.
    #[must_use]
    pub const fn tolerating(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the options whose budget applies.
    #[must_use]
    pub const fn options(mut self, options: Options<'s>) -> Self {
        self.base.options = options;
        self
    }

    /// Sets whether decoding returns the position of each component.
    #[must_use]
    pub const fn positions(mut self, positions: bool) -> Self {
        self.base.positions = positions;
        self
    }

    /// The type for other encoding rules.
    #[must_use]
    pub fn dynamic(&self) -> Option<Dynamic<'s>> {
        self.base.dynamic()
    }

    /// Decodes an input that must be exactly one value of the type.
    ///
    /// # Errors
    /// Returns the first error, with its path and offset.
    pub fn decode(&self, input: &[u8]) -> Result<Decoded<'s>, Error> {
        decode::decode(*self, input)
    }

    /// Returns the path of the component to which a bit of an encoding belongs, as far as the encoding can be decoded. It is
    /// empty for the outermost value, and for bits behind it.
    #[must_use]
    pub fn path_at(&self, input: &[u8], bit: u64) -> String {
        Position::at(&self.positions_of(input), bit).to_owned()
    }

    /// Returns the positions of all components of an encoding, in the order of decoding, as far as it can be decoded. The end of an
    /// incomplete value is [`u64::MAX`].
    #[must_use]
    pub fn positions_of(&self, input: &[u8]) -> Vec<Position> {
        decode::positions(*self, input)
    }

    /// Encodes a value of the type in CANONICAL-OER, which is also BASIC-OER. In BASIC-OER, only UTCTime and GeneralizedTime may have
    /// another form, that of the value.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, violates a constraint, or exceeds the output budget.
    pub fn encode(&self, value: &Value<'s>) -> Result<Vec<u8>, Error> {
        encode::encode(*self, value)
    }
}

//! The Packed Encoding Rules (X.691) for the codec's dynamic values: BASIC and CANONICAL, ALIGNED and UNALIGNED.
//!
//! [`Type`] decodes and encodes [`Value`]s. `tagwise_tables::Schema::per` creates it from ASN.1 modules.
//!
//! Decoding is strict: lengths and numbers must have their shortest forms, padding must be zero, and nothing may follow
//! the value. Violations of each [`Rule`] can be tolerated. All constraints are checked, not only those that
//! encodings depend on. Errors have a path, an offset in bits, and the clause.
//!
//! Extension additions and alternatives that the schema does not define are kept as bytes, and encoded again. The same
//! applies to values of open types whose type is unknown, and to the places of unknown ENUMERATED items.
//!
//! # What is not supported
//!
//! TIME, except dates and times of day whose form is fixed by property settings; GeneralizedTime in local time; and EMBEDDED PDV and
//! CHARACTER STRING with constrained components. Values of these types are errors.
#![forbid(unsafe_code)]

mod bits;
pub mod code;
mod coding;
mod decode;
mod decoded;
mod encode;
mod error;
#[doc(hidden)]
pub mod number;
pub mod plan;
pub mod point;
pub mod row;
mod rules;
mod setting;
#[doc(hidden)]
pub mod shared;
#[doc(hidden)]
pub mod time;

use tagwise_codec::Options;
use tagwise_codec::table::Schema;
use tagwise_codec::value::{Dynamic, Value};

pub use crate::code::PerType;
pub use crate::decoded::{Decoded, Position};
pub use crate::error::{Error, Kind, Standard};
use crate::plan::Plan;
pub use crate::rules::{Rule, Tolerance, Variant};
use crate::setting::Setting;
use crate::shared::Base;

/// A type of a schema, with encoding rules and settings.
#[derive(Clone, Copy, Debug)]
pub struct Type<'s>(Setting<'s>);

impl<'s> Type<'s> {
    /// Creates a type from a schema's tables and layouts, and the type's index in both. The encoding rules are BASIC-PER,
    /// UNALIGNED. Returns `None` if there is no such type.
    #[must_use]
    pub fn new(schema: &'s Schema, plan: &'s Plan, index: u32) -> Option<Self> {
        let base = Base::new(Standard::Per, schema, plan, index)?;
        Some(Self(Setting { base, variant: Variant::UNALIGNED, tolerance: Tolerance::NONE }))
    }

    /// Sets the encoding rules.
    #[must_use]
    pub const fn variant(mut self, variant: Variant) -> Self {
        self.0.variant = variant;
        self
    }

    /// Sets the rules that input may violate.
    #[must_use]
    pub const fn tolerating(mut self, tolerance: Tolerance) -> Self {
        self.0.tolerance = tolerance;
        self
    }

    /// Sets the options whose budget applies.
    #[must_use]
    pub const fn options(mut self, options: Options<'s>) -> Self {
        self.0.base.options = options;
        self
    }

    /// Sets whether decoding returns the position of each component.
    #[must_use]
    pub const fn positions(mut self, positions: bool) -> Self {
        self.0.base.positions = positions;
        self
    }

    /// The type for other encoding rules.
    #[must_use]
    pub fn dynamic(&self) -> Option<Dynamic<'s>> {
        self.0.base.dynamic()
    }

    /// Decodes an input that must be exactly one value of the type.
    ///
    /// # Errors
    /// Returns the first violation that is not tolerated, with its path and its offset in bits.
    pub fn decode(&self, input: &[u8]) -> Result<Decoded<'s>, Error> {
        decode::decode(self.0, input)
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
        decode::positions(self.0, input)
    }

    /// Encodes a value of the type.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, violates a constraint, or exceeds the output budget.
    pub fn encode(&self, value: &Value<'s>) -> Result<Vec<u8>, Error> {
        encode::encode(self.0, value)
    }
}

//! The Octet Encoding Rules (X.696) for the codec's dynamic values: BASIC-OER and CANONICAL-OER.
//!
//! [`Type`] decodes and encodes [`Value`]s. `tagwise_tables::Schema::oer` creates it from ASN.1 modules.
//!
//! BASIC-OER leaves some forms to the sender, which are accepted: longer lengths and numbers, any byte for TRUE, and components
//! with their DEFAULT value. CANONICAL-OER refuses them. Output is canonical. All constraints are checked. Unknown
//! extension additions, and values of open types whose type is unknown, are kept as bytes and encoded again.
//!
//! # What is not supported
//!
//! The time types of X.680 §38 except UTCTime and GeneralizedTime, EMBEDDED PDV, CHARACTER STRING, INSTANCE OF, REALs
//! with constrained components, GeneralizedTime in local time, INTEGER bounds beyond 128 bits, and contents that ENCODED BY specifies to be DER. Values of
//! these types are errors.
#![forbid(unsafe_code)]

mod decode;
mod encode;
mod error;
mod width;

use tagwise_codec::Options;
use tagwise_codec::table::Schema;
use tagwise_codec::value::{Dynamic, Value};
use tagwise_per::plan::Plan;

pub use crate::error::{Error, Kind};

/// A type of a schema, with encoding rules and settings.
#[derive(Clone, Copy, Debug)]
pub struct Type<'s> {
    schema: &'s Schema,
    plan: &'s Plan,
    index: u32,
    canonical: bool,
    options: Options<'s>,
}

impl<'s> Type<'s> {
    /// Creates a type from a schema's tables and layouts, and the type's index in both. The encoding rules are BASIC-OER.
    /// Returns `None` if there is no such type.
    #[must_use]
    pub fn new(schema: &'s Schema, plan: &'s Plan, index: u32) -> Option<Self> {
        schema.types.get(index as usize)?;
        plan.get(index)?;
        Some(Self { schema, plan, index, canonical: false, options: Options::der() })
    }

    /// Sets whether input must be in CANONICAL-OER.
    #[must_use]
    pub const fn canonical(mut self, canonical: bool) -> Self {
        self.canonical = canonical;
        self
    }

    /// Sets the options whose budget applies.
    #[must_use]
    pub const fn options(mut self, options: Options<'s>) -> Self {
        self.options = options;
        self
    }

    /// Decodes an input that must be exactly one value of the type.
    ///
    /// # Errors
    /// Returns the first error, with its path and offset.
    pub fn decode(&self, input: &[u8]) -> Result<Value<'s>, Error> {
        decode::decode(self, input)
    }

    /// Encodes a value of the type in CANONICAL-OER, which is also BASIC-OER.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, violates a constraint, or exceeds the output budget.
    pub fn encode(&self, value: &Value<'s>) -> Result<Vec<u8>, Error> {
        encode::encode(self, value)
    }

    fn dynamic(&self) -> Option<Dynamic<'s>> {
        let ty = self.schema.types.get(self.index as usize)?;
        Some(Dynamic::new(ty).schema(self.schema).options(self.options))
    }
}

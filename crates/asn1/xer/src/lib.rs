//! The XML Encoding Rules (X.693) for the codec's dynamic values: BASIC-XER, CANONICAL-XER and EXTENDED-XER, and the
//! Generic String Encoding Rules (RFC 3641).
//!
//! [`Type`] decodes and encodes [`Value`]s. `tagwise_tables::Schema::xer` creates it from ASN.1 modules. [`gser`]
//! prints values.
//!
//! Decoding is strict. Violations of each [`Rule`] can be tolerated. All constraints are checked. Errors have a path, a
//! byte offset, and the clause where one is known. XML is read by `quick-xml`: document type declarations are refused, and no
//! entity is expanded except the five predefined ones.
//!
//! | ASN.1 | XML | X.680 |
//! |---|---|---|
//! | BOOLEAN | `<true/>`, `<false/>` | §18 |
//! | INTEGER | `5` | §19 |
//! | ENUMERATED | `<red/>` | §20 |
//! | REAL | `1.5E2`, `0`, `-0`, `<PLUS-INFINITY/>`, `<MINUS-INFINITY/>`, `<NOT-A-NUMBER/>` | §21 |
//! | BIT STRING | `0101` | §22 |
//! | OCTET STRING | `CAFE` | §23 |
//! | strings with a contents constraint | the element of the contained value | §22, §23 |
//! | NULL | nothing | §24 |
//! | SEQUENCE, SET | an element for each component | §25, §27 |
//! | SEQUENCE OF, SET OF | an element for each item; BOOLEAN, ENUMERATED and CHOICE without an element around them | §26, §28 |
//! | CHOICE | the element of the alternative | §29 |
//! | OBJECT IDENTIFIER, RELATIVE-OID | `2.5.29.17` | §32, §33 |
//! | open type | the element of the value, with the name of its type | X.681 §14 |
//! | character strings | characters; `&amp;`, `&lt;`, `&gt;`; `<nul/>` and others for control characters | §12.15 |
//!
//! # Encoding instructions
//!
//! EXTENDED-XER follows the encoding instructions in prefixes (`[ATTRIBUTE]`, `[XER:NAME AS "x"]`) and in encoding control
//! sections, where a target is a type or a component (`T.a`). Comments, processing instructions and CDATA sections are
//! allowed.
//!
//! | Instruction | Effect |
//! |---|---|
//! | ATTRIBUTE | the component is an attribute |
//! | BASE64 | an OCTET STRING is in base64 |
//! | DECIMAL | a REAL has no exponent |
//! | DEFAULT-FOR-EMPTY | an empty element has this text |
//! | LIST | items have spaces between them |
//! | NAME | another name, or CAPITALIZED, UNCAPITALIZED, UPPERCASED, LOWERCASED |
//! | NAMESPACE | the namespace of an element's name |
//! | TEXT | BOOLEAN, ENUMERATED and named numbers are text |
//! | UNTAGGED | the component or alternative has no element of its own |
//! | WHITESPACE | COLLAPSE or REPLACE for strings |
//!
//! NOT removes an instruction. A type has the instructions of the types that it refers to, except NAME and NAMESPACE. All other
//! instructions are errors when a value of their type is read or written, and so are attributes with a namespace.
//! BASIC-XER and CANONICAL-XER ignore all instructions.
//!
//! # Conformance
//!
//! The text of X.693 was not available as a whole. The following are this crate's own decisions:
//!
//! - A component with its DEFAULT value is not written. It is accepted in input, also in CANONICAL-XER, because the wording of
//!   §9.5 is not known.
//! - The elements of a SET OF are in the order of the bytes of their whole elements, as in asn1c (§9.7).
//! - The number of a base-2 REAL is written with the shortest digits that identify it, if it is a 64-bit float, and with all
//!   digits otherwise. A number that is read has base 10, unless the type's constraints permit only base 2 (X.680 §21.7). If
//!   base 2 cannot represent it exactly, the result is the nearest float.
//! - A carriage return in a string is `&#xD;` in all variants. The character itself is the end of a line, which becomes a line
//!   feed (XML 1.0 §2.11). CANONICAL-XER does not allow it.
//! - An open type of unknown type is its DER encoding in hexadecimal, which CANONICAL-XER does not allow (§9.12).
//!
//! Elements that the schema does not define are kept as XML where the type is extensible (§8.6), and encoded again: extension
//! additions in their places, alternatives, ENUMERATED items, and values of unknown type. [`Decoded::ignored`] lists those
//! that are not kept, because prefixes in them are declared outside.
//!
//! # What is not supported
//!
//! Parts of unknown type that were read under other encoding rules, unknown ENUMERATED items in text, REALs with
//! more than about 10,000 digits, and bytes beyond ASCII in strings without a defined character set (TeletexString, GeneralString …). Values with them are errors.
#![forbid(unsafe_code)]

mod decode;
mod encode;
mod error;
pub mod gser;
pub mod instructions;
pub mod plan;
mod rules;
mod setting;
mod text;
mod xml;

use tagwise_codec::Options;
use tagwise_codec::table::Schema;
use tagwise_codec::value::{Dynamic, Value};

pub use crate::decode::Decoded;
pub use crate::error::{Error, Kind};
use crate::plan::Plan;
pub use crate::rules::{Rule, Tolerance, Variant};
use crate::setting::Setting;

/// A type of a schema, with encoding rules and settings.
#[derive(Clone, Copy, Debug)]
pub struct Type<'s> {
    setting: Setting<'s>,
    index: u32,
}

impl<'s> Type<'s> {
    /// Creates a type from a schema's tables and layouts, and the type's index in both. The encoding rules are BASIC-XER.
    /// Returns `None` if there is no such type.
    #[must_use]
    pub fn new(schema: &'s Schema, plan: &'s Plan, index: u32) -> Option<Self> {
        schema.types.get(index as usize)?;
        plan.get(index)?;
        let (variant, tolerance) = (Variant::Basic, Tolerance::NONE);
        let setting = Setting { schema, plan, variant, tolerance, options: Options::der(), positions: false };
        Some(Self { setting, index })
    }

    /// Sets the encoding rules.
    #[must_use]
    pub const fn variant(mut self, variant: Variant) -> Self {
        self.setting.variant = variant;
        self
    }

    /// Sets the rules that input may violate.
    #[must_use]
    pub const fn tolerating(mut self, tolerance: Tolerance) -> Self {
        self.setting.tolerance = tolerance;
        self
    }

    /// Sets the options whose budget applies.
    #[must_use]
    pub const fn options(mut self, options: Options<'s>) -> Self {
        self.setting.options = options;
        self
    }

    /// Sets whether decoding returns the position of each component.
    #[must_use]
    pub const fn positions(mut self, positions: bool) -> Self {
        self.setting.positions = positions;
        self
    }

    /// The type for other encoding rules.
    #[must_use]
    pub fn dynamic(&self) -> Option<Dynamic<'s>> {
        let ty = self.setting.schema.types.get(self.index as usize)?;
        Some(Dynamic::new(ty).schema(self.setting.schema).options(self.setting.options))
    }

    /// Decodes an input that must be exactly one value of the type.
    ///
    /// # Errors
    /// Returns the first violation that is not tolerated, with its path and its offset in bytes.
    pub fn decode(&self, input: &[u8]) -> Result<Decoded<'s>, Error> {
        decode::decode(self.setting, self.index, input)
    }

    /// Returns the path of the component to which a byte of a document belongs, as far as the document can be decoded. It is empty
    /// for the outermost value, and for bytes behind it.
    #[must_use]
    pub fn path_at(&self, input: &[u8], offset: usize) -> String {
        decode::path_at(self.setting, self.index, input, offset)
    }

    /// Encodes a value of the type. The output has no white-space and no XML declaration.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, violates a constraint, or exceeds the output budget.
    pub fn encode(&self, value: &Value<'s>) -> Result<Vec<u8>, Error> {
        encode::encode(self.setting, decode::unknown::again, self.index, value)
    }
}

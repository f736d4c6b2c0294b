//! Types under encoding rules without tags: PER, OER and XER.

mod error;
mod rule;

use tagwise_codec::Options;
use tagwise_codec::value::{Dynamic, Value};
use tagwise_per::plan::Plan;
use tagwise_per::{self as per, Position, Variant};
use {tagwise_oer as oer, tagwise_xer as xer};

pub use crate::untagged::error::Error;
pub use crate::untagged::rule::{Rule, Tolerance};

/// Encoding rules without tags.
///
/// ```
/// use tagwise_tables::untagged::Rules;
/// assert_eq!(Rules::named("aper").map(Rules::name), Some("aper"));
/// assert_eq!(Rules::named("der"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rules {
    /// The Packed Encoding Rules (X.691).
    Per(Variant),
    /// The Octet Encoding Rules (X.696).
    Oer {
        /// True for CANONICAL-OER.
        canonical: bool,
    },
    /// The XML Encoding Rules (X.693).
    Xer(xer::Variant),
}

impl Rules {
    /// All encoding rules.
    pub const ALL: [Self; 9] = [
        Self::Per(Variant::UNALIGNED),
        Self::Per(Variant::ALIGNED),
        Self::Per(Variant::CANONICAL_UNALIGNED),
        Self::Per(Variant::CANONICAL_ALIGNED),
        Self::Oer { canonical: false },
        Self::Oer { canonical: true },
        Self::Xer(xer::Variant::Basic),
        Self::Xer(xer::Variant::Canonical),
        Self::Xer(xer::Variant::Extended),
    ];

    /// The short name: `uper`, `aper`, `cuper`, `caper`, `oer`, `coer`, `xer`, `cxer` or `exer`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Per(variant) => variant.name(),
            Self::Oer { canonical: false } => "oer",
            Self::Oer { canonical: true } => "coer",
            Self::Xer(variant) => variant.name(),
        }
    }

    /// Returns the rules with a short name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Returns whether encodings are text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Xer(_))
    }
}

/// A type of a schema under PER, OER or XER. [`Schema::untagged`](crate::Schema::untagged) creates it.
#[derive(Clone, Copy, Debug)]
pub struct Untagged<'s>(Of<'s>);

#[derive(Clone, Copy, Debug)]
enum Of<'s> {
    Per(per::Type<'s>),
    Oer(oer::Type<'s>),
    Xer(xer::Type<'s>),
}

/// A decoded value, with the violations that were tolerated. All offsets are in bits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decoded<'s> {
    /// The value.
    pub value: Value<'s>,
    /// The violated rules, including those about constraints, with the offset of each violation.
    pub deviations: Vec<(Rule, u64)>,
    /// The position of each component, if requested.
    pub positions: Vec<Position>,
    /// The paths and offsets of XML elements that the schema does not define. They are not in the value.
    pub ignored: Vec<(String, u64)>,
    /// True if notes have offsets in bits.
    has_bits: bool,
}

/// An offset in bits.
const fn bits(offset: usize) -> u64 {
    (offset as u64).saturating_mul(8)
}

impl<'s> Decoded<'s> {
    fn packed(read: per::Decoded<'s>, has_bits: bool) -> Self {
        let rules = read.deviations.into_iter().map(|(rule, bit)| (Rule::Per(rule), bit));
        let constraints = read.violations.into_iter().map(|(rule, bit)| (Rule::Constraint(rule), bit));
        let deviations = rules.chain(constraints).collect();
        Self { value: read.value, deviations, positions: read.positions, ignored: Vec::new(), has_bits }
    }

    fn xml(read: xer::Decoded<'s>) -> Self {
        let rules = read.deviations.into_iter().map(|(rule, at)| (Rule::Xer(rule), bits(at)));
        let constraints = read.violations.into_iter().map(|(rule, at)| (Rule::Constraint(rule), bits(at)));
        let deviations = rules.chain(constraints).collect();
        let ignored = read.ignored.into_iter().map(|(path, at)| (path, bits(at))).collect();
        Self { value: read.value, deviations, positions: read.positions, ignored, has_bits: false }
    }

    /// The deviations and the ignored elements as text, for people.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let tolerated = self.deviations.iter().map(|(rule, bit)| match self.has_bits {
            true => format!("{rule} tolerated at bit {bit}"),
            false => format!("{rule} tolerated at byte {}", bit / 8),
        });
        let ignored = self.ignored.iter().map(|(path, bit)| {
            let colon = if path.is_empty() { "" } else { ": " };
            format!("{path}{colon}ignored an element that the schema does not define, at byte {}", bit / 8)
        });
        tolerated.chain(ignored).collect()
    }
}

impl<'s> Untagged<'s> {
    pub(crate) fn new(
        schema: &'s tagwise_codec::table::Schema,
        (plan, xml): (&'s Plan, &'s xer::plan::Plan),
        index: u32,
        rules: Rules,
    ) -> Option<Self> {
        Some(Self(match rules {
            Rules::Per(variant) => Of::Per(per::Type::new(schema, plan, index)?.variant(variant)),
            Rules::Oer { canonical } => Of::Oer(oer::Type::new(schema, plan, index)?.canonical(canonical)),
            Rules::Xer(variant) => Of::Xer(xer::Type::new(schema, xml, index)?.variant(variant)),
        }))
    }

    /// Sets the options whose budget applies, and which of their rules about constraints ([`Rule::VALUE`](tagwise_codec::Rule::VALUE)
    /// and [`Rule::SIZE`](tagwise_codec::Rule::SIZE)) input may violate. Values can violate constraints only as far as their encodings
    /// permit: an INTEGER (0..200) in PER has 8 bits, so the values up to 255 can be tolerated.
    #[must_use]
    pub const fn options(self, options: Options<'s>) -> Self {
        Self(match self.0 {
            Of::Per(ty) => Of::Per(ty.options(options)),
            Of::Oer(ty) => Of::Oer(ty.options(options)),
            Of::Xer(ty) => Of::Xer(ty.options(options)),
        })
    }

    /// Sets the rules that input may violate.
    #[must_use]
    pub const fn tolerating(self, tolerance: Tolerance) -> Self {
        match self.0 {
            Of::Per(ty) => Self(Of::Per(ty.tolerating(tolerance.per))),
            Of::Oer(ty) => Self(Of::Oer(ty.tolerating(tolerance.per))),
            Of::Xer(ty) => Self(Of::Xer(ty.tolerating(tolerance.xer))),
        }
    }

    /// Sets whether decoding returns the position of each component.
    #[must_use]
    pub const fn positions(self, positions: bool) -> Self {
        Self(match self.0 {
            Of::Per(ty) => Of::Per(ty.positions(positions)),
            Of::Oer(ty) => Of::Oer(ty.positions(positions)),
            Of::Xer(ty) => Of::Xer(ty.positions(positions)),
        })
    }

    /// The type for other encoding rules.
    #[must_use]
    pub fn dynamic(&self) -> Option<Dynamic<'s>> {
        match &self.0 {
            Of::Per(ty) => ty.dynamic(),
            Of::Oer(ty) => ty.dynamic(),
            Of::Xer(ty) => ty.dynamic(),
        }
    }

    /// Decodes an input that must be exactly one value of the type.
    ///
    /// # Errors
    /// Returns the first violation that is not tolerated, with its path, its offset and its clause.
    pub fn decode(&self, input: &[u8]) -> Result<Decoded<'s>, Error> {
        match &self.0 {
            Of::Per(ty) => ty.decode(input).map(|read| Decoded::packed(read, true)).map_err(Error::Packed),
            Of::Oer(ty) => ty.decode(input).map(|read| Decoded::packed(read, false)).map_err(Error::Packed),
            Of::Xer(ty) => ty.decode(input).map(Decoded::xml).map_err(Error::Xml),
        }
    }

    /// Returns the path of the component to which a bit of an encoding belongs, as far as the encoding can be decoded. It is
    /// empty for the outermost value, and for bits behind it.
    #[must_use]
    pub fn path_at(&self, input: &[u8], bit: u64) -> String {
        match &self.0 {
            Of::Per(ty) => ty.path_at(input, bit),
            Of::Oer(ty) => ty.path_at(input, bit),
            Of::Xer(ty) => ty.path_at(input, usize::try_from(bit / 8).unwrap_or(usize::MAX)),
        }
    }

    /// Returns the positions of all components of an encoding in PER or OER, in the order of decoding, as far as it can be decoded.
    /// The end of an incomplete value is [`u64::MAX`]. For XER, the list is empty.
    #[must_use]
    pub fn positions_of(&self, input: &[u8]) -> Vec<Position> {
        match &self.0 {
            Of::Per(ty) => ty.positions_of(input),
            Of::Oer(ty) => ty.positions_of(input),
            Of::Xer(_) => Vec::new(),
        }
    }

    /// Encodes a value of the type.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, violates a constraint, or exceeds the output budget.
    pub fn encode(&self, value: &Value<'s>) -> Result<Vec<u8>, Error> {
        match &self.0 {
            Of::Per(ty) => ty.encode(value).map_err(Error::Packed),
            Of::Oer(ty) => ty.encode(value).map_err(Error::Packed),
            Of::Xer(ty) => ty.encode(value).map_err(Error::Xml),
        }
    }
}

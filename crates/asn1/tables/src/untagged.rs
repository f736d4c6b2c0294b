//! Types under PER and OER, whose encodings have no tags.

use tagwise_codec::Options;
use tagwise_codec::value::{Dynamic, Value};
use tagwise_oer as oer;
use tagwise_per::plan::Plan;
use tagwise_per::{self as per, Decoded, Error, Tolerance, Variant};

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
}

impl Rules {
    /// All encoding rules.
    pub const ALL: [Self; 6] = [
        Self::Per(Variant::UNALIGNED),
        Self::Per(Variant::ALIGNED),
        Self::Per(Variant::CANONICAL_UNALIGNED),
        Self::Per(Variant::CANONICAL_ALIGNED),
        Self::Oer { canonical: false },
        Self::Oer { canonical: true },
    ];

    /// The short name: `uper`, `aper`, `cuper`, `caper`, `oer` or `coer`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Per(variant) => variant.name(),
            Self::Oer { canonical: false } => "oer",
            Self::Oer { canonical: true } => "coer",
        }
    }

    /// Returns the rules with a short name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name() == name)
    }
}

/// A type of a schema under PER or OER. [`Schema::untagged`](crate::Schema::untagged) creates it.
#[derive(Clone, Copy, Debug)]
pub struct Untagged<'s>(Of<'s>);

#[derive(Clone, Copy, Debug)]
enum Of<'s> {
    Per(per::Type<'s>),
    Oer(oer::Type<'s>),
}

/// Calls a method of either type.
macro_rules! both {
    ($of:expr, $ty:ident => $call:expr) => {
        match $of {
            Of::Per($ty) => $call,
            Of::Oer($ty) => $call,
        }
    };
}

impl<'s> Untagged<'s> {
    pub(crate) fn new(
        schema: &'s tagwise_codec::table::Schema,
        plan: &'s Plan,
        index: u32,
        rules: Rules,
    ) -> Option<Self> {
        Some(Self(match rules {
            Rules::Per(variant) => Of::Per(per::Type::new(schema, plan, index)?.variant(variant)),
            Rules::Oer { canonical } => Of::Oer(oer::Type::new(schema, plan, index)?.canonical(canonical)),
        }))
    }

    /// Sets the options whose budget applies.
    #[must_use]
    pub const fn options(self, options: Options<'s>) -> Self {
        Self(match self.0 {
            Of::Per(ty) => Of::Per(ty.options(options)),
            Of::Oer(ty) => Of::Oer(ty.options(options)),
        })
    }

    /// Sets the rules of PER that input may violate.
    #[must_use]
    pub const fn tolerating(self, tolerance: Tolerance) -> Self {
        match self.0 {
            Of::Per(ty) => Self(Of::Per(ty.tolerating(tolerance))),
            Of::Oer(_) => self,
        }
    }

    /// Sets whether decoding returns the position of each component.
    #[must_use]
    pub const fn positions(self, positions: bool) -> Self {
        Self(match self.0 {
            Of::Per(ty) => Of::Per(ty.positions(positions)),
            Of::Oer(ty) => Of::Oer(ty.positions(positions)),
        })
    }

    /// The type for other encoding rules.
    #[must_use]
    pub fn dynamic(&self) -> Option<Dynamic<'s>> {
        both!(&self.0, ty => ty.dynamic())
    }

    /// Decodes an input that must be exactly one value of the type.
    ///
    /// # Errors
    /// Returns the first violation that is not tolerated, with its path, its offset in bits and its clause.
    pub fn decode(&self, input: &[u8]) -> Result<Decoded<'s>, Error> {
        both!(&self.0, ty => ty.decode(input))
    }

    /// Returns the path of the component to which a bit of an encoding belongs, as far as the encoding can be decoded. It is
    /// empty for the outermost value, and for bits behind it.
    #[must_use]
    pub fn path_at(&self, input: &[u8], bit: u64) -> String {
        both!(&self.0, ty => ty.path_at(input, bit))
    }

    /// Encodes a value of the type.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type, violates a constraint, or exceeds the output budget.
    pub fn encode(&self, value: &Value<'s>) -> Result<Vec<u8>, Error> {
        both!(&self.0, ty => ty.encode(value))
    }
}

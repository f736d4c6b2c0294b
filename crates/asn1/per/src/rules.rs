//! The variants of PER, and the deviations that can be tolerated.

use std::fmt;

use tagwise_codec::value::ForeignRules;

/// The variant of the Packed Encoding Rules (X.691 §7).
///
/// ```
/// use tagwise_per::Variant;
/// assert_eq!(Variant::named("cuper"), Some(Variant::CANONICAL_UNALIGNED));
/// assert_eq!(Variant::ALIGNED.name(), "aper");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// True for the ALIGNED variant.
    pub aligned: bool,
    /// True for CANONICAL-PER.
    pub canonical: bool,
}

impl Variant {
    /// BASIC-PER, UNALIGNED: `uper`.
    pub const UNALIGNED: Self = Self { aligned: false, canonical: false };
    /// BASIC-PER, ALIGNED: `aper`.
    pub const ALIGNED: Self = Self { aligned: true, canonical: false };
    /// CANONICAL-PER, UNALIGNED: `cuper`.
    pub const CANONICAL_UNALIGNED: Self = Self { aligned: false, canonical: true };
    /// CANONICAL-PER, ALIGNED: `caper`.
    pub const CANONICAL_ALIGNED: Self = Self { aligned: true, canonical: true };

    /// All variants.
    pub const ALL: [Self; 4] = [Self::UNALIGNED, Self::ALIGNED, Self::CANONICAL_UNALIGNED, Self::CANONICAL_ALIGNED];

    /// The variant's short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.aligned, self.canonical) {
            (false, false) => "uper",
            (true, false) => "aper",
            (false, true) => "cuper",
            (true, true) => "caper",
        }
    }

    /// The rules of parts of unknown type.
    pub(crate) const fn foreign(self) -> ForeignRules {
        if self.aligned { ForeignRules::Aper } else { ForeignRules::Uper }
    }

    /// Returns the variant with a short name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rule of X.691 that input may be allowed to violate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Padding bits are zero (§11.1.2, §11.1.3).
    PaddingZero,
    /// Nothing follows the encoding, or the contents of an open type (§11.1, §11.2).
    TrailingData,
    /// Lengths and numbers have their shortest encodings (§11.3 to §11.9).
    ShortestForm,
    /// A component with its DEFAULT value is absent (§19.5).
    DefaultAbsent,
    /// A value within the extension root is encoded as one (§13.1, §16.6, §17.3, §20.4, §30.4).
    RootForm,
    /// The presence bits of extension additions are not all zero (§19.6, §19.9).
    AdditionsPresent,
    /// Trailing zero bits of named bits are absent (§16.2).
    NamedBits,
    /// The elements of a SET OF are in order (CANONICAL-PER, §22.1).
    SetOfOrder,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 8] = [
        Self::PaddingZero,
        Self::TrailingData,
        Self::ShortestForm,
        Self::DefaultAbsent,
        Self::RootForm,
        Self::AdditionsPresent,
        Self::NamedBits,
        Self::SetOfOrder,
    ];

    /// The rule's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PaddingZero => "per-padding-zero",
            Self::TrailingData => "per-trailing-data",
            Self::ShortestForm => "per-shortest-form",
            Self::DefaultAbsent => "per-default-absent",
            Self::RootForm => "per-root-form",
            Self::AdditionsPresent => "per-additions-present",
            Self::NamedBits => "per-named-bits",
            Self::SetOfOrder => "per-set-of-order",
        }
    }

    /// The message for a violation.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::PaddingZero => "padding bits are not zero",
            Self::TrailingData => "data follows the value",
            Self::ShortestForm => "a length or number is not in its shortest form",
            Self::DefaultAbsent => "a component with its DEFAULT value is present",
            Self::RootForm => "a value within the range of the extension root is encoded as an extension",
            Self::AdditionsPresent => "no extension addition is present after the extension bit",
            Self::NamedBits => "named bits have trailing zero bits",
            Self::SetOfOrder => "the elements of a SET OF are not in order",
        }
    }

    /// The requirement, as a sentence.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::PaddingZero => "Padding bits must be zero.",
            Self::TrailingData => "Nothing may follow the value.",
            Self::ShortestForm => "Lengths and numbers must be in their shortest form.",
            Self::DefaultAbsent => "A component with its DEFAULT value must be absent.",
            Self::RootForm => "A value within the range of the extension root must not be encoded as an extension.",
            Self::AdditionsPresent => "An extension addition must follow an extension bit.",
            Self::NamedBits => "Named bits must not have trailing zero bits (canonical PER).",
            Self::SetOfOrder => "The elements of a SET OF must be in order (canonical PER).",
        }
    }

    /// The clause of the standard: `X.691 §11.1`.
    #[must_use]
    pub const fn clause(self) -> &'static str {
        match self {
            Self::PaddingZero => "X.691 §11.1",
            Self::TrailingData => "X.691 §11.1",
            Self::ShortestForm => "X.691 §11.9",
            Self::DefaultAbsent => "X.691 §19.5",
            Self::RootForm => "X.691 §13.1",
            Self::AdditionsPresent => "X.691 §19.9",
            Self::NamedBits => "X.691 §16.2",
            Self::SetOfOrder => "X.691 §22.1",
        }
    }

    /// Returns the rule with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The rules that a decoder tolerates violations of.
///
/// ```
/// use tagwise_per::{Rule, Tolerance};
/// let some = Tolerance::NONE.allow(Rule::PaddingZero);
/// assert!(some.allows(Rule::PaddingZero) && !some.allows(Rule::TrailingData));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tolerance(u32);

impl Tolerance {
    /// No violations.
    pub const NONE: Self = Self(0);
    /// All violations.
    pub const ALL: Self = Self((1 << Rule::ALL.len()) - 1);

    /// Adds a rule.
    #[must_use]
    pub const fn allow(self, rule: Rule) -> Self {
        Self(self.0 | rule.bit())
    }

    /// Adds the rules of another set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether violations of a rule are tolerated.
    #[must_use]
    pub const fn allows(self, rule: Rule) -> bool {
        self.0 & rule.bit() != 0
    }
}

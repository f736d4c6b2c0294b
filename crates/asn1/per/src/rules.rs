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

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident $name:literal $text:literal $summary:literal $clause:literal,)*) => {
        /// A rule of X.691 or X.696 that input may be allowed to violate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)*
        }

        impl Rule {
            /// All rules, those of PER first.
            pub const ALL: &[Self] = &[$(Self::$rule),*];

            /// The rule's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$rule => $name,)* }
            }

            /// The message for a violation.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$rule => $text,)* }
            }

            /// The requirement, as a sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$rule => $summary,)* }
            }

            /// The clause of the standard: `X.691 §11.1`.
            #[must_use]
            pub const fn clause(self) -> &'static str {
                match self { $(Self::$rule => $clause,)* }
            }
        }
    };
}

rules! {
    /// Padding bits are zero (§11.1.2, §11.1.3).
    PaddingZero "per-padding-zero" "padding bits are not zero" "Padding bits must be zero." "X.691 §11.1",
    /// Nothing follows the encoding, or the contents of an open type (§11.1, §11.2).
    TrailingData "per-trailing-data" "data follows the value" "Nothing may follow the value." "X.691 §11.1",
    /// Lengths and numbers have their shortest encodings (§11.3 to §11.9).
    ShortestForm "per-shortest-form" "a length or number is not in its shortest form"
        "Lengths and numbers must be in their shortest form." "X.691 §11.9",
    /// A component with its DEFAULT value is absent (§19.5).
    DefaultAbsent "per-default-absent" "a component with its DEFAULT value is present"
        "A component with its DEFAULT value must be absent." "X.691 §19.5",
    /// A value within the extension root is encoded as one (§13.1, §16.6, §17.3, §20.4, §30.4).
    RootForm "per-root-form" "a value within the range of the extension root is encoded as an extension"
        "A value within the range of the extension root must not be encoded as an extension." "X.691 §13.1",
    /// The presence bits of extension additions are not all zero (§19.6, §19.9).
    AdditionsPresent "per-additions-present" "no extension addition is present after the extension bit"
        "An extension addition must follow an extension bit." "X.691 §19.9",
    /// Trailing zero bits of named bits are absent (§16.2).
    NamedBits "per-named-bits" "named bits have trailing zero bits"
        "Named bits must not have trailing zero bits (canonical PER)." "X.691 §16.2",
    /// The elements of a SET OF are in order (CANONICAL-PER, §22.1).
    SetOfOrder "per-set-of-order" "the elements of a SET OF are not in order"
        "The elements of a SET OF must be in order (canonical PER)." "X.691 §22.1",
    /// Nothing follows the encoding, or the value in an open type or string (OER).
    OerTrailingData "oer-trailing-data" "data follows the value" "Nothing may follow the value." "X.696 §8.5",
    /// The bits behind those of a preamble are zero (OER).
    OerPreambleZero "oer-preamble-zero" "the unused bits of the preamble are not zero"
        "The unused bits of a preamble must be zero." "X.696 §16.2.4",
    /// The unused bits of a BIT STRING or presence bitmap are zero (OER).
    OerUnusedBits "oer-unused-bits" "the unused bits are not zero"
        "The unused bits of a BIT STRING or presence bitmap must be zero." "X.696 §13",
    /// A set extension bit is followed by an extension addition (OER).
    OerAdditionsPresent "oer-additions-present" "no extension addition is present after the extension bit"
        "An extension addition must follow an extension bit." "X.696 §16.4",
    /// An extension addition group that is present has a component (OER).
    OerGroupPresent "oer-group-present" "an extension addition group without components is present"
        "An extension addition group without components must be absent." "X.696 §16.4",
    /// A BOOLEAN is 00 or FF (CANONICAL-OER).
    OerBoolean "oer-boolean" "the BOOLEAN is not canonical, expected 00 or FF"
        "A BOOLEAN must be 00 or FF (canonical OER)." "X.696 §9",
    /// Lengths have their shortest form (CANONICAL-OER).
    OerShortestLength "oer-shortest-length" "the length is not canonical, expected the shortest form"
        "Lengths must be in their shortest form (canonical OER)." "X.696 §8.6.5",
    /// INTEGERs and numbers of elements have their shortest form (CANONICAL-OER).
    OerShortestInteger "oer-shortest-integer" "the INTEGER or number of elements is not canonical, expected the shortest form"
        "INTEGERs and numbers of elements must be in their shortest form (canonical OER)." "X.696 §10.3",
    /// ENUMERATED values have their shortest form (CANONICAL-OER).
    OerShortestEnumerated "oer-shortest-enumerated" "the ENUMERATED is not canonical, expected the shortest form"
        "ENUMERATED values must be in their shortest form (canonical OER)." "X.696 §11.4",
    /// NOT-A-NUMBER has one form of IEEE 754 (CANONICAL-OER).
    OerNotANumber "oer-not-a-number" "the NOT-A-NUMBER is not canonical"
        "NOT-A-NUMBER must be a quiet NaN without a payload (canonical OER)." "X.696 §12",
    /// Named bits have only the zero bits at their end that the size constraint requires (CANONICAL-OER).
    OerNamedBits "oer-named-bits" "the named bits are not canonical, expected the fewest zero bits at the end"
        "Named bits must have the fewest zero bits at the end (canonical OER)." "X.696 §13.3",
    /// A component with its DEFAULT value is absent (CANONICAL-OER).
    OerDefaultAbsent "oer-default-absent" "a component with its DEFAULT value is present"
        "A component with its DEFAULT value must be absent (canonical OER)." "X.696 §16.2.3",
    /// The elements of a SET OF are in order (CANONICAL-OER).
    OerSetOfOrder "oer-set-of-order" "the elements of a SET OF are not in order"
        "The elements of a SET OF must be in order (canonical OER)." "X.696 §19",
}

impl Rule {
    /// Returns the rule with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|rule| rule.name() == name).copied()
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

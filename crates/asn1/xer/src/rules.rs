//! Variants, and rules whose violations can be tolerated.

use std::fmt;

/// A variant of the XML Encoding Rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// BASIC-XER (X.693 §8).
    Basic,
    /// CANONICAL-XER (X.693 §9).
    Canonical,
    /// EXTENDED-XER (X.693 §10), which follows the encoding instructions of the schema.
    Extended,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Basic, Self::Canonical, Self::Extended];

    /// The variant's short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Basic => "xer",
            Self::Canonical => "cxer",
            Self::Extended => "exer",
        }
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
    ($($(#[doc = $doc:literal])+ $rule:ident $name:literal $text:literal $clause:literal,)*) => {
        /// A rule of X.693 that input may be allowed to violate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Self] = &[$(Self::$rule),*];

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
                match self { $(Self::$rule => concat!($($doc),+).trim_ascii_start(),)* }
            }

            /// Returns the rule with a name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|rule| rule.name() == name).copied()
            }

            /// The clause of the standard: `X.693 §9.1.1`.
            #[must_use]
            pub const fn clause(self) -> &'static str {
                match self { $(Self::$rule => $clause,)* }
            }
        }
    };
}

rules! {
    /// There are no comments, processing instructions, CDATA sections and attributes (BASIC-XER and CANONICAL-XER).
    PlainXml "xer-plain-xml" "comments, processing instructions, CDATA sections and attributes are not used" "X.693 §8.1",
    /// Booleans, enumerated values, named numbers, named bits and special REALs have their BASIC-XER form.
    ValueForm "xer-value-form" "the value is not in the form that BASIC-XER uses" "X.693 §8.3",
    /// There is no XML declaration (CANONICAL-XER).
    Prolog "xer-prolog" "the XML declaration is present" "X.693 §9.1.1",
    /// There is no white-space between lexical items (CANONICAL-XER).
    WhiteSpace "xer-white-space" "there is white-space outside of character strings" "X.693 §9.1.2",
    /// Characters are escaped only where necessary, by name (CANONICAL-XER).
    Escapes "xer-escapes" "a character is not in its canonical form" "X.693 §9.1.3",
    /// Elements without content are empty-element tags (CANONICAL-XER).
    EmptyTags "xer-empty-tags" "an element without content has an end tag" "X.693 §9.1.4",
    /// REALs have their normalized form (CANONICAL-XER).
    RealForm "xer-real-form" "the number is not in its canonical form" "X.693 §9.2",
    /// Trailing zero bits of named bits are absent (CANONICAL-XER).
    NamedBits "xer-named-bits" "named bits have trailing zero bits" "X.693 §9.3",
    /// Hexadecimal digits are in upper case, without white-space (CANONICAL-XER).
    HexDigits "xer-hex-digits" "hexadecimal digits are not in upper case, or have white-space between them" "X.693 §9.4",
    /// Hexadecimal digits are pairs. A missing last digit is zero, but other implementations add a first one.
    HexPairs "xer-hex-pairs" "the number of hexadecimal digits is odd; the missing last digit is a zero" "X.680 §23.6",
    /// The components of a SET are in the order of their tags (CANONICAL-XER).
    SetOrder "xer-set-order" "the components of a SET are not in the order of their tags" "X.693 §9.6",
    /// The elements of a SET OF are in order (CANONICAL-XER).
    SetOfOrder "xer-set-of-order" "the elements of a SET OF are not in order" "X.693 §9.7",
    /// Object identifiers have numbers only (CANONICAL-XER).
    ObjectIdentifierForm "xer-oid-form" "an object identifier does not consist of numbers only" "X.693 §9.8",
    /// Times have the form of DER (CANONICAL-XER).
    TimeForm "xer-time-form" "the time is not in its canonical form" "X.693 §9.10",
    /// Open types have the XML of their value (CANONICAL-XER).
    OpenTypeForm "xer-open-type-form" "the value of an open type is in hexadecimal" "X.693 §9.12",
}

impl Rule {
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
/// use tagwise_xer::{Rule, Tolerance};
/// let some = Tolerance::NONE.allow(Rule::WhiteSpace);
/// assert!(some.allows(Rule::WhiteSpace) && !some.allows(Rule::Escapes));
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

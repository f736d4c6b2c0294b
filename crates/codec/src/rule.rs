//! Named deviations: what a caller may allow, one rule at a time.
//!
//! A rule is asked about only after a check has failed, so strict input never pays for it. Bits 0 to 31 are the codec's own
//! rules, listed in [`Rule::ALL`]; layers above (profiles such as RFC 5280) define theirs from bit 32 on.

use core::fmt;

/// One deviation by name: what it tolerates and which clause it departs from.
///
/// ```
/// use tagwise_codec::{Rule, RuleSet};
/// let rules = RuleSet::NONE.with(&Rule::LONG_LENGTH);
/// assert!(rules.has(&Rule::LONG_LENGTH) && !rules.has(&Rule::BOOLEAN_VALUE));
/// assert_eq!(Rule::by_name("long-length"), Some(&Rule::LONG_LENGTH));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The rule's bit in a [`RuleSet`]: 0–31 here, 32–63 for layers above. At most 63.
    pub bit: u8,
    /// The name by which users allow it, in kebab case.
    pub name: &'static str,
    /// The clause that strict input obeys.
    pub clause: &'static str,
    /// Description of strict input, which no longer holds once the rule is allowed.
    pub summary: &'static str,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $ident:ident = $bit:literal, $name:literal, $clause:literal, $summary:literal;)*) => {
        impl Rule {
            $($(#[$doc])* pub const $ident: Rule = Rule { bit: $bit, name: $name, clause: $clause, summary: $summary };)*

            /// Every rule of the codec, in the order of their bits.
            pub const ALL: &'static [Rule] = &[$(Rule::$ident),*];
        }
    };
}

rules! {
    /// Lengths in long form, or with leading zero octets, where a shorter form exists.
    LONG_LENGTH = 0, "long-length", "X.690 §10.1", "a length takes the fewest bytes";
    /// TRUE encoded as an octet other than FF.
    BOOLEAN_VALUE = 1, "boolean-value", "X.690 §11.1", "TRUE is the byte FF";
    /// A component encoded although it has its DEFAULT value.
    DEFAULT_ENCODED = 2, "default-encoded", "X.690 §11.5", "a component that has its DEFAULT value is left out";
    /// SET OF elements out of order.
    SET_OF_ORDER = 3, "set-of-order", "X.690 §11.6", "the elements of a SET OF ascend by their encodings";
    /// One bits among the unused bits of a BIT STRING.
    UNUSED_BITS = 4, "unused-bits", "X.690 §11.2.1", "the unused bits of a BIT STRING are zero";
    /// Trailing zero bits in a BIT STRING with named bits.
    NAMED_BITS = 5, "named-bits", "X.690 §11.2.2", "a BIT STRING with named bits ends in a one bit";
    /// UTCTime or GeneralizedTime in a form that BER allows and DER does not: no seconds, a time difference, local time, a comma or trailing zeros in the fraction.
    /// TIME and DURATION with a comma, needless zeros or a repeated time difference; those keep their octets and do not encode again.
    TIME_FORM = 6, "time-form", "X.690 §11.7, §11.8, §11.9", "a time has seconds, ends in Z, and its fraction has no trailing zero";
    /// REAL in a form that BER allows and DER does not.
    REAL_FORM = 7, "real-form", "X.690 §11.3", "a REAL is base 2 with an odd mantissa, or decimal NR3 in its one canonical form";
    /// An INTEGER or ENUMERATED with redundant leading octets. Not BER either; encoders get it wrong.
    INTEGER_PADDED = 8, "integer-padded", "X.690 §8.3.2", "an INTEGER takes the fewest bytes";
    /// An object identifier with arcs padded by 80 octets. Not BER either. The value keeps its octets and does not encode again.
    OID_PADDED = 9, "oid-padded", "X.690 §8.19.2", "an arc takes the fewest bytes";
    /// A character outside a string type's alphabet. The value keeps its octets and does not encode again.
    STRING_ALPHABET = 10, "string-alphabet", "X.680 §41", "every character is in the alphabet of its string type";
    /// A size outside a SIZE constraint.
    SIZE = 11, "size", "X.680 §51.5", "the size lies within the SIZE constraint";
    /// A value outside a value constraint.
    VALUE = 12, "value", "X.680 §51.4", "the value lies within its constraint";
    /// The value of an open type does not decode as the type that its identifier selects; it is kept as it is.
    OPEN_TYPE = 13, "open-type", "X.681 §14", "an open type holds a value of the type that its identifier selects";
    /// Octets after the end of the outermost value.
    TRAILING_DATA = 14, "trailing-data", "X.690 §8.1.1", "nothing follows the outermost value";
    /// A SEQUENCE or SET that is not extensible has further components.
    EXTRA_COMPONENTS = 15, "extra-components", "X.680 §25, §27", "a SEQUENCE or SET holds only the components of its type";
    /// PEM lines of another length than 64 characters, the last one aside.
    PEM_LINE_LENGTH = 16, "pem-line-length", "RFC 7468 §2", "every line of base64 but the last has 64 characters";
    /// Blanks at the end of PEM lines, and empty lines before or after the base64.
    PEM_TRAILING_SPACE = 17, "pem-trailing-space", "RFC 7468 §3", "no line ends in blanks, and no line is empty";
    /// Blanks before or inside PEM lines, and empty lines inside the base64.
    PEM_WHITESPACE = 18, "pem-whitespace", "RFC 7468 §3", "the base64 is not interrupted but by line breaks";
    /// Blanks before a PEM boundary.
    PEM_LEADING_SPACE = 19, "pem-leading-space", "RFC 7468 §3", "a boundary begins its line";
    /// A PEM boundary with other dashes than five hyphens on either side: fewer, more, or those that word processors make of them.
    PEM_DASHES = 20, "pem-dashes", "RFC 7468 §3", "a boundary begins and ends with five hyphens";
    /// A PEM boundary that shares its line with base64 or with another boundary.
    PEM_MISSING_NEWLINE = 21, "pem-missing-newline", "RFC 7468 §3", "a boundary stands on a line of its own";
    /// Labels of the BEGIN and END lines that differ.
    PEM_LABEL_MISMATCH = 22, "pem-label-mismatch", "RFC 7468 §2", "the labels of the boundaries are equal";
    /// A PEM block that ends with the input or with the next BEGIN line.
    PEM_MISSING_END = 23, "pem-missing-end", "RFC 7468 §3", "a block has an END line";
    /// Headers as in RFC 1421 §4.6, which encrypted keys of OpenSSL's old format have.
    PEM_HEADERS = 24, "pem-headers", "RFC 7468 §2", "a block has no headers";
    /// Base64 without its padding.
    PEM_MISSING_PADDING = 25, "pem-missing-padding", "RFC 4648 §4", "base64 is padded to a multiple of four characters";
    /// One bits among the unused bits of the last base64 character.
    PEM_UNUSED_BITS = 26, "pem-unused-bits", "RFC 4648 §3.5", "the unused bits of base64 are zero";
    /// Octets outside the base64 alphabet in a PEM block, which are stepped over.
    PEM_FOREIGN_OCTETS = 27, "pem-foreign-octets", "RFC 4648 §3.3", "base64 has no bytes outside its alphabet";
}

impl Rule {
    /// The codec's rule of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Rule> {
        Self::ALL.iter().find(|rule| rule.name == name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A set of [`Rule`]s: what one decoding tolerates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleSet(u64);

impl RuleSet {
    /// No rule: DER.
    pub const NONE: Self = Self(0);

    /// The rules that X.690 §8 relaxes beyond DER while every length is definite and every string primitive.
    pub const BER_DEFINITE: Self = Self::NONE
        .with(&Rule::LONG_LENGTH)
        .with(&Rule::BOOLEAN_VALUE)
        .with(&Rule::DEFAULT_ENCODED)
        .with(&Rule::SET_OF_ORDER)
        .with(&Rule::UNUSED_BITS)
        .with(&Rule::NAMED_BITS)
        .with(&Rule::TIME_FORM)
        .with(&Rule::REAL_FORM);

    /// The `textualmsg` of RFC 7468 §3, which [`pem`](crate::pem) reads by default; without these rules it reads the
    /// `stricttextualmsg` that generators shall write.
    pub const PEM: Self = Self::NONE.with(&Rule::PEM_LINE_LENGTH).with(&Rule::PEM_TRAILING_SPACE);

    /// All rules for common faults of PEM that can only be meant in one way: every rule whose name begins with `pem-`.
    pub const PEM_LAX: Self = Self::PEM
        .with(&Rule::PEM_WHITESPACE)
        .with(&Rule::PEM_LEADING_SPACE)
        .with(&Rule::PEM_DASHES)
        .with(&Rule::PEM_MISSING_NEWLINE)
        .with(&Rule::PEM_LABEL_MISMATCH)
        .with(&Rule::PEM_MISSING_END)
        .with(&Rule::PEM_HEADERS)
        .with(&Rule::PEM_MISSING_PADDING)
        .with(&Rule::PEM_UNUSED_BITS)
        .with(&Rule::PEM_FOREIGN_OCTETS);

    /// Every rule.
    pub const ALL: Self = Self(u64::MAX);

    /// Every rule of the layers above the codec.
    pub const PROFILES: Self = Self(u64::MAX << 32);

    /// The rules of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set with one rule more.
    #[must_use]
    pub const fn with(self, rule: &Rule) -> Self {
        Self(self.0 | 1 << (rule.bit & 63))
    }

    /// The set with one rule less.
    #[must_use]
    pub const fn without(self, rule: &Rule) -> Self {
        Self(self.0 & !(1 << (rule.bit & 63)))
    }

    /// Returns whether the set holds a rule.
    #[must_use]
    pub const fn has(self, rule: &Rule) -> bool {
        self.0 & 1 << (rule.bit & 63) != 0
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A deviation that was met and tolerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The rule that allowed it.
    pub rule: &'static Rule,
    /// Absolute byte offset of the byte that a strict decoder would have refused.
    pub offset: usize,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} ({})", self.rule.name, self.offset, self.rule.clause)
    }
}

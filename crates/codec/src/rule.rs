//! Named deviations: what a caller may allow, one rule at a time.
//!
//! A rule is asked about only after a check has failed, so strict input never pays for it. Each rule belongs to a [`Domain`] and has
//! a number there: a leniency of one domain cannot switch off another's check. The codec's own rules, of the domains
//! [`Domain::Encoding`] and [`Domain::Pem`], are in [`Rule::ALL`].

use core::fmt;

/// The layer whose rules are meant: each has up to 32 of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Domain {
    /// The encoding: requirements of DER, and those of BER (X.680, X.690).
    Encoding = 0,
    /// Text around an encoding (RFC 7468).
    Pem = 1,
    /// Certificates, CRLs, names and the messages around them (RFC 5280 and relatives).
    X509 = 2,
    /// Kerberos (RFC 4120 and relatives).
    Kerberos = 3,
    /// Types of a user's own: [`Rule::custom`].
    Custom = 4,
}

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
    domain: Domain,
    number: u8,
    /// The name by which users allow it, in kebab case.
    pub name: &'static str,
    /// The clause that strict input obeys.
    pub clause: &'static str,
    /// Description of strict input, which no longer holds once the rule is allowed.
    pub summary: &'static str,
}

impl Rule {
    /// A rule for types of one's own, of the domain [`Domain::Custom`]. Two types that are decoded with the same set of rules need
    /// different numbers.
    ///
    /// ```
    /// use tagwise_codec::{Rule, RuleSet};
    /// const EVEN: Rule = Rule::custom(0, "even", "our protocol, page 4", "a number is even");
    /// let rules = RuleSet::NONE.with(&EVEN);
    /// assert!(rules.has(&EVEN) && !rules.has(&Rule::LONG_LENGTH));
    /// ```
    ///
    /// # Panics
    /// If `number` is above 31: a compile error in a constant, which a rule should be.
    #[must_use]
    pub const fn custom(number: u8, name: &'static str, clause: &'static str, summary: &'static str) -> Self {
        Self::__new(Domain::Custom, number, name, clause, summary)
    }

    /// Not part of the API: for Tagwise's own crates.
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(
        domain: Domain,
        number: u8,
        name: &'static str,
        clause: &'static str,
        summary: &'static str,
    ) -> Self {
        assert!(number < 32, "a domain has 32 rules");
        Self { domain, number, name, clause, summary }
    }

    /// The layer that the rule belongs to.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        self.domain
    }

    /// The rule's number in its domain: 0 to 31.
    #[must_use]
    pub const fn number(&self) -> u8 {
        self.number
    }

    /// Domain and number as one: what a fault carries as its detail.
    pub(crate) const fn id(&self) -> u8 {
        self.domain as u8 * 32 + self.number
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $ident:ident = $domain:ident $number:literal, $name:literal, $clause:literal, $summary:literal;)*) => {
        impl Rule {
            $($(#[$doc])* pub const $ident: Rule = Rule::__new(Domain::$domain, $number, $name, $clause, $summary);)*

            /// Every rule of the codec: the domains [`Domain::Encoding`] and [`Domain::Pem`], each in the order of its numbers.
            pub const ALL: &'static [Rule] = &[$(Rule::$ident),*];
        }
    };
}

rules! {
    /// Lengths in long form, or with leading zero octets, where a shorter form exists.
    LONG_LENGTH = Encoding 0, "long-length", "X.690 §10.1", "a length takes the fewest bytes";
    /// TRUE encoded as an octet other than FF.
    BOOLEAN_VALUE = Encoding 1, "boolean-value", "X.690 §11.1", "TRUE is the byte FF";
    /// A component encoded although it has its DEFAULT value.
    DEFAULT_ENCODED = Encoding 2, "default-encoded", "X.690 §11.5", "a component that has its DEFAULT value is left out";
    /// SET OF elements out of order.
    SET_OF_ORDER = Encoding 3, "set-of-order", "X.690 §11.6", "the elements of a SET OF ascend by their encodings";
    /// One bits among the unused bits of a BIT STRING.
    UNUSED_BITS = Encoding 4, "unused-bits", "X.690 §11.2.1", "the unused bits of a BIT STRING are zero";
    /// Trailing zero bits in a BIT STRING with named bits.
    NAMED_BITS = Encoding 5, "named-bits", "X.690 §11.2.2", "a BIT STRING with named bits ends in a one bit";
    /// UTCTime or GeneralizedTime in a form that BER allows and DER does not: no seconds, a time difference, local time, a comma or trailing zeros in the fraction.
    /// TIME and DURATION with a comma, needless zeros or a repeated time difference; those keep their octets and do not encode again.
    TIME_FORM = Encoding 6, "time-form", "X.690 §11.7, §11.8, §11.9", "a time has seconds, ends in Z, and its fraction has no trailing zero";
    /// REAL in a form that BER allows and DER does not.
    REAL_FORM = Encoding 7, "real-form", "X.690 §11.3", "a REAL is base 2 with an odd mantissa, or decimal NR3 in its one canonical form";
    /// An INTEGER or ENUMERATED with redundant leading octets. Not BER either; encoders get it wrong.
    INTEGER_PADDED = Encoding 8, "integer-padded", "X.690 §8.3.2", "an INTEGER takes the fewest bytes";
    /// An object identifier with arcs padded by 80 octets. Not BER either. The value keeps its octets and does not encode again.
    OID_PADDED = Encoding 9, "oid-padded", "X.690 §8.19.2", "an arc takes the fewest bytes";
    /// A character outside a string type's alphabet. The value keeps its octets and does not encode again.
    STRING_ALPHABET = Encoding 10, "string-alphabet", "X.680 §41", "every character is in the alphabet of its string type";
    /// A size outside a SIZE constraint.
    SIZE = Encoding 11, "size", "X.680 §51.5", "the size lies within the SIZE constraint";
    /// A value outside a value constraint.
    VALUE = Encoding 12, "value", "X.680 §51.4", "the value lies within its constraint";
    /// The value of an open type does not decode as the type that its identifier selects; it is kept as it is.
    OPEN_TYPE = Encoding 13, "open-type", "X.681 §14", "an open type holds a value of the type that its identifier selects";
    /// Octets after the end of the outermost value.
    TRAILING_DATA = Encoding 14, "trailing-data", "X.690 §8.1.1", "nothing follows the outermost value";
    /// A SEQUENCE or SET that is not extensible has further components.
    EXTRA_COMPONENTS = Encoding 15, "extra-components", "X.680 §25, §27", "a SEQUENCE or SET holds only the components of its type";
    /// Zero bytes after the end of the outermost value: space that was kept for it and not filled, as the signature of a PDF file has it.
    TRAILING_ZEROS = Encoding 16, "trailing-zeros", "X.690 §8.1.1, ISO 32000-2 §12.8.3.3.1", "no zero bytes follow the outermost value";
    /// PEM lines of another length than 64 characters, the last one aside.
    PEM_LINE_LENGTH = Pem 0, "pem-line-length", "RFC 7468 §2", "every line of base64 but the last has 64 characters";
    /// Blanks at the end of PEM lines, and empty lines before or after the base64.
    PEM_TRAILING_SPACE = Pem 1, "pem-trailing-space", "RFC 7468 §3", "no line ends in blanks, and no line is empty";
    /// Blanks before or inside PEM lines, and empty lines inside the base64.
    PEM_WHITESPACE = Pem 2, "pem-whitespace", "RFC 7468 §3", "the base64 is not interrupted but by line breaks";
    /// Blanks before a PEM boundary.
    PEM_LEADING_SPACE = Pem 3, "pem-leading-space", "RFC 7468 §3", "a boundary begins its line";
    /// A PEM boundary with other dashes than five hyphens on either side: fewer, more, or those that word processors make of them.
    PEM_DASHES = Pem 4, "pem-dashes", "RFC 7468 §3", "a boundary begins and ends with five hyphens";
    /// A PEM boundary that shares its line with base64 or with another boundary.
    PEM_MISSING_NEWLINE = Pem 5, "pem-missing-newline", "RFC 7468 §3", "a boundary stands on a line of its own";
    /// Labels of the BEGIN and END lines that differ.
    PEM_LABEL_MISMATCH = Pem 6, "pem-label-mismatch", "RFC 7468 §2", "the labels of the boundaries are equal";
    /// A PEM block that ends with the input or with the next BEGIN line.
    PEM_MISSING_END = Pem 7, "pem-missing-end", "RFC 7468 §3", "a block has an END line";
    /// Headers as in RFC 1421 §4.6, which encrypted keys of OpenSSL's old format have.
    PEM_HEADERS = Pem 8, "pem-headers", "RFC 7468 §2", "a block has no headers";
    /// Base64 without its padding.
    PEM_MISSING_PADDING = Pem 9, "pem-missing-padding", "RFC 4648 §4", "base64 is padded to a multiple of four characters";
    /// One bits among the unused bits of the last base64 character.
    PEM_UNUSED_BITS = Pem 10, "pem-unused-bits", "RFC 4648 §3.5", "the unused bits of base64 are zero";
    /// Octets outside the base64 alphabet in a PEM block, which are stepped over.
    PEM_FOREIGN_OCTETS = Pem 11, "pem-foreign-octets", "RFC 4648 §3.3", "base64 has no bytes outside its alphabet";
    /// An END line without a BEGIN line before it, which is passed over as text between blocks.
    PEM_STRAY_END = Pem 12, "pem-stray-end", "RFC 7468 §2", "an END line ends a block";
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
pub struct RuleSet {
    encoding: u32,
    pem: u32,
    x509: u32,
    kerberos: u32,
    custom: u32,
}

impl RuleSet {
    /// No rule: DER.
    pub const NONE: Self = Self { encoding: 0, pem: 0, x509: 0, kerberos: 0, custom: 0 };

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

    /// The leniencies of [`pem`](crate::pem) by default: the `laxtextualmsg` of RFC 7468 §3, in which parsers ignore whitespace wherever it is,
    /// and text before blocks that disturbs none (§2: data before the boundaries "MUST NOT cause parsers to malfunction", and parsers
    /// "SHOULD ignore whitespace"). Without these rules it reads the `stricttextualmsg` that generators shall write.
    pub const PEM: Self = Self::NONE
        .with(&Rule::PEM_LINE_LENGTH)
        .with(&Rule::PEM_TRAILING_SPACE)
        .with(&Rule::PEM_WHITESPACE)
        .with(&Rule::PEM_LEADING_SPACE)
        .with(&Rule::PEM_STRAY_END);

    /// All rules for common faults of PEM that can only be meant in one way: every rule whose name begins with `pem-`.
    pub const PEM_LAX: Self = Self::PEM
        .with(&Rule::PEM_DASHES)
        .with(&Rule::PEM_MISSING_NEWLINE)
        .with(&Rule::PEM_LABEL_MISMATCH)
        .with(&Rule::PEM_MISSING_END)
        .with(&Rule::PEM_HEADERS)
        .with(&Rule::PEM_MISSING_PADDING)
        .with(&Rule::PEM_UNUSED_BITS)
        .with(&Rule::PEM_FOREIGN_OCTETS);

    /// Every rule.
    pub const ALL: Self = Self { encoding: u32::MAX, pem: u32::MAX, ..Self::PROFILES };

    /// Every rule of the layers above the codec.
    pub const PROFILES: Self = Self { encoding: 0, pem: 0, x509: u32::MAX, kerberos: u32::MAX, custom: u32::MAX };

    /// The rules of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self {
            encoding: self.encoding | other.encoding,
            pem: self.pem | other.pem,
            x509: self.x509 | other.x509,
            kerberos: self.kerberos | other.kerberos,
            custom: self.custom | other.custom,
        }
    }

    /// The set with one rule more.
    #[must_use]
    pub const fn with(mut self, rule: &Rule) -> Self {
        *self.of(rule.domain) |= 1 << rule.number;
        self
    }

    /// The set with one rule less.
    #[must_use]
    pub const fn without(mut self, rule: &Rule) -> Self {
        *self.of(rule.domain) &= !(1 << rule.number);
        self
    }

    /// Returns whether the set holds a rule.
    #[must_use]
    pub const fn has(mut self, rule: &Rule) -> bool {
        *self.of(rule.domain) & 1 << rule.number != 0
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.encoding | self.pem | self.x509 | self.kerberos | self.custom == 0
    }

    /// The rules but those of [`Domain::Pem`], a bit each.
    pub(crate) const fn words(self) -> [u32; 4] {
        [self.encoding, self.x509, self.kerberos, self.custom]
    }

    /// The rules of such bits.
    pub(crate) const fn of_words([encoding, x509, kerberos, custom]: [u32; 4]) -> Self {
        Self { encoding, pem: 0, x509, kerberos, custom }
    }

    /// The rules of a domain, a bit each.
    const fn of(&mut self, domain: Domain) -> &mut u32 {
        match domain {
            Domain::Encoding => &mut self.encoding,
            Domain::Pem => &mut self.pem,
            Domain::X509 => &mut self.x509,
            Domain::Kerberos => &mut self.kerberos,
            Domain::Custom => &mut self.custom,
        }
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

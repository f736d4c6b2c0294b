//! Named deviations that a caller can tolerate individually.
//!
//! Rules are consulted only after a check has failed, so they cost nothing for strict input. Each rule has a number in
//! its [`Domain`], so that a leniency in one domain cannot disable another's check. The codec's own rules, in
//! [`Domain::Encoding`] and [`Domain::Pem`], are listed in [`Rule::ALL`].

use core::fmt;

/// The layer that a rule belongs to. Each has up to 32 rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Domain {
    /// DER and BER encoding requirements (X.680, X.690).
    Encoding = 0,
    /// Textual encodings (RFC 7468).
    Pem = 1,
    /// Certificates, CRLs, names and related messages (RFC 5280 and others).
    X509 = 2,
    /// Kerberos (RFC 4120 and others).
    Kerberos = 3,
    /// User-defined types: [`Rule::custom`].
    Custom = 4,
}

/// A named deviation: its name, and the clause that is violated.
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
    /// The name used to allow the rule, in kebab case.
    pub name: &'static str,
    /// The clause that strict input satisfies.
    pub clause: &'static str,
    /// The requirement that strict input meets. Allowing the rule lifts this requirement.
    pub summary: &'static str,
}

impl Rule {
    /// Creates a rule for user-defined types, in [`Domain::Custom`]. Types decoded with the same rule set need
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
    /// Panics if `number` is above 31. In a constant, as rules should be, this is a compile-time error.
    #[must_use]
    pub const fn custom(number: u8, name: &'static str, clause: &'static str, summary: &'static str) -> Self {
        Self::__new(Domain::Custom, number, name, clause, summary)
    }

    /// Creates a rule in any domain. Internal, for Tagwise's own crates.
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(
        domain: Domain,
        number: u8,
        name: &'static str,
        clause: &'static str,
        summary: &'static str,
    ) -> Self {
        assert!(number < 32, "a rule domain has at most 32 rules");
        Self { domain, number, name, clause, summary }
    }

    /// Returns the layer to which the rule belongs.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        self.domain
    }

    /// Returns the rule's number in its domain, from 0 to 31.
    #[must_use]
    pub const fn number(&self) -> u8 {
        self.number
    }

    /// Returns the domain and number combined, as stored in a fault's detail.
    pub(crate) const fn id(&self) -> u8 {
        self.domain as u8 * 32 + self.number
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $ident:ident = $domain:ident $number:literal, $name:literal, $clause:literal, $summary:literal;)*) => {
        impl Rule {
            $($(#[$doc])* pub const $ident: Rule = Rule::__new(Domain::$domain, $number, $name, $clause, $summary);)*

            /// All codec rules, in [`Domain::Encoding`] and [`Domain::Pem`], ordered by number.
            pub const ALL: &'static [Rule] = &[$(Rule::$ident),*];
        }
    };
}

rules! {
    /// Lengths that are not in their shortest form.
    LONG_LENGTH = Encoding 0, "long-length", "X.690 §10.1", "lengths must use the fewest bytes";
    /// TRUE encoded as a byte other than 0xFF.
    BOOLEAN_VALUE = Encoding 1, "boolean-value", "X.690 §11.1", "TRUE must be the byte FF";
    /// A component encoded with its DEFAULT value.
    DEFAULT_ENCODED = Encoding 2, "default-encoded", "X.690 §11.5", "components equal to their DEFAULT value must be omitted";
    /// SET OF elements out of order.
    SET_OF_ORDER = Encoding 3, "set-of-order", "X.690 §11.6", "the elements of a SET OF must be in ascending order of their encodings";
    /// Nonzero unused bits in a BIT STRING.
    UNUSED_BITS = Encoding 4, "unused-bits", "X.690 §11.2.1", "the unused bits of a BIT STRING must be zero";
    /// Trailing zero bits in a BIT STRING with named bits.
    NAMED_BITS = Encoding 5, "named-bits", "X.690 §11.2.2", "a BIT STRING with named bits must not end in zero bits";
    /// UTCTime or GeneralizedTime in a BER form that DER forbids: no seconds, a time difference, local time, a comma or
    /// trailing zeros in the fraction. Also TIME and DURATION with a comma, redundant zeros or a repeated time
    /// difference. TIME and DURATION values keep their bytes and cannot be encoded again.
    TIME_FORM = Encoding 6, "time-form", "X.690 §11.7, §11.8, §11.9", "times must have seconds, end in Z, and have no trailing zeros in the fraction";
    /// REAL in a BER form that DER forbids.
    REAL_FORM = Encoding 7, "real-form", "X.690 §11.3", "REAL values must have base 2 with an odd mantissa, or be in the canonical decimal form NR3";
    /// An INTEGER or ENUMERATED with redundant leading bytes. This is also invalid BER, but some encoders produce it.
    INTEGER_PADDED = Encoding 8, "integer-padded", "X.690 §8.3.2", "an INTEGER must use the fewest bytes";
    /// An object identifier with arcs that are padded with the byte 0x80. This is also invalid BER. The value keeps its bytes
    /// and cannot be encoded again.
    OID_PADDED = Encoding 9, "oid-padded", "X.690 §8.19.2", "object identifier arcs must use the fewest bytes";
    /// A character outside a string type's alphabet. The value keeps its bytes and cannot be encoded again.
    STRING_ALPHABET = Encoding 10, "string-alphabet", "X.680 §41", "characters must belong to the string type's alphabet";
    /// A size outside a SIZE constraint.
    SIZE = Encoding 11, "size", "X.680 §51.5", "the size must satisfy the SIZE constraint";
    /// A value outside a value constraint.
    VALUE = Encoding 12, "value", "X.680 §51.4", "the value must satisfy its constraint";
    /// An open type value that does not decode as the selected type. It is kept undecoded.
    OPEN_TYPE = Encoding 13, "open-type", "X.681 §14", "an open type must contain a value of the type that its identifier selects";
    /// Bytes after the end of the outermost value.
    TRAILING_DATA = Encoding 14, "trailing-data", "X.690 §8.1.1", "no data may follow the outermost value";
    /// Additional components in a SEQUENCE or SET that is not extensible.
    EXTRA_COMPONENTS = Encoding 15, "extra-components", "X.680 §25, §27", "a SEQUENCE or SET must contain only the components of its type";
    /// Zero bytes after the end of the outermost value: unused reserved space, as in PDF signatures.
    TRAILING_ZEROS = Encoding 16, "trailing-zeros", "X.690 §8.1.1, ISO 32000-2 §12.8.3.3.1", "no zero bytes may follow the outermost value";
    /// PEM lines that do not have 64 characters, except the last one.
    PEM_LINE_LENGTH = Pem 0, "pem-line-length", "RFC 7468 §2", "each base64 line except the last must have 64 characters";
    /// Spaces at the end of PEM lines, and empty lines before or after the base64.
    PEM_TRAILING_SPACE = Pem 1, "pem-trailing-space", "RFC 7468 §3", "lines must not be empty or have trailing white space";
    /// Spaces before or inside PEM lines, and empty lines inside the base64.
    PEM_WHITESPACE = Pem 2, "pem-whitespace", "RFC 7468 §3", "base64 must not contain white space other than line breaks";
    /// Spaces before a PEM boundary.
    PEM_LEADING_SPACE = Pem 3, "pem-leading-space", "RFC 7468 §3", "a boundary must be at the start of its line";
    /// A PEM boundary without exactly five hyphens on either side, or with dashes substituted by a word processor.
    PEM_DASHES = Pem 4, "pem-dashes", "RFC 7468 §3", "a boundary must begin and end with five hyphens";
    /// A PEM boundary on the same line as base64 or another boundary.
    PEM_MISSING_NEWLINE = Pem 5, "pem-missing-newline", "RFC 7468 §3", "a boundary must be on its own line";
    /// Different labels in the BEGIN and END lines.
    PEM_LABEL_MISMATCH = Pem 6, "pem-label-mismatch", "RFC 7468 §2", "the BEGIN and END labels must match";
    /// A PEM block without an END line, which ends at the next BEGIN line or the end of input.
    PEM_MISSING_END = Pem 7, "pem-missing-end", "RFC 7468 §3", "a block must have an END line";
    /// RFC 1421 §4.6 headers, as in keys encrypted in OpenSSL's old format.
    PEM_HEADERS = Pem 8, "pem-headers", "RFC 7468 §2", "a block must not have headers";
    /// Base64 without its padding.
    PEM_MISSING_PADDING = Pem 9, "pem-missing-padding", "RFC 4648 §4", "base64 must be padded to a multiple of four characters";
    /// Nonzero unused bits in the last base64 character.
    PEM_UNUSED_BITS = Pem 10, "pem-unused-bits", "RFC 4648 §3.5", "the unused bits of base64 must be zero";
    /// Bytes outside the base64 alphabet in a PEM block, which are skipped.
    PEM_FOREIGN_OCTETS = Pem 11, "pem-foreign-octets", "RFC 4648 §3.3", "base64 must not contain characters outside the base64 alphabet";
    /// An END line without a BEGIN line, which is treated as text between blocks.
    PEM_STRAY_END = Pem 12, "pem-stray-end", "RFC 7468 §2", "an END line must have a matching BEGIN line";
}

impl Rule {
    /// Returns the codec rule with the given name.
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

/// A set of [`Rule`]s, such as those whose violations are tolerated when decoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleSet {
    encoding: u32,
    pem: u32,
    x509: u32,
    kerberos: u32,
    custom: u32,
}

impl RuleSet {
    /// The empty set: strict DER.
    pub const NONE: Self = Self { encoding: 0, pem: 0, x509: 0, kerberos: 0, custom: 0 };

    /// The BER deviations (X.690 §8) for definite lengths and primitive strings.
    pub const BER_DEFINITE: Self = Self::NONE
        .with(&Rule::LONG_LENGTH)
        .with(&Rule::BOOLEAN_VALUE)
        .with(&Rule::DEFAULT_ENCODED)
        .with(&Rule::SET_OF_ORDER)
        .with(&Rule::UNUSED_BITS)
        .with(&Rule::NAMED_BITS)
        .with(&Rule::TIME_FORM)
        .with(&Rule::REAL_FORM);

    /// The default leniencies of [`pem`](crate::pem), which correspond to the `laxtextualmsg` of RFC 7468 §3: whitespace
    /// anywhere, and text before blocks. RFC 7468 §2 says that data before the boundaries "MUST NOT cause parsers to
    /// malfunction", and that parsers "SHOULD ignore whitespace". Without these rules, only the `stricttextualmsg` that
    /// generators must write is accepted.
    pub const PEM: Self = Self::NONE
        .with(&Rule::PEM_LINE_LENGTH)
        .with(&Rule::PEM_TRAILING_SPACE)
        .with(&Rule::PEM_WHITESPACE)
        .with(&Rule::PEM_LEADING_SPACE)
        .with(&Rule::PEM_STRAY_END);

    /// All leniencies for common, unambiguous PEM errors: every rule whose name begins with `pem-`.
    pub const PEM_LAX: Self = Self::PEM
        .with(&Rule::PEM_DASHES)
        .with(&Rule::PEM_MISSING_NEWLINE)
        .with(&Rule::PEM_LABEL_MISMATCH)
        .with(&Rule::PEM_MISSING_END)
        .with(&Rule::PEM_HEADERS)
        .with(&Rule::PEM_MISSING_PADDING)
        .with(&Rule::PEM_UNUSED_BITS)
        .with(&Rule::PEM_FOREIGN_OCTETS);

    /// All rules in all domains.
    pub const ALL: Self = Self { encoding: u32::MAX, pem: u32::MAX, ..Self::PROFILES };

    /// All rules of the layers above the codec.
    pub const PROFILES: Self = Self { encoding: 0, pem: 0, x509: u32::MAX, kerberos: u32::MAX, custom: u32::MAX };

    /// Returns the union of both sets.
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

    /// Adds a rule to the set.
    #[must_use]
    pub const fn with(mut self, rule: &Rule) -> Self {
        *self.of(rule.domain) |= 1 << rule.number;
        self
    }

    /// Removes a rule from the set.
    #[must_use]
    pub const fn without(mut self, rule: &Rule) -> Self {
        *self.of(rule.domain) &= !(1 << rule.number);
        self
    }

    /// Returns whether the set contains a rule.
    #[must_use]
    pub const fn has(mut self, rule: &Rule) -> bool {
        *self.of(rule.domain) & 1 << rule.number != 0
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.encoding | self.pem | self.x509 | self.kerberos | self.custom == 0
    }

    /// Returns the rules as bits, excluding [`Domain::Pem`].
    pub(crate) const fn words(self) -> [u32; 4] {
        [self.encoding, self.x509, self.kerberos, self.custom]
    }

    /// Creates a set from bits in the layout that `words` returns.
    pub(crate) const fn of_words([encoding, x509, kerberos, custom]: [u32; 4]) -> Self {
        Self { encoding, pem: 0, x509, kerberos, custom }
    }

    /// Returns a domain's rules, one bit per rule.
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

/// A tolerated violation of a rule, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The rule that allowed the deviation.
    pub rule: &'static Rule,
    /// The absolute byte offset at which a strict decoder would have failed.
    pub offset: usize,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} ({})", self.rule.name, self.offset, self.rule.clause)
    }
}

//! Named rules of RFC 5280 for decoding certificates, in addition to DER.

use core::fmt;

use tagwise_codec::text::visible;
use tagwise_codec::{Domain, Rule, RuleSet};

macro_rules! rules {
    ($($(#[$doc:meta])* $ident:ident = $number:literal, $name:literal, $clause:literal, $summary:literal;)*) => {
        $($(#[$doc])* pub const $ident: Rule = Rule::__new(Domain::X509, $number, $name, $clause, $summary);)*

        /// All rules of the profile, ordered by number.
        pub const ALL: &[Rule] = &[$($ident),*];
    };
}

rules! {
    /// A negative serial number.
    NEGATIVE_SERIAL = 0, "negative-serial", "RFC 5280 §4.1.2.2", "serial numbers must not be negative";
    /// A serial number of more than 20 bytes.
    LONG_SERIAL = 1, "long-serial", "RFC 5280 §4.1.2.2", "serial numbers must have at most 20 bytes";
    /// A GeneralizedTime with fractional seconds.
    FRACTIONAL_TIME = 2, "fractional-time", "RFC 5280 §4.1.2.5.2", "a GeneralizedTime must not have fractions of a second";
    /// Extensions in a certificate of a version other than 3, or in a CRL of a version other than 2.
    VERSION = 3, "version", "RFC 5280 §4.1.2.1, §5.1.2.1", "the version must allow the components that are present";
    /// A duplicate extension.
    DUPLICATE_EXTENSION = 4, "duplicate-extension", "RFC 5280 §4.2", "extensions must not be duplicated";
    /// Different signature algorithms inside and outside the signed part.
    ALGORITHM_MISMATCH = 5, "algorithm-mismatch", "RFC 5280 §4.1.1.2, §5.1.1.2", "the signature algorithms inside and outside the signed part must be equal";
    /// A date from 1950 through 2049 as GeneralizedTime.
    TIME_CHOICE = 6, "time-choice", "RFC 5280 §4.1.2.5", "dates through 2049 must be UTCTime, and later ones GeneralizedTime";
    /// A public key that is not encoded as its algorithm requires.
    PUBLIC_KEY = 7, "public-key", "RFC 3279 §2.3, RFC 5480 §2.2, RFC 8410 §4, RFC 9881 §4, RFC 9935 §4", "a public key must have the format and length that its algorithm requires";
    /// An iPAddress of an invalid length: neither 4 nor 16 bytes, or in name constraints neither 8 nor 32.
    IP_ADDRESS = 8, "ip-address", "RFC 5280 §4.2.1.6, §4.2.1.10", "an iPAddress must have 4 or 16 bytes, or 8 or 32 in name constraints";
    /// An SCT list with inconsistent lengths.
    SCT_LIST = 9, "sct-list", "RFC 6962 §3.2, §3.3", "the lengths in an SCT list must be consistent";
    /// An authority key identifier with only one of issuer and serial number.
    ISSUER_AND_SERIAL = 10, "issuer-and-serial", "RFC 5280 §4.2.1.1", "an authority key identifier must have both issuer and serial number, or neither";
    /// RSA parameters that are not NULL, or RSASSA-PSS parameters that are not a SEQUENCE.
    RSA_PARAMETERS = 11, "rsa-parameters", "RFC 3279 §2.2.1, §2.3.1, RFC 4055 §3.1, §5", "the parameters of an RSA algorithm must be NULL, and those of RSASSA-PSS a SEQUENCE";
    /// Parameters of an algorithm that allows none: ECDSA, DSA, EdDSA, X25519, X448, ML-DSA, SLH-DSA, ML-KEM and others.
    NO_PARAMETERS = 12, "no-parameters", "RFC 3279 §2.2, RFC 5758 §3, RFC 8410 §3, RFC 8692 §2, RFC 9802 §3, RFC 9881 §2, RFC 9909 §3, RFC 9935 §3", "an algorithm without parameters must omit them, and not use NULL";
    /// An elliptic curve key with explicit or inherited parameters.
    NAMED_CURVE = 13, "named-curve", "RFC 5480 §2.1.1", "an elliptic curve key must use a named curve";
    /// A prefix in a route origin authorization that is invalid for its address family.
    ROA_PREFIX = 14, "roa-prefix", "RFC 9582 §4.3.1, §4.3.2", "a prefix must fit its address family, and its maxLength must be between the prefix length and the address length";
    /// RSASSA-PSS parameters that are malformed, or that have an encoded DEFAULT, a negative salt length, or a trailer field
    /// other than 1.
    PSS_PARAMETERS = 15, "pss-parameters", "RFC 4055 §3.1, X.690 §11.5", "RSASSA-PSS parameters must decode, with a salt length of at least 0 and the trailer field 1";
    /// An impossible RSA key: its modulus is negative, zero or even, or its exponent is even or outside 3 to n - 1.
    RSA_KEY = 16, "rsa-key", "RFC 8017 §3.1", "an RSA modulus must be positive and odd, and its exponent odd and between 3 and the modulus minus 1";
    /// An empty issuer in a certificate or CRL.
    EMPTY_ISSUER = 17, "empty-issuer", "RFC 5280 §4.1.2.4, §5.1.2.3", "the issuer must not be an empty name";
    /// A certification request without the required attributes field. An empty SET means no attributes.
    REQUEST_ATTRIBUTES = 18, "request-attributes", "RFC 2986 §4.1", "a CSR must contain the attributes field, even if it is empty";
}

/// Returns the rule with the given name, from this profile or the codec.
///
/// ```
/// use tagwise_x509::profile;
/// assert_eq!(profile::by_name("negative-serial"), Some(&profile::NEGATIVE_SERIAL));
/// assert!(profile::by_name("long-length").is_some());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Rule> {
    ALL.iter().find(|rule| rule.name == name).or_else(|| Rule::by_name(name))
}

/// Names of groups of rules: `all` for every rule, `ber` for [`RuleSet::BER_DEFINITE`], `pem` for [`RuleSet::PEM_LAX`].
pub const GROUPS: &[&str] = &["all", "ber", "pem"];

/// Returns the rules for an allowance name: a rule of this profile or the codec, or one of [`GROUPS`].
///
/// ```
/// use tagwise_codec::{Rule, RuleSet};
/// use tagwise_x509::profile;
/// assert_eq!(profile::allowance("named-bits"), Some(RuleSet::NONE.with(&Rule::NAMED_BITS)));
/// assert_eq!(profile::allowance("ber"), Some(RuleSet::BER_DEFINITE));
/// assert_eq!(profile::allowance("named-bit"), None);
/// ```
#[must_use]
pub fn allowance(name: &str) -> Option<RuleSet> {
    match name {
        "all" => Some(Rule::ALL.iter().chain(ALL).fold(RuleSet::NONE, RuleSet::with)),
        "ber" => Some(RuleSet::BER_DEFINITE),
        "pem" => Some(RuleSet::PEM_LAX),
        name => by_name(name).map(|rule| RuleSet::NONE.with(rule)),
    }
}

/// Parses a comma-separated list of allowance names: see [`allowance`].
///
/// ```
/// use tagwise_codec::{Rule, RuleSet};
/// use tagwise_x509::profile;
/// assert_eq!(profile::allowances("named-bits, ber").unwrap(), RuleSet::BER_DEFINITE.with(&Rule::NAMED_BITS));
/// let unknown = profile::allowances("ber,named-bit").unwrap_err().to_string();
/// assert!(unknown.starts_with("unknown rule `named-bit`; expected "), "{unknown}");
/// ```
///
/// # Errors
/// Returns an error with the first unknown name.
pub fn allowances(names: &str) -> Result<RuleSet, UnknownAllowance> {
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| allowance(name).ok_or_else(|| UnknownAllowance(name.into())))
        .try_fold(RuleSet::NONE, |all, one| Ok(all.union(one?)))
}

/// An unknown allowance name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAllowance(String);

impl fmt::Display for UnknownAllowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rule `{}`; expected ", visible(&self.0))?;
        let rules = ALL.iter().chain(Rule::ALL).map(|rule| rule.name);
        rules.chain(GROUPS.iter().copied()).enumerate().try_for_each(|(at, name)| {
            f.write_str(if at == 0 { "" } else { ", " })?;
            f.write_str(name)
        })
    }
}

impl core::error::Error for UnknownAllowance {}

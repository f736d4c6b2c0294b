//! The rules of RFC 5280 that certificates are decoded under, above what DER asks: by name, like the codec's own.

use core::fmt;

use tagwise_codec::text::visible;
use tagwise_codec::{Domain, Rule, RuleSet};

macro_rules! rules {
    ($($(#[$doc:meta])* $ident:ident = $number:literal, $name:literal, $clause:literal, $summary:literal;)*) => {
        $($(#[$doc])* pub const $ident: Rule = Rule::__new(Domain::X509, $number, $name, $clause, $summary);)*

        /// Every rule of the profile, in the order of their numbers.
        pub const ALL: &[Rule] = &[$($ident),*];
    };
}

rules! {
    /// A serial number below zero.
    NEGATIVE_SERIAL = 0, "negative-serial", "RFC 5280 §4.1.2.2", "a serial number is not negative";
    /// A serial number of more than 20 octets.
    LONG_SERIAL = 1, "long-serial", "RFC 5280 §4.1.2.2", "a serial number has at most 20 bytes";
    /// A GeneralizedTime with a fraction of a second.
    FRACTIONAL_TIME = 2, "fractional-time", "RFC 5280 §4.1.2.5.2", "a GeneralizedTime has no fraction of a second";
    /// Extensions in a certificate whose version is not 3, or in a CRL whose version is not 2.
    VERSION = 3, "version", "RFC 5280 §4.1.2.1, §5.1.2.1", "the version allows the components that are present";
    /// The same extension twice.
    DUPLICATE_EXTENSION = 4, "duplicate-extension", "RFC 5280 §4.2", "no extension appears twice";
    /// The signature algorithms inside and outside the signed part differ.
    ALGORITHM_MISMATCH = 5, "algorithm-mismatch", "RFC 5280 §4.1.1.2, §5.1.1.2", "the algorithm identifiers inside and outside the signed part are the same";
    /// A date up to 2049 as GeneralizedTime, or one that UTCTime cannot say as UTCTime.
    TIME_CHOICE = 6, "time-choice", "RFC 5280 §4.1.2.5", "dates through 2049 are UTCTime, later ones GeneralizedTime";
    /// A public key that is not encoded as its algorithm says.
    PUBLIC_KEY = 7, "public-key", "RFC 3279 §2.3, RFC 5480 §2.2, RFC 8410 §4, RFC 9881 §4, RFC 9935 §4", "a public key has the form and length of its algorithm";
    /// An iPAddress that is no address: neither 4 nor 16 octets, or 8 nor 32 in name constraints.
    IP_ADDRESS = 8, "ip-address", "RFC 5280 §4.2.1.6, §4.2.1.10", "an iPAddress has 4 or 16 bytes, and 8 or 32 in name constraints";
    /// Timestamps of logs whose lengths do not fit.
    SCT_LIST = 9, "sct-list", "RFC 6962 §3.2, §3.3", "an SCT list and each timestamp in it are as long as they say";
    /// An authority key identifier with one of issuer and serial number and not the other.
    ISSUER_AND_SERIAL = 10, "issuer-and-serial", "RFC 5280 §4.2.1.1", "an authority key identifier has issuer and serial number, or neither";
    /// Parameters of an RSA algorithm that are not NULL, or of RSASSA-PSS that are no SEQUENCE.
    RSA_PARAMETERS = 11, "rsa-parameters", "RFC 3279 §2.2.1, §2.3.1, RFC 4055 §3.1, §5", "the parameters of an RSA algorithm are NULL, those of RSASSA-PSS a SEQUENCE";
    /// Parameters of an algorithm that has none: ECDSA, DSA, EdDSA, X25519, X448, ML-DSA, SLH-DSA, ML-KEM and others.
    NO_PARAMETERS = 12, "no-parameters", "RFC 3279 §2.2, RFC 5758 §3, RFC 8410 §3, RFC 8692 §2, RFC 9802 §3, RFC 9881 §2, RFC 9909 §3, RFC 9935 §3", "an algorithm that has no parameters has none, not even NULL";
    /// An elliptic curve key that spells its curve out, or leaves it open.
    NAMED_CURVE = 13, "named-curve", "RFC 5480 §2.1.1", "an elliptic curve key names its curve";
    /// A prefix of a route origin authorization that its address family does not have.
    ROA_PREFIX = 14, "roa-prefix", "RFC 9582 §4.3.1, §4.3.2", "a prefix has at most the bits of its family, and its maximum length is between the two";
    /// Parameters of RSASSA-PSS with a DEFAULT written out, a negative salt length, another trailer field than 1, or malformed ones.
    PSS_PARAMETERS = 15, "pss-parameters", "RFC 4055 §3.1, X.690 §11.5", "parameters of RSASSA-PSS decode, the salt length is not negative, and the trailer field is 1";
    /// An RSA key whose numbers no key has: negative, zero, even, or an exponent outside 3 to n - 1.
    RSA_KEY = 16, "rsa-key", "RFC 8017 §3.1", "an RSA modulus is positive and odd, its exponent odd and from 3 to the modulus less 1";
    /// An empty issuer, of a certificate or a CRL.
    EMPTY_ISSUER = 17, "empty-issuer", "RFC 5280 §4.1.2.4, §5.1.2.3", "the issuer is not an empty name";
    /// A certification request without attributes, which are not optional: an empty SET stands for none.
    REQUEST_ATTRIBUTES = 18, "request-attributes", "RFC 2986 §4.1", "a certification request has attributes, be it an empty SET";
}

/// The rule of that name: of this profile, or of the codec.
///
/// ```
/// use tagwise_pkix::profile;
/// assert_eq!(profile::by_name("negative-serial"), Some(&profile::NEGATIVE_SERIAL));
/// assert!(profile::by_name("long-length").is_some());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Rule> {
    ALL.iter().find(|rule| rule.name == name).or_else(|| Rule::by_name(name))
}

/// Names that stand for several rules: `all` for every one, `ber` for [`RuleSet::BER_DEFINITE`], `pem` for [`RuleSet::PEM_LAX`].
pub const GROUPS: &[&str] = &["all", "ber", "pem"];

/// The rules that a name allows wherever allowances are given by name: a rule of this profile or of the codec, or one of [`GROUPS`].
///
/// ```
/// use tagwise_codec::{Rule, RuleSet};
/// use tagwise_pkix::profile;
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

/// The rules that a list of names with commas between allows, by the names of [`allowance`].
///
/// ```
/// use tagwise_codec::{Rule, RuleSet};
/// use tagwise_pkix::profile;
/// assert_eq!(profile::allowances("named-bits, ber").unwrap(), RuleSet::BER_DEFINITE.with(&Rule::NAMED_BITS));
/// let unknown = profile::allowances("ber,named-bit").unwrap_err().to_string();
/// assert!(unknown.starts_with("there is no rule `named-bit`; expected "), "{unknown}");
/// ```
///
/// # Errors
/// The first name that is none.
pub fn allowances(names: &str) -> Result<RuleSet, UnknownAllowance> {
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| allowance(name).ok_or_else(|| UnknownAllowance(name.into())))
        .try_fold(RuleSet::NONE, |all, one| Ok(all.union(one?)))
}

/// A name that allows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAllowance(String);

impl fmt::Display for UnknownAllowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no rule `{}`; expected ", visible(&self.0))?;
        let rules = ALL.iter().chain(Rule::ALL).map(|rule| rule.name);
        rules.chain(GROUPS.iter().copied()).enumerate().try_for_each(|(at, name)| {
            f.write_str(if at == 0 { "" } else { ", " })?;
            f.write_str(name)
        })
    }
}

impl core::error::Error for UnknownAllowance {}

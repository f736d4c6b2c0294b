//! Departures of real peers from RFC 4120, one rule each. A rule is asked about only after a strict check failed.

use tagwise_codec::{Domain, Rule, RuleSet};

use crate::crypto::EncType;

macro_rules! rules {
    ($($(#[$doc:meta])* $ident:ident = $number:literal, $name:literal, $clause:literal, $summary:literal;)*) => {
        $($(#[$doc])* pub const $ident: Rule = Rule::__new(Domain::Kerberos, $number, $name, $clause, $summary);)*

        /// Every rule of Kerberos, in the order of their numbers.
        pub const ALL: &[Rule] = &[$($ident),*];
    };
}

rules! {
    /// A UInt32 of 2³¹ or more written as a negative number, as MIT's and older implementations write key versions and nonces.
    SIGNED_UINT32 = 0, "krb5-signed-uint32", "RFC 4120 §5.2.4", "a UInt32 is not negative";
    /// A KerberosTime with a fraction of a second. The fraction is dropped, and the value does not encode as it came.
    FRACTIONAL_TIME = 1, "krb5-fractional-time", "RFC 4120 §5.2.3", "a KerberosTime has no fraction of a second";
    /// KerberosFlags of fewer than 32 bits.
    SHORT_FLAGS = 2, "krb5-short-flags", "RFC 4120 §5.2.8", "KerberosFlags have at least 32 bits";
}

/// The rules for a client that talks to any peer: all of the above and nothing else.
pub const PEERS: RuleSet = RuleSet::NONE.with(&SIGNED_UINT32).with(&FRACTIONAL_TIME).with(&SHORT_FLAGS);

/// The rules for decrypted content: those for peers, and bytes behind it where the encryption type has padding.
#[must_use]
pub const fn content(enc_type: EncType) -> RuleSet {
    if enc_type.has_padding() { PEERS.with(&Rule::TRAILING_DATA) } else { PEERS }
}

/// The rule of that name: of Kerberos, or of the codec.
///
/// ```
/// use tagwise_krb5::rules;
/// assert_eq!(rules::by_name("krb5-signed-uint32"), Some(&rules::SIGNED_UINT32));
/// assert!(rules::by_name("long-length").is_some());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Rule> {
    ALL.iter().find(|rule| rule.name == name).or_else(|| Rule::by_name(name))
}

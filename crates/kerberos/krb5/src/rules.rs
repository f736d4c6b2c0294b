//! Named deviations from RFC 4120 found in other implementations. Rules are consulted only after a strict check fails.

use tagwise_codec::{Domain, Rule, RuleSet};

use crate::crypto::EncType;

macro_rules! rules {
    ($($(#[$doc:meta])* $ident:ident = $number:literal, $name:literal, $clause:literal, $summary:literal;)*) => {
        $($(#[$doc])* pub const $ident: Rule = Rule::__new(Domain::Kerberos, $number, $name, $clause, $summary);)*

        /// All Kerberos rules, ordered by number.
        pub const ALL: &[Rule] = &[$($ident),*];
    };
}

rules! {
    /// A UInt32 of 2³¹ or more encoded as a negative number. MIT and older implementations write key versions and nonces this
    /// way.
    SIGNED_UINT32 = 0, "krb5-signed-uint32", "RFC 4120 §5.2.4", "a UInt32 must not be negative";
    /// A KerberosTime with fractional seconds. The fraction is dropped, so encoding the value does not reproduce the same
    /// bytes.
    FRACTIONAL_TIME = 1, "krb5-fractional-time", "RFC 4120 §5.2.3", "a KerberosTime must not have fractions of a second";
    /// KerberosFlags shorter than 32 bits.
    SHORT_FLAGS = 2, "krb5-short-flags", "RFC 4120 §5.2.8", "KerberosFlags must have at least 32 bits";
}

/// The rules whose violations are tolerated in messages from any peer: all Kerberos rules, and padded integers (X.690
/// §8.3.2). MIT and Heimdal accept padded integers because some implementations use fixed-length sequence numbers and nonces.
pub const PEERS: RuleSet =
    RuleSet::NONE.with(&SIGNED_UINT32).with(&FRACTIONAL_TIME).with(&SHORT_FLAGS).with(&Rule::INTEGER_PADDED);

/// Returns the rules for decrypted content: those for peers, plus trailing bytes if the encryption type uses padding.
#[must_use]
pub const fn content(enc_type: EncType) -> RuleSet {
    if enc_type.has_padding() { PEERS.with(&Rule::TRAILING_DATA) } else { PEERS }
}

/// Returns the Kerberos or codec rule with the given name.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use tagwise_codec::{FaultKind, Options};

    use super::PEERS;
    use crate::messages::Authenticator;

    /// Encodes an Authenticator whose seq-number has the given content bytes. Its other fields are authenticator-vno 5, crealm "R", cname
    /// { 1, { "a" } }, cusec 1, ctime 1970.
    fn authenticator(number: &[u8]) -> Vec<u8> {
        let element = |tag: u8, parts: &[&[u8]]| {
            let content = parts.concat();
            [&[tag, u8::try_from(content.len()).unwrap()][..], &content].concat()
        };
        let name = b"\x30\x0B\xA0\x03\x02\x01\x01\xA1\x04\x30\x02\x1B\x00";
        let fields = [
            element(0xA0, &[b"\x02\x01\x05"]),
            element(0xA1, &[b"\x1B\x01R"]),
            element(0xA2, &[name]),
            element(0xA4, &[b"\x02\x01\x01"]),
            element(0xA5, &[b"\x18\x0F19700101000000Z"]),
            element(0xA7, &[&element(0x02, &[number])]),
        ];
        element(0x62, &[&element(0x30, &[&fields.concat()])])
    }

    /// Checks padded integers. X.690 §8.3.2 requires the fewest bytes, but the decoders of MIT and Heimdal accept any number.
    #[test]
    fn padded_sequence_numbers() {
        for (content, number) in [
            (&[0x7F][..], 0x7F),
            (&[0, 0, 0, 0x7F], 0x7F),
            (&[0, 0, 0, 0, 0x80], 0x80),
            (&[0xFF, 0xFF, 0xFF, 0x80], 0xFFFF_FF80),
            (&[0, 0xFF, 0xFF, 0xFF, 0x80], 0xFFFF_FF80),
        ] {
            let der = authenticator(content);
            let read = Options::der().rules(PEERS).decode::<Authenticator<'_>>(&der).unwrap();
            assert_eq!(read.value.seq_number.unwrap().get(), number, "{content:02X?}");
        }
        // Strictly, and beyond 32 bits, they are errors.
        let padded = authenticator(&[0, 0, 0, 0x7F]);
        assert_eq!(Options::der().decode::<Authenticator<'_>>(&padded).unwrap_err().kind(), FaultKind::IntegerPadded);
        let long = authenticator(&[1, 0, 0, 0, 0]);
        let error = Options::der().rules(PEERS).decode::<Authenticator<'_>>(&long).unwrap_err();
        assert_eq!(error.kind(), FaultKind::IntegerRange);
    }
}

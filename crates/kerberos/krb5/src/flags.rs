//! Flags of tickets, requests and options. Flag 0 is the most significant bit.

use tagwise_codec::{BitStr, Fault, Reader};
use tagwise_derive::Asn1;

use crate::rules;

/// ```asn1
/// KerberosFlags ::= BIT STRING (SIZE (32..MAX))
/// ```
///
/// Flags as a BIT STRING of any length, at least 32 bits (RFC 4120 §5.2.8).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_krb5::{KerberosFlags, flags};
/// let read = KerberosFlags::from_der(&[3, 5, 0, 0x50, 0x80, 0, 0])?;
/// assert!(read.has(flags::ticket::FORWARDABLE) && read.has(flags::ticket::PROXIABLE) && !read.has(flags::ticket::PROXY));
/// assert_eq!(read.word(), 0x5080_0000);
/// assert_eq!(flags::names(read.word(), flags::ticket::NAMES), ["forwardable", "proxiable", "renewable"]);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(check = check, rules(rules::SHORT_FLAGS))]
pub struct KerberosFlags<'a>(BitStr<'a>);

impl<'a> KerberosFlags<'a> {
    /// No flags.
    pub const NONE: KerberosFlags<'static> = KerberosFlags(BitStr::from_octets(&[0; 4]));

    /// Creates flags from a big-endian word.
    #[must_use]
    pub const fn from_word(word: &'a [u8; 4]) -> Self {
        Self(BitStr::from_octets(word))
    }

    /// Returns whether a flag is set.
    #[must_use]
    pub fn has(&self, number: u8) -> bool {
        self.0.bit(u64::from(number)) == Some(true)
    }

    /// Returns the first 32 flags, with flag 0 as the most significant bit.
    #[must_use]
    pub fn word(&self) -> u32 {
        (0..32).filter(|number| self.has(*number)).fold(0, |word, number| word | bit(number))
    }

    /// All bits.
    #[must_use]
    pub const fn bits(&self) -> BitStr<'a> {
        self.0
    }
}

fn check(flags: &KerberosFlags<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if flags.0.bit_len() < 32 { reader.deviate_profile(&rules::SHORT_FLAGS, at) } else { Ok(()) }
}

/// Returns the bit for a flag in a word.
#[must_use]
pub const fn bit(number: u8) -> u32 {
    if number < 32 { 0x8000_0000 >> number } else { 0 }
}

/// Returns a word with the given flags set.
#[must_use]
pub fn word(numbers: &[u8]) -> u32 {
    numbers.iter().fold(0, |word, number| word | bit(*number))
}

/// Returns the names of the flags that are set. Unnamed flags are shown by number.
#[must_use]
pub fn names(word: u32, names: &[(u8, &str)]) -> Vec<String> {
    (0..32)
        .filter(|number| word & bit(*number) != 0)
        .map(|number| match names.iter().find(|(of, _)| *of == number) {
            Some((_, name)) => (*name).to_owned(),
            None => format!("bit{number}"),
        })
        .collect()
}

macro_rules! flags {
    ($(#[$doc:meta])* $module:ident: $($name:ident = $number:literal, $text:literal;)*) => {
        $(#[$doc])*
        pub mod $module {
            $(#[doc = concat!("`", $text, "` (", stringify!($number), ").")] pub const $name: u8 = $number;)*

            /// All flags with their names.
            pub const NAMES: &[(u8, &str)] = &[$(($number, $text)),*];
        }
    };
}

flags! {
    /// TicketFlags (RFC 4120 §2, §5.3; RFC 6112, RFC 6806).
    ticket:
    FORWARDABLE = 1, "forwardable";
    FORWARDED = 2, "forwarded";
    PROXIABLE = 3, "proxiable";
    PROXY = 4, "proxy";
    MAY_POSTDATE = 5, "may-postdate";
    POSTDATED = 6, "postdated";
    INVALID = 7, "invalid";
    RENEWABLE = 8, "renewable";
    INITIAL = 9, "initial";
    PRE_AUTHENT = 10, "pre-authent";
    HW_AUTHENT = 11, "hw-authent";
    TRANSITED_POLICY_CHECKED = 12, "transited-policy-checked";
    OK_AS_DELEGATE = 13, "ok-as-delegate";
    ENC_PA_REP = 15, "enc-pa-rep";
    ANONYMOUS = 16, "anonymous";
}

flags! {
    /// KDCOptions (RFC 4120 §5.4.1; RFC 6112, RFC 6806, MS-SFU).
    kdc:
    FORWARDABLE = 1, "forwardable";
    FORWARDED = 2, "forwarded";
    PROXIABLE = 3, "proxiable";
    PROXY = 4, "proxy";
    ALLOW_POSTDATE = 5, "allow-postdate";
    POSTDATED = 6, "postdated";
    RENEWABLE = 8, "renewable";
    OPT_HARDWARE_AUTH = 11, "opt-hardware-auth";
    CNAME_IN_ADDL_TKT = 14, "cname-in-addl-tkt";
    CANONICALIZE = 15, "canonicalize";
    REQUEST_ANONYMOUS = 16, "request-anonymous";
    DISABLE_TRANSITED_CHECK = 26, "disable-transited-check";
    RENEWABLE_OK = 27, "renewable-ok";
    ENC_TKT_IN_SKEY = 28, "enc-tkt-in-skey";
    RENEW = 30, "renew";
    VALIDATE = 31, "validate";
}

flags! {
    /// APOptions (RFC 4120 §5.5.1).
    ap:
    USE_SESSION_KEY = 1, "use-session-key";
    MUTUAL_REQUIRED = 2, "mutual-required";
}

flags! {
    /// FastOptions (RFC 6113 §5.4.2). Options 0 to 15 are critical.
    fast:
    HIDE_CLIENT_NAMES = 1, "hide-client-names";
    KDC_FOLLOW_REFERRALS = 16, "kdc-follow-referrals";
}

flags! {
    /// PA-PAC-OPTIONS (MS-KILE §2.2.10).
    pac:
    CLAIMS = 0, "claims";
    BRANCH_AWARE = 1, "branch-aware";
    FORWARD_TO_FULL_DC = 2, "forward-to-full-dc";
    RESOURCE_BASED_CONSTRAINED_DELEGATION = 3, "resource-based-constrained-delegation";
}

//! Key usage, its purposes and its period (RFC 5280 §4.2.1.3, §4.2.1.12, RFC 3280 §4.2.1.4).

use tagwise_codec::{Fault, FaultKind, GeneralizedTime, Oid, Reader, Rule};
use tagwise_derive::Asn1;

pub use crate::r#gen::extensions::{ExtKeyUsage, KeyUsage};

use crate::ext::bits;
use crate::profile;

bits::named!(KeyUsage);

impl ExtKeyUsage<'_> {
    /// Returns whether the purpose is listed. `anyExtendedKeyUsage` does not match other purposes.
    #[must_use]
    pub fn contains(&self, purpose: Oid<'_>) -> bool {
        self.0.iter().map_while(Result::ok).any(|listed| listed == purpose)
    }
}

/// ```asn1
/// PrivateKeyUsagePeriod ::= SEQUENCE {
///      notBefore       [0]     GeneralizedTime OPTIONAL,
///      notAfter        [1]     GeneralizedTime OPTIONAL }
///      -- either notBefore or notAfter MUST be present
/// ```
///
/// The usage period of a private key (RFC 3280 §4.2.1.4; syntax in RFC 5280 §A.2). The ASN.1 in RFC 5912 requires at
/// least one of the times. The times have no fractional seconds.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::PrivateKeyUsagePeriod;
/// let period = PrivateKeyUsagePeriod::from_der(b"\x30\x11\x81\x0f20261121100000Z")?;
/// assert_eq!(period.not_after.unwrap().to_string(), "2026-11-21T10:00:00Z");
/// assert_eq!(period.not_before, None);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(check = check_period)]
pub struct PrivateKeyUsagePeriod<'a> {
    /// The time from which the key may sign.
    #[asn1(implicit = 0)]
    pub not_before: Option<WholeSeconds<'a>>,
    /// The time until which the key may sign.
    #[asn1(implicit = 1)]
    pub not_after: Option<WholeSeconds<'a>>,
}

fn check_period(period: &PrivateKeyUsagePeriod<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if period.not_before.is_some() || period.not_after.is_some() {
        Ok(())
    } else {
        reader.deviate(&Rule::VALUE, FaultKind::Value, at)
    }
}

/// A GeneralizedTime in the format of RFC 5280 (§4.1.2.5.2, §5.3.2): UTC, with seconds, without fractional seconds.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "GeneralizedTime", check = check_fraction, rules(profile::FRACTIONAL_TIME))]
pub struct WholeSeconds<'a>(
    /// The time.
    pub GeneralizedTime<'a>,
);

impl core::fmt::Display for WholeSeconds<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

fn check_fraction(time: &WholeSeconds<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if time.0.fraction_digits() > 0 { reader.deviate_profile(&profile::FRACTIONAL_TIME, at) } else { Ok(()) }
}

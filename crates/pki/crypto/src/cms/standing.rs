//! Checks of a signer's certificate without path validation: the validity period and key usage.
//!
//! They do not establish trust in the certificate.

use core::fmt;
use core::time::Duration;
use std::time::SystemTime;

use tagwise_codec::{Error, Oid};
use tagwise_pkix::ext::{ExtKeyUsage, KeyUsage};
use tagwise_pkix::{Certificate, UnixTime, oids};

/// The source of the time at which a signer's certificate is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimeSource {
    /// Chosen by the caller: [`VerifyOptions::at`](super::VerifyOptions::at).
    Given,
    /// The genTime of a time-stamp token (RFC 3161 §2.4.2).
    GenTime,
    /// The system clock.
    Clock,
}

impl TimeSource {
    /// Returns the source's name: `given`, `gen-time`, `clock`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::GenTime => "gen-time",
            Self::Clock => "clock",
        }
    }
}

/// The longest time by which a time stamp may be ahead of the clock. RFC 3161 sets no limit. ETSI EN 319 421
/// expects an accuracy of a second or better.
const MAX_AHEAD: Duration = Duration::from_secs(5 * 60);

/// A reason to reject a signer with a valid signature.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Objection {
    /// The certificate is not valid before this time.
    NotYetValid(UnixTime),
    /// The certificate expired at this time.
    Expired(UnixTime),
    /// The key usage allows neither digital signatures nor non-repudiation.
    KeyUsage,
    /// The extended key usage does not include the required purpose.
    Purpose,
    /// The key usage or extended key usage is malformed.
    Malformed(Error),
    /// A time stamp is from the future, so it proves nothing.
    Future {
        /// The stamped time.
        time: UnixTime,
        /// The latest possible time: [`VerifyOptions::at`](super::VerifyOptions::at) or the current time.
        latest: UnixTime,
    },
}

impl Objection {
    /// Returns the objection to a stamped time later than `latest`. The clock of its authority may be ahead by its accuracy (RFC 3161
    /// §2.4.2), but by no more than [`MAX_AHEAD`], because the authority itself states the accuracy.
    pub(crate) fn future(time: UnixTime, accuracy: Duration, latest: UnixTime) -> Option<Self> {
        (time.saturating_sub(accuracy.min(MAX_AHEAD)) > latest).then_some(Self::Future { time, latest })
    }

    /// Returns the kind's name: `validity`, `key-usage`, `purpose` or `future`. A malformed extension counts as `key-usage`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::NotYetValid(_) | Self::Expired(_) => "validity",
            Self::KeyUsage | Self::Malformed(_) => "key-usage",
            Self::Purpose => "purpose",
            Self::Future { .. } => "future",
        }
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotYetValid(from) => {
                write!(f, "the certificate was not yet valid: its validity begins on {from} (RFC 5280 §4.1.2.5)")
            }
            Self::Expired(until) => {
                write!(f, "the certificate had expired: its validity ended on {until} (RFC 5280 §4.1.2.5)")
            }
            Self::KeyUsage => {
                f.write_str("the key usage has neither digitalSignature nor nonRepudiation (RFC 5280 §4.2.1.3)")
            }
            Self::Purpose => {
                f.write_str("the extended key usage does not include the required purpose (RFC 5280 §4.2.1.12)")
            }
            Self::Malformed(error) => write!(f, "the key usage does not decode: {error}"),
            Self::Future { time, latest } => {
                write!(f, "the time stamp is from the future: its time is {time}, expected at the latest {latest}")
            }
        }
    }
}

/// Returns the reasons to reject a signer's certificate at the given time and, if given, for the given purpose.
///
/// They are: a time outside the validity period (RFC 5280 §4.1.2.5), a key usage with neither digitalSignature nor
/// nonRepudiation (§4.2.1.3), and an extended key usage with neither the purpose nor anyExtendedKeyUsage (§4.2.1.12).
/// An absent extension imposes no restriction.
///
/// ```no_run
/// use tagwise_codec::Decode;
/// use tagwise_crypto::cms::objections;
/// use tagwise_pkix::{Certificate, UnixTime};
/// let der = std::fs::read("signer.der")?;
/// for objection in objections(&Certificate::outline(&der)?, UnixTime(1_800_000_000), None) {
///     println!("{objection}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn objections(certificate: &Certificate<'_>, at: UnixTime, purpose: Option<Oid<'_>>) -> Vec<Objection> {
    let validity = &certificate.tbs_certificate.validity;
    let mut found = Vec::new();
    if at < validity.not_before.unix() {
        found.push(Objection::NotYetValid(validity.not_before.unix()));
    }
    if at > validity.not_after.unix() {
        found.push(Objection::Expired(validity.not_after.unix()));
    }
    let Some(extensions) = &certificate.tbs_certificate.extensions else { return found };
    match extensions.get::<KeyUsage<'_>>() {
        Ok(Some(usage)) if !usage.digital_signature() && !usage.non_repudiation() => found.push(Objection::KeyUsage),
        Ok(_) => {}
        Err(error) => found.push(Objection::Malformed(error)),
    }
    if let Some(purpose) = purpose {
        match extensions.get::<ExtKeyUsage<'_>>() {
            Ok(Some(list)) if !list.contains(purpose) && !list.contains(oids::ANY_EXTENDED_KEY_USAGE) => {
                found.push(Objection::Purpose);
            }
            Ok(_) => {}
            Err(error) => found.push(Objection::Malformed(error)),
        }
    }
    found
}

/// Returns the current time.
pub(crate) fn now() -> UnixTime {
    SystemTime::now().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stamps_from_the_future() {
        let of =
            |time, accuracy| Objection::future(UnixTime(time), Duration::from_secs(accuracy), UnixTime(1000)).is_some();
        assert!(!of(1000, 0) && of(1001, 0));
        assert!(!of(1060, 60) && of(1061, 60));
        assert!(!of(i64::MIN, u64::MAX) && of(i64::MAX, 0));
        // However inaccurate the authority claims to be.
        assert!(!of(1300, u64::MAX) && of(1301, u64::MAX));
    }
}

//! Times in certificates and CRLs (RFC 5280 §4.1.2.5), in their encoded form, as calendar fields and as Unix time.

use core::fmt;
use core::time::Duration;
use std::time::SystemTime;

pub use tagwise_codec::UnixTime;
use tagwise_codec::{CivilTime, Fault, GeneralizedTime, Reader, TimeOutOfRange, UtcTime};
use tagwise_derive::Asn1;

use crate::profile;

/// ```asn1
/// Time ::= CHOICE {
///      utcTime        UTCTime,
///      generalTime    GeneralizedTime }
/// ```
///
/// A time (RFC 5280 §4.1.2.5). Dates through 2049 are encoded as UTCTime and later ones as GeneralizedTime, without
/// fractional seconds.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::{Time, UnixTime};
/// let time = Time::from_der(b"\x17\x0d261121100000Z")?;
/// assert_eq!(time.to_string(), "2026-11-21T10:00:00Z");
/// assert_eq!(time.unix(), UnixTime(1_795_255_200));
/// assert_eq!(Time::from_der(b"\x18\x0f20261121100000Z").unwrap_err().code(), "time-choice");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(choice, check = check_time, rules(profile::FRACTIONAL_TIME, profile::TIME_CHOICE))]
pub enum Time<'a> {
    /// A UTCTime: a two-digit year, from 1950 to 2049.
    #[asn1(name = "utcTime")]
    Utc(UtcTime),
    /// A GeneralizedTime: a four-digit year.
    #[asn1(name = "generalTime")]
    General(GeneralizedTime<'a>),
}

impl Time<'_> {
    /// Returns the calendar fields in UTC.
    #[must_use]
    pub const fn civil(&self) -> CivilTime {
        match self {
            Self::Utc(time) => time.civil(),
            Self::General(time) => time.civil(),
        }
    }

    /// Converts to Unix time.
    #[must_use]
    pub const fn unix(&self) -> UnixTime {
        self.civil().unix()
    }

    /// Creates a time from its calendar fields, in the form that RFC 5280 requires.
    #[must_use]
    pub fn new(civil: CivilTime) -> Self {
        UtcTime::new(civil).map_or_else(|_| Self::General(GeneralizedTime::new(civil)), Self::Utc)
    }

    /// Converts from Unix time to the form that RFC 5280 requires.
    ///
    /// ```
    /// use tagwise_x509::{Time, UnixTime};
    /// assert_eq!(Time::from_unix(UnixTime(1_795_255_200))?.to_string(), "2026-11-21T10:00:00Z");
    /// assert!(Time::from_unix(UnixTime::MAX).is_err());
    /// # Ok::<(), tagwise_codec::TimeOutOfRange>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error of the kind [`FaultKind::Value`](tagwise_codec::FaultKind::Value) if the time is outside the years 0000 to 9999.
    pub fn from_unix(unix: UnixTime) -> Result<Self, TimeOutOfRange> {
        CivilTime::from_unix(unix).map(Self::new)
    }
}

impl fmt::Display for Time<'_> {
    /// Displays the time in ISO 8601.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utc(time) => time.fmt(f),
            Self::General(time) => time.fmt(f),
        }
    }
}

/// ```asn1
/// Validity ::= SEQUENCE {
///      notBefore      Time,
///      notAfter       Time }
/// ```
///
/// A validity period; both ends are inclusive (RFC 5280 §4.1.2.5).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity<'a> {
    /// The start of the period, inclusive.
    pub not_before: Time<'a>,
    /// The end of the period, inclusive.
    pub not_after: Time<'a>,
}

impl Validity<'_> {
    /// Returns the last second of a period of the given length, which is its notAfter. Both ends are inclusive (RFC 5280
    /// §4.1.2.5), so a period of one second ends when it starts.
    ///
    /// ```
    /// use core::time::Duration;
    /// use tagwise_x509::time::{UnixTime, Validity};
    /// let day = Duration::from_secs(86_400);
    /// assert_eq!(Validity::end(UnixTime(1_800_000_000), day), UnixTime(1_800_086_399));
    /// ```
    #[must_use]
    pub const fn end(start: UnixTime, length: Duration) -> UnixTime {
        start.saturating_add(length).saturating_sub(Duration::from_secs(1))
    }

    /// Returns the length of the period, with both ends, or zero if notAfter is before notBefore.
    ///
    /// ```
    /// use core::time::Duration;
    /// use tagwise_x509::time::{Time, UnixTime, Validity};
    /// let not_before = Time::from_unix(UnixTime(1_800_000_000))?;
    /// let not_after = Time::from_unix(UnixTime(1_800_086_399))?;
    /// assert_eq!(Validity { not_before, not_after }.length(), Duration::from_secs(86_400));
    /// # Ok::<(), tagwise_codec::TimeOutOfRange>(())
    /// ```
    #[must_use]
    pub fn length(&self) -> Duration {
        let between = self.not_after.unix().since(self.not_before.unix());
        between.map_or(Duration::ZERO, |between| between.saturating_add(Duration::from_secs(1)))
    }

    /// Returns whether the given time is within the validity period.
    #[must_use]
    pub fn contains(&self, moment: UnixTime) -> bool {
        self.not_before.unix() <= moment && moment <= self.not_after.unix()
    }
}

/// Converts a system time, rounded down to the second, to the form that RFC 5280 requires.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use tagwise_x509::Time;
/// let time = Time::try_from(SystemTime::UNIX_EPOCH + Duration::from_millis(1_500))?;
/// assert_eq!(time.to_string(), "1970-01-01T00:00:01Z");
/// assert_eq!(SystemTime::try_from(time)?, SystemTime::UNIX_EPOCH + Duration::from_secs(1));
/// # Ok::<(), tagwise_codec::TimeOutOfRange>(())
/// ```
impl TryFrom<SystemTime> for Time<'_> {
    type Error = TimeOutOfRange;

    fn try_from(time: SystemTime) -> Result<Self, TimeOutOfRange> {
        CivilTime::try_from(time).map(Self::new)
    }
}

impl TryFrom<Time<'_>> for SystemTime {
    type Error = TimeOutOfRange;

    fn try_from(time: Time<'_>) -> Result<Self, TimeOutOfRange> {
        time.civil().try_into()
    }
}

impl From<CivilTime> for Time<'_> {
    fn from(civil: CivilTime) -> Self {
        Self::new(civil)
    }
}

impl TryFrom<UnixTime> for Time<'_> {
    type Error = TimeOutOfRange;

    fn try_from(time: UnixTime) -> Result<Self, TimeOutOfRange> {
        Self::from_unix(time)
    }
}

impl From<Time<'_>> for UnixTime {
    fn from(time: Time<'_>) -> Self {
        time.unix()
    }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn check_time(time: &Time<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    match time {
        Time::Utc(_) => Ok(()),
        Time::General(general) => check_general(general, reader, at),
    }
}

fn check_general(time: &GeneralizedTime<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if time.fraction_digits() > 0 {
        reader.deviate_profile(&profile::FRACTIONAL_TIME, at)?;
    }
    if (1950..2050).contains(&time.year()) {
        reader.deviate_profile(&profile::TIME_CHOICE, at)?;
    }
    Ok(())
}

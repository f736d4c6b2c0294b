//! Unix time, the common type for reading, comparing and storing times.

use core::fmt;
use core::time::Duration;

use super::civil::{CivilTime, TimeOutOfRange};
use super::generalized_time::GeneralizedTime;
use super::utc_time::UtcTime;

/// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// All times convert to this type. The difference of two values is a [`core::time::Duration`]. [`Display`](fmt::Display)
/// writes ISO 8601. Parsing text is left to the caller.
///
/// ```
/// use core::time::Duration;
/// use tagwise_codec::UnixTime;
/// const DAY: Duration = Duration::from_secs(86_400);
/// let moment = UnixTime(1_795_255_200);
/// assert_eq!(moment.to_string(), "2026-11-21T10:00:00Z");
/// let next = moment.checked_add(DAY).unwrap();
/// assert!(moment < next);
/// assert_eq!((next.since(moment), moment.since(next)), (Some(DAY), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixTime(
    /// The seconds; negative before 1970.
    pub i64,
);

impl UnixTime {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);
    /// The earliest representable time, for periods without a beginning.
    pub const MIN: Self = Self(i64::MIN);
    /// The latest representable time, for periods without an end.
    pub const MAX: Self = Self(i64::MAX);

    /// Returns the current time of the system clock.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn now() -> Self {
        std::time::SystemTime::now().into()
    }

    /// Adds a duration, or returns `None` on overflow. Fractions of a second are dropped.
    ///
    /// ```
    /// use core::time::Duration;
    /// use tagwise_codec::UnixTime;
    /// assert_eq!(UnixTime(-5).checked_add(Duration::from_millis(20_900)), Some(UnixTime(15)));
    /// assert_eq!(UnixTime::MAX.checked_add(Duration::from_secs(1)), None);
    /// ```
    #[must_use]
    pub const fn checked_add(self, span: Duration) -> Option<Self> {
        match self.0.checked_add_unsigned(span.as_secs()) {
            Some(seconds) => Some(Self(seconds)),
            None => None,
        }
    }

    /// Subtracts a duration, or returns `None` on overflow. Fractions of a second are dropped.
    #[must_use]
    pub const fn checked_sub(self, span: Duration) -> Option<Self> {
        match self.0.checked_sub_unsigned(span.as_secs()) {
            Some(seconds) => Some(Self(seconds)),
            None => None,
        }
    }

    /// Adds a duration, or returns [`MAX`](Self::MAX) on overflow. Fractions of a second are dropped.
    ///
    /// ```
    /// use core::time::Duration;
    /// use tagwise_codec::UnixTime;
    /// assert_eq!(UnixTime(10).saturating_add(Duration::from_secs(20)), UnixTime(30));
    /// assert_eq!(UnixTime(10).saturating_add(Duration::MAX), UnixTime::MAX);
    /// ```
    #[must_use]
    pub const fn saturating_add(self, span: Duration) -> Self {
        Self(self.0.saturating_add_unsigned(span.as_secs()))
    }

    /// Subtracts a duration, or returns [`MIN`](Self::MIN) on overflow. Fractions of a second are dropped.
    #[must_use]
    pub const fn saturating_sub(self, span: Duration) -> Self {
        Self(self.0.saturating_sub_unsigned(span.as_secs()))
    }

    /// Returns the duration since an earlier time, or `None` if that time is later.
    ///
    /// ```
    /// use core::time::Duration;
    /// use tagwise_codec::UnixTime;
    /// assert_eq!(UnixTime(10).since(UnixTime(-10)), Some(Duration::from_secs(20)));
    /// assert_eq!(UnixTime(10).since(UnixTime(10)), Some(Duration::ZERO));
    /// assert_eq!(UnixTime(10).since(UnixTime(11)), None);
    /// ```
    #[must_use]
    pub const fn since(self, earlier: Self) -> Option<Duration> {
        if self.0 < earlier.0 { None } else { Some(Duration::from_secs(self.0.abs_diff(earlier.0))) }
    }

    /// Returns the calendar fields in UTC.
    ///
    /// # Errors
    /// Returns [`FaultKind::Value`](crate::FaultKind::Value) for times outside the years 0000 to 9999.
    pub const fn civil(self) -> Result<CivilTime, TimeOutOfRange> {
        CivilTime::from_unix(self)
    }
}

impl From<CivilTime> for UnixTime {
    fn from(time: CivilTime) -> Self {
        time.unix()
    }
}

impl From<UtcTime> for UnixTime {
    fn from(time: UtcTime) -> Self {
        time.unix()
    }
}

impl From<GeneralizedTime<'_>> for UnixTime {
    /// Converts to whole seconds. A local time is treated as UTC.
    fn from(time: GeneralizedTime<'_>) -> Self {
        time.unix()
    }
}

impl TryFrom<UnixTime> for CivilTime {
    type Error = TimeOutOfRange;

    fn try_from(time: UnixTime) -> Result<Self, TimeOutOfRange> {
        Self::from_unix(time)
    }
}

#[cfg(feature = "std")]
impl From<std::time::SystemTime> for UnixTime {
    /// Rounds a system time down to the whole second, also before 1970.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use tagwise_codec::UnixTime;
    /// let half = Duration::from_millis(500);
    /// assert_eq!(UnixTime::from(SystemTime::UNIX_EPOCH + half), UnixTime(0));
    /// assert_eq!(UnixTime::from(SystemTime::UNIX_EPOCH - half), UnixTime(-1));
    /// ```
    fn from(time: std::time::SystemTime) -> Self {
        match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(since) => Self::EPOCH.saturating_add(since),
            Err(before) => {
                let before = before.duration();
                let whole = Self::EPOCH.saturating_sub(before);
                if before.subsec_nanos() > 0 { whole.saturating_sub(Duration::from_secs(1)) } else { whole }
            }
        }
    }
}

#[cfg(feature = "std")]
impl TryFrom<UnixTime> for std::time::SystemTime {
    type Error = TimeOutOfRange;

    /// Converts to a system time. Fails if the platform's clock cannot represent the time.
    fn try_from(time: UnixTime) -> Result<Self, TimeOutOfRange> {
        let span = Duration::from_secs(time.0.unsigned_abs());
        let moment = if time.0 < 0 { Self::UNIX_EPOCH.checked_sub(span) } else { Self::UNIX_EPOCH.checked_add(span) };
        moment.ok_or(TimeOutOfRange::new(crate::kind::FaultKind::Value))
    }
}

impl fmt::Display for UnixTime {
    /// Formats the time as in ISO 8601, or as `@` and the number of seconds outside the years 0000 to 9999.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.civil() {
            Ok(civil) => civil.fmt(f),
            Err(_) => write!(f, "@{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn ends_are_not_crossed() {
        let second = Duration::from_secs(1);
        assert_eq!(UnixTime::MAX.checked_add(second), None);
        assert_eq!(UnixTime::MIN.checked_sub(second), None);
        assert_eq!(UnixTime::MIN.checked_add(Duration::from_secs(u64::MAX)), Some(UnixTime::MAX));
        assert_eq!(UnixTime::MAX.checked_sub(Duration::from_secs(u64::MAX)), Some(UnixTime::MIN));
        assert_eq!(UnixTime::MAX.saturating_add(second), UnixTime::MAX);
        assert_eq!(UnixTime::MIN.saturating_sub(second), UnixTime::MIN);
        assert_eq!(UnixTime::MAX.since(UnixTime::MIN), Some(Duration::from_secs(u64::MAX)));
    }

    #[test]
    fn text_at_both_ends_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "@253402300800"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (-62_167_219_201, "@-62167219201"),
        ] {
            assert_eq!(UnixTime(seconds).to_string(), text);
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn the_systems_clock_and_back() {
        use std::time::SystemTime;
        for seconds in [0, -1, 1, 1_795_255_200, -62_167_219_200] {
            assert_eq!(SystemTime::try_from(UnixTime(seconds)).map(UnixTime::from), Ok(UnixTime(seconds)));
        }
    }
}

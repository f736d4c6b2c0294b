//! Conversions to the time types of the standard library and other crates (features `std`, `chrono`, `jiff`, `time`).
//!
//! Types without fractional seconds truncate to the second. A year that the type cannot represent is an error. A leap
//! second becomes the following second, because these types have none.

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "std")]
mod std;
#[cfg(feature = "time")]
mod time;

use super::{CivilTime, GeneralizedTime, TimeOutOfRange, UnixTime, UtcTime};

/// An instant: seconds since 1970-01-01T00:00:00Z, and additional nanoseconds.
type Instant = (i64, u32);

fn civil((unix, _): Instant) -> Result<CivilTime, TimeOutOfRange> {
    CivilTime::from_unix(UnixTime(unix))
}

fn utc(instant: Instant) -> Result<UtcTime, TimeOutOfRange> {
    UtcTime::new(civil(instant)?)
}

fn generalized<'a>((unix, nanos): Instant) -> Result<GeneralizedTime<'a>, TimeOutOfRange> {
    GeneralizedTime::from_unix(UnixTime(unix))?.with_nanosecond(nanos)
}

/// Implements conversions between all time types and a clock's type.
macro_rules! clock {
    ($clock:ty, $from:expr, $to:expr) => {
        impl TryFrom<$clock> for $crate::types::time::CivilTime {
            type Error = $crate::types::time::TimeOutOfRange;

            fn try_from(time: $clock) -> Result<Self, Self::Error> {
                super::civil($from(time)?)
            }
        }

        impl TryFrom<$clock> for $crate::types::time::UtcTime {
            type Error = $crate::types::time::TimeOutOfRange;

            fn try_from(time: $clock) -> Result<Self, Self::Error> {
                super::utc($from(time)?)
            }
        }

        impl TryFrom<$clock> for $crate::types::time::GeneralizedTime<'_> {
            type Error = $crate::types::time::TimeOutOfRange;

            fn try_from(time: $clock) -> Result<Self, Self::Error> {
                super::generalized($from(time)?)
            }
        }

        impl TryFrom<$crate::types::time::CivilTime> for $clock {
            type Error = $crate::types::time::TimeOutOfRange;

            fn try_from(time: $crate::types::time::CivilTime) -> Result<Self, Self::Error> {
                $to((time.unix().0, 0))
            }
        }

        impl TryFrom<$crate::types::time::UtcTime> for $clock {
            type Error = $crate::types::time::TimeOutOfRange;

            fn try_from(time: $crate::types::time::UtcTime) -> Result<Self, Self::Error> {
                $to((time.unix().0, 0))
            }
        }

        impl TryFrom<$crate::types::time::GeneralizedTime<'_>> for $clock {
            type Error = $crate::types::time::TimeOutOfRange;

            fn try_from(time: $crate::types::time::GeneralizedTime<'_>) -> Result<Self, Self::Error> {
                // Of a local time (read where a rule tolerated it) nobody knows the moment.
                if time.is_local() {
                    return Err($crate::types::time::TimeOutOfRange::new($crate::FaultKind::Value));
                }
                $to((time.unix().0, time.nanosecond()))
            }
        }
    };
}

use clock;

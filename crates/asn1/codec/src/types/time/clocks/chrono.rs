//! Conversions of `chrono::DateTime<Utc>`.

use chrono::{DateTime, Utc};

use super::{Instant, TimeOutOfRange, clock};

fn from(time: DateTime<Utc>) -> Result<Instant, TimeOutOfRange> {
    // A leap second has a thousand million nanoseconds and more.
    match time.timestamp_subsec_nanos() {
        nanos @ 0..1_000_000_000 => Ok((time.timestamp(), nanos)),
        nanos => Ok((time.timestamp() + 1, nanos - 1_000_000_000)),
    }
}

fn to((unix, nanos): Instant) -> Result<DateTime<Utc>, TimeOutOfRange> {
    DateTime::from_timestamp(unix, nanos).ok_or(TimeOutOfRange::new(crate::FaultKind::Value))
}

clock!(DateTime<Utc>, from, to);

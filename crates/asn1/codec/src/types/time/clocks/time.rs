//! Conversions of `time::OffsetDateTime` and `time::UtcDateTime`.

use time::{OffsetDateTime, UtcDateTime};

use super::{Instant, TimeOutOfRange, clock};

const OUT_OF_RANGE: TimeOutOfRange = TimeOutOfRange::new(crate::FaultKind::Value);

fn from_offset(time: OffsetDateTime) -> Result<Instant, TimeOutOfRange> {
    Ok((time.unix_timestamp(), time.nanosecond()))
}

fn to_offset((unix, nanos): Instant) -> Result<OffsetDateTime, TimeOutOfRange> {
    let second = OffsetDateTime::from_unix_timestamp(unix).map_err(|_| OUT_OF_RANGE)?;
    second.replace_nanosecond(nanos).map_err(|_| OUT_OF_RANGE)
}

fn from_utc(time: UtcDateTime) -> Result<Instant, TimeOutOfRange> {
    Ok((time.unix_timestamp(), time.nanosecond()))
}

fn to_utc((unix, nanos): Instant) -> Result<UtcDateTime, TimeOutOfRange> {
    let second = UtcDateTime::from_unix_timestamp(unix).map_err(|_| OUT_OF_RANGE)?;
    second.replace_nanosecond(nanos).map_err(|_| OUT_OF_RANGE)
}

clock!(OffsetDateTime, from_offset, to_offset);
clock!(UtcDateTime, from_utc, to_utc);

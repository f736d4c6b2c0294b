//! Conversions of `jiff::Timestamp`.

use jiff::Timestamp;

use super::{Instant, TimeOutOfRange, clock};

const OUT_OF_RANGE: TimeOutOfRange = TimeOutOfRange::new(crate::FaultKind::Value);

fn from(time: Timestamp) -> Result<Instant, TimeOutOfRange> {
    // Before 1970 both parts are negative.
    let (seconds, nanos) = (time.as_second(), time.subsec_nanosecond());
    match u32::try_from(nanos) {
        Ok(nanos) => Ok((seconds, nanos)),
        Err(_) => Ok((seconds - 1, 1_000_000_000 - nanos.unsigned_abs())),
    }
}

fn to((unix, nanos): Instant) -> Result<Timestamp, TimeOutOfRange> {
    let nanos = i32::try_from(nanos).map_err(|_| OUT_OF_RANGE)?;
    Timestamp::new(unix, nanos).map_err(|_| OUT_OF_RANGE)
}

clock!(Timestamp, from, to);

//! Conversions of [`SystemTime`].

use std::time::{Duration, SystemTime};

use super::{Instant, TimeOutOfRange, clock};

const OUT_OF_RANGE: TimeOutOfRange = TimeOutOfRange::new(crate::FaultKind::Value);

fn from(time: SystemTime) -> Result<Instant, TimeOutOfRange> {
    let seconds = |duration: &Duration| i64::try_from(duration.as_secs()).map_err(|_| OUT_OF_RANGE);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => Ok((seconds(&after)?, after.subsec_nanos())),
        Err(error) => {
            let before = error.duration();
            let seconds = -seconds(&before)?;
            Ok(match before.subsec_nanos() {
                0 => (seconds, 0),
                nanos => (seconds - 1, 1_000_000_000 - nanos),
            })
        }
    }
}

fn to((unix, nanos): Instant) -> Result<SystemTime, TimeOutOfRange> {
    let whole = Duration::from_secs(unix.unsigned_abs());
    let epoch = SystemTime::UNIX_EPOCH;
    let second = if unix < 0 { epoch.checked_sub(whole) } else { epoch.checked_add(whole) };
    second.and_then(|second| second.checked_add(Duration::from_nanos(nanos.into()))).ok_or(OUT_OF_RANGE)
}

clock!(SystemTime, from, to);

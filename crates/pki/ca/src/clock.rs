//! Certificate times, and the handling of clocks that were set back. The current time is always passed in by the
//! caller.

use core::time::Duration;

use tagwise_codec::{GeneralizedTime, TimeOutOfRange};
use tagwise_pkix::{Time, UnixTime};

use crate::Error;

/// The tolerated clock skew, between machines that share a store, or due to a command that reads its clock and then waits
/// for a lock. The `openssl ocsp` command tolerates the same skew.
const SKEW: Duration = Duration::from_secs(300);

/// The current time, from the caller's clock.
///
/// A CA's history can reveal a wrong clock. Nothing may be dated before the last CRL, and no recorded revocation may be in
/// the future. Violations are rejected ([`Error::ClockDisagrees`]) unless the caller states that the clock was wrong and
/// has been corrected.
///
/// ```
/// use tagwise_ca::Now;
/// use tagwise_pkix::UnixTime;
/// let now = Now::from(UnixTime(1_790_000_000));
/// assert_eq!(now.unix(), UnixTime(1_790_000_000));
/// assert!(now.clock_was_wrong() != now);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    unix: UnixTime,
    clock_was_wrong: bool,
}

impl From<UnixTime> for Now {
    /// Trusts the clock's time.
    fn from(unix: UnixTime) -> Self {
        Self { unix, clock_was_wrong: false }
    }
}

impl Now {
    /// States that the clock was ahead earlier but is correct now.
    #[must_use]
    pub const fn clock_was_wrong(self) -> Self {
        Self { clock_was_wrong: true, ..self }
    }

    /// Returns the current time as a Unix time.
    #[must_use]
    pub const fn unix(self) -> UnixTime {
        self.unix
    }

    pub(crate) const fn is_put_right(self) -> bool {
        self.clock_was_wrong
    }

    /// Returns the time for a new item, given `last`, the time of the previous item. It is the current time, or `last` if that is
    /// later by no more than the tolerated clock skew. Returns [`Error::ClockDisagrees`] if `last` is later.
    pub(crate) fn not_before(self, last: Option<UnixTime>, what: impl FnOnce() -> String) -> Result<UnixTime, Error> {
        match last {
            Some(last) if last > self.unix && !self.clock_was_wrong => {
                check(self.unix, last, what)?;
                Ok(last)
            }
            _ => Ok(self.unix),
        }
    }
}

/// Checks that a recorded time is not in the future, allowing for the tolerated clock skew. `what` describes the event.
///
/// # Errors
/// Returns [`Error::ClockDisagrees`] if it is later.
pub(crate) fn check(now: UnixTime, at: UnixTime, what: impl FnOnce() -> String) -> Result<(), Error> {
    if at > now.saturating_add(SKEW) { Err(Error::ClockDisagrees { what: what(), at, now }) } else { Ok(()) }
}

/// Converts a time for use in certificates and CRLs.
///
/// # Errors
/// Returns an error if the time is outside the years 0 to 9999.
pub(crate) fn time(unix: UnixTime) -> Result<Time<'static>, Error> {
    Time::from_unix(unix).map_err(unwritable(unix))
}

/// Converts a time for use in OCSP.
///
/// # Errors
/// Returns an error if the time is outside the years 0 to 9999.
pub(crate) fn generalized(unix: UnixTime) -> Result<GeneralizedTime<'static>, Error> {
    GeneralizedTime::from_unix(unix).map_err(unwritable(unix))
}

fn unwritable(unix: UnixTime) -> impl Fn(TimeOutOfRange) -> Error {
    move |error| Error::refused(format!("the time {unix} cannot be written: {error}"), "RFC 5280 §4.1.2.5")
}

//! Moments as certificates have them. Nothing here asks what time it is: callers say that.

use tagwise_codec::{CivilTime, GeneralizedTime};
use tagwise_pkix::Time;

use crate::Error;

/// A moment, for certificates and CRLs.
///
/// # Errors
/// Years before 1 and after 9999.
pub(crate) fn time(unix: i64) -> Result<Time<'static>, Error> {
    civil(unix).map(Time::new)
}

/// A moment, for OCSP.
///
/// # Errors
/// Years before 1 and after 9999.
pub(crate) fn generalized(unix: i64) -> Result<GeneralizedTime<'static>, Error> {
    civil(unix).map(GeneralizedTime::new)
}

/// A moment in the form 2026-11-21T10:00:00Z; a number where it has no such form.
pub(crate) fn text(unix: i64) -> String {
    CivilTime::from_unix(unix).map_or_else(|_beyond| unix.to_string(), |civil| Time::new(civil).to_string())
}

fn civil(unix: i64) -> Result<CivilTime, Error> {
    CivilTime::from_unix(unix)
        .map_err(|error| Error::refused(format!("the time {unix} cannot be written: {error}"), "RFC 5280 §4.1.2.5"))
}

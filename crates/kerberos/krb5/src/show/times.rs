//! Ticket times in UTC.

use tagwise_codec::{CivilTime, UnixTime};

/// Formats a time for JSON and trees: `2026-11-21T10:00:00Z`.
#[must_use]
pub fn stamp(time: UnixTime) -> String {
    CivilTime::from_unix(time).map_or_else(|_| time.0.to_string(), |civil| civil.to_string())
}

/// Formats a time for lists: `2026-11-21 10:00:00`.
#[must_use]
pub fn spaced(time: UnixTime) -> String {
    stamp(time).replace('T', " ").trim_end_matches('Z').to_owned()
}

//! Times on the command line: RFC 3339 dates and times only, parsed by Jiff, which validates them against the calendar.

use std::time::{Duration, SystemTime};

use jiff::civil::{self, Date, DateTime};
use jiff::fmt::strtime;
use jiff::{SignedDuration, Span, SpanRelativeTo};
use tagwise_pkix::UnixTime;

/// Examples of the accepted formats, for messages.
pub(crate) const EXAMPLES: &str = "2026-11-21, 2026-11-21T10:00:00Z or 2026-11-21T11:00:00+01:00";

const EPOCH: DateTime = civil::date(1970, 1, 1).at(0, 0, 0, 0);

/// Parses a time: a date, which means its first second in UTC, or an RFC 3339 §5.6 time in whole seconds.
///
/// # Errors
/// Returns a message that describes the error and the expected format.
pub(crate) fn moment(text: &str) -> Result<UnixTime, String> {
    if !is_like(text, "0000-00-00") {
        return instant(text);
    }
    date(text).map(|date| unix(date.at(0, 0, 0, 0))).ok_or_else(|| unknown(text))
}

/// Parses an RFC 3339 time with its offset: `2026-11-21T10:00:00Z`.
///
/// # Errors
/// Returns any error from [`moment`].
pub(crate) fn instant(text: &str) -> Result<UnixTime, String> {
    let parts = text.split_at_checked(19).filter(|(local, _)| is_like(local, "0000-00-00T00:00:00"));
    let (local, zone) = parts.ok_or_else(|| format!("expected {EXAMPLES}"))?;
    let east = match zone {
        "Z" => SignedDuration::ZERO,
        "" => return Err(format!("{text} has no time zone: append Z for UTC, or an offset such as +01:00")),
        zone if zone.starts_with('.') => {
            return Err(format!("fractions of seconds are not supported: expected {EXAMPLES}"));
        }
        zone if is_like(zone, "+00:00") || is_like(zone, "-00:00") => {
            offset(zone).ok_or_else(|| format!("invalid offset {zone}: expected Z or an offset such as +01:00"))?
        }
        _ => return Err(format!("expected {EXAMPLES}")),
    };
    // Jiff takes second 60 for 59; no clock that is asked here shows it.
    let local: Option<DateTime> = local.parse().ok().filter(|_| !local.ends_with(":60"));
    let utc = local.and_then(|local| local.checked_sub(east).ok());
    utc.map(unix).ok_or_else(|| unknown(text))
}

/// Parses a year, month or day (`2026`, `2026-11`, `2026-11-21`) and returns its first and last second in UTC.
pub(crate) fn period(text: &str) -> Option<(UnixTime, UnixTime)> {
    let (first, last) = if is_like(text, "0000") {
        let first = date(&format!("{text}-01-01"))?;
        (first, first.last_of_year())
    } else if is_like(text, "0000-00") {
        let first = date(&format!("{text}-01"))?;
        (first, first.last_of_month())
    } else {
        let day = date(text)?;
        (day, day)
    };
    Some((unix(first.at(0, 0, 0, 0)), unix(last.at(23, 59, 59, 0))))
}

/// Parses a duration such as `30d`, `12h`, `2w`, `90m` or `1y` (365 days). Months are rejected, because their length
/// varies.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let span: Span = text.parse().ok()?;
    let years = SignedDuration::from_hours(i64::from(span.get_years()) * (365 * 24));
    let rest = span.years(0).to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    Duration::try_from(years.checked_add(rest)?).ok()
}

/// Returns the current system time.
pub(crate) fn now() -> UnixTime {
    SystemTime::now().into()
}

/// Returns whether a text matches a pattern: a digit for each `0`, and otherwise the pattern's own characters. Rejects signs, spaces and
/// omitted digits, which a lenient parser would accept.
fn is_like(text: &str, model: &str) -> bool {
    let fits = |(byte, model): (u8, u8)| if model == b'0' { byte.is_ascii_digit() } else { byte == model };
    text.len() == model.len() && text.bytes().zip(model.bytes()).all(fits)
}

fn date(text: &str) -> Option<Date> {
    text.parse().ok().filter(|_| is_like(text, "0000-00-00"))
}

/// Parses an offset from UTC of less than a day (RFC 3339 §5.6).
fn offset(zone: &str) -> Option<SignedDuration> {
    let offset = strtime::parse("%:z", zone).ok()?.offset()?;
    Some(SignedDuration::from_secs(offset.seconds().into())).filter(|span| span.unsigned_abs().as_secs() < 86_400)
}

fn unix(time: DateTime) -> UnixTime {
    UnixTime(time.duration_since(EPOCH).as_secs())
}

fn unknown(text: &str) -> String {
    format!("{text} is not a valid date: expected {EXAMPLES}")
}

/// Parses a duration for the command line. A number without a unit is in days.
///
/// # Errors
/// Returns the text of a usage error.
pub(crate) fn span(text: &str) -> Result<Duration, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let span = if is_number { duration(&format!("{text}d")) } else { duration(text) };
    span.ok_or_else(|| "expected a number of days, or a duration of the form 30d, 12h, 2w, 90m or 1y".to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn what_rfc_3339_has() {
        for (text, unix) in [
            ("1970-01-01", 0),
            ("2026-11-21", 1_795_219_200),
            ("2026-11-21T00:00:00Z", 1_795_219_200),
            ("2026-11-21T10:20:30Z", 1_795_256_430),
            ("2026-11-21T11:20:30+01:00", 1_795_256_430),
            ("2026-11-20T22:50:30-11:30", 1_795_256_430),
            ("2026-11-21T10:20:30-00:00", 1_795_256_430),
            ("2024-02-29", 1_709_164_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] {
            assert_eq!(moment(text), Ok(UnixTime(unix)), "{text}");
        }
    }

    #[test]
    fn nothing_else() {
        for text in [
            "",
            "2026:11:21",
            "2026-11:21",
            "+026-11-21",
            "2026-+1-21",
            "2026-11-21Z",
            "2026-11-21T10:00:00ZZZ",
            "2026-11-21T10:00:00Z ",
            " 2026-11-21",
            "2026-11-21 10:00:00Z",
            "2026-11-21T10-00-00Z",
            "2026-11-21t10:00:00z",
            "2026-11-21T10:00Z",
            "2026-11-21T10:00:00",
            "2026-11-21T10:00:00.5Z",
            "2026-11-21T10:00:00+0100",
            "2026-11-21T10:00:00+01:60",
            "2026-11-21T10:00:00+1:000",
            "2026-11-21T24:00:00Z",
            "2026-11-21T10:00:60Z",
            "2016-12-31T23:59:60Z",
            "2026-11-21T10:00:00+24:00",
            "2026-11-21T10:00:00Z[Europe/Berlin]",
            "2026-11-21T10",
            "+002026-11-21",
            "2026-W47-6",
            "2026-1-2",
            "26-11-21",
            "02026-11-21",
            "2026-13-01",
            "2026-00-01",
            "2026-02-29",
            "20261121",
            "2026-11-2\u{0661}",
            "２０２６-11-21",
            "1795219200",
        ] {
            let error = moment(text).unwrap_err();
            assert!(error.contains("2026-11-21") || error.contains("+01:00"), "{text}: {error}");
        }
        assert_eq!(
            moment("2026-11-21T10:00:00.5Z").unwrap_err(),
            format!("fractions of seconds are not supported: expected {EXAMPLES}")
        );
    }

    #[test]
    fn both_ends_of_the_calendar() {
        assert_eq!(moment("0000-01-01"), Ok(UnixTime(-62_167_219_200)));
        assert_eq!(moment("0000-01-01T00:00:00+01:00"), Ok(UnixTime(-62_167_222_800)));
        assert_eq!(moment("9999-12-31T23:59:59-23:59"), Err(unknown("9999-12-31T23:59:59-23:59")));
    }

    #[test]
    fn spans() {
        let seconds = |text| duration(text).map(|span| span.as_secs());
        for (text, wanted) in [
            ("0d", 0),
            ("90m", 5400),
            ("12h", 43_200),
            ("30d", 2_592_000),
            ("2w", 1_209_600),
            ("1y", 31_536_000),
            ("1d12h", 129_600),
        ] {
            assert_eq!(seconds(text), Some(wanted), "{text}");
        }
        for text in ["", "d", "3", "-3d", "3d ago", "1mo", "2 months", "3x", "99999999999999999y"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_is_in_days() {
        assert_eq!((span("30"), span("30d")), (Ok(Duration::from_secs(2_592_000)), Ok(Duration::from_secs(2_592_000))));
        let expected = "expected a number of days, or a duration of the form 30d, 12h, 2w, 90m or 1y";
        assert_eq!([span(""), span("-3"), span("3x")], [(); 3].map(|()| Err(expected.to_owned())));
    }

    #[test]
    fn years_months_and_days() {
        assert_eq!(period("2024-02"), Some((UnixTime(1_706_745_600), UnixTime(1_709_251_199))));
        assert_eq!(period("2027-01-15"), Some((UnixTime(1_799_971_200), UnixTime(1_800_057_599))));
        assert_eq!(period("9999"), Some((UnixTime(253_370_764_800), UnixTime(253_402_300_799))));
        for text in ["", "20", "2027-13", "2027-1", "2027-1-1", "2027-02-30", "+2027", "2027-01-15T00:00:00Z"] {
            assert_eq!(period(text), None, "{text}");
        }
    }
}

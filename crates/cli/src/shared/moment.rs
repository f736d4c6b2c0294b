//! Moments on the command line: dates and times of RFC 3339, and nothing that only looks like one.

use std::time::{SystemTime, UNIX_EPOCH};

use tagwise_codec::CivilTime;

/// Examples of the accepted formats, for messages.
pub(crate) const EXAMPLES: &str = "2026-11-21, 2026-11-21T10:00:00Z or 2026-11-21T11:00:00+01:00";

/// A moment in seconds since 1970: a date, which is its first second in UTC, or a time of RFC 3339 §5.6 in whole seconds.
///
/// # Errors
/// A message that says what is wrong with the text and what would be right.
pub(crate) fn moment(text: &str) -> Result<i64, String> {
    match date(text) {
        Some(date) => unix(date, [0, 0, 0]),
        None => instant(text),
    }
}

/// A time of RFC 3339, with its offset: `2026-11-21T10:00:00Z`.
///
/// # Errors
/// Those of [`moment`].
pub(crate) fn instant(text: &str) -> Result<i64, String> {
    let parts = || {
        let day = date(text.get(..10)?)?;
        let clock = text.get(10..)?.strip_prefix('T')?;
        let time = clock_of(clock.get(..8)?)?;
        Some((day, time, clock.get(8..)?))
    };
    let (day, time, zone) = parts().ok_or_else(|| format!("expected {EXAMPLES}"))?;
    let east = match zone.as_bytes() {
        [b'Z'] => 0,
        [sign @ (b'+' | b'-'), hour @ .., b':', _, _] if hour.len() == 2 => {
            let (hour, minute) = (zone.get(1..3).and_then(two), zone.get(4..6).and_then(two));
            let (Some(hour @ ..=23), Some(minute @ ..=59)) = (hour, minute) else {
                return Err(format!("there is no offset {zone}: expected Z or as in +01:00"));
            };
            let east = i64::from(hour) * 3600 + i64::from(minute) * 60;
            if *sign == b'+' { east } else { -east }
        }
        [] => return Err(format!("whose {text} is left open: end it with Z for UTC, or with an offset as in +01:00")),
        [b'.', ..] => return Err(format!("there are whole seconds only: expected {EXAMPLES}")),
        _ => return Err(format!("expected {EXAMPLES}")),
    };
    Ok(unix(day, time)?.saturating_sub(east))
}

/// A date: `2026-11-21`. The calendar has not been asked.
pub(crate) fn date(text: &str) -> Option<(u16, u8, u8)> {
    let [_, _, _, _, b'-', _, _, b'-', _, _] = text.as_bytes() else { return None };
    Some((year(text.get(..4)?)?, two(text.get(5..7)?)?, two(text.get(8..)?)?))
}

/// A year of four digits.
pub(crate) fn year(text: &str) -> Option<u16> {
    let plain = text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// A number of two digits.
pub(crate) fn two(text: &str) -> Option<u8> {
    let plain = text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// `10:00:00`
fn clock_of(text: &str) -> Option<[u8; 3]> {
    let [_, _, b':', _, _, b':', _, _] = text.as_bytes() else { return None };
    Some([two(text.get(..2)?)?, two(text.get(3..5)?)?, two(text.get(6..)?)?])
}

fn unix((year, month, day): (u16, u8, u8), [hour, minute, second]: [u8; 3]) -> Result<i64, String> {
    let time = CivilTime::new(year, month, day, hour, minute, second);
    time.map(|time| time.unix()).map_err(|error| format!("{error}: expected {EXAMPLES}"))
}

/// A span of time in seconds: a number and one of `m`, `h`, `d`, `w`, `y` (365 days).
pub(crate) fn duration(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..)? {
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        "w" => 604_800,
        "y" => 31_536_000,
        _ => return None,
    };
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse::<i64>().ok().filter(|_| plain)?.checked_mul(unit)
}

/// The time of the system's clock, in seconds since 1970.
pub(crate) fn now() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        // The clock is before 1970: rounded down, as after it.
        Err(before) => {
            let before = before.duration();
            let seconds = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
            -seconds - i64::from(before.subsec_nanos() > 0)
        }
    }
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
            assert_eq!(moment(text), Ok(unix), "{text}");
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
            "2026-11-21T10:00:00+24:00",
            "2026-11-21T10:00:00+01:60",
            "2026-11-21T10:00:00+1:000",
            "2026-11-21T24:00:00Z",
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
            format!("there are whole seconds only: expected {EXAMPLES}")
        );
    }
}

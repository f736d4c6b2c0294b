//! Checks dates and times in values, and the settings of time types.

use crate::model::TimeKind;

/// Returns whether the digits of a time are valid: month and day, hours, minutes, seconds.
pub(crate) fn is_time(text: &str, kind: TimeKind) -> bool {
    let digits = |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse::<u32>().ok());
    // The year, and where month, day, hour, minute and second begin.
    let (year, month, day, clock) = match kind {
        TimeKind::Utc => (digits(0..2).map(|year| if year < 50 { 2000 + year } else { 1900 + year }), 2, 4, [6, 8, 10]),
        TimeKind::Generalized => (digits(0..4), 4, 6, [8, 10, 12]),
        TimeKind::Date => return shaped(text, "0000-00-00") && date(digits(0..4), digits(5..7), digits(8..10)),
        TimeKind::TimeOfDay => return shaped(text, "00:00:00") && time(digits(0..2), digits(3..5), digits(6..8)),
        TimeKind::DateTime => {
            return shaped(text, "0000-00-00T00:00:00")
                && date(digits(0..4), digits(5..7), digits(8..10))
                && time(digits(11..13), digits(14..16), digits(17..19));
        }
        _ => return true,
    };
    let part = |start: usize| {
        let is_number = text.get(start..start + 2).is_some_and(|part| part.bytes().all(|octet| octet.is_ascii_digit()));
        if is_number { digits(start..start + 2) } else { None }
    };
    let [hour, minute, second] = clock.map(part);
    date(year, part(month), part(day)) && time(hour, minute.or(Some(0)), second.or(Some(0)))
}

/// Returns whether a text has the form of `form`, in which 0 represents any digit.
fn shaped(text: &str, form: &str) -> bool {
    let same = |(one, other): (u8, u8)| if other == b'0' { one.is_ascii_digit() } else { one == other };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(same)
}

fn date(year: Option<u32>, month: Option<u32>, day: Option<u32>) -> bool {
    let (Some(year), Some(month), Some(day)) = (year, month, day) else { return false };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Returns whether a time of day is valid. Leap seconds are allowed.
fn time(hour: Option<u32>, minute: Option<u32>, second: Option<u32>) -> bool {
    hour.is_some_and(|hour| hour < 24)
        && minute.is_some_and(|minute| minute < 60)
        && second.is_some_and(|second| second <= 60)
}

/// Returns a valid UTCTime or GeneralizedTime in its DER form: in UTC, with seconds, and without zeros at the end of the fraction
/// (X.690 §11.7, §11.8). Returns `None` for other time types, local times and leap seconds.
pub(crate) fn in_der_form(text: &str, kind: TimeKind) -> Option<String> {
    let of_year = match kind {
        TimeKind::Utc => 2,
        TimeKind::Generalized => 4,
        _ => return None,
    };
    let (clock, ahead) = match text.strip_suffix('Z') {
        Some(clock) => (clock, 0),
        None => {
            let (clock, zone) = text.split_at_checked(text.rfind(['+', '-'])?)?;
            (clock, minutes(zone)?)
        }
    };
    let (digits, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    let number = |start: usize, len: usize| digits.get(start..start.checked_add(len)?)?.parse::<i64>().ok();
    let part = |at: usize| number(of_year + at, 2);
    let year = match (kind, number(0, of_year)?) {
        (TimeKind::Utc, year) => year + if year < 50 { 2000 } else { 1900 },
        (_, year) => year,
    };
    // The fraction is that of the last unit.
    let unit = match (part(6), part(8)) {
        (None, _) => 3600,
        (_, None) => 60,
        _ => 1,
    };
    let second = part(8).unwrap_or(0);
    if second > 59 || fraction.len() > 18 {
        return None;
    }
    let scale = 10_i128.checked_pow(fraction.len() as u32)?;
    let more = if fraction.is_empty() { 0 } else { fraction.parse::<i128>().ok()?.checked_mul(unit)? };
    let (whole, rest) = (i64::try_from(more / scale).ok()?, more % scale);
    let minutes = part(4)? * 60 + part(6).unwrap_or(0) - ahead;
    let seconds = days(year, part(0)?, part(2)?) * 86_400 + minutes * 60 + second + whole;
    let (year, month, day) = date_of(seconds.div_euclid(86_400));
    let clock = seconds.rem_euclid(86_400);
    let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
    let year = match kind {
        TimeKind::Utc if (1950..2050).contains(&year) => format!("{:02}", year % 100),
        TimeKind::Generalized if (0..10_000).contains(&year) => format!("{year:04}"),
        _ => return None,
    };
    let fraction = match rest {
        0 => String::new(),
        rest => format!(".{}", format!("{rest:0width$}", width = fraction.len()).trim_end_matches('0')),
    };
    Some(format!("{year}{month:02}{day:02}{hour:02}{minute:02}{second:02}{fraction}Z"))
}

/// Returns the minutes of a time zone: `+01`, `-0130`.
fn minutes(zone: &str) -> Option<i64> {
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let number = |range: core::ops::Range<usize>| zone.get(range)?.parse::<i64>().ok();
    Some(sign * (number(1..3)? * 60 + number(3..5).unwrap_or(0)))
}

/// Returns the days from 1970-01-01 to a date of the Gregorian calendar.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}

/// Returns the year, month and day, given the days from 1970-01-01.
const fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + if month <= 2 { 1 } else { 0 }, month, day)
}

/// Normalizes settings: one space between settings, and no spaces around `=` (ISO/IEC 19785-3 contains some).
pub(crate) fn normal_settings(settings: &str) -> String {
    let mut normal = String::new();
    let mut is_glued = true;
    for word in settings.replace('=', " = ").split_ascii_whitespace() {
        if word != "=" && !is_glued {
            normal.push(' ');
        }
        normal.push_str(word);
        is_glued = word == "=";
    }
    normal
}

/// Finds the error in settings (X.680 §38.2), if any.
pub(crate) fn wrong_settings(settings: &str) -> Option<String> {
    let mut seen: Vec<&str> = Vec::new();
    if settings.split_ascii_whitespace().next().is_none() {
        return Some("empty setting".to_owned());
    }
    for setting in settings.split_ascii_whitespace() {
        let Some((property, value)) = setting.split_once('=') else {
            return Some(format!("invalid setting {setting:?}, expected `Property=Setting`"));
        };
        if seen.contains(&property) {
            return Some(format!("duplicate setting of {property}"));
        }
        seen.push(property);
        let values: &[&str] = match property {
            "Basic" => &["Date", "Time", "Date-Time", "Interval", "Rec-Interval"],
            "Date" => &["C", "Y", "YM", "YMD", "YD", "YW", "YWD"],
            "Year" => &["Basic", "Proleptic", "Negative", "L#"],
            "Time" => &["H", "HM", "HMS", "HF#", "HMF#", "HMSF#"],
            "Local-or-UTC" => &["L", "Z", "LD"],
            "Interval-type" => &["SE", "D", "SD", "DE"],
            "SE-point" => &["Date", "Time", "Date-Time"],
            "Recurrence" => &["Unlimited", "R#"],
            "Midnight" => &["Start", "End"],
            _ => return Some(format!("unknown time property {property}")),
        };
        let is_one = |known: &&str| match known.strip_suffix('#') {
            Some(prefix) => value
                .strip_prefix(prefix)
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|octet| octet.is_ascii_digit())),
            None => *known == value,
        };
        if !values.iter().any(is_one) {
            return Some(format!("the property {property} has no setting {value}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_der_form() {
        let utc = |text| in_der_form(text, TimeKind::Utc);
        let generalized = |text| in_der_form(text, TimeKind::Generalized);
        for (text, expected) in [
            ("990101000000Z", Some("990101000000Z")),
            ("9901010000+0100", Some("981231230000Z")),
            ("4912312359Z", Some("491231235900Z")),
            // Beyond 2049.
            ("4912312359-0100", None),
        ] {
            assert_eq!(utc(text).as_deref(), expected, "{text}");
        }
        for (text, expected) in [
            ("20240229120000Z", Some("20240229120000Z")),
            ("2024022912.5Z", Some("20240229123000Z")),
            ("202402291200,25Z", Some("20240229120015Z")),
            ("20240229120000.1200Z", Some("20240229120000.12Z")),
            ("20240301003000+0130", Some("20240229230000Z")),
            ("19700101000000-08", Some("19700101080000Z")),
            ("00000101000000+0001", None),
            // Local time, and a leap second.
            ("20240229120000", None),
            ("20161231235960Z", None),
        ] {
            assert_eq!(generalized(text).as_deref(), expected, "{text}");
        }
        for day in [-719_468, -1, 0, 59, 60, 11_016, 20_000, 2_932_896] {
            let (year, month, of_month) = date_of(day);
            assert_eq!(days(year, month, of_month), day);
        }
        assert_eq!(date_of(11_016), (2000, 2, 29));
    }
}

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

//! Dates and times of day in TIME (X.691 §32.2 to §32.4).

use crate::time::{DAY, HOURS, MINUTES, MONTH, SECONDS};

/// The form of the values of a TIME type, if constraints allow one form only: a date, a time of day, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePoint {
    /// The date.
    pub date: Option<DateForm>,
    /// The time of day.
    pub clock: Option<ClockForm>,
}

/// The form of a date: the `Date` and `Year` properties (X.680 §38.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateForm {
    /// The parts of the date.
    pub shape: DateShape,
    /// True for years before 0 and after 9999.
    pub is_any: bool,
}

/// The parts of a date: the `Date` property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateShape {
    /// `C`: a century.
    Century,
    /// `Y`: a year.
    Year,
    /// `YM`: a month.
    Month,
    /// `YMD`: a day of a month.
    Day,
    /// `YD`: a day of a year.
    OrdinalDay,
    /// `YW`: a week.
    Week,
    /// `YWD`: a day of a week.
    WeekDay,
}

impl DateShape {
    /// All shapes, in the order of X.691, Table 2.
    pub const ALL: [Self; 7] =
        [Self::Century, Self::Year, Self::Month, Self::Day, Self::OrdinalDay, Self::Week, Self::WeekDay];
}

/// The form of a time of day: the `Time` and `Local-or-UTC` properties (X.680 §38.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockForm {
    /// The number of parts: 1 for hours, 2 with minutes, 3 with seconds.
    pub fields: u8,
    /// The number of digits of the last part's fraction, or 0.
    pub fraction: u8,
    /// The time zone.
    pub zone: TimeZone,
}

/// The time zone: the `Local-or-UTC` property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeZone {
    /// `L`: local time.
    Local,
    /// `Z`: UTC.
    Utc,
    /// `LD`: local time with the difference from UTC.
    Difference,
}

/// The encoding of a part.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A number of two or more digits, in a range.
    Within((i128, i128)),
    /// YEAR-ENCODING.
    Year,
    /// A year or century of any size.
    Any,
    /// A fraction of the last part, with this number of digits.
    Fraction(u8),
    /// TIME-DIFFERENCE: minutes, of the sign of the difference.
    Difference,
}

/// A part of a text: the characters before it, its form, and the number of its digits.
#[doc(hidden)]
pub type Part = (&'static str, Number, usize);

/// The bounds of a fraction (X.691 §32.3): further digits are extensions.
pub(crate) const FRACTION: (i128, i128) = (0, 999);
/// The bounds of the hours and minutes of a difference (X.691 §32.3).
pub(crate) const DIFFERENCE: ((i128, i128), (i128, i128)) = ((0, 15), (1, 59));

impl TimePoint {
    /// Returns the form of a date, a time of day, or both. The text may have errors that [`TimePoint::read`] finds.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        // Two digits are an hour, or a century if `C` follows; a year has four digits or a sign.
        let is_clock = text.starts_with(|first: char| first.is_ascii_digit())
            && text.as_bytes().get(2).is_none_or(|third| *third != b'C' && !third.is_ascii_digit());
        let (date, clock) = match text.split_once('T') {
            Some((date, clock)) => (Some(date), Some(clock)),
            None if is_clock => (None, Some(text)),
            None => (Some(text), None),
        };
        Some(Self {
            date: date.map_or(Some(None), |date| DateForm::of(date).map(Some))?,
            clock: clock.map_or(Some(None), |clock| ClockForm::of(clock).map(Some))?,
        })
    }

    /// The parts, in the order of the text and of the encoding, and the text behind them.
    #[doc(hidden)]
    #[must_use]
    pub fn parts(&self) -> (Vec<Part>, &'static str) {
        let (mut parts, mut end): (Vec<Part>, _) = (Vec::new(), "");
        if let Some(date) = self.date {
            let year = match (date.is_any, date.shape) {
                (true, _) => Number::Any,
                (false, DateShape::Century) => Number::Within((0, 99)),
                (false, _) => Number::Year,
            };
            parts.push(("", year, if date.shape == DateShape::Century { 2 } else { 4 }));
            match date.shape {
                DateShape::Century => end = "C",
                DateShape::Year => {}
                DateShape::Month => parts.push(("-", Number::Within(MONTH), 2)),
                DateShape::Day => parts.extend([("-", Number::Within(MONTH), 2), ("-", Number::Within(DAY), 2)]),
                DateShape::OrdinalDay => parts.push(("-", Number::Within((1, 366)), 3)),
                DateShape::Week => parts.push(("-W", Number::Within((1, 53)), 2)),
                DateShape::WeekDay => {
                    parts.extend([("-W", Number::Within((1, 53)), 2), ("-", Number::Within((1, 7)), 1)]);
                }
            }
        }
        if let Some(clock) = self.clock {
            let start = if self.date.is_some() { "T" } else { "" };
            let all: [Part; 3] = [
                (start, Number::Within(HOURS), 2),
                (":", Number::Within(MINUTES), 2),
                (":", Number::Within(SECONDS), 2),
            ];
            parts.extend(all.into_iter().take(clock.fields.into()));
            if clock.fraction > 0 {
                parts.push((".", Number::Fraction(clock.fraction), clock.fraction.into()));
            }
            match clock.zone {
                TimeZone::Local => {}
                TimeZone::Utc => end = "Z",
                TimeZone::Difference => parts.push(("", Number::Difference, 2)),
            }
        }
        (parts, end)
    }

    /// Reads the numbers of a value's text. Returns `None` for a text of another form.
    #[doc(hidden)]
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Vec<(Number, i128)>> {
        let (parts, end) = self.parts();
        let mut rest = text;
        let mut numbers = Vec::new();
        for (before, number, _) in parts {
            rest = rest.strip_prefix(before)?;
            let is_signed = matches!(number, Number::Any | Number::Difference);
            let sign = is_signed.then(|| rest.chars().next().filter(|sign| matches!(sign, '+' | '-'))).flatten();
            rest = rest.get(usize::from(sign.is_some())..)?;
            let mut value = digits(&mut rest)?;
            if number == Number::Difference {
                value = value.checked_mul(60)?;
                if let Some(mut minutes) = rest.strip_prefix(':') {
                    value = value.checked_add(digits(&mut minutes)?)?;
                    rest = minutes;
                }
            }
            numbers.push((number, if sign == Some('-') { -value } else { value }));
        }
        // Other texts of the same numbers, such as a negative difference of zero, are not encoded.
        let values: Vec<i128> = numbers.iter().map(|(_, value)| *value).collect();
        (rest == end && self.text(&values) == text).then_some(numbers)
    }

    /// The text of a value, from its numbers in order.
    #[doc(hidden)]
    #[must_use]
    pub fn text(&self, numbers: &[i128]) -> String {
        let (parts, end) = self.parts();
        let mut text = String::new();
        for ((before, number, width), value) in parts.into_iter().zip(numbers) {
            text.push_str(before);
            let size = value.unsigned_abs();
            match number {
                Number::Any => {
                    // Further digits than those of a basic year or century have a sign (X.680 §38.3).
                    let is_long = size.to_string().len() > width;
                    let sign = match value {
                        ..0 => "-",
                        _ if is_long => "+",
                        _ => "",
                    };
                    text.push_str(&format!("{sign}{size:0width$}"));
                }
                Number::Difference => {
                    text.push_str(&format!("{}{:02}", if *value < 0 { "-" } else { "+" }, size / 60));
                    if size % 60 > 0 {
                        text.push_str(&format!(":{:02}", size % 60));
                    }
                }
                _ => text.push_str(&format!("{size:0width$}")),
            }
        }
        text + end
    }
}

impl DateForm {
    fn of(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']);
        let rest = unsigned.unwrap_or(text).trim_start_matches(|digit: char| digit.is_ascii_digit());
        let shape = match (rest, rest.len()) {
            ("C", _) => DateShape::Century,
            ("", _) => DateShape::Year,
            (_, 3) => DateShape::Month,
            (week, 4) if week.starts_with("-W") => DateShape::Week,
            (_, 4) => DateShape::OrdinalDay,
            (week, 6) if week.starts_with("-W") => DateShape::WeekDay,
            (_, 6) => DateShape::Day,
            _ => return None,
        };
        Some(Self { shape, is_any: unsigned.is_some() })
    }
}

impl ClockForm {
    fn of(text: &str) -> Option<Self> {
        let (rest, zone) = match (text.strip_suffix('Z'), text.split_once(['+', '-'])) {
            (Some(rest), _) => (rest, TimeZone::Utc),
            (None, Some((rest, _))) => (rest, TimeZone::Difference),
            (None, None) => (text, TimeZone::Local),
        };
        let (rest, fraction) = rest.split_once('.').unwrap_or((rest, ""));
        let fields = u8::try_from(rest.split(':').count()).ok().filter(|fields| *fields <= 3)?;
        Some(Self { fields, fraction: fraction.len().try_into().ok()?, zone })
    }
}

/// Takes the digits at the start of a text.
fn digits(rest: &mut &str) -> Option<i128> {
    let end = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, behind) = rest.split_at_checked(end)?;
    *rest = behind;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let date = |shape, is_any| TimePoint { date: Some(DateForm { shape, is_any }), clock: None };
        let clock =
            |fields, fraction, zone| TimePoint { date: None, clock: Some(ClockForm { fields, fraction, zone }) };
        let both = TimePoint {
            date: Some(DateForm { shape: DateShape::OrdinalDay, is_any: false }),
            clock: Some(ClockForm { fields: 2, fraction: 1, zone: TimeZone::Utc }),
        };
        for (form, text) in [
            (date(DateShape::Century, false), "19C"),
            (date(DateShape::Year, false), "1985"),
            (date(DateShape::Month, true), "-0002-04"),
            (date(DateShape::Day, true), "+12345-04-12"),
            (date(DateShape::Week, false), "1985-W15"),
            (date(DateShape::WeekDay, false), "1985-W15-5"),
            (date(DateShape::Century, true), "+100C"),
            (date(DateShape::OrdinalDay, true), "-0001-366"),
            (clock(1, 0, TimeZone::Local), "15"),
            (clock(2, 0, TimeZone::Difference), "15:27-05:30"),
            (clock(3, 3, TimeZone::Difference), "15:27:35.050+01"),
            (both, "1985-102T10:15.5Z"),
        ] {
            let numbers: Vec<i128> = form.read(text).unwrap_or_default().into_iter().map(|(_, value)| value).collect();
            assert_eq!(form.text(&numbers), text);
            assert_eq!(TimePoint::of(text), Some(form));
        }
        assert_eq!(date(DateShape::Year, false).read("1985-04"), None);
        assert_eq!(date(DateShape::Month, false).read("1985"), None);
    }
}

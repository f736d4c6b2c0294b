//! The forms of TIME values: the rows of X.691, Table 2.

use crate::point::{ClockForm, DateForm, DateShape, Number, TimePoint, TimeZone};
use crate::time::Duration;

/// The form of the values of a TIME type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeForm {
    /// All values have the form of one row.
    One(TimeRow),
    /// The values have forms of several rows: MIXED-ENCODING (X.691 §32.11).
    Mixed,
}

/// A row of X.691, Table 2, with the form of dates and times of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRow {
    /// True for recurring intervals: `Basic=Rec-Interval`.
    pub recurs: bool,
    /// The parts.
    pub shape: TimeShape,
}

/// The parts of a TIME value: the `Basic` and `Interval-type` properties (X.680 §38.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeShape {
    /// A date, a time of day, or both.
    Point(TimePoint),
    /// `SE`: an interval with a start and an end.
    StartEnd(TimePoint),
    /// `D`: a duration.
    Duration,
    /// `SD`: an interval with a start and a duration.
    StartDuration(TimePoint),
    /// `DE`: an interval with a duration and an end.
    DurationEnd(TimePoint),
}

/// The number of rows, of alternatives of DATE-TYPE and of TIME-TYPE (X.691 §32.11).
pub(crate) const ROWS: i128 = 53;
pub(crate) const DATES: i128 = 14;
pub(crate) const CLOCKS: i128 = 18;
/// The rows of FRACTIONAL-TIME.
pub(crate) const FRACTIONAL: std::ops::RangeInclusive<i128> = 24..=32;
/// The maximum number of digits of a fraction here: more do not fit in a number.
pub(crate) const MOST_DIGITS: u8 = 38;

/// A part of a TIME value, in the order of the text and of the encoding.
#[derive(Debug)]
pub(crate) enum TimePart {
    /// The number of recurrences, if it is limited.
    Recurrence(Option<i128>),
    /// A date, a time of day, or both, with its numbers.
    Point(TimePoint, Vec<(Number, i128)>),
    /// A duration.
    Duration(Box<Duration>),
}

/// A part of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowPart {
    Recurrence,
    Point(TimePoint),
    Duration,
}

impl TimeRow {
    /// The parts, in order.
    pub(crate) fn parts(&self) -> Vec<RowPart> {
        let shape: &[RowPart] = match self.shape {
            TimeShape::Point(point) => &[RowPart::Point(point)],
            TimeShape::StartEnd(point) => &[RowPart::Point(point), RowPart::Point(point)],
            TimeShape::Duration => &[RowPart::Duration],
            TimeShape::StartDuration(point) => &[RowPart::Point(point), RowPart::Duration],
            TimeShape::DurationEnd(point) => &[RowPart::Duration, RowPart::Point(point)],
        };
        self.recurs.then_some(RowPart::Recurrence).into_iter().chain(shape.iter().copied()).collect()
    }

    /// Returns the row of a text. The text may have errors that [`TimeRow::read`] finds.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let (recurs, rest) = match text.strip_prefix('R') {
            Some(rest) => (true, rest.split_once('/')?.1),
            None => (false, text),
        };
        let is_duration = |part: &str| part.starts_with('P');
        let shape = match rest.split_once('/') {
            None if is_duration(rest) => TimeShape::Duration,
            None => TimeShape::Point(TimePoint::of(rest).filter(|_| !recurs)?),
            Some((duration, end)) if is_duration(duration) => TimeShape::DurationEnd(TimePoint::of(end)?),
            Some((start, end)) if is_duration(end) => TimeShape::StartDuration(TimePoint::of(start)?),
            Some((start, _)) => TimeShape::StartEnd(TimePoint::of(start)?),
        };
        Some(Self { recurs, shape })
    }

    /// Reads the parts of a value's text. Returns `None` for a text of another form, and for numbers beyond 127 bits.
    pub(crate) fn read(&self, text: &str) -> Option<Vec<TimePart>> {
        let mut texts = text.split('/');
        let mut parts: Vec<TimePart> = Vec::new();
        for form in self.parts() {
            let text = texts.next()?;
            parts.push(match form {
                RowPart::Recurrence => match text.strip_prefix('R')? {
                    "" => TimePart::Recurrence(None),
                    count => TimePart::Recurrence(Some(count.parse().ok()?)),
                },
                RowPart::Duration => TimePart::Duration(Box::new(Duration::read(text.strip_prefix('P')?.as_bytes())?)),
                RowPart::Point(point) => match (point.read(text), parts.last()) {
                    (Some(numbers), _) => TimePart::Point(point, numbers),
                    // The end of an interval does not repeat the difference of its start (X.690 §11.9).
                    (None, Some(TimePart::Point(_, start))) => {
                        let mut numbers = point.without_difference()?.read(text)?;
                        numbers.extend(start.last());
                        TimePart::Point(point, numbers)
                    }
                    _ => return None,
                },
            });
        }
        // Other texts of the same numbers are not encoded.
        (Self::text(&parts)? == text).then_some(parts)
    }

    /// The text of a value. Returns `None` if a duration has no text.
    pub(crate) fn text(parts: &[TimePart]) -> Option<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut start: Option<&[(Number, i128)]> = None;
        for part in parts {
            texts.push(match part {
                TimePart::Recurrence(count) => {
                    format!("R{}", count.map_or_else(String::new, |count| count.to_string()))
                }
                TimePart::Duration(duration) => format!("P{}", String::from_utf8(duration.content()?).ok()?),
                TimePart::Point(point, numbers) => {
                    let values: Vec<i128> = numbers.iter().map(|(_, value)| *value).collect();
                    let is_repeated = start.is_some_and(|start| start.last() == numbers.last());
                    let form = point.without_difference().filter(|_| is_repeated).unwrap_or(*point);
                    start = Some(numbers);
                    form.text(&values)
                }
            });
        }
        Some(texts.join("/"))
    }

    /// Returns the row with a number, from 1. Of a date or time of day in rows from 33, only the presence counts.
    pub(crate) fn numbered(number: i128, digits: u8) -> Option<Self> {
        let number = u8::try_from(number).ok()?;
        let date = DateForm { shape: DateShape::Day, is_any: false };
        let clock = ClockForm { fields: 3, fraction: 0, zone: TimeZone::Local };
        let point = |place: u8| TimePoint { date: (place != 1).then_some(date), clock: (place > 0).then_some(clock) };
        let shape = match number {
            1..=14 => TimeShape::Point(TimePoint { date: DateForm::numbered(number - 1), clock: None }),
            15..=32 => TimeShape::Point(TimePoint { date: None, clock: ClockForm::numbered(number - 15, digits) }),
            33 => TimeShape::Point(point(2)),
            34..=36 => TimeShape::StartEnd(point(number - 34)),
            37 | 47 => TimeShape::Duration,
            38..=40 => TimeShape::StartDuration(point(number - 38)),
            41..=43 => TimeShape::DurationEnd(point(number - 41)),
            44..=46 => TimeShape::StartEnd(point(number - 44)),
            48..=50 => TimeShape::StartDuration(point(number - 48)),
            51..=53 => TimeShape::DurationEnd(point(number - 51)),
            _ => return None,
        };
        Some(Self { recurs: number >= 44, shape })
    }

    /// Returns whether the points of MIXED-ENCODING's row have DATE-TYPE and TIME-TYPE.
    pub(crate) fn is_typed(&self) -> bool {
        self.number() >= 33
    }

    /// Returns whether the points of a value have the form of this row.
    pub(crate) fn is_of(&self, parts: &[TimePart]) -> bool {
        let (TimeShape::Point(form)
        | TimeShape::StartEnd(form)
        | TimeShape::StartDuration(form)
        | TimeShape::DurationEnd(form)) = &self.shape
        else {
            return true;
        };
        parts.iter().all(|part| !matches!(part, TimePart::Point(point, _) if point != form))
    }

    /// The number of the row, from 1.
    pub(crate) fn number(&self) -> u8 {
        let first = |point: &TimePoint| match (point.date, point.clock) {
            (Some(_), None) => 0,
            (None, _) => 1,
            (Some(_), Some(_)) => 2,
        };
        match (&self.shape, self.recurs) {
            (TimeShape::Point(point), _) => match (point.date, point.clock) {
                (Some(date), None) => 1 + date.number(),
                (None, Some(clock)) => 15 + clock.number(),
                _ => 33,
            },
            (TimeShape::StartEnd(point), false) => 34 + first(point),
            (TimeShape::Duration, false) => 37,
            (TimeShape::StartDuration(point), false) => 38 + first(point),
            (TimeShape::DurationEnd(point), false) => 41 + first(point),
            (TimeShape::StartEnd(point), true) => 44 + first(point),
            (TimeShape::Duration, true) => 47,
            (TimeShape::StartDuration(point), true) => 48 + first(point),
            (TimeShape::DurationEnd(point), true) => 51 + first(point),
        }
    }
}

impl TimePoint {
    /// The same form in local time, if it has a difference.
    fn without_difference(self) -> Option<Self> {
        let clock = self.clock.filter(|clock| clock.zone == TimeZone::Difference)?;
        Some(Self { clock: Some(ClockForm { zone: TimeZone::Local, ..clock }), ..self })
    }
}

/// The time zones, in the order of X.691, Table 2.
const ZONES: [TimeZone; 3] = [TimeZone::Local, TimeZone::Utc, TimeZone::Difference];

impl DateForm {
    /// The number of the alternative of DATE-TYPE (X.691 §32.11.7).
    pub(crate) fn number(self) -> u8 {
        let shape = DateShape::ALL.iter().position(|shape| *shape == self.shape).unwrap_or_default() as u8;
        2 * shape + u8::from(self.is_any)
    }

    /// Returns the form of an alternative of DATE-TYPE.
    pub(crate) fn numbered(number: u8) -> Option<Self> {
        let shape = *DateShape::ALL.get(usize::from(number / 2))?;
        Some(Self { shape, is_any: number % 2 == 1 })
    }
}

impl ClockForm {
    /// The number of the alternative of TIME-TYPE (X.691 §32.11.8): those with fractions follow the others.
    pub(crate) fn number(self) -> u8 {
        let zone = ZONES.iter().position(|zone| *zone == self.zone).unwrap_or_default() as u8;
        9 * u8::from(self.fraction > 0) + 3 * self.fields.saturating_sub(1) + zone
    }

    /// Returns the form of an alternative of TIME-TYPE. `None` if it requires a fraction and has none, or the other way around.
    pub(crate) fn numbered(number: u8, fraction: u8) -> Option<Self> {
        if (number >= 9) != (fraction > 0) {
            return None;
        }
        Some(Self { fields: 1 + number % 9 / 3, fraction, zone: *ZONES.get(usize::from(number % 3))? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (text, number) in [
            ("19C", 1),
            ("-0002-102", 10),
            ("1985-W15-5", 13),
            ("15Z", 16),
            ("15:27:35.050+01", 32),
            ("1985-102T10:15.5Z", 33),
            ("1985/1986", 34),
            ("10:15-05:30/11:15", 35),
            ("10:15-05:30/11:15-06", 35),
            ("1985-04-12T10/1985-04-13T11", 36),
            ("P1Y2M", 37),
            ("1985-04-12/P1D", 38),
            ("P1.5D/10:15", 42),
            ("R/10/11", 45),
            ("R15/PT5M", 47),
            ("R0/1985-04-12T10Z/PT1H", 50),
            ("R/P1D/1985", 51),
        ] {
            let row = TimeRow::of(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(row.number(), number, "{text}");
            let parts = row.read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(TimeRow::text(&parts).as_deref(), Some(text));
        }
        for text in ["R5/1985", "1985/1986/1987", "R", "1985-04-12T10/1985-04-13", "P1Y/P1Y"] {
            assert!(TimeRow::of(text).and_then(|row| row.read(text)).is_none(), "{text}");
        }
    }

    #[test]
    fn alternatives_have_their_numbers() {
        for number in 0..14 {
            assert_eq!(DateForm::numbered(number).map(DateForm::number), Some(number));
        }
        for number in 0..18 {
            let fraction = u8::from(number >= 9);
            assert_eq!(ClockForm::numbered(number, fraction).map(ClockForm::number), Some(number));
            assert_eq!(ClockForm::numbered(number, 1 - fraction), None);
        }
    }
}

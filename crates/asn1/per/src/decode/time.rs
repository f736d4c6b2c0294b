//! Dates, times and durations (X.691 §32).

use super::Decoder;
use super::length::Numbers;
use crate::bits::reader::Reader;
use crate::error::Kind;
use crate::number::value;
use crate::plan::Bounds;
use crate::point::{ClockForm, DIFFERENCE, DateForm, FRACTION, Number, TimePoint};
use crate::row::{CLOCKS, DATES, FRACTIONAL, MOST_DIGITS, ROWS, RowPart, TimeForm, TimePart, TimeRow};
use crate::time::{DAY, Duration, HOURS, MINUTES, MONTH, SECONDS, YEARS};

impl Decoder<'_> {
    /// The digits of a date, a time, or both.
    pub(super) fn time(&mut self, date: bool, time: bool, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let mut text = String::new();
        if date {
            text.push_str(&format!("{:04}", self.year(reader)?));
        }
        let parts = [(date, MONTH), (date, DAY), (time, HOURS), (time, MINUTES), (time, SECONDS)];
        for (min, max) in parts.into_iter().filter_map(|(is_there, part)| is_there.then_some(part)) {
            text.push_str(&format!("{:02}", self.constrained(min, max, reader)?));
        }
        Ok(text.into_bytes())
    }

    /// YEAR-ENCODING (§32.2): a CHOICE of ranges.
    fn year(&mut self, reader: &mut Reader<'_>) -> Result<i128, Kind> {
        let range = self.constrained(0, 3, reader)?;
        let start = reader.position();
        let year = match YEARS.get(range as usize) {
            Some((min, max)) => self.constrained(*min, *max, reader)?,
            None => value(&self.integer(Bounds::default(), reader)?).ok_or(Kind::Range)?,
        };
        if range == 3 && YEARS.iter().any(|(min, max)| (*min..=*max).contains(&year)) || !(0..=9999).contains(&year) {
            self.context.at = start;
            return Err(Kind::Range);
        }
        Ok(year)
    }

    /// The content of a TIME (§32.1, §32.11).
    pub(super) fn time_form(&mut self, form: &TimeForm, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let start = reader.position();
        let (row, is_mixed) = match form {
            TimeForm::One(row) => (*row, false),
            TimeForm::Mixed => {
                let number = self.constrained(0, ROWS - 1, reader)? + 1;
                // FRACTIONAL-TIME (§32.11.6).
                let digits = if FRACTIONAL.contains(&number) { self.digits(reader)? } else { 0 };
                (TimeRow::numbered(number, digits).ok_or(Kind::Schema)?, true)
            }
        };
        let mut parts = Vec::new();
        for part in row.parts() {
            parts.push(match part {
                RowPart::Recurrence => TimePart::Recurrence(match reader.bit()? {
                    true => Some(value(&self.integer(Bounds::default(), reader)?).ok_or(Kind::Range)?),
                    false => None,
                }),
                RowPart::Duration => TimePart::Duration(Box::new(self.duration_of(reader)?)),
                RowPart::Point(point) if is_mixed && row.is_typed() => self.typed(&point, reader)?,
                RowPart::Point(point) => TimePart::Point(point, self.numbers(&point, reader)?),
            });
        }
        let text = TimeRow::text(&parts).ok_or(Kind::Range)?;
        // The text has the form that was chosen: no year of four digits as one of any size, for example.
        if is_mixed
            && TimeRow::of(&text).is_none_or(|written| written.number() != row.number() || !written.is_of(&parts))
        {
            self.context.at = start;
            return Err(Kind::Range);
        }
        Ok(text.into_bytes())
    }

    /// The number of digits of a fraction: at least one, and at most those of a number.
    fn digits(&mut self, reader: &mut Reader<'_>) -> Result<u8, Kind> {
        let digits = value(&self.integer(Bounds::POSITIVE, reader)?);
        digits.and_then(|digits| u8::try_from(digits).ok()).filter(|digits| *digits <= MOST_DIGITS).ok_or(Kind::Range)
    }

    /// A point as DATE-TYPE, TIME-TYPE or both (§32.11.7, §32.11.8).
    fn typed(&mut self, point: &TimePoint, reader: &mut Reader<'_>) -> Result<TimePart, Kind> {
        let (mut found, mut numbers) = (TimePoint { date: None, clock: None }, Vec::new());
        if point.date.is_some() {
            let number = self.constrained(0, DATES - 1, reader)? as u8;
            found.date = Some(DateForm::numbered(number).ok_or(Kind::Schema)?);
            numbers.extend(self.numbers(&found, reader)?);
        }
        if point.clock.is_some() {
            let start = reader.position();
            let digits = if reader.bit()? { self.digits(reader)? } else { 0 };
            let number = self.constrained(0, CLOCKS - 1, reader)? as u8;
            let Some(clock) = ClockForm::numbered(number, digits) else {
                self.context.at = start;
                return Err(Kind::Range);
            };
            found.clock = Some(clock);
            numbers.extend(self.numbers(&TimePoint { date: None, ..found }, reader)?);
        }
        Ok(TimePart::Point(found, numbers))
    }

    /// The numbers of a date or a time of day (§32.2 to §32.4).
    fn numbers(&mut self, form: &TimePoint, reader: &mut Reader<'_>) -> Result<Vec<(Number, i128)>, Kind> {
        let mut numbers = Vec::new();
        for (_, number, _) in form.parts().0 {
            let found = match number {
                Number::Within((min, max)) => self.constrained(min, max, reader)?,
                Number::Year => self.year(reader)?,
                Number::Any => value(&self.integer(Bounds::default(), reader)?).ok_or(Kind::Range)?,
                Number::Fraction(digits) => {
                    let start = reader.position();
                    let fraction = self.extensible(FRACTION.0, FRACTION.1, reader)?;
                    // It has only as many digits as the settings allow (§32.3).
                    if 10i128.checked_pow(digits.into()).is_some_and(|end| fraction >= end) {
                        self.context.at = start;
                        return Err(Kind::Range);
                    }
                    fraction
                }
                Number::Difference => self.difference(reader)?,
            };
            numbers.push((number, found));
        }
        Ok(numbers)
    }

    /// TIME-DIFFERENCE (§32.3), in minutes.
    fn difference(&mut self, reader: &mut Reader<'_>) -> Result<i128, Kind> {
        let (hours, minutes) = DIFFERENCE;
        let (has_minutes, is_negative) = (reader.bit()?, reader.bit()?);
        let mut value = 60 * self.constrained(hours.0, hours.1, reader)?;
        if has_minutes {
            value += self.constrained(minutes.0, minutes.1, reader)?;
        }
        // A difference of zero is positive: there is no text for another one.
        if is_negative && value == 0 {
            return Err(Kind::Range);
        }
        Ok(if is_negative { -value } else { value })
    }

    /// The content of a DURATION (§32.6.1).
    pub(super) fn duration(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        self.duration_of(reader)?.content().ok_or(Kind::Range)
    }

    fn duration_of(&mut self, reader: &mut Reader<'_>) -> Result<Duration, Kind> {
        let present = reader.bits(8)?;
        let mut duration = Duration::default();
        for (place, (unit, max)) in duration.units.iter_mut().zip(Duration::ROOT).enumerate() {
            if present & (0x80 >> place) != 0 {
                *unit = Some(self.extensible(0, max, reader)?);
            }
        }
        if present & 1 != 0 {
            duration.fraction = Some((self.extensible(1, 3, reader)?, self.extensible(0, 999, reader)?));
        }
        Ok(duration)
    }

    /// A number whose constraint has a root and, beyond it, an extension without upper bound.
    fn extensible(&mut self, min: i128, max: i128, reader: &mut Reader<'_>) -> Result<i128, Kind> {
        let start = reader.position();
        let bounds = Bounds { min: Some(min), max: Some(max), extensible: true };
        let number = value(&self.integer(bounds, reader)?).filter(|number| *number >= min);
        number.ok_or_else(|| {
            self.context.at = start;
            Kind::Range
        })
    }
}

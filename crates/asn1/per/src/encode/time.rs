//! Dates, times and durations (X.691 §32).

use super::Encoder;
use super::length::Numbers;
use crate::bits::writer::Writer;
use crate::error::Kind;
use crate::number::content;
use crate::plan::Bounds;
use crate::point::{DIFFERENCE, FRACTION, Number, TimePoint};
use crate::row::{CLOCKS, DATES, ROWS, TimeForm, TimePart, TimeRow, TimeShape};
use crate::shared::encode::misfit;
use crate::time::{DAY, Duration, HOURS, MINUTES, MONTH, SECONDS, YEARS};

impl Encoder<'_> {
    /// A date, a time, or both, from its digits.
    pub(super) fn time(&self, digits: &[u8], date: bool, time: bool, writer: &mut Writer) -> Result<(), Kind> {
        let mut rest = std::str::from_utf8(digits).map_err(|_| misfit())?;
        let mut next = |size: usize| {
            let (now, later) = rest.split_at_checked(size)?;
            rest = later;
            now.parse::<i128>().ok()
        };
        if date {
            self.year(next(4).ok_or_else(misfit)?, writer)?;
        }
        let parts = [(date, MONTH), (date, DAY), (time, HOURS), (time, MINUTES), (time, SECONDS)];
        for (min, max) in parts.into_iter().filter_map(|(is_there, part)| is_there.then_some(part)) {
            self.constrained(next(2).ok_or_else(misfit)?, min, max, writer)?;
        }
        Ok(())
    }

    /// YEAR-ENCODING (§32.2): a CHOICE of ranges.
    fn year(&self, year: i128, writer: &mut Writer) -> Result<(), Kind> {
        let range = YEARS.iter().position(|(min, max)| (*min..=*max).contains(&year));
        self.constrained(range.unwrap_or(3) as i128, 0, 3, writer)?;
        match range.and_then(|range| YEARS.get(range)) {
            Some((min, max)) => self.constrained(year, *min, *max, writer),
            None => self.integer(&content(year), Bounds::default(), writer),
        }
    }

    /// A TIME, from its content (§32.1, §32.11).
    pub(super) fn time_form(&self, octets: &[u8], form: &TimeForm, writer: &mut Writer) -> Result<(), Kind> {
        let text = std::str::from_utf8(octets).map_err(|_| misfit())?;
        let (row, is_mixed) = match form {
            TimeForm::One(row) => (*row, false),
            TimeForm::Mixed => (TimeRow::of(text).ok_or_else(misfit)?, true),
        };
        let parts =
            row.read(text).ok_or(Kind::Unsupported("a TIME of another form, or with a number beyond 127 bits"))?;
        if is_mixed {
            self.constrained(i128::from(row.number()) - 1, 0, ROWS - 1, writer)?;
            // FRACTIONAL-TIME (§32.11.6).
            if let TimeShape::Point(TimePoint { date: None, clock: Some(clock) }) = row.shape
                && clock.fraction > 0
            {
                self.integer(&content(clock.fraction.into()), Bounds::POSITIVE, writer)?;
            }
        }
        for part in parts {
            match part {
                TimePart::Recurrence(count) => {
                    writer.bit(count.is_some())?;
                    count.map_or(Ok(()), |count| self.integer(&content(count), Bounds::default(), writer))?;
                }
                TimePart::Duration(duration) => self.duration_of(&duration, writer)?,
                TimePart::Point(point, numbers) if is_mixed && row.is_typed() => {
                    self.typed(&point, &numbers, writer)?
                }
                TimePart::Point(_, numbers) => self.numbers(&numbers, writer)?,
            }
        }
        Ok(())
    }

    /// A point as DATE-TYPE, TIME-TYPE or both (§32.11.7, §32.11.8).
    fn typed(&self, point: &TimePoint, numbers: &[(Number, i128)], writer: &mut Writer) -> Result<(), Kind> {
        let date = TimePoint { clock: None, ..*point };
        let (of_date, of_clock) = numbers.split_at_checked(date.parts().0.len()).ok_or_else(misfit)?;
        if let Some(date) = point.date {
            self.constrained(date.number().into(), 0, DATES - 1, writer)?;
            self.numbers(of_date, writer)?;
        }
        if let Some(clock) = point.clock {
            writer.bit(clock.fraction > 0)?;
            if clock.fraction > 0 {
                self.integer(&content(clock.fraction.into()), Bounds::POSITIVE, writer)?;
            }
            self.constrained(clock.number().into(), 0, CLOCKS - 1, writer)?;
            self.numbers(of_clock, writer)?;
        }
        Ok(())
    }

    /// The numbers of a date or a time of day (§32.2 to §32.4).
    fn numbers(&self, numbers: &[(Number, i128)], writer: &mut Writer) -> Result<(), Kind> {
        for &(number, value) in numbers {
            match number {
                Number::Within((min, max)) => self.constrained(value, min, max, writer)?,
                Number::Year => self.year(value, writer)?,
                Number::Any => self.integer(&content(value), Bounds::default(), writer)?,
                Number::Fraction(_) => {
                    let bounds = Bounds { min: Some(FRACTION.0), max: Some(FRACTION.1), extensible: true };
                    self.integer(&content(value), bounds, writer)?;
                }
                Number::Difference => {
                    let ((least, most), (first, last)) = DIFFERENCE;
                    let (hours, minutes) = (value.abs() / 60, value.abs() % 60);
                    writer.bit(minutes > 0)?;
                    writer.bit(value < 0)?;
                    self.constrained(hours, least, most, writer)?;
                    if minutes > 0 {
                        self.constrained(minutes, first, last, writer)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A DURATION (§32.6.1), from its content.
    pub(super) fn duration(&self, content: &[u8], writer: &mut Writer) -> Result<(), Kind> {
        let duration = Duration::read(content).ok_or(Kind::Unsupported("a DURATION with a number beyond 127 bits"))?;
        self.duration_of(&duration, writer)
    }

    fn duration_of(&self, duration: &Duration, writer: &mut Writer) -> Result<(), Kind> {
        for unit in duration.units {
            writer.bit(unit.is_some())?;
        }
        writer.bit(duration.fraction.is_some())?;
        let put = |number: i128, min: i128, max: i128, writer: &mut Writer| {
            let bounds = Bounds { min: Some(min), max: Some(max), extensible: true };
            self.integer(&crate::number::content(number), bounds, writer)
        };
        for (unit, max) in duration.units.iter().zip(Duration::ROOT) {
            unit.map_or(Ok(()), |number| put(number, 0, max, writer))?;
        }
        match duration.fraction {
            Some((digits, fraction)) => {
                put(digits, 1, 3, writer)?;
                put(fraction, 0, 999, writer)
            }
            None => Ok(()),
        }
    }
}

//! Dates, times and durations (X.691 §32).

use super::Decoder;
use super::length::Numbers;
use crate::bits::reader::Reader;
use crate::error::Kind;
use crate::number::value;
use crate::plan::Bounds;
use crate::point::{DIFFERENCE, FRACTION, Number, TimePoint};
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

    /// The content of a TIME whose form is known (§32.2 to §32.4).
    pub(super) fn time_point(&mut self, form: &TimePoint, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let mut numbers = Vec::new();
        for (_, number, _) in form.parts().0 {
            numbers.push(match number {
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
            });
        }
        Ok(form.text(&numbers).into_bytes())
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
        duration.content().ok_or(Kind::Range)
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

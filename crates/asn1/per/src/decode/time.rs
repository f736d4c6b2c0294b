//! DATE, TIME-OF-DAY and DATE-TIME (X.691 §32).

use super::Decoder;
use crate::bits::reader::Reader;
use crate::error::Kind;
use crate::number::value;
use crate::plan::Bounds;
use crate::time::{DAY, HOURS, MINUTES, MONTH, SECONDS, YEARS};

impl Decoder<'_> {
    /// The digits of a date, a time, or both.
    pub(super) fn time(&mut self, date: bool, time: bool, reader: &mut Reader<'_>) -> Result<Vec<u8>, Kind> {
        let mut text = String::new();
        if date {
            let range = self.constrained(0, 3, reader)?;
            let start = reader.position();
            let year = match YEARS.get(range as usize) {
                Some((min, max)) => self.constrained(*min, *max, reader)?,
                None => value(&self.integer(Bounds::default(), reader)?).ok_or(Kind::Range)?,
            };
            if range == 3 && YEARS.iter().any(|(min, max)| (*min..=*max).contains(&year)) || !(0..=9999).contains(&year)
            {
                self.context.at = start;
                return Err(Kind::Range);
            }
            text.push_str(&format!("{year:04}"));
        }
        let parts = [(date, MONTH), (date, DAY), (time, HOURS), (time, MINUTES), (time, SECONDS)];
        for (min, max) in parts.into_iter().filter_map(|(is_there, part)| is_there.then_some(part)) {
            text.push_str(&format!("{:02}", self.constrained(min, max, reader)?));
        }
        Ok(text.into_bytes())
    }
}

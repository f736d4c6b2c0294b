//! The ranges of dates and times (X.691 §32).

/// The ranges of years of the short alternatives: immediate, near future, near past. The last one has all others.
pub(crate) const YEARS: [(i128, i128); 3] = [(2005, 2020), (2021, 2276), (1749, 2004)];
/// The range of the month.
pub const MONTH: (i128, i128) = (1, 12);
/// The range of the day of the month.
pub const DAY: (i128, i128) = (1, 31);
/// The range of the hours.
pub const HOURS: (i128, i128) = (0, 24);
/// The range of the minutes.
pub const MINUTES: (i128, i128) = (0, 59);
/// The range of the seconds.
pub const SECONDS: (i128, i128) = (0, 60);

/// The numbers of a DURATION, as in DURATION-INTERVAL-ENCODING (X.691 §32.6.1): years, months, weeks, days, hours, minutes and seconds.
/// The fraction belongs to the last unit that is present.
#[derive(Debug, Default)]
pub struct Duration {
    /// The units.
    pub units: [Option<i128>; 7],
    /// The number of digits of the fraction, and the fraction as a number.
    pub fraction: Option<(i128, i128)>,
}

/// The letters of the units. Those of hours, minutes and seconds follow a T.
const UNITS: [char; 7] = ['Y', 'M', 'W', 'D', 'H', 'M', 'S'];

impl Duration {
    /// The upper bounds of the units in the extension root.
    pub(crate) const ROOT: [i128; 7] = [31, 15, 63, 31, 31, 63, 63];

    /// Reads the content of a DURATION. Returns `None` if a number exceeds 127 bits, or the content is invalid.
    #[must_use]
    pub fn read(content: &[u8]) -> Option<Self> {
        let mut duration = Self::default();
        let (mut digits, mut first) = (String::new(), 0);
        for character in std::str::from_utf8(content).ok()?.chars() {
            match character {
                'T' => first = 4,
                '0'..='9' | '.' => digits.push(character),
                _ => {
                    let place = first + UNITS.get(first..)?.iter().position(|unit| *unit == character)?;
                    let (whole, fraction) = digits.split_once('.').map_or((&*digits, None), |(a, b)| (a, Some(b)));
                    *duration.units.get_mut(place)? = Some(whole.parse().ok()?);
                    if let Some(fraction) = fraction {
                        duration.fraction = Some((fraction.len() as i128, fraction.parse().ok()?));
                    }
                    digits.clear();
                }
            }
        }
        Some(duration)
    }

    /// The content of the DURATION. Returns `None` if the fraction has more digits than the limit of a text.
    #[must_use]
    pub fn content(&self) -> Option<Vec<u8>> {
        let last = self.units.iter().rposition(Option::is_some)?;
        let mut text = String::new();
        for (place, (number, unit)) in self.units.iter().zip(UNITS).enumerate() {
            let Some(number) = number else { continue };
            if place >= 4 && !text.contains('T') {
                text.push('T');
            }
            text.push_str(&number.to_string());
            if let Some((digits, fraction)) = self.fraction.filter(|_| place == last) {
                let digits = usize::try_from(digits).ok().filter(|digits| *digits <= 38)?;
                text.push_str(&format!(".{fraction:0digits$}"));
            }
            text.push(unit);
        }
        Some(text.into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::Duration;

    #[test]
    fn there_and_back() {
        for text in ["2Y10MT1.5S", "6W", "T0.00S", "1Y2M10DT2H30M", "0.25D", "5M", "T5M"] {
            let duration = Duration::read(text.as_bytes());
            assert_eq!(duration.and_then(|duration| duration.content()).as_deref(), Some(text.as_bytes()), "{text}");
        }
        assert!(Duration::read(b"5X").is_none());
        assert!(Duration::default().content().is_none());
    }
}

//! DURATION (X.680 §38.4.4, X.690 §8.26.5, §11.9).

use core::fmt;

use super::scan::{Scan, TimeLayout};
use super::text::iso_text;
use crate::fault::Fault;
use crate::kind::FaultKind;

/// `DURATION`: a length of time in calendar and clock units, such as `1Y2M10DT2H30M1.5S`. The leading `P` is not
/// encoded.
///
/// Units are in descending order, only the last may have a fraction, and weeks cannot be combined with other units. The
/// last unit determines the precision, so `T0.00S` differs from `T0S`. In DER, fractions use a point and zero units
/// before the last are omitted (X.690 §11.9). Other forms tolerated by [`Rule::TIME_FORM`](crate::Rule::TIME_FORM) keep
/// their bytes and cannot be encoded again.
///
/// ```
/// use tagwise_codec::{Decode, Duration, DurationUnit, encode};
/// let der = *b"\x1F\x22\x0A2Y10MT1.5S";
/// let duration = Duration::from_der(&der)?;
/// assert_eq!(duration.to_string(), "P2Y10MT1.5S");
/// let parts: Vec<_> = duration.parts().map(|part| (part.unit, part.number)).collect();
/// assert_eq!(parts, [(DurationUnit::Years, "2"), (DurationUnit::Months, "10"), (DurationUnit::Seconds, "1.5")]);
/// assert_eq!(encode(&duration).unwrap(), der);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Duration<'a> {
    text: &'a str,
    canonical: bool,
}

/// A unit of a [`Duration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum DurationUnit {
    Years,
    Months,
    Weeks,
    Days,
    Hours,
    Minutes,
    Seconds,
}

/// A unit of a [`Duration`] and its amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationPart<'a> {
    /// The unit of the amount.
    pub unit: DurationUnit,
    /// The amount: decimal digits, optionally with a fraction after a point (or, outside DER, a comma).
    pub number: &'a str,
}

impl<'a> Duration<'a> {
    /// Iterates over the units that are present, largest first.
    pub fn parts(&self) -> impl Iterator<Item = DurationPart<'a>> + use<'a> {
        let (date, time) = self.text.split_once('T').unwrap_or((self.text, ""));
        units(date, false).chain(units(time, true))
    }
}

fn units(text: &str, clock: bool) -> impl Iterator<Item = DurationPart<'_>> {
    text.split_inclusive(|c: char| c.is_ascii_uppercase()).filter_map(move |part| {
        let letter = part.as_bytes().last()?;
        let number = part.get(..part.len() - 1)?;
        Some(DurationPart { unit: unit(*letter, clock)?, number })
    })
}

const fn unit(letter: u8, clock: bool) -> Option<DurationUnit> {
    Some(match (letter, clock) {
        (b'Y', false) => DurationUnit::Years,
        (b'M', false) => DurationUnit::Months,
        (b'W', false) => DurationUnit::Weeks,
        (b'D', false) => DurationUnit::Days,
        (b'H', true) => DurationUnit::Hours,
        (b'M', true) => DurationUnit::Minutes,
        (b'S', true) => DurationUnit::Seconds,
        _ => return None,
    })
}

/// Parses a duration without its `P`, up to the end or a solidus.
pub(super) fn duration(scan: &mut Scan<'_>) -> Result<(), Fault> {
    let mut clock = false;
    let mut last = None;
    // A zero unit, which is a departure from DER once another unit follows.
    let mut zero = None;
    loop {
        if !clock && scan.eat(b'T') {
            clock = true;
        } else if last.is_some() && scan.at_end_of(b'/') {
            return Ok(());
        }
        let at = scan.at();
        if let Some(zero) = zero.take() {
            scan.depart(zero, FaultKind::TimeForm, 0);
        }
        let whole = scan.digits();
        if whole.is_empty() {
            return scan.wrong();
        }
        // One spelling a number: no leading zeros.
        if whole.len() > 1 && whole.starts_with(b"0") {
            return scan.wrong_at(at);
        }
        let fraction = scan.fraction()?;
        let letter_at = scan.at();
        let found = scan.peek().and_then(|letter| unit(letter, clock));
        match (found, last) {
            (None, _) => return scan.wrong(),
            // Weeks stand alone, and units descend.
            (Some(DurationUnit::Weeks), Some(_)) | (Some(_), Some(DurationUnit::Weeks)) => {
                return scan.wrong();
            }
            (Some(unit), Some(last)) if unit <= last => return scan.wrong_at(letter_at),
            (unit, _) => last = unit,
        }
        scan.step();
        if fraction.is_some() && !scan.at_end_of(b'/') {
            return scan.wrong();
        }
        if whole == b"0" {
            zero = Some(at);
        }
    }
}

fn whole(octets: &[u8]) -> Result<Option<TimeLayout>, Fault> {
    let mut scan = Scan::iso(octets);
    duration(&mut scan)?;
    scan.end()?;
    Ok(scan.form())
}

impl fmt::Display for Duration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}", self.text)
    }
}

iso_text!(Duration, "DURATION", DURATION, Duration, whole);

//! TIME (X.680 §38, X.690 §8.26.1, §11.9): ISO 8601 dates, times, durations, intervals and recurring intervals.
//!
//! The text is checked and stored, but not evaluated: there is no time zone database, no leap second table, and no check
//! that an interval's start precedes its end.

use core::fmt;

use super::civil::{days_in_month, days_of, is_leap_year};
use super::duration::duration;
use super::scan::{Scan, TimeLayout};
use super::text::iso_text;
use crate::fault::Fault;
use crate::kind::FaultKind;

/// `TIME`: the text of any ISO 8601 value allowed by X.680 §38.
///
/// In DER (X.690 §11.9), fractions use a point, and time differences omit zero minutes. The end of an interval does not
/// repeat the start's time difference, and durations omit zero units before the last. Other forms tolerated by
/// [`Rule::TIME_FORM`](crate::Rule::TIME_FORM) keep their bytes and cannot be encoded again.
///
/// ```
/// use tagwise_codec::{Decode, IsoTime, FaultKind, encode};
/// let der = *b"\x0E\x0A1985-W15-5";
/// let time = IsoTime::from_der(&der)?;
/// assert_eq!(time.as_str(), "1985-W15-5");
/// assert_eq!(encode(&time).unwrap(), der);
///
/// let error = IsoTime::from_der(b"\x0E\x0A1985-W53-5").unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (FaultKind::IsoTime, 8));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IsoTime<'a> {
    text: &'a str,
    canonical: bool,
}

impl fmt::Display for IsoTime<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

iso_text!(IsoTime, "TIME", TIME, Time, whole);

/// The `Date` property of X.680 §38.2: the components of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DateShape {
    Century,
    Year,
    Month,
    Day,
    OrdinalDay,
    Week,
    WeekDay,
}

/// The `Year` property: 1582 to 9999, 0000 to 1581, negative, or a given number of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum YearClass {
    Basic,
    Proleptic,
    Negative,
    Long(usize),
}

/// The `Time` property: the number of fields (hour, minute, second), and the number of fraction digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClockShape {
    fields: u8,
    fraction: usize,
}

/// The `Midnight` property of a time at midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Midnight {
    Start,
    End,
}

/// The `Local-or-UTC` property. A time difference is stored as its bytes in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ZoneShape<'a> {
    Local,
    Utc,
    Difference(&'a [u8], usize),
}

#[derive(Clone, Copy, Debug)]
struct Clock<'a> {
    shape: ClockShape,
    midnight: Option<Midnight>,
    zone: ZoneShape<'a>,
}

/// A point in time: a date, a time of day, or both.
#[derive(Clone, Copy, Debug)]
struct Point<'a> {
    date: Option<(DateShape, YearClass)>,
    clock: Option<Clock<'a>>,
}

/// Parts of an interval: the `Interval-type` property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IntervalShape {
    StartEnd,
    Duration,
    StartDuration,
    DurationEnd,
}

/// The properties of a value (X.680 §38.2). Both points of an interval have the same properties.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "dynamic"), expect(dead_code, reason = "only constraints ask for them"))]
struct Properties<'a> {
    point: Option<Point<'a>>,
    interval: Option<IntervalShape>,
    /// The recurrence, if any: `true` if it is unlimited.
    recurring: Option<bool>,
}

/// Returns whether a value has the properties listed in SETTINGS (X.680 §51.10). Returns `None` if a setting is not supported,
/// such as the number of recurrences.
#[cfg(feature = "dynamic")]
pub(crate) fn has_settings(octets: &[u8], settings: &str) -> Option<bool> {
    let properties = value(octets).ok().map(|(_, properties)| properties);
    let mut all = true;
    for setting in settings.split_ascii_whitespace() {
        let (property, setting) = setting.split_once('=')?;
        all &= properties.as_ref().map_or(Some(false), |properties| properties.has(property, setting))?;
    }
    Some(all)
}

/// Returns whether every setting in a list is supported.
#[cfg(feature = "dynamic")]
pub(crate) fn knows_settings(settings: &str) -> bool {
    has_settings(b"2000-01-01", settings).is_some()
}

#[cfg(feature = "dynamic")]
impl Properties<'_> {
    fn has(&self, property: &str, setting: &str) -> Option<bool> {
        let date = self.point.and_then(|point| point.date);
        let clock = self.point.and_then(|point| point.clock);
        let counted = |prefix: &str| setting.strip_prefix(prefix).and_then(|digits| digits.parse::<usize>().ok());
        let point = |setting: &str| match (setting, date, clock) {
            ("Date", Some(_), None) | ("Time", None, Some(_)) | ("Date-Time", Some(_), Some(_)) => Some(true),
            ("Date" | "Time" | "Date-Time", ..) => Some(false),
            _ => None,
        };
        Some(match (property, setting) {
            ("Basic", "Interval") => self.interval.is_some() && self.recurring.is_none(),
            ("Basic", "Rec-Interval") => self.recurring.is_some(),
            ("Basic", setting) => point(setting)? && self.interval.is_none(),
            ("SE-point", setting) => point(setting)? && self.interval.is_some(),
            ("Interval-type", setting) => {
                let shape = match setting {
                    "SE" => IntervalShape::StartEnd,
                    "D" => IntervalShape::Duration,
                    "SD" => IntervalShape::StartDuration,
                    "DE" => IntervalShape::DurationEnd,
                    _ => return None,
                };
                self.interval == Some(shape)
            }
            ("Recurrence", "Unlimited") => self.recurring == Some(true),
            ("Date", setting) => {
                let shape = match setting {
                    "C" => DateShape::Century,
                    "Y" => DateShape::Year,
                    "YM" => DateShape::Month,
                    "YMD" => DateShape::Day,
                    "YD" => DateShape::OrdinalDay,
                    "YW" => DateShape::Week,
                    "YWD" => DateShape::WeekDay,
                    _ => return None,
                };
                date.is_some_and(|date| date.0 == shape)
            }
            ("Year", setting) => {
                let class = match (setting, counted("L")) {
                    ("Basic", _) => YearClass::Basic,
                    ("Proleptic", _) => YearClass::Proleptic,
                    ("Negative", _) => YearClass::Negative,
                    (_, Some(digits)) => YearClass::Long(digits),
                    _ => return None,
                };
                date.is_some_and(|date| date.1 == class)
            }
            ("Time", setting) => {
                let (fields, fraction) = setting.split_once('F').unwrap_or((setting, "0"));
                let fields = match fields {
                    "H" => 1,
                    "HM" => 2,
                    "HMS" => 3,
                    _ => return None,
                };
                let shape = ClockShape { fields, fraction: fraction.parse().ok()? };
                clock.is_some_and(|clock| clock.shape == shape)
            }
            ("Local-or-UTC", setting) => {
                let zone = clock.map(|clock| clock.zone);
                match setting {
                    "L" => zone == Some(ZoneShape::Local),
                    "Z" => zone == Some(ZoneShape::Utc),
                    "LD" => matches!(zone, Some(ZoneShape::Difference(..))),
                    _ => return None,
                }
            }
            // It says how midnight is written, and nothing about other times.
            ("Midnight", setting) => {
                let midnight = match setting {
                    "Start" => Midnight::Start,
                    "End" => Midnight::End,
                    _ => return None,
                };
                clock.is_some_and(|clock| clock.midnight.is_none_or(|written| written == midnight))
            }
            _ => return None,
        })
    }
}

fn whole(octets: &[u8]) -> Result<Option<TimeLayout>, Fault> {
    value(octets).map(|(form, _)| form)
}

fn value(octets: &[u8]) -> Result<(Option<TimeLayout>, Properties<'_>), Fault> {
    let mut scan = Scan::iso(octets);
    let recurring = scan.eat(b'R');
    let mut unlimited = false;
    if recurring {
        // `R/` for ever, `R5/` five times.
        let at = scan.at();
        let count = scan.digits();
        unlimited = count.is_empty();
        if count.len() > 1 && count.starts_with(b"0") {
            return scan.wrong_at(at);
        }
        if !scan.eat(b'/') {
            return scan.wrong();
        }
    }
    let start = if scan.eat(b'P') {
        duration(&mut scan)?;
        None
    } else {
        Some(point(&mut scan)?)
    };
    // A recurrence needs an interval: a duration, or two parts.
    if recurring && start.is_some() && scan.peek() != Some(b'/') {
        return scan.wrong();
    }
    let (mut given, mut interval) = (start, start.is_none().then_some(IntervalShape::Duration));
    if scan.eat(b'/') {
        let at = scan.at();
        match start {
            None => {
                given = Some(point(&mut scan)?);
                interval = Some(IntervalShape::DurationEnd);
            }
            Some(_) if scan.eat(b'P') => {
                duration(&mut scan)?;
                interval = Some(IntervalShape::StartDuration);
            }
            Some(start) => {
                let end = point(&mut scan)?;
                agree(&mut scan, start, end, at)?;
                interval = Some(IntervalShape::StartEnd);
            }
        }
    }
    scan.end()?;
    Ok((scan.form(), Properties { point: given, interval, recurring: recurring.then_some(unlimited) }))
}

/// Checks that both ends of an interval have the same properties (X.680 §38.2).
fn agree(scan: &mut Scan<'_>, start: Point<'_>, end: Point<'_>, end_at: usize) -> Result<(), Fault> {
    let clocks = match (start.clock, end.clock) {
        (None, None) => true,
        (Some(start), Some(end)) => {
            let zones = match (start.zone, end.zone) {
                // X.690 §11.9: a difference that is the start's is left out at the end.
                (ZoneShape::Difference(start, _), ZoneShape::Difference(end, at)) => {
                    if start == end {
                        scan.depart(at, FaultKind::TimeForm, 0);
                    }
                    true
                }
                (ZoneShape::Difference(..), ZoneShape::Local) => true,
                (start, end) => start == end,
            };
            let midnights = match (start.midnight, end.midnight) {
                (Some(start), Some(end)) => start == end,
                _ => true,
            };
            zones && midnights && start.shape == end.shape
        }
        _ => false,
    };
    if clocks && start.date == end.date { Ok(()) } else { scan.wrong_at(end_at) }
}

fn point<'a>(scan: &mut Scan<'a>) -> Result<Point<'a>, Fault> {
    // Two digits are an hour, or a century if `C` follows; a year has four or a sign.
    if scan.at_digit() && scan.ahead(2).is_none_or(|octet| octet != b'C' && !octet.is_ascii_digit()) {
        return Ok(Point { date: None, clock: Some(clock(scan)?) });
    }
    let date = date(scan)?;
    let at = scan.at();
    if !scan.eat(b'T') {
        return Ok(Point { date: Some(date), clock: None });
    }
    // Only a whole date has a time of day.
    if !matches!(date.0, DateShape::Day | DateShape::OrdinalDay | DateShape::WeekDay) {
        return scan.wrong_at(at);
    }
    Ok(Point { date: Some(date), clock: Some(clock(scan)?) })
}

fn date(scan: &mut Scan<'_>) -> Result<(DateShape, YearClass), Fault> {
    let negative = scan.eat(b'-');
    let signed = negative || scan.eat(b'+');
    let at = scan.at();
    let digits = scan.digits();
    let century = scan.peek() == Some(b'C');
    let width = if century { 2 } else { 4 };
    let long = digits.len() > width;
    if long && !signed {
        return scan.wrong_at(at + width);
    }
    if digits.len() < width {
        return scan.wrong();
    }
    let zero = digits.iter().all(|digit| *digit == b'0');
    // Four digits have no plus, more have no leading zero, and there is no year −0000.
    if (signed && !long && (!negative || zero)) || (long && digits.starts_with(b"0")) {
        return scan.wrong_at(at);
    }
    // The year's place in the cycle of 400 years; its weekdays repeat too.
    let of_cycle = digits.iter().fold(0u32, |value, digit| (value * 10 + u32::from(digit.wrapping_sub(b'0'))) % 10_000);
    let class = match (long, negative) {
        (true, _) => YearClass::Long(digits.len() + if century { 2 } else { 0 }),
        (false, true) => YearClass::Negative,
        (false, false) if of_cycle < if century { 15 } else { 1582 } => YearClass::Proleptic,
        (false, false) => YearClass::Basic,
    };
    if scan.eat(b'C') {
        return Ok((DateShape::Century, class));
    }
    let of_cycle = if negative { (400 - of_cycle % 400) % 400 } else { of_cycle % 400 };
    let shape = date_within(scan, 2000 + of_cycle as u16)?;
    Ok((shape, class))
}

/// Reads the rest of a date after a year with the same calendar as the year `like`.
fn date_within(scan: &mut Scan<'_>, like: u16) -> Result<DateShape, Fault> {
    if !scan.eat(b'-') {
        return Ok(DateShape::Year);
    }
    let at = scan.at();
    if scan.eat(b'W') {
        let at = scan.at();
        let week = scan.pair()?;
        if week < 1 || week > weeks_in(like) {
            return scan.wrong_at(at);
        }
        if !scan.eat(b'-') {
            return Ok(DateShape::Week);
        }
        return match scan.peek() {
            Some(b'1'..=b'7') => {
                scan.step();
                Ok(DateShape::WeekDay)
            }
            _ => scan.wrong(),
        };
    }
    if scan.ahead(2).is_some_and(|octet| octet.is_ascii_digit()) {
        let tens = u16::from(scan.pair()?);
        let day = tens * 10 + scan.peek().map_or(0, |octet| u16::from(octet.wrapping_sub(b'0')));
        if day < 1 || day > 365 + u16::from(is_leap_year(like)) {
            return scan.wrong_at(at);
        }
        scan.step();
        return Ok(DateShape::OrdinalDay);
    }
    let month = scan.within(FaultKind::TimeMonth, 1, 12)?;
    if !scan.eat(b'-') {
        return Ok(DateShape::Month);
    }
    scan.within(FaultKind::TimeDay, 1, days_in_month(like, month))?;
    Ok(DateShape::Day)
}

/// Returns the number of weeks in a year: 53 if it begins on a Thursday, or on a Wednesday in a leap year.
fn weeks_in(year: u16) -> u8 {
    // 1970-01-01 was a Thursday.
    match days_of(year, 1, 1).rem_euclid(7) {
        0 => 53,
        6 if is_leap_year(year) => 53,
        _ => 52,
    }
}

fn clock<'a>(scan: &mut Scan<'a>) -> Result<Clock<'a>, Fault> {
    let at = scan.at();
    let hour = scan.within(FaultKind::TimeHour, 0, 24)?;
    let (mut fields, mut zero) = (1, true);
    if scan.eat(b':') {
        zero &= scan.within(FaultKind::TimeMinute, 0, 59)? == 0;
        fields = 2;
        if scan.eat(b':') {
            zero &= scan.within(FaultKind::TimeSecond, 0, 60)? == 0;
            fields = 3;
        }
    }
    let fraction = scan.fraction()?.unwrap_or_default();
    zero &= fraction.iter().all(|digit| *digit == b'0');
    let midnight = match hour {
        24 if !zero => return Err(Fault::new(FaultKind::TimeHour, at).with_detail(24)),
        24 => Some(Midnight::End),
        0 if zero => Some(Midnight::Start),
        _ => None,
    };
    let zone = zone(scan)?;
    Ok(Clock { shape: ClockShape { fields, fraction: fraction.len() }, midnight, zone })
}

fn zone<'a>(scan: &mut Scan<'a>) -> Result<ZoneShape<'a>, Fault> {
    let at = scan.at();
    match scan.peek() {
        Some(b'Z') => {
            scan.step();
            return Ok(ZoneShape::Utc);
        }
        Some(b'+' | b'-') => scan.step(),
        _ => return Ok(ZoneShape::Local),
    }
    // X.691 §32.5 bounds the hours of a difference by 15.
    let hours = scan.within(FaultKind::TimeHour, 0, 15)?;
    let mut end = scan.at();
    let mut minutes = 0;
    if scan.eat(b':') {
        minutes = scan.within(FaultKind::TimeMinute, 0, 59)?;
        if minutes == 0 {
            // X.690 §11.9: minutes that are zero are left out.
            scan.depart(end, FaultKind::TimeForm, 0);
        } else {
            end = scan.at();
        }
    }
    let octets = scan.from(at, end);
    // ISO 8601:2004 §3.4.2: no difference is a positive one.
    if hours == 0 && minutes == 0 && octets.starts_with(b"-") {
        return scan.wrong_at(at);
    }
    Ok(ZoneShape::Difference(octets, at))
}

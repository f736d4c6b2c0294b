//! UTC dates and times on the proleptic Gregorian calendar, and their conversion to Unix time.
//!
//! Years are 0000 to 9999. There are no time zones and no leap second table.

use core::cmp::Ordering;
use core::fmt;

use super::unix_time::UnixTime;
use crate::kind::FaultKind;

/// A UTC date and time in whole seconds: years 0000 to 9999, real calendar dates only.
///
/// Second 60 is allowed only where a positive leap second may occur: 23:59:60 on the last day of a month (ISO 8601:2004
/// §4.2.1). Values order chronologically.
///
/// ```
/// use tagwise_codec::{CivilTime, FaultKind, UnixTime};
/// let time = CivilTime::new(2026, 11, 21, 10, 0, 0)?;
/// assert_eq!(time.to_string(), "2026-11-21T10:00:00Z");
/// assert_eq!(time.unix(), UnixTime(1_795_255_200));
/// assert_eq!(CivilTime::from_unix(UnixTime(1_795_255_200)), Ok(time));
/// assert_eq!(CivilTime::new(2026, 2, 31, 0, 0, 0).unwrap_err().kind(), FaultKind::TimeDay);
/// # Ok::<(), tagwise_codec::TimeOutOfRange>(())
/// ```
// One word, so that what reads times by words need not take them apart. Its octets from the lowest on: the year within its century,
// minute, month, second, day, century, hour, 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CivilTime(u64);

/// The error for an invalid time field, or for a time that its type cannot represent.
///
/// ```
/// use tagwise_codec::CivilTime;
/// let error = CivilTime::new(2026, 13, 1, 0, 0, 0).unwrap_err();
/// assert_eq!(error.to_string(), "the month is out of range");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOutOfRange(FaultKind);

impl TimeOutOfRange {
    pub(in crate::types::time) const fn new(kind: FaultKind) -> Self {
        Self(kind)
    }

    /// The kind for the field, from [`FaultKind::TimeMonth`] to [`FaultKind::TimeSecond`], or [`FaultKind::Value`] for the year or the
    /// whole time.
    #[must_use]
    pub const fn kind(&self) -> FaultKind {
        self.0
    }
}

impl fmt::Display for TimeOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            FaultKind::Value => f.write_str("the type cannot represent this time"),
            kind => f.write_str(kind.text()),
        }
    }
}

impl core::error::Error for TimeOutOfRange {}

/// Seconds from 1970-01-01T00:00:00Z to 0000-01-01T00:00:00Z.
const MIN_UNIX: i64 = -62_167_219_200;
/// Seconds from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
const MAX_UNIX: i64 = 253_402_300_799;

impl CivilTime {
    /// Creates a time from its fields.
    ///
    /// # Errors
    /// Returns the kind for the first field that is out of range, or [`FaultKind::Value`] for a year above 9999.
    pub const fn new(year: u16, month: u8, day: u8, hour: u8, minute: u8, second: u8) -> Result<Self, TimeOutOfRange> {
        let kind = if year > 9999 {
            FaultKind::Value
        } else if month < 1 || month > 12 {
            FaultKind::TimeMonth
        } else if day < 1 || day > days_in_month(year, month) {
            FaultKind::TimeDay
        } else if hour > 23 {
            FaultKind::TimeHour
        } else if minute > 59 {
            FaultKind::TimeMinute
        } else if second > 59 && !(second == 60 && may_leap(year, month, day, hour, minute)) {
            FaultKind::TimeSecond
        } else {
            return Ok(Self::checked(year, month, day, hour, minute, second));
        };
        Err(TimeOutOfRange(kind))
    }

    /// Creates a time from fields that were already checked.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) const fn checked(year: u16, month: u8, day: u8, hour: u8, minute: u8, second: u8) -> Self {
        let (century, year) = ((year / 100) as u8, (year % 100) as u8);
        Self(u64::from_le_bytes([year, minute, month, second, day, century, hour, 0]))
    }

    /// Creates a time from numbers that were already checked, in 16-bit lanes, lowest first. `date` contains the year
    /// within its century, month, day and hour; `time` contains hour, minute, second and 0.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) const fn from_lanes(century: u8, date: u64, time: u64) -> Self {
        // The hour of the time falls out, minute and second come between the others.
        Self(date | time >> 8 | (century as u64) << 40)
    }

    #[inline]
    const fn octet(self, at: u32) -> u8 {
        (self.0 >> (8 * at)) as u8
    }

    /// Returns the fields, most significant first.
    #[inline]
    const fn fields(self) -> (u16, [u8; 5]) {
        (self.year(), [self.month(), self.day(), self.hour(), self.minute(), self.second()])
    }

    /// Converts a Unix time to calendar fields.
    ///
    /// # Errors
    /// Returns [`FaultKind::Value`] for times outside the years 0000 to 9999.
    pub const fn from_unix(UnixTime(unix): UnixTime) -> Result<Self, TimeOutOfRange> {
        if unix < MIN_UNIX || unix > MAX_UNIX {
            return Err(TimeOutOfRange(FaultKind::Value));
        }
        let of_day = unix.rem_euclid(86_400) as u32;
        let (year, month, day) = date_of(unix.div_euclid(86_400));
        let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
        Ok(Self::checked(year, month, day, hour as u8, minute as u8, second as u8))
    }

    /// Converts to Unix time without leap seconds: as in POSIX, a leap second equals the following second.
    #[inline]
    #[must_use]
    pub const fn unix(&self) -> UnixTime {
        let (year, [month, day, hour, minute, second]) = self.fields();
        UnixTime(days_of(year, month, day) * 86_400 + hour as i64 * 3600 + minute as i64 * 60 + second as i64)
    }

    /// Returns the year, 0 to 9999.
    #[inline]
    #[must_use]
    pub const fn year(&self) -> u16 {
        self.octet(5) as u16 * 100 + self.octet(0) as u16
    }

    /// Returns the month, 1 to 12.
    #[inline]
    #[must_use]
    pub const fn month(&self) -> u8 {
        self.octet(2)
    }

    /// Returns the day of the month, from 1.
    #[inline]
    #[must_use]
    pub const fn day(&self) -> u8 {
        self.octet(4)
    }

    /// Returns the hour, 0 to 23.
    #[inline]
    #[must_use]
    pub const fn hour(&self) -> u8 {
        self.octet(6)
    }

    /// Returns the minute, 0 to 59.
    #[inline]
    #[must_use]
    pub const fn minute(&self) -> u8 {
        self.octet(1)
    }

    /// Returns the second, 0 to 59, or 60 for a leap second.
    #[inline]
    #[must_use]
    pub const fn second(&self) -> u8 {
        self.octet(3)
    }

    /// Writes the time without a time zone, as in `2026-11-21T10:00:00`.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, [month, day, hour, minute, second]) = self.fields();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}

impl PartialOrd for CivilTime {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CivilTime {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.fields().cmp(&other.fields())
    }
}

impl fmt::Debug for CivilTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CivilTime({self})")
    }
}

impl fmt::Display for CivilTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)?;
        f.write_str("Z")
    }
}

/// Returns whether a year is a leap year.
pub(super) const fn is_leap_year(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Returns the number of days in a month, or 0 if the month is invalid.
pub(super) const fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + is_leap_year(year) as u8,
        _ => 0,
    }
}

/// Returns whether a leap second can follow this UTC minute. ITU-R TF.460 schedules leap seconds at the end of a month.
pub(super) const fn may_leap(year: u16, month: u8, day: u8, hour: u8, minute: u8) -> bool {
    hour == 23 && minute == 59 && day == days_in_month(year, month)
}

/// Days in 400 years.
const CYCLE: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// Days from 1970-01-01 to a date.
// Years begin in March here, so that the leap day is a year's last and month lengths follow one linear pattern.
#[inline]
pub(super) const fn days_of(year: u16, month: u8, day: u8) -> i64 {
    let early = month < 3;
    // One cycle on top keeps January and February of the year 0 above zero.
    let year = year as u32 + 400 - early as u32;
    let month = month as u32 + if early { 9 } else { 0 } - if early { 0 } else { 3 };
    let of_year = (153 * month + 2) / 5 + day as u32;
    (year * 365 + year / 4 - year / 100 + year / 400 + of_year) as i64 - (EPOCH + CYCLE + 1)
}

/// Converts a number of days since 1970-01-01 to a date in the years 0 to 9999.
pub(super) const fn date_of(days: i64) -> (u16, u8, u8) {
    let days = (days + EPOCH + CYCLE) as u32;
    let cycle = CYCLE as u32;
    let of_cycle = days % cycle;
    // The 1460th, 36524th and 146096th day are those a plain division by 365 would get wrong.
    let year_of_cycle = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let late = month >= 10;
    let month = if late { month - 9 } else { month + 3 };
    let year = days / cycle * 400 + year_of_cycle + late as u32 - 400;
    (year as u16, month as u8, day as u8)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn every_day_of_ten_thousand_years() {
        let mut days = MIN_UNIX / 86_400;
        for year in 0..=9999 {
            let leap = (year % 4 == 0) != (year % 100 == 0) || year % 400 == 0;
            for (month, length) in (1..).zip([31, 28 + u8::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                assert_eq!(days_in_month(year, month), length);
                for day in 1..=length {
                    assert_eq!(days_of(year, month, day), days);
                    assert_eq!(date_of(days), (year, month, day));
                    days += 1;
                }
            }
        }
        assert_eq!(days, MAX_UNIX / 86_400 + 1);
    }

    #[test]
    fn both_ends() {
        let first = CivilTime::new(0, 1, 1, 0, 0, 0).unwrap();
        let last = CivilTime::new(9999, 12, 31, 23, 59, 59).unwrap();
        assert_eq!((first.unix(), last.unix()), (UnixTime(MIN_UNIX), UnixTime(MAX_UNIX)));
        let civil = |seconds| CivilTime::from_unix(UnixTime(seconds));
        assert_eq!((civil(MIN_UNIX), civil(MAX_UNIX)), (Ok(first), Ok(last)));
        assert!(civil(MIN_UNIX - 1).is_err() && civil(MAX_UNIX + 1).is_err());
        assert!(civil(i64::MIN).is_err() && civil(i64::MAX).is_err());
        assert_eq!(civil(-1).unwrap().to_string(), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn one_word_whichever_way() {
        for year in 1950..2050 {
            let own = CivilTime::new(year, 12, 31, 23, 58, 59).unwrap();
            let lanes =
                |numbers: [u16; 4]| numbers.iter().rev().fold(0, |word, number| word << 16 | u64::from(*number));
            let other =
                CivilTime::from_lanes((year / 100) as u8, lanes([year % 100, 12, 31, 23]), lanes([23, 58, 59, 0]));
            assert_eq!(own, other);
            assert_eq!((own.year(), own.month(), own.day()), (year, 12, 31));
            assert_eq!((own.hour(), own.minute(), own.second()), (23, 58, 59));
            assert!(
                own > CivilTime::new(year, 12, 31, 23, 58, 58).unwrap()
                    && own > CivilTime::new(year, 11, 30, 23, 59, 59).unwrap()
            );
        }
    }

    #[test]
    fn fields_out_of_range() {
        let kind = |y, mo, d, h, mi, s| CivilTime::new(y, mo, d, h, mi, s).unwrap_err().kind();
        assert_eq!(kind(10_000, 1, 1, 0, 0, 0), FaultKind::Value);
        assert_eq!(kind(2026, 0, 1, 0, 0, 0), FaultKind::TimeMonth);
        assert_eq!(kind(2026, 13, 1, 0, 0, 0), FaultKind::TimeMonth);
        assert_eq!(kind(2026, 4, 31, 0, 0, 0), FaultKind::TimeDay);
        assert_eq!(kind(2026, 4, 0, 0, 0, 0), FaultKind::TimeDay);
        assert_eq!(kind(1900, 2, 29, 0, 0, 0), FaultKind::TimeDay);
        assert_eq!(kind(2026, 4, 1, 24, 0, 0), FaultKind::TimeHour);
        assert_eq!(kind(2026, 4, 1, 0, 60, 0), FaultKind::TimeMinute);
        assert_eq!(kind(2026, 4, 1, 0, 0, 60), FaultKind::TimeSecond);
        assert_eq!(kind(2026, 4, 30, 23, 59, 61), FaultKind::TimeSecond);
        assert!(CivilTime::new(2000, 2, 29, 0, 0, 0).is_ok());
    }

    #[test]
    fn leap_second() {
        let leap = CivilTime::new(2016, 12, 31, 23, 59, 60).unwrap();
        let next = CivilTime::new(2017, 1, 1, 0, 0, 0).unwrap();
        assert_eq!(leap.unix(), next.unix());
        assert!(leap < next && leap > CivilTime::new(2016, 12, 31, 23, 59, 59).unwrap());
    }
}

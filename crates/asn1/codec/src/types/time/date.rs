//! DATE (X.680 §38.4.1, X.690 §8.26.2).

use core::fmt;

use super::civil::{TimeOutOfRange, days_in_month, days_of};
use super::digits::{lanes, spread};
use super::scan::Scan;
use super::useful::{MIN_YEAR, date, useful_time};
use crate::encode::EncodeError;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::writer::Writer;

/// `DATE`: a calendar date from 1582 to 9999, encoded as `YYYYMMDD`.
///
/// ```
/// use tagwise_codec::{Date, Decode, encode};
/// let der = *b"\x1F\x1F\x0820261121";
/// let date = Date::from_der(&der)?;
/// assert_eq!(date.to_string(), "2026-11-21");
/// assert_eq!(encode(&date).unwrap(), der);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Creates a date from its fields.
    ///
    /// # Errors
    /// Returns [`FaultKind::Value`] for years outside 1582 to 9999 (X.680 §38.2, `Year=Basic`), or the kind for a month or
    /// day out of range.
    pub const fn new(year: u16, month: u8, day: u8) -> Result<Self, TimeOutOfRange> {
        if year < MIN_YEAR || year > 9999 {
            Err(TimeOutOfRange::new(FaultKind::Value))
        } else if month < 1 || month > 12 {
            Err(TimeOutOfRange::new(FaultKind::TimeMonth))
        } else if day < 1 || day > days_in_month(year, month) {
            Err(TimeOutOfRange::new(FaultKind::TimeDay))
        } else {
            Ok(Self { year, month, day })
        }
    }

    /// Returns the year, 1582 to 9999.
    #[must_use]
    pub const fn year(&self) -> u16 {
        self.year
    }

    /// Returns the month, 1 to 12.
    #[must_use]
    pub const fn month(&self) -> u8 {
        self.month
    }

    /// Returns the day of the month, from 1.
    #[must_use]
    pub const fn day(&self) -> u8 {
        self.day
    }

    /// Returns the number of days since 1970-01-01.
    #[must_use]
    pub const fn unix_day(&self) -> i64 {
        days_of(self.year, self.month, self.day)
    }

    pub(super) fn read(scan: &mut Scan<'_>) -> Result<Self, Fault> {
        let (year, month, day) = date(scan)?;
        Ok(Self { year, month, day })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let (century, year) = ((self.year / 100) as u8, (self.year % 100) as u8);
        writer.bytes(&spread(lanes([century, year, self.month, self.day])))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

useful_time!(Date, "DATE", DATE, 8, Date::read, Date::write);

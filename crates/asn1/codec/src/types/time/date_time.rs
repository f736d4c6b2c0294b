//! DATE-TIME (X.680 §38.4.3, X.690 §8.26.4).

use core::fmt;

use super::date::Date;
use super::scan::Scan;
use super::time_of_day::TimeOfDay;
use super::useful::useful_time;
use crate::encode::EncodeError;
use crate::fault::Fault;
use crate::writer::Writer;

/// `DATE-TIME`: a date and a local time in whole seconds, encoded as `YYYYMMDDHHMMSS`.
///
/// ```
/// use tagwise_codec::{DateTime, Decode, encode};
/// let der = *b"\x1F\x21\x0E20261121063000";
/// let time = DateTime::from_der(&der)?;
/// assert_eq!(time.to_string(), "2026-11-21T06:30:00");
/// assert_eq!(encode(&time).unwrap(), der);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime {
    /// The calendar date.
    pub date: Date,
    /// The local time of day.
    pub time: TimeOfDay,
}

impl DateTime {
    fn read(scan: &mut Scan<'_>) -> Result<Self, Fault> {
        Ok(Self { date: Date::read(scan)?, time: TimeOfDay::read(scan)? })
    }

    fn write(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        self.time.write(writer)?;
        self.date.write(writer)
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{}", self.date, self.time)
    }
}

useful_time!(DateTime, "DATE-TIME", DATE_TIME, 14, DateTime::read, DateTime::write);

//! TIME-OF-DAY (X.680 §38.4.2, X.690 §8.26.3).

use core::fmt;

use super::civil::TimeOutOfRange;
use super::digits::{lanes, spread};
use super::scan::Scan;
use super::useful::{time, useful_time};
use crate::encode::EncodeError;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::writer::Writer;

/// `TIME-OF-DAY`: a local time in whole seconds, encoded as `HHMMSS`.
///
/// Midnight at the end of a day is `240000`, a distinct value. Second 60 is accepted as a leap second, without checking that
/// one occurred.
///
/// ```
/// use tagwise_codec::{Decode, TimeOfDay, encode};
/// let der = *b"\x1F\x20\x06063000";
/// let time = TimeOfDay::from_der(&der)?;
/// assert_eq!(time.to_string(), "06:30:00");
/// assert_eq!(encode(&time).unwrap(), der);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    hour: u8,
    minute: u8,
    second: u8,
}

impl TimeOfDay {
    /// Creates a time of day from its fields.
    ///
    /// # Errors
    /// Returns the kind for the field that is out of range.
    pub const fn new(hour: u8, minute: u8, second: u8) -> Result<Self, TimeOutOfRange> {
        if hour > 24 || (hour == 24 && (minute != 0 || second != 0)) {
            Err(TimeOutOfRange::new(FaultKind::TimeHour))
        } else if minute > 59 {
            Err(TimeOutOfRange::new(FaultKind::TimeMinute))
        } else if second > 60 {
            Err(TimeOutOfRange::new(FaultKind::TimeSecond))
        } else {
            Ok(Self { hour, minute, second })
        }
    }

    /// Returns the hour, 0 to 24.
    #[must_use]
    pub const fn hour(&self) -> u8 {
        self.hour
    }

    /// Returns the minute, 0 to 59.
    #[must_use]
    pub const fn minute(&self) -> u8 {
        self.minute
    }

    /// Returns the second, 0 to 60.
    #[must_use]
    pub const fn second(&self) -> u8 {
        self.second
    }

    pub(super) fn read(scan: &mut Scan<'_>) -> Result<Self, Fault> {
        let (hour, minute, second) = time(scan)?;
        Ok(Self { hour, minute, second })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let [a, b, c, d, e, f, ..] = spread(lanes([self.hour, self.minute, self.second, 0]));
        writer.bytes(&[a, b, c, d, e, f])
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hour, minute, second } = self;
        write!(f, "{hour:02}:{minute:02}:{second:02}")
    }
}

useful_time!(TimeOfDay, "TIME-OF-DAY", TIME_OF_DAY, 6, TimeOfDay::read, TimeOfDay::write);

//! The time types: UTCTime and GeneralizedTime (X.680 §46, §47), and the ISO 8601 types of X.680 §38.

mod civil;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "std", feature = "time"))]
mod clocks;
mod date;
mod date_time;
mod digits;
mod duration;
mod generalized_time;
mod iso_time;
mod scan;
mod text;
mod time_of_day;
mod unix_time;
mod useful;
mod utc_time;

#[cfg(test)]
#[cfg(feature = "alloc")]
mod iso_tests;
#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests;

pub use civil::{CivilTime, TimeOutOfRange};
pub use date::Date;
pub use date_time::DateTime;
pub use duration::{Duration, DurationPart, DurationUnit};
pub use generalized_time::GeneralizedTime;
pub use iso_time::IsoTime;
#[cfg(feature = "dynamic")]
pub(crate) use iso_time::{has_settings, knows_settings};
pub use time_of_day::TimeOfDay;
pub use unix_time::UnixTime;
pub use utc_time::UtcTime;

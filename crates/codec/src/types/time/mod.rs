//! The time types: UTCTime and GeneralizedTime (X.680 §46, §47), and the ISO 8601 types of X.680 §38.

mod civil;
mod digits;
mod generalized_time;
mod scan;
#[cfg(all(test, feature = "alloc"))]
mod tests;
mod utc_time;

pub use civil::{CivilTime, TimeOutOfRange};
pub use generalized_time::GeneralizedTime;
pub use utc_time::UtcTime;

//! The forms of TIME that have an encoding in OER (X.696 §29).

use tagwise_per::Kind;
use tagwise_per::plan::Bounds;
use tagwise_per::point::{ClockForm, DateShape, Number, TimePoint};
use tagwise_per::row::{TimeForm, TimeRow, TimeShape};

/// A form that has an encoding.
pub(crate) enum Known {
    /// A date, a time of day, or both.
    Point(TimePoint),
    /// A duration.
    Duration,
}

/// Returns the form of a TIME type, if it has an encoding: years, months and days, hours, minutes and seconds, fractions of seconds,
/// and durations.
pub(crate) fn known(form: &TimeForm) -> Result<Known, Kind> {
    let unsupported = Kind::Unsupported("TIME of other forms than X.696 §29 lists");
    let TimeForm::One(TimeRow { recurs: false, shape }) = form else { return Err(unsupported) };
    let is_known = |clock: &ClockForm| clock.fraction == 0 || clock.fields == 3;
    match shape {
        TimeShape::Duration => Ok(Known::Duration),
        TimeShape::Point(point @ TimePoint { date: Some(date), clock: None })
            if matches!(date.shape, DateShape::Year | DateShape::Month | DateShape::Day) =>
        {
            Ok(Known::Point(*point))
        }
        TimeShape::Point(point @ TimePoint { date: Some(date), clock: Some(clock) })
            if date.shape == DateShape::Day && is_known(clock) =>
        {
            Ok(Known::Point(*point))
        }
        TimeShape::Point(point @ TimePoint { date: None, clock: Some(clock) }) if is_known(clock) => {
            Ok(Known::Point(*point))
        }
        _ => Err(unsupported),
    }
}

/// The bounds of a number.
pub(crate) const fn bounds(number: Number) -> Bounds {
    let (min, max) = match number {
        Number::Within((min, max)) => (Some(min), Some(max)),
        Number::Year | Number::Any => (None, None),
        Number::Fraction(_) => (Some(0), None),
        // Minutes: `minutes-diff`.
        Number::Difference => (Some(-900), Some(900)),
    };
    Bounds { min, max, extensible: false }
}

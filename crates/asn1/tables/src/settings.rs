//! The form of the values of a TIME type, from its property settings (X.680 §51.10).

use std::collections::BTreeSet;

use tagwise_per::point::{ClockForm, DateForm, DateShape, TimePoint, TimeZone};
use tagwise_per::row::{TimeForm, TimeRow, TimeShape};
use tagwise_schema::model::{Condition, Constraints};

/// The most digits of a fraction that are considered, and of a year, if settings have no others.
const DIGITS: u8 = 12;

/// Returns the form of the values that constraints permit (X.691, Table 2), or an unsupported kind of TIME.
pub(crate) fn form(constraints: &Constraints) -> Result<TimeForm, &'static str> {
    // Without settings, there are many forms. Recursion and the candidates are not needed to find that out.
    if constraints.settings.is_empty() && constraints.further.is_empty() {
        return Ok(TimeForm::Mixed);
    }
    let mut digits: BTreeSet<u8> = (0..=DIGITS).collect();
    if !collect(constraints, &mut digits) {
        return Err("TIME with settings that are extensible, excepted or of more than 38 digits");
    }
    let mut found = None;
    for candidate in candidates(&digits) {
        if !candidate.is_allowed(constraints) {
            continue;
        }
        if found.is_some_and(|found| found != candidate.row) {
            return Ok(TimeForm::Mixed);
        }
        found = Some(candidate.row);
    }
    found.map(TimeForm::One).ok_or("TIME without values")
}

/// Collects the numbers of digits in settings. Returns false for constraints whose effect on the encoding is not known.
// Recursion follows conditions in schemas, whose depth the compiler limits.
fn collect(constraints: &Constraints, digits: &mut BTreeSet<u8>) -> bool {
    let known = constraints.settings.iter().flat_map(|settings| settings.split_ascii_whitespace()).all(|setting| {
        let number = match setting.split_once('=') {
            Some(("Year", value)) => value.strip_prefix('L'),
            Some(("Time", value)) => value.split_once('F').map(|(_, number)| number),
            _ => None,
        };
        let Some(number) = number else { return true };
        let number = number.parse::<u8>().ok().filter(|number| *number <= 38);
        digits.extend(number);
        number.is_some()
    });
    !constraints.extensible
        && known
        && constraints.further.iter().all(|condition| match condition {
            Condition::Any(parts) => parts.iter().all(|part| collect(part, digits)),
            Condition::Not(part) => part.settings.is_empty() && part.further.is_empty(),
            _ => true,
        })
}

/// A combination of settings.
#[derive(Clone, Copy)]
struct Candidate {
    row: TimeRow,
    /// The `Year` property: the number of digits above 4, or 0 to 2 for `Basic`, `Proleptic` and `Negative`.
    year: u8,
}

/// All combinations of settings.
fn candidates(digits: &BTreeSet<u8>) -> impl Iterator<Item = Candidate> {
    let years: Vec<u8> = (0..3).chain(digits.iter().copied().filter(|digits| *digits > 4)).collect();
    let dates: Vec<(DateForm, u8)> = DateShape::ALL
        .into_iter()
        .flat_map(|shape| years.iter().map(move |year| (DateForm { shape, is_any: *year > 1 }, *year)))
        .collect();
    let clocks: Vec<ClockForm> = [TimeZone::Local, TimeZone::Utc, TimeZone::Difference]
        .into_iter()
        .flat_map(|zone| (1..=3).flat_map(move |fields| digits.iter().map(move |fraction| (zone, fields, *fraction))))
        .map(|(zone, fields, fraction)| ClockForm { fields, fraction, zone })
        .collect();
    let date = |(date, year): &(DateForm, u8)| (TimePoint { date: Some(*date), clock: None }, *year);
    let clock = |clock: &ClockForm| (TimePoint { date: None, clock: Some(*clock) }, 0);
    let both = dates
        .iter()
        .filter(|(date, _)| matches!(date.shape, DateShape::Day | DateShape::OrdinalDay | DateShape::WeekDay))
        .flat_map(|(date, year)| {
            clocks.iter().map(|clock| (TimePoint { date: Some(*date), clock: Some(*clock) }, *year))
        });
    let points: Vec<(TimePoint, u8)> = dates.iter().map(date).chain(clocks.iter().map(clock)).chain(both).collect();
    let shapes = points.into_iter().flat_map(|(point, year)| {
        let intervals = [TimeShape::StartEnd(point), TimeShape::StartDuration(point), TimeShape::DurationEnd(point)];
        let recurring = intervals.map(|shape| (shape, true));
        let all = [(TimeShape::Point(point), false)].into_iter().chain(intervals.map(|shape| (shape, false)));
        all.chain(recurring).map(move |(shape, recurs)| Candidate { row: TimeRow { recurs, shape }, year })
    });
    let durations =
        [false, true].map(|recurs| Candidate { row: TimeRow { recurs, shape: TimeShape::Duration }, year: 0 });
    durations.into_iter().chain(shapes)
}

impl Candidate {
    // Recursion follows conditions in schemas, whose depth the compiler limits.
    fn is_allowed(&self, constraints: &Constraints) -> bool {
        constraints.settings.iter().all(|settings| self.has_all(settings))
            && constraints.further.iter().all(|condition| match condition {
                Condition::Any(parts) => parts.iter().any(|part| self.is_allowed(part)),
                _ => true,
            })
    }

    fn has_all(&self, settings: &str) -> bool {
        let (interval, point) = match self.row.shape {
            TimeShape::Point(point) => (None, Some(point)),
            TimeShape::StartEnd(point) => (Some("SE"), Some(point)),
            TimeShape::Duration => (Some("D"), None),
            TimeShape::StartDuration(point) => (Some("SD"), Some(point)),
            TimeShape::DurationEnd(point) => (Some("DE"), Some(point)),
        };
        let (date, clock) = (point.and_then(|point| point.date), point.and_then(|point| point.clock));
        let of_point = match (date, clock) {
            (Some(_), Some(_)) => "Date-Time",
            (Some(_), None) => "Date",
            (None, Some(_)) => "Time",
            (None, None) => "",
        };
        settings.split_ascii_whitespace().filter_map(|setting| setting.split_once('=')).all(|(name, value)| {
            match (name, date, clock) {
                ("Basic", ..) => match (interval, self.row.recurs) {
                    (None, _) => value == of_point,
                    (Some(_), false) => value == "Interval",
                    (Some(_), true) => value == "Rec-Interval",
                },
                ("Date", Some(date), _) => name_of(date.shape) == value,
                ("Year", Some(_), _) => match self.year {
                    0 => value == "Basic",
                    1 => value == "Proleptic",
                    2 => value == "Negative",
                    digits => value == format!("L{digits}"),
                },
                ("Time", _, Some(clock)) => {
                    let fields = "HMS".get(..clock.fields.into()).unwrap_or_default();
                    match clock.fraction {
                        0 => value == fields,
                        digits => value == format!("{fields}F{digits}"),
                    }
                }
                ("Local-or-UTC", _, Some(clock)) => {
                    value
                        == match clock.zone {
                            TimeZone::Local => "L",
                            TimeZone::Utc => "Z",
                            TimeZone::Difference => "LD",
                        }
                }
                ("Midnight", _, Some(_)) => true,
                ("SE-point", ..) => interval.is_some() && value == of_point,
                ("Interval-type", ..) => interval == Some(value),
                ("Recurrence", ..) => self.row.recurs,
                _ => false,
            }
        })
    }
}

const fn name_of(shape: DateShape) -> &'static str {
    match shape {
        DateShape::Century => "C",
        DateShape::Year => "Y",
        DateShape::Month => "YM",
        DateShape::Day => "YMD",
        DateShape::OrdinalDay => "YD",
        DateShape::Week => "YW",
        DateShape::WeekDay => "YWD",
    }
}

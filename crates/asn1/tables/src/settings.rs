//! The form of the values of a TIME type, from its property settings (X.680 §51.10).

use tagwise_per::point::{ClockForm, DateForm, DateShape, TimePoint, TimeZone};
use tagwise_schema::model::{Condition, Constraints};

/// The most digits of a fraction that are considered, and of a year.
const DIGITS: u8 = 12;

/// Returns the form of all values that constraints permit, if it is one form of dates, times of day, or both (the rows 3 to 33 of
/// X.691, Table 2).
pub(crate) fn point(constraints: &Constraints) -> Option<TimePoint> {
    // Without settings, there are many forms. Recursion and the candidates are not needed to find that out.
    if constraints.settings.is_empty() && constraints.further.is_empty() {
        return None;
    }
    let mut found = None;
    for candidate in candidates() {
        if !candidate.is_allowed(constraints) {
            continue;
        }
        if candidate.basic.starts_with("Interval") || found.is_some_and(|found| found != candidate.form) {
            return None;
        }
        found = Some(candidate.form);
    }
    found
}

/// A combination of settings.
#[derive(Clone, Copy)]
struct Candidate {
    /// `Date`, `Time`, `Date-Time` or `Interval`, which includes recurring ones.
    basic: &'static str,
    form: TimePoint,
    /// The `Year` property: the number of digits above 4, or 0 to 2 for `Basic`, `Proleptic` and `Negative`.
    year: u8,
}

const SHAPES: [DateShape; 7] = [
    DateShape::Century,
    DateShape::Year,
    DateShape::Month,
    DateShape::Day,
    DateShape::OrdinalDay,
    DateShape::Week,
    DateShape::WeekDay,
];

/// All combinations of settings, with intervals between points of each form.
fn candidates() -> Vec<Candidate> {
    let years = || (0..3).chain(5..=DIGITS);
    let dates: Vec<(DateForm, u8)> = SHAPES
        .into_iter()
        .flat_map(|shape| years().map(move |year| (DateForm { shape, is_any: year > 1 }, year)))
        .collect();
    let clocks: Vec<ClockForm> = [TimeZone::Local, TimeZone::Utc, TimeZone::Difference]
        .into_iter()
        .flat_map(|zone| (1..=3).flat_map(move |fields| (0..=DIGITS).map(move |fraction| (zone, fields, fraction))))
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
    let forms = dates.iter().map(date).chain(clocks.iter().map(clock)).chain(both);
    let duration = TimePoint { date: None, clock: None };
    forms
        .chain([(duration, 0)])
        .flat_map(|(form, year)| {
            let basic = match (form.date, form.clock) {
                (Some(_), Some(_)) => "Date-Time",
                (Some(_), None) => "Date",
                (None, Some(_)) => "Time",
                (None, None) => "Interval",
            };
            [basic, "Interval"].map(|basic| Candidate { basic, form, year })
        })
        .collect()
}

impl Candidate {
    // Recursion follows conditions in schemas, whose depth the compiler limits.
    fn is_allowed(&self, constraints: &Constraints) -> bool {
        // Violations of an extensible constraint are not errors.
        constraints.extensible
            || constraints.settings.iter().all(|settings| self.has_all(settings))
                && constraints.further.iter().all(|condition| match condition {
                    Condition::Any(parts) => parts.iter().any(|part| self.is_allowed(part)),
                    // What is excepted may be some of the values only.
                    _ => true,
                })
    }

    fn has_all(&self, settings: &str) -> bool {
        settings.split_ascii_whitespace().filter_map(|setting| setting.split_once('=')).all(|(name, value)| {
            match (name, self.form.date, self.form.clock) {
                ("Basic", ..) => self.basic == value || self.basic == "Interval" && value == "Rec-Interval",
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
                ("SE-point", date, clock) if self.basic == "Interval" => {
                    value
                        == match (date, clock) {
                            (Some(_), Some(_)) => "Date-Time",
                            (Some(_), None) => "Date",
                            _ => "Time",
                        }
                }
                ("Interval-type" | "Recurrence", ..) => self.basic == "Interval",
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

//! ISO 8601 times (X.680 §38): DATE, TIME-OF-DAY and DATE-TIME as `datetime` types, DURATION and TIME as text.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyString};
use tagwise::codec::table::{Shape, TimeKind};
use tagwise::codec::value::{Value, from_text};
use tagwise::codec::{CivilTime, Date, DateTime, TimeOfDay, UnixTime};

use crate::errors::argument;

/// Converts a value of a time type. Midnight at the end of a day and leap seconds, which `datetime` does not support,
/// become text.
pub(crate) fn to_py<'py>(py: Python<'py>, kind: TimeKind, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    let class = |name: &str| py.import("datetime")?.getattr(name);
    let ordinary = |time: &TimeOfDay| time.hour() < 24 && time.second() < 60;
    match kind {
        TimeKind::Date => {
            if let Some(date) = value.view::<Date>() {
                return class("date")?.call1((date.year(), date.month(), date.day()));
            }
        }
        TimeKind::TimeOfDay => {
            if let Some(time) = value.view::<TimeOfDay>().filter(ordinary) {
                return class("time")?.call1((time.hour(), time.minute(), time.second()));
            }
        }
        TimeKind::DateTime => {
            if let Some(DateTime { date, time }) = value.view::<DateTime>().filter(|both| ordinary(&both.time)) {
                let parts = (date.year(), date.month(), date.day(), time.hour(), time.minute(), time.second());
                return class("datetime")?.call1(parts);
            }
        }
        _ => {}
    }
    Ok(match value.text() {
        Some(text) => PyString::new(py, &text).into_any(),
        None => PyBytes::new(py, value.content().unwrap_or_default()).into_any(),
    })
}

/// Returns the content bytes of a time type for a text or a `datetime` object.
pub(crate) fn content(kind: TimeKind, object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let text = if let Ok(text) = object.cast::<PyString>() { text.to_cow()?.into_owned() } else { text(kind, object)? };
    from_text(&Shape::Time(kind), &text).ok_or_else(|| argument(format!("`{text}` is not {}", form(kind))))
}

/// Returns a description of the text format of a time type.
const fn form(kind: TimeKind) -> &'static str {
    match kind {
        TimeKind::Date => "a DATE, as 2026-11-21",
        TimeKind::TimeOfDay => "a TIME-OF-DAY, as 06:30:00",
        TimeKind::DateTime => "a DATE-TIME, as 2026-11-21T06:30:00",
        TimeKind::Duration => "a DURATION, as P1DT12H",
        _ => "a TIME",
    }
}

/// Formats a `datetime` object as text.
fn text(kind: TimeKind, object: &Bound<'_, PyAny>) -> PyResult<String> {
    let datetime = object.py().import("datetime")?;
    let is = |name: &str| object.is_instance(&datetime.getattr(name)?);
    let is_moment = is("datetime")?;
    match kind {
        TimeKind::Date | TimeKind::Time if is("date")? && !is_moment => iso(object),
        TimeKind::TimeOfDay if is("time")? => iso(&local(object)?),
        TimeKind::DateTime if is_moment => iso(&local(object)?),
        TimeKind::Time if is_moment || is("time")? => zoned(object),
        TimeKind::Duration | TimeKind::Time if is("timedelta")? => span(object),
        _ => Err(PyTypeError::new_err(format!("expected a string or a datetime object for {}", form(kind)))),
    }
}

fn iso(object: &Bound<'_, PyAny>) -> PyResult<String> {
    object.call_method0("isoformat")?.extract()
}

/// Checks that a local time has whole seconds, as required by TIME-OF-DAY and DATE-TIME (X.680 §38.4).
fn local<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !object.getattr("tzinfo")?.is_none() {
        return Err(argument("TIME-OF-DAY and DATE-TIME are local times, without a time zone"));
    }
    if object.getattr("microsecond")?.extract::<u32>()? != 0 {
        return Err(argument("TIME-OF-DAY and DATE-TIME must have whole seconds"));
    }
    Ok(object.clone())
}

/// Formats a time with its fraction and its difference from UTC in DER form (X.690 §11.9).
fn zoned(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let without = PyDict::new(object.py());
    without.set_item("tzinfo", object.py().None())?;
    let bare = object.call_method("replace", (), Some(&without))?;
    let mut text = iso(&bare)?;
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').len());
    }
    let offset = object.call_method0("utcoffset")?;
    if offset.is_none() {
        return Ok(text);
    }
    let seconds = offset.call_method0("total_seconds")?.extract::<f64>()?;
    let minutes = (seconds / 60.0) as i32;
    if f64::from(minutes) * 60.0 != seconds {
        return Err(argument("the offset from UTC must be a whole number of minutes"));
    }
    if minutes == 0 {
        return Ok(text + "Z");
    }
    let sign = if minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
    text += &format!("{sign}{hours:02}");
    if minutes != 0 {
        text += &format!(":{minutes:02}");
    }
    Ok(text)
}

/// Formats a duration in days, hours, minutes and seconds, without zero units (X.690 §11.9).
fn span(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let part = |name: &str| object.getattr(name)?.extract::<i64>();
    let (days, seconds, micros) = (part("days")?, part("seconds")?, part("microseconds")?);
    if days < 0 {
        return Err(argument("a DURATION must not be negative"));
    }
    let unit = |number: i64, letter: &str| if number == 0 { String::new() } else { format!("{number}{letter}") };
    let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
    let fraction = fraction.trim_end_matches('0');
    let mut clock = unit(seconds / 3600, "H") + &unit(seconds % 3600 / 60, "M");
    if seconds % 60 != 0 || micros != 0 || (days, seconds) == (0, 0) {
        clock += &format!("{}{fraction}S", seconds % 60);
    }
    let clock = if clock.is_empty() { clock } else { format!("T{clock}") };
    Ok(format!("P{}{clock}", unit(days, "D")))
}

/// The class `datetime`, and the UTC time zone.
static MOMENTS: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();

/// Converts a time to a `datetime` in UTC, or to a number for the year 0, which `datetime` does not support.
pub(crate) fn moment(py: Python<'_>, time: UnixTime, microseconds: u32) -> PyResult<Bound<'_, PyAny>> {
    let load = || -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        let module = py.import("datetime")?;
        Ok((module.getattr("datetime")?.unbind(), module.getattr("timezone")?.getattr("utc")?.unbind()))
    };
    let Some(civil) = CivilTime::from_unix(time).ok().filter(|civil| civil.year() > 0) else {
        return Ok(time.0.into_pyobject(py)?.into_any());
    };
    let (class, zone) = MOMENTS.get_or_try_init(py, load)?;
    let day = (civil.year(), civil.month(), civil.day());
    let parts = (day.0, day.1, day.2, civil.hour(), civil.minute(), civil.second(), microseconds, zone);
    class.bind(py).call1(parts)
}

/// Converts a `datetime` object to a number. Other objects are unchanged.
pub(crate) fn number<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    // Their class is a subclass of `int`.
    if object.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("a time must be a datetime, a number or a string, found bool"));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(object.clone());
    }
    py.import("tagwise.asn1._marks")?.getattr("Moments")?.call0()?.call_method1("dump", (object,))
}

/// Returns the class for numbers with an exact fraction.
pub(crate) fn decimal(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("decimal")?.getattr("Decimal")
}

/// Returns the difference between one and a fraction. The last digit is not 0.
pub(crate) fn complement(fraction: &str) -> String {
    let last = fraction.len().saturating_sub(1);
    let digit = |(at, digit): (usize, u8)| {
        let whole = if at == last { 10 } else { 9 };
        char::from(b'0' + (whole + b'0').saturating_sub(digit) % 10)
    };
    fraction.bytes().enumerate().map(digit).collect()
}

fn no_year() -> PyErr {
    argument("the time is outside the years 0 to 9999")
}

/// Returns the Unix timestamp in an `int` of any size.
fn seconds(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract().map_err(
        |error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(object.py()) { no_year() } else { error }
        },
    )
}

/// The maximum number of fractional digits in a `Decimal`. More would be too large as text.
const FRACTION: i64 = 4096;

/// Splits an `int` or `Decimal` into a Unix timestamp and the digits of the fraction. The last digit is not 0.
pub(crate) fn parts(object: &Bound<'_, PyAny>) -> PyResult<(i64, String)> {
    if object.is_instance_of::<PyInt>() || !object.is_instance(&decimal(object.py())?)? {
        return Ok((seconds(object)?, String::new()));
    }
    // Neither infinite nor no number at all; and not one whose text would fill the memory.
    let exponent = object.call_method0("as_tuple")?.getattr("exponent")?.extract::<i64>().ok().ok_or_else(no_year)?;
    if exponent < -FRACTION {
        return Err(argument(format!("a time must have at most {FRACTION} decimals")));
    }
    if object.call_method0("adjusted")?.extract::<i64>()? > 18 {
        return Err(no_year());
    }
    let text: String = object.call_method1("__format__", ("f",))?.extract()?;
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text.as_str()), |text| (true, text));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    let whole: i64 = whole.parse().ok().ok_or_else(no_year)?;
    Ok(match (is_negative, fraction) {
        (true, "") => (-whole, String::new()),
        (true, fraction) => ((-whole).saturating_sub(1), complement(fraction)),
        (false, fraction) => (whole, fraction.to_owned()),
    })
}

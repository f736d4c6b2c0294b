//! REAL as Python numbers: a `float` for base 2, a `Decimal` for base 10. A number that neither can represent exactly is a triple of
//! mantissa, base and exponent. If the exponent exceeds 62 bits, the number is represented by its content bytes.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyTuple};
use tagwise::codec::value::{Scaled, Value, real_from_decimal};
use tagwise::codec::{Real, encode};

use crate::times::decimal;
use crate::{errors, input};

/// The maximum exponent of a `Decimal` on every platform, including its digits.
const EXPONENT: u64 = 425_000_000;

/// Converts a REAL to a Python number.
pub(crate) fn to_py<'py>(py: Python<'py>, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    if let Some(real) = value.view::<Real<'_>>() {
        let float = real.to_f64();
        if Real::from_f64(float) == real {
            return Ok(PyFloat::new(py, float).into_any());
        }
        if real.is_decimal() {
            let text = real.to_string();
            if is_decimal(&text) {
                return decimal(py)?.call1((text,));
            }
        }
        if let Some(number) = Scaled::of(&real) {
            let base = if number.decimal { 10 } else { 2 };
            return Ok((input::number(py, &number.mantissa)?, base, number.exponent).into_pyobject(py)?.into_any());
        }
    }
    Ok(PyBytes::new(py, value.content().unwrap_or_default()).into_any())
}

/// Returns whether a `Decimal` can represent the number in a text that consists of digits and an exponent.
fn is_decimal(text: &str) -> bool {
    let exponent = text.split_once('E').map_or(Ok(0), |(_, exponent)| exponent.parse::<i64>());
    exponent.is_ok_and(|exponent| exponent.unsigned_abs().saturating_add(text.len() as u64) < EXPONENT)
}

/// Returns the content bytes of a REAL for a Python number.
pub(crate) fn content(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let float = |float: f64| {
        let octets = encode(&Real::from_f64(float)).map_err(|error| errors::encoding(object.py(), &error))?;
        // The header of so short an element has two bytes.
        Ok(octets.get(2..).unwrap_or_default().to_vec())
    };
    if let Ok(octets) = object.cast::<PyBytes>() {
        return Ok(octets.as_bytes().to_vec());
    }
    if object.is_instance_of::<PyFloat>() {
        return float(object.extract()?);
    }
    if object.is_instance_of::<PyInt>() {
        return scaled(input::integer(object)?, false, 0);
    }
    if let Ok(parts) = object.cast::<PyTuple>() {
        let (mantissa, base, exponent) = parts.extract::<(Bound<'_, PyInt>, u8, i64)>()?;
        let decimal = match base {
            2 => false,
            10 => true,
            _ => return Err(errors::argument("the base of a REAL must be 2 or 10 (X.680 §21.5)")),
        };
        return scaled(input::integer(&mantissa)?, decimal, exponent);
    }
    if !object.is_instance(&decimal(object.py())?)? {
        return Err(PyTypeError::new_err(
            "a REAL must be a float, an int, a Decimal, or a mantissa, a base and an exponent",
        ));
    }
    if object.call_method0("is_nan")?.extract()? {
        return float(f64::NAN);
    }
    let text = object.str()?;
    let text = text.to_cow()?;
    match &*text {
        "Infinity" => float(f64::INFINITY),
        "-Infinity" => float(f64::NEG_INFINITY),
        text => real_from_decimal(text).ok_or_else(|| errors::argument(format!("`{text}` is not a REAL"))),
    }
}

fn scaled(mantissa: Vec<u8>, decimal: bool, exponent: i64) -> PyResult<Vec<u8>> {
    let content = Scaled { mantissa, decimal, exponent }.to_content();
    content.ok_or_else(|| errors::argument("the number is too large for a REAL"))
}

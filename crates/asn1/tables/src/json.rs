//! Converts model values (DEFAULTs and single values) to JSON (X.697), from which dynamic values are created.

use std::fmt::Write;

use tagwise_schema::Int;
use tagwise_schema::model::{Bits, Real, TypeId, Value};

/// A callback that returns the DER of a value of a type.
pub(crate) type Element<'x> = dyn Fn(TypeId, &Value) -> Result<Vec<u8>, String> + 'x;

/// Converts a value to JSON. An open type's value becomes its DER, as returned by `element`, because the surrounding components
/// may not select its type.
///
/// # Errors
/// Returns an error if a REAL does not fit in an `f64`, or any error from `element`.
// Recursion follows values in schemas, whose depth the compiler limits.
pub(crate) fn json(value: &Value, element: &Element<'_>) -> Result<String, String> {
    Ok(match value {
        Value::Boolean(value) => value.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Enumerated(named) => quoted(&named.name),
        Value::Real(real) => {
            return number(real).ok_or_else(|| "the value cannot be represented exactly as a double".to_owned());
        }
        Value::BitString(bits) => bit_string(bits),
        Value::OctetString(octets) => quoted(&hex(octets)),
        Value::Null => "null".to_owned(),
        Value::ObjectIdentifier(arcs) | Value::RelativeOid(arcs) => {
            let arcs: Vec<String> = arcs.iter().map(Int::to_string).collect();
            quoted(&arcs.join("."))
        }
        Value::Iri(text) | Value::String(text) | Value::Time(text) => quoted(text),
        Value::Sequence(components) => {
            let member = |(name, value): &(String, Value)| Ok(format!("{}:{}", quoted(name), json(value, element)?));
            let members: Result<Vec<String>, String> = components.iter().map(member).collect();
            format!("{{{}}}", members?.join(","))
        }
        Value::SequenceOf(items) => {
            let items: Result<Vec<String>, String> = items.iter().map(|item| json(item, element)).collect();
            format!("[{}]", items?.join(","))
        }
        Value::Choice(name, value) => format!("{{{}:{}}}", quoted(name), json(value, element)?),
        Value::Open(ty, value) => format!("{{\"$der\":\"{}\"}}", hex(&element(*ty, value)?)),
        Value::Containing(_, value) => format!("{{\"containing\":{}}}", json(value, element)?),
        _ => return Err("the value has no JSON representation".to_owned()),
    })
}

fn bit_string(bits: &Bits) -> String {
    format!("{{\"value\":{},\"length\":{}}}", quoted(&hex(&bits.octets)), bits.len)
}

fn number(real: &Real) -> Option<String> {
    Some(match real {
        Real::MinusZero => "\"-0\"".to_owned(),
        Real::PlusInfinity => "\"INF\"".to_owned(),
        Real::MinusInfinity => "\"-INF\"".to_owned(),
        Real::NotANumber => "\"NaN\"".to_owned(),
        Real::Number { mantissa, .. } if mantissa.is_zero() => "0".to_owned(),
        Real::Number { mantissa, base: 10, exponent } => format!("{{\"base10Value\":{mantissa}e{exponent}}}"),
        Real::Number { mantissa, exponent, .. } => {
            let (mantissa, exponent) = (mantissa.to_i64()?, i32::try_from(exponent.to_i64()?).ok()?);
            // Beyond 53 bits a double may not be exact.
            if mantissa.unsigned_abs() >= 1 << 53 || exponent.unsigned_abs() > 900 {
                return None;
            }
            let float = mantissa as f64 * 2f64.powi(exponent);
            format!("{float:e}")
        }
    })
}

pub(crate) fn hex(octets: &[u8]) -> String {
    format!("{:X}", tagwise_codec::text::hex::Hex(octets))
}

/// Formats a text as a JSON string (RFC 8259 §7).
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            '\0'..='\u{1F}' => {
                // Writing to a String does not fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

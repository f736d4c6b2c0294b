//! Values of the model as JSON (X.697), which the dynamic values are made from: DEFAULTs and single values.

use std::fmt::Write;

use tagwise_schema::Int;
use tagwise_schema::model::{Bits, Real, Value};

/// The JSON of a value; nothing for a REAL that no double holds.
// Recursion follows values in schemas, whose depth the compiler limits.
pub(crate) fn json(value: &Value) -> Option<String> {
    Some(match value {
        Value::Boolean(value) => value.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Enumerated(named) => quoted(&named.name),
        Value::Real(real) => return number(real),
        Value::BitString(bits) => bit_string(bits),
        Value::OctetString(octets) => quoted(&hex(octets)),
        Value::Null => "null".to_owned(),
        Value::ObjectIdentifier(arcs) | Value::RelativeOid(arcs) => {
            let arcs: Vec<String> = arcs.iter().map(Int::to_string).collect();
            quoted(&arcs.join("."))
        }
        Value::Iri(text) | Value::String(text) | Value::Time(text) => quoted(text),
        Value::Sequence(components) => {
            let members: Option<Vec<String>> =
                components.iter().map(|(name, value)| Some(format!("{}:{}", quoted(name), json(value)?))).collect();
            format!("{{{}}}", members?.join(","))
        }
        Value::SequenceOf(items) => {
            let items: Option<Vec<String>> = items.iter().map(json).collect();
            format!("[{}]", items?.join(","))
        }
        Value::Choice(name, value) => format!("{{{}:{}}}", quoted(name), json(value)?),
        Value::Open(_, value) => json(value)?,
        Value::Containing(_, value) => format!("{{\"containing\":{}}}", json(value)?),
        _ => return None,
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
    octets.iter().fold(String::new(), |mut text, octet| {
        // Writing to a String does not fail.
        let _ = write!(text, "{octet:02X}");
        text
    })
}

/// A JSON string (RFC 8259 §7).
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

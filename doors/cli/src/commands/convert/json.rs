//! Conversion between values and X.697 JSON, using the schema tables of their types.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tagwise_codec::table::Type;
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Options, ber};
use tagwise_input::{ValueKind, names};
use tagwise_show::render::json;

use crate::shared::refused::Refused;
use crate::shared::rules::every;

const SCHEMA: &str = "tagwise.convert/1";

/// A value in the JSON document.
#[derive(Serialize)]
pub(super) struct JsonValue {
    #[serde(rename = "type")]
    ty: &'static str,
    label: Option<String>,
    value: Box<RawValue>,
}

/// Creates a document entry from a value in any BER.
///
/// # Errors
/// Returns a description of the error if the value cannot be decoded.
pub(super) fn entry(
    octets: &[u8],
    start: usize,
    label: Option<&str>,
    tell: &mut dyn FnMut(String),
) -> Result<JsonValue, Refused> {
    let place = || if start == 0 { String::new() } else { format!("the value at byte {start}: ") };
    let refused = |error: Refused| error.inside(place());
    let ty = tagwise_input::content(octets)
        .kind()
        .map(ValueKind::ty)
        .ok_or_else(|| format!("{}unknown content", place()))?;
    let canonical = ber::to_der_as(ty, None, octets, &Options::ber_definite());
    let canonical = canonical.map_err(|error| refused(error.into()))?;
    let dynamic = Dynamic::new(ty).options(Options::der().rules(every()));
    let read = dynamic.decode(&canonical.bytes).map_err(|error| refused(error.into()))?;
    let json = tagwise_jer::to_string(dynamic.types(), &read.value);
    // JSON is converted back to the DER of the value; report that other bytes will not be restored.
    match back(ty, &json) {
        Ok(back) if back == octets => {}
        Ok(_) => tell(format!("{}not DER; converting the JSON back would produce DER", place())),
        Err(error) => tell(format!("{}the JSON cannot be converted back to DER: {error}", place())),
    }
    let value = json::raw(json).map_err(|error| refused(error.into()))?;
    Ok(JsonValue { ty: &ty.name, label: label.map(str::to_owned), value })
}

/// Encodes the entries as a JSON document.
///
/// # Errors
/// No error is expected, because writing to memory does not fail.
pub(super) fn document(entries: &[JsonValue]) -> io::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct Document<'d> {
        schema: &'static str,
        values: &'d [JsonValue],
    }
    let mut octets = Vec::new();
    json::line(&mut octets, &Document { schema: SCHEMA, values: entries })?;
    Ok(octets)
}

#[derive(Deserialize)]
struct Document<'d> {
    schema: String,
    #[serde(borrow)]
    values: Vec<Read<'d>>,
}

#[derive(Deserialize)]
struct Read<'d> {
    #[serde(rename = "type")]
    ty: String,
    label: Option<String>,
    #[serde(borrow)]
    value: &'d RawValue,
}

/// A value's PEM label, if any, and its bytes.
pub(super) type Made = (Option<String>, Vec<u8>);

/// Reads the values in a JSON document. Returns the PEM label and the DER of each.
///
/// # Errors
/// Returns a description of the error if the document is malformed or a value cannot be encoded.
pub(super) fn values(octets: &[u8]) -> Result<Vec<Made>, String> {
    let text = std::str::from_utf8(octets).map_err(|_error| "JSON must be UTF-8".to_owned())?;
    let document: Document<'_> = serde_json::from_str(text).map_err(|error| format!("unexpected JSON: {error}"))?;
    if document.schema != SCHEMA {
        return Err(format!("the schema is not {SCHEMA}"));
    }
    let mut values = Vec::new();
    for (index, read) in document.values.iter().enumerate() {
        let ty = names::find(&read.ty).ok_or_else(|| format!("value {index}: unknown type '{}'", read.ty))?;
        let der = back(ty, read.value.get()).map_err(|error| format!("value {index}: {error}"))?;
        let label = read.label.clone().or_else(|| ValueKind::of_type(ty).and_then(ValueKind::label).map(str::to_owned));
        values.push((label, der));
    }
    Ok(values)
}

fn back(ty: &'static Type, json: &str) -> Result<Vec<u8>, String> {
    let dynamic = Dynamic::new(ty);
    let value = tagwise_jer::from_str(&dynamic, json).map_err(|error| error.to_string())?;
    dynamic.encode(&value).map_err(|error| error.to_string())
}

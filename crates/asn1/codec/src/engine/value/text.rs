//! Conversion of strings, identifiers and times between text and content bytes.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Value, from_dotted, from_dotted_relative};
use crate::table::{Shape, StringKind, TimeKind};
use crate::types::{
    Bmp, Date, DateTime, Duration, IsoTime, Oid, OidIri, RelativeOid, RelativeOidIri, TimeOfDay, Universal, Utf8,
};

/// Returns the text of a value: see [`Value::text`].
pub(super) fn text(value: &Value<'_>) -> Option<String> {
    let content = value.der_content()?;
    Some(match &value.base.shape {
        Shape::ObjectIdentifier => value.view::<Oid<'_>>()?.to_string(),
        Shape::RelativeOid => value.view::<RelativeOid<'_>>()?.to_string(),
        Shape::OidIri => value.view::<OidIri<'_>>()?.as_str().to_owned(),
        Shape::RelativeOidIri => value.view::<RelativeOidIri<'_>>()?.as_str().to_owned(),
        Shape::String(StringKind::Utf8) => value.view::<Utf8<'_>>()?.as_str().to_owned(),
        Shape::String(StringKind::Bmp) => value.view::<Bmp<'_>>()?.to_string(),
        Shape::String(StringKind::Universal) => value.view::<Universal<'_>>()?.to_string(),
        // The other types say nothing about the characters of octets beyond ASCII.
        Shape::String(_) => core::str::from_utf8(&content).ok().filter(|text| text.is_ascii())?.to_owned(),
        Shape::Time(kind) => match kind {
            // As in value notation, with hyphens and colons.
            TimeKind::Date => value.view::<Date>()?.to_string(),
            TimeKind::TimeOfDay => value.view::<TimeOfDay>()?.to_string(),
            TimeKind::DateTime => value.view::<DateTime>()?.to_string(),
            TimeKind::Duration => value.view::<Duration<'_>>()?.to_string(),
            TimeKind::Time => value.view::<IsoTime<'_>>()?.as_str().to_owned(),
            TimeKind::Utc | TimeKind::Generalized => core::str::from_utf8(&content).ok()?.to_owned(),
        },
        _ => return None,
    })
}

/// Parses text in the form of [`Value::text`] to content bytes. Returns `None` if it is invalid for the type.
/// Constraints are checked when the value is created.
///
/// ```
/// use tagwise_codec::table::{Shape, TimeKind};
/// use tagwise_codec::value::from_text;
/// assert_eq!(from_text(&Shape::Time(TimeKind::Date), "2026-11-21").as_deref(), Some(&b"20261121"[..]));
/// assert_eq!(from_text(&Shape::Time(TimeKind::Date), "20261121"), None);
/// ```
#[must_use]
pub fn from_text(shape: &Shape, text: &str) -> Option<Vec<u8>> {
    let without = |marks: &[char]| Some(text.replace(marks, "").into_bytes());
    let shaped = |form: &[u8]| {
        let fits = |(octet, form): (u8, &u8)| if *form == b'0' { octet.is_ascii_digit() } else { octet == *form };
        text.len() == form.len() && text.bytes().zip(form).all(fits)
    };
    match shape {
        Shape::ObjectIdentifier => from_dotted(text),
        Shape::RelativeOid => from_dotted_relative(text),
        Shape::OidIri | Shape::RelativeOidIri => Some(text.as_bytes().to_vec()),
        Shape::String(StringKind::Bmp) => {
            let units = text.chars().map(|character| u16::try_from(u32::from(character)).ok());
            Some(units.collect::<Option<Vec<u16>>>()?.into_iter().flat_map(u16::to_be_bytes).collect())
        }
        Shape::String(StringKind::Universal) => {
            Some(text.chars().flat_map(|character| u32::from(character).to_be_bytes()).collect())
        }
        Shape::String(StringKind::Utf8) => Some(text.as_bytes().to_vec()),
        Shape::String(_) => text.is_ascii().then(|| text.as_bytes().to_vec()),
        Shape::Time(TimeKind::Date) if shaped(b"0000-00-00") => without(&['-']),
        Shape::Time(TimeKind::TimeOfDay) if shaped(b"00:00:00") => without(&[':']),
        Shape::Time(TimeKind::DateTime) if shaped(b"0000-00-00T00:00:00") => without(&['-', ':', 'T']),
        Shape::Time(TimeKind::Duration) => text.strip_prefix('P').map(|text| text.as_bytes().to_vec()),
        Shape::Time(TimeKind::Date | TimeKind::TimeOfDay | TimeKind::DateTime) => None,
        Shape::Time(_) => Some(text.as_bytes().to_vec()),
        _ => None,
    }
}

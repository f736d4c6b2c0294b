//! Text of values without components: decimal numbers, named bits and numbers, and named identifiers.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use super::{Value, decimal, leaf};
use crate::table::{NamedNumber, Shape, StringKind, TimeKind, Type, Typed};
use crate::text::visible;
use crate::types::{
    BitStr, Bmp, Date, DateTime, Duration, GeneralizedTime, Int, IsoTime, NamedBits, Oid, OidIri, Real, RelativeOid,
    RelativeOidIri, TimeOfDay, Universal, UtcTime, Utf8,
};
use crate::{Tag, any::Any};

/// Formatting options for a value without components.
#[derive(Clone, Copy)]
pub(crate) struct Look<'f> {
    /// The callback that returns names for object identifiers.
    pub(crate) oid_name: &'f dyn Fn(Oid<'_>) -> Option<String>,
    /// True if text is quoted.
    pub(crate) quoted: bool,
    /// The maximum number of bytes to show in hexadecimal. The rest are only counted.
    pub(crate) octets: usize,
}

/// Returns the text of a value without components, or `None` for other values.
pub(crate) fn leaf_text(value: &Value<'_>, look: Look<'_>) -> Option<String> {
    Some(text(&value.base.shape, value.content()?, look))
}

/// Returns the text of an element whose type is unknown, or `None` if it is constructed.
pub(crate) fn element_text(any: &Any<'_>, look: Look<'_>) -> Option<String> {
    if any.tag().is_constructed() {
        return None;
    }
    let ty = universal(any.tag());
    let shown = text(ty.map_or(&Shape::OctetString, |ty| &ty.shape), any.content(), look);
    Some(match ty {
        Some(_) => shown,
        None => alloc::format!("{} {shown}", any.tag()),
    })
}

/// Returns the built-in type without components that has this universal tag.
fn universal(tag: Tag) -> Option<&'static Type> {
    use crate::types::*;
    let types: [fn() -> &'static Type; 25] = [
        bool::ty,
        Int::ty,
        BitStr::ty,
        OctetStr::ty,
        Null::ty,
        Oid::ty,
        Real::ty,
        Enumerated::ty,
        Utf8::ty,
        RelativeOid::ty,
        Numeric::ty,
        Printable::ty,
        Teletex::ty,
        Ia5::ty,
        UtcTime::ty,
        GeneralizedTime::ty,
        Graphic::ty,
        Visible::ty,
        General::ty,
        Universal::ty,
        Bmp::ty,
        ObjectDescriptor::ty,
        Date::ty,
        DateTime::ty,
        TimeOfDay::ty,
    ];
    types.iter().map(|ty| ty()).find(|ty| ty.tag == Some(tag))
}

fn text(shape: &Shape, content: &[u8], look: Look<'_>) -> String {
    shown(shape, content, look).unwrap_or_else(|| hex(content, look.octets))
}

fn shown(shape: &Shape, content: &[u8], look: Look<'_>) -> Option<String> {
    let quote = |text: &str| {
        let text = visible(text);
        if look.quoted { alloc::format!("\"{text}\"") } else { text.to_string() }
    };
    Some(match shape {
        Shape::Boolean => String::from(if content == [0] { "FALSE" } else { "TRUE" }),
        Shape::Null => String::from("NULL"),
        Shape::Integer(names) => {
            let int = Int::from_signed(content);
            match name(names, int) {
                Some(name) => alloc::format!("{} ({name})", decimal(content)?),
                // Serial numbers and the like are compared in hexadecimal.
                None if int.as_bytes().len() > 8 => hex(int.as_bytes(), look.octets),
                None => decimal(content)?,
            }
        }
        Shape::Enumerated { items, .. } => {
            let number = decimal(content)?;
            match name(items, Int::from_signed(content)) {
                Some(name) => alloc::format!("{number} ({name})"),
                None => number,
            }
        }
        Shape::Real => leaf::view::<Real<'_>>(content).ok()?.to_string(),
        Shape::BitString(names) if !names.is_empty() => {
            let bits = leaf::view::<NamedBits<'_>>(content).ok()?;
            let names: Vec<String> =
                bits.iter().take(look.octets.saturating_mul(8)).map(|bit| bit_name(names, bit)).collect();
            if names.is_empty() { String::from("{}") } else { names.join(", ") }
        }
        Shape::BitString(_) => {
            let bits = leaf::view::<BitStr<'_>>(content).ok()?;
            let octets = hex(bits.as_bytes(), look.octets);
            match bits.octets() {
                Some(_) => octets,
                None => alloc::format!("{octets} ({} bits)", bits.bit_len()),
            }
        }
        Shape::OctetString => hex(content, look.octets),
        Shape::ObjectIdentifier => {
            let oid = leaf::view::<Oid<'_>>(content).ok()?;
            match (look.oid_name)(oid) {
                Some(name) => alloc::format!("{oid} ({})", visible(&name)),
                None => oid.to_string(),
            }
        }
        Shape::RelativeOid => leaf::view::<RelativeOid<'_>>(content).ok()?.to_string(),
        Shape::OidIri => quote(leaf::view::<OidIri<'_>>(content).ok()?.as_str()),
        Shape::RelativeOidIri => quote(leaf::view::<RelativeOidIri<'_>>(content).ok()?.as_str()),
        Shape::String(StringKind::Utf8) => quote(leaf::view::<Utf8<'_>>(content).ok()?.as_str()),
        Shape::String(StringKind::Bmp) => quote(&leaf::view::<Bmp<'_>>(content).ok()?.to_string()),
        Shape::String(StringKind::Universal) => quote(&leaf::view::<Universal<'_>>(content).ok()?.to_string()),
        Shape::String(_) => quote(core::str::from_utf8(content).ok()?),
        Shape::Time(kind) => match kind {
            TimeKind::Utc => leaf::view::<UtcTime>(content).ok()?.to_string(),
            TimeKind::Generalized => leaf::view::<GeneralizedTime<'_>>(content).ok()?.to_string(),
            TimeKind::Time => leaf::view::<IsoTime<'_>>(content).ok()?.to_string(),
            TimeKind::Date => leaf::view::<Date>(content).ok()?.to_string(),
            TimeKind::TimeOfDay => leaf::view::<TimeOfDay>(content).ok()?.to_string(),
            TimeKind::DateTime => leaf::view::<DateTime>(content).ok()?.to_string(),
            TimeKind::Duration => leaf::view::<Duration<'_>>(content).ok()?.to_string(),
        },
        _ => return None,
    })
}

fn name<'n>(names: &'n [NamedNumber], int: Int<'_>) -> Option<&'n str> {
    let number = i64::try_from(int).ok()?;
    let found = names.iter().find(|named| named.number == number && !named.name.is_empty())?;
    Some(&found.name)
}

fn bit_name(names: &[NamedNumber], bit: u64) -> String {
    let found = names.iter().find(|named| u64::try_from(named.number) == Ok(bit) && !named.name.is_empty());
    found.map_or_else(|| bit.to_string(), |named| String::from(&*named.name))
}

/// Formats up to `limit` bytes in hexadecimal.
pub(crate) fn hex(octets: &[u8], limit: usize) -> String {
    let mut text = crate::text::hex::encode(octets.get(..limit).unwrap_or(octets));
    if octets.len() > limit {
        let _ = write!(text, "… ({} bytes)", octets.len());
    }
    text
}

//! Types without components, implemented with the same Rust types as derived decoders.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec;

use crate::decode::DecodeValue;
use crate::encode::{EncodeError, EncodeValue};
pub(in crate::engine) use crate::engine::size::{lenient, size, view};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::pattern::{Matcher, Pattern};
use crate::reader::Reader;
use crate::table::{Shape, StringKind, TimeKind};
use crate::tag::Tag;
use crate::types::{
    BitStr, Bmp, Date, DateTime, Duration, Enumerated, General, GeneralizedTime, Graphic, Ia5, Int, IsoTime, NamedBits,
    Null, Numeric, ObjectDescriptor, OctetStr, Oid, OidIri, Printable, Real, RelativeOid, RelativeOidIri, Teletex,
    TimeOfDay, Universal, UtcTime, Utf8, Videotex, Visible,
};
use crate::writer::Writer;

/// Calls a function with the Rust type of a shape without components.
macro_rules! per_leaf {
    ($shape:expr, $call:ident($($argument:expr),*), else $other:expr) => {
        match $shape {
            Shape::Boolean => $call::<bool>($($argument),*),
            Shape::Integer(_) => $call::<Int<'_>>($($argument),*),
            Shape::Enumerated { .. } => $call::<Enumerated>($($argument),*),
            Shape::Real => $call::<Real<'_>>($($argument),*),
            Shape::BitString(names) if names.is_empty() => $call::<BitStr<'_>>($($argument),*),
            Shape::BitString(_) => $call::<NamedBits<'_>>($($argument),*),
            Shape::OctetString => $call::<OctetStr<'_>>($($argument),*),
            Shape::Null => $call::<Null>($($argument),*),
            Shape::ObjectIdentifier => $call::<Oid<'_>>($($argument),*),
            Shape::RelativeOid => $call::<RelativeOid<'_>>($($argument),*),
            Shape::OidIri => $call::<OidIri<'_>>($($argument),*),
            Shape::RelativeOidIri => $call::<RelativeOidIri<'_>>($($argument),*),
            Shape::String(StringKind::Utf8) => $call::<Utf8<'_>>($($argument),*),
            Shape::String(StringKind::Numeric) => $call::<Numeric<'_>>($($argument),*),
            Shape::String(StringKind::Printable) => $call::<Printable<'_>>($($argument),*),
            Shape::String(StringKind::Teletex) => $call::<Teletex<'_>>($($argument),*),
            Shape::String(StringKind::Videotex) => $call::<Videotex<'_>>($($argument),*),
            Shape::String(StringKind::Ia5) => $call::<Ia5<'_>>($($argument),*),
            Shape::String(StringKind::Graphic) => $call::<Graphic<'_>>($($argument),*),
            Shape::String(StringKind::Visible) => $call::<Visible<'_>>($($argument),*),
            Shape::String(StringKind::General) => $call::<General<'_>>($($argument),*),
            Shape::String(StringKind::Universal) => $call::<Universal<'_>>($($argument),*),
            Shape::String(StringKind::Bmp) => $call::<Bmp<'_>>($($argument),*),
            Shape::String(StringKind::ObjectDescriptor) => $call::<ObjectDescriptor<'_>>($($argument),*),
            Shape::Time(TimeKind::Utc) => $call::<UtcTime>($($argument),*),
            Shape::Time(TimeKind::Generalized) => $call::<GeneralizedTime<'_>>($($argument),*),
            Shape::Time(TimeKind::Time) => $call::<IsoTime<'_>>($($argument),*),
            Shape::Time(TimeKind::Date) => $call::<Date>($($argument),*),
            Shape::Time(TimeKind::TimeOfDay) => $call::<TimeOfDay>($($argument),*),
            Shape::Time(TimeKind::DateTime) => $call::<DateTime>($($argument),*),
            Shape::Time(TimeKind::Duration) => $call::<Duration<'_>>($($argument),*),
            _ => $other,
        }
    };
}

/// Returns the shape's own tag. Returns `None` if it has none, or if the tag is only in the table.
pub(super) fn tag(shape: &Shape) -> Option<Tag> {
    fn own<T: crate::decode::Tagged>() -> Option<Tag> {
        Some(T::TAG)
    }
    match shape {
        Shape::Sequence(_) | Shape::SequenceOf(_) => Some(Tag::SEQUENCE),
        Shape::Set(_) | Shape::SetOf(_) => Some(Tag::SET),
        shape => per_leaf!(shape, own(), else None),
    }
}

/// Decodes content of `len` bytes like the derived decoder. Returns `false` for a shape with components.
pub(super) fn read(shape: &Shape, reader: &mut Reader<'_, '_>, len: usize) -> Result<bool, Fault> {
    fn read<'a, T: DecodeValue<'a>>(reader: &mut Reader<'a, '_>, len: usize) -> Result<bool, Fault> {
        T::decode_value(reader, len).map(|_| true)
    }
    let at = reader.position();
    if let Shape::Enumerated { items, extensible } = shape {
        let Enumerated(number) = Enumerated::decode_value(reader, len)?;
        let known = *extensible || items.iter().any(|item| item.number == number);
        return if known { Ok(true) } else { Err(reader.fault(FaultKind::EnumeratedUnknown, at)) };
    }
    per_leaf!(shape, read(reader, len), else Ok(false))
}

/// Returns the DER content bytes of a value whose content may be in a form other than DER.
pub(super) fn canonical<'c>(shape: &Shape, content: &'c [u8]) -> Result<Cow<'c, [u8]>, EncodeError> {
    fn canonical<'c, T: DecodeValue<'c> + EncodeValue>(content: &'c [u8]) -> Result<Cow<'c, [u8]>, EncodeError> {
        if Reader::new(content).and_then(|mut reader| T::decode_value(&mut reader, content.len())).is_ok() {
            return Ok(Cow::Borrowed(content));
        }
        let value = view::<T>(content).map_err(|fault| EncodeError::new(fault.kind()))?;
        let mut octets = vec![0; value.value_len()];
        let mut writer = Writer::new(&mut octets);
        value.encode_value(&mut writer)?;
        if writer.free() != 0 {
            return Err(EncodeError::new(FaultKind::Internal));
        }
        Ok(Cow::Owned(octets))
    }
    per_leaf!(shape, canonical(content), else Err(EncodeError::new(FaultKind::Internal)))
}

/// Returns whether a string matches a regular expression.
pub(super) fn matches(shape: &Shape, content: &[u8], pattern: &Pattern) -> bool {
    let mut matcher = Matcher::new(pattern.steps());
    all_characters(shape, content, |point| matcher.feed(point)) && matcher.finish()
}

/// Calls `with` with the code point of each character of a string, until it returns `false`.
pub(super) fn all_characters(shape: &Shape, content: &[u8], mut with: impl FnMut(u32) -> bool) -> bool {
    match shape {
        Shape::String(StringKind::Utf8) => match view::<Utf8<'_>>(content) {
            Ok(text) => text.as_str().chars().all(|character| with(character.into())),
            Err(_) => true,
        },
        Shape::String(StringKind::Universal) => {
            view::<Universal<'_>>(content).map_or(true, |text| text.chars().all(|character| with(character.into())))
        }
        Shape::String(StringKind::Bmp) => {
            view::<Bmp<'_>>(content).map_or(true, |text| text.chars().all(|character| with(character.into())))
        }
        Shape::String(_) => content.iter().all(|octet| with(u32::from(*octet))),
        _ => true,
    }
}

/// Returns whether a time value has the properties listed in SETTINGS (X.680 §51.10). Returns `None` if this cannot be
/// determined.
pub(super) fn has_settings(value: &super::Value<'_>, settings: &str) -> Option<bool> {
    let Shape::Time(kind) = &value.base.shape else { return None };
    // The other types are TIME with settings (X.680 §38.4); their texts are those of TIME.
    let text = match kind {
        TimeKind::Time => return crate::types::has_settings(value.content()?, settings),
        TimeKind::Date => value.view::<crate::Date>()?.to_string(),
        TimeKind::TimeOfDay => value.view::<crate::TimeOfDay>()?.to_string(),
        TimeKind::DateTime => value.view::<crate::DateTime>()?.to_string(),
        TimeKind::Duration => value.view::<crate::Duration<'_>>()?.to_string(),
        TimeKind::Utc | TimeKind::Generalized => return None,
    };
    crate::types::has_settings(text.trim_end_matches('Z').as_bytes(), settings)
}

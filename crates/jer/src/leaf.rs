//! Types without parts: their content octets from JSON, and texts both ways.

use tagwise_codec::table::{Constraint, Shape, StringKind, TimeKind, Type};
use tagwise_codec::value::{Types, Value, from_dotted, from_dotted_relative};
use tagwise_codec::{
    Bmp, Date, DateTime, Duration, EncodeValue, IsoTime, Oid, OidIri, Real, RelativeOid, RelativeOidIri, TimeOfDay,
    Universal, Utf8, Writer,
};

/// The text of a value whose JSON is a string; nothing for other types, and for octets that are no text.
pub(crate) fn text(value: &Value<'_>) -> Option<String> {
    let content = value.der_content()?;
    Some(match &value.base().shape {
        Shape::ObjectIdentifier => value.view::<Oid<'_>>()?.to_string(),
        Shape::RelativeOid => value.view::<RelativeOid<'_>>()?.to_string(),
        Shape::OidIri => value.view::<OidIri<'_>>()?.as_str().to_owned(),
        Shape::RelativeOidIri => value.view::<RelativeOidIri<'_>>()?.as_str().to_owned(),
        Shape::String(StringKind::Utf8) => value.view::<Utf8<'_>>()?.as_str().to_owned(),
        Shape::String(StringKind::Bmp) => value.view::<Bmp<'_>>()?.to_string(),
        Shape::String(StringKind::Universal) => value.view::<Universal<'_>>()?.to_string(),
        // The other types say nothing about the characters of octets beyond ASCII.
        Shape::String(_) => std::str::from_utf8(&content).ok().filter(|text| text.is_ascii())?.to_owned(),
        Shape::Time(kind) => match kind {
            // As in value notation, with hyphens and colons.
            TimeKind::Date => value.view::<Date>()?.to_string(),
            TimeKind::TimeOfDay => value.view::<TimeOfDay>()?.to_string(),
            TimeKind::DateTime => value.view::<DateTime>()?.to_string().trim_end_matches('Z').to_owned(),
            TimeKind::Duration => value.view::<Duration<'_>>()?.to_string(),
            TimeKind::Time => value.view::<IsoTime<'_>>()?.as_str().to_owned(),
            _ => std::str::from_utf8(&content).ok()?.to_owned(),
        },
        _ => return None,
    })
}

/// The content octets of a value whose JSON is a string; nothing if the text is none of the type's. They are checked later.
pub(crate) fn content(shape: &Shape, text: &str) -> Option<Vec<u8>> {
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

/// The content octets of a value that encodes.
pub(crate) fn encoded(value: &impl EncodeValue) -> Option<Vec<u8>> {
    let mut octets = vec![0; value.value_len()];
    let mut writer = Writer::new(&mut octets);
    value.encode_value(&mut writer).ok()?;
    (writer.free() == 0).then_some(octets)
}

/// The number of a REAL with base 2, if a float holds it exactly.
pub(crate) fn float(real: Real<'_>) -> Option<f64> {
    let float = real.to_f64();
    (float.is_finite() && Real::from_f64(float) == real).then_some(float)
}

/// The content octets of a REAL with base 10, in its canonical form NR3 (X.690 §11.3.2), from a number of JSON's.
pub(crate) fn decimal_real(number: &str) -> Option<Vec<u8>> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        // Zero has no base; minus zero is a value of its own.
        return Some(if negative { vec![0x43] } else { Vec::new() });
    }
    let dropped = i64::try_from(digits.len() - significant.len()).ok()?;
    let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?;
    let sign = if negative { "-" } else { "" };
    let zero = if exponent == 0 { "+" } else { "" };
    Some(format!("\u{3}{sign}{significant}.E{zero}{exponent}").into_bytes())
}

/// The one size that a type and the constraints of its component allow.
pub(crate) fn fixed_size(types: Types<'_>, ty: &Type, constraints: &[Constraint]) -> Option<u64> {
    let fixed = |constraints: &[Constraint]| {
        constraints.iter().find_map(|constraint| match constraint {
            Constraint::Size { ranges, extensible: false } => match &**ranges {
                [range] if range.min == range.max => u64::try_from(range.min?).ok(),
                _ => None,
            },
            _ => None,
        })
    };
    let mut next = ty;
    let mut found = fixed(constraints);
    // As many names and tags as a sensible schema has.
    for _ in 0..64 {
        found = found.or_else(|| fixed(&next.constraints));
        match &next.shape {
            Shape::Named(inner) | Shape::Tagged { inner, .. } => match types.get(inner) {
                Some(inner) => next = inner,
                None => break,
            },
            _ => break,
        }
    }
    found
}

/// Octets in upper-case hexadecimal.
pub(crate) fn hex(octets: &[u8]) -> String {
    use std::fmt::Write;
    octets.iter().fold(String::with_capacity(octets.len().saturating_mul(2)), |mut text, octet| {
        // Writing to a String does not fail.
        let _ = write!(text, "{octet:02X}");
        text
    })
}

/// Octets from hexadecimal digits of either case.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |octet: u8| char::from(octet).to_digit(16).map(|digit| digit as u8);
    let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

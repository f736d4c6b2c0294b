//! Types without components: JSON conversions beyond the codec's own.

use tagwise_codec::table::{Constraint, Shape, Type};
use tagwise_codec::text::hex::Hex;
use tagwise_codec::value::Types;
use tagwise_codec::{EncodeValue, Real, Writer};

/// Returns the content bytes of a value, if it can be encoded.
pub(crate) fn encoded(value: &impl EncodeValue) -> Option<Vec<u8>> {
    let mut octets = vec![0; value.value_len()];
    let mut writer = Writer::new(&mut octets);
    value.encode_value(&mut writer).ok()?;
    (writer.free() == 0).then_some(octets)
}

/// Converts a base-2 REAL to a float, if the float is exact.
pub(crate) fn float(real: Real<'_>) -> Option<f64> {
    let float = real.to_f64();
    (float.is_finite() && Real::from_f64(float) == real).then_some(float)
}

/// Returns the fixed size of a type, if its constraints and its component's constraints allow only one size.
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

/// Formats bytes in uppercase hexadecimal.
pub(crate) fn hex(octets: &[u8]) -> String {
    format!("{:X}", Hex(octets))
}

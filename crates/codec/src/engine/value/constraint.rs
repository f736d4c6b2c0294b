//! What values obey besides their type (X.680 §51, X.682), as far as tables say it.

use super::{Data, Types, Value, leaf};
use crate::derived::Number;
use crate::encode::EncodeError;
use crate::fault::Fault;
use crate::kind::Kind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{ComponentConstraint, Constraint, Range, Shape, Type};

/// Which constraints of a type are asked for: those of one with an EXPLICIT tag hold before the end of the tag's content is
/// checked, what is code looks at the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// All of them.
    Both,
    /// All but code.
    Inside,
    /// Code.
    Outside,
}

/// Holds a value that was read to constraints, in their order. `position` is what faults are at: that of the element for those
/// of a component, that of the content for those of a type with a tag.
pub(super) fn check(
    types: Types<'_>,
    constraints: &[Constraint],
    value: &Value<'_>,
    reader: &Reader<'_, '_>,
    position: usize,
    when: When,
) -> Result<(), Fault> {
    for constraint in constraints {
        match constraint {
            Constraint::Check(check) if when != When::Inside => check(reader, position)?,
            Constraint::Check(_) => {}
            _ if when == When::Outside => {}
            constraint => match broken(types, constraint, value) {
                Some(Kind::Size) => reader.deviate(&Rule::SIZE, Kind::Size, position)?,
                Some(kind) => reader.deviate(&Rule::VALUE, kind, position)?,
                None => {}
            },
        }
    }
    Ok(())
}

/// Whether a native integer holds a number, if that is the type: the table of one is an INTEGER with its range and without
/// names, and what it cannot hold no rule tolerates. `u128` has a check of its own, for no range in a table ends where it does.
pub(super) fn is_held(ty: &Type, content: &[u8]) -> bool {
    let range = match (&ty.shape, &*ty.constraints) {
        (Shape::Integer(names), [Constraint::Value { ranges, extensible: false }])
            if names.is_empty() && *ty.name == *"INTEGER" =>
        {
            match &**ranges {
                [range] => *range,
                _ => return true,
            }
        }
        _ => return true,
    };
    const fn of(min: i128, max: i128) -> Range {
        Range { min: Some(min), max: Some(max) }
    }
    let natives = [
        of(i8::MIN as i128, i8::MAX as i128),
        of(i16::MIN as i128, i16::MAX as i128),
        of(i32::MIN as i128, i32::MAX as i128),
        of(i64::MIN as i128, i64::MAX as i128),
        of(i128::MIN, i128::MAX),
        of(0, u8::MAX as i128),
        of(0, u16::MAX as i128),
        of(0, u32::MAX as i128),
        of(0, u64::MAX as i128),
    ];
    !natives.contains(&range) || crate::Int::from_signed(content).within(range.min, range.max)
}

/// Holds a value that is written to constraints. What a [`Constraint::Check`] says is not asked for: it looks at encodings.
pub(super) fn check_encoded(
    types: Types<'_>,
    constraints: &[Constraint],
    value: &Value<'_>,
) -> Result<(), EncodeError> {
    match constraints.iter().find_map(|constraint| broken(types, constraint, value)) {
        Some(kind) => Err(EncodeError::new(kind)),
        None => Ok(()),
    }
}

/// The value that a constraint looks at: what a string contains has taken the string's place, as in the Rust type.
fn looked_at<'v, 'a>(value: &'v Value<'a>) -> &'v Value<'a> {
    match &value.data {
        Data::Containing(inner) => inner,
        _ => value,
    }
}

/// How a value breaks a constraint, if it does.
fn broken(types: Types<'_>, constraint: &Constraint, value: &Value<'_>) -> Option<Kind> {
    let value = looked_at(value);
    let kind = |within: bool| (!within).then_some(Kind::Value);
    match constraint {
        Constraint::Size { ranges, extensible: false } => {
            let size = i128::try_from(size(value)?).unwrap_or(i128::MAX);
            (!within(ranges, size)).then_some(Kind::Size)
        }
        Constraint::Value { ranges, extensible: false } => {
            let content = value.content()?;
            matches!(value.base.shape, crate::table::Shape::Integer(_)).then_some(())?;
            let number = crate::Int::from_signed(content);
            kind(ranges.iter().any(|range| number.within(range.min, range.max)))
        }
        Constraint::Alphabet { ranges, extensible: false } => {
            let content = value.content()?;
            kind(leaf::all_characters(&value.base.shape, content, |point| within(ranges, i128::from(point))))
        }
        Constraint::Values(values) => {
            let equal = |octets: &[u8]| {
                let session = leaf::lenient();
                let Ok(mut reader) = Reader::with_session(octets, &session) else { return false };
                super::decode::value(types, value.ty, &mut reader).is_ok_and(|single| single == *value)
            };
            kind(values.iter().any(|octets| equal(octets)))
        }
        Constraint::WithComponents { components, partial } => kind(with_components(types, components, *partial, value)),
        Constraint::WithComponent(constraints) => match &value.data {
            Data::Items(items) => {
                kind(items.iter().all(|item| constraints.iter().all(|one| broken(types, one, item).is_none())))
            }
            _ => None,
        },
        _ => None,
    }
}

fn within(ranges: &[Range], number: i128) -> bool {
    ranges.iter().any(|range| range.contains(number))
}

/// What SIZE counts.
fn size(value: &Value<'_>) -> Option<usize> {
    match &value.data {
        Data::Leaf(content) => leaf::size(&value.base.shape, content),
        Data::Items(items) => Some(items.len()),
        _ => None,
    }
}

/// WITH COMPONENTS (X.680 §51.8.8): without `...` what is not listed is absent.
fn with_components(types: Types<'_>, lines: &[ComponentConstraint], partial: bool, value: &Value<'_>) -> bool {
    let obeys = |line: &ComponentConstraint, inner: Option<&Value<'_>>| match inner {
        Some(inner) => {
            line.present != Some(false)
                && line.constraints.iter().all(|constraint| broken(types, constraint, inner).is_none())
        }
        None => line.present != Some(true),
    };
    let line = |name: &str| lines.iter().find(|line| *line.name == *name);
    match &value.data {
        Data::Components(components) => components.iter().all(|(field, inner)| match line(&field.name) {
            Some(line) => obeys(line, inner),
            None => partial || inner.is_none() || matches!(field.presence, crate::table::Presence::Required),
        }),
        Data::Alternative(chosen) => {
            let listed = line(&chosen.field.name);
            lines.iter().all(|line| *line.name == *chosen.field.name || line.present != Some(true))
                && listed.map_or(partial, |line| obeys(line, Some(&chosen.value)))
        }
        _ => true,
    }
}

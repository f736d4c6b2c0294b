//! Values outside the constraints of their type.

use std::cmp::Ordering;

use crate::Int;
use crate::model::{Condition, Constraints, End, Value};

/// Describes the constraint of its type that a value violates. Extensible constraints are satisfied by all values.
pub(crate) fn breaks(value: &Value, constraints: &Constraints) -> Option<String> {
    // A marker anywhere makes the whole extensible.
    let is_extensible = |bounds: &Option<crate::model::Bounds>| bounds.as_ref().is_some_and(|bounds| bounds.extensible);
    if is_extensible(&constraints.value)
        || is_extensible(&constraints.size)
        || constraints.values_extensible
        || constraints.extensible
        || constraints.alphabet.as_ref().is_some_and(|alphabet| alphabet.extensible)
    {
        return None;
    }
    let outside = |number: &Int, bounds: &Option<crate::model::Bounds>| {
        bounds.as_ref().is_some_and(|bounds| !bounds.extensible && !bounds.contains(number))
    };
    let number = match value {
        Value::Integer(number) => Some(number),
        Value::Enumerated(item) => Some(&item.number),
        _ => None,
    };
    if let Some(number) = number
        && outside(number, &constraints.value)
    {
        return Some(format!("{number} is outside the range of the type"));
    }
    let size = match value {
        Value::BitString(bits) => Some(bits.len),
        Value::OctetString(octets) => Some(octets.len()),
        Value::String(text) => Some(text.chars().count()),
        Value::SequenceOf(parts) => Some(parts.len()),
        _ => None,
    };
    if let Some(size) = size {
        let least = constraints.size.as_ref().and_then(|size| size.min()).and_then(Int::to_u64);
        // A value by named bits has as many zero bits behind as its size needs (X.680 §22.7).
        let is_padded = matches!(value, Value::BitString(_)) && least.is_some_and(|least| (size as u64) < least);
        if !is_padded && outside(&(size as i128).into(), &constraints.size) {
            return Some(format!("the size {size} is outside the range of the type"));
        }
    }
    if let (Value::String(text), Some(alphabet)) = (value, &constraints.alphabet)
        && !alphabet.extensible
    {
        let fits = |char: char| {
            let code = u32::from(char);
            alphabet.ranges.iter().any(|range| range.first <= code && code <= range.last)
        };
        if let Some(char) = text.chars().find(|char| !fits(*char)) {
            return Some(format!("the type does not allow the character {char:?}"));
        }
    }
    if let Some(values) = &constraints.values
        && !values.contains(value)
    {
        return Some("the type does not allow this value".to_owned());
    }
    constraints.further.iter().find_map(|condition| breaks_condition(value, condition))
}

/// Describes the condition that a value violates, as far as this can be determined without the value's components.
// Recursion follows conditions, whose depth is bounded where they are made.
fn breaks_condition(value: &Value, condition: &Condition) -> Option<String> {
    match condition {
        Condition::Any(parts) => {
            let first = parts.first().and_then(|part| breaks(value, part))?;
            parts.iter().all(|part| breaks(value, part).is_some()).then_some(first)
        }
        // Only of single values is it known that they are obeyed.
        Condition::Not(part) => {
            let is_one = part.values.as_ref().is_some_and(|values| values.contains(value));
            let other = Constraints { values: None, ..(**part).clone() };
            (is_one && other.is_empty()).then(|| "the type excludes this value".to_owned())
        }
        Condition::Between { min, max } => {
            let Value::Real(real) = value else { return None };
            let below = |end: &End| real.compare(&end.value) == Some(Ordering::Less);
            let above = |end: &End| real.compare(&end.value) == Some(Ordering::Greater);
            let is_outside = min.as_ref().is_some_and(below) || max.as_ref().is_some_and(above);
            is_outside.then(|| "the type does not allow the value".to_owned())
        }
    }
}

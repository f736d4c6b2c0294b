//! Resolves a path to the type of the component that it names, using only the schema tables.

use tagwise::codec::table::{Constraint, Shape, Type, TypeRef};
use tagwise::codec::value::Types;

/// Ranges of numbers. The last one may be unbounded.
pub(crate) type Sizes = Vec<(u64, Option<u64>)>;

/// The type and constraints of a component.
#[derive(Clone, Copy)]
pub(crate) struct Part<'s> {
    /// The component's type, before references are resolved to their base type.
    pub(crate) ty: &'s Type,
    /// The constraints that the component adds to the type.
    constraints: &'s [Constraint],
}

/// One step of a path: a name, or any item.
enum Step<'p> {
    Name(&'p str),
    Item,
}

/// Splits a path in the notation of error messages into steps. Returns `None` for other notations.
fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    for name in path.split('.').filter(|_| !path.is_empty()) {
        let (name, items) = match name.split_once('[') {
            Some((name, items)) => (name, Some(items)),
            None => (name, None),
        };
        match name {
            "" if items.is_some() && steps.is_empty() => {}
            "" => return None,
            name => steps.push(Step::Name(name)),
        }
        let Some(items) = items else { continue };
        for item in items.strip_suffix(']')?.split("][") {
            let known = item == "*" || (!item.is_empty() && item.bytes().all(|octet| octet.is_ascii_digit()));
            known.then(|| steps.push(Step::Item))?;
        }
    }
    Some(steps)
}

/// Returns the type that a path denotes within `ty`. Returns `None` if the type depends on the value, as for open types, or
/// if there is no such component.
pub(crate) fn part<'s>(types: Types<'s>, ty: &'s Type, path: &str) -> Option<Part<'s>> {
    let mut part = Part { ty, constraints: &[] };
    let mut contained = types.contained(ty);
    for step in steps(path)? {
        for _ in 0..64 {
            let base = types.base(part.ty);
            match (&base.shape, contained.take()) {
                (Shape::OctetString | Shape::BitString(_), Some(inner)) => {
                    part = Part { ty: inner, constraints: &[] };
                    contained = types.contained(inner);
                }
                _ => break,
            }
        }
        match (step, &types.base(part.ty).shape) {
            (Step::Item, Shape::SequenceOf(item) | Shape::SetOf(item)) => {
                part = Part { ty: types.get(item)?, constraints: &[] };
                contained = types.contained(part.ty);
            }
            (Step::Name(name), shape) => {
                let fields = match shape {
                    Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => &fields.list,
                    Shape::Choice { alternatives, .. } => alternatives,
                    _ => return None,
                };
                let field = fields.iter().find(|field| *field.name == *name)?;
                part = Part { ty: types.get(&field.ty)?, constraints: &field.constraints };
                contained = types.contained_in(field);
            }
            _ => return None,
        }
    }
    Some(part)
}

impl<'s> Part<'s> {
    /// Returns the item type if this is a list, and whether it is a SEQUENCE OF.
    pub(crate) fn items(&self, types: Types<'s>) -> Option<(TypeRef, bool)> {
        match &types.base(self.ty).shape {
            Shape::SequenceOf(item) => Some((*item, true)),
            Shape::SetOf(item) => Some((*item, false)),
            _ => None,
        }
    }

    /// Returns the numbers of items that the SIZE constraints allow, as a list of ranges for each constraint. Returns `None` if there are
    /// other constraints.
    pub(crate) fn sizes(&self, types: Types<'s>) -> Option<Vec<Sizes>> {
        let mut sizes = Vec::new();
        narrow(&mut sizes, self.constraints)?;
        let mut next = Some(self.ty);
        for _ in 0..64 {
            let Some(ty) = next else { break };
            narrow(&mut sizes, &ty.constraints)?;
            next = match &ty.shape {
                Shape::Named(inner) | Shape::Tagged { inner, .. } => types.get(inner),
                _ => None,
            };
        }
        Some(sizes)
    }
}

fn narrow(sizes: &mut Vec<Sizes>, constraints: &[Constraint]) -> Option<()> {
    for constraint in constraints {
        let Constraint::Size { ranges, extensible } = constraint else { return None };
        if !extensible {
            let number = |end: Option<i128>| end.and_then(|end| u64::try_from(end).ok());
            sizes.push(ranges.iter().map(|range| (number(range.min).unwrap_or_default(), number(range.max))).collect());
        }
    }
    Some(())
}

//! Finds secret components within a type.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::table::{Constraint, Fields, Schema, Shape, Type, TypeRef};

/// Returns whether a value of `ty` can contain a component or type that is marked `secret`.
pub(crate) fn reaches_secret(ty: &Type, schema: Option<&Schema>) -> bool {
    reaches(ty, schema, true)
}

/// Like `reaches_secret`, but ignores the contents of open types.
#[cfg(feature = "serde")]
pub(crate) fn has_secret(ty: &Type) -> bool {
    reaches(ty, None, false)
}

fn reaches(ty: &Type, schema: Option<&Schema>, through_open_types: bool) -> bool {
    // Addresses only tell what need not be looked at again: were there two tables of one type, both would be looked at.
    let mut met = BTreeSet::new();
    let mut open = Vec::from([ty]);
    while let Some(ty) = open.pop() {
        let mut secret = ty.secret;
        if !met.insert(core::ptr::from_ref(ty).addr()) {
            continue;
        }
        let mut follow = |reference: &TypeRef| open.extend(reference.get(schema));
        contained(&ty.constraints).for_each(&mut follow);
        match &ty.shape {
            Shape::Sequence(Fields { list, .. })
            | Shape::Set(Fields { list, .. })
            | Shape::Presentation(Fields { list, .. })
            | Shape::Choice { alternatives: list, .. } => {
                for field in list.iter() {
                    follow(&field.ty);
                    field.containing.iter().chain(contained(&field.constraints)).for_each(&mut follow);
                }
                secret |= list.iter().any(|field| field.secret);
            }
            Shape::SequenceOf(inner) | Shape::SetOf(inner) | Shape::Tagged { inner, .. } | Shape::Named(inner) => {
                follow(inner);
            }
            Shape::Open { set: Some(set), .. } if through_open_types => {
                let objects = set.get(schema).into_iter().flat_map(|set| set.objects.iter());
                objects.for_each(|object| follow(&object.ty));
            }
            _ => {}
        }
        if secret {
            return true;
        }
    }
    false
}

fn contained(constraints: &[Constraint]) -> impl Iterator<Item = &TypeRef> {
    constraints.iter().filter_map(|constraint| match constraint {
        Constraint::Containing(ty) => Some(ty),
        _ => None,
    })
}

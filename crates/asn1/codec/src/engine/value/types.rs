//! Resolves references in a table.

use alloc::vec::Vec;

use super::constraint::real_base;
use super::{Value, leaf};
use crate::engine::Tables;
use crate::engine::contained::{contained, contained_in};
use crate::options::Registered;
use crate::table::{Constraint, Field, ObjectSet, Schema, Shape, Type, TypeRef};
use crate::tag::Tag;

/// The maximum number of directly nested names, tags and CHOICEs. Compiled schemas contain only a few, but a table built at
/// run time may refer to itself.
pub(super) const LAYERS: usize = 64;

/// The context that resolves table references: a schema for indices, and additional object set entries from the caller.
#[derive(Clone, Copy, Debug, Default)]
pub struct Types<'s> {
    pub(super) schema: Option<&'s Schema>,
    pub(super) registered: &'s [Registered],
}

impl<'s> Types<'s> {
    /// Creates a context for types indexed in a schema.
    #[must_use]
    pub const fn of(schema: &'s Schema) -> Self {
        Self { schema: Some(schema), registered: &[] }
    }

    /// Returns the schema that indices refer to.
    #[must_use]
    pub const fn schema(self) -> Option<&'s Schema> {
        self.schema
    }

    pub(crate) const fn tables(self) -> Tables<'s> {
        Tables { schema: self.schema, registered: self.registered }
    }

    /// Returns the referenced type.
    #[inline]
    #[must_use]
    pub fn get(self, reference: &TypeRef) -> Option<&'s Type> {
        reference.get(self.schema)
    }

    /// Returns the underlying type, without names and tags.
    #[must_use]
    pub fn base(self, mut ty: &'s Type) -> &'s Type {
        for _ in 0..LAYERS {
            match &ty.shape {
                Shape::Named(inner) | Shape::Tagged { inner, .. } => match self.get(inner) {
                    Some(inner) => ty = inner,
                    None => break,
                },
                _ => break,
            }
        }
        ty
    }

    /// Returns the type that a key selects in an object set.
    #[must_use]
    pub fn select(self, set: &'s ObjectSet, key: &[u8]) -> Option<&'s Type> {
        self.tables().find(set, key)
    }

    /// Returns the type whose encoding is the content of an OCTET STRING or BIT STRING type (X.682 §11). Returns `None` if
    /// the type specifies none.
    #[must_use]
    pub fn contained(self, ty: &'s Type) -> Option<&'s Type> {
        let mut next = Some(ty);
        for _ in 0..LAYERS {
            let ty = next?;
            if let Some(inner) = contained(ty) {
                return self.get(&inner);
            }
            next = match &ty.shape {
                Shape::Named(inner) | Shape::Tagged { inner, .. } => self.get(inner),
                _ => None,
            };
        }
        None
    }

    /// Like [`contained`](Self::contained), for a component, whose own constraints take precedence.
    #[must_use]
    pub fn contained_in(self, field: &Field) -> Option<&'s Type> {
        match contained_in(field) {
            Some(inner) => self.get(&inner),
            None => self.contained(self.get(&field.ty)?),
        }
    }

    /// Calls `with` with a component's DEFAULT value. Returns `None` if the component has no DEFAULT.
    pub fn with_default<R>(self, field: &Field, with: impl FnOnce(&Value<'_>) -> R) -> Option<R> {
        super::decode::with_default(self, field, with)
    }

    /// Returns the smallest size of at least `size` that the SIZE constraints of a type and of its component permit. Returns
    /// `None` if there is none, or if it is too large for a list of flags.
    pub(super) fn least_size(self, ty: &'s Type, constraints: &[Constraint], size: usize) -> Option<usize> {
        const MAX: i128 = 1 << 16;
        let lists = self.lists(ty, constraints);
        let mut least = i128::try_from(size).ok()?;
        // Each constraint may require more than the one before.
        for _ in 0..LAYERS {
            let before = least;
            least = lists.iter().flat_map(|list| list.iter()).fold(least, raised);
            if least == before {
                break;
            }
        }
        usize::try_from(least).ok().filter(|_| least <= MAX)
    }

    /// Returns the base to which the constraints of a REAL type and of its component limit its values, such as
    /// `WITH COMPONENTS {..., base (2)}` (X.680 §21.5): 2 or 10. Returns `None` if both are permitted.
    #[must_use]
    pub fn real_base(self, ty: &'s Type, constraints: &[Constraint]) -> Option<u8> {
        self.lists(ty, constraints).into_iter().flatten().find_map(real_base)
    }

    /// Returns the constraints of a component, and those of its type and of the types that it references or tags.
    pub(super) fn lists<'x>(self, mut ty: &'s Type, constraints: &'x [Constraint]) -> Vec<&'x [Constraint]>
    where
        's: 'x,
    {
        let mut lists: Vec<&[Constraint]> = Vec::from([constraints]);
        for _ in 0..LAYERS {
            lists.push(&ty.constraints);
            match &ty.shape {
                Shape::Named(inner) | Shape::Tagged { inner, .. } => match self.get(inner) {
                    Some(inner) => ty = inner,
                    None => break,
                },
                _ => break,
            }
        }
        lists
    }

    /// Returns whether a type, or one that it references or tags, is marked `secret`.
    pub(super) fn is_secret(self, mut ty: &'s Type) -> bool {
        for _ in 0..LAYERS {
            if ty.secret {
                return true;
            }
            match &ty.shape {
                Shape::Named(inner) | Shape::Tagged { inner, .. } => match self.get(inner) {
                    Some(inner) => ty = inner,
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// Returns the outermost tag of a type. `None` for CHOICE and open types.
    #[inline]
    pub(super) fn tag(self, ty: &'s Type) -> Option<Tag> {
        if ty.tag.is_some() { ty.tag } else { self.derived_tag(ty) }
    }

    fn derived_tag(self, mut ty: &'s Type) -> Option<Tag> {
        let mut implicit: Option<Tag> = None;
        for _ in 0..LAYERS {
            let own = ty.tag.or_else(|| leaf::tag(&ty.shape));
            if let Some(own) = own {
                return Some(implicit.map_or(own, |tag| tag.formed_like(own)));
            }
            match &ty.shape {
                Shape::Named(inner) => ty = self.get(inner)?,
                Shape::Tagged { tagging, inner } => {
                    let tag = implicit.unwrap_or(tagging.tag);
                    if tagging.explicit {
                        return Some(tag.constructed());
                    }
                    implicit = Some(tag);
                    ty = self.get(inner)?;
                }
                // X.680 §31.2.7: what has no tag of its own is tagged explicitly.
                _ => return implicit.map(Tag::constructed),
            }
        }
        None
    }
}

/// Returns the smallest size of at least `size` that a constraint permits, or `size` if there is none.
// Recursion follows the constraints in the schema.
fn raised(size: i128, constraint: &Constraint) -> i128 {
    match constraint {
        Constraint::Size { ranges, extensible: false } => {
            let fitting = ranges.iter().filter(|range| range.max.is_none_or(|max| size <= max));
            fitting.map(|range| range.min.map_or(size, |min| min.max(size))).min().unwrap_or(size)
        }
        Constraint::AllOf(parts) => parts.iter().fold(size, raised),
        _ => size,
    }
}

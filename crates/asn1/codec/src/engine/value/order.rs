//! The order in which components are read from text, where all of them are at hand: those that select types come first.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::Types;
use crate::table::{Field, Fields, Shape, Type};

impl<'s> Types<'s> {
    /// Lists the components of a SEQUENCE or SET in an order in which open types come after their selectors (X.682 §10.7): first
    /// the components without open types, then those with an open type in one of their parts, then the open types themselves.
    #[must_use]
    pub fn reading_order(self, fields: &'s Fields) -> Vec<(usize, &'s Field)> {
        let mut list: Vec<_> = fields.list.iter().enumerate().collect();
        // Every selector belongs to an object set.
        if self.schema.is_none_or(|schema| !schema.sets.is_empty()) {
            list.sort_by_cached_key(|(_, field)| {
                let (ty, contained) = (self.get(&field.ty), self.contained_in(field));
                let is_open = |ty: &'s Type| matches!(self.base(ty).shape, Shape::Open { set: Some(_), .. });
                match ty.is_some_and(is_open) || contained.is_some_and(is_open) {
                    true => 2,
                    false => u8::from(self.has_open(ty.into_iter().chain(contained).collect())),
                }
            });
        }
        list
    }

    /// Returns whether one of the types, or a part of them, is an open type with a selector.
    fn has_open(self, mut next: Vec<&'s Type>) -> bool {
        let mut seen = BTreeSet::new();
        while let Some(ty) = next.pop() {
            let base = self.base(ty);
            if !seen.insert((core::ptr::from_ref(ty), core::ptr::from_ref(base))) {
                continue;
            }
            let fields =
                |list: &'s [Field]| list.iter().flat_map(|field| [self.get(&field.ty), self.contained_in(field)]);
            match &base.shape {
                Shape::Open { set: Some(_), .. } => return true,
                Shape::Sequence(list) | Shape::Set(list) | Shape::Presentation(list) => {
                    next.extend(fields(&list.list).flatten());
                }
                Shape::Choice { alternatives, .. } => next.extend(fields(alternatives).flatten()),
                Shape::SequenceOf(item) | Shape::SetOf(item) => next.extend(self.get(item)),
                Shape::OctetString | Shape::BitString(_) => next.extend(self.contained(ty)),
                _ => {}
            }
        }
        false
    }
}

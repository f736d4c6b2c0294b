//! Lookup of components, alternatives, items and bits by name, in values, constraints and selections.

use std::collections::HashMap;
use std::rc::Rc;

use crate::model::{Fields, Presence, Shape, TypeId};
use crate::resolve::{Resolver, State};

/// The names of a type's components, alternatives, items or bits.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// The index of the first component or item with each name.
    places: HashMap<String, usize>,
    /// The indices of the required components.
    pub(crate) required: Vec<usize>,
}

impl Names {
    fn of(shape: &Shape) -> Self {
        let mut names = Self::default();
        let mut add = |index: usize, name: &String| {
            names.places.entry(name.clone()).or_insert(index);
        };
        match shape {
            Shape::Integer(list) | Shape::BitString(list) => {
                list.iter().enumerate().for_each(|(index, one)| add(index, &one.name));
            }
            Shape::Enumerated(list) => list.items.iter().enumerate().for_each(|(index, one)| add(index, &one.name)),
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields) | Shape::InstanceOf { fields, .. } => {
                fields.list.iter().enumerate().for_each(|(index, field)| add(index, &field.name));
                names.required = required(fields);
            }
            _ => {}
        }
        names
    }

    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}

fn required(fields: &Fields) -> Vec<usize> {
    let additions = fields.marker.map_or(0..0, |marker| marker.start..marker.end);
    let is_required = |index: usize| !additions.contains(&index);
    let list = fields.list.iter().enumerate();
    let required = list.filter(|(index, field)| matches!(field.presence, Presence::Required) && is_required(*index));
    required.map(|(index, _)| index).collect()
}

impl Resolver<'_> {
    /// Returns the names in a type that is not a reference. They are collected on first use.
    pub(crate) fn names_in(&mut self, base: TypeId) -> Rc<Names> {
        if let Some(names) = self.named.get(&base) {
            return Rc::clone(names);
        }
        let Some(ty) = self.model.ty(base) else { return Rc::default() };
        let names = Rc::new(Names::of(&ty.shape));
        let bytes = names.places.keys().map(|name| 64 + name.len() as u64).sum();
        let _ = self.spend(self.span_of_type(base), bytes);
        // Before its structure is there, a type has none.
        if self.info(base).is_some_and(|info| info.state == State::Done) {
            self.named.insert(base, Rc::clone(&names));
        }
        names
    }

    /// Returns the type of the component or alternative with the given name.
    pub(crate) fn component_of(&mut self, base: TypeId, name: &str) -> Option<TypeId> {
        let place = self.names_in(base).place(name)?;
        match &self.model.ty(base)?.shape {
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields) | Shape::InstanceOf { fields, .. } => {
                fields.list.get(place).map(|field| field.ty)
            }
            _ => None,
        }
    }
}

//! Open types and component relations whose selectors follow them: their values are decoded or checked when the components
//! around them are known (X.682 §10.7). In text, where all components are at hand, selectors are read first.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::slice;

use super::constraint::{self, Listed, When, selectors};
use super::decode::{At, Expect, element};
use super::open::Scope;
use super::{Data, Types, Value};
use crate::fault::Fault;
use crate::open::tolerant;
use crate::options::Session;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Constraint, Field, Fields, Shape, Type};

/// A step of the path to a part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// A component or an alternative.
    Name(&'a str),
    /// An element of a list.
    Item(usize),
}

/// A value of an open type whose selector follows it, or a string that contains such a value.
#[derive(Clone, Copy, Debug)]
pub struct Late<'v, 'a> {
    /// The value: of unknown type, or the bytes of a string.
    pub value: &'v Value<'a>,
    /// The type that the selector determines.
    pub selected: &'a Type,
    /// The index of the selected object in its set. `None` for a type that was added with
    /// [`Options::register`](crate::Options::register).
    pub object: Option<usize>,
    /// The components around the value.
    pub scope: Option<&'v Scope<'v, 'a>>,
    /// The path of the value.
    pub path: &'v [Part<'a>],
    /// The number of further levels allowed.
    pub depth: u32,
}

/// Decodes a value whose type has become known. Returns `None` to leave it as it is.
type Read<'r, 'a, E> = dyn FnMut(Late<'_, 'a>) -> Result<Option<Value<'a>>, E> + 'r;

impl<'a> Value<'a> {
    /// Calls `read` with each part of unknown type whose selector is known by now, and replaces it with the result. Parts of
    /// results are visited, too. `depth` is the number of levels allowed.
    ///
    /// # Errors
    /// Returns the first error of `read`.
    pub fn resolve<E>(&mut self, types: Types<'a>, depth: u32, read: &mut Read<'_, 'a, E>) -> Result<(), E> {
        Walk { types, path: Vec::new(), read, check: None }.value(self, None, None, depth)
    }
}

/// Checks a value against the constraints of its component and type.
type Check<'r, 'a, E> = dyn FnMut(&Value<'a>, &'a [Constraint], Option<&Scope<'_, 'a>>) -> Result<(), E> + 'r;

struct Walk<'w, 'r, 'a, E> {
    types: Types<'a>,
    path: Vec<Part<'a>>,
    read: &'w mut Read<'r, 'a, E>,
    check: Option<&'w mut Check<'r, 'a, E>>,
}

impl<'a, E> Walk<'_, '_, 'a, E> {
    // Recursion is as deep as the value, which was decoded within the budget.
    fn value(
        &mut self,
        value: &mut Value<'a>,
        field: Option<&'a Field>,
        scope: Option<&Scope<'_, 'a>>,
        depth: u32,
    ) -> Result<(), E> {
        let containing = field.and_then(|field| self.types.contained_in(field));
        let open = match &value.data {
            Data::Unknown(_) => Some(value.base),
            Data::Foreign(part) if part.number.is_none() => Some(value.base),
            Data::Leaf(_) => containing.or_else(|| self.types.contained(value.ty)).map(|ty| self.types.base(ty)),
            _ => None,
        };
        if let Some((object, selected)) = open.and_then(|open| self.types.selected_object(open, scope))
            && let Some(found) = (self.read)(Late { value, selected, object, scope, path: &self.path, depth })?
        {
            let secret = value.secret;
            *value = found;
            value.secret |= secret;
        }
        let depth = depth.saturating_sub(1);
        match &mut value.data {
            Data::Components(components) => {
                let fields = components.fields;
                for (current, field) in fields.list.iter().enumerate() {
                    let Some(mut part) = components.slots.get_mut(current).and_then(Option::take) else { continue };
                    self.path.push(Part::Name(&field.name));
                    let slots = &components.slots;
                    let inner = Scope { fields, slots, current, is_partial: false, ahead: None, outer: scope };
                    self.value(&mut part, Some(field), Some(&inner), depth)?;
                    self.path.pop();
                    if let Some(slot) = components.slots.get_mut(current) {
                        *slot = Some(part);
                    }
                }
            }
            Data::Items(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.path.push(Part::Item(index));
                    self.value(item, None, scope, depth)?;
                    self.path.pop();
                }
            }
            Data::Alternative(alternative) => {
                self.path.push(Part::Name(&alternative.field.name));
                self.value(&mut alternative.value, Some(alternative.field), scope, depth)?;
                self.path.pop();
            }
            Data::Containing(inner) => self.value(inner, None, scope, depth)?,
            Data::Leaf(_) | Data::Unknown(_) | Data::Foreign(_) => {}
        }
        match &mut self.check {
            Some(check) => check(value, field.map_or(&[], |field| &field.constraints), scope),
            None => Ok(()),
        }
    }
}

/// The type of a value whose selector follows it.
#[derive(Debug)]
pub(super) struct Selection {
    /// The offset of the value in the input.
    pub(super) offset: usize,
    /// The index of the selected object in its set. `None` for a type that the caller added.
    pub(super) object: Option<usize>,
}

/// Decodes the values in BER whose selectors follow them, checks component relations, and returns the selected types.
pub(super) fn resolve<'a>(
    at: At<'_, 'a>,
    value: &mut Value<'a>,
    session: &Session<'_>,
    depth: u32,
) -> Result<Vec<Selection>, Fault> {
    let mut selections = Vec::new();
    let mut read = |late: Late<'_, 'a>| read(at, late, session, &mut selections);
    let mut check = |value: &Value<'a>, constraints: &'a [Constraint], scope: Option<&Scope<'_, 'a>>| {
        check_relations(At { scope, ..at }, value, constraints, session)
    };
    let mut walk = Walk { types: at.types, path: Vec::new(), read: &mut read, check: Some(&mut check) };
    walk.value(value, None, None, depth)?;
    Ok(selections)
}

/// Checks the component relations of a value, all of whose selectors are known. Those that were tolerated are not noted again.
fn check_relations<'a>(
    at: At<'_, 'a>,
    value: &Value<'a>,
    constraints: &'a [Constraint],
    session: &Session<'_>,
) -> Result<(), Fault> {
    for constraint in at.types.lists(value.ty, constraints).into_iter().flatten() {
        if selectors(slice::from_ref(constraint)).is_empty() {
            continue;
        }
        let octets = value.as_bytes().unwrap_or_default();
        let mut reader = Reader::with_session(octets, session)?.at_base(value.offset());
        reader.take(octets.len())?;
        let noted = session.noted();
        let listed = Listed::of(slice::from_ref(constraint));
        constraint::check(at.judge(&reader), listed, value, &reader, 0, When::Both)?;
        session.forget_repeated(noted);
    }
    Ok(())
}

fn read<'a>(
    at: At<'_, 'a>,
    late: Late<'_, 'a>,
    session: &Session<'_>,
    selections: &mut Vec<Selection>,
) -> Result<Option<Value<'a>>, Fault> {
    let Late { value, selected, .. } = late;
    let octets: &'a [u8] = match (&value.data, &value.base.shape) {
        (Data::Unknown(Cow::Borrowed(octets)), _) => octets,
        (Data::Leaf(Cow::Borrowed(octets)), Shape::OctetString) => octets,
        (Data::Leaf(Cow::Borrowed([0, octets @ ..])), Shape::BitString(_)) => octets,
        _ => return Ok(None),
    };
    let end = value.offset().saturating_add(value.octets.as_ref().map_or(octets.len(), |whole| whole.len()));
    let start = end.saturating_sub(octets.len());
    // What was read and then abandoned stays as it is.
    if session.has_noted(&Rule::OPEN_TYPE, start..end) {
        return Ok(None);
    }
    let mut reader = Reader::with_session(octets, session)?.at_base(start).at_depth(late.depth);
    let expect = Expect { ty: selected, implicit: None, containing: None };
    let inside = At { scope: late.scope, ..at };
    let noted = session.noted();
    let Some(found) = tolerant(&mut reader, true, |reader| element(inside, expect, reader))? else {
        session.forget_repeated(noted);
        return Ok(None);
    };
    selections.push(Selection { offset: start, object: late.object });
    Ok(Some(match value.data {
        Data::Unknown(_) => found,
        _ => Value { data: Data::Containing(Box::new(found)), ..value.clone() },
    }))
}

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

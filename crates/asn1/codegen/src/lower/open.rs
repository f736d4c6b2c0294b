//! Lowers open types: object sets become items with one alternative per selected type.

use tagwise_schema::model::{OpenType, SetId, Shape, Table, Tagging, TypeId, Value};

use super::plan::{self, Body, Builtin, Component, Held, ItemId, Repr, Row, Wrapper};
use super::scope::Scope;
use super::{Lower, Spot};
use crate::names::Words;
use crate::overlay::FieldOverlay;

impl<'m> Lower<'m, '_> {
    /// Lowers a component whose type is selected by a preceding component. Returns `None` for other components.
    pub(super) fn open_component(
        &mut self,
        id: TypeId,
        before: &mut [Component],
        set: bool,
        spot: &Spot,
        overlay: Option<&FieldOverlay>,
    ) -> Option<Held> {
        let wish = overlay.and_then(|overlay| overlay.open.as_deref());
        if wish == Some("any") || overlay.is_some_and(|overlay| overlay.path.is_some()) {
            return None;
        }
        let Some((open, tags, wrapper)) = self.open_behind(id) else { return self.open_list(id, before, set, spot) };
        let table = open.table.as_ref()?;
        let Some(defined_by) = self.selector(table, before).filter(|_| !set) else {
            // No preceding component selects the type. The types of the set are emitted nevertheless, for explicit lookups.
            self.open_item(open, spot);
            return None;
        };
        let item = self.open_item(open, spot)?;
        let mut held = Held::plain(Repr::Open(item, wish == Some("now")));
        (held.defined_by, held.wrapper) = (Some(defined_by), wrapper);
        match tags.as_slice() {
            [] => {}
            [tag] => held.tag = Some(*tag),
            // The codec's derive has no form for this.
            _ => return None,
        }
        Some(held)
    }

    /// Lowers a list of open types whose element type is selected by a preceding component.
    fn open_list(&mut self, id: TypeId, before: &mut [Component], set: bool, spot: &Spot) -> Option<Held> {
        let ty = self.model.ty(id)?;
        let element = match (&ty.shape, ty.tags.as_slice()) {
            (Shape::SequenceOf(item) | Shape::SetOf(item), []) => item.ty,
            _ => return None,
        };
        let (open, tags, None) = self.open_behind(element)? else { return None };
        let table = open.table.as_ref().filter(|_| tags.is_empty() && !set)?;
        let defined_by = self.selector(table, before)?;
        let item = self.open_item(open, spot)?;
        let mut held = self.held(id, spot);
        held.repr = Repr::OpenList(item, matches!(ty.shape, Shape::SetOf(_)));
        held.defined_by = Some(defined_by);
        Some(held)
    }

    /// Returns the open type inside an unnamed type's tags and, possibly, inside a string.
    fn open_behind(&self, id: TypeId) -> Option<(&'m OpenType, Vec<Tagging>, Option<Wrapper>)> {
        let mut tags = Vec::new();
        let mut ty = self.model.ty(id)?;
        for _ in 0..self.model.types.len() {
            tags.extend(&ty.tags);
            let wrapper = match &ty.shape {
                Shape::Reference(target) => {
                    ty = self.model.ty(*target)?;
                    continue;
                }
                Shape::Open(open) => return open.fixed.is_none().then_some((open, tags, None)),
                Shape::OctetString => Wrapper::OctetString,
                Shape::BitString(_) => Wrapper::BitString,
                _ => return None,
            };
            let contents = ty.effective.contents.as_ref().filter(|contents| contents.encoded_by.is_none())?;
            let inner = self.model.ty(contents.ty?)?;
            return match &inner.shape {
                Shape::Open(open) if inner.tags.is_empty() && open.fixed.is_none() => Some((open, tags, Some(wrapper))),
                _ => None,
            };
        }
        None
    }

    /// Returns the path to the selecting component, as names in the target language.
    fn selector(&self, table: &Table, before: &mut [Component]) -> Option<Vec<String>> {
        match table.selectors.as_slice() {
            [selector] if selector.up == 0 => self.selects(before, &selector.path),
            _ => None,
        }
    }

    /// Returns the item for an object set and a field of its class. Returns `None` if no object is identifiable by a key.
    fn open_item(&mut self, open: &OpenType, spot: &Spot) -> Option<ItemId> {
        let table = open.table.as_ref()?;
        let key = (table.set, open.field.clone());
        if let Some(item) = self.by_set.get(&key) {
            return Some(*item);
        }
        let rows = self.model.rows(open);
        let keyed: Vec<(Value, TypeId, Option<String>, tagwise_schema::Span)> = rows
            .iter()
            .filter_map(|row| {
                let key = row.keys.first().copied().flatten()?;
                let object = self.model.object(row.object)?;
                matches!(key, Value::ObjectIdentifier(_) | Value::Integer(_))
                    .then(|| (key.clone(), row.ty, object.name.clone(), object.span))
            })
            .collect();
        let set = self.model.set(table.set)?;
        let (module, span, name) = (set.module, set.span, set.name.clone());
        let overlay = name.as_deref().and_then(|name| self.set_overlay(module, name));
        if keyed.is_empty() || overlay.is_some_and(|overlay| overlay.skip) {
            return None;
        }
        let item = match &name {
            Some(name) => {
                let mut words = Words::of(name);
                if !self.sets.insert(table.set) {
                    words = open.field.iter().fold(words, |words, field| words.and(&Words::of(field)));
                }
                let ident = self.claim(module, overlay.and_then(|overlay| overlay.rename.as_deref()), &words);
                self.add(super::item(module, name.clone(), ident, None, span))
            }
            None => self.anonymous(spot, None, span, Body::Pending),
        };
        // Before its rows: they may lead back here.
        self.by_set.insert(key, item);
        let prefix = overlay.and_then(|overlay| overlay.prefix.as_deref()).unwrap_or_default();
        let body = self.rows(item, table.set, prefix, keyed);
        self.set_body(item, body);
        Some(item)
    }

    fn rows(
        &mut self,
        item: ItemId,
        set: SetId,
        prefix: &str,
        keyed: Vec<(Value, TypeId, Option<String>, tagwise_schema::Span)>,
    ) -> Body {
        let mut scope = Scope::default();
        let unknown = scope.claim("Unknown");
        let mut rows: Vec<Row> = Vec::new();
        let mut known = std::collections::HashSet::new();
        for (key, ty, object, span) in keyed {
            if !known.insert(format!("{key:?}")) {
                self.note(span, "a previous object in the set has the same identifier; its type is used");
                continue;
            }
            let of_type = self.model.ty(ty).and_then(|ty| ty.name.as_ref()).map(|name| name.name.clone());
            let name = object.or(of_type).unwrap_or_else(|| "object".to_owned());
            let words = Words::of(name.strip_prefix(prefix).unwrap_or(&name));
            let ident = scope.claim(&words.upper_camel());
            let spot = Spot { owner: item, words: self.words(item).and(&words), given: None };
            let repr = self.element(ty, &spot);
            let repr = match repr {
                Repr::Builtin(Builtin::NamedBits) => Repr::Builtin(Builtin::BitString),
                repr => repr,
            };
            rows.push(Row { name, ident, key, repr });
        }
        Body::OpenType(plan::OpenType { set, rows, unknown })
    }
}
